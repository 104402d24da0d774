"""What is done to the table of ONLINE as a whole: a reshuffle (R9.1), putting right what a check has found (R3.6), a
seat that nobody plays any more (R2.5), and cards that can't be found (R1.1)."""

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
from taptable.games.online.rules import fault, ignored, refused
from taptable.games.online.state import Search, State, Turn
from taptable.games.online.turns import (
    HAND,
    Said,
    end_game,
    has_won,
    next_turn,
    pay_owed,
    tell_used_up,
    won_as_it_stands,
    won_by_quotas,
)


def reshuffle(state: State, turn: Turn, said: Said) -> None:
    """Rows of connection and memory keep their top card; the rest and the discard pile are the new draw pile (R9.1). Of
    it exchanges draw what they are owed, then the player on turn (R9.2)."""
    state.draw_pile += len(state.discard)
    state.discard = ()
    for index in range(len(state.teams)):
        team = state.own_team(index)
        for row in (CONNECTION, MEMORY):
            for card in team.rows[row][:-1]:
                team.take(row, card)
                state.draw_pile += 1
    paid: Said = []
    pay_owed(state, paid)
    drawn = state.draw(turn.seat, turn.owed)
    turn.owed -= drawn
    said += (PilesReshuffled(state.draw_pile, drawn), *paid)


def correct(state: State, found: TableCorrected, said: Said) -> Rejection | None:
    """The rows and hands are as the players found them, the draw pile is what is left; unless a card is unknown or
    belongs in no row, or more cards would be held than there are."""
    for card in found.gone:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card})
    for card, pad in found.laid:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card, "pad": pad})
        if isinstance(pad, int) and KIND_OF[card].row < 0:
            return refused("lies-in-no-row", {"card": card, "pad": pad})
    moved = {*found.gone, *(card for card, _ in found.laid)}
    for card in moved:
        _take_from_table(state, card)
    state.lost = tuple(card for card in state.lost if card not in moved)
    for card, pad in dict(found.laid).items():  # one that was found twice was moved meanwhile
        if isinstance(pad, int):
            state.own_team(state.options.team_of(pad)).put(KIND_OF[card].row, card)
        else:
            state.discard = (*state.discard, card)
    owed = dict(state.owed)
    for seat, count in found.hands:
        state.hold(seat, count - state.hands[seat - 1])
        if seat in owed:  # a hand that was filled up otherwise is owed nothing
            state.owe(seat, min(owed[seat], max(0, HAND - count)))
    lying = len(state.discard) + len(state.lost) + sum(len(row) for team in state.teams for row in team.rows)
    state.draw_pile = len(KIND_OF) - lying - sum(state.hands)
    if state.draw_pile < 0:
        return refused("counts-too-high", {})
    said.append(TablePutRight(tuple(card for card, _ in found.laid), found.gone, state.draw_pile))
    for index, team in enumerate(state.teams):
        if state.is_played(index) and has_won(state, team):
            return end_game(state, won_by_quotas(state, index), said)
    return None


def vacate(state: State, turn: Turn, seat: int, at_us: int, said: Said) -> Rejection | None:
    """A player leaves: the hand goes back into the draw pile, what waited for it doesn't wait, and the others play on,
    if they are still two teams (R2.5, R10.5)."""
    if seat in state.vacated:
        return ignored("vacated-already", {"pad": seat})
    hand = state.hands[seat - 1]
    state.hold(seat, -hand)
    state.draw_pile += hand
    state.vacated |= {seat}
    state.skips -= {seat}
    state.owe(seat, 0)
    said.append(SeatLeft(seat, hand))
    if sum(map(state.is_played, range(len(state.teams)))) < 2:
        end_game(state, won_as_it_stands(state, "agreement"), said)
    elif seat == turn.seat:
        _leave_turn(state, turn, at_us, said)
    elif state.window is not None:
        window, event = windows.withdraw(state.window, seat, at_us)
        state.window = window
        if event is not None:
            patrol.go_on(state, turn, window, event, at_us, said)
    return None


def _leave_turn(state: State, turn: Turn, at_us: int, said: Said) -> None:
    """The turn ends, and with it its window, its hack or its search."""
    if state.window is not None:
        said.append(WindowClosed(turn.seat))
    elif state.pending is not None:
        said.append(SearchWaived(turn.seat) if isinstance(state.pending, Search) else HackWaived(turn.seat))
    state.window, state.pending = None, None
    said.append(TurnEnded(turn.seat, "left", 0))
    next_turn(state, turn, at_us, said)


def lose(state: State, card: str, said: Said) -> Rejection | None:
    """A card is out of the game until it turns up, before the first turn too; a hidden one is counted off the draw
    pile, since whoever held it draws another (R1.1)."""
    facts: Facts = {"card": card}
    if card not in KIND_OF:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refused("game-over", facts)
    if card in state.lost:
        return ignored("lost-already", facts)
    hidden = state.locate(card, KIND_OF[card]) is None
    if state.draw_pile == 0 and hidden:
        return refused("lost-with-empty-pile", facts)
    _take_from_table(state, card, unless_enough=True)
    state.draw_pile -= hidden
    if state.window is not None:
        state.window = windows.unshow(state.window, card)
    state.lost = (*state.lost, card)
    said.append(CardTakenOut(card, state.draw_pile))
    tell_used_up(state, hidden, said)
    return None


def recover(state: State, card: str, said: Said) -> Rejection | None:
    """A lost card was found, and goes back into the draw pile (R1.1)."""
    facts: Facts = {"card": card}
    if card not in KIND_OF:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refused("game-over", facts)
    if card not in state.lost:
        return ignored("not-lost", facts)
    state.lost = tuple(other for other in state.lost if other != card)
    state.draw_pile += 1
    said.append(CardPutBack(card, state.draw_pile))
    return None


def _take_from_table(state: State, card: str, *, unless_enough: bool = False) -> None:
    """A card leaves its row or the discard pile, if it lies there; `unless_enough`: a backup that holds no more what it
    needs is none (R5.5), or it could never again."""
    row, place = KIND_OF[card].row, state.locate(card, KIND_OF[card])
    if not isinstance(place, int):
        state.discard = tuple(other for other in state.discard if other != card)
        return
    team = state.own_team(place)
    team.take(row, card)
    if unless_enough and row in CATEGORY_ROWS:
        needed = max(1, state.options.quotas[row - CATEGORY_ROWS[0]])
        if len(team.rows[row]) < needed:
            team.backed_up -= {row}
