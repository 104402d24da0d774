"""The place of each part on a strip board, read from ``stripboards.toml`` and the circuit: its pins in holes, its body
in millimetres. Must not know cuts or links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import hypot
from typing import NamedTuple

from drafting.circuit import At, Circuit, Nets
from drafting.parts import DescriptionError, Kind, Table

PITCH = 2.54
CLEAR_MM = 1.0
"""From the edge of a drilled hole to the middle of the nearest hole in which anything is soldered."""

_MAY_STAND_OUT = ("wires", "module", "point")
"""Looks of what leads away from the board anyway."""


class Hole(NamedTuple):
    """A hole: its column from 1 at the left, and its strip from 1 at the top, from the components' side."""

    column: int
    row: int

    def __str__(self) -> str:
        letters, left = "", self.column
        while left:
            left, letter = divmod(left - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return f"{letters}{self.row}"


def hole(name: str) -> Hole:
    """The hole of a name such as `C12`; DescriptionError if that is none."""
    found = re.fullmatch(r"([A-Z]{1,2})([1-9]\d?)", name)
    if not found:
        raise DescriptionError(f'stripboards.toml: "{name}" is no hole: a hole is called A1, or AB12.')
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return Hole(column, int(found[2]))


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a kind of part on the board: the number of pins in its first row, `span` holes from the first of them
    to the last, perhaps a second row, and a body in mm, with the distance of its middle to the left of the line from
    pin 1 to the last."""

    key: str
    look: str
    row: int
    span: tuple[int, int]
    body: tuple[float, float]
    height: float
    across: int = 0
    zigzag: bool = False
    aside: float = 0.0
    wires_at_pins: bool = False
    spare: Mapping[str, str] | None = None
    how: str = ""

    @property
    def rows(self) -> int:
        """How many rows of pins it has."""
        return 2 if self.across else 1


class Box(NamedTuple):
    """A rectangle in mm from the board's upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, x: float, y: float, more: float = 0.0) -> bool:
        """Whether a point lies in it, or so near to it."""
        return self.left - more < x < self.right + more and self.top - more < y < self.bottom + more

    def meets(self, other: Box) -> bool:
        """Whether two of them share more than an edge."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Placed:
    """A part on the board. `rows` says in which of its rows of pins each is."""

    name: str
    kind: Kind
    form: Form
    first: Hole
    last: Hole
    pins: Mapping[str, Hole]
    rows: Mapping[str, int]
    body: Box


@dataclass(frozen=True, slots=True)
class Drilled:
    """A hole for a screw, in mm from the upper left corner."""

    x: float
    y: float
    diameter: float


@dataclass(frozen=True, slots=True)
class Board:
    """A strip board with its parts. `nets` are the description's: for every pin on the board the name of what it is
    joined to; `wanted` are the pins that the board has to join, without those that a part joins by itself."""

    key: str
    title: str
    columns: int
    rows: int
    size: tuple[float, float]
    first: tuple[float, float]
    edges: Mapping[str, str]
    notes: Sequence[str]
    drilled: Sequence[Drilled]
    parts: Mapping[str, Placed]
    circuit: Circuit
    nets: Mapping[At, str]
    described_pins: frozenset[At]

    def place(self, where: Hole) -> tuple[float, float]:
        """The middle of a hole in mm."""
        return self.first[0] + (where.column - 1) * PITCH, self.first[1] + (where.row - 1) * PITCH

    def is_lost(self, where: Hole) -> bool:
        """Whether a screw's hole has taken the copper."""
        x, y = self.place(where)
        return any(hypot(x - one.x, y - one.y) < one.diameter / 2 + CLEAR_MM for one in self.drilled)

    def pins(self) -> dict[Hole, At]:
        """The pin that is soldered into each hole."""
        return {where: At(part.name, pin) for part in self.parts.values() for pin, where in part.pins.items()}

    def is_covered(self, where: Hole) -> bool:
        """Whether a body lies over a hole."""
        return any(part.body.covers(*self.place(where), 0.2) for part in self.parts.values())


def read_board(key: str, data: Table, circuit: Circuit) -> Board:
    """One board of `stripboards.toml`, for a circuit; DescriptionError if a part lacks its place, or the place won't
    do."""
    plan: Table = data["boards"][key]
    circuit = replace(circuit, cables=())
    forms = {kind: _form(name, form) for name, form in data["forms"].items() for kind in form["kinds"]}
    nets = {net: ends for net, ends in circuit.nets.items() if not any("." in at.part for at in ends)}
    here = dict.fromkeys(at.part for ends in nets.values() for at in ends)
    places: Mapping[str, list[str]] = plan["parts"]
    if missing := [part for part in here if part not in places]:
        raise DescriptionError(f"stripboards.toml: {key} has no place for {', '.join(missing)}.")
    if more := [part for part in places if part not in here]:
        raise DescriptionError(f"stripboards.toml: {key} has a place for {', '.join(more)}, which the board hasn't.")
    board = Board(
        key,
        plan["title"],
        plan["columns"],
        plan["rows"],
        (plan["size"][0], plan["size"][1]),
        (plan["first"][0], plan["first"][1]),
        plan.get("edges", {}),
        plan.get("notes", []),
        [Drilled(*one) for one in plan.get("drilled", [])],
        {},
        circuit,
        {},
        frozenset(at for ends in nets.values() for at in ends),
    )
    parts = {part: _placed(board, part, circuit.parts[part], forms, places[part]) for part in here}
    board = replace(board, parts=parts, nets=_names(circuit, nets, parts))
    for said in (
        *_clashes(board),
        *_beyond_edge(board),
        *_below_screws(board),
        *_too_high(board, plan.get("low", [])),
    ):
        raise DescriptionError(f"stripboards.toml: {key}: {said}")
    return board


def _form(key: str, form: Table) -> Form:
    row: int = form.get("row", 2)
    span: list[int] = form.get("span", [row - 1, row - 1])
    across: int = form.get("across", 0)
    return Form(
        key,
        form["look"],
        row,
        (span[0], span[1]),
        (form["body"][0], form["body"][1]),
        form["height"],
        across,
        form.get("zigzag", False),
        form.get("aside", across * PITCH / 2),
        form.get("wires_at_pins", False),
        form.get("spare", {}),
        form.get("how", ""),
    )


def _placed(board: Board, name: str, kind: Kind, forms: Mapping[str, Form], ends: Sequence[str]) -> Placed:
    if kind.key not in forms:
        raise DescriptionError(f"stripboards.toml: no form is for {kind.key}, which {name} is.")
    form = forms[kind.key]
    first, last = hole(ends[0]), hole(ends[-1])
    way = last.column - first.column, last.row - first.row
    length = abs(way[0]) + abs(way[1])
    if form.row > 1 and (0 not in way or not form.span[0] <= length <= form.span[1]):
        least, most = form.span
        apart = f"{least}" if least == most else f"{least} to {most}"
        raise DescriptionError(
            f"stripboards.toml: {board.key}: {name} can't lie from {first} to {last}: its pins want a straight line "
            f"of {apart} holes' distance."
        )
    step = (way[0] // length, way[1] // length) if length else (1, 0)
    aside = (step[1], -step[0])  # to the left of the way, seen from above, with rows counted downwards
    pins: dict[str, Hole] = {}
    rows: dict[str, int] = {}
    for number, (along, row) in enumerate(_numbered(form, length), 1):
        where = Hole(
            first.column + along * step[0] + row * form.across * aside[0],
            first.row + along * step[1] + row * form.across * aside[1],
        )
        pin = next((pin for pin, it in kind.pins.items() if it.place == str(number)), None)
        pin = pin or (form.spare or {}).get(str(number), f"pin {number}")
        pins[pin], rows[pin] = where, row
    x, y = board.place(first)
    to_x, to_y = board.place(last)
    middle_x, middle_y = (x + to_x) / 2 + aside[0] * form.aside, (y + to_y) / 2 + aside[1] * form.aside
    half = form.body[0] / 2, form.body[1] / 2
    wide, high = half if step[0] else (half[1], half[0])
    body = Box(middle_x - wide, middle_y - high, middle_x + wide, middle_y + high)
    return Placed(name, kind, form, first, last, pins, rows, body)


def _numbered(form: Form, length: int) -> Iterator[tuple[int, int]]:
    """For each pin in the order of its numbers how far along it is, and in which row."""
    if form.zigzag:
        yield from ((along, row) for along in range(form.row) for row in (0, 1))
        return
    yield from ((along * length // max(1, form.row - 1), 0) for along in range(form.row))
    if form.across:
        yield from ((along, 1) for along in reversed(range(form.row)))


def _names(circuit: Circuit, nets: Mapping[str, Sequence[At]], parts: Mapping[str, Placed]) -> dict[At, str]:
    """The net of every pin on the board; a pin that leads nowhere has one of its own."""
    joined = Nets(circuit)
    named = {at: net for net, ends in nets.items() for end in ends for at in joined.joined_to(end)}
    pins = [At(part.name, pin) for part in parts.values() for pin in part.pins]
    return {at: named.get(at, str(at)) for at in pins}


def _clashes(board: Board) -> Iterator[str]:
    seen: dict[Hole, At] = {}
    for part in board.parts.values():
        for pin, where in part.pins.items():
            if not (1 <= where.column <= board.columns and 1 <= where.row <= board.rows):
                yield f"{part.name}.{pin} would be beyond the edge of the board."
            elif board.is_lost(where):
                yield f"{part.name}.{pin} would be in {where}, where a screw goes through."
            elif where in seen:
                yield f"{seen[where]} and {part.name}.{pin} would both be in {where}."
            seen[where] = At(part.name, pin)
    for one, other in combinations(board.parts.values(), 2):
        if one.body.meets(other.body):
            yield f"{one.name} and {other.name} would lie on each other, near {one.first} and {other.first}."
        for mine, theirs in ((one, other), (other, one)):
            for pin, where in theirs.pins.items():
                if mine.body.covers(*board.place(where)):
                    yield f"{mine.name} would lie over {theirs.name}.{pin} in {where}."


def _beyond_edge(board: Board) -> Iterator[str]:
    """Bodies that stand out over the edge of the board."""
    for part in board.parts.values():
        body = part.body
        over = max(-body.left, -body.top, body.right - board.size[0], body.bottom - board.size[1])
        if over > 0 and part.form.look not in _MAY_STAND_OUT:
            yield f"{part.name} would stand out over the board's edge by {over:.2f} mm."


def _below_screws(board: Board) -> Iterator[str]:
    """Parts that lie where the head of a screw does."""
    for part in board.parts.values():
        for one in board.drilled:
            x = min(max(one.x, part.body.left), part.body.right)
            y = min(max(one.y, part.body.top), part.body.bottom)
            if hypot(one.x - x, one.y - y) < one.diameter / 2:
                yield f"{part.name} would lie where a screw is, {one.x:g} and {one.y:g} mm from the upper left corner."


def _too_high(board: Board, zones: Sequence[Table]) -> Iterator[str]:
    """Parts that are higher than what lies above leaves them: in a box in mm, but for a circle in it."""
    for zone in zones:
        box = Box(*zone["box"])
        x, y, diameter = zone.get("free_circle", (0.0, 0.0, 0.0))
        for part in board.parts.values():
            body = part.body
            corners = product((body.left, body.right), (body.top, body.bottom))
            inside = all(hypot(across - x, down - y) < diameter / 2 for across, down in corners)
            if body.meets(box) and not inside and part.form.height > zone["most"]:
                yield (
                    f"{part.name} is {part.form.height:g} mm high, and there is room for {zone['most']:g} mm: "
                    f"{zone['why']}."
                )
