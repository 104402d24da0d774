"""``made/supplies.md``: what is drawn from every supply of every build, for each number of seats, and where the figures
come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from drafting.builds import Build, Description
from drafting.circuit import At
from drafting.materials import with_article
from drafting.pages import table
from drafting.parts import Kind
from drafting.supplies import Rail, rails

PI_PORTS = 4
LITTLE_MA = 600
"""The current that a Pi 5 with a supply of 3 A gives all its ports together."""


def supply_page(description: Description) -> str:
    """The page in Markdown."""
    lines = ["# What the supplies have to give", ""]
    lines += ["Made by scripts/hardware from the data sheets' figures in hardware/parts.toml. Nobody has measured them"]
    lines += ["yet *(bench)*. Each cell is *typical / at most* in mA. A milliampere behind a regulator or on a Pico"]
    lines += ["counts as one before it. The tests fail if a description draws more from a supply than it gives.", ""]
    for build in description.builds.values():
        for variant, name in enumerate(build.variants):
            lines += [
                f"## {build.title}" + (f" with {with_article(name)}" if name else ""),
                "",
                _rails(build, variant),
                "",
            ]
    lines += ["## Without a hub", "", *_without_hub(description), ""]
    lines += ["## Where the limits come from", "", _limits(description), ""]
    lines += ["## Where the draws come from", "", _draws(description.kinds)]
    return "\n".join(lines) + "\n"


def _rails(build: Build, variant: int) -> str:
    columns = [{_each(rail.at): rail for rail in rails(build.circuit(seats, variant))} for seats in build.seats]
    heads = [f"{seats} seats" if seats else "" for seats in build.seats]
    rows = (
        (name, f"{rail.gives_v:g} V", str(rail.limit_ma), *_cells(name, columns)) for name, rail in columns[-1].items()
    )
    return table(("supply", "", "gives mA", *heads), rows)


def _cells(name: str, columns: list[dict[str, Rail]]) -> Iterator[str]:
    for column in columns:
        rail = column.get(name)
        yield f"{rail.typical_ma} / {rail.peak_ma}" if rail else ""


def _each(at: At) -> str:
    """The name of a supply, the same for all seats."""
    name = re.sub(r"(?<=[A-Za-z]{4})\d+(?=\.|$)", "", str(at))
    return f"each {name}" if name != str(at) else name


def _without_hub(description: Description) -> Iterator[str]:
    """How many seat boards the ports of a Pi carry by themselves."""
    (board,) = [rail for rail in rails(description.seat_board.circuit(0)) if rail.at.part == "supply"]
    for name, limit_ma in _port_limits(description):
        boards = min(PI_PORTS, limit_ma // board.peak_ma)
        plural = "s" if boards > 1 else ""
        yield f"- {name}: {limit_ma} mA carry {boards} seat board{plural} of {board.peak_ma} mA at most."


def _port_limits(description: Description) -> Iterator[tuple[str, int]]:
    yield "Raspberry Pi 4", description.kinds["pi4"].pins["USB"].limit_ma or 0
    yield "Raspberry Pi 5 with a supply of 5 A", description.kinds["pi5"].pins["USB"].limit_ma or 0
    yield "Raspberry Pi 5 with a supply of 3 A", LITTLE_MA


def _limits(description: Description) -> str:
    rows: dict[tuple[str, str, str], None] = {}
    for kind in description.kinds.values():
        for name, pin in kind.pins.items():
            if pin.limit_ma:
                shown = re.sub(r"(?<=PORT)\d", "", name)
                rows[kind.name, f"{shown}: {pin.limit_ma} mA", pin.limit_source] = None
    return table(("part", "limit", "source"), rows)


def _draws(kinds: Mapping[str, Kind]) -> str:
    rows = (
        (f"{kind.name}, {pin}", str(draw.typical_ma), str(draw.peak_ma), draw.source)
        for kind in kinds.values()
        for pin, draw in kind.draws.items()
    )
    return table(("part", "typical mA", "at most mA", "source"), rows)
