"""Turns of ONLINE: how each begins and ends, the draws in it, deadlines, winners, and the next starter (R2.3, R3, R9.2,
R10). `play` calls it once a move is accepted. Functions that return nothing change a draft and append to
`announcements`. Must not refuse anything."""

from __future__ import annotations

from typing import TypeAlias

from taptable.core.announcements import Announcement, GameEnded, TurnBegan, TurnSkipped
from taptable.core.scoreboard import Count, Outcome, Tallied, rank_scores
from taptable.games.online.announcements import DrawPileTooShort, DrawPileUsedUp, OwedCardsDrawn, TurnEnded
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.state import State, Team, Turn

Announcements: TypeAlias = list[Announcement]

HAND_SIZE = 7
"""The cards that each seat gets at the start, and to which its hand is filled at the beginning of its turn (R2.4,
R3.1)."""
CATEGORY_CARDS = "category-cards"
"""The name of the count that decides a time limit by the French rule book (R10.3)."""


def start(state: State, seat: int, at_us: int, announcements: Announcements) -> None:
    """Begin the first turn, of this seat; the time limit runs from here (R2.3, R10.3)."""
    limit_us = state.options.time_limit_us
    state.ends_at_us = None if limit_us is None else at_us + limit_us
    begin_turn(state, state.options.order.index(seat), at_us, announcements)


def begin_turn(state: State, order_index: int, at_us: int, announcements: Announcements) -> None:
    """Begin the turn at this index of the order. The seat's hand is filled to 7 (R3.1), which ends what was owed to
    it."""
    seat = state.options.order[order_index]
    state.owe(seat, 0)
    missing = max(0, HAND_SIZE - state.hands[seat - 1])
    drawn = state.draw(seat, missing)
    state.turn = Turn(seat, order_index, at_us, owed=missing - drawn)
    announcements.append(TurnBegan(seat, drawn))
    announce_used_up(state, drawn, announcements)


def begin_play(state: State, turn: Turn, announcements: Announcements) -> None:
    """Draw the 8th card, if this is the first card of the turn that shows option B (R3.6)."""
    if turn.played:
        return
    turn.played = True
    drawn = state.draw(turn.seat, 1)
    turn.owed += 1 - drawn
    announce_used_up(state, drawn, announcements)


def stop(state: State, turn: Turn, at_us: int, announcements: Announcements) -> None:
    """Handle *Stop*: an exchange draws what it discarded, and is owed what the pile lacks; then the next seat is on
    turn (R3.2, R3.4, R9.2)."""
    if turn.played:
        announcements.append(TurnEnded(turn.seat, "stop", 0))
    else:
        drawn = state.draw(turn.seat, turn.discards)
        announcements.append(TurnEnded(turn.seat, "exchange" if turn.discards else "pass", drawn))
        announce_used_up(state, drawn, announcements)
        owed = turn.discards - drawn
        if owed and state.options.edition.exchange_owed:
            state.owe(turn.seat, owed)
            announcements.append(DrawPileTooShort(turn.seat, owed))
    next_turn(state, turn, at_us, announcements)


def next_turn(state: State, turn: Turn, at_us: int, announcements: Announcements) -> None:
    """Begin the turn of the next seat, without those that lose their turn (R7.3) or that nobody plays (R2.5)."""
    if state.time_up:
        end_game(state, outcome_by_score(state, "time"), announcements)
        return
    order = state.options.order
    place = (turn.order_index + 1) % len(order)
    while order[place] in state.skips or order[place] in state.vacated:
        if order[place] in state.skips:
            announcements.append(TurnSkipped(order[place]))
            state.skips -= {order[place]}
        place = (place + 1) % len(order)
    begin_turn(state, place, at_us, announcements)


def hand_turn_to(state: State, turn: Turn, seat: int, at_us: int, announcements: Announcements) -> None:
    """End the hacker's turn after a patrol and skip the hacker's next one; `seat` is on turn (R7.3)."""
    announcements.append(TurnEnded(turn.seat, "patrol", 0))
    state.skips |= {turn.seat}
    if state.time_up:
        end_game(state, outcome_by_score(state, "time"), announcements)
        return
    order = state.options.order
    # with five players seat 3 takes its next place after the hacker's
    following = ((turn.order_index + steps) % len(order) for steps in range(1, len(order) + 1))
    begin_turn(state, next(place for place in following if order[place] == seat), at_us, announcements)


def end_game(state: State, outcome: Outcome, announcements: Announcements) -> None:
    """End the game: nothing is pending any more (R10.1)."""
    winner = tuple(sorted(seat for team in outcome.winners for seat in state.options.teams[team]))
    state.outcome, state.window, state.pending = outcome, None, None
    figures = tuple(figure for team, _ in outcome.ranking if (figure := decisive_count(state, team)) is not None)
    announcements.append(GameEnded(winner, outcome.by, figures))


def announce_used_up(state: State, drawn: int, announcements: Announcements) -> None:
    """Announce that the draw pile is empty, if these cards were its last (R9.2)."""
    if drawn and not state.draw_pile:
        announcements.append(DrawPileUsedUp())


def pay_owed(state: State, announcements: Announcements) -> None:
    """Deal the exchanges what they are owed from a new draw pile, in their order, as far as it lasts (R9.2)."""
    owed, state.owed = state.owed, ()
    for seat, cards in owed:
        drawn = state.draw(seat, cards)
        state.owe(seat, cards - drawn)
        if drawn:
            announcements.append(OwedCardsDrawn(seat, drawn))


def deadline(state: State) -> int | None:
    """Return the next deadline in table time; None if there is none."""
    if state.outcome is not None:
        return None
    limit_us = None if state.time_up else state.ends_at_us
    if state.window is None:
        return limit_us
    window_us = state.window.due_us
    return window_us if limit_us is None else min(limit_us, window_us)


# ---- winners


def has_won(state: State, team: Team) -> bool:
    """Return whether this team has all its quotas (R10.1)."""
    rows = team.rows
    return all(len(rows[kind.row]) >= quota for kind, quota in zip(CATEGORIES, state.options.quotas, strict=True))


def outcome_by_quotas(state: State, winner: int) -> Outcome:
    """Return the outcome when one team has its quotas: it is first, the others are placed by megabytes (R10.2)."""
    return rank_scores({index: team.mb for index, team in enumerate(state.teams)}, "quotas", winner)


def outcome_by_score(state: State, by: str) -> Outcome:
    """Return the outcome when the score decides: by megabytes or, FR, by category cards; equal teams share a place
    (R10.3, R10.5)."""
    by_cards = state.options.edition.time_counts_cards
    scores = {index: team.category_cards if by_cards else team.mb for index, team in enumerate(state.teams)}
    return rank_scores(scores, by)


def decisive_count(state: State, team: int) -> Count | None:
    """Return the count that decided a team's place, if that isn't megabytes (R10.3)."""
    if state.outcome is None or state.outcome.by == "quotas" or not state.options.edition.time_counts_cards:
        return None
    return Count(CATEGORY_CARDS, state.teams[team].category_cards)


def tally(state: State) -> tuple[Tallied, ...]:
    """Return the tally of R10.4. Winners note the cards left in the losers' hands, which the table can't see; losers
    note how many of the required cards they lack, with the numbers of parties that have losses."""
    edition, outcome = state.options.edition, state.outcome
    if outcome is None or not edition.tally:
        return ()
    has_losses = len(state.teams) in edition.losses_of_parties

    def shortfall(team: Team) -> int:
        needs = zip(CATEGORIES, state.options.quotas, strict=True)
        return sum(max(0, quota - len(team.rows[kind.row])) for kind, quota in needs)

    return tuple(
        Tallied(seats, index in outcome.winners, shortfall(team) if has_losses and index not in outcome.winners else 0)
        for index, (seats, team) in enumerate(zip(state.options.teams, state.teams, strict=True))
    )


def next_starter(state: State) -> int | None:
    """Return the seat that begins the next game by the last known winner; None while there is none (R2.3)."""
    outcome = state.outcome
    if outcome is None or len(outcome.winners) != 1:
        return state.next_starter
    winner = outcome.winners[0]
    stayed = [seat for seat in state.options.teams[winner] if seat not in state.vacated]
    if not stayed:
        return state.next_starter
    downloader = state.teams[winner].last_downloader
    seat = downloader if downloader in stayed else min(stayed)
    return seat % state.options.players + 1 if state.options.edition.starter_left_of_winner else seat
