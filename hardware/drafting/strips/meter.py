"""Tests of a strip board with a meter before anything is plugged in: the holes that must not be joined, the dangerous
ones first and each with what it would destroy, and those that must be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from drafting.circuit import At, Nets
from drafting.parts import Is
from drafting.strips.board import Board, Hole
from drafting.strips.copper import Piece, pieces
from drafting.strips.proof import Layout

_BEEPS_BELOW_OHM = 100
_WORTH_IT = 1
"""The least danger for which neighbours without a cut between them are tested, for a hair of solder."""
_ON_5V = ("VSYS", "3V3_EN")
"""Pins of a Pico that survive 5 V, though the wiring knows nothing of them."""
_MOST_V = 3.63
"""The voltage that its other pins survive."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Two holes that must not be joined, what is there, what it would do, and how bad that is, 0 the worst; `through`
    is a part that makes the meter beep once it is soldered."""

    one: Hole
    other: Hole
    between: tuple[At, At]
    harm: str
    rank: int
    through: str = ""


def holes_apart(layout: Layout) -> list[Apart]:
    """Every pair of supplies and ground, every pair of pins that a cut keeps apart, and neighbours in a row of a header
    or a chip: those that a supply would destroy first."""
    board = layout.board
    where = {at: hole for hole, at in board.pins().items()}
    found: dict[frozenset[At], Apart] = {}
    beside = set(_neighbours(board)) - set(_over_cuts(layout))
    for one, other in (*_supplies(board), *_over_cuts(layout), *_neighbours(board)):
        if board.nets[one] != board.nets[other] and frozenset((one, other)) not in found:
            harm, rank = _harm(board, one, other)
            if rank > _WORTH_IT and (one, other) in beside:
                continue
            test = Apart(where[one], where[other], (one, other), harm, rank, _through(board, one, other))
            found[frozenset((one, other))] = test
    return sorted(found.values(), key=lambda test: test.rank)


def holes_joined(layout: Layout) -> dict[str, list[Hole]]:
    """For every net a hole in each piece of strip that its links join, the first of them to hold one probe on."""
    board = layout.board
    where = {at: hole for hole, at in board.pins().items()}
    found: dict[str, list[Hole]] = {}
    for piece in pieces(board, layout.cuts):
        held = [at for at in piece.pins if at in board.described_pins]
        if held:
            found.setdefault(board.nets[held[0]], []).append(where[held[0]])
    return {net: holes for net, holes in sorted(found.items()) if len(holes) > 1}


def _supplies(board: Board) -> Iterator[tuple[At, At]]:
    """One pin of each net with a supply or ground, against each other."""
    shown: dict[str, At] = {}
    for at in board.nets:
        kind = _kind(board, at)
        if at in board.described_pins and kind in (Is.SOURCE, Is.GROUND):
            shown.setdefault(board.nets[at], at)
    yield from combinations(shown.values(), 2)


def _over_cuts(layout: Layout) -> Iterator[tuple[At, At]]:
    """The nearest pins on either side of every cut."""
    by_row: dict[int, list[Piece]] = {}
    for piece in pieces(layout.board, layout.cuts):
        if piece.pins:
            by_row.setdefault(piece.row, []).append(piece)
    for row in by_row.values():
        for left, right in pairwise(row):
            yield left.pins[-1], right.pins[0]


def _neighbours(board: Board) -> Iterator[tuple[At, At]]:
    """Pins side by side in a row of a part with many."""
    for part in board.parts.values():
        if part.form.row > 2:
            for one, other in combinations(part.pins, 2):
                here, there = part.pins[one], part.pins[other]
                if abs(here.column - there.column) + abs(here.row - there.row) == 1:
                    yield At(part.name, one), At(part.name, other)


def _kind(board: Board, at: At) -> Is | None:
    pin = board.parts[at.part].kind.pins.get(at.pin)
    return pin.kind if pin else None


def _harm(board: Board, one: At, other: At) -> tuple[str, int]:
    """The damage if two pins are joined, and its severity."""
    volts = {at: _volts(board, at) for at in (one, other)}
    high, low = (one, other) if (volts[one] or 0) >= (volts[other] or 0) else (other, one)
    over, under = volts[high], volts[low]
    if over is not None and under == 0:
        return f"short circuit of {over:g} V: a supply or a port switches off, or burns", 1
    if over and over == under:
        return "two supplies in parallel: one feeds what the other has to", 2
    if over is not None and under is not None and over > under:
        return f"{over:g} V on what takes {under:g} V: destroys {_victims(board, low)} and all that it feeds", 0
    if over is not None and (victims := _too_weak(board, low, over)):
        return f"{over:g} V: destroys {victims}", 0
    if over:
        return f"{over:g} V on a signal: overloads what drives it", 2
    if 0 in volts.values():
        return "signal held to ground: overloads what drives it, or nothing works", 3
    return "two signals mixed: nothing works", 4


def _volts(board: Board, at: At) -> float | None:
    """The supply on the net of a pin: its volts, 0 for ground; None for a signal."""
    for other in _net(board, at):
        pin = board.circuit.parts[other.part].pins.get(other.pin)
        if pin and pin.kind is Is.SOURCE:
            return pin.gives_v
        if pin and pin.kind is Is.GROUND:
            return 0.0
    return None


def _net(board: Board, at: At) -> list[At]:
    return [other for other, net in board.nets.items() if net == board.nets[at]]


def _victims(board: Board, at: At) -> str:
    fed = [o for o in _net(board, at) if _kind(board, o) in (Is.POWER, Is.SOURCE)]
    return _listed(board, fed)


def _too_weak(board: Board, at: At, volts: float) -> str:
    """The parts on a net that this voltage destroys, past small resistors too."""
    reached = [at, *(o.at for o in Nets(board.circuit).reached(at))] if at in board.described_pins else [at]
    weak: list[At] = []
    for other in reached:
        pin = board.circuit.parts[other.part].pins.get(other.pin)
        if pin:
            most = pin.most_v or (pin.gives_v if pin.kind is Is.OUTPUT else None)
        else:
            most = None if other.pin in _ON_5V else _MOST_V
        if most is not None and most < volts and other.part in board.parts:
            weak.append(other)
    return _listed(board, weak)


def _listed(board: Board, found: list[At]) -> str:
    names = dict.fromkeys(f"the {_short(board, at.part)}" for at in found)
    return " and ".join(names)


def _short(board: Board, part: str) -> str:
    kind = board.parts[part].kind
    return "Pi" if kind.key.startswith("pi") and kind.key != "pico" and len(kind.key) == 3 else kind.name


def _through(board: Board, one: At, other: At) -> str:
    nets = {board.nets[one], board.nets[other]}
    for part in board.parts.values():
        ends = {board.nets[At(part.name, pin)] for pin in part.pins}
        little = part.kind.key == "fuse" or (part.kind.ohms is not None and part.kind.ohms < _BEEPS_BELOW_OHM)
        if little and ends == nets:
            return part.name
    return ""
