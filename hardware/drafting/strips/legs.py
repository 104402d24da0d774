"""Bare legs of the parts on a strip board: where each runs, and what it must not touch. Must not know cuts or links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import hypot

from drafting.circuit import At
from drafting.strips.board import Board, Box, Hole, Placed

CLEAR_MM = 1.0
"""From the middle of a bare leg to the middle of another, or of a pin."""
_BESIDE_BODY_MM = 0.3
_BENT = ("axial", "diode", "can", "radial", "transistor")
"""Looks of parts whose legs are bent, and run from the holes to the body above the board."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A bare leg, in mm: from the middle of its hole to the nearest place of its body. It runs straight."""

    at: At
    hole: Hole
    start: tuple[float, float]
    end: tuple[float, float]

    def distance(self, x: float, y: float) -> float:
        """From its middle line to a point, in mm."""
        return distance(self.start, self.end, (x, y))


def legs(board: Board) -> list[Leg]:
    """Every leg that can be seen from above."""
    return [leg for part in board.parts.values() if part.form.look in _BENT for leg in _legs_of(board, part)]


def is_below_leg(board: Board, where: Hole) -> bool:
    """Whether a leg lies over a hole that isn't its own, so near that a bare end there would touch it."""
    return any(leg.hole != where and leg.distance(*board.place(where)) < CLEAR_MM for leg in legs(board))


def touching(board: Board) -> Iterator[str]:
    """Sentences about legs that touch another net's pin or leg, a body, or a screw's head."""
    found, pins = legs(board), board.pins()
    for leg in found:
        for where, at in pins.items():
            if board.nets[at] != board.nets[leg.at] and leg.distance(*board.place(where)) < CLEAR_MM:
                yield f"the leg {leg.at} would touch {at} in {where}."
        for part in board.parts.values():
            own = part.name == leg.at.part or part.form.look == "point"
            if not own and _meets(leg, part.body, _BESIDE_BODY_MM):
                yield f"the leg {leg.at} would run into {part.name}, near {part.first}."
        for one in board.drilled:
            if leg.distance(one.x, one.y) < one.diameter / 2:
                where = f"{one.x:g} and {one.y:g} mm from the upper left corner"
                yield f"the leg {leg.at} would lie where a screw is, {where}."
    for one, other in combinations(found, 2):
        if board.nets[one.at] != board.nets[other.at] and _cross(one, other):
            yield f"the legs {one.at} and {other.at} would touch, near {one.hole}."


def distance(start: tuple[float, float], end: tuple[float, float], where: tuple[float, float]) -> float:
    """From a straight piece to a point, in the unit of both."""
    (x, y), (to_x, to_y), (at_x, at_y) = start, end, where
    length = (to_x - x) ** 2 + (to_y - y) ** 2
    along = ((at_x - x) * (to_x - x) + (at_y - y) * (to_y - y)) / length if length else 0.0
    along = min(1.0, max(0.0, along))
    return hypot(x + along * (to_x - x) - at_x, y + along * (to_y - y) - at_y)


def _legs_of(board: Board, part: Placed) -> Iterator[Leg]:
    body = part.body
    for pin, where in part.pins.items():
        x, y = board.place(where)
        end = min(max(x, body.left), body.right), min(max(y, body.top), body.bottom)
        if end != (x, y):
            yield Leg(At(part.name, pin), where, (x, y), end)


def _meets(leg: Leg, body: Box, more: float) -> bool:
    """Whether a leg comes so near to a body. Legs run along columns or strips, or nearly so."""
    left, right = sorted((leg.start[0], leg.end[0]))
    top, bottom = sorted((leg.start[1], leg.end[1]))
    return Box(left - more, top - more, right + more, bottom + more).meets(body)


def _cross(one: Leg, other: Leg) -> bool:
    ends = [(one, other.start), (one, other.end), (other, one.start), (other, one.end)]
    if any(leg.distance(*point) < CLEAR_MM for leg, point in ends):
        return True

    def side(leg: Leg, point: tuple[float, float]) -> float:
        (x, y), (to_x, to_y) = leg.start, leg.end
        return (to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x)

    return side(one, other.start) * side(one, other.end) < 0 and side(other, one.start) * side(other, one.end) < 0
