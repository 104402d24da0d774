"""The screen while the table is checked: whose turn it is to tap or to count, what they are asked to do, and how far
they are. Pure."""

from __future__ import annotations

from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.layout import SetText, set_text
from taptable.edges.cues.measures import FIGURES_HEIGHT, LINE, SMALL, TALL, TEXT
from taptable.edges.cues.panels import draw_tag
from taptable.edges.cues.screens import CheckScreen

_HEADING = 14
"""Rows of the seats and of how far they are, with what is left free below them."""


def paint_check(canvas: Canvas, box: Box, screen: CheckScreen) -> None:
    """Seats and figures above the instruction; only the instruction where there is no room for both. What has just
    come of it stands below, or else in place of the heading: all of the instruction can be read all the time."""
    if box.height < FIGURES_HEIGHT + LINE:
        canvas.write(box, set_text(screen.text, TEXT, box.width, box.height), centred=True)
        return
    body = box.from_top(_HEADING)
    if screen.news is not None and box.height >= TALL:
        news = set_text(screen.news, (SMALL,), box.width - 4, 2 * LINE + 1)
        above = Box(body.x, body.y, body.width, body.height - news.height - 4)
        if set_text(screen.text, TEXT, above.width, above.height).whole:
            _paint_news(canvas, box, box.bottom - news.height - 2, news)
            body = above
        else:
            _paint_news(canvas, box, box.y, set_text(screen.news, (SMALL,), box.width - 4, LINE - 1))
            canvas.write(body, set_text(screen.text, TEXT, body.width, body.height), centred=True)
            return
    _paint_heading(canvas, box, screen)
    canvas.write(body, set_text(screen.text, TEXT, body.width, body.height), centred=True)


def _paint_heading(canvas: Canvas, box: Box, screen: CheckScreen) -> None:
    tag, large = draw_tag(canvas, box.x, box.y + 1, screen.seats), TEXT[0]
    figures = f"{screen.done}/{screen.expected}"
    if tag.right + 4 + large.width(figures) <= box.right:
        canvas.text(box.right - large.width(figures), box.y + 1, figures, large)


def _paint_news(canvas: Canvas, box: Box, y: int, news: SetText) -> None:
    plate = canvas.plate(Box(box.x, y, box.width, news.height + 2), "notice")
    canvas.write(plate.inset(2, 1), news, black=True)
