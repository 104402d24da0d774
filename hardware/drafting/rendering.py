"""Pictures of bodies, as in a manual: parallel projection, flat shades, dark edges, names at the side. Drawn by numpy,
so that neither a screen nor a graphics card is needed. Must not know what the bodies stand for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import cos, radians, sin
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageColor, ImageDraw, ImageFont

from drafting import generated
from drafting.bodies import Body, Move, Printed, solid, triangles
from drafting.parts import DescriptionError

mpl: Any = import_module("matplotlib")

_FINER = 2
"""So many times finer than the picture it is drawn."""
_BORDER = 24
_LABELS = 250
"""Room at either side for names, in pixels."""
_FONT_SIZE = 21
_LIGHT = np.array([-0.45, 0.35, 0.82])
_INK, _FAINT = (29, 39, 51), (120, 130, 142)
_EDGE_COSINE = 0.85
"""Faces that meet at more than about 30 degrees have an edge between them."""
_COLOURS = 96


Label: TypeAlias = tuple[str, str] | tuple[str, str, Move]
"""The name of a body, what is written at it, and perhaps where its dot belongs: as parts of the body's own extent, from
(0, 0, 0) to (1, 1, 1). Otherwise the dot is as far inside what is seen of it as can be."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Bodies as they are looked at: from so many degrees to the left of the front (`turn`) and above (`tilt`).
    `guides` are dashed lines from point to point in mm, along which something is put in its place; `clear` are bodies
    that are seen through."""

    name: str
    bodies: tuple[Body, ...]
    labels: tuple[Label, ...] = ()
    guides: tuple[tuple[Move, Move], ...] = ()
    clear: frozenset[str] = frozenset()
    turn: float = 30
    tilt: float = 35
    size: tuple[int, int] = (1300, 900)


def picture(scene: Scene) -> bytes:
    """A PNG of a scene, which says what it was made from; DescriptionError if something named can't be seen in it."""
    fine = tuple(each * _FINER for each in scene.size)
    solids = [triangles(solid(body)) for body in scene.bodies]
    faces = [_seen_from(scene, each) for each in solids]
    whole = np.concatenate(faces).reshape(-1, 3)
    low, high = whole.min(0), whole.max(0)
    labels = _LABELS if scene.labels else 0
    room = np.array([fine[0] - 2 * _FINER * (_BORDER + labels), fine[1] - 2 * _FINER * _BORDER])
    scale = float((room / (high - low)[:2]).min())
    shift = np.array([*(np.array(fine) / 2 - scale * (low + high)[:2] / 2), 0])
    placed = [face * scale + shift for face in faces]
    solid_ones = [each for each, body in enumerate(scene.bodies) if body.name not in scene.clear]
    clear_ones = [each for each in range(len(scene.bodies)) if each not in solid_ones]
    image, depth, owner = _drawn(scene, placed, solid_ones, fine)
    if clear_ones:
        over, over_depth, over_owner = _drawn(scene, placed, clear_ones, fine)
        nearer = (over_owner >= 0) & (over_depth > depth)
        image[nearer] = 0.62 * image[nearer] + 0.38 * over[nearer]
        owner = np.where(nearer & (owner < 0), over_owner, owner)
    finished = Image.fromarray(image.clip(0, 255).astype(np.uint8)).resize(scene.size, Image.Resampling.LANCZOS)

    def on_paper(point: np.ndarray) -> tuple[float, float]:
        x, y, _ = (_seen_from(scene, point) * scale + shift) / _FINER
        return float(x), float(y)

    for guide in scene.guides:
        _draw_guide(finished, *(on_paper(np.array(end, dtype=float)) for end in guide))
    wanted = [_wanted(scene, label, solids, on_paper) for label in scene.labels]
    _write_labels(finished, scene, owner, wanted)
    return generated.png(finished, source(scene), _COLOURS)


def source(scene: Scene) -> str:
    """What stands for everything that a picture depends on. Two machines needn't draw it alike to the last bit, so this
    is compared and not the picture."""
    said = hashlib.sha256(Path(__file__).read_bytes())
    said.update(
        repr((scene.name, scene.labels, scene.guides, sorted(scene.clear), scene.turn, scene.tilt, scene.size)).encode()
    )
    for body in scene.bodies:
        said.update(repr((body.name, body.shapes, body.holes, body.colour, body.at)).encode())
        for shape in body.shapes:
            if isinstance(shape, Printed):
                said.update(shape.stl)
    return said.hexdigest()


def is_current(png: Path, scene: Scene) -> bool:
    """Whether the picture that is there, if one is, was made from this scene."""
    return generated.is_from(png, source(scene))


def _seen_from(scene: Scene, faces: np.ndarray) -> np.ndarray:
    """Right, down and towards the eye."""
    a, b = radians(scene.turn), radians(scene.tilt)
    turned = np.array(
        [[cos(a), sin(a), 0], [-sin(a) * sin(b), cos(a) * sin(b), cos(b)], [sin(a) * cos(b), -cos(a) * cos(b), sin(b)]]
    )
    turned[1] *= -1
    return faces @ turned.T


def _drawn(
    scene: Scene, placed: Sequence[np.ndarray], which: Sequence[int], size: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colours, depth and whose each pixel is, -1 for nobody's."""
    width, height = size
    depth = np.full((height, width), -np.inf)
    owner = np.full((height, width), -1)
    normals = np.zeros((height, width, 3))
    for number in which:
        for face in placed[number]:
            _draw_face(face, number, depth, owner, normals)
    colours = np.array([ImageColor.getrgb(body.colour)[:3] for body in scene.bodies] + [(255, 255, 255)], dtype=float)
    light = (normals * (_LIGHT / np.linalg.norm(_LIGHT))).sum(2)
    shade = np.where(owner >= 0, 0.66 + 0.4 * light, 1.0)
    image = colours[owner] * shade[..., None]
    image[_edges(depth, owner, normals)] = _INK
    return image, depth, owner


def _draw_face(face: np.ndarray, number: int, depth: np.ndarray, owner: np.ndarray, normals: np.ndarray) -> None:
    a, b, c = face
    across = np.cross(b - a, c - a)
    # down is the second axis here, so what faces the eye turns the other way
    if across[2] >= 0:
        return
    left, top = np.floor(face[:, :2].min(0)).astype(int)
    right, bottom = np.ceil(face[:, :2].max(0)).astype(int) + 1
    ys, xs = np.mgrid[top:bottom, left:right] + 0.5
    u = ((b[1] - c[1]) * (xs - c[0]) + (c[0] - b[0]) * (ys - c[1])) / across[2]
    v = ((c[1] - a[1]) * (xs - c[0]) + (a[0] - c[0]) * (ys - c[1])) / across[2]
    w = 1 - u - v
    there = np.s_[top:bottom, left:right]
    z = u * a[2] + v * b[2] + w * c[2]
    seen = (u >= -1e-9) & (v >= -1e-9) & (w >= -1e-9) & (z > depth[there])
    depth[there][seen] = z[seen]
    owner[there][seen] = number
    normal = -across / np.linalg.norm(across)
    normals[there][seen] = normal * (1, -1, 1)


def _edges(depth: np.ndarray, owner: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Where one body ends before another, or two faces meet."""
    found = np.zeros(owner.shape, dtype=bool)
    far = np.where(np.isfinite(depth), depth, -1e4)
    for axis in (0, 1):
        here, there = (np.s_[:-1], np.s_[1:]) if axis == 0 else (np.s_[:, :-1], np.s_[:, 1:])
        differs = owner[here] != owner[there]
        differs |= ((normals[here] * normals[there]).sum(2) < _EDGE_COSINE) & (owner[here] >= 0)
        # the same plane goes on, but farther away
        slope = np.abs(normals[here][..., :2]).max(2) / np.maximum(normals[here][..., 2], 0.05)
        differs |= np.abs(far[here] - far[there]) > 4 + 2 * slope
        found[here] |= differs
        found[there] |= differs
    return found


def _draw_guide(image: Image.Image, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A dashed line."""
    pen, steps = ImageDraw.Draw(image), max(1, round(float(np.hypot(end[0] - start[0], end[1] - start[1])) / 12))
    for step in range(steps):
        ends = [
            tuple(a + (b - a) * (step + part) / steps for a, b in zip(start, end, strict=True)) for part in (0.0, 0.55)
        ]
        pen.line(ends, fill=_INK, width=2)


def _wanted(
    scene: Scene, label: Label, solids: Sequence[np.ndarray], on_paper: Callable[[np.ndarray], tuple[float, float]]
) -> tuple[float, float] | None:
    """Where the dot of a label is to be, in pixels of the picture; None if anywhere on its body."""
    if len(label) == 2:
        return None
    points = np.concatenate(
        [each.reshape(-1, 3) for each, body in zip(solids, scene.bodies, strict=True) if body.name == label[0]]
    )
    low, high = points.min(0), points.max(0)
    return on_paper(low + (high - low) * np.array(label[2]))


def innermost(seen: np.ndarray) -> tuple[float, float]:
    """The pixel of an area that is farthest from its edge; of several the one nearest to their middle."""
    ys, xs = np.nonzero(seen)
    top, left = ys.min(), xs.min()
    area = np.pad(seen[top : ys.max() + 1, left : xs.max() + 1], 1)
    while True:
        less = area[1:-1, 1:-1] & area[:-2, 1:-1] & area[2:, 1:-1] & area[1:-1, :-2] & area[1:-1, 2:]
        if not less.any():
            break
        area = np.pad(less, 1)
    ys, xs = np.nonzero(area)
    nearest = int(np.argmin((xs - xs.mean()) ** 2 + (ys - ys.mean()) ** 2))
    return float(xs[nearest] - 1 + left), float(ys[nearest] - 1 + top)


def _write_labels(
    image: Image.Image, scene: Scene, owner: np.ndarray, wanted: Sequence[tuple[float, float] | None]
) -> None:
    """Each name at the side that is nearer, with a line to what it names."""
    font = ImageFont.truetype(Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", _FONT_SIZE)
    pen, (width, height) = ImageDraw.Draw(image), scene.size
    anchors: list[tuple[float, float, str]] = []
    for (name, text, *_), at in zip(scene.labels, wanted, strict=True):
        ids = [number for number, body in enumerate(scene.bodies) if body.name == name]
        seen = np.isin(owner, ids)
        if not seen.any():
            raise DescriptionError(f"In the picture {scene.name}, {name} can't be seen.")
        if at is None:
            x, y = innermost(seen)
        else:
            ys, xs = np.nonzero(seen)
            nearest = int(np.argmin((xs - at[0] * _FINER) ** 2 + (ys - at[1] * _FINER) ** 2))
            x, y = float(xs[nearest]), float(ys[nearest])
        anchors.append((x / _FINER, y / _FINER, text))
    anchors.sort()
    half = (len(anchors) + 1) // 2
    for side, these in ((0, anchors[:half]), (1, anchors[half:])):
        step, taken = _FONT_SIZE * 2.6, -1e9
        ordered = sorted(these, key=lambda anchor: anchor[1])
        # pushed down by those above, and up again from the lower edge
        rows: list[float] = []
        for _, y, _ in ordered:
            taken = max(y, taken + step)
            rows.append(taken)
        limit = height - _BORDER - _FONT_SIZE
        for each in reversed(range(len(rows))):
            rows[each] = min(rows[each], limit)
            limit = rows[each] - step
        for (x, y, text), row in zip(ordered, rows, strict=True):
            start = _BORDER if side == 0 else width - _BORDER
            lines = text.split("\n")
            long = max(pen.textlength(line, font) for line in lines)
            pen.multiline_text((start, row), text, _INK, font, "lm" if side == 0 else "rm", align="left")
            end = start + long + 8 if side == 0 else start - long - 8
            pen.line([(end, row), (x, y)], fill=_FAINT, width=2)
            pen.ellipse([x - 5, y - 5, x + 5, y + 5], fill=_INK, outline=(255, 255, 255))
