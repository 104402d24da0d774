"""The bar that shows what is left of a time."""

from __future__ import annotations

from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.screens import Countdown


def draw_bar(canvas: Canvas, box: Box, countdown: Countdown) -> None:
    """What is left of the time, in a frame if there is room for one."""
    room = box
    if box.height >= 6:
        canvas.frame(box, "bar")
        room = box.inset(2, 2)
    share = min(1.0, countdown.left_us / countdown.whole_us)
    canvas.fill(Box(room.x, room.y, round(room.width * share), room.height), "bar")
