"""Reading: from an observation and the state to the move it means, or to why it isn't one.

The order of the questions is the order in which refusals take precedence (R11, *Which refusal, if several fit*).
"""

from __future__ import annotations

from typing import TypeAlias

from taptable.core import windows
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.online import moves
from taptable.games.online.cards import CATEGORY_ROWS, CYBER_PATROL, HACKER, KIND_OF, SEARCH, Group, Kind
from taptable.games.online.correcting import read_correction
from taptable.games.online.hacking import read_hack
from taptable.games.online.leaving import read_leaving
from taptable.games.online.losing import read_loss
from taptable.games.online.moves import Source
from taptable.games.online.refusals import fault, ignored, play_facts, refused
from taptable.games.online.rules import (
    access_elsewhere,
    access_objection,
    attack_objection,
    download_objection,
    may_back_up,
    may_react,
)
from taptable.games.online.state import Search, State, Turn

Reading: TypeAlias = moves.Move | Refused | Ignored | Fault


def read(state: State, observation: Observation) -> Reading:
    """What this observation means now."""
    match observation:
        case CardTapped(at_us, card, pad):
            return _read_tap(state, at_us, card, pad)
        case CardHeld(at_us, card, pad):
            return _read_hold(state, at_us, card, pad)
        case ButtonPressed():
            return _read_press(state, observation)
        case ControlUsed(at_us, "reshuffle"):
            return _not_running(state) or moves.Reshuffle(at_us)
        case ControlUsed(at_us, "end-game"):
            return _not_running(state) or moves.EndGame(at_us)
        case TimePassed(at_us):
            return moves.PassDeadline(at_us)
        case TableCorrected():
            return _not_running(state) or read_correction(state, observation)
        case SeatVacated():
            return _not_running(state) or read_leaving(state, observation)
        case CardLost() | CardRecovered():
            return read_loss(state, observation)
        case _:
            raise AssertionError(observation)


def _not_running(state: State) -> Refused | None:
    """Why nothing can be done to the table as a whole: there is no game yet, or none any more (R2.3, R10.1)."""
    if state.outcome is not None:
        return refused("game-over", {})
    return refused("waiting-for-youngest", {}) if state.turn is None else None


def _read_tap(state: State, at_us: int, card: str, pad: Pad) -> Reading:
    facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refused("game-over", facts)
    turn = state.turn
    if turn is None:
        return refused("waiting-for-youngest", facts)
    if card in state.lost:
        return refused("card-lost", facts)
    place = locate(state, card, kind)
    if place is not None:
        return _read_table_card(state, turn, at_us, card, kind, pad, place)
    if isinstance(pad, int):
        team, player = state.options.team_of(pad), state.player_at(pad)
        if player is None:
            return refused("nobody-plays-there", {**facts, "seats": state.options.teams[team]})
        if kind is CYBER_PATROL and state.window is not None:
            return _read_patrol(state, state.window, at_us, card, player)
        if kind.group is Group.ACCESS and may_react(state, team, kind.row):
            if free_hand(state, player) == 0:
                return refused("hand-used-up", facts)
            objection = access_objection(kind, state.teams[team])
            if objection:
                return refused(objection, play_facts(state, turn, card, pad, team))
            return moves.ReactWith(at_us, card, kind, team, pad, player)
    if state.window is not None:
        return refused("window-open", facts)
    if isinstance(state.pending, Search):
        return _read_searched(state, turn, at_us, card, kind, pad)
    if state.pending is not None:
        return refused("hack-pending", facts)
    return _read_hand_card(state, turn, at_us, card, kind, pad)


def _read_table_card(
    state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad, place: int | str
) -> Reading:
    """A card that lies in a row of team `place`, or on the discard pile (R11, R7.7)."""
    facts = {"card": card, "pad": pad}
    here = state.options.team_of(pad) if isinstance(pad, int) else pad
    if here == place:
        return ignored("already-there", facts)
    if state.pending is None or isinstance(state.pending, Search):
        if isinstance(place, str):
            return refused("belongs-on-discard-pile", facts)
        return refused("belongs-in-row", {**facts, "seats": state.options.teams[place]})
    return read_hack(state, turn, at_us, card, kind, pad, place)


def _read_patrol(state: State, window: windows.BuzzWindow, at_us: int, card: str, seat: int) -> Reading:
    """A hidden Cyber Patrol on a seat's pad while a window is there (R7.3, R7.5)."""
    facts = {"card": card, "pad": seat}
    if seat in window.locked_out:
        return refused("patrol-locked-out", facts)
    if seat == window.owner:
        return refused("patrol-by-hacker", facts)
    if not may_patrol(state, window.owner, seat):
        return refused("patrol-by-team-mate", facts)
    press = window.press_of(seat)
    if press is not None and press.shown is not None:
        return ignored("shown-already", facts)
    has_pressed = press is not None or (window.claim is not None and window.claim.seat == seat)
    if not has_pressed and windows.objection(window, seat, at_us, at_us) is not None:
        return refused("patrol-too-late", facts)
    if state.hands[seat - 1] == 0:
        return refused("hand-used-up", facts)
    return moves.ShowPatrol(at_us, seat, card)


def _read_searched(state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad) -> Reading:
    """The card taken from the draw pile by a search (R8.1)."""
    facts = {"card": card, "pad": pad}
    edition = state.options.edition
    if pad == DISCARD_PAD and not edition.searched_discard:
        return refused("searched-not-discarded", facts)
    if pad != DISCARD_PAD and kind.group is Group.POWER and not edition.searched_power:
        return refused("searched-onto-row", facts)
    if state.draw_pile == 0:
        return refused("draw-pile-used-up", facts)
    if pad == DISCARD_PAD:
        return moves.DiscardCard(at_us, card, kind, Source.DRAW_PILE)
    return _read_play(state, turn, at_us, card, kind, pad, Source.DRAW_PILE)


def _read_hand_card(state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad) -> Reading:
    """A card from the hand of the player on turn (R3)."""
    facts = {"card": card, "pad": pad}
    hand = state.hands[turn.seat - 1]
    if pad == DISCARD_PAD:
        if turn.played and turn.discards:
            return refused("one-discard-only", facts)
        return moves.DiscardCard(at_us, card, kind, Source.HAND) if hand else refused("hand-used-up", facts)
    if turn.mode == "exchange":
        return refused("exchange-begun", facts)
    draws = not turn.played and state.draw_pile > 0
    if hand == 0 and not draws:
        return refused("hand-used-up", facts)
    return _read_play(state, turn, at_us, card, kind, pad, Source.HAND)


def _read_play(state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad, source: Source) -> Reading:
    """A card played on a seat's pad by the player on turn: first the right pad, then the row it goes onto."""
    assert isinstance(pad, int)
    target = state.options.team_of(pad)
    own = target == state.options.team_of(turn.seat)
    if kind is CYBER_PATROL:
        return refused("patrol-without-hacker", {"card": card, "pad": pad})
    if kind.group is Group.ATTACK:
        code = "attack-on-own-team" if own else attack_objection(kind, state.teams[target])
    elif not own:
        code = _on_other_pad(state, kind, target)
    elif kind is HACKER:
        return moves.ShowHacker(at_us, card, source)
    elif kind is SEARCH:
        return moves.ShowSearch(at_us, card, source)
    elif kind.group is Group.ACCESS:
        code = access_objection(kind, state.teams[target])
    else:
        code = download_objection(kind, state.teams[target], turn.downloads)
    if code is not None:
        return refused(code, play_facts(state, turn, card, pad, target))
    return moves.LayCard(at_us, card, kind, target, pad, source)


LOST = "lost"
"""Where a card lies that is out of the game (R1.1)."""


def _on_other_pad(state: State, kind: Kind, team: int) -> str:
    """Why a card that isn't an attack may not be played on a pad of this other team."""
    if kind.group is Group.ACCESS:
        return access_elsewhere(state, team, kind.row)
    if kind.group is Group.CATEGORY:
        return "category-on-other-pad"
    return "hacker-on-other-pad" if kind is HACKER else "search-on-other-pad"


def _read_hold(state: State, at_us: int, card: str, pad: Pad) -> Reading:
    """A card held for 1.5 s: a backup, or nothing (R5.5)."""
    facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if state.turn is None or state.outcome is not None or not isinstance(pad, int) or kind.row not in CATEGORY_ROWS:
        return ignored("nothing-to-back-up", facts)
    team = state.options.team_of(state.turn.seat)
    lies_there = state.options.team_of(pad) == team and card in state.teams[team].rows[kind.row]
    if not lies_there or not may_back_up(state, team, kind.row):
        return ignored("nothing-to-back-up", facts)
    return moves.BackUp(at_us, team, kind.row)


def _read_press(state: State, press: ButtonPressed) -> Reading:
    """A seat's button: the youngest, a buzz, a waiver or *Stop* (R2.3, R7.2, R7.10, R8.2, R3.4), or nothing (R3.7)."""
    facts = {"pad": press.seat}
    turn = state.turn
    if state.outcome is not None:
        return ignored("game-is-over", facts)
    if turn is None:
        return moves.PickStarter(press.at_us, press.seat)
    if press.seat in state.vacated:
        return ignored("seat-left", facts)
    window = state.window
    if window is not None:
        code = windows.objection(window, press.seat, press.pressed_at_us, press.at_us)
        if code is None and not may_patrol(state, window.owner, press.seat):
            code = "may-not-patrol"
        if code is not None:
            return ignored(code, facts)
        return moves.Buzz(press.at_us, press.seat, press.pressed_at_us, press.uncertainty_us)
    if press.seat != turn.seat:
        return ignored("not-on-turn", facts)
    began_at_us = state.pending.began_at_us if state.pending else turn.began_at_us
    if press.pressed_at_us < began_at_us:
        return ignored("pressed-too-early", facts)
    return moves.Waive(press.at_us) if state.pending else moves.EndTurn(press.at_us)


def locate(state: State, card: str, kind: Kind) -> int | str | None:
    """Where a card lies: the index of the team whose row it is in, the discard pile, out of the game, or None while it
    is hidden."""
    if kind.row >= 0:
        for index, team in enumerate(state.teams):
            if card in team.rows[kind.row]:
                return index
    if card in state.discard:
        return DISCARD_PAD
    return LOST if card in state.lost else None


def may_patrol(state: State, hacker: int, seat: int) -> bool:
    """May this seat stop this hacker (R7.6)?"""
    team_of = state.options.team_of
    if seat == hacker or seat in state.vacated:
        return False
    return not (state.options.opponents_only and team_of(seat) == team_of(hacker))


def free_hand(state: State, seat: int) -> int:
    """A seat's hand by the table's count, less a Cyber Patrol it has shown and not yet played."""
    press = state.window.press_of(seat) if state.window else None
    return state.hands[seat - 1] - (1 if press is not None and press.shown is not None else 0)
