"""Carries out the arrangements of ONLINE, the observations that no card and no button can express: the corrections of a
check (`correct`), a seat whose player has left (`vacate`, R2.5), and cards that are lost or found again (`lose`,
`recover`, R1.1); and the control for a reshuffle (R9.1). `play` calls each function with a draft of the state. The
function changes the draft and appends to `announcements`; or it returns a rejection, and the draft is then discarded.
Must not know who asked for the change."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.announcements import WindowClosed
from taptable.core.observations import TableCorrected
from taptable.core.verdicts import Facts, Rejection
from taptable.games.online import patrol
from taptable.games.online.announcements import (
    CardPutBack,
    CardTakenOut,
    HackWaived,
    PilesReshuffled,
    SearchWaived,
    SeatLeft,
    TablePutRight,
    TurnEnded,
)
from taptable.games.online.cards import CATEGORY_ROWS, CONNECTION, KIND_OF, MEMORY
from taptable.games.online.rules import fault, ignore, refuse
from taptable.games.online.state import Search, State, Turn
from taptable.games.online.turns import (
    HAND_SIZE,
    Announcements,
    announce_used_up,
    end_game,
    has_won,
    next_turn,
    outcome_by_quotas,
    outcome_by_score,
    pay_owed,
)


def reshuffle(state: State, turn: Turn, announcements: Announcements) -> None:
    """Move the discard pile, and all cards but the top one of each connection row and memory row, into the draw pile
    (R9.1). Then the players draw the cards that they couldn't draw while the pile was used up: first those that
    exchanged cards, then the player on turn (R9.2)."""
    state.draw_pile += len(state.discard)
    state.discard = ()
    for index in range(len(state.teams)):
        team = state.draft_team(index)
        for row in (CONNECTION, MEMORY):
            for card in team.rows[row][:-1]:
                team.take(row, card)
                state.draw_pile += 1
    paid: Announcements = []
    pay_owed(state, paid)
    drawn = state.draw(turn.seat, turn.owed)
    turn.owed -= drawn
    announcements += (PilesReshuffled(state.draw_pile, drawn), *paid)


def correct(state: State, correction: TableCorrected, announcements: Announcements) -> Rejection | None:
    """Set rows, the discard pile and hands as the players found them in a check, and the draw pile to the number of
    cards that are left. Return a rejection if a card is unknown, belongs in no row, or if there are not enough cards
    for these hands; the draft may have changed by then, but `play` discards it. If a team has all its quotas
    afterwards, the game ends."""
    for card in correction.gone:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card})
    for card, pad in correction.laid:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card, "pad": pad})
        if isinstance(pad, int) and KIND_OF[card].row < 0:
            return refuse("lies-in-no-row", {"card": card, "pad": pad})
    moved = {*correction.gone, *(card for card, _ in correction.laid)}
    for card in moved:
        _take_from_table(state, card)
    state.lost = tuple(card for card in state.lost if card not in moved)
    for card, pad in dict(correction.laid).items():  # a card found twice was moved meanwhile: its last place counts
        if isinstance(pad, int):
            state.draft_team(state.options.team_of(pad)).put(KIND_OF[card].row, card)
        else:
            state.discard = (*state.discard, card)
    owed = dict(state.owed)
    for seat, count in correction.hands:
        state.change_hand(seat, count - state.hands[seat - 1])
        if seat in owed:  # owed no more than what the hand now lacks
            state.owe(seat, min(owed[seat], max(0, HAND_SIZE - count)))
    count_on_table = len(state.discard) + len(state.lost) + sum(len(row) for team in state.teams for row in team.rows)
    state.draw_pile = len(KIND_OF) - count_on_table - sum(state.hands)
    if state.draw_pile < 0:
        return refuse("counts-too-high", {})
    announcements.append(TablePutRight(tuple(card for card, _ in correction.laid), correction.gone, state.draw_pile))
    for index, team in enumerate(state.teams):
        if state.has_players(index) and has_won(state, team):
            return end_game(state, outcome_by_quotas(state, index), announcements)
    return None


def vacate(state: State, turn: Turn, seat: int, at_us: int, announcements: Announcements) -> Rejection | None:
    """Take the player of a seat out of the game, who has left: the hand goes into the draw pile, and the game waits for
    this seat no more. If fewer than two teams have players then, the game ends by agreement (R2.5, R10.5)."""
    if seat in state.vacated:
        return ignore("vacated-already", {"pad": seat})
    hand = state.hands[seat - 1]
    state.change_hand(seat, -hand)
    state.draw_pile += hand
    state.vacated |= {seat}
    state.skips -= {seat}
    state.owe(seat, 0)
    announcements.append(SeatLeft(seat, hand))
    if sum(map(state.has_players, range(len(state.teams)))) < 2:
        end_game(state, outcome_by_score(state, "agreement"), announcements)
    elif seat == turn.seat:
        _leave_turn(state, turn, at_us, announcements)
    elif state.window is not None:
        window, event = windows.withdraw(state.window, seat, at_us)
        state.window = window
        if event is not None:
            patrol.handle_window_event(state, turn, window, event, at_us, announcements)
    return None


def _leave_turn(state: State, turn: Turn, at_us: int, announcements: Announcements) -> None:
    """End the turn together with its window, its hack or its search."""
    if state.window is not None:
        announcements.append(WindowClosed(turn.seat))
    elif state.pending is not None:
        announcements.append(SearchWaived(turn.seat) if isinstance(state.pending, Search) else HackWaived(turn.seat))
    state.window, state.pending = None, None
    announcements.append(TurnEnded(turn.seat, "left", 0))
    next_turn(state, turn, at_us, announcements)


def lose(state: State, card: str, announcements: Announcements) -> Rejection | None:
    """Take a card out of the game until it is found again; this is also possible before the first turn (R1.1). A card
    that lies in no row and not on the discard pile is hidden, in a hand or in the draw pile. The draw pile then has one
    card less in either case: if the card was in a hand, its holder draws another for it."""
    facts: Facts = {"card": card}
    if card not in KIND_OF:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refuse("game-over", facts)
    if card in state.lost:
        return ignore("lost-already", facts)
    hidden = state.locate(card, KIND_OF[card]) is None
    if state.draw_pile == 0 and hidden:
        return refuse("lost-with-empty-pile", facts)
    _take_from_table(state, card, drop_short_backup=True)
    state.draw_pile -= hidden
    if state.window is not None:
        state.window = windows.detach_card(state.window, card)
    state.lost = (*state.lost, card)
    announcements.append(CardTakenOut(card, state.draw_pile))
    announce_used_up(state, hidden, announcements)
    return None


def recover(state: State, card: str, announcements: Announcements) -> Rejection | None:
    """Put a lost card that was found back into the draw pile (R1.1)."""
    facts: Facts = {"card": card}
    if card not in KIND_OF:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refuse("game-over", facts)
    if card not in state.lost:
        return ignore("not-lost", facts)
    state.lost = tuple(other for other in state.lost if other != card)
    state.draw_pile += 1
    announcements.append(CardPutBack(card, state.draw_pile))
    return None


def _take_from_table(state: State, card: str, *, drop_short_backup: bool = False) -> None:
    """Remove a card from its row or the discard pile, if it lies there. If a row that is backed up then has fewer cards
    than its quota, `drop_short_backup` ends the backup, so that the row can be backed up again (R5.5)."""
    row, place = KIND_OF[card].row, state.locate(card, KIND_OF[card])
    if not isinstance(place, int):
        state.discard = tuple(other for other in state.discard if other != card)
        return
    team = state.draft_team(place)
    team.take(row, card)
    if drop_short_backup and row in CATEGORY_ROWS:
        needed = max(1, state.options.quotas[row - CATEGORY_ROWS[0]])
        if len(team.rows[row]) < needed:
            team.backed_up -= {row}
