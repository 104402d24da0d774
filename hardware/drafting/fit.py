"""Faults of the fit, in sentences: bodies that meet, metal near an antenna, screws too short or too long, a way into a
box that is barred, a pocket too deep for the top. Bodies are intersected as they are; no part is known by name here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import ceil

import numpy as np

from drafting.assemblies import Assembly, oled_assembly, reader_pad_assembly, seat_pad_assembly
from drafting.bodies import Body, Move, extent, gap, height, least_extent, overlap, read_stl, solid, triangles
from drafting.holders import centre_assembly, hub_assembly, sounder_assembly
from drafting.pads import LAYOUTS
from drafting.parts import Table
from drafting.placements import BoardParts
from drafting.reader_module import extreme_modules, usual_module
from drafting.table_box import NAMES as TABLE_BOXES
from drafting.table_box import table_box_assembly

_LEAST_MM3 = 0.01
"""Less than this two bodies may share: rounding."""
_TIP = 0.8
"""Least plastic below a screw's tip, in mm."""
_DEEPEST, _SKIN = 500.0, 0.001
_LOOKED_AT = ((1 / 3, 1 / 3, 1 / 3), (0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8))
"""Points of a face, by the weights of its corners."""


def assemblies(
    measures: Table, stl: Mapping[str, bytes], seat_board: BoardParts, centre_board: BoardParts
) -> list[Assembly]:
    """Everything that is put together, with what stands on both printed boards, and with the usual reader."""
    return [
        seat_pad_assembly(measures, seat_board, stl, usual_module(measures)),
        reader_pad_assembly(measures, stl, usual_module(measures)),
        oled_assembly(measures, "oled", stl),
        oled_assembly(measures, "oled_small", stl),
        centre_assembly(measures, centre_board, stl),
        hub_assembly(measures, stl),
        *(table_box_assembly(measures, kind, seat_board, stl, usual_module(measures)) for kind in TABLE_BOXES),
        sounder_assembly(measures, stl),
    ]


def with_every_reader(measures: Table, stl: Mapping[str, bytes], seat_board: BoardParts) -> Iterator[Assembly]:
    """The pads with the readers at the ends of the range, with a crystal wherever one may be."""
    for module in extreme_modules(measures):
        for pad in (
            seat_pad_assembly(measures, seat_board, stl, module),
            reader_pad_assembly(measures, stl, module),
            *(table_box_assembly(measures, kind, seat_board, stl, module) for kind in TABLE_BOXES),
        ):
            yield replace(pad, name=f"{pad.name} ({module.words})")


def misfits(measures: Table, assembled: Iterable[Assembly]) -> list[str]:
    """Everything that doesn't fit, in sentences; none if all does."""
    said = list(_top(measures))
    for assembly in assembled:
        found = [
            *collisions(assembly.bodies, measures["distances"]["clearance"]),
            *_near_the_antenna(assembly, measures["distances"]),
            *_screws(assembly),
            *_ways(assembly),
        ]
        said += [f"In {assembly.name}, {each}" for each in found]
    return said


def collisions(bodies: Iterable[Body], clearance: float) -> Iterator[str]:
    """The bodies that meet and shouldn't, or are nearer than `clearance` mm."""
    for one, other in combinations(bodies, 2):
        if one.may_enter(other) or other.may_enter(one):
            continue
        both = overlap(one, other)
        if both.volume() > _LEAST_MM3:
            yield f"{one.name} and {other.name} are {_mm(least_extent(both))} mm in one another."
        elif not (one.may_touch(other) or other.may_touch(one)):
            room = gap(one, other, clearance)
            if room < clearance - 1e-3:
                yield f"{one.name} and {other.name} have {_mm(room)} mm between them, and need {_mm(clearance)}."


def _near_the_antenna(assembly: Assembly, distances: Table) -> Iterator[str]:
    antenna = assembly.antenna
    if antenna is None:
        return
    for body in assembly.bodies:
        wanted = distances["metal_to_antenna"] if body.metal else distances["copper_to_antenna"] if body.copper else 0
        room = gap(body, antenna, wanted) if wanted else 0
        if room < wanted - 1e-3:
            yield f"{body.name}: {_mm(room)} mm from the antenna, and {_mm(wanted)} are needed."


def _screws(assembly: Assembly) -> Iterator[str]:
    for screws in assembly.screws:
        body, into = assembly.body(screws.name), assembly.body(screws.into)
        threads = [piece for piece in overlap(body, into).decompose() if piece.volume() > _LEAST_MM3]
        held = min(map(height, threads), default=0.0)
        if held < screws.least_held - 1e-3:
            yield f"{screws.name} are held by {_mm(held)} mm of {screws.into}, and need {_mm(screws.least_held)}."
        floor = extent(solid(into))[0][2]
        for thread in threads:
            left = extent(thread)[0][2] - floor
            if left < _TIP - 1e-3:
                yield f"{screws.name} leave {_mm(left)} mm of {screws.into} below them, and need {_mm(_TIP)}."


def _ways(assembly: Assembly) -> Iterator[str]:
    tray = assembly.unit("the tray")
    for unit, moves in assembly.ways.items():
        for body in assembly.unit(unit):
            met = [overlap(body.moved(*move), other) for move in _steps(moves) for other in tray]
            if any(each.volume() > _LEAST_MM3 for each in met):
                deepest = max(least_extent(each) for each in met if each.volume() > _LEAST_MM3)
                yield f"{body.name} meets the tray on its way in, by {_mm(deepest)} mm."


def _steps(moves: Sequence[Move]) -> Iterator[Move]:
    """Places on a way, at most a millimetre apart."""
    for start, end in pairwise(moves):
        way = np.subtract(end, start)
        count = max(1, ceil(float(np.abs(way).max())))
        for step in range(count + 1):
            x, y, z = np.add(start, way * step / count)
            yield float(x), float(y), float(z)


def _top(measures: Table) -> Iterator[str]:
    top, button = measures["top"], measures["button"]
    for which, layout in LAYOUTS.items():
        left = top["thickness"] - layout(measures).size[2]
        if left < top["least_left"]:
            yield (
                f"A pocket for {_NAMES[which]} leaves {_mm(left)} mm of a top of {_mm(top['thickness'])} mm, "
                f"and {_mm(top['least_left'])} are needed: glue a board below it, or take a thicker one."
            )
    panel, (least, most) = top["thickness"] - top["button_bore"], button["panel"]
    if not least <= panel <= most:
        holds = f"A button's thread holds in {_mm(least)} to {_mm(most)} mm"
        yield f"{holds}, and the bore below it leaves {_mm(panel)} mm."


def thin_spots(stl: bytes, least: float) -> list[tuple[float, tuple[float, ...]]]:
    """The places where a printed part is thinner than `least` mm, with the thickness. The thickness at a point of the
    surface is the distance from there straight inwards to the opposite surface; on each face the middle and three
    points near its corners are measured."""
    what, found = read_stl(stl), list[tuple[float, tuple[float, ...]]]()
    faces = triangles(what)
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    for face, normal in zip(faces, normals, strict=True):
        for weights in _LOOKED_AT:
            start = np.array(weights) @ face - _SKIN * normal
            hits = what.ray_cast(start, start - _DEEPEST * normal)
            thick = _SKIN + (_DEEPEST * hits[0].distance if hits else _DEEPEST)
            if thick < least - 1e-3:
                found.append((thick, tuple(round(float(each), 1) for each in start)))
    return found


def _mm(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


_NAMES = {
    "pad": "a seat's pad",
    "discard_pad": "a pad with a reader alone",
    "oled": "the scoreboard",
    "oled_small": "the small scoreboard",
}
