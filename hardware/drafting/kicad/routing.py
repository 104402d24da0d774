"""Tracks between pads, found on a grid: the cheapest way on two layers from pad to pad, and where nothing is free, the
tracks that are in the way are taken up and laid anew. The same board always gives the same tracks. Ground isn't routed:
it is copper on both sides, and each flat ground pad gets a via beside it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from math import ceil, floor, hypot
from typing import Any, TypeAlias

import numpy as np

from drafting.boards import Board, pads_on
from drafting.footprints import Rectangle
from drafting.parts import DescriptionError

GRID_MM = 0.25
CLEARANCE_MM, EDGE_MM = 0.2, 0.5
_ROOM_MM = CLEARANCE_MM + 0.025
"""A little more: between the cells of a slanted track it is nearer."""
TRACK_MM, GROUND_TRACK_MM = 0.3, 0.5
VIA_MM, DRILL_MM = 0.8, 0.4
GROUND = "GND"
FRONT, BACK = 0, 1
_VIA_COST, _BACK_COST, _BEND_COST, _CROSSING_COST = 10.0, 1.5, 0.4, 25.0
_STITCH_MM = 6.0
_LONG = 20
_FIDUCIAL_MM = 1.05
"""From the middle of a fiducial, free of copper."""
_ROUNDS = 400

Cell: TypeAlias = tuple[int, int, int]
"""Layer, row from the lower edge, column."""
Mask: TypeAlias = Any  # of numpy: layers × rows × columns
_STEPS = [(dy, dx, hypot(dy, dx)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]


@dataclass(frozen=True, slots=True)
class Track:
    """A straight piece of copper from point to point, in mm from the board's lower left corner."""

    net: str
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]
    width: float


@dataclass(frozen=True, slots=True)
class Via:
    """A hole that joins both sides."""

    net: str
    at: tuple[float, float]


@dataclass(slots=True)
class _Pad:
    """A pad of a net, with the cells in it from which a track can begin; `within` is the area of a header of several
    rows that it belongs to."""

    net: str | None
    area: Rectangle
    layers: tuple[int, ...]
    within: Rectangle | None
    cells: list[Cell] = field(default_factory=list[Cell])


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """What was laid in one go: cells from pad to pad, and the width. Each is a thing of its own, and a key as such."""

    net: str
    cells: tuple[Cell, ...]
    width: float

    @property
    def vias(self) -> list[tuple[int, int]]:
        return [here[1:] for here, there in zip(self.cells, self.cells[1:], strict=False) if here[0] != there[0]]


class _Grid:
    """Where there is room on a board for the middle of a track or of a via."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.rows, self.columns = (round(side / GRID_MM) + 1 for side in reversed(board.size))
        self.pads = list(self._pads())
        self._fixed: dict[float, Mask] = {}
        self._own_fixed: dict[tuple[str, float], Mask] = {}
        self.no_via = self._holes()

    def _pads(self) -> Iterable[_Pad]:
        for part in self._board.parts:
            for pad, area in pads_on(part):
                layers = (FRONT, BACK) if pad.drill else (FRONT,)
                within = part.area(part.footprint.courtyard) if pad.drill and len(part.footprint.pads) > _LONG else None
                found = _Pad(self._board.net_of(part.reference, pad.number), area, layers, within)
                # corners of a round pad are no copper
                shrunk = _wider(area, -0.15 * min(pad.width, pad.height) if pad.drill else -0.1)
                found.cells = [(layer, *cell) for layer in layers for cell in self._inside(shrunk)]
                yield found

    def _inside(self, area: Rectangle) -> list[tuple[int, int]]:
        left, low, right, top = (side / GRID_MM for side in area)
        rows = range(max(0, ceil(low - 1e-6)), min(self.rows - 1, floor(top + 1e-6)) + 1)
        columns = range(max(0, ceil(left - 1e-6)), min(self.columns - 1, floor(right + 1e-6)) + 1)
        return [(row, column) for row in rows for column in columns]

    def empty(self) -> Mask:
        return np.zeros((2, self.rows, self.columns), dtype=np.int16)

    def add_area(self, mask: Mask, layers: Iterable[int], area: Rectangle, room: float) -> None:
        """One more at all cells nearer to a rectangle than that."""
        left, low, right, top = area
        rows = np.arange(self.rows) * GRID_MM
        columns = np.arange(self.columns) * GRID_MM
        y = np.maximum(np.maximum(low - rows, rows - top), 0.0)
        x = np.maximum(np.maximum(left - columns, columns - right), 0.0)
        r0, r1 = np.searchsorted(rows, [low - room, top + room])
        c0, c1 = np.searchsorted(columns, [left - room, right + room])
        near = np.hypot(y[r0 : r1 + 1, None], x[None, c0 : c1 + 1]) < room - 1e-6
        for layer in layers:
            mask[layer, r0 : r1 + 1, c0 : c1 + 1] += near

    def fixed(self, half: float) -> Mask:
        """What pads, holes and edges keep free of tracks of half that width: how many of them at each cell."""
        if half not in self._fixed:
            mask = self.empty()
            for pad in self.pads:
                self.add_area(mask, pad.layers, pad.area, half + _ROOM_MM)
            self._edges(mask, half + EDGE_MM)
            self._fixed[half] = mask
        return self._fixed[half]

    def own_fixed(self, net: str, half: float) -> Mask:
        """How many of them are the net's own."""
        if (net, half) not in self._own_fixed:
            mask = self.empty()
            for pad in self.pads:
                if pad.net == net:
                    self.add_area(mask, pad.layers, pad.area, half + _ROOM_MM)
            self._own_fixed[net, half] = mask
        return self._own_fixed[net, half]

    def _edges(self, mask: Mask, room: float) -> None:
        width, height = self._board.size
        both = (FRONT, BACK)
        for area in ((-9, -9, width + 9, 0), (-9, height, width + 9, height + 9), (-9, -9, 0, height + 9)):
            self.add_area(mask, both, area, room)
        self.add_area(mask, both, (width, -9, width + 9, height + 9), room)
        for notch in self._board.notches:
            self.add_area(mask, both, notch, room)
        for area in self._board.bare:
            self.add_area(mask, both, area, room - EDGE_MM + 0.05)
        for x, y, diameter in self._drilled():
            self.add_area(mask, both, (x, y, x, y), diameter / 2 + room)
        for x, y in self._board.fiducials:
            self.add_area(mask, (FRONT,), (x, y, x, y), room - EDGE_MM + _FIDUCIAL_MM)
        for area in self._bare():
            self.add_area(mask, (FRONT,), area, room - EDGE_MM + 0.05)

    def _bare(self) -> Iterable[Rectangle]:
        return (part.area(area) for part in self._board.parts for area in part.footprint.bare)

    def _drilled(self) -> Iterable[tuple[float, float, float]]:
        yield from self._board.holes
        for part in self._board.parts:
            for hole in part.footprint.holes:
                yield *part.point(hole.x, hole.y), hole.diameter

    def _holes(self) -> Mask:
        """Where no via goes, whatever its net: in pads."""
        mask = self.empty()
        for pad in self.pads:
            self.add_area(mask, (FRONT, BACK), pad.area, VIA_MM / 2 + 0.1)
        for area in self._bare():
            self.add_area(mask, (FRONT, BACK), area, VIA_MM / 2)
        for x, y in self._board.fiducials:
            self.add_area(mask, (FRONT, BACK), (x, y, x, y), VIA_MM / 2 + _FIDUCIAL_MM)
        return mask

    def way_mask(self, way: _Way, half: float) -> Mask:
        """What a way keeps free of others' tracks of half that width."""
        mask = self.empty()
        for layer, row, column in way.cells:
            x, y = column * GRID_MM, row * GRID_MM
            self.add_area(mask, (layer,), (x, y, x, y), way.width / 2 + _ROOM_MM + half)
        for row, column in way.vias:
            x, y = column * GRID_MM, row * GRID_MM
            self.add_area(mask, (FRONT, BACK), (x, y, x, y), VIA_MM / 2 + _ROOM_MM + half)
        return np.minimum(mask, 1)


def _wider(area: Rectangle, by: float) -> Rectangle:
    return area[0] - by, area[1] - by, area[2] + by, area[3] + by


class _Router:
    """Lays the tracks of one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.grid = _Grid(board)
        self._ways: dict[str, list[_Way]] = defaultdict(list)
        self._masks: dict[tuple[_Way, float], Mask] = {}
        self._used: dict[float, Mask] = {}
        self._tried: dict[str, int] = defaultdict(int)

    def route(self) -> list[_Way]:
        """All ways; DescriptionError if there is none for a net."""
        self._ground()
        waiting = sorted((net for net in self._board.nets if net != GROUND), key=self._order)
        for _ in range(_ROUNDS):
            if not waiting:
                return [way for ways in self._ways.values() for way in ways]
            waiting += self._lay(waiting.pop(0))
        raise DescriptionError(f"{self._board.title}: no room for the tracks of {', '.join(waiting)}.")

    def _order(self, net: str) -> tuple[bool, float]:
        """Wide ones first, then short ones."""
        areas = [pad.area for pad in self.grid.pads if pad.net == net]
        left, low, right, top = zip(*areas, strict=True)
        return net not in self._board.wide, max(right) - min(left) + max(top) - min(low)

    def _ground(self) -> None:
        """A via beside each flat ground pad; for those of a long header one outside, as tracks may close it in."""
        for pad in self.grid.pads:
            if pad.net == GROUND and (BACK not in pad.layers or pad.within):
                start = [cell for cell in pad.cells if cell[0] == FRONT]
                way = self._search(GROUND, start, partial(_below, pad.within), None, GROUND_TRACK_MM)
                if way is None:
                    raise DescriptionError(f"{self._board.title}: no room for a via at the ground pad at {pad.area}.")
                self._keep(way)

    def _lay(self, net: str) -> list[str]:
        """Join all pads of a net; the nets that had to be taken up for it."""
        self._tried[net] += 1
        taken_up: list[str] = []
        pads = [pad for pad in self.grid.pads if pad.net == net]
        joined, loose = list(pads[0].cells), pads[1:]
        while loose:
            middle = {id(pad): _middle(pad.area) for pad in loose}
            nearest = min(loose, key=lambda pad: min(_distance(cell, middle[id(pad)]) for cell in joined))
            goal = set(nearest.cells)
            way = None
            for width in dict.fromkeys((self._board.wide.get(net, TRACK_MM), 0.6, TRACK_MM)):
                if width <= self._board.wide.get(net, TRACK_MM):
                    way = self._search(net, joined, goal.__contains__, middle[id(nearest)], width)
                if way:
                    break
            if way is None:
                raise DescriptionError(f"{self._board.title}: there is no way for {net} at all.")
            for other in self._in_the_way(way):
                taken_up.append(other)
                self._take_up(other)
            self._keep(way)
            joined += [*way.cells, *nearest.cells]
            loose.remove(nearest)
        return taken_up

    def _keep(self, way: _Way) -> None:
        self._ways[way.net].append(way)
        for half, used in self._used.items():
            used += self._mask(way, half)

    def _take_up(self, net: str) -> None:
        for way in self._ways.pop(net):
            for half, used in self._used.items():
                used -= self._mask(way, half)
                del self._masks[way, half]

    def _mask(self, way: _Way, half: float) -> Mask:
        found = self._masks.get((way, half))
        if found is None:
            found = self._masks[way, half] = self.grid.way_mask(way, half)
        return found

    def _in_use(self, half: float) -> Mask:
        """How many ways keep each cell free of tracks of half that width."""
        if half not in self._used:
            self._used[half] = self.grid.empty()
            for ways in self._ways.values():
                for way in ways:
                    self._used[half] += self._mask(way, half)
        return self._used[half]

    def _in_the_way(self, way: _Way) -> list[str]:
        """The nets that a new way comes too near to."""
        cells = np.array(way.cells).T
        vias = np.array(way.vias).T
        found: list[str] = []
        for net, ways in self._ways.items():
            if net == way.net:
                continue
            for other in ways:
                near = self._mask(other, way.width / 2)[cells[0], cells[1], cells[2]].any()
                if len(vias):
                    near = near or self._mask(other, VIA_MM / 2)[:, vias[0], vias[1]].any()
                if near:
                    found.append(net)
                    break
        return found

    def _search(self, net: str, start: Sequence[Cell], reached: Any, towards: Any, width: float) -> _Way | None:
        """The cheapest way from any of these cells to one that is a goal; other nets' tracks may be crossed at a price,
        but never ground's vias."""
        grid = self.grid
        hard = {half: grid.fixed(half) - grid.own_fixed(net, half) > 0 for half in (width / 2, VIA_MM / 2)}
        soft = {half: self._in_use(half).copy() for half in hard}
        for half, used in soft.items():
            for way in self._ways.get(net, []):
                used -= self._mask(way, half)
            if net != GROUND:
                for way in self._ways[GROUND]:
                    hard[half] |= self._mask(way, half) > 0
        blocked, price = hard[width / 2].tolist(), soft[width / 2].tolist()
        no_via = (hard[VIA_MM / 2].any(axis=0) | grid.no_via.any(axis=0)).tolist()
        via_price = soft[VIA_MM / 2].max(axis=0).tolist()
        if net == GROUND:
            blocked = (hard[width / 2] | (soft[width / 2] > 0)).tolist()
            no_via = (np.array(no_via) | (np.array(via_price) > 0)).tolist()
        crossing = _CROSSING_COST * (1 + 0.5 * self._tried[net])
        best: dict[Cell, float] = dict.fromkeys(start, 0.0)
        came: dict[Cell, Cell | None] = dict.fromkeys(start)
        queue: list[tuple[float, float, Cell]] = [(0.0, 0.0, cell) for cell in sorted(set(start))]
        while queue:
            _, cost, cell = heappop(queue)
            if cost > best[cell]:
                continue
            if reached(cell):
                return _Way(net, _back(came, cell), width)
            layer, row, column = cell
            before = came[cell]
            for dy, dx, length in _STEPS:
                y, x = row + dy, column + dx
                if not (0 <= y < grid.rows and 0 <= x < grid.columns) or blocked[layer][y][x]:
                    continue
                there = (layer, y, x)
                more = cost + length * (_BACK_COST if layer == BACK else 1.0) + crossing * min(price[layer][y][x], 3)
                if before and before[0] == layer and (row - before[1], column - before[2]) != (dy, dx):
                    more += _BEND_COST
                if more < best.get(there, 1e9):
                    best[there], came[there] = more, cell
                    heappush(queue, (more + _ahead(there, towards), more, there))
            if not no_via[row][column]:
                there = (1 - layer, row, column)
                more = cost + _VIA_COST + crossing * min(via_price[row][column], 3)
                if more < best.get(there, 1e9) and not blocked[1 - layer][row][column]:
                    best[there], came[there] = more, cell
                    heappush(queue, (more + _ahead(there, towards), more, there))
        return None


def _below(header: Rectangle | None, cell: Cell) -> bool:
    """Whether that is on the other side, and outside of a header."""
    y, x = cell[1] * GRID_MM, cell[2] * GRID_MM
    inside = header is not None and header[0] <= x <= header[2] and header[1] <= y <= header[3]
    return cell[0] == BACK and not inside


def _middle(area: Rectangle) -> tuple[float, float]:
    return (area[1] + area[3]) / 2 / GRID_MM, (area[0] + area[2]) / 2 / GRID_MM


def _distance(cell: Cell, middle: tuple[float, float]) -> float:
    return max(abs(cell[1] - middle[0]), abs(cell[2] - middle[1]))


def _ahead(cell: Cell, towards: tuple[float, float] | None) -> float:
    """What it costs at least from here, a pad's own size left out."""
    return max(0.0, _distance(cell, towards) - 8) if towards else 0.0


def _back(came: dict[Cell, Cell | None], cell: Cell) -> tuple[Cell, ...]:
    found = [cell]
    while (before := came[found[-1]]) is not None:
        found.append(before)
    return tuple(reversed(found))


def route(board: Board) -> tuple[list[Track], list[Via]]:
    """The tracks and vias of a board, in an order of their own; DescriptionError where there is no room."""
    router = _Router(board)
    ways = router.route()
    tracks = [track for way in ways for track in _tracks(way)]
    vias = {Via(way.net, _mm(*at)) for way in ways for at in way.vias}
    vias |= set(_stitches(router, ways))
    return sorted(tracks, key=repr), sorted(vias, key=repr)


def _tracks(way: _Way) -> Iterable[Track]:
    """Straight pieces, as long as they are."""
    start = way.cells[0]
    for before, here, after in zip(way.cells, way.cells[1:], [*way.cells[2:], None], strict=False):
        if here[0] != before[0]:
            start = here
        elif after is None or after[0] != here[0] or _direction(before, here) != _direction(here, after):
            yield Track(way.net, here[0], _mm(*start[1:]), _mm(*here[1:]), way.width)
            start = here


def _direction(one: Cell, other: Cell) -> tuple[int, int]:
    return other[1] - one[1], other[2] - one[2]


def _mm(row: int, column: int) -> tuple[float, float]:
    return column * GRID_MM, row * GRID_MM


def _stitches(router: _Router, ways: Sequence[_Way]) -> Iterable[Via]:
    """More vias between both sides' ground, some millimetres apart, wherever there is room."""
    grid, half = router.grid, VIA_MM / 2
    taken = (grid.fixed(half + 0.1) > 0).any(axis=0) | grid.no_via.any(axis=0)
    for way in ways:
        taken |= grid.way_mask(way, half + 0.1).any(axis=0)
    placed: list[tuple[float, float]] = [_mm(*at) for way in ways if way.net == GROUND for at in way.vias]
    for row in range(0, grid.rows, 2):
        for column in range(0, grid.columns, 2):
            x, y = _mm(row, column)
            if not taken[row, column] and all(hypot(x - a, y - b) >= _STITCH_MM for a, b in placed):
                placed.append((x, y))
                yield Via(GROUND, (x, y))
