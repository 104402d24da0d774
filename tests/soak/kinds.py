"""The kinds of fault: the name of each, its arguments, drawn beforehand, and the function that causes it. A fault
undoes itself, and returns whether it has struck: one that found nothing to strike isn't counted. Knows no table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from soak.plan import Value

SOON_S = 20.0
"""Seconds for which a fault waits for what it strikes."""

Strike: TypeAlias = Callable[..., Awaitable[bool]]


@dataclass(frozen=True)
class Kind:
    """A kind of fault: the function that draws its arguments, and the one that causes it, which returns True if it has
    struck. It is drawn only for tables with a part of the kind `part`, "" for all tables."""

    draw: Callable[[Random], Mapping[str, Value]]
    strike: Strike
    part: str = ""


KINDS: dict[str, Kind] = {}


def kind(part: str = "", /, **drawn: Callable[[Random], Value]) -> Callable[[Strike], Strike]:
    """A kind of fault, called like the function that does it; `part` as in `Kind`."""

    def add(strike: Strike) -> Strike:
        name = strike.__name__.replace("_", "-")
        KINDS[name] = Kind(lambda rng: {key: draw(rng) for key, draw in drawn.items()}, strike, part)
        return strike

    return add


def lasting(least_s: float, most_s: float) -> Callable[[Random], Value]:
    return lambda rng: round(rng.uniform(least_s, most_s), 3)


def any_of(*values: Value) -> Callable[[Random], Value]:
    return lambda rng: rng.choice(values)


def any_number(rng: Random) -> Value:
    return rng.randrange(1 << 16)
