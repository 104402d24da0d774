"""Wires between the pieces of strips: for every net a short set of straight ones that joins its pieces, each end in a
free hole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from drafting.parts import DescriptionError
from drafting.strips.board import CLEAR_MM, PITCH, Board, Box, Hole
from drafting.strips.copper import Piece
from drafting.strips.legs import distance, is_below_leg

_AT_A_PIN, _BELOW_A_BODY, _COPPER_SIDE, _SLANTING, _ON_ANOTHER, _ACROSS = 6.0, 6.0, 4.0, 1.5, 12.0, 0.8
"""Costs, each in holes of additional wire."""
_BESIDE_MM = 0.3
"""Distance in mm within which a thing is under a wire."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Link:
    """A wire. On the copper side it lies where a body is in the way, or where it ends at a pin's own joint."""

    net: str
    start: Hole
    end: Hole
    copper_side: bool = False

    @property
    def length(self) -> float:
        """In holes."""
        return hypot(self.end.column - self.start.column, self.end.row - self.start.row)


@dataclass(frozen=True, slots=True)
class _End:
    """A possible end of a link, and its cost."""

    at: Hole
    penalty: float

    @property
    def only_below(self) -> bool:
        return self.penalty > 0


def links(board: Board, pieces: Sequence[Piece]) -> tuple[Link, ...]:
    """All links; DescriptionError if a piece has no free hole for one."""
    return _Joining(board, pieces).run()


class _Joining:
    """The links while they are laid."""

    def __init__(self, board: Board, pieces: Sequence[Piece]) -> None:
        self._board = board
        self._pins = board.pins()
        self._to_join: dict[str, list[Piece]] = {}
        for piece in pieces:
            nets = {board.nets[at] for at in piece.pins if at in board.described_pins}
            for net in nets:
                self._to_join.setdefault(net, []).append(piece)
        self._to_join = {net: its for net, its in self._to_join.items() if len(its) > 1}
        self._ends = {piece: list(self._ends_of(piece)) for its in self._to_join.values() for piece in its}
        self._laid: dict[str, list[Link]] = {}

    def run(self) -> tuple[Link, ...]:
        order = sorted(self._to_join, key=lambda net: (min(len(self._ends[one]) for one in self._to_join[net]), net))
        for net in order:
            self._laid[net] = self._tree(net)
        for _ in range(_ROUNDS):
            for net in order:
                before = self._laid.pop(net)
                after = self._tree(net)
                self._laid[net] = min(before, after, key=self._cost)
        every = [link for its in self._laid.values() for link in its]
        return tuple(sorted(every, key=lambda link: (link.net, link.start, link.end)))

    def _ends_of(self, piece: Piece) -> Iterator[_End]:
        for where in piece.holes():
            if where in self._pins:
                if self._board.parts[self._pins[where].part].form.wires_at_pins:
                    yield _End(where, _AT_A_PIN)
            else:
                below = self._board.is_covered(where) or is_below_leg(self._board, where)
                yield _End(where, _BELOW_A_BODY if below else 0.0)

    def _tree(self, net: str) -> list[Link]:
        """The links of one net, each the best that joins one piece more."""
        taken = {end for its in self._laid.values() for link in its for end in (link.start, link.end)}
        taken -= self._pins.keys()
        done, todo = [self._to_join[net][0]], self._to_join[net][1:]
        found: list[Link] = []
        while todo:
            best: tuple[float, Link, Piece] | None = None
            for near in done:
                for far in todo:
                    for link, cost in self._between(net, near, far, taken, best[0] if best else 1e9, found):
                        best = (cost, link, far)
            if best is None:
                raise DescriptionError(self._spell_failure(net, todo, taken))
            _, link, piece = best
            found.append(link)
            taken |= {link.start, link.end} - self._pins.keys()
            done.append(piece)
            todo.remove(piece)
        return found

    def _between(
        self, net: str, near: Piece, far: Piece, taken: set[Hole], worst: float, also: Sequence[Link]
    ) -> Iterator[tuple[Link, float]]:
        """Links between two pieces that are better than any before, and how bad each is."""
        for one in self._ends[near]:
            for other in self._ends[far]:
                if one.at in taken or other.at in taken:
                    continue
                start, end = min(one.at, other.at), max(one.at, other.at)
                link = Link(net, start, end, one.only_below or other.only_below)
                if crosses_screw(self._board, link):
                    continue
                least = link.length + one.penalty + other.penalty
                if least >= worst:
                    continue
                cost, link = min(self._laid_on_either_side(link, also), key=lambda it: it[0])
                cost += one.penalty + other.penalty
                if cost < worst:
                    worst = cost
                    yield link, cost

    def _laid_on_either_side(self, link: Link, also: Sequence[Link]) -> Iterator[tuple[float, Link]]:
        others = [*(other for its in self._laid.values() for other in its), *also]
        slanting = _SLANTING if link.start.column != link.end.column and link.start.row != link.end.row else 0.0
        for below in {True, link.copper_side}:
            if not below and any(self._passes(link, part.body) for part in self._board.parts.values()):
                continue
            beside = [other for other in others if other.copper_side == below]
            cost = link.length + slanting + (_COPPER_SIDE if below else 0.0)
            cost += sum(_ON_ANOTHER if _lie_on_each_other(link, other) else 0.0 for other in beside)
            cost += sum(_ACROSS if _cross(link, other) else 0.0 for other in beside)
            cost += _ON_ANOTHER * self._holes_passed(link) * 0.05
            yield cost, Link(link.net, link.start, link.end, below)

    def _passes(self, link: Link, body: Box) -> bool:
        """Whether a wire would go over or under a body."""
        (x, y), (to_x, to_y) = self._board.place(link.start), self._board.place(link.end)
        if not Box(
            min(x, to_x) - _BESIDE_MM, min(y, to_y) - _BESIDE_MM, max(x, to_x) + _BESIDE_MM, max(y, to_y) + _BESIDE_MM
        ).meets(body):
            return False
        steps = max(2, int(link.length * PITCH / 0.4))
        return any(
            body.covers(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps, _BESIDE_MM)
            for step in range(steps + 1)
        )

    def _holes_passed(self, link: Link) -> int:
        """How many pins lie right under an upright or level wire."""
        return sum(_is_on(link, where) for where in self._pins)

    def _cost(self, its: Sequence[Link]) -> float:
        total = 0.0
        for at, link in enumerate(its):
            ends = [self._end(end) for end in (link.start, link.end)]
            cost, _ = min(
                (it for it in self._laid_on_either_side(link, its[:at]) if it[1].copper_side == link.copper_side),
                key=lambda it: it[0],
            )
            total += cost + sum(ends)
        return total

    def _end(self, where: Hole) -> float:
        return next(end.penalty for its in self._ends.values() for end in its if end.at == where)

    def _spell_failure(self, net: str, todo: Sequence[Piece], taken: set[Hole]) -> str:
        full = [piece for piece in self._to_join[net] if all(end.at in taken for end in self._ends[piece])]
        piece = (full or list(todo))[0]
        return (
            f"stripboards.toml: {self._board.key}: {net} can't be joined: {piece}, with "
            f"{', '.join(str(at) for at in piece.pins)}, has no free hole for a link. Move a part along the strip."
        )


def crosses_screw(board: Board, link: Link) -> bool:
    """Whether a wire, on either side, would lie where a screw goes through or the board is sawn away."""
    start, end = board.place(link.start), board.place(link.end)
    return any(distance(start, end, (one.x, one.y)) < one.diameter / 2 + CLEAR_MM for one in board.drilled)


def _is_on(link: Link, where: Hole) -> bool:
    """Whether a hole lies on the way of a link, but at neither end."""
    if where in (link.start, link.end):
        return False
    if _turn(link.start, link.end, where) != 0:
        return False
    columns = sorted((link.start.column, link.end.column))
    rows = sorted((link.start.row, link.end.row))
    return columns[0] <= where.column <= columns[1] and rows[0] <= where.row <= rows[1]


def _lie_on_each_other(one: Link, other: Link) -> bool:
    """Return whether two links couldn't be distinguished: one goes over an end of the other, or along it."""
    return any(_is_on(one, end) for end in (other.start, other.end)) or any(
        _is_on(other, end) for end in (one.start, one.end)
    )


def _cross(one: Link, other: Link) -> bool:
    """Whether two links cross each other between their ends."""
    return (
        _turn(one.start, one.end, other.start) * _turn(one.start, one.end, other.end) < 0
        and _turn(other.start, other.end, one.start) * _turn(other.start, other.end, one.end) < 0
    )


def _turn(start: Hole, end: Hole, where: Hole) -> int:
    """On which side of a line a hole is; 0 if on it."""
    return (end.column - start.column) * (where.row - start.row) - (end.row - start.row) * (where.column - start.column)
