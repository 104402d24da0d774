"""Bodies in millimetres, made of boxes, cylinders and printed parts, and how they lie to one another. Must not know
what they stand for."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from manifold3d import Error, Manifold, Mesh, OpType

from drafting.parts import DescriptionError

_HEAD, _FACE = 84, 50
"""Bytes of a binary STL: before the first face, and of a face."""
_ROUND = 48
"""Sides of what is round."""
_TURNS = {"x": (0.0, 90.0, 0.0), "y": (-90.0, 0.0, 0.0), "z": (0.0, 0.0, 0.0)}
Move: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """From its corner of the lowest numbers."""

    x: float
    y: float
    z: float
    width: float
    length: float
    height: float


@dataclass(frozen=True, slots=True)
class Cylinder:
    """From the middle of its lower end, upwards or along `axis`."""

    x: float
    y: float
    z: float
    diameter: float
    height: float
    top_diameter: float | None = None
    axis: str = "z"


@dataclass(frozen=True, slots=True)
class Printed:
    """What a binary STL holds, moved; `over` is the length and height about which it was turned over first."""

    stl: bytes = field(repr=False)
    x: float = 0
    y: float = 0
    z: float = 0
    over: tuple[float, float] | None = None


Shape: TypeAlias = Box | Cylinder | Printed


@dataclass(frozen=True, slots=True)
class Body:
    """Something with a name. What is in one `unit` is put together before; `enters` names bodies that it may go into,
    `touches` bodies or units that it may lie on. Metal and copper disturb an antenna."""

    name: str
    unit: str
    shapes: tuple[Shape, ...]
    holes: tuple[Shape, ...] = ()
    colour: str = "#9aa0a6"
    enters: frozenset[str] = frozenset()
    touches: frozenset[str] = frozenset()
    metal: bool = False
    copper: bool = False
    at: Move = (0, 0, 0)

    def moved(self, x: float = 0, y: float = 0, z: float = 0) -> Body:
        """The same elsewhere."""
        return replace(self, at=(self.at[0] + x, self.at[1] + y, self.at[2] + z))

    def may_enter(self, other: Body) -> bool:
        """Whether it may go into another."""
        return other.name in self.enters

    def may_touch(self, other: Body) -> bool:
        """Whether it may lie on another."""
        return self.unit == other.unit or self.may_enter(other) or bool(self.touches & {other.name, other.unit})


@cache
def solid(body: Body) -> Manifold:
    """What a body fills."""
    whole = [Manifold.batch_boolean([_solid(shape) for shape in body.shapes], OpType.Add), *map(_solid, body.holes)]
    return Manifold.batch_boolean(whole, OpType.Subtract).translate(body.at)


@cache
def overlap(one: Body, other: Body) -> Manifold:
    """What two bodies both fill."""
    return solid(one) ^ solid(other)


def extent(what: Manifold) -> tuple[Move, Move]:
    """The lowest and highest numbers of something, in mm."""
    given: Any = what
    box = given.bounding_box()
    return box[:3], box[3:]


def least_extent(what: Manifold) -> float:
    """How far something reaches in the direction in which that is least, in mm."""
    return min(high - low for low, high in zip(*extent(what), strict=True))


def height(what: Manifold) -> float:
    """How high something is, in mm; 0 for nothing."""
    low, high = extent(what)
    return 0.0 if what.is_empty() else high[2] - low[2]


@cache
def gap(one: Body, other: Body, most: float) -> float:
    """How far apart two bodies are, in mm; `most` if it is more."""
    return solid(one).min_gap(solid(other), most)


def triangles(what: Manifold) -> np.ndarray:
    """The faces, outside by the right hand: an array of (faces, 3 corners, 3 numbers)."""
    mesh: Any = what.to_mesh()
    return np.asarray(mesh.vert_properties, dtype=float)[:, :3][np.asarray(mesh.tri_verts)]


def read_stl(stl: bytes) -> Manifold:
    """What a binary STL holds; DescriptionError if that isn't a closed solid."""
    count = struct.unpack_from("<I", stl, _HEAD - 4)[0]
    numbers = np.frombuffer(stl[_HEAD : _HEAD + count * _FACE], dtype=np.dtype("<12f4, <u2"))["f0"]
    corners, faces = np.unique(numbers[:, 3:].reshape(-1, 3), axis=0, return_inverse=True)
    made = Manifold(Mesh(corners.astype(np.float32), faces.reshape(-1, 3).astype(np.uint32)))
    if made.status() != Error.NoError or made.is_empty():
        raise DescriptionError(f"a printed part is no closed solid: {made.status().name}")
    return made


def _solid(shape: Shape) -> Manifold:
    match shape:
        case Box():
            size = (shape.width, shape.length, shape.height)
            return Manifold.cube(size).translate((shape.x, shape.y, shape.z))
        case Cylinder():
            top = shape.diameter if shape.top_diameter is None else shape.top_diameter
            made = Manifold.cylinder(shape.height, shape.diameter / 2, top / 2, _ROUND)
            return made.rotate(_TURNS[shape.axis]).translate((shape.x, shape.y, shape.z))
        case Printed():
            made = read_stl(shape.stl)
            if shape.over is not None:
                made = made.rotate((180, 0, 0)).translate((0, *shape.over))
            return made.translate((shape.x, shape.y, shape.z))
