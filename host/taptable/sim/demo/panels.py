"""Panels of the demo: what is to be seen, set in lines, each from a view, the words and the columns there are.
Whatever has a colour has a shape or a word as well. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from taptable.sim.demo.lines import Line, bar, fit, flowing, line, wrapped
from taptable.sim.demo.views import Said, SeatView, View, WindowView
from taptable.sim.hints import button_word
from taptable.sim.text_art import as_text
from taptable.words import Words

SIGN_OF_RING = {
    "off": "∅",
    "idle": "○",
    "your-turn": "◉",
    "reading": "≈",
    "accepted": "✓",
    "refused": "✗",
    "ignored": "–",
    "paused": "‖",
    "deaf": "?",
}
"""The sign of each pattern; one that runs is a disc, as full as its time."""
DISCS = "○◔◑◕●"

STYLE_OF_RING = {
    "your-turn": "class:turn",
    "accepted": "class:good",
    "refused": "class:bad",
    "deaf": "class:bad",
    "window": "class:loud",
    "claim": "class:loud",
    "holding": "class:turn",
    "idle": "class:faint",
    "off": "class:faint",
}

TABLE_COLUMNS = 46
"""Columns from which the seats stand in a table with words."""
WORDY_COLUMNS = 30
"""Columns from which a lamp has its word."""


def glass(picture: Image.Image, *, braille: bool) -> list[Line]:
    """The display's picture."""
    return [line(("class:glass", row)) for row in _art(picture.tobytes(), picture.size, braille)]


@lru_cache(maxsize=4)
def _art(bits: bytes, size: tuple[int, int], braille: bool) -> list[str]:
    """A picture as text, kept since most looks find the same one."""
    return as_text(Image.frombytes("1", size, bits), braille=braille)


def seats(view: View, words: Words, columns: int) -> list[Line]:
    """A line a seat: whose turn, ring, lamp, and what the button means where there is room."""
    if columns < TABLE_COLUMNS:
        return [_seat_in_short(view, seat, words, columns) for seat in view.seats]
    heads = [words.text("demo", f"head-{name}") for name in ("seat", "ring", "lamp", "button", "hand")]
    widths = (9, 11, 11, columns - 9 - 11 - 11 - 7 - 4, 7)
    head = [fit(line(("class:faint", text)), width) for text, width in zip(heads, widths, strict=True)]
    return [_row(head), *(_row(_seat_cells(view, seat, words, widths)) for seat in view.seats)]


def window(view: View, words: Words, columns: int) -> list[Line]:
    """The running window with what is left of it, or what is pending; no line where there is neither."""
    if view.window is not None:
        return _window(view.window, words, columns)
    if view.over or not (view.paused or view.pending):
        return []
    key = "is-paused" if view.paused else f"pending-{view.pending}"
    known = words.message("demo", key) is not None
    said = words.text("demo", key, {"seat": view.on_turn}) if known else view.hint
    return [line(("class:loud", said))] if said else []


def sounder(view: View, words: Words) -> Line:
    """A note and what is being played."""
    if view.sound is None:
        return line(("class:faint", f"♪ {words.text('demo', 'silence')}"))
    return line(("class:sound", f"♪ {words.text('demo', f'sound-{view.sound}')}"))


def log(said: Sequence[Said], columns: int, rows: int) -> list[Line]:
    """The last sentences, the newest at the bottom."""
    lines: list[Line] = []
    for each in reversed(said):
        if len(lines) >= rows:
            break
        lines = [*sentence(each, columns), *lines]
    return lines[max(0, len(lines) - rows) :]


def sentence(said: Said, columns: int) -> list[Line]:
    """A sentence behind its sign, in as many lines as it takes."""
    first, *more = wrapped(said.text, columns - 2, said.style)
    return [line((said.style, f"{said.sign} "), *first), *(line("  ", *rest) for rest in more)]


def _row(cells: Sequence[Line]) -> Line:
    return tuple(piece for cell in cells for piece in (*cell, ("", " ")))[:-1]


def _turn_mark(seat: SeatView) -> tuple[str, str]:
    return ("class:turn", "▶") if seat.on_turn else ("", " ")


def _ring(seat: SeatView) -> tuple[str, str]:
    """A ring's sign in its style."""
    pattern = seat.ring or "off"
    if seat.ring_left is not None:
        full = 1 - seat.ring_left if pattern == "holding" else seat.ring_left
        sign = DISCS[round(full * (len(DISCS) - 1))]
    else:
        sign = SIGN_OF_RING.get(pattern, "○")
    return STYLE_OF_RING.get(pattern, ""), sign


def _lamp(seat: SeatView) -> tuple[str, str]:
    return ("class:lit", "●") if seat.lit else ("class:faint", "○")


def _seat_cells(view: View, seat: SeatView, words: Words, widths: Sequence[int]) -> list[Line]:
    who = words.text("demo", "you") if seat.seat in view.show.people else ""
    style, sign = _ring(seat)
    ring = words.text("demo", f"ring-{seat.ring}") if seat.ring else words.text("demo", "no-ring")
    cells = (
        line(_turn_mark(seat), ("class:seat", f" {seat.seat} "), ("class:you", who)),
        line((style, f"{sign} {ring}")),
        line(_lamp(seat), f" {words.text('demo', f'lamp-{seat.lamp}')}"),
        line(button_word(seat.meaning, words)),
        line("+".join(str(count.have) for count in seat.hand).rjust(3)),
    )
    return [fit(cell, width) for cell, width in zip(cells, widths, strict=True)]


def _seat_in_short(view: View, seat: SeatView, words: Words, columns: int) -> Line:
    number = ("class:you" if seat.seat in view.show.people else "class:seat", str(seat.seat))
    style, sign = _ring(seat)
    lamp: Line = (_lamp(seat),)
    if columns >= WORDY_COLUMNS:
        lamp = line(*lamp, " ", words.text("demo", f"lamp-{seat.lamp}"))
        ring_columns = columns // 2 - 4
    else:
        ring_columns = columns - 5
    ring = words.text("demo", f"ring-{seat.ring}") if seat.ring else words.text("demo", "no-ring")
    return line(_turn_mark(seat), number, " ", *fit(line((style, sign + ring)), ring_columns), " ", *lamp)


def _window(running: WindowView, words: Words, columns: int) -> list[Line]:
    key = "window" if running.claimant is None else "claim"
    facts = {"seat": running.claimant or running.seat, "kind": running.kind}
    context = "demo" if words.message("demo", key) is not None else "now"
    left = f"{running.left_s:.1f} s"
    share = running.left_s / running.whole_s if running.whole_s else 0
    room = max(3, min(40, columns - len(left) - 1))
    return [
        line(("class:loud", words.text(context, key, facts))),
        line(("class:loud", bar(share, room)), " ", left),
    ]


def flowing_keys(keys: Sequence[tuple[str, str]], columns: int) -> list[Line]:
    """Keys and what they do."""
    return flowing([line(("class:key", key), f" {what}") for key, what in keys], columns)
