"""Attacks: launched or spared, defended or not, and what they do (S5, S6)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core import windows
from taptable.core.announcements import Announcement
from taptable.core.windows import Window
from taptable.games.cyber_siege.announcements import (
    CardDiscarded,
    Defended,
    EffectText,
    Hit,
    LaunchOffered,
    Spared,
    WindowOpened,
)
from taptable.games.cyber_siege.cards import Effect, Group, Icon
from taptable.games.cyber_siege.moves import Defend, DiscardCard
from taptable.games.cyber_siege.state import Attack, Launch, State, Turn
from taptable.games.cyber_siege.turns import Result, begin_turn, check_end, draw_red, end_turn, infer_draw


def discard(state: State, turn: Turn, move: DiscardCard) -> Result:
    """A red card goes to the discard pile and ends the turn, or offers to be launched (S5.1, S5.2)."""
    state, turn, said = infer_draw(state, turn)
    state = replace(state.gain(turn.seat, red=-1), discard=(*state.discard, move.card))
    said = [*said, CardDiscarded(turn.seat, move.card)]
    if state.kind(move.card).group is not Group.ATTACK:
        ended, more = end_turn(state, turn, move.at_us)
        return ended, [*said, *more]
    options = state.options
    closes_at_us = move.at_us + options.launch_us
    window = Window(owner=turn.seat, opened_at_us=move.at_us, closes_at_us=closes_at_us, settle_us=options.settle_us)
    offered = replace(state, launch=Launch(move.card, window))
    return offered, [*said, LaunchOffered(turn.seat, move.card, closes_at_us)]


def launch(state: State, turn: Turn, offered: Launch, at_us: int) -> Result:
    """The attack hits the next player clockwise, who may answer until the window closes (S6.1)."""
    defender = state.options.next_seat(turn.seat)
    closes_at_us = at_us + state.options.defence_us
    window = Window(owner=turn.seat, opened_at_us=at_us, closes_at_us=closes_at_us, settle_us=0)
    launched = replace(state, launch=None, attack=Attack(offered.card, defender, window))
    return launched, [WindowOpened(turn.seat, closes_at_us, defender, offered.card)]


def spare(state: State, turn: Turn, offered: Launch, at_us: int) -> Result:
    """The next player is spared, and the turn ends (S5.2)."""
    ended, said = end_turn(replace(state, launch=None), turn, at_us)
    return ended, [Spared(turn.seat, offered.card), *said]


def pass_launch(state: State, turn: Turn, offered: Launch, at_us: int) -> Result:
    """The launch's next deadline: presses made from now on are too late, or it is over (S5.3)."""
    window = windows.pass_time(offered.window)
    if window is None:
        return spare(state, turn, offered, at_us)
    return replace(state, launch=replace(offered, window=window)), []


def pass_window(state: State, turn: Turn, attack: Attack, at_us: int) -> Result:
    """The defence window's deadline: it was not defended (S6.4)."""
    window = windows.pass_time(attack.window)
    if window is None:
        return hit(state, turn, attack, at_us)
    return replace(state, attack=replace(attack, window=window)), []


def defend(state: State, attack: Attack, move: Defend) -> Result:
    """The defence holds: a point, a new card, and the defender is on turn (S6.3)."""
    seat = attack.defender
    held = replace(state.gain(seat, red=-1, one_points=1), attack=None, discard=(*state.discard, move.card))
    held, said = check_end(held, [Defended(seat, attack.window.owner, move.card)])
    if held.outcome is not None:
        return held, said
    held, drawn = draw_red(held, seat, 1)
    began, more = begin_turn(held, seat, move.at_us, used=(move.card,))
    return began, [*said, *drawn, *more]


def hit(state: State, turn: Turn, attack: Attack, at_us: int) -> Result:
    """The attack succeeds: a point for the attacker, then its effect, and the next turn (S6.4)."""
    icon = state.kind(attack.card).icon
    assert icon is not None  # every attack has one (S1.3)
    said: list[Announcement] = [Hit(attack.defender, turn.seat, attack.card, icon.effect.value, icon.n)]
    after, said = check_end(replace(state.gain(turn.seat, one_points=1), attack=None), said)
    if after.outcome is not None:
        return after, said
    after, more = _take_effect(after, attack.defender, icon, at_us)
    return after, [*said, *more]


def _take_effect(state: State, seat: int, icon: Icon, at_us: int) -> Result:
    """What an attack's icon does to the defender `seat`, and whose turn it is then (S6.6)."""
    match icon.effect:
        case Effect.SKIP:
            return begin_turn(state, state.options.next_seat(seat), at_us)
        case Effect.DRAW_FEWER:
            return begin_turn(state, seat, at_us, draw="none")  # a turn has one draw, and n is 1 or more
        case Effect.DISCARD:
            return begin_turn(state, seat, at_us, owed_discards=min(icon.n, state.player(seat).red))
        case Effect.LOSE_POINTS:
            return begin_turn(state.gain(seat, one_points=-icon.n), seat, at_us)
        case Effect.TEXT:
            assert icon.say is not None
            began, said = begin_turn(state, seat, at_us)
            return began, [EffectText(seat, icon.say), *said]
        case Effect.NONE:
            return begin_turn(state, seat, at_us)
