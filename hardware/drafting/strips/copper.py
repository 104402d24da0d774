"""The copper of a strip board: where it is cut so that no two nets share a strip, and the pieces that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from drafting.circuit import At
from drafting.strips.board import Board, Hole


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """A strip is cut at a hole, by a drill, or, where both holes are needed, between it and the next one to the right,
    by a knife."""

    at: Hole
    knife: bool = False

    def __str__(self) -> str:
        return f"between {self.at} and {Hole(self.at.column + 1, self.at.row)}" if self.knife else str(self.at)


@dataclass(frozen=True, slots=True)
class Piece:
    """Holes that copper joins, in one strip, and what is soldered in them."""

    row: int
    left: int
    right: int
    pins: tuple[At, ...]

    def holes(self) -> Iterator[Hole]:
        """Its holes from left to right."""
        return (Hole(column, self.row) for column in range(self.left, self.right + 1))

    def __str__(self) -> str:
        return f"strip {self.row}, {Hole(self.left, self.row)} to {Hole(self.right, self.row)}"


def cuts(board: Board) -> tuple[Cut, ...]:
    """Every cut: between pins of different nets that follow one another on a strip, and between the two rows of every
    part."""
    pins = board.pins()
    found: list[Cut] = []
    for row in range(1, board.rows + 1):
        held = sorted(where for where in pins if where.row == row)
        for left, right in pairwise(held):
            between = [Hole(column, row) for column in range(left.column + 1, right.column)]
            if _parted(board, pins[left], pins[right]) and not any(board.is_lost(one) for one in between):
                found.append(_best(board, left, right, between))
    return tuple(sorted(found, key=lambda cut: (cut.at.row, cut.at.column)))


def _parted(board: Board, one: At, other: At) -> bool:
    """Whether copper must not join two pins."""
    rows = board.parts[one.part].rows
    opposite = one.part == other.part and rows[one.pin] != rows[other.pin]
    return opposite or board.nets[one] != board.nets[other]


def _best(board: Board, left: Hole, right: Hole, between: Sequence[Hole]) -> Cut:
    """The best cut between two pins: each side that leads somewhere keeps a hole for a link. Best with a drill, and
    below a body."""
    pins = board.pins()
    wanted = [pins[left] in board.described_pins, pins[right] in board.described_pins]
    choices = [Cut(one) for one in between] + [Cut(one, knife=True) for one in (left, *between)]

    def cost(cut: Cut) -> float:
        sides = (
            [one for one in between if one < cut.at or (cut.knife and one == cut.at)],
            [one for one in between if one > cut.at],
        )
        lost = 4.0 if cut.knife else 0.0 if board.is_covered(cut.at) else 0.5
        for side, wants in zip(sides, wanted, strict=True):
            free = sum(not board.is_covered(one) for one in side)
            if wants:
                lost += (3.0, 1.0, 0.0)[min(free, 2)]
        middle = (left.column + right.column) / 2
        return lost + 0.01 * abs(cut.at.column - middle)

    return min(choices, key=cost)


def pieces(board: Board, made: Sequence[Cut]) -> tuple[Piece, ...]:
    """The pieces of the strips between cuts and screws' holes."""
    drilled = {cut.at for cut in made if not cut.knife}
    knifed = {cut.at for cut in made if cut.knife}
    pins = board.pins()
    found: list[Piece] = []
    for row in range(1, board.rows + 1):
        here: list[Hole] = []
        for column in range(1, board.columns + 2):
            where = Hole(column, row)
            gone = column > board.columns or where in drilled or board.is_lost(where)
            if here and (gone or here[-1] in knifed):
                held = tuple(pins[one] for one in here if one in pins)
                found.append(Piece(row, here[0].column, here[-1].column, held))
                here = []
            if not gone:
                here.append(where)
    return tuple(found)
