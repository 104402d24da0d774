"""The screens for people with a phone: the page's address, as a QR code where the display is large enough for one, and
the code by which the page takes somebody in. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from taptable.edges.cues.bar import draw_bar
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import Font
from taptable.edges.cues.icons import Look
from taptable.edges.cues.layout import set_text, shorten
from taptable.edges.cues.measures import FIGURES_HEIGHT, LINE, SMALL, TALL, TEXT
from taptable.edges.cues.panels import figures_for
from taptable.edges.cues.screens import AddressScreen, CodeScreen

LEAST_SCALE = 2
"""Pixels of a module's side below which a phone at arm's length doesn't tell modules apart."""

_QUIET = 4  # modules around the code, by the standard
_LEAST_QUIET = 2
_GAP = 3
_COLUMN = 56  # columns in which an address can be read beside a code
_STOREY = 2 * LINE  # rows for it under a code


def paint_address(canvas: Canvas, screen: AddressScreen, look: Look) -> None:
    """The address as a code and as text; only the text where there isn't room for both."""
    modules = _modules(screen.address)
    box = canvas.box
    beside = _fitting(modules, min(box.height, box.width - _GAP - _COLUMN))
    below = _fitting(modules, min(box.width, box.height - _GAP - _STOREY))
    picture = max(beside, below, key=lambda one: one.width if one else 0)
    text = box
    if picture is not None and picture is beside:
        _put(canvas, box.width - picture.width, (box.height - picture.height) // 2, picture)
        text = Box(0, 0, box.width - picture.width - _GAP, box.height)
    elif picture is not None:
        _put(canvas, (box.width - picture.width) // 2, 0, picture)
        text = box.from_top(picture.height + _GAP)
    _write(canvas, text, screen, look)


def paint_code(canvas: Canvas, screen: CodeScreen, look: Look) -> None:
    """What the code is for, its digits as large as they can be, and what is left of its time."""
    box = canvas.box
    bar = 10 if box.height >= TALL else 4
    draw_bar(canvas, Box(0, box.bottom - bar, box.width, bar), screen.countdown)
    room = Box(0, 0, box.width, box.height - bar - 2)
    if room.height >= FIGURES_HEIGHT + TEXT[0].height + 4:
        heading = set_text(look.words.text("screen", "code"), TEXT, room.width, room.height - FIGURES_HEIGHT - 4)
        canvas.write(room, heading)
        room = room.from_top(heading.height + 2)
    half = len(screen.digits) // 2
    halves = (screen.digits[:half], screen.digits[half:])
    lines = (" ".join(halves),)
    figures = figures_for(lines, room.width, room.height, "digits22")
    stacked = figures_for(halves, room.width, (room.height - 2) // 2, "digits22")
    if stacked.height > figures.height:
        lines, figures = halves, stacked
    for line, row in zip(lines, room.lines(len(lines), 2), strict=True):
        x = (row.width - figures.width(line)) // 2
        canvas.text(x, row.y + (row.height - figures.height) // 2, line, figures)


@lru_cache(maxsize=4)
def _modules(address: str) -> Image.Image:
    """The dark modules of the address's code, a pixel each."""
    # it takes its time to load: only a table whose page is open to the network pays for it
    import segno

    # capitals and digits take less room than small letters, and mean the same up to the end of the host
    code = segno.make_qr((address if "://" in address else f"http://{address}").upper())
    picture = Image.new("1", (len(code.matrix), len(code.matrix)))
    picture.putdata([255 if dark else 0 for row in code.matrix for dark in row])
    return picture


def _fitting(modules: Image.Image, side: int) -> Image.Image | None:
    """The code on its light ground, as large as it can be on a square of `side` pixels; None if it would be too small
    to be read."""
    scale = side // (modules.width + 2 * _LEAST_QUIET)
    if scale < LEAST_SCALE:
        return None
    code = modules.resize((modules.width * scale, modules.height * scale), Image.Resampling.NEAREST)
    quiet = min(_QUIET * scale, (side - code.width) // 2)
    ground = Image.new("1", (code.width + 2 * quiet, code.height + 2 * quiet), 255)
    ground.paste(0, (quiet, quiet), code)
    return ground


def _put(canvas: Canvas, x: int, y: int, picture: Image.Image) -> None:
    # lit ground, dark modules: not every phone reads a code the other way round
    canvas.stamp(x, y, picture, "QR code")


def _write(canvas: Canvas, box: Box, screen: AddressScreen, look: Look) -> None:
    """The address; over it what it is for, and under it what is missing, as far as there is room."""
    font, lines = _set_address(screen.address, box)
    height = font.pitch * (len(lines) - 1) + font.height
    hint = set_text(look.words.text("screen", "address"), (SMALL,), box.width, box.height - height - 4)
    if hint.whole and hint.lines:
        canvas.write(box, hint)
        box = box.from_top(hint.height + 4)
    for line in lines:
        canvas.text(box.x, box.y, line, font)
        box = box.from_top(font.pitch)
    if screen.missing:
        said = look.words.text("screen", "missing", {"parts": ", ".join(screen.missing)})
        canvas.write(box.from_top(1), set_text(said, (SMALL,), box.width, box.height - 1))


def _set_address(address: str, box: Box) -> tuple[Font, Sequence[str]]:
    """The address in lines that end after a dot, in the larger font if there is room for a hint over it."""
    large, small = TEXT
    lines = _broken(address, large, box.width)
    if max(map(large.width, lines)) <= box.width and large.pitch * len(lines) + SMALL.pitch <= box.height:
        return large, lines
    lines = _broken(address, small, box.width)
    fits = small.pitch * (len(lines) - 1) + small.height <= box.height
    return small, lines if fits else [shorten(address, small, box.width)]


def _broken(address: str, font: Font, width: int) -> list[str]:
    lines = [""]
    # names are broken where they are too long for the column beside a code
    for piece in re.findall(r"https://|:\d+|[^.:]{1,10}\.?", address):
        if lines[-1] and font.width(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines
