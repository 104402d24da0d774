"""Applying: carries out a move that `read` found legal, and says what came of it. Decides nothing."""

from __future__ import annotations

from dataclasses import replace

from taptable.core import windows
from taptable.core.announcements import Announcement
from taptable.games.cyber_siege import attacks, laying, moves
from taptable.games.cyber_siege.announcements import CardDiscarded, CardDrawn, Reshuffled
from taptable.games.cyber_siege.correcting import correct, put_right
from taptable.games.cyber_siege.state import State, Turn
from taptable.games.cyber_siege.turns import Result, begin_turn, draw_red, end_game, end_turn, settle_draw


def apply(state: State, move: moves.Move) -> Result:
    """The state after a legal move, and the announcements it brings."""
    if isinstance(move, moves.PickStarter):
        after, said = begin_turn(state, move.seat, move.at_us)
    else:
        assert state.turn is not None
        after, said = _apply_in_turn(state, state.turn, move)
    return settle_draw(after), said


def deadline(state: State) -> int | None:
    """When something happens by itself, in table time; None if nothing will (S3.5)."""
    waiting = state.launch or state.attack
    return None if waiting is None else windows.deadline(waiting.window)


def _apply_in_turn(state: State, turn: Turn, move: moves.MoveInTurn) -> Result:
    match move:
        case moves.TakeDiscard():
            return _take_discard(state, turn)
        case moves.DiscardCard():
            return attacks.discard(state, turn, move)
        case moves.PayDiscard():
            return _pay_discard(state, turn, move)
        case moves.EndTurn():
            return end_turn(state, turn, move.at_us)
        case moves.Reshuffle():
            return _reshuffle(state, turn)
        case moves.Correct():
            return correct(state, move)
        case moves.PutRight():
            return put_right(state, move)
        case moves.EndGame():
            taken_back, said = (state, []) if state.laying is None else laying.break_off(state, turn, state.laying)
            return end_game(taken_back, "agreement", said)
        case moves.BeginSet():
            return laying.begin_set(state, turn, move)
        case moves.AddToSet() | moves.BreakOff():
            return _apply_to_set(state, turn, move)
        case moves.LaunchAttack() | moves.Spare() | moves.Defend() | moves.TakeHit() | moves.PassDeadline():
            return _apply_to_attack(state, turn, move)


def _apply_to_set(state: State, turn: Turn, move: moves.AddToSet | moves.BreakOff) -> Result:
    assert state.laying is not None
    match move:
        case moves.AddToSet():
            return laying.add_to_set(state, turn, state.laying, move)
        case moves.BreakOff():
            return laying.break_off(state, turn, state.laying)


def _apply_to_attack(
    state: State, turn: Turn, move: moves.LaunchAttack | moves.Spare | moves.Defend | moves.TakeHit | moves.PassDeadline
) -> Result:
    """What players or time make of a launch that is offered, or of an attack."""
    at_us = move.at_us
    if state.launch is not None:
        match move:
            case moves.LaunchAttack():
                return attacks.launch(state, turn, state.launch, at_us)
            case moves.PassDeadline():
                return attacks.pass_launch(state, turn, state.launch, at_us)
            case _:
                return attacks.spare(state, turn, state.launch, at_us)
    assert state.attack is not None
    match move:
        case moves.Defend():
            return attacks.defend(state, state.attack, move)
        case moves.PassDeadline():
            return attacks.pass_window(state, turn, state.attack, at_us)
        case _:
            return attacks.hit(state, turn, state.attack, at_us)


def _take_discard(state: State, turn: Turn) -> Result:
    """The top card of the discard pile goes to the hand (S3.2)."""
    taken = replace(state.gain(turn.seat, red=1), discard=state.discard[:-1], turn=replace(turn, draw="discard"))
    return taken, [CardDrawn(turn.seat, "discard", 1)]


def _pay_discard(state: State, turn: Turn, move: moves.PayDiscard) -> Result:
    """One of the cards that an attack costs; none of them can be launched (S6.6)."""
    paid = replace(
        state.gain(turn.seat, red=-1), discard=(*state.discard, move.card), owed_discards=state.owed_discards - 1
    )
    return paid, [CardDiscarded(turn.seat, move.card)]


def _reshuffle(state: State, turn: Turn) -> Result:
    """The discard pile is the new red pile, and what was owed is drawn at once (S3.4)."""
    turned = replace(state, discard=(), red_pile=len(state.discard), turn=replace(turn, used=()))
    said: list[Announcement] = [Reshuffled(turned.red_pile)]
    paid, more = draw_red(turned, turn.seat, state.owed_draws)
    return paid, [*said, *more]
