"""Random options, and random observations at any game's table, fitting the moment or not. This module tells no game
from another."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Protocol

from hypothesis import strategies as st
from taptable.core.controls import ControlSpec, Fields, Parameter
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    Arrangement,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardTapped,
    ControlUsed,
    Observation,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.scoreboard import HAND
from taptable.core.settings import Choice, IntSetting, Seconds
from taptable.referee.lines import SHARED_CONTROLS
from taptable.referee.step import Table, legal_controls, legal_taps, next_deadline

from properties.every_game import can_be, manifests_of, players_of

THOROUGH = int(os.environ.get("TAPTABLE_THOROUGH", "1"))
"""The factor by which this run has more examples than a short one; 8 with ``--all``, unless it is set for a long
night."""


PAUSES_US = (0, 0, 1, 30_000, 400_000, 2_000_000, 15_000_000)
"""Times between two observations."""


KINDS_OF_GESTURE = ("legal", "legal", "legal", "card", "open", "hold", "press", "press", "time", "control")


class Choose(Protocol):
    """Chooses one of several, as `random.Random.choice` or hypothesis does."""

    def __call__(self, among: Sequence[Any], /) -> Any: ...


def deck_of(game: Game[Any], manifest: str = "") -> list[str]:
    return list(game.pack(manifest).cards)


def deck_at(table: Table) -> list[str]:
    return deck_of(table.game, table.game_options.manifest)


def strangers_at(table: Table) -> list[str]:
    """Return cards of no deck: tags that were never enrolled, and names that only look like cards."""
    kind, count = table.game.pack(table.game_options.manifest).counts[0]
    return ["", "visa", "04a2b3c4d5e680", kind, f"{kind}#0", f"{kind}#{count + 1}", f"{kind}x#1", "#1"]


def open_cards(table: Table) -> list[str]:
    return [card for card in deck_at(table) if table.game.where(table.state, card) is not None]


@st.composite
def agreements(draw: st.DrawFn, game: Game[Any]) -> GameOptions:
    """Draw options for a game; house rules that can't be combined are left out."""
    manifest = draw(st.sampled_from(manifests_of(game.name)))
    players = draw(st.sampled_from(players_of(game.name, manifest)))
    edition = draw(st.sampled_from(game.editions))
    starter = draw(st.none() | st.integers(1, players))
    keys = draw(st.sets(st.sampled_from(sorted(game.settings)), max_size=4)) if game.settings else set[str]()
    settings = {key: draw(_setting(game.settings[key])) for key in sorted(keys)}
    game_options = GameOptions(players, edition, settings, starter, manifest)
    return game_options if can_be(game, game_options) else replace(game_options, settings={})


def _setting(setting: Seconds | IntSetting | Choice) -> st.SearchStrategy[str]:
    match setting:
        case Seconds(_, least, most):
            return st.integers(least * 1000, min(most, least + 300) * 1000).map(lambda ms: f"{ms / 1000:.3f}")
        case IntSetting(_, least, _, default):
            return st.integers(least, max(least, default)).map(str)
        case Choice(_, words):
            return st.sampled_from(words)


def gesture(table: Table, choose: Choose, *, controls: tuple[str, ...] = SHARED_CONTROLS) -> Observation:
    """Return an observation at this table now or a little later; mostly a plausible one, but by no means always.
    `controls` are the shared ones that may occur."""
    at_us = choose(_moments(table))
    pads = table.game.pads(table.state)
    match choose(KINDS_OF_GESTURE):
        case "legal":
            taps = legal_taps(table)
            return CardTapped(at_us, *choose(taps)) if taps else TimePassed(at_us)
        case "card":
            return CardTapped(at_us, choose(cards(table)), choose(pads))
        case "open":
            return CardTapped(at_us, choose(open_cards(table) or strangers_at(table)), choose(pads))
        case "hold":
            return CardHeld(at_us, choose(open_cards(table) or strangers_at(table)), choose(pads))
        case "press":
            seat = choose(range(1, table.game_options.players + 1))
            late_us = choose((0, 0, 0, 1, 20_000, 3_000_000))
            return ButtonPressed(at_us, seat, max(0, at_us - late_us), choose((0, 100, 5_000)))
        case "time" if table.game.controls and choose((True, False)):
            return own_control(table, at_us, choose)
        case "control" if controls:
            return ControlUsed(at_us, choose(controls))
        case _:
            return TimePassed(at_us)


def own_control(table: Table, at_us: int, choose: Choose) -> ControlUsed:
    """Return a control of the game's own: a listed one, or any with fields that it may have."""
    listed = legal_controls(table)
    if listed and choose((True, True, False)):
        return ControlUsed(at_us, *choose(listed))
    control = choose(table.game.controls)
    optional = control.optional
    if control.optional_as == "any":
        optional = tuple(parameter for parameter in optional if choose((True, False)))
    elif control.optional_as == "together":
        optional = choose((optional, ()))
    elif optional:
        optional = optional[: choose(range(1, len(optional) + 1))]
    fields = [(each.name, choose(_values(each, table))) for each in (*control.needed, *optional)]
    return ControlUsed(at_us, control.name, tuple(sorted(fields)))


def whole_fields(control: ControlSpec, table: Table) -> list[Fields]:
    """Return all possible fields of a control with none left out; without all combinations of a seat's counts."""
    parameters = (*control.needed, *control.optional)
    if control.optional_as == "some":
        return []
    named = [[(each.name, value) for value in _values(each, table)] for each in parameters]
    return [tuple(sorted(fields)) for fields in product(*named)]


def _values(parameter: Parameter, table: Table) -> list[int | str]:
    match parameter.kind:
        case "seat":
            return list(range(1, table.game_options.players + 1))
        case "whole":
            most = parameter.least + 8 if parameter.most is None else parameter.most
            return list(range(parameter.least, most + 1))
        case "text":
            faces = dict.fromkeys(kind.face for kind in table.game.pack(table.game_options.manifest).kinds)
            return [*faces, "nonsense"]


def correction(table: Table, choose: Choose) -> TableCorrected:
    """Return a possible or impossible result of a check of the table."""
    pads = table.game.pads(table.state)
    laid = {choose(cards(table)): choose(pads) for _ in range(choose(range(3)))}
    gone = {choose(open_cards(table) or deck_at(table)) for _ in range(choose(range(3)))} - set(laid)
    names = [count.name for count in table.game.scoreboard(table.state).hands[0]]
    seats = range(1, table.game_options.players + 1)
    counted = {(choose(seats), choose(names)): choose((0, 3, 7, 7, 8, 60)) for _ in range(choose(range(3)))}
    hands = tuple((seat, count) for (seat, name), count in counted.items() if name == HAND)
    counts = tuple((seat, name, count) for (seat, name), count in counted.items() if name != HAND)
    return TableCorrected(choose(_moments(table)), tuple(laid.items()), tuple(sorted(gone)), hands, counts)


def arrangement(table: Table, choose: Choose, kinds: Sequence[type[Arrangement]]) -> Arrangement:
    """Return an arrangement of one of these kinds, sensible or not."""
    at_us = choose(_moments(table))
    kind = choose(kinds)
    if kind is TableCorrected:
        return correction(table, choose)
    if kind is SeatVacated:
        return SeatVacated(at_us, choose(range(1, table.game_options.players + 1)))
    if kind is CardLost:
        return CardLost(at_us, choose((choose(cards(table)), choose(open_cards(table) or cards(table)))))
    return CardRecovered(at_us, choose((*table.game.scoreboard(table.state).lost, choose(cards(table)))))


def cards(table: Table) -> list[str]:
    """Return every card of the deck, and some of no deck."""
    return [*deck_at(table), *strangers_at(table)]


def _moments(table: Table) -> list[int]:
    """Return times from now on: soon, or at a deadline, or 1 µs before or after one."""
    soon = [table.at_us + pause_us for pause_us in PAUSES_US]
    due_us = next_deadline(table)
    return soon if due_us is None else [*soon, *(max(table.at_us, due_us + beside_us) for beside_us in (-1, 0, 1))]


def later(observation: Observation, by_us: int) -> Observation:
    """Return the same observation, later by this time."""
    moved = replace(observation, at_us=observation.at_us + by_us)
    if isinstance(moved, ButtonPressed):
        return replace(moved, pressed_at_us=moved.pressed_at_us + by_us)
    return moved
