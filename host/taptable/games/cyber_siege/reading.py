"""Reading: from an observation and the state to the move it means, or to why it isn't one.

The order of the questions about a tap is that of the table *How a line is judged*: the first row that fits answers.
"""

from __future__ import annotations

from typing import TypeAlias

from taptable.core import windows
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Facts, Fault, Ignored, Refused
from taptable.games.cyber_siege import moves
from taptable.games.cyber_siege.cards import Group, Kind, fits_attack
from taptable.games.cyber_siege.correcting import read_correction, read_putting_right
from taptable.games.cyber_siege.refusals import fault, ignored, refused
from taptable.games.cyber_siege.state import Attack, State, Turn, locate, missing

Reading: TypeAlias = moves.Move | Refused | Ignored | Fault


def read(state: State, observation: Observation) -> Reading:
    """What this observation means now."""
    match observation:
        case CardTapped():
            return _read_tap(state, observation)
        case CardHeld(_, card, pad):
            facts: Facts = {"card": card, "pad": pad}
            known = card in state.options.deck.kind_of
            return ignored("nothing-to-hold", facts) if known else fault("unknown-card", facts)
        case ButtonPressed():
            return _read_press(state, observation)
        case TimePassed(at_us):
            return moves.PassDeadline(at_us)
        case ControlUsed():
            return _not_running(state, {}) or _read_control(state, observation)
        case TableCorrected():
            return _not_running(state, {}) or read_putting_right(state, observation)
        case _:
            raise AssertionError(observation)


def _not_running(state: State, facts: Facts) -> Refused | None:
    """Why nothing can be done at the table: the game is over, or has not begun (S7.4, S2.2)."""
    if state.outcome is not None:
        return refused("game-over", facts)
    return refused("no-starter", facts) if state.turn is None else None


def _read_tap(state: State, tap: CardTapped) -> Reading:
    at_us, card, pad = tap.at_us, tap.card, tap.pad
    facts: Facts = {"card": card, "pad": pad}
    kind = state.options.deck.kind_of.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    halted = _not_running(state, facts)
    if halted is not None:
        return halted
    turn = state.turn
    assert turn is not None
    place = locate(state, card)
    if pad == place or (pad == turn.seat and card in turn.used):
        return ignored("already-there", facts)
    if state.owed_draws:
        return refused("reshuffle-due", facts)
    if state.launch is not None:
        return refused("launch-open", facts)
    if state.attack is not None:
        return _read_defence(state, state.attack, tap, kind, hidden=place is None)
    if state.owed_discards:
        if place is not None or not kind.is_red or pad != DISCARD_PAD:
            return refused("discard-owed", {**facts, "owed": state.owed_discards})
        return moves.PayDiscard(at_us, card)
    if place == DISCARD_PAD and pad == turn.seat:
        if turn.draw is not None:
            return refused("already-drawn", facts)
        return moves.TakeDiscard(at_us, card) if card == state.discard[-1] else refused("not-on-top", facts)
    if place is not None:
        return refused("lies-elsewhere", {**facts, "onto": place})
    return _read_hidden(state, turn, at_us, card, kind, pad)


def _read_defence(state: State, attack: Attack, tap: CardTapped, kind: Kind, *, hidden: bool) -> Reading:
    """A tap while a defence is awaited (S6.1, S6.2)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad, "seat": attack.defender, "top": attack.card}
    if not hidden or tap.pad != attack.defender:
        return refused("defence-awaited", facts)
    if not fits_attack(state.kind(attack.card), kind):
        return refused("no-defence", facts)
    if state.player(attack.defender).red == 0:
        return refused("hand-used-up", facts)
    return moves.Defend(tap.at_us, tap.card)


def _read_hidden(state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad) -> Reading:
    """A hidden card in the course of a turn: a set, or the discard that ends it (S4, S5)."""
    facts: Facts = {"card": card, "pad": pad}
    if isinstance(pad, int) and pad != turn.seat:
        return refused("not-on-turn", {**facts, "seat": turn.seat})
    draws = turn.draw is None
    if draws and state.red_pile == 0:
        return refused("reshuffle-due", facts)
    code = _objection(state, kind, pad)
    if code is not None:
        return refused(code, facts if state.laying is None else {**facts, "top": state.laying.card})
    player = state.player(turn.seat)
    if (player.red + draws if kind.is_red else player.purple) == 0:
        return refused("hand-used-up", facts)
    if pad == DISCARD_PAD:
        return moves.DiscardCard(at_us, card)
    return moves.AddToSet(at_us, card) if kind.is_red else moves.BeginSet(at_us, card)


def _objection(state: State, kind: Kind, pad: Pad) -> str | None:
    """Why a card of this kind can't go there now (S4.4, S5.1, S4.1, S4.2)."""
    laying = state.laying
    if laying is not None and (pad == DISCARD_PAD or not kind.is_red):
        return "set-open"
    if pad == DISCARD_PAD:
        return None if kind.is_red else "not-a-red-card"
    if not kind.is_red:
        return None
    if laying is None:
        return "set-card-first"
    fits = kind.group is Group.ADMIN or kind.id in missing(state, laying)
    return None if fits else "not-in-set"


def _read_press(state: State, press: ButtonPressed) -> Reading:
    """A seat's button: the youngest, a launch, a hit taken, a set broken off, the end of a turn (S2.2, S5.2, S6.4,
    S4.4, S5.4), or nothing."""
    turn = state.turn
    if state.outcome is not None:
        return ignored("game-is-over", {"pad": press.seat})
    if turn is None:
        return moves.PickStarter(press.at_us, press.seat)
    seat, at_us = press.seat, press.at_us
    if state.attack is not None:
        if seat != state.attack.defender:
            return ignored("no-press-awaited", {"pad": seat})
        code = windows.untimely(state.attack.window, press.pressed_at_us, at_us)
        move: moves.Move = moves.TakeHit(at_us)
    elif seat != turn.seat:
        return ignored("no-press-awaited", {"pad": seat})
    elif state.launch is not None:
        code = windows.untimely(state.launch.window, press.pressed_at_us, at_us)
        move = moves.LaunchAttack(at_us)
    elif state.laying is not None:
        code = "pressed-too-early" if press.pressed_at_us < state.laying.began_at_us else None
        move = moves.BreakOff(at_us)
    elif may_end_turn(state, turn):
        code = "pressed-too-early" if press.pressed_at_us < turn.began_at_us else None
        move = moves.EndTurn(at_us)
    else:
        return ignored("no-press-awaited", {"pad": seat})
    return move if code is None else ignored(code, {"pad": seat})


def may_end_turn(state: State, turn: Turn) -> bool:
    """May the own button end the turn: has the player no red card, nothing to draw, and nothing else to do (S5.4)?"""
    idle = state.attack is None and state.pending is None
    return idle and turn.draw is not None and state.player(turn.seat).red == 0


def _read_control(state: State, used: ControlUsed) -> Reading:
    """The game's own controls, and those of every game whose meaning is its own (S3.4, S5.2, S8.3)."""
    at_us = used.at_us
    match used.control:
        case "reshuffle":
            free = state.attack is None and state.pending in (None, "reshuffle")
            if not free or state.red_pile > 0 or not state.discard:
                return refused("no-reshuffle-due")
            return moves.Reshuffle(at_us)
        case "spare":
            return refused("nothing-to-spare") if state.launch is None else moves.Spare(at_us)
        case "correct":
            return read_correction(state, used)
        case "end-game":
            return moves.EndGame(at_us)
        case _:
            raise AssertionError(used)
