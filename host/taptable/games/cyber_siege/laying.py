"""Sets: the set card, its red cards one by one, and what a full set brings (S4)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement
from taptable.games.cyber_siege.announcements import CardDrawn, CardLaid, SetLaid, SetTakenBack
from taptable.games.cyber_siege.moves import AddToSet, BeginSet
from taptable.games.cyber_siege.state import Laying, State, Turn
from taptable.games.cyber_siege.turns import Result, check_end, draw_red, infer_draw


def begin_set(state: State, turn: Turn, move: BeginSet) -> Result:
    """A set card lies before the player, and its red cards come next (S4.1)."""
    state, turn, said = infer_draw(state, turn)
    begun = replace(state.gain(turn.seat, purple=-1), laying=Laying(move.card, move.at_us))
    return begun, [*said, CardLaid(turn.seat, move.card)]


def add_to_set(state: State, turn: Turn, laying: Laying, move: AddToSet) -> Result:
    """A red card comes to the set, which may be full now (S4.2, S4.5)."""
    laying = replace(laying, red=(*laying.red, move.card))
    state = replace(state.gain(turn.seat, red=-1), laying=laying)
    said: list[Announcement] = [CardLaid(turn.seat, move.card)]
    if len(laying.red) < len(state.kind(laying.card).needs):
        return state, said
    return _fill(state, turn, laying, said)


def break_off(state: State, turn: Turn, laying: Laying) -> Result:
    """All cards of the set go back to the hand (S4.4)."""
    broken = replace(state.gain(turn.seat, red=len(laying.red), purple=1), laying=None)
    return broken, [SetTakenBack(turn.seat, (laying.card, *laying.red))]


def _fill(state: State, turn: Turn, laying: Laying, said: list[Announcement]) -> Result:
    """A full set: it counts, as many red cards are drawn, and a set card if that was the last one (S4.5)."""
    seat = turn.seat
    player = state.player(seat)
    laid = replace(
        state.with_player(seat, replace(player, sets=(*player.sets, laying.card))),
        laying=None,
        discard=(*state.discard, *laying.red),
        turn=replace(turn, used=(*turn.used, *laying.red)),
    )
    size = len(state.kind(laying.card).needs)
    laid, said = check_end(laid, [*said, SetLaid(seat, laying.card, size)])
    if laid.outcome is not None:
        return laid, said
    laid, more = draw_red(laid, seat, size)
    said += more
    if laid.player(seat).purple > 0:
        return laid, said
    drawn = replace(laid.gain(seat, purple=1), purple_pile=laid.purple_pile - 1)
    return check_end(drawn, [*said, CardDrawn(seat, "purple", 1)])
