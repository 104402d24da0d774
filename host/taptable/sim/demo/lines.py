"""Lines of styled text for a terminal, cut, filled up and put side by side so that each is as wide as it should be.
Knows nothing of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TypeAlias

from prompt_toolkit.utils import get_cwidth

Piece: TypeAlias = tuple[str, str]
"""A style by its name (``class:good``), and the text that has it."""
Line: TypeAlias = tuple[Piece, ...]

MORE = "…"


def line(*pieces: Piece | str) -> Line:
    """A line of pieces; a bare text has no style of its own."""
    return tuple(("", piece) if isinstance(piece, str) else piece for piece in pieces)


def text_of(what: Line) -> str:
    """A line without its styles."""
    return "".join(text for _, text in what)


def columns_of(what: Line) -> int:
    """How many columns a line takes."""
    return get_cwidth(text_of(what))


def fit(what: Line, columns: int) -> Line:
    """The line in exactly so many columns: filled with blanks, or cut, which is shown."""
    taken = columns_of(what)
    if taken > columns:
        what = (*_cut(what, columns - 1), ("", MORE)) if columns > 0 else ()
        taken = columns_of(what)
    return (*what, ("", " " * (columns - taken))) if taken < columns else what


def wrapped(text: str, columns: int, style: str = "", after: str = "") -> list[Line]:
    """A text in lines of at most so many columns, all but the first beginning with `after`."""
    lines: list[str] = []
    now = ""
    for word in text.split(" "):
        longer = f"{now} {word}" if now.strip() else now + word
        if now.strip() and get_cwidth(longer) > columns:
            lines.append(now)
            longer = after + word
        now = longer
    return [line((style, each)) for each in (*lines, now)]


def flowing(pieces: Iterable[Line], columns: int, gap: str = "  ") -> list[Line]:
    """Short lines one after the other, as many in a line as there is room for."""
    lines: list[Line] = []
    now: Line = ()
    for piece in pieces:
        longer = (*now, ("", gap), *piece) if now else piece
        if now and columns_of(longer) > columns:
            lines.append(now)
            longer = piece
        now = longer
    return [*lines, now] if now else lines


def block(lines: Sequence[Line], columns: int, rows: int, *, last: bool = False) -> list[Line]:
    """Exactly so many rows of so many columns: the first lines, or the `last`, and blank ones below."""
    kept = list(lines[max(0, len(lines) - rows) :] if last else lines[:rows])
    return [fit(each, columns) for each in (*kept, *[()] * (rows - len(kept)))]


def beside(left: Sequence[Line], right: Sequence[Line], columns: int, gap: str = " ") -> list[Line]:
    """Two blocks side by side, the left one in so many columns."""
    pairs = zip_longest(left, right, fillvalue=())
    return [(*fit(one, columns), ("", gap), *other) for one, other in pairs]


def framed(lines: Sequence[Line], columns: int, title: str, style: str = "class:frame") -> list[Line]:
    """Lines in a frame, so many columns wide inside, with a title in its upper edge."""
    head = f"─ {title} " if title and get_cwidth(title) + 4 <= columns else ""
    top = "┌" + head + "─" * (columns - get_cwidth(head)) + "┐"
    bottom = "└" + "─" * columns + "┘"
    edge = (style, "│")
    return [line((style, top)), *((edge, *fit(each, columns), edge) for each in lines), line((style, bottom))]


def bar(share: float, columns: int) -> str:
    """A bar filled by a share from 0 to 1."""
    full = round(max(0.0, min(1.0, share)) * columns)
    return "█" * full + "░" * (columns - full)


def _cut(what: Line, columns: int) -> Line:
    """As much of a line as goes into so many columns."""
    kept: list[Piece] = []
    for style, text in what:
        part = ""
        for letter in text:
            if get_cwidth(part + letter) > columns:
                return (*kept, (style, part))
            part += letter
        columns -= get_cwidth(part)
        kept.append((style, part))
    return tuple(kept)
