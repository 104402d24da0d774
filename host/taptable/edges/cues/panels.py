"""The scores on the screens, but for the team on turn: teams side by side or one under the other, seats as numbers on a
plate. A panel takes what its box has room for, the score first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.counts import COUNTS_HEIGHT, draw_counts
from taptable.edges.cues.fonts import Font, font
from taptable.edges.cues.icons import Look
from taptable.edges.cues.marks import MARKS_HEIGHT, draw_marks
from taptable.edges.cues.measures import SMALL

WIDE_PANEL = 112
"""Columns from which a panel has room for everything."""

_WIDE = 90
# columns of the hero's seat and four figures, or three, under which those of a wide panel end
_SCORE_ENDS, _POINTS_END = 78, 63
_TALL_PANEL = 25  # rows of a panel with its marks under the score
_TALL_WIDTH = 38
_ROW_PANEL = 14  # rows of a panel with everything side by side
_TAG = 9
_SMALLER = {
    "digits22": ("digits22", "digits14", "large", "small", "digits7"),
    "digits14": ("digits14", "large", "small", "digits7"),
}


@dataclass(frozen=True, slots=True)
class Alike:
    """What panels that stand side by side have in common: the widest plate of seats, and the longest score."""

    tag: int
    longest: str


def in_turn_order(board: Scoreboard) -> list[TeamScore]:
    """The teams, the one on turn first and the others as they sit after it."""
    seats = board.seat or 1
    count = max((seat for team in board.teams for seat in team.seats), default=1)
    return sorted(board.teams, key=lambda team: min((seat - seats) % count for seat in team.seats))


def figures_for(texts: Sequence[str], width: int, height: int, largest: str = "digits14") -> Font:
    """The largest figures, from `largest` down, in which each of `texts` stands in `width` × `height`; the smallest
    if none fits."""
    fonts = [font(name) for name in _SMALLER[largest]]
    fitting = (face for face in fonts if face.height <= height and all(face.width(text) <= width for text in texts))
    return next(fitting, fonts[-1])


def seats_text(seats: Sequence[int]) -> str:
    """A team's seats in one word."""
    return "·".join(map(str, seats))


def draw_tag(canvas: Canvas, x: int, y: int, seats: Sequence[int]) -> Box:
    """A team's seats as black figures on a small plate, 9 rows high; its box."""
    text = seats_text(seats)
    plate = canvas.plate(Box(x, y, tag_width(seats), _TAG), f"plate {text}")
    canvas.text(x + 2, y + 1, text, SMALL, black=True)
    return plate


def tag_width(seats: Sequence[int]) -> int:
    """Columns of the plate of `draw_tag`."""
    return SMALL.width(seats_text(seats)) + 4


def draw_seat(canvas: Canvas, box: Box, text: str) -> None:
    """A seat, or a team's seats, as large figures on a plate that fills `box`."""
    canvas.plate(box, f"plate {text}")
    face = figures_for((text,), box.width - 2, box.height - 2) if text.isdigit() else font("large")
    left, _, right, _ = face.ink(text).getbbox() or (0, 0, 0, 0)
    x = box.x + (box.width - (right - left)) // 2 - left
    canvas.text(x, box.y + (box.height - face.height) // 2, text, face, black=True)


def draw_icon(canvas: Canvas, x: int, y: int, name: str, look: Look) -> None:
    """An icon by name; a game may have states that have none."""
    if name in look.icons:
        canvas.stamp(x, y, look.icons[name], name)


def draw_others(canvas: Canvas, box: Box, teams: Sequence[TeamScore], look: Look) -> None:
    """The given teams, side by side or one under the other, whichever gives them more; nothing where there is no
    room."""
    if not teams or box.height < font("digits7").height:
        return
    alike = Alike(max(tag_width(team.seats) for team in teams), max((str(team.score) for team in teams), key=len))
    for place, team in zip(_boxes(box, len(teams), alike), teams, strict=False):
        draw_panel(canvas, place, team, look, alike)


def _boxes(box: Box, count: int, alike: Alike) -> list[Box]:
    """Where so many panels stand: one under the other, side by side or in two columns; nowhere if there isn't room for
    their scores."""
    columns = box.columns(count, 3)
    if box.width >= _WIDE and box.height >= (_ROW_PANEL + 2) * count - 2:
        boxes = box.lines(count, 2)
    elif columns[0].width < 30 and box.height >= (_TAG + 1) * count - 1:
        boxes = box.lines(count, 1)
    else:
        boxes = columns
    least = font("digits7").width(alike.longest) + 1
    if boxes[0].width >= least:
        return boxes
    for abreast in (2, 3):
        rows = box.lines(-(-count // abreast), 1)
        boxes = [place for row in rows for place in row.columns(abreast, 3)]
        if boxes[0].width >= least and boxes[0].height >= _TAG:
            return boxes[:count]
    return []


def draw_panel(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: Alike | None = None) -> None:
    """One team's score, and as much else as there is room for."""
    alike = alike or Alike(tag_width(team.seats), str(team.score))
    if box.height >= _TALL_PANEL and box.width >= _TALL_WIDTH:
        _draw_tall(canvas, box, team, look, alike)
    elif box.height >= _ROW_PANEL and box.width >= _WIDE:
        draw_row(canvas, box, team, look, alike)
    else:
        _draw_small(canvas, box, team, look, alike)


def _draw_tall(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: Alike) -> None:
    """Seats and line at the left, the score and under it the marks at the right."""
    draw_tag(canvas, box.x, box.y, team.seats)
    x = box.x + alike.tag + (2 if box.width > 40 else 1)
    text = str(team.score)
    face = figures_for((alike.longest,), box.right - x, _ROW_PANEL)
    if box.width >= WIDE_PANEL:
        x = max(x, box.x + (_SCORE_ENDS if team.marks else _POINTS_END) - face.width(text))
    canvas.text(x, box.y, text, face)
    y = box.y + _ROW_PANEL + 4
    if not team.marks:
        draw_counts(canvas, Box(box.x, y, box.width, COUNTS_HEIGHT), team.counts, look.icons)
    elif box.width >= _WIDE:
        draw_icon(canvas, box.right - 15, box.y, f"line-{team.state}", look)
        draw_marks(canvas, Box(box.x, y + 1, box.width, MARKS_HEIGHT), team.marks, look.icons)
    else:
        draw_icon(canvas, box.x, y - 3, f"small-line-{team.state}", look)
        draw_marks(canvas, Box(box.x + 9, y, box.width - 9, MARKS_HEIGHT), team.marks)


def draw_row(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: Alike, seat: int | None = None) -> None:
    """Everything side by side; the seat on turn, if it is given, stands large."""
    top = box.y + max(0, box.height - _ROW_PANEL) // 2
    if seat is None:
        draw_tag(canvas, box.x, top + 2, team.seats)
    else:
        draw_seat(canvas, Box(box.x, box.y, alike.tag, box.height), str(seat))
    x = box.x + alike.tag + 3
    face = figures_for((alike.longest,), min(38, box.right - x), min(_ROW_PANEL, box.height))
    canvas.text(x, top, str(team.score), face)
    x += face.width(alike.longest) + 5
    if not team.marks:
        draw_counts(canvas, Box(x, top + 4, box.right - x, COUNTS_HEIGHT), team.counts, look.icons)
    elif box.right - x >= 8:
        draw_icon(canvas, x, top + 3, f"small-line-{team.state}", look)
        draw_marks(canvas, Box(x + 12, top + 4, box.right - x - 12, MARKS_HEIGHT), team.marks)


def _draw_small(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: Alike) -> None:
    """The score behind the seats, or under them, and the line's icon, as far as they fit."""
    text = str(team.score)
    x = box.x + alike.tag + 2
    face = figures_for((alike.longest,), box.right - x - 2, box.height)
    if box.height >= 2 * _TAG + 2 and face.height < _ROW_PANEL and alike.tag <= box.width:
        under = box.from_top(_TAG + 2)
        draw_tag(canvas, box.x, box.y, team.seats)
        canvas.text(under.x, under.y, text, figures_for((alike.longest,), under.width - 1, under.height))
        return
    if box.height < _TAG or face.width(alike.longest) > box.right - x:
        canvas.text(box.x, box.y, text, figures_for((alike.longest,), box.width - 1, box.height))
        return
    middle = box.y + max(_TAG, face.height) // 2
    draw_tag(canvas, box.x, middle - _TAG // 2, team.seats)
    score = canvas.text(x, middle - face.height // 2, text, face)
    if not team.marks:
        x += face.width(alike.longest) + 6
        draw_counts(canvas, Box(x, middle - 3, box.right - x, COUNTS_HEIGHT), team.counts, look.icons)
    elif box.right - score.right >= 10:
        draw_icon(canvas, score.right + 2, middle - _TAG // 2, f"small-line-{team.state}", look)
