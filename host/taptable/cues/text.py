"""Words and icons as one-bit pictures, identical on every machine: pixel fonts and icons from sheets of text art beside
this module. Sentences are wrapped, laid out in the largest font that fits, and shortened with … if none does. `canvas`
draws them. Must not know where they are on a screen."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import resources

from PIL import Image

from taptable.words import Words

ACCENT_ROWS = 3
"""Rows kept free above the capitals, for accents."""
MISSING = "missing"
"""The name of the glyph for a character that a font lacks."""
_PACKAGE = "taptable.cues"
_STAND_INS = str.maketrans(
    {
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
)
_DOTLESS = {"i": "ı"}  # an accent replaces the dot
_NO_BREAK_AFTER = "«„“¿¡("


# --- sheets ---------------------------------------------------------------------------------------------------------


def parse_sheet(text: str) -> tuple[Mapping[str, Image.Image], Mapping[str, int]]:
    """Return a sheet's pictures by name, and the numbers of its last comment line. ``= a b`` names the pictures whose
    rows follow, side by side; ``#`` is ink, ``;`` begins a comment. Raises ValueError if rows and names don't agree."""
    numbers: dict[str, int] = {}
    rows: dict[str, list[str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        if re.fullmatch(r"; (\w+ \d+(, )?)+", line):
            numbers = {word: int(number) for word, number in re.findall(r"(\w+) (\d+)", line)}
        elif line.startswith("= "):
            names = [
                chr(int(word[2:], 16)) if re.fullmatch(r"U\+[0-9A-F]{4}", word) else word
                for word in line[2:].split(" ")
            ]
            rows |= {name: [] for name in names}
        elif line and not line.startswith(";"):
            parts = line.split(" ")
            if len(parts) != len(names):
                raise ValueError(f"{line!r} has {len(parts)} pictures, its names are {names}")
            for name, part in zip(names, parts, strict=True):
                rows[name].append(part)
    return {name: _picture(name, art) for name, art in rows.items()}, numbers


def _picture(name: str, art: list[str]) -> Image.Image:
    width = len(art[0])
    if any(len(row) != width or set(row) - {"#", "."} for row in art):
        raise ValueError(f"the picture {name!r} isn't a rectangle of # and .")
    picture = Image.new("1", (width, len(art)))
    picture.putdata([255 if pixel == "#" else 0 for row in art for pixel in row])
    return picture


@dataclass(frozen=True, slots=True, eq=False)
class ScreenStyle:
    """The style of the screens: the words of a language, and icons by name."""

    words: Words
    icons: Mapping[str, Image.Image]


def load_icons(packages: Sequence[str] = ()) -> Mapping[str, Image.Image]:
    """Return the table's icons, and those from the sheets ``icons.txt`` of the given games' packages."""
    sheets = [resources.files(_PACKAGE).joinpath("glyphs/icons.txt")]
    sheets += [sheet for sheet in (resources.files(each).joinpath("icons.txt") for each in packages) if sheet.is_file()]
    return {name: icon for sheet in sheets for name, icon in parse_sheet(sheet.read_text(encoding="utf-8"))[0].items()}


def scale2x(picture: Image.Image) -> Image.Image:
    """Return a one-bit picture at twice the size with smooth slopes and curves: each pixel becomes four, and a corner
    of it takes the colour of the two neighbours it lies between if these agree and the other two don't."""
    width, height = picture.size
    padded = Image.new("1", (width + 2, height + 2))
    padded.paste(picture, (1, 1))
    source = padded.load()
    assert source is not None
    out = Image.new("1", (2 * width, 2 * height))
    for y in range(height):
        for x in range(width):
            up, down, left, right = source[x + 1, y], source[x + 1, y + 2], source[x, y + 1], source[x + 2, y + 1]
            corners = (
                (left, up, right, down),
                (up, right, down, left),
                (down, left, up, right),
                (right, down, left, up),
            )
            for n, (one, other, far, opposite) in enumerate(corners):
                smooth = one == other and one != opposite and other != far
                out.putpixel((2 * x + n % 2, 2 * y + n // 2), one if smooth else source[x + 1, y + 1])
    return out


# --- fonts ----------------------------------------------------------------------------------------------------------


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

    @property
    def rows(self) -> int:
        """Rows of every picture of this font: `ACCENT_ROWS`, then the capitals' `height`, then `below`."""
        return ACCENT_ROWS + self.height + self.below

    def render(self, text: str) -> Image.Image:
        """Return `text` as a one-bit picture. Treat it as read-only: it is cached."""
        return _render(self, text)

    def width(self, text: str) -> int:
        """Return the width of `text` in pixels."""
        return _render(self, text).width

    def accent_rows(self, text: str) -> int:
        """Return by how many rows `text` rises above its capitals."""
        inked = _render(self, text).getbbox()
        return max(0, ACCENT_ROWS - inked[1]) if inked else 0

    def descender_rows(self, text: str) -> int:
        """Return by how many rows `text` descends below its base line."""
        inked = _render(self, text).getbbox()
        return max(0, inked[3] - ACCENT_ROWS - self.height) if inked else 0


@cache
def font(name: str) -> Font:
    """Return a font by the name of its sheet: ``small`` and ``large`` text, ``digits7``, ``digits14``, ``digits22``."""
    sheet = resources.files(_PACKAGE).joinpath(f"glyphs/{name}.txt")
    glyphs, numbers = parse_sheet(sheet.read_text(encoding="utf-8"))
    below = max(picture.height for picture in glyphs.values()) - numbers["height"]
    return Font(numbers["height"], numbers["pitch"], numbers["gap"], numbers["space"], below, glyphs)


@lru_cache(maxsize=512)
def _render(face: Font, text: str) -> Image.Image:
    spelled = unicodedata.normalize("NFC", text).translate(_STAND_INS)
    pieces = [None if char == " " else _glyph(face, char) for char in spelled]
    widths = [face.space - face.gap if piece is None else piece.width for piece in pieces]
    ink = Image.new("1", (max(0, sum(widths) + face.gap * (len(pieces) - 1)), face.rows))
    x = 0
    for piece, width in zip(pieces, widths, strict=True):
        if piece is not None:
            ink.paste(piece, (x, 0))
        x += width + face.gap
    return ink


@lru_cache(maxsize=512)
def _glyph(face: Font, char: str) -> Image.Image:
    """Return one character in a picture of the font's `rows`. An accented letter is composed from letter and marks,
    each centred above it, a row apart if there is room, or below it."""
    letter, *marks = (char,) if char in face.glyphs else unicodedata.normalize("NFD", char)
    letter = _DOTLESS.get(letter, letter) if marks else letter
    picture = face.glyphs[letter if letter in face.glyphs else MISSING]
    glyph = Image.new("1", (picture.width, face.rows))
    glyph.paste(picture, (0, ACCENT_ROWS))
    if letter not in face.glyphs or not all(mark in face.glyphs for mark in marks):
        return glyph
    for mark in marks:
        body, accent = glyph, face.glyphs[mark]
        _, top, _, bottom = body.getbbox() or (0, 0, 0, 0)
        _, _, _, ink_rows = accent.getbbox() or (0, 0, 0, 0)
        glyph = Image.new("1", (max(body.width, accent.width), face.rows))
        glyph.paste(body, ((glyph.width - body.width) // 2, 0))
        y = bottom if unicodedata.combining(mark) < 230 else max(0, top - ink_rows - 1)
        glyph.paste(255, ((glyph.width - accent.width) // 2, y), accent)
    return glyph


# --- sentences ------------------------------------------------------------------------------------------------------

SMALL = font("small")
TEXT = (font("large"), SMALL)
"""The fonts for sentences, the better one first."""


@dataclass(frozen=True, slots=True)
class TextLayout:
    """A text in lines of one font, ready to be drawn, `pitch` rows apart. `above` and `below` are the rows by which the
    first line rises above its capitals and the last descends below its base line. `is_complete` is False if something
    had to be left out."""

    font: Font
    lines: tuple[str, ...] = ()
    above: int = 0
    below: int = 0
    pitch: int = 0
    is_complete: bool = True

    @property
    def height(self) -> int:
        """Rows in all, from the topmost ink to the lowest."""
        return self.above + self.pitch * (len(self.lines) - 1) + self.font.height + self.below if self.lines else 0


def shorten(text: str, face: Font, width: int) -> str:
    """Return `text`, or as much of it as fits `width` pixels with … at its end; "" if not even that fits."""
    if face.width(text) <= width:
        return text
    shorter = (text[:end].rstrip(" .,;:–-") + "…" for end in range(len(text) - 1, 0, -1))
    return next((short for short in shorter if face.width(short) <= width), "")


def wrap(text: str, face: Font, width: int) -> list[str]:
    """Return `text` in lines of at most `width` pixels, broken after spaces and hyphens, and inside a word only if that
    is longer than a line."""
    lines: list[str] = []
    line = ""
    for word in _words(text):
        if face.width(f"{line}{word}".rstrip()) <= width:
            line += word
            continue
        if line.strip():
            lines.append(line.rstrip())
        *full, line = _pieces(word, face, width)
        lines.extend(full)
    return [*lines, line.rstrip()] if line.strip() else lines


def layout_text(text: str, fonts: Sequence[Font], width: int, height: int) -> TextLayout:
    """Return `text` in the first of `fonts` in which it fits the box with no word cut, else in the last one, shortened
    if necessary."""
    for face in fonts:
        layout = _layout(wrap(text, face, width), face)
        cut = face is not fonts[-1] and any(face.width(word.rstrip()) > width for word in _words(text))
        if layout.height <= height and not cut:
            return layout
    face = fonts[-1]
    lines = wrap(text, face, width)
    for count in range(len(lines) - 1, 0, -1):
        last = shorten(f"{lines[count - 1]} {lines[count]}", face, width)
        last = last if last.endswith("…") else shorten(f"{last}…", face, width)
        layout_cut = _layout([*lines[: count - 1], last], face)
        if layout_cut.height <= height:
            return replace(layout_cut, is_complete=False)
    return TextLayout(face, is_complete=False)


def _layout(lines: list[str], face: Font) -> TextLayout:
    if not lines:
        return TextLayout(face)
    above, below = [face.accent_rows(line) for line in lines], [face.descender_rows(line) for line in lines]
    # an accent over a capital needs more room below the line before
    needed = (face.height + tails + accents for tails, accents in zip(below, above[1:], strict=False) if accents)
    return TextLayout(face, tuple(lines), above[0], below[-1], max((face.pitch, *needed)))


def _words(text: str) -> Iterator[str]:
    """Yield pieces after which a line may end, each with its spaces; ``E-Mail`` becomes ``E-`` and ``Mail``."""
    word = ""
    for char, after in zip(text, f"{text[1:]} ", strict=True):
        word += char
        if (char == " " and after not in "!?:;»" and word[-2:-1] not in _NO_BREAK_AFTER) or (
            char == "-" and after.isalpha() and len(word) > 2
        ):
            yield word
            word = ""
    if word:
        yield word


def _pieces(word: str, face: Font, width: int) -> list[str]:
    """Return a word cut with hyphens into pieces that fit a line."""
    pieces: list[str] = []
    while face.width(word.rstrip()) > width:
        end = next((end for end in range(len(word) - 1, 0, -1) if face.width(f"{word[:end]}-") <= width), 0)
        if not end:
            return [*pieces, ""]
        pieces.append(f"{word[:end]}-")
        word = word[end:]
    return [*pieces, word]
