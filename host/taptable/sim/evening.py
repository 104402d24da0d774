"""Games between virtual players straight through the referee: no devices, no waiting; what `taptable simulate`
counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from taptable.core.errors import RefereeError
from taptable.core.game import Agreed, Game
from taptable.core.observations import ButtonPressed, CardHeld, CardTapped, ControlUsed, Observation, TimePassed
from taptable.core.player import Deed, Hold, Push, Tap, UseControl
from taptable.core.verdicts import Accepted, Verdict
from taptable.referee.step import Table, next_deadline, open_table, step

THINKING_US = (1_500_000, 6_000_000)
REACTION_US = (250_000, 1_800_000)
LONGEST = 20_000
"""Observations after which a game is called stuck."""

Listener = Callable[[Table, Observation, Verdict, Table], None]


@dataclass(slots=True)
class Evening:
    """A table, the true cards and a clock; `play` runs a game to its end."""

    game: Game[Any, Any]
    table: Table
    holdings: Any
    rng: Random
    now_us: int = 0


def begin(game: Game[Any, Any], agreed: Agreed, rng: Random) -> Evening:
    """An evening before its first card."""
    table, _ = open_table(game, agreed)
    holdings = game.players.prepare(table.state, game.players.deal(table.state, rng))
    return Evening(game, table, holdings, rng)


def play(evening: Evening, listen: Listener) -> None:
    """Play to the end; RefereeError if what the referee believes departs from the truth, or nobody can go on."""
    for _ in range(LONGEST):
        if evening.game.outcome(evening.table.state) is not None:
            return
        _advance(evening, listen)
    raise RefereeError(f"A game was not over after {LONGEST} observations.")


def observe(evening: Evening, observation: Observation, listen: Listener) -> Verdict:
    """One observation through the step, the true cards following it."""
    before = evening.table
    evening.now_us = observation.at_us
    evening.table, verdict = step(before, observation)
    players = evening.game.players
    accepted = isinstance(verdict, Accepted)
    settled = players.settle(
        before.state, evening.table.state, observation, accepted, evening.holdings, evening.rng
    )
    evening.holdings = players.prepare(evening.table.state, settled)
    wrong = players.disagreement(evening.table.state, evening.holdings)
    if wrong is not None:
        raise RefereeError(f"After {observation}: {wrong}.")
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
            return ButtonPressed(at_us, seat, at_us)
        case UseControl(_, control):
            return ControlUsed(at_us, control)


def _advance(evening: Evening, listen: Listener) -> None:
    """The next thing to happen: the quickest player's deed, or a deadline."""
    due_us = next_deadline(evening.table)
    deeds = list(_deeds(evening))
    if not deeds:
        if due_us is None:
            raise RefereeError("Nobody at the table wants to do anything, and nothing will happen by itself.")
        observe(evening, TimePassed(due_us), listen)
        return
    at_us, deed = min(deeds, key=lambda item: item[0])
    if due_us is not None and due_us <= at_us:
        observe(evening, TimePassed(due_us), listen)
        return
    observe(evening, observation_of(deed, at_us), listen)


def _deeds(evening: Evening) -> list[tuple[int, Deed]]:
    """What each seat wants to do, and when it would."""
    state = evening.table.state
    scoreboard = evening.game.scoreboard(state)
    deeds: list[tuple[int, Deed]] = []
    for seat in range(1, evening.table.agreed.players + 1):
        deed = evening.game.players.decide(state, evening.holdings, seat, evening.rng)
        if deed is not None:
            least, most = REACTION_US if scoreboard.window is not None else THINKING_US
            deeds.append((evening.now_us + evening.rng.randint(least, most), deed))
    return deeds
