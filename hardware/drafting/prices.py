"""Prices and shops of everything that is bought: reads ``prices.toml``. Must not know what a build needs, nor how
many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from pathlib import Path
from typing import Any

from drafting.parts import DescriptionError, Table, read_toml


class Way(StrEnum):
    """How boards come about."""

    ORDERED = "boards ordered"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a pack of something, in cents, and where it is to be had. `way` is set if only one way needs it,
    `spare` are bought besides; what is `optional` is in no sum."""

    cents: int
    sources: tuple[str, ...]
    pack: int = 1
    spare: int = 0
    way: Way | None = None
    optional: bool = False

    def of(self, count: float) -> int:
        """The price of `count` of them, in cents: by whole packs."""
        return ceil(count / self.pack) * self.cents


@dataclass(frozen=True, slots=True)
class KindPrice:
    """The price of a kind of part that is soldered by hand, and of the form that a printed board takes, if it has one
    of its own."""

    price: Price
    printed: Price | None


@dataclass(frozen=True, slots=True)
class Need:
    """A thing with its number, once and for each seat, in the builds that need it."""

    builds: frozenset[str]
    way: Way | None
    once: float
    each: float

    def number(self, seats: int) -> float:
        """The number for `seats` seats; for a build that is no table, the number for one."""
        return self.once + self.each * (seats or 1)


@dataclass(frozen=True, slots=True)
class More:
    """Something that is bought besides parts and cables."""

    name: str
    number: str
    what: str
    need: Need
    price: Price


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that one has; `without` are the lists that don't need it."""

    name: str
    what: str
    cents: int
    without: frozenset[str]


@dataclass(frozen=True, slots=True)
class Work:
    """Hours for a step."""

    what: str
    need: Need


@dataclass(frozen=True, slots=True)
class Starter:
    """How many seat boards two seats to begin with take, and how many of them go without a part."""

    boards: int
    without: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices, with the month of the estimate; kinds by their keys in `parts.toml`, cables by their names in
    shops."""

    date: str
    kinds: Mapping[str, KindPrice]
    cables: Mapping[str, Price]
    more: tuple[More, ...]
    tools: tuple[Tool, ...]
    hours: tuple[Work, ...]
    starter: Starter


def read_prices(folder: Path) -> Prices:
    """Read ``prices.toml`` in `hardware/`. Raises DescriptionError if it can't be read."""
    return parse_prices(read_toml(folder / "prices.toml"))


def parse_prices(data: Table) -> Prices:
    """The same from what the file holds."""
    return Prices(
        date=data["date"],
        kinds={key: _kind(key, kind) for key, kind in data["kinds"].items()},
        cables={plug: _price(plug, cable) for plug, cable in data["cables"].items()},
        more=tuple(
            More(more["name"], more["number"], more["what"], _need(more), _price(more["name"], more))
            for more in data["more"]
        ),
        tools=tuple(
            Tool(tool["name"], tool["what"], _cents(tool["eur"]), frozenset(tool.get("without", [])))
            for tool in data["tools"]
        ),
        hours=tuple(Work(work["what"], _need(work)) for work in data["hours"]),
        starter=Starter(data["starter"]["boards"], data["starter"]["without"]),
    )


def _kind(key: str, kind: Table) -> KindPrice:
    return KindPrice(_price(key, kind), _price(f"{key}, printed", kind["printed"]) if "printed" in kind else None)


def _price(name: str, data: Table) -> Price:
    missing = [word for word in ("eur", "sources") if word not in data]
    if missing:
        raise DescriptionError(f"prices.toml: {name} has no {' and no '.join(missing)}.")
    if len(data["sources"]) < 2:
        raise DescriptionError(f"prices.toml: {name} is to be had at {len(data['sources'])} source: it takes two.")
    return Price(
        _cents(data["eur"]),
        tuple(data["sources"]),
        data.get("pack", 1),
        data.get("spare", 0),
        _way(data.get("way")),
        data.get("optional", False),
    )


def _need(data: Table) -> Need:
    return Need(frozenset(data["builds"]), _way(data.get("way")), data.get("once", 0), data.get("each", 0))


def _way(text: Any) -> Way | None:
    return Way(text) if text is not None else None


def _cents(eur: float) -> int:
    return round(eur * 100)
