"""What is counted for a team, such as its users or its cards: an icon and a number each, as many as there is room
for. Knows no game: icons come by the counts' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

from PIL import Image

from taptable.core.scoreboard import Count
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.measures import SMALL

COUNTS_HEIGHT = SMALL.height
_ICON_GAP = 2
_LEAST_GAP, _MOST_GAP = 5, 9


def counted(count: Count) -> str:
    """A count as figures: ``3/10``, or ``3`` where it has no end."""
    return str(count.have) if count.of is None else f"{count.have}/{count.of}"


def draw_counts(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Mapping[str, Image.Image]) -> None:
    """The first of the counts, as many as fit, side by side along the top of `box`."""
    widths = [_width(count, icons) for count in counts]
    while widths and sum(widths) + _LEAST_GAP * (len(widths) - 1) > box.width:
        widths.pop()
    if not widths or box.height < COUNTS_HEIGHT:
        return
    gap = min(_MOST_GAP, (box.width - sum(widths)) // max(1, len(widths) - 1))
    x = box.x
    for count, width in zip(counts, widths, strict=False):
        _draw(canvas, x, box.y, count, icons)
        x += width + gap


def draw_column(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Mapping[str, Image.Image]) -> int:
    """The first of the counts, one under the other in the whole height of `box`, at its right edge; how many there was
    room for."""
    most = (box.height + 3) // (COUNTS_HEIGHT + 3)
    fitting = list(takewhile(lambda count: _width(count, icons) <= box.width, counts))
    kept = fitting[:most]
    left = box.right - max((_width(count, icons) for count in kept), default=0)
    for row, count in zip(box.lines(most, 0), kept, strict=False):
        _draw(canvas, left, row.y + (row.height - COUNTS_HEIGHT) // 2, count, icons)
    return len(kept)


def _icon(count: Count, icons: Mapping[str, Image.Image]) -> Image.Image:
    """The count's icon, or the first letter of its name."""
    return icons.get(count.name) or SMALL.glyphs.get(count.name[:1].upper(), SMALL.glyphs["missing"])


def _width(count: Count, icons: Mapping[str, Image.Image]) -> int:
    return _icon(count, icons).width + _ICON_GAP + SMALL.width(counted(count))


def _draw(canvas: Canvas, x: int, y: int, count: Count, icons: Mapping[str, Image.Image]) -> None:
    picture = _icon(count, icons)
    canvas.stamp(x, y, picture, count.name)
    canvas.text(x + picture.width + _ICON_GAP, y, counted(count), SMALL)
