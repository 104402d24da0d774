"""Games between virtual players straight through the referee: no devices, no waiting; what `taptable simulate`
counts. Knows what any game's players can do with hand and button, and no rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import Any

from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement, TurnAnnounced, WindowOpened
from taptable.core.errors import RefereeError
from taptable.core.game import Game
from taptable.core.observations import ButtonPressed, CardHeld, CardTapped, ControlUsed, Observation, TimePassed
from taptable.core.player import Deed, Hold, Push, Tap, UseControl
from taptable.core.verdicts import Accepted, Verdict
from taptable.referee.step import Table, next_deadline, open_table, step

THINKING_US = (2_000_000, 9_000_000)
REACTION_US = (250_000, 2_400_000)
"""From the opening of a window to the press of somebody who wants to; slow enough for a short window to be missed."""
STAMP_US = 100
"""How far the stamp of a seat button may be from the press."""
RASH_BUZZES = 0.03
"""How often a player with nothing to show buzzes all the same."""

MOST_TURNS = 500
"""Turns after which a game is broken off, more than four hours at a table: house rules may leave every team without a
card it needs."""
MOST_IN_A_TURN = 1_000
"""Things that may happen in one turn, or be waited for in vain; after that a game is called stuck."""

Listener = Callable[[Table, Observation, Verdict, Table], None]


@dataclass(slots=True)
class Evening:
    """A table, the true cards and a clock; `play` runs a game to its end.

    `began` is what was announced at its beginning; `plans` is what each seat is about to do, and when; `rash` are the
    seats that will buzz in the running window for nothing."""

    game: Game[Any]
    table: Table
    holdings: Any
    rng: Random
    began: tuple[Announcement, ...]
    now_us: int = 0
    turns: int = 0
    plans: dict[int, tuple[Deed, int]] = field(default_factory=dict[int, tuple[Deed, int]])
    rash: frozenset[int] = frozenset()


def begin(game: Game[Any], agreed: Agreed, rng: Random) -> Evening:
    """An evening before its first card."""
    table, said = open_table(game, agreed)
    holdings = game.players.prepare(table.state, game.players.deal(table.state, rng))
    return Evening(game, table, holdings, rng, said, turns=sum(isinstance(each, TurnAnnounced) for each in said))


class End(Enum):
    """How a game came to its end: by its rules, or it was left undecided after `MOST_TURNS`, or nothing that anybody
    did led on."""

    DECIDED = auto()
    BROKEN_OFF = auto()
    STUCK = auto()


def play(evening: Evening, listen: Listener) -> End:
    """Play to the end, or to the end of the last of `MOST_TURNS` turns, or until a turn never ends.

    RefereeError if what the referee believes departs from the truth."""
    turn, happened = 0, 0
    while evening.game.outcome(evening.table.state) is None:
        if evening.turns > MOST_TURNS:
            return End.BROKEN_OFF
        if evening.turns > turn:
            turn, happened = evening.turns, 0
        if happened == MOST_IN_A_TURN:
            return End.STUCK
        advance(evening, listen)
        happened += 1
    return End.DECIDED


def advance(evening: Evening, listen: Listener) -> None:
    """The next thing to happen: the quickest player's deed, or a deadline."""
    due_us = next_deadline(evening.table)
    _plan(evening)
    if evening.plans:
        seat, (deed, at_us) = min(evening.plans.items(), key=lambda item: item[1][1])
        if due_us is None or at_us < due_us:
            del evening.plans[seat]
            observe(evening, observation_of(deed, max(at_us, evening.now_us)), listen)
            return
    if due_us is None:
        evening.now_us += THINKING_US[0]  # nobody wants anything yet: they are asked again
    else:
        observe(evening, TimePassed(due_us), listen)


def observe(evening: Evening, observation: Observation, listen: Listener) -> Verdict:
    """One observation through the step, the true cards following it."""
    before = evening.table
    evening.now_us = observation.at_us
    evening.table, verdict = step(before, observation)
    players = evening.game.players
    accepted = isinstance(verdict, Accepted)
    settled = players.settle(before.state, evening.table.state, observation, accepted, evening.holdings, evening.rng)
    evening.holdings = players.prepare(evening.table.state, settled)
    wrong = players.disagreement(evening.table.state, evening.holdings)
    if wrong is not None:
        raise RefereeError(f"The referee believes otherwise than is true after {observation}: {wrong}.")
    for announcement in verdict.announcements:
        if isinstance(announcement, TurnAnnounced):
            evening.turns += 1
        elif isinstance(announcement, WindowOpened):
            seats = range(1, before.agreed.players + 1)
            evening.rash = frozenset(seat for seat in seats if evening.rng.random() < RASH_BUZZES)
    listen(before, observation, verdict, evening.table)
    return verdict


def observation_of(deed: Deed, at_us: int) -> Observation:
    """What the table notices of a deed done without a slip."""
    match deed:
        case Tap(_, card, pad):
            return CardTapped(at_us, card, pad)
        case Hold(_, card, pad):
            return CardHeld(at_us, card, pad)
        case Push(seat):
            return ButtonPressed(at_us, seat, at_us, STAMP_US)
        case UseControl(_, control, fields):
            return ControlUsed(at_us, control, fields)


def _plan(evening: Evening) -> None:
    """What each seat wants to do; who still wants the same does it when it was going to be done."""
    game, state = evening.game, evening.table.state
    for seat, meaning in enumerate(game.meanings(state), 1):
        deed = game.players.decide(state, evening.holdings, seat)
        if deed is None and meaning == "buzz" and seat in evening.rash:
            deed = Push(seat)
        planned = evening.plans.get(seat)
        if deed is None:
            evening.plans.pop(seat, None)
        elif planned is None or planned[0] != deed:
            pace_us = THINKING_US if game.scoreboard(state).window is None else REACTION_US
            evening.plans[seat] = (deed, evening.now_us + evening.rng.randint(*pace_us))
