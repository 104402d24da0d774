"""Turns: how one begins and ends, and what is drawn on the way (R3, R9.2)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement, GameEnded, TurnBegan, TurnSkipped
from taptable.games.online.announcements import DrawPileUsedUp, TimeIsUp, TurnEnded
from taptable.games.online.score import decisive, won_as_it_stands
from taptable.games.online.state import Outcome, State, Turn

HAND = 7


def begin_turn(state: State, place: int, at_us: int) -> tuple[State, list[Announcement]]:
    """The state in which the seat at this place of the order is on turn, its hand filled to 7 (R3.1)."""
    seat = state.options.order[place]
    missing = max(0, HAND - state.hands[seat - 1])
    drawn = min(missing, state.draw_pile)
    began = replace(
        state,
        turn=Turn(seat, place, at_us, owed=missing - drawn),
        hands=state.with_hand(seat, drawn),
        draw_pile=state.draw_pile - drawn,
    )
    return began, [TurnBegan(seat, drawn), *used_up(state, began)]


def show_play(state: State, turn: Turn) -> tuple[State, Turn, list[Announcement]]:
    """The state after the 8th card was drawn, if this is the first card of the turn that shows option B (R3.6)."""
    if turn.played:
        return state, turn, []
    if state.draw_pile == 0:
        turn = replace(turn, played=True, owed=turn.owed + 1)
        return replace(state, turn=turn), turn, []
    turn = replace(turn, played=True)
    drawn = replace(state, turn=turn, hands=state.with_hand(turn.seat, 1), draw_pile=state.draw_pile - 1)
    return drawn, turn, used_up(state, drawn)


def stop(state: State, turn: Turn, at_us: int) -> tuple[State, list[Announcement]]:
    """The state after *Stop*: an exchange draws what it discarded, then the next seat is on turn (R3.2, R3.4)."""
    if turn.played:
        return next_turn(state, turn, at_us, [TurnEnded(turn.seat, "stop", 0)])
    drawn = min(turn.discards, state.draw_pile)
    after = replace(state, hands=state.with_hand(turn.seat, drawn), draw_pile=state.draw_pile - drawn)
    how = "exchange" if turn.discards else "pass"
    return next_turn(after, turn, at_us, [TurnEnded(turn.seat, how, drawn), *used_up(state, after)])


def next_turn(state: State, turn: Turn, at_us: int, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """The state in which the seat after this turn's is on turn, after what was `said`: not one that loses its turn
    (R7.3), nor one that nobody plays (R2.5)."""
    if state.time_up:
        return end_game(state, won_as_it_stands(state, "time"), said)
    order = state.options.order
    place = (turn.place + 1) % len(order)
    skips = state.skips
    while order[place] in skips or order[place] in state.vacated:
        if order[place] in skips:
            said.append(TurnSkipped(order[place]))
            skips = skips - {order[place]}
        place = (place + 1) % len(order)
    began, more = begin_turn(replace(state, skips=skips), place, at_us)
    return began, [*said, *more]


def hand_turn_to(state: State, turn: Turn, seat: int, at_us: int) -> tuple[State, list[Announcement]]:
    """The state after a patrol: the hacker's turn is over and the next one skipped, `seat` is on turn (R7.3)."""
    said: list[Announcement] = [TurnEnded(turn.seat, "patrol", 0)]
    skipping = replace(state, skips=state.skips | {turn.seat})
    if state.time_up:
        return end_game(skipping, won_as_it_stands(state, "time"), said)
    order = state.options.order
    # with five players seat 3 takes its next place after the hacker's
    following = ((turn.place + steps) % len(order) for steps in range(1, len(order) + 1))
    place = next(place for place in following if order[place] == seat)
    began, more = begin_turn(skipping, place, at_us)
    return began, [*said, *more]


def end_game(state: State, outcome: Outcome, said: list[Announcement]) -> tuple[State, list[Announcement]]:
    """The state after the end; nothing runs any more (R10.1)."""
    winner = tuple(sorted(seat for team in outcome.winners for seat in state.options.teams[team]))
    ended = replace(state, outcome=outcome, window=None, pending=None)
    figures = tuple(figure for place in outcome.ranking if (figure := decisive(place)) is not None)
    return ended, [*said, GameEnded(winner, outcome.by, figures)]


def pass_time_limit(state: State) -> tuple[State, list[Announcement]]:
    """The state after the time limit: the current turn is finished first (R10.3)."""
    assert state.turn is not None
    return replace(state, time_up=True), [TimeIsUp(state.turn.seat)]


def used_up(before: State, after: State) -> list[Announcement]:
    """What is said if the draw pile is used up only since `before` (R9.2)."""
    return [DrawPileUsedUp()] if before.draw_pile > 0 == after.draw_pile else []
