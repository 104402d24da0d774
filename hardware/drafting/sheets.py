"""Sheets to print at their real size: what is drawn in millimetres from the lower left comes out of the printer so, on
one page or cut up for A4. Must not know what is drawn."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import ceil
from typing import Any

# its types are half unknown
mpl: Any = import_module("matplotlib")
Figure: Any = import_module("matplotlib.figure").Figure
PdfPages: Any = import_module("matplotlib.backends.backend_pdf").PdfPages
patches: Any = import_module("matplotlib.patches")

MM_AN_INCH = 25.4
A4 = (210.0, 297.0)
MARGIN = 12.0
"""The margin of a page of A4, which few printers print up to its edge, in mm."""
OVERLAP = 6.0
"""The strip that two neighbouring pages both show, for the glue, in mm."""
_INK, _FAINT, _CUT = "#1d2733", "#8a96a3", "#b3261e"


class Pen:
    """Draws on a figure in millimetres from a point of the sheet."""

    def __init__(self, figure: Any, left: float, bottom: float, width: float, height: float) -> None:
        self._axes = figure.add_axes((0, 0, 1, 1))
        self._axes.set_axis_off()
        self._axes.set_xlim(left, left + width)
        self._axes.set_ylim(bottom, bottom + height)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        corner: float = 0,
        cut: bool = False,
        dashed: bool = False,
        fill: str = "",
    ) -> None:
        """An outline from its lower left corner; `cut` is where to cut, `dashed` where something only lies. Filled with
        a colour if there is one."""
        look = self._look(cut, dashed) | ({"fill": True, "facecolor": fill} if fill else {})
        if corner:
            inner = (x + corner, y + corner), width - 2 * corner, height - 2 * corner
            self._axes.add_patch(patches.FancyBboxPatch(*inner, boxstyle=f"round,pad={corner}", **look))
        else:
            self._axes.add_patch(patches.Rectangle((x, y), width, height, **look))

    def circle(self, x: float, y: float, diameter: float, *, cut: bool = False, dashed: bool = False) -> None:
        """A circle by its middle."""
        self._axes.add_patch(patches.Circle((x, y), diameter / 2, **self._look(cut, dashed)))

    def cross(self, x: float, y: float, size: float = 10) -> None:
        """A mark for a middle."""
        self.line([(x - size / 2, y), (x + size / 2, y)])
        self.line([(x, y - size / 2), (x, y + size / 2)])

    def line(
        self, points: Sequence[tuple[float, float]], *, faint: bool = False, width_mm: float = 0.25, colour: str = ""
    ) -> None:
        """A line through points."""
        xs, ys = zip(*points, strict=True)
        ink = colour or (_FAINT if faint else _INK)
        self._axes.plot(xs, ys, color=ink, linewidth=_points(width_mm), solid_capstyle="round")

    def filled(self, points: Sequence[tuple[float, float]]) -> None:
        """An area of ink."""
        xs, ys = zip(*points, strict=True)
        self._axes.fill(xs, ys, color=_INK, linewidth=0)

    def distance(self, start: tuple[float, float], end: tuple[float, float], text: str) -> None:
        """An arrow from point to point with a word beside it."""
        self._axes.annotate("", end, start, arrowprops={"arrowstyle": "<->", "color": _FAINT, "linewidth": 0.6})
        x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        upright = start[0] == end[0]
        self.text(x + (2 if upright else 0), y + (0 if upright else 3), text, 2.6, left=upright, faint=True)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        height: float,
        *,
        left: bool = False,
        bold: bool = False,
        faint: bool = False,
    ) -> None:
        """Words of a height, in the middle of a point or to its right."""
        self._axes.text(
            x,
            y,
            text,
            fontsize=_points(height) * 1.37,  # so that capitals have that height
            ha="left" if left else "center",
            va="center",
            weight="bold" if bold else "normal",
            color=_FAINT if faint else _INK,
            linespacing=1.35,
        )

    def _look(self, cut: bool, dashed: bool) -> dict[str, object]:
        return {
            "fill": False,
            "edgecolor": _CUT if cut else _INK,
            "linewidth": _points(0.3),
            "linestyle": (0, (4, 3)) if dashed else "solid",
        }


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a size in mm, and what draws it."""

    name: str
    size: tuple[float, float]
    draw: Callable[[Pen], None]


def pdf(sheets: Sequence[Sheet], *, on_a4: bool = False) -> bytes:
    """The sheets at their size, a page each, or cut up into pages of A4. The same bytes each time."""
    kept = io.BytesIO()
    with (
        mpl.rc_context(_STYLE),
        PdfPages(kept, metadata={"CreationDate": None, "Producer": None, "Creator": None}) as pages,
    ):
        for sheet in sheets:
            for figure in _tiles(sheet) if on_a4 else [_whole(sheet)]:
                pages.savefig(figure)
    return kept.getvalue()


def png(sheet: Sheet, dots_a_mm: float) -> bytes:
    """A picture of a sheet."""
    kept = io.BytesIO()
    with mpl.rc_context(_STYLE):
        _whole(sheet).savefig(kept, format="png", dpi=dots_a_mm * MM_AN_INCH, metadata={"Software": None})
    return kept.getvalue()


_STYLE = {"pdf.fonttype": 42, "font.family": "DejaVu Sans"}


def _whole(sheet: Sheet) -> Any:
    width, height = sheet.size
    figure = Figure(figsize=(width / MM_AN_INCH, height / MM_AN_INCH))
    sheet.draw(Pen(figure, 0, 0, width, height))
    return figure


def _tiles(sheet: Sheet) -> list[Any]:
    """Pages of A4, each named, with the lines at which they are cut and glued."""
    page = A4 if sheet.size[0] <= sheet.size[1] else (A4[1], A4[0])
    step = page[0] - 2 * MARGIN - OVERLAP, page[1] - 2 * MARGIN - OVERLAP
    columns, rows = (max(1, ceil((sheet.size[axis] - OVERLAP) / step[axis])) for axis in (0, 1))
    figures: list[Any] = []
    for row in range(rows):
        for column in range(columns):
            left, bottom = column * step[0], sheet.size[1] - OVERLAP - (row + 1) * step[1]
            figure = Figure(figsize=(page[0] / MM_AN_INCH, page[1] / MM_AN_INCH))
            pen = Pen(figure, left - MARGIN, bottom - MARGIN, *page)
            sheet.draw(pen)
            pen.box(left, bottom, step[0] + OVERLAP, step[1] + OVERLAP, cut=True, dashed=True)
            where = f"{sheet.name}: row {row + 1} of {rows}, column {column + 1} of {columns} · cut along the red line"
            pen.text(left, bottom - MARGIN / 2, where, 2.4, left=True)
            figures.append(figure)
    return figures


def _points(mm: float) -> float:
    return mm * 72 / MM_AN_INCH
