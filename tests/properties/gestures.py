"""What can happen at any game's table, drawn at random: agreements, and observations that suit the moment or don't.
Nothing in here knows one game from another."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from hypothesis import assume
from hypothesis import strategies as st
from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.core.observations import (
    Arrangement,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.settings import Choice, Seconds, Whole
from taptable.referee.lines import CONTROLS
from taptable.referee.step import Table, legal_taps, next_deadline, open_table

THOROUGH = int(os.environ.get("TAPTABLE_THOROUGH", "1"))
"""How many times as many examples as usual; set it for a long night."""

PAUSES_US = (0, 0, 1, 30_000, 400_000, 2_000_000, 15_000_000)
"""Times between two things that happen."""


KINDS_OF_GESTURE = ("legal", "legal", "legal", "card", "open", "hold", "press", "press", "time", "control")


class Choose(Protocol):
    """One of several, as `random.Random.choice` or hypothesis chooses."""

    def __call__(self, among: Sequence[Any], /) -> Any: ...


def deck_of(game: Game[Any, Any]) -> list[str]:
    return [f"{kind}#{number}" for kind, count in game.pack("").counts for number in range(1, count + 1)]


def strangers_to(game: Game[Any, Any]) -> list[str]:
    """Cards of no deck: tags that were never enrolled, and names that only look like cards."""
    kind, count = game.pack("").counts[0]
    return ["", "visa", "04a2b3c4d5e680", kind, f"{kind}#0", f"{kind}#{count + 1}", f"{kind.upper()}#1", "#1"]


def open_cards(table: Table) -> list[str]:
    return [card for card in deck_of(table.game) if table.game.where(table.state, card) is not None]


@st.composite
def agreements(draw: st.DrawFn, game: Game[Any, Any]) -> Agreed:
    """What may be agreed on before a game; house rules are left away where they don't go together."""
    players = draw(st.integers(2, 6))
    edition = draw(st.sampled_from(game.editions))
    starter = draw(st.none() | st.integers(1, players))
    keys = draw(st.sets(st.sampled_from(sorted(game.settings)), max_size=4))
    settings = {key: draw(_setting(game.settings[key])) for key in sorted(keys)}
    agreed = Agreed(players, edition, settings, starter)
    plain = replace(agreed, settings={})
    assume(can_be(game, plain))
    return agreed if can_be(game, agreed) else plain


def can_be(game: Game[Any, Any], agreed: Agreed) -> bool:
    """Can this be agreed on for this game?"""
    try:
        open_table(game, agreed)
    except ConfigError:
        return False
    return True


def _setting(setting: Seconds | Whole | Choice) -> st.SearchStrategy[str]:
    match setting:
        case Seconds(_, least, most):
            return st.integers(least * 1000, min(most, least + 300) * 1000).map(lambda ms: f"{ms / 1000:.3f}")
        case Whole(_, least, _, default):
            return st.integers(least, max(least, default)).map(str)
        case Choice(_, words):
            return st.sampled_from(words)


def gesture(table: Table, choose: Choose, *, controls: tuple[str, ...] = CONTROLS) -> Observation:
    """Something that is observed at this table now or a little later; mostly what could be meant, but by no means
    always."""
    at_us = choose(_moments(table))
    pads = table.game.pads(table.state)
    match choose(KINDS_OF_GESTURE):
        case "legal":
            taps = legal_taps(table)
            return CardTapped(at_us, *choose(taps)) if taps else TimePassed(at_us)
        case "card":
            return CardTapped(at_us, choose(cards(table)), choose(pads))
        case "open":
            return CardTapped(at_us, choose(open_cards(table) or strangers_to(table.game)), choose(pads))
        case "hold":
            return CardHeld(at_us, choose(open_cards(table) or strangers_to(table.game)), choose(pads))
        case "press":
            seat = choose(range(1, table.agreed.players + 1))
            late_us = choose((0, 0, 0, 1, 20_000, 3_000_000))
            return ButtonPressed(at_us, seat, max(0, at_us - late_us), choose((0, 100, 5_000)))
        case "control" if controls:
            return ControlUsed(at_us, choose(controls))
        case _:
            return TimePassed(at_us)


def correction(table: Table, choose: Choose) -> TableCorrected:
    """What a check of the table might find, possible or not."""
    pads = table.game.pads(table.state)
    laid = {choose(cards(table)): choose(pads) for _ in range(choose(range(3)))}
    gone = {choose(open_cards(table) or deck_of(table.game)) for _ in range(choose(range(3)))} - set(laid)
    seats = range(1, table.agreed.players + 1)
    hands = {choose(seats): choose((0, 3, 7, 7, 8, 60)) for _ in range(choose(range(3)))}
    return TableCorrected(choose(_moments(table)), tuple(laid.items()), tuple(sorted(gone)), tuple(hands.items()))


def arrangement(table: Table, choose: Choose) -> Arrangement:
    """What people might tell the table of players and cards, sensible or not."""
    at_us = choose(_moments(table))
    match choose(("vacate", "lost", "lost", "recovered")):
        case "vacate":
            return SeatVacated(at_us, choose(range(1, table.agreed.players + 1)))
        case "lost":
            return CardLost(at_us, choose((choose(cards(table)), choose(open_cards(table) or cards(table)))))
        case _:
            return CardRecovered(at_us, choose((*table.game.scoreboard(table.state).lost, choose(cards(table)))))


def cards(table: Table) -> list[str]:
    """Every card of the deck, and some of no deck."""
    return [*deck_of(table.game), *strangers_to(table.game)]


def _moments(table: Table) -> list[int]:
    """Times from now on: soon, or at a deadline, or 1 µs beside it."""
    soon = [table.at_us + pause_us for pause_us in PAUSES_US]
    due_us = next_deadline(table)
    return soon if due_us is None else [*soon, *(max(table.at_us, due_us + beside_us) for beside_us in (-1, 0, 1))]


def observations(pads: tuple[Pad, ...], seats: int) -> st.SearchStrategy[Observation]:
    """Any observation that could stand in a journal, sensible or not."""
    at_us = st.integers(0, 10**14)
    card, pad = st.text(), st.sampled_from(pads)
    laid = st.lists(st.tuples(card, pad), max_size=3).map(tuple)
    texts = st.dictionaries(st.text(), st.text(), max_size=3)
    agreed = st.builds(Agreed, st.integers(0, 9), st.text(), texts, st.none() | st.integers(0, 9))
    counts = st.lists(st.tuples(st.integers(1, seats), st.integers(0, 112)), max_size=3).map(tuple)
    return st.one_of(
        st.builds(CardTapped, at_us, card, pad),
        st.builds(CardHeld, at_us, card, pad),
        st.builds(CardsTogether, at_us, st.lists(card, min_size=2, max_size=3).map(tuple), pad, at_us),
        st.tuples(st.integers(1, seats), at_us, st.integers(0, 10**7), st.integers(0, 10**7)).map(
            lambda drawn: ButtonPressed(drawn[1] + drawn[2], drawn[0], drawn[1], drawn[3])
        ),
        st.builds(TimePassed, at_us),
        st.builds(ControlUsed, at_us, st.sampled_from(CONTROLS)),
        st.builds(TableCorrected, at_us, laid, st.lists(card).map(tuple), counts),
        st.builds(GameSetUp, at_us, st.text(), agreed, st.booleans()),
        st.builds(SeatVacated, at_us, st.integers(1, seats)),
        st.builds(CardLost, at_us, card),
        st.builds(CardRecovered, at_us, card),
    )


def later(observation: Observation, by_us: int) -> Observation:
    """The same, that much later."""
    moved = replace(observation, at_us=observation.at_us + by_us)
    if isinstance(moved, ButtonPressed):
        return replace(moved, pressed_at_us=moved.pressed_at_us + by_us)
    return moved
