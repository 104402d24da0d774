"""A one-bit picture that is being drawn, and the boxes on it. It records each item with its box, so that a test can
check that no item lies outside the picture and no two items overlap. It draws texts, pictures, plates, notices and
bars, and knows neither the game nor the screen that they are for."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from taptable.cues.text import ACCENT_ROWS, Font, TextLayout

LINE = 10
"""Rows of a line of small text on a plate."""
TALL = 44
"""The least height in rows of a screen that has room for a second level below the first."""
WIDE = 96
"""The least width in columns at which an icon fits beside the words."""


class Box(NamedTuple):
    """A rectangle in pixels: left, top, width, height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column to the right of it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row under it."""
        return self.y + self.height

    def inset(self, x: int, y: int) -> Box:
        """Return the box less `x` columns at each side and `y` rows above and below."""
        return Box(self.x + x, self.y + y, max(0, self.width - 2 * x), max(0, self.height - 2 * y))

    def without_top(self, rows: int) -> Box:
        """Return the box without its upper `rows`."""
        return Box(self.x, self.y + rows, self.width, max(0, self.height - rows))

    def without_left(self, columns: int) -> Box:
        """Return the box without its left `columns`."""
        return Box(self.x + columns, self.y, max(0, self.width - columns), self.height)

    def columns(self, count: int, gap: int) -> list[Box]:
        """Return `count` boxes side by side, `gap` pixels apart. The remainder of the division stays free at the
        right."""
        width = (self.width - gap * (count - 1)) // count
        return [Box(self.x + n * (width + gap), self.y, width, self.height) for n in range(count)]

    def lines(self, count: int, gap: int) -> list[Box]:
        """Return `count` boxes one under the other, `gap` pixels apart."""
        height = (self.height - gap * (count - 1)) // count
        return [Box(self.x, self.y + n * (height + gap), self.width, height) for n in range(count)]


class DrawnItem(NamedTuple):
    """An item that was drawn, and its box. A background is meant to have other items over it."""

    label: str
    box: Box
    is_background: bool = False


class Canvas:
    """A black picture of `size` to draw on."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = Image.new("1", size)
        self.box = Box(0, 0, *size)
        self.drawn: list[DrawnItem] = []

    def write_line(self, x: int, y: int, text: str, font: Font, *, black: bool = False) -> Box:
        """Write `text` in one line from `x` on, with the top of its capitals at `y`, and return the box of its ink.
        Accents rise above `y`, descenders reach below the base line."""
        return self._paste(x, y - ACCENT_ROWS, font.render(text), text, 0 if black else 255)

    def write_layout(self, box: Box, text: TextLayout, *, middle: bool = False, black: bool = False) -> None:
        """Write laid-out text at the left of `box`, at its top or in the middle of its height."""
        y = box.y + text.above + (max(0, box.height - text.height) // 2 if middle else 0)
        for line in text.lines:
            self.write_line(box.x, y, line, text.font, black=black)
            y += text.pitch

    def stamp(self, x: int, y: int, picture: Image.Image, label: str) -> Box:
        """Draw a picture with its upper left corner at `x`, `y`, and return the box of its ink."""
        return self._paste(x, y, picture, label, 255)

    def fill(self, box: Box, label: str, *, is_background: bool = False, black: bool = False) -> Box:
        """Draw a filled rectangle, and return it."""
        if box.width > 0 and box.height > 0:
            self.image.paste(0 if black else 255, (box.x, box.y, box.right, box.bottom))
        self.drawn.append(DrawnItem(label, box, is_background))
        return box

    def plate(self, box: Box, label: str) -> Box:
        """Draw a filled rectangle without its four corner pixels, as the background of a seat's number or a heading."""
        self.fill(box, label, is_background=True)
        for x in (box.x, box.right - 1):
            for y in (box.y, box.bottom - 1):
                self.image.paste(0, (x, y, x + 1, y + 1))
        return box

    def notice(self, box: Box, text: TextLayout, label: str = "notice") -> Box:
        """Write text in black on a plate at the bottom of `box`, and return the plate."""
        plate = self.plate(Box(box.x, box.bottom - text.height - 2, box.width, text.height + 2), label)
        self.write_layout(plate.inset(2, 1), text, black=True)
        return plate

    def frame(self, box: Box, label: str) -> Box:
        """Draw the outline of a rectangle, one pixel wide, and make its inside black."""
        self.fill(box, label)
        self.image.paste(0, (box.x + 1, box.y + 1, box.right - 1, box.bottom - 1))
        return box

    def bar(self, box: Box, share: float) -> None:
        """Draw a bar, full for a share of 1, in a frame if there is room for one."""
        room = self.frame(box, "bar").inset(2, 2) if box.height >= 6 else box
        self.fill(Box(room.x, room.y, round(room.width * share), room.height), "bar")

    def _paste(self, x: int, y: int, picture: Image.Image, label: str, colour: int) -> Box:
        left, top, right, bottom = picture.getbbox() or (0, 0, 0, 0)
        self.image.paste(colour, (x, y), picture)
        self.drawn.append(DrawnItem(label, Box(x + left, y + top, right - left, bottom - top)))
        return self.drawn[-1].box
