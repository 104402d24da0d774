"""The land patterns in ``footprints.toml``: pads, holes and the bodies of parts, in mm from a part's middle, x to the
right and y downwards as KiCad draws. Must not know which parts are used, or where."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Line: TypeAlias = tuple[float, float, float, float]
"""From x, y to x, y."""


@dataclass(frozen=True, slots=True)
class Pad:
    """A place to solder, by its middle; without a drill it is flat, on the upper side."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float | None = None


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole without copper."""

    x: float
    y: float
    diameter: float


@dataclass(frozen=True, slots=True)
class Box:
    """A piece of a part's body: its ground plan, and from which height above the board's surface to which."""

    plan: Rectangle
    low: float
    high: float
    colour: str


@dataclass(frozen=True, slots=True)
class Footprint:
    """A land pattern. `bare` is where no copper of others may lie on the upper side; `paste` whether a stencil
    puts any on its flat pads; `mark` is "dot", "plus" or "bar"
    beside pad 1."""

    name: str
    prefix: str
    source: str
    pads: tuple[Pad, ...]
    outline: Rectangle | None
    printed: tuple[Line, ...] | None
    body: tuple[Box, ...]
    holes: tuple[Hole, ...]
    bare: tuple[Rectangle, ...]
    paste: bool
    mark: str | None

    @property
    def flat(self) -> bool:
        """Whether all of it is soldered on the upper side."""
        return all(pad.drill is None for pad in self.pads)

    @property
    def courtyard(self) -> Rectangle:
        """The area that no other part may enter: everything that lies on the board, and a quarter of a millimetre."""
        plans = [(p.x - p.width / 2, p.y - p.height / 2, p.x + p.width / 2, p.y + p.height / 2) for p in self.pads]
        plans += [self.outline] if self.outline else []
        left, top, right, bottom = zip(*plans, strict=True)
        return min(left) - 0.25, min(top) - 0.25, max(right) + 0.25, max(bottom) + 0.25


def read_footprints(path: Path) -> Mapping[str, Footprint]:
    """All land patterns by their names."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return MappingProxyType({name: _footprint(name, found) for name, found in data.items()})


def _footprint(name: str, data: Mapping[str, Any]) -> Footprint:
    return Footprint(
        name=name,
        prefix=data["prefix"],
        source=data.get("source", ""),
        pads=tuple(pad for row in data["pads"] for pad in _row(*row)),
        outline=tuple(data["outline"]) or None,
        printed=tuple(tuple(line) for line in data["printed"]) if "printed" in data else None,
        body=tuple(Box(tuple(plan), low, high, colour) for *plan, low, high, colour in data["body"]),
        holes=tuple(Hole(*hole) for hole in data.get("holes", [])),
        bare=tuple(tuple(area) for area in data.get("bare", [])),
        paste=data.get("paste", True),
        mark=data.get("mark"),
    )


def _row(
    first: str,
    count: int,
    x: float,
    y: float,
    step_x: float,
    step_y: float,
    width: float,
    height: float,
    drill: float | None = None,
    by: int = 1,
) -> list[Pad]:
    return [
        Pad(str(int(first) + by * n), round(x + step_x * n, 4), round(y + step_y * n, 4), width, height, drill)
        for n in range(count)
    ]
