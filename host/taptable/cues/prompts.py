"""The screens on which the table asks people for something. They open the page on their phones by its address, which is
a QR code if the display is large enough, and pair by a code. They tap or count their cards in a check of the table, or
tap the next card of a deck. `scene` selects the screen. Pure. Must not know why it is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from PIL import Image

from taptable.cues.canvas import LINE, TALL, WIDE, Box, Canvas
from taptable.cues.scores import FIGURES_HEIGHT, draw_tag, figures_for
from taptable.cues.screens import Countdown
from taptable.cues.text import SMALL, TEXT, Font, ScreenStyle, layout_text, scale2x, shorten

MIN_SCALE = 2
"""The least pixels per side of a module: a phone at arm's length can't distinguish smaller modules."""

_QUIET_ZONE, _MIN_QUIET = 4, 2  # modules around the QR code: by the standard, and the least that phones still read
_GAP = 3  # pixels between the QR code and the text
_COLUMN = 56  # least columns for an address beside a QR code
_STOREY = 2 * LINE  # rows for it under one
_HEADING = 14  # rows of the seats and the progress of a check, with the gap below
_NAME = 14  # rows of the requested card, descenders included
_BAR = 10  # rows of the bar of an enrolment
_SHORTEST_BAR = 24  # least columns for it


@dataclass(frozen=True, slots=True)
class Code:
    """The code for pairing with the page, valid until table time `until_us`, for `whole_us` in all. The table
    shows its digits on the display, speaks them, and logs them only if no display works. `repr` leaves them out, so
    that no other log line or error has them."""

    digits: str = field(repr=False)
    until_us: int
    whole_us: int


@dataclass(frozen=True, slots=True)
class Check:
    """A step of a check: these seats are asked to do what `text` says. `done` counts the cards tapped, or the presses,
    of the `expected` number."""

    seats: tuple[int, ...]
    text: str
    done: int
    expected: int


@dataclass(frozen=True, slots=True)
class Enrolment:
    """An enrolment or a check of a deck.

    `deck_line` names the deck ("": only `target` is shown). The next tag becomes `target`, with the icon of the name
    `icon` if there is one. `have` of `need` are done. `problem` is what was wrong with the last tag."""

    deck_line: str
    target: str
    icon: str
    have: int
    need: int
    problem: str | None = None


# --- people with a phone --------------------------------------------------------------------------------------------


def paint_address(canvas: Canvas, style: ScreenStyle, address: str, missing: Sequence[str] = ()) -> None:
    """Draw the page's address, ``192.168.1.7:8137``, as a QR code and as text, or only as text if there isn't room for
    both; its purpose, and the names of the parts that don't answer."""
    modules = _qr_modules(address)
    box = text = canvas.box
    beside = _fit_qr_code(modules, min(box.height, box.width - _GAP - _COLUMN))
    below = _fit_qr_code(modules, min(box.width, box.height - _GAP - _STOREY))
    picture = max(beside, below, key=lambda one: one.width if one else 0)
    # dark modules on a lit ground: not every phone reads an inverted code
    if picture is not None and picture is beside:
        canvas.stamp(box.width - picture.width, (box.height - picture.height) // 2, picture, "QR code")
        text = Box(0, 0, box.width - picture.width - _GAP, box.height)
    elif picture is not None:
        canvas.stamp((box.width - picture.width) // 2, 0, picture, "QR code")
        text = box.without_top(picture.height + _GAP)
    font, lines = _layout_address(address, text)
    height = font.pitch * (len(lines) - 1) + font.height
    hint = layout_text(style.words.text("screen", "address"), (SMALL,), text.width, text.height - height - 4)
    if hint.is_complete and hint.lines:
        canvas.write_layout(text, hint)
        text = text.without_top(hint.height + 4)
    for line in lines:
        canvas.write_line(text.x, text.y, line, font)
        text = text.without_top(font.pitch)
    if missing:
        parts_text = style.words.text("screen", "missing", {"parts": ", ".join(missing)})
        canvas.write_layout(text.without_top(1), layout_text(parts_text, (SMALL,), text.width, text.height - 1))


@lru_cache(maxsize=4)
def _qr_modules(address: str) -> Image.Image:
    """Return the dark modules of the address's QR code, one pixel each."""
    # slow to import: only a table whose page is open to the network has to pay for it
    import segno

    # capitals and digits take less room than small letters, and are equivalent up to the end of the host
    code = segno.make_qr((address if "://" in address else f"http://{address}").upper())
    picture = Image.new("1", (len(code.matrix), len(code.matrix)))
    picture.putdata([255 if dark else 0 for row in code.matrix for dark in row])
    return picture


def _fit_qr_code(modules: Image.Image, side: int) -> Image.Image | None:
    """Return the QR code on its light ground, as large as it fits on a square of `side` pixels; None if it would be too
    small to be read."""
    scale = side // (modules.width + 2 * _MIN_QUIET)
    if scale < MIN_SCALE:
        return None
    code = modules.resize((modules.width * scale, modules.height * scale), Image.Resampling.NEAREST)
    quiet = min(_QUIET_ZONE * scale, (side - code.width) // 2)
    ground = Image.new("1", (code.width + 2 * quiet, code.height + 2 * quiet), 255)
    ground.paste(0, (quiet, quiet), code)
    return ground


def _layout_address(address: str, box: Box) -> tuple[Font, Sequence[str]]:
    """Return the address in lines that end after a dot, in the larger font if that leaves room for a hint."""
    large, small = TEXT
    lines = _break_lines(address, large, box.width)
    if max(map(large.width, lines)) <= box.width and large.pitch * len(lines) + SMALL.pitch <= box.height:
        return large, lines
    lines = _break_lines(address, small, box.width)
    fits = small.pitch * (len(lines) - 1) + small.height <= box.height
    return small, lines if fits else [shorten(address, small, box.width)]


def _break_lines(address: str, font: Font, width: int) -> list[str]:
    lines = [""]
    # a name that is too long for the column beside a code is broken
    for piece in re.findall(r"https://|:\d+|[^.:]{1,10}\.?", address):
        if lines[-1] and font.width(lines[-1] + piece) > width:
            lines.append("")
        lines[-1] += piece
    return lines


def paint_code(canvas: Canvas, style: ScreenStyle, code: Code, countdown: Countdown) -> None:
    """Draw the purpose of the code, its digits as large as possible, and the time left."""
    box = canvas.box
    bar = 10 if box.height >= TALL else 4
    canvas.bar(Box(0, box.bottom - bar, box.width, bar), countdown.share)
    room = Box(0, 0, box.width, box.height - bar - 2)
    if room.height >= FIGURES_HEIGHT + TEXT[0].height + 4:
        heading = layout_text(style.words.text("screen", "code"), TEXT, room.width, room.height - FIGURES_HEIGHT - 4)
        canvas.write_layout(room, heading)
        room = room.without_top(heading.height + 2)
    half = len(code.digits) // 2
    halves = (code.digits[:half], code.digits[half:])
    lines = (" ".join(halves),)
    figures = figures_for(lines, room.width, room.height, "digits22")
    stacked = figures_for(halves, room.width, (room.height - 2) // 2, "digits22")
    if stacked.height > figures.height:
        lines, figures = halves, stacked
    for line, row in zip(lines, room.lines(len(lines), 2), strict=True):
        x = (row.width - figures.width(line)) // 2
        canvas.write_line(x, row.y + (row.height - figures.height) // 2, line, figures)


# --- people with cards ----------------------------------------------------------------------------------------------


def paint_check(canvas: Canvas, style: ScreenStyle, check: Check, news: str | None = None) -> None:
    """Draw seats and figures above the instruction, or only the instruction if there isn't room for both. `news`, the
    last result, is below, or else replaces the heading: the whole instruction can be read all the time."""
    del style
    box = canvas.box
    if box.height < FIGURES_HEIGHT + LINE:
        canvas.write_layout(box, layout_text(check.text, TEXT, box.width, box.height), middle=True)
        return
    body, heading = box.without_top(_HEADING), True
    if news is not None and box.height >= TALL:
        news_text = layout_text(news, (SMALL,), box.width - 4, 2 * LINE + 1)
        above = Box(body.x, body.y, body.width, body.height - news_text.height - 4)
        heading = layout_text(check.text, TEXT, above.width, above.height).is_complete
        if heading:
            canvas.notice(box, news_text)
            body = above
        else:
            news_text = layout_text(news, (SMALL,), box.width - 4, LINE - 1)
            canvas.notice(Box(box.x, box.y, box.width, news_text.height + 2), news_text)
    if heading:
        tag, large = draw_tag(canvas, box.x, box.y + 1, check.seats), TEXT[0]
        figures = f"{check.done}/{check.expected}"
        if tag.right + 4 + large.width(figures) <= box.right:
            canvas.write_line(box.right - large.width(figures), box.y + 1, figures, large)
    canvas.write_layout(body, layout_text(check.text, TEXT, body.width, body.height), middle=True)


def paint_enrolment(canvas: Canvas, style: ScreenStyle, enrolment: Enrolment) -> None:
    """Draw the target above its figures; below them the problem, which replaces the figures if it is long, or else the
    deck. On a low display the figures are beside the target, and the problem replaces both."""
    box = canvas.box
    if box.height < TALL:
        _paint_low(canvas, box, enrolment)
        return
    name, icon = Box(box.x, box.y, box.width, _NAME), style.icons.get(enrolment.icon)
    if icon is not None and box.width >= WIDE:
        large = scale2x(icon)
        canvas.stamp(box.x, box.y, large.crop(large.getbbox()), enrolment.icon)
        name = name.without_left(large.width + 4)
    canvas.write_layout(name, layout_text(enrolment.target, TEXT, name.width, name.height), middle=True)
    box = box.without_top(_NAME + 2)
    if enrolment.problem is not None:
        problem_text = layout_text(enrolment.problem, (SMALL,), box.width - 4, 2 * LINE + 1)
        if not problem_text.is_complete:
            canvas.notice(box, layout_text(enrolment.problem, (SMALL,), box.width - 4, box.height - 2), "why")
            return
        box = Box(box.x, box.y, box.width, canvas.notice(box, problem_text, "why").y - 2 - box.y)
    elif enrolment.deck_line:
        y = box.bottom - SMALL.height - SMALL.below
        canvas.write_line(box.x, y, shorten(enrolment.deck_line, SMALL, box.width), SMALL)
        box = Box(box.x, box.y, box.width, y - 3 - box.y)
    _paint_figures(canvas, box, enrolment.have, enrolment.need)


def _paint_low(canvas: Canvas, box: Box, enrolment: Enrolment) -> None:
    if enrolment.problem is not None:
        canvas.write_layout(box, layout_text(enrolment.problem, TEXT, box.width, box.height), middle=True)
        return
    figures = f"{enrolment.have}/{enrolment.need}"
    width = SMALL.width(figures)
    canvas.write_line(box.right - width, box.y + (box.height - SMALL.height) // 2, figures, SMALL)
    name = Box(box.x, box.y, box.width - width - 3, box.height)
    canvas.write_layout(name, layout_text(enrolment.target, TEXT, name.width, name.height), middle=True)


def _paint_figures(canvas: Canvas, box: Box, have: int, need: int) -> None:
    """Draw `have`, and `need` in smaller figures beside it; then a bar if there is room for one."""
    large, of = TEXT[0], f"/ {need}"
    room = box.width - large.width(of) - 5
    face = figures_for((str(have),), room, min(box.height, FIGURES_HEIGHT), "digits22")
    figures = canvas.write_line(box.x, box.y, str(have), face)
    x = canvas.write_line(figures.right + 5, figures.bottom - large.height, of, large).right + 8
    bar = Box(x, figures.bottom - _BAR, box.right - x, _BAR)
    if bar.width >= _SHORTEST_BAR:
        inside = canvas.frame(bar, "bar").inset(2, 2)
        canvas.fill(Box(inside.x, inside.y, inside.width * have // max(1, need), inside.height), "bar")
