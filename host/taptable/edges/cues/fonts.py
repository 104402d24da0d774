"""The pixel fonts of the scoreboard, read from sheets of text art beside this module. Text goes in, a one-bit picture
of it comes out, the same on every machine; where it stands on a screen is not known here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

from PIL import Image

PACKAGE = "taptable.edges.cues"
ACCENT_ROWS = 3
"""Rows kept free above the capitals, for accents."""

MISSING = "missing"
_STAND_INS = {
    "\u00a0": " ",
    "\u202f": " ",
    "\u2010": "-",
    "\u2011": "-",
    "ĳ": "ij",
    "Ĳ": "IJ",
    "`": "‘",
    "´": "’",
    "‚": ",",
}
_DOTLESS = {"i": "ı"}  # an accent takes the place of the dot


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pictures by name, and the numbers of the sheet's last comment line."""

    pictures: Mapping[str, Image.Image]
    numbers: Mapping[str, int]


def read_sheet(package: str, name: str) -> Sheet:
    """The sheet `name` among a package's resources; ValueError where rows and names don't agree, FileNotFoundError
    without one."""
    return parse_sheet(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def parse_sheet(text: str) -> Sheet:
    """A sheet from its text: ``= a b`` names the pictures whose rows follow, side by side; ``#`` is ink, ``;`` begins
    a comment."""
    numbers: dict[str, int] = {}
    rows: dict[str, list[str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        if line.startswith("; ") and re.fullmatch(r"; (\w+ \d+(, )?)+", line):
            numbers = {word: int(number) for word, number in re.findall(r"(\w+) (\d+)", line)}
        elif line.startswith("= "):
            names = [_name(word) for word in line[2:].split(" ")]
            rows |= {name: [] for name in names}
        elif line and not line.startswith(";"):
            parts = line.split(" ")
            if len(parts) != len(names):
                raise ValueError(f"{line!r} has {len(parts)} pictures, its names are {names}")
            for name, part in zip(names, parts, strict=True):
                rows[name].append(part)
    return Sheet({name: _picture(name, art) for name, art in rows.items()}, numbers)


def _name(word: str) -> str:
    return chr(int(word[2:], 16)) if re.fullmatch(r"U\+[0-9A-F]{4}", word) else word


def _picture(name: str, art: list[str]) -> Image.Image:
    width = len(art[0])
    if any(len(row) != width or set(row) - {"#", "."} for row in art):
        raise ValueError(f"the picture {name!r} isn't a rectangle of # and .")
    picture = Image.new("1", (width, len(art)))
    picture.putdata([255 if pixel == "#" else 0 for row in art for pixel in row])
    return picture


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """One font: `height` of its capitals, `pitch` from line to line, `gap` between glyphs, width of a `space`, all in
    pixels."""

    height: int
    pitch: int
    gap: int
    space: int
    below: int
    glyphs: Mapping[str, Image.Image] = field(repr=False)

    def width(self, text: str) -> int:
        """How many pixels wide `text` stands."""
        return _ink(self, text).width

    def ink(self, text: str) -> Image.Image:
        """`text` as a one-bit picture: `ACCENT_ROWS`, then the capitals' `height`, then `below`. Treat it as
        read-only: it is kept."""
        return _ink(self, text)

    def tails(self, text: str) -> int:
        """How many rows of `text` hang below its base line."""
        inked = _ink(self, text).getbbox()
        return max(0, inked[3] - ACCENT_ROWS - self.height) if inked else 0

    @property
    def rows(self) -> int:
        """Rows of every picture of this font."""
        return ACCENT_ROWS + self.height + self.below


@cache
def font(name: str) -> Font:
    """A font by the name of its sheet: ``small`` and ``large`` text, ``digits7``, ``digits14``, ``digits22``."""
    sheet = read_sheet(PACKAGE, f"glyphs/{name}.txt")
    height = sheet.numbers["height"]
    below = max(picture.height for picture in sheet.pictures.values()) - height
    return Font(height, sheet.numbers["pitch"], sheet.numbers["gap"], sheet.numbers["space"], below, sheet.pictures)


@lru_cache(maxsize=512)
def _ink(font: Font, text: str) -> Image.Image:
    pieces: list[Image.Image | None] = [None if char == " " else _glyph(font, char) for char in _spell(text)]
    widths = [font.space - font.gap if piece is None else piece.width for piece in pieces]
    ink = Image.new("1", (max(0, sum(widths) + font.gap * (len(pieces) - 1)), font.rows))
    x = 0
    for piece, width in zip(pieces, widths, strict=True):
        if piece is not None:
            ink.paste(piece, (x, 0))
        x += width + font.gap
    return ink


def _spell(text: str) -> str:
    composed = unicodedata.normalize("NFC", text)
    return "".join(_STAND_INS.get(char, char) for char in composed)


@lru_cache(maxsize=512)
def _glyph(font: Font, char: str) -> Image.Image:
    """One character in a picture of the font's `rows`; an accented letter is put together from letter and mark."""
    if char in font.glyphs:
        return _stand(font, font.glyphs[char], ACCENT_ROWS)
    letter, *marks = unicodedata.normalize("NFD", char)
    letter = _DOTLESS.get(letter, letter) if marks else letter
    if letter not in font.glyphs or not all(mark in font.glyphs for mark in marks):
        return _stand(font, font.glyphs.get(letter if marks else MISSING, font.glyphs[MISSING]), ACCENT_ROWS)
    body = _stand(font, font.glyphs[letter], ACCENT_ROWS)
    for mark in marks:
        body = _marked(font, body, font.glyphs[mark], under=unicodedata.combining(mark) < 230)
    return body


def _stand(font: Font, picture: Image.Image, y: int) -> Image.Image:
    glyph = Image.new("1", (picture.width, font.rows))
    glyph.paste(picture, (0, y))
    return glyph


def _marked(font: Font, body: Image.Image, mark: Image.Image, *, under: bool) -> Image.Image:
    """`body` with `mark` centred over it, a row apart where there is room, or under it."""
    _, top, _, bottom = body.getbbox() or (0, 0, 0, 0)
    _, _, _, ink_rows = mark.getbbox() or (0, 0, 0, 0)
    width = max(body.width, mark.width)
    marked = Image.new("1", (width, font.rows))
    marked.paste(body, ((width - body.width) // 2, 0))
    y = bottom if under else max(0, top - ink_rows - 1)
    marked.paste(255, ((width - mark.width) // 2, y), mark)
    return marked


def doubled(picture: Image.Image) -> Image.Image:
    """A one-bit picture twice as large, its slopes and curves smoothed: each pixel becomes four, and a corner of it
    takes the colour of the two neighbours it lies between where these agree and the other two don't."""
    source = picture.load()
    assert source is not None
    width, height = picture.size
    out = Image.new("1", (2 * width, 2 * height))

    def at(x: int, y: int) -> bool:
        return 0 <= x < width and 0 <= y < height and bool(source[x, y])

    for y in range(height):
        for x in range(width):
            here, up, down, left, right = at(x, y), at(x, y - 1), at(x, y + 1), at(x - 1, y), at(x + 1, y)
            corners = (
                (left, up, right, down),
                (up, right, down, left),
                (down, left, up, right),
                (right, down, left, up),
            )
            for n, (one, other, far, opposite) in enumerate(corners):
                lit = one if one == other and one != opposite and other != far else here
                out.putpixel((2 * x + n % 2, 2 * y + n // 2), 255 * lit)
    return out
