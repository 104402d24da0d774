"""The printed boards: which part of the description is where on which board, under which reference, and which pads a
net joins. Everything about a board that is drawn, routed, compared or fitted into an enclosure starts here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path
from types import MappingProxyType
from typing import Any

from drafting.builds import Description
from drafting.circuit import At, Circuit, Nets
from drafting.footprints import Footprint, Pad, Rectangle, read_footprints
from drafting.parts import DescriptionError, Kind, OnPcb, Table, read_toml

THICKNESS_MM = 1.6


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on a board: its middle from the lower left corner in mm, y upwards, turned counterclockwise."""

    reference: str
    name: str
    kind: Kind
    pcb: OnPcb
    footprint: Footprint
    x: float
    y: float
    turn: float

    @property
    def value(self) -> str:
        """The part's value in lists."""
        return self.kind.name.split(",")[0]

    @property
    def pin_at(self) -> Mapping[str, str]:
        """The names of its pins, by the numbers of their pads."""
        return {pad: pin for pin, pad in self.pcb.pads.items()}

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of its land pattern (y downwards) on the board (y upwards)."""
        angle = radians(self.turn)
        right, up = x, -y
        return (
            round(self.x + right * cos(angle) - up * sin(angle), 4),
            round(self.y + right * sin(angle) + up * cos(angle), 4),
        )

    def area(self, plan: Rectangle) -> Rectangle:
        """A rectangle of its land pattern on the board: left, bottom, right, top."""
        xs, ys = zip(*(self.point(x, y) for x in (plan[0], plan[2]) for y in (plan[1], plan[3])), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


@dataclass(frozen=True, slots=True)
class Board:
    """A printed board; `revision` and `date` are printed on it. `builds` has the parts of each build that it is for,
    `nets` the pads of each net as (reference, number); `loose` are those that lead nowhere."""

    key: str
    folder: str
    title: str
    revision: str
    date: str
    size: tuple[float, float]
    notches: tuple[Rectangle, ...]
    holes: tuple[tuple[float, float, float], ...]
    fiducials: tuple[tuple[float, float], ...]
    bare: tuple[Rectangle, ...]
    wide: Mapping[str, float]
    texts: tuple[tuple[Any, ...], ...]
    blocks: Mapping[str, tuple[str, ...]]
    parts: tuple[Placed, ...]
    builds: Mapping[str, frozenset[str]]
    nets: Mapping[str, tuple[tuple[str, str], ...]]
    loose: frozenset[tuple[str, str]]

    def net_of(self, reference: str, pad: str) -> str | None:
        """The net of a pad, None if it leads nowhere."""
        return next((name for name, pads in self.nets.items() if (reference, pad) in pads), None)


def read_boards(description: Description, folder: Path) -> list[Board]:
    """The boards in ``boards.toml``; DescriptionError if a part has no place, or none that is described."""
    footprints = read_footprints(folder / "footprints.toml")
    return [_board(key, data, description, footprints) for key, data in read_toml(folder / "boards.toml").items()]


def _board(key: str, data: Table, description: Description, footprints: Mapping[str, Footprint]) -> Board:
    circuit = description.builds[data["build"]].circuit(data.get("seats", 0))
    parts = _placed(data["place"], circuit, footprints)
    nets, loose = _nets(circuit, {part.name: part for part in parts})
    return Board(
        key=key,
        folder=data["folder"],
        title=data["title"],
        revision=data["revision"],
        date=data["date"],
        size=tuple(data["size"]),
        notches=tuple(tuple(notch) for notch in data["notches"]),
        holes=tuple(tuple(hole) for hole in data["holes"]),
        fiducials=tuple(tuple(each) for each in data["fiducials"]),
        bare=tuple(tuple(area) for area in data["bare"]),
        wide=MappingProxyType(data["wide"]),
        texts=tuple(tuple(text) for text in data["texts"]),
        blocks=MappingProxyType({title: tuple(names) for title, names in data["blocks"].items()}),
        parts=tuple(parts),
        builds=MappingProxyType(
            {
                build: frozenset(description.builds[build].circuit(data.get("seats", 0)).parts)
                for build in (data["build"], *data.get("other_builds", []))
            }
        ),
        nets=MappingProxyType(nets),
        loose=frozenset(loose),
    )


def _placed(place: Table, circuit: Circuit, footprints: Mapping[str, Footprint]) -> list[Placed]:
    numbers: Counter[str] = Counter()
    found: list[Placed] = []
    on_board = {at.part for ends in circuit.nets.values() for at in ends}
    for name in place:
        if name not in on_board:
            raise DescriptionError(f"boards.toml: there is no part {name} on that board.")
    for name, kind in circuit.parts.items():
        if name not in on_board or "." in name:
            continue
        if name not in place:
            raise DescriptionError(f"boards.toml: {name} ({kind.name}) has no place.")
        if kind.pcb is None:
            raise DescriptionError(f"parts.toml: {kind.name} has no form for a printed board.")
        footprint = footprints[kind.pcb.footprint]
        numbers[footprint.prefix] += 1
        reference = f"{footprint.prefix}{numbers[footprint.prefix]}"
        found.append(Placed(reference, name, kind, kind.pcb, footprint, *place[name]))
    return found


def _nets(
    circuit: Circuit, placed: Mapping[str, Placed]
) -> tuple[dict[str, tuple[tuple[str, str], ...]], set[tuple[str, str]]]:
    """The pads of each net, under the description's names, and the pads that lead nowhere."""
    joined = Nets(circuit)
    names = {joined.joined_to(ends[0])[0]: name for name, ends in circuit.nets.items()}
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in circuit.nets}
    loose: set[tuple[str, str]] = set()
    for part in placed.values():
        pins = part.pin_at
        for pad in part.footprint.pads:
            end = (part.reference, pad.number)
            name = names.get(joined.joined_to(At(part.name, pins[pad.number]))[0]) if pad.number in pins else None
            if name is None:
                loose.add(end)
            elif end not in found[name]:
                found[name].append(end)
    return {name: tuple(ends) for name, ends in found.items() if ends}, loose


def sort_key(reference: str) -> tuple[str, int]:
    """References in the order of people: R2 before R10."""
    found = re.fullmatch(r"([A-Z]+)(\d+)", reference)
    return (found[1], int(found[2])) if found else (reference, 0)


def pads_on(part: Placed) -> list[tuple[Pad, Rectangle]]:
    """The pads of a part with the areas they cover on the board."""
    return [
        (pad, part.area((pad.x - pad.width / 2, pad.y - pad.height / 2, pad.x + pad.width / 2, pad.y + pad.height / 2)))
        for pad in part.footprint.pads
    ]
