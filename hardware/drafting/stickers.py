"""Stickers for the control cards, one page of A4 a language: the name and what the card does, from the words that the
table itself uses, and a sign for each. Must not know what a control does."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from textwrap import wrap

from taptable.memory.deck import CONTROLS
from taptable.words import Words

from drafting.parts import Table
from drafting.sheets import A4, Pen, Sheet

_RIM = 3.0
"""By which a sticker is smaller than its card, all round."""
_BETWEEN = 6.0
_COLUMNS = 3
_SIGN_WIDTH = 1.6


def sticker_sheet(measures: Table, language: str) -> Sheet:
    """All control cards in one language."""
    width, height = measures["card"]["width"] - 2 * _RIM, measures["card"]["height"] - 2 * _RIM
    words = Words(language)
    left = (A4[0] - _COLUMNS * width - (_COLUMNS - 1) * _BETWEEN) / 2

    def draw(pen: Pen) -> None:
        for number, control in enumerate(CONTROLS):
            row, column = divmod(number, _COLUMNS)
            x, y = left + column * (width + _BETWEEN), A4[1] - 20 - height - row * (height + _BETWEEN)
            pen.box(x, y, width, height, corner=measures["card"]["corner"], cut=True)
            _SIGNS[control](pen, x + width / 2, y + height * 0.66)
            pen.text(
                x + width / 2, y + height * 0.38, "\n".join(wrap(words.text("control", control), 16)), 4, bold=True
            )
            what = "\n".join(wrap(words.text("control-card", control), 27))
            pen.text(x + width / 2, y + height * 0.17, what, 2.2)
        pen.text(A4[0] / 2, 14, "taptable", 3, faint=True)

    return Sheet(f"control cards, {language}", A4, draw)


def _arc(x: float, y: float, radius: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points of an arc, by turns anticlockwise from the right."""
    steps = 40
    turns = [2 * pi * (start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + radius * cos(turn), y + radius * sin(turn)) for turn in turns]


def _arrow_end(pen: Pen, points: list[tuple[float, float]], size: float = 3.2) -> None:
    """The head of an arrow at the end of a line."""
    (x0, y0), (x, y) = points[-3], points[-1]
    length = ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
    dx, dy = (x - x0) / length, (y - y0) / length
    wing = size * 0.75
    pen.filled([(x + dx * size, y + dy * size), (x - dy * wing, y + dx * wing), (x + dy * wing, y - dx * wing)])


def _pause(pen: Pen, x: float, y: float) -> None:
    for side in (-4.5, 1.5):
        pen.filled([(x + side, y - 8), (x + side + 3, y - 8), (x + side + 3, y + 8), (x + side, y + 8)])


def _take_back(pen: Pen, x: float, y: float) -> None:
    points = _arc(x, y, 8, -0.3, 0.42)
    pen.line(points, width_mm=_SIGN_WIDTH)
    _arrow_end(pen, points)


def _reshuffle(pen: Pen, x: float, y: float) -> None:
    for up in (1, -1):
        points = [
            (x - 9, y - 5 * up),
            (x - 5, y - 5 * up),
            (x + 3, y + 5 * up),
            (x + 5, y + 5 * up),
            (x + 7, y + 5 * up),
        ]
        pen.line(points, width_mm=_SIGN_WIDTH)
        _arrow_end(pen, points)


def _new_game(pen: Pen, x: float, y: float) -> None:
    tips = [(radius, 0.25 + step / 10) for step, radius in enumerate([9.5, 4] * 5)]
    pen.filled([(x + radius * cos(2 * pi * turn), y + radius * sin(2 * pi * turn)) for radius, turn in tips])


def _check(pen: Pen, x: float, y: float) -> None:
    pen.line([(x - 8, y), (x - 2.5, y - 6.5), (x + 8, y + 7)], width_mm=2.2)


def _pair(pen: Pen, x: float, y: float) -> None:
    corners = [(x - 8, y - 8), (x + 1, y - 8), (x + 1, y + 8), (x - 8, y + 8), (x - 8, y - 8), (x + 1, y - 8)]
    pen.line(corners, width_mm=_SIGN_WIDTH)
    for radius in (4, 8):
        pen.line(_arc(x + 1, y, radius, -0.12, 0.12), width_mm=_SIGN_WIDTH)


_SIGNS: dict[str, Callable[[Pen, float, float], None]] = {
    "pause": _pause,
    "take-back": _take_back,
    "reshuffle": _reshuffle,
    "new-game": _new_game,
    "check": _check,
    "pair": _pair,
}
