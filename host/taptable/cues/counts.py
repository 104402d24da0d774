"""Counts on a screen, such as the cards in a hand, each as an icon and a number, and the marks of the quotas. Knows no
game: icons are found by the names of the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from PIL import Image

from taptable.core.scoreboard import Count, Mark
from taptable.cues.canvas import Box, Canvas
from taptable.cues.text import SMALL

MARKS_HEIGHT = 6
"""Rows of the marks of a quota."""

_ICON_GAP = 2  # columns between an icon and its number
_MIN_GAP, _MAX_GAP = 5, 9  # between two counts

Icons = Mapping[str, Image.Image]


def _icon_of(name: str, icons: Icons) -> Image.Image:
    """Return a count's icon, or the first letter of its name."""
    return icons.get(name) or SMALL.glyphs.get(name[:1].upper(), SMALL.glyphs["missing"])


def count_text(count: Count) -> str:
    """Return a count as figures: ``3/10``, or ``3`` if it has no limit."""
    return str(count.have) if count.of is None else f"{count.have}/{count.of}"


def draw_counts(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Icons) -> None:
    """Draw as many counts as fit, from the first, side by side along the top of `box`."""
    widths = [count_width(count, icons) for count in counts]
    while widths and sum(widths) + _MIN_GAP * (len(widths) - 1) > box.width:
        widths.pop()
    if not widths or box.height < SMALL.height:
        return
    gap = min(_MAX_GAP, (box.width - sum(widths)) // max(1, len(widths) - 1))
    x = box.x
    for count, width in zip(counts, widths, strict=False):
        draw_count(canvas, x, box.y, count, icons)
        x += width + gap


def draw_column(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Icons) -> int:
    """Draw counts one under the other, distributed over the height of `box`, at its right edge. Return how many
    fitted."""
    most = (box.height + 3) // (SMALL.height + 3)
    shown = list(takewhile(lambda count: count_width(count, icons) <= box.width, counts))[:most]
    left = box.right - max((count_width(count, icons) for count in shown), default=0)
    for row, count in zip(box.lines(most, 0), shown, strict=False):
        draw_count(canvas, left, row.y + (row.height - SMALL.height) // 2, count, icons)
    return len(shown)


def count_width(count: Count, icons: Icons) -> int:
    """Return the columns that `draw_count` takes."""
    return _icon_of(count.name, icons).width + _ICON_GAP + SMALL.width(count_text(count))


def draw_count(canvas: Canvas, x: int, y: int, count: Count, icons: Icons) -> None:
    """Draw one count with its upper left corner at `x`, `y`."""
    icon = _icon_of(count.name, icons)
    canvas.stamp(x, y, icon, count.name)
    canvas.write_line(x + icon.width + _ICON_GAP, y, count_text(count), SMALL)


# --- quota marks: a row of small blocks each, full for what a team has and hollow for what it still needs ------------


class _Grid(NamedTuple):
    """Pixels of a mark, from a mark to the next, and between two quotas."""

    mark: int
    step: int
    between: int

    def width(self, mark: Mark) -> int:
        """Return the columns of one quota's marks."""
        return max(0, self.step * (mark.need - 1) + self.mark)


_GRIDS = (_Grid(5, 6, 8), _Grid(4, 5, 5), _Grid(3, 4, 4), _Grid(2, 3, 3), _Grid(1, 2, 2), _Grid(1, 1, 2))


def draw_marks(canvas: Canvas, box: Box, marks: Sequence[Mark], icons: Icons | None = None) -> None:
    """Draw all quotas side by side along the top of `box`, as large as possible, with icons if they are given and fit.
    Draw nothing if even the smallest marks don't fit."""
    marks = [mark for mark in marks if mark.need]
    pictures = [] if icons is None else [_icon_of(mark.name, icons) for mark in marks]
    with_icons = sum(picture.width + _ICON_GAP for picture in pictures)
    for grid in _GRIDS:
        width = sum(map(grid.width, marks)) + grid.between * (len(marks) - 1)
        if pictures and grid.mark >= 4 and width + with_icons <= box.width:
            break
        if width <= box.width and not (pictures and grid.mark > 4):
            pictures = []
            break
    else:
        return
    x = box.x
    for index, mark in enumerate(marks):
        if pictures:  # a pixel taller than the marks
            canvas.stamp(x, box.y - 1, pictures[index], mark.name)
            x += pictures[index].width + _ICON_GAP
        group = Box(x, box.y, grid.width(mark), MARKS_HEIGHT)
        _draw_group(canvas, group, grid, mark)
        if mark.have > mark.need and grid.between >= 5 and group.right + 4 <= box.right:
            canvas.fill(Box(group.right + 1, box.y + 1, 3, 1), "+")  # more than needed
            canvas.fill(Box(group.right + 2, box.y, 1, 3), "+")
        x = group.right + grid.between


def _draw_group(canvas: Canvas, group: Box, grid: _Grid, mark: Mark) -> None:
    """Draw one quota's marks. A secured quota becomes one solid bar."""
    label = f"{mark.name} {mark.have}/{mark.need}"
    if mark.secured:
        canvas.fill(group, label)
        canvas.fill(Box(group.x + 1, group.y + 2, group.width - 2, 2), label, black=True)
        return
    for n in range(mark.need):
        block = Box(group.x + n * grid.step, group.y, grid.mark, MARKS_HEIGHT)
        if n < mark.have:
            canvas.fill(block, label)
        elif grid.mark >= 4:
            canvas.frame(block, label)
        else:
            canvas.fill(Box(block.x, block.bottom - 1, block.width, 1), label)
