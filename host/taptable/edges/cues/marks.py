"""Quota marks: a row of small blocks for each quota, full for what a team has and hollow for what it still needs. A
row that is backed up is closed to one bar. Drawn as large as the box allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image

from taptable.core.scoreboard import Mark
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import font

MARKS_HEIGHT = 6
_ICON_GAP = 2
_ICON_OVER = 1  # icons are a pixel taller than the marks


@dataclass(frozen=True, slots=True)
class _Grid:
    """Pixels of a mark, from a mark to the next, and between two quotas; the last is None where icons stand before
    the marks."""

    mark: int
    step: int
    between: int


_GRIDS = (_Grid(5, 6, 8), _Grid(4, 5, 5), _Grid(3, 4, 4), _Grid(2, 3, 3), _Grid(1, 2, 2), _Grid(1, 1, 2))


def draw_marks(canvas: Canvas, box: Box, marks: Sequence[Mark], icons: Mapping[str, Image.Image] | None = None) -> None:
    """All quotas side by side along the top of `box`, with icons if they are given and fit; nothing where even the
    smallest doesn't."""
    marks = [mark for mark in marks if mark.need]
    pictures = [_icon(mark, icons) for mark in marks] if icons is not None else []
    for grid in _GRIDS:
        if pictures and grid.mark >= 4 and _width(grid, marks, pictures) <= box.width:
            return _draw(canvas, box, grid, marks, pictures)
        if _width(grid, marks, []) <= box.width and not (pictures and grid.mark > 4):
            return _draw(canvas, box, grid, marks, [])
    return None


def _icon(mark: Mark, icons: Mapping[str, Image.Image]) -> Image.Image:
    """The quota's icon, or the first letter of its name."""
    small = font("small")
    return icons.get(mark.name) or small.glyphs.get(mark.name[:1].upper(), small.glyphs["missing"])


def _width(grid: _Grid, marks: Sequence[Mark], pictures: Sequence[Image.Image]) -> int:
    groups = sum(_span(grid, mark) for mark in marks) + grid.between * (len(marks) - 1)
    return groups + sum(picture.width + _ICON_GAP for picture in pictures)


def _span(grid: _Grid, mark: Mark) -> int:
    """Columns of one quota's marks."""
    return max(0, grid.step * (mark.need - 1) + grid.mark)


def _draw(canvas: Canvas, box: Box, grid: _Grid, marks: Sequence[Mark], pictures: Sequence[Image.Image]) -> None:
    x = box.x
    for index, mark in enumerate(marks):
        if pictures:
            x = _draw_icon(canvas, x, box.y - _ICON_OVER, mark, pictures[index])
        group = Box(x, box.y, _span(grid, mark), MARKS_HEIGHT)
        _draw_group(canvas, group, grid, mark)
        if mark.have > mark.need and grid.between >= 5 and group.right + 4 <= box.right:
            _draw_plus(canvas, group.right + 1, box.y)
        x = group.right + grid.between


def _draw_icon(canvas: Canvas, x: int, y: int, mark: Mark, picture: Image.Image) -> int:
    canvas.stamp(x, y, picture, mark.name)
    return x + picture.width + _ICON_GAP


def _draw_group(canvas: Canvas, group: Box, grid: _Grid, mark: Mark) -> None:
    what = f"{mark.name} {mark.have}/{mark.need}"
    if mark.secured:
        canvas.fill(group, what)
        canvas.fill(Box(group.x + 1, group.y + 2, group.width - 2, 2), what, black=True)
        return
    for n in range(mark.need):
        block = Box(group.x + n * grid.step, group.y, grid.mark, MARKS_HEIGHT)
        if n < mark.have:
            canvas.fill(block, what)
        elif grid.mark >= 4:
            canvas.frame(block, what)
        else:
            canvas.fill(Box(block.x, block.bottom - 1, block.width, 1), what)


def _draw_plus(canvas: Canvas, x: int, y: int) -> None:
    """More than needed."""
    canvas.fill(Box(x, y + 1, 3, 1), "+")
    canvas.fill(Box(x + 1, y, 1, 3), "+")
