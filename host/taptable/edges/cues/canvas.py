"""A one-bit picture that is being drawn, and the boxes of what stands on it. Everything put down is remembered by its
box, so that a test can see whether anything stands outside or over something else; what is drawn, and why, is not
known here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from taptable.edges.cues.fonts import ACCENT_ROWS, Font
from taptable.edges.cues.layout import SetText


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
        """The box less `x` columns at each side and `y` rows above and below."""
        return Box(self.x + x, self.y + y, max(0, self.width - 2 * x), max(0, self.height - 2 * y))

    def from_top(self, rows: int) -> Box:
        """The box without its first `rows`."""
        return Box(self.x, self.y + rows, self.width, max(0, self.height - rows))

    def from_left(self, columns: int) -> Box:
        """The box without its first `columns`."""
        return Box(self.x + columns, self.y, max(0, self.width - columns), self.height)

    def columns(self, count: int, gap: int) -> list[Box]:
        """`count` boxes side by side, `gap` pixels apart; what doesn't divide goes to the gaps' right."""
        width = (self.width - gap * (count - 1)) // count
        return [Box(self.x + n * (width + gap), self.y, width, self.height) for n in range(count)]

    def lines(self, count: int, gap: int) -> list[Box]:
        """`count` boxes one under the other, `gap` pixels apart."""
        height = (self.height - gap * (count - 1)) // count
        return [Box(self.x, self.y + n * (height + gap), self.width, height) for n in range(count)]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was put down where; a ground is meant to have something over it."""

    what: str
    box: Box
    ground: bool = False


class Canvas:
    """A black picture of `size` to draw on."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.image = Image.new("1", size)
        self.box = Box(0, 0, *size)
        self.drawn: list[Drawn] = []

    def text(self, x: int, y: int, text: str, font: Font, *, black: bool = False) -> Box:
        """Write `text` with its capitals' top at `y`; accents and tails may stand out above and below."""
        ink = font.ink(text)
        left, top, right, bottom = ink.getbbox() or (0, 0, 0, 0)
        self.image.paste(0 if black else 255, (x, y - ACCENT_ROWS), ink)
        return self._note(text, Box(x + left, y - ACCENT_ROWS + top, right - left, bottom - top))

    def write(self, box: Box, text: SetText, *, centred: bool = False, black: bool = False) -> None:
        """Set text at the top of `box`, or in the middle of its height."""
        y = box.y + text.above + (max(0, box.height - text.height) // 2 if centred else 0)
        for line in text.lines:
            self.text(box.x, y, line, text.font, black=black)
            y += text.font.pitch

    def stamp(self, x: int, y: int, picture: Image.Image, what: str, *, black: bool = False) -> Box:
        """Put a picture down with its upper left corner at `x`, `y`."""
        left, top, right, bottom = picture.getbbox() or (0, 0, 0, 0)
        self.image.paste(0 if black else 255, (x, y), picture)
        return self._note(what, Box(x + left, y + top, right - left, bottom - top))

    def fill(self, box: Box, what: str, *, ground: bool = False, black: bool = False) -> Box:
        """A filled rectangle."""
        if box.width > 0 and box.height > 0:
            self.image.paste(0 if black else 255, (box.x, box.y, box.right, box.bottom))
        return self._note(what, box, ground=ground)

    def plate(self, box: Box, what: str) -> Box:
        """A filled rectangle with its four corner pixels off: the ground of a seat's number or a heading."""
        self.fill(box, what, ground=True)
        for x in (box.x, box.right - 1):
            for y in (box.y, box.bottom - 1):
                self.image.paste(0, (x, y, x + 1, y + 1))
        return box

    def frame(self, box: Box, what: str) -> Box:
        """A rectangle's outline."""
        self.fill(box, what)
        self.image.paste(0, (box.x + 1, box.y + 1, box.right - 1, box.bottom - 1))
        return box

    def _note(self, what: str, box: Box, *, ground: bool = False) -> Box:
        self.drawn.append(Drawn(what, box, ground))
        return box
