"""The screen while cards are read for a deck: what the next tag becomes, how many are done, and what was wrong with the
last one. Pure."""

from __future__ import annotations

from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import doubled
from taptable.edges.cues.icons import Look
from taptable.edges.cues.layout import set_text, shorten
from taptable.edges.cues.measures import FIGURES_HEIGHT, LINE, SMALL, TALL, TEXT, WIDE
from taptable.edges.cues.panels import figures_for
from taptable.edges.cues.screens import EnrolmentScreen

_NAME = 14
"""Rows of what is wanted, its tails included."""
_BAR = 10
_SHORTEST_BAR = 24


def paint_enrolment(canvas: Canvas, screen: EnrolmentScreen, look: Look) -> None:
    """The name above its figures, and below what was wrong, in the place of the figures where it is long, or else which
    deck it is; on a low display the figures beside the name, and in the place of both what was wrong."""
    box = canvas.box
    if box.height < TALL:
        _paint_low(canvas, box, screen)
        return
    _paint_name(canvas, Box(box.x, box.y, box.width, _NAME), screen, look)
    box = box.from_top(_NAME + 2)
    if screen.why is not None:
        why = set_text(screen.why, (SMALL,), box.width - 4, 2 * LINE + 1)
        beside = why.whole
        if not beside:
            why = set_text(screen.why, (SMALL,), box.width - 4, box.height - 2)
        plate = canvas.plate(Box(box.x, box.bottom - why.height - 2, box.width, why.height + 2), "why")
        canvas.write(plate.inset(2, 1), why, black=True)
        if not beside:
            return
        box = Box(box.x, box.y, box.width, plate.y - 2 - box.y)
    elif screen.about:
        y = box.bottom - SMALL.height - SMALL.below
        canvas.text(box.x, y, shorten(screen.about, SMALL, box.width), SMALL)
        box = Box(box.x, box.y, box.width, y - 3 - box.y)
    _paint_figures(canvas, box, screen)


def _paint_low(canvas: Canvas, box: Box, screen: EnrolmentScreen) -> None:
    if screen.why is not None:
        canvas.write(box, set_text(screen.why, TEXT, box.width, box.height), centred=True)
        return
    figures = f"{screen.have}/{screen.need}"
    width = SMALL.width(figures)
    canvas.text(box.right - width, box.y + (box.height - SMALL.height) // 2, figures, SMALL)
    name = set_text(screen.wanted, TEXT, box.width - width - 3, box.height)
    canvas.write(Box(box.x, box.y, box.width - width - 3, box.height), name, centred=True)


def _paint_name(canvas: Canvas, box: Box, screen: EnrolmentScreen, look: Look) -> None:
    """What is wanted, with its icon where there is one."""
    icon = look.icons.get(screen.icon)
    if icon is not None and box.width >= WIDE:
        large = doubled(icon)
        canvas.stamp(box.x, box.y, large.crop(large.getbbox()), screen.icon)
        box = box.from_left(large.width + 4)
    canvas.write(box, set_text(screen.wanted, TEXT, box.width, box.height), centred=True)


def _paint_figures(canvas: Canvas, box: Box, screen: EnrolmentScreen) -> None:
    """So many, and of how many in smaller figures beside them; then a bar, where there is room for one."""
    have, need = str(screen.have), f"/ {screen.need}"
    large = TEXT[0]
    face = figures_for((have,), box.width - large.width(need) - 5, min(box.height, FIGURES_HEIGHT), "digits22")
    figures = canvas.text(box.x, box.y, have, face)
    of = canvas.text(figures.right + 5, figures.bottom - large.height, need, large)
    bar = Box(of.right + 8, figures.bottom - _BAR, box.right - of.right - 8, _BAR)
    if bar.width >= _SHORTEST_BAR:
        canvas.frame(bar, "bar")
        room = bar.inset(2, 2)
        canvas.fill(Box(room.x, room.y, room.width * screen.have // max(1, screen.need), room.height), "bar")
