"""The scores on the screens: the team on turn in large figures, the other teams in smaller ones, seats as numbers on
a plate. A panel takes what its box has room for, megabytes first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import Font, font
from taptable.edges.cues.icons import Look
from taptable.edges.cues.marks import MARKS_HEIGHT, draw_marks
from taptable.edges.cues.measures import FIGURES_HEIGHT, SMALL

HERO_HEIGHT = 30
"""Rows of the panel of the team on turn, its quota marks included."""

_WIDE = 90
_WIDE_HERO = 112
_HERO_SCORE_ENDS = 78  # columns of the hero's seat and four figures
_TALL_PANEL = 25  # rows of a panel with its marks under the score
_TALL_WIDTH = 38
_ROW_PANEL = 14  # rows of a panel with everything side by side
_TAG = 9
_MOST_ARROWS = 2
_SMALLER = {
    "digits22": ("digits22", "digits14", "large", "small", "digits7"),
    "digits14": ("digits14", "large", "small", "digits7"),
}


@dataclass(frozen=True, slots=True)
class _Alike:
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


def draw_hero(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, look: Look) -> None:
    """The team on turn: seat, score, line, downloads left, quota marks; `box` is `HERO_HEIGHT` high, or less for
    less."""
    seat = board.seat if board.seat in team.seats else team.seats[0]
    if box.height < FIGURES_HEIGHT:
        _draw_row(canvas, box, team, look, _Alike(12, str(team.score)), seat)
        return
    wide = box.width >= _WIDE_HERO
    plate = Box(box.x, box.y, 17 if wide else 12, FIGURES_HEIGHT)
    draw_seat(canvas, plate, str(seat))
    rest = box.from_left(plate.width + (4 if wide else 3))
    text = str(team.score)
    face = figures_for((text,), rest.width, FIGURES_HEIGHT, "digits22")
    # right-aligned in a field of four figures, so that a digit that stays needn't be sent again
    score = canvas.text(rest.x + max(0, min(rest.width, face.width("0000")) - face.width(text)), box.y, text, face)
    if wide:
        mates = [mate for mate in team.seats if mate != seat]
        if mates:
            draw_tag(canvas, box.right - 15 - 4 - tag_width(mates), box.y, mates)
        canvas.text(score.right + 3, score.bottom - SMALL.height, look.words.text("unit", board.unit), SMALL)
        _draw_line(canvas, Box(box.right - 15, box.y, 15, FIGURES_HEIGHT), team, board, look)
    elif box.right - score.right >= 10:
        _draw_icon(canvas, box.right - 8, box.y, f"small-line-{team.state}", look)
    if box.height >= HERO_HEIGHT:
        under = Box(box.x, box.bottom - MARKS_HEIGHT, box.width, MARKS_HEIGHT)
        draw_marks(canvas, under, team.marks, look.icons if wide else None)


def _draw_icon(canvas: Canvas, x: int, y: int, name: str, look: Look) -> None:
    """An icon by name; a game may have states that have none."""
    if name in look.icons:
        canvas.stamp(x, y, look.icons[name], name)


def _draw_line(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, look: Look) -> None:
    """The state of the line, and an arrow for each download of the turn: full while it is left, hollow once it is
    used."""
    _draw_icon(canvas, box.x, box.y, f"line-{team.state}", look)
    y = box.bottom - 7
    if team.allowance > _MOST_ARROWS:
        _draw_icon(canvas, box.x, y, "download-left", look)
        canvas.text(box.x + 9, y, str(board.allowance_left), SMALL)
        return
    for n in range(team.allowance):
        icon = "download-left" if n < board.allowance_left else "download-used"
        _draw_icon(canvas, box.right - 7 - 8 * n, y, icon, look)


def draw_others(canvas: Canvas, box: Box, teams: Sequence[TeamScore], look: Look) -> None:
    """The given teams, side by side or one under the other, whichever gives them more; nothing where there is no
    room."""
    if not teams or box.height < font("digits7").height:
        return
    count = len(teams)
    alike = _Alike(max(tag_width(team.seats) for team in teams), max((str(team.score) for team in teams), key=len))
    columns = box.columns(count, 3)
    if box.width >= _WIDE and box.height >= (_ROW_PANEL + 2) * count - 2:
        boxes = box.lines(count, 2)
    elif columns[0].width < 30 and box.height >= (_TAG + 1) * count - 1:
        boxes = box.lines(count, 1)
    else:
        boxes = columns
    if font("digits7").width(alike.longest) > boxes[0].width - 1:
        return
    for place, team in zip(boxes, teams, strict=True):
        draw_panel(canvas, place, team, look, alike)


def draw_panel(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike | None = None) -> None:
    """One team's score, and as much else as there is room for."""
    alike = alike or _Alike(tag_width(team.seats), str(team.score))
    if box.height >= _TALL_PANEL and box.width >= _TALL_WIDTH:
        _draw_tall(canvas, box, team, look, alike)
    elif box.height >= _ROW_PANEL and box.width >= _WIDE:
        _draw_row(canvas, box, team, look, alike)
    else:
        _draw_small(canvas, box, team, look, alike)


def _draw_tall(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike) -> None:
    """Seats and line at the left, the score and under it the marks at the right."""
    draw_tag(canvas, box.x, box.y, team.seats)
    x = box.x + alike.tag + (2 if box.width > 40 else 1)
    text = str(team.score)
    face = figures_for((alike.longest,), box.right - x, _ROW_PANEL)
    if box.width >= _WIDE_HERO:
        x = max(x, box.x + _HERO_SCORE_ENDS - face.width(text))
    canvas.text(x, box.y, text, face)
    y = box.y + _ROW_PANEL + 4
    if box.width >= _WIDE:
        _draw_icon(canvas, box.right - 15, box.y, f"line-{team.state}", look)
        draw_marks(canvas, Box(box.x, y + 1, box.width, MARKS_HEIGHT), team.marks, look.icons)
        return
    _draw_icon(canvas, box.x, y - 3, f"small-line-{team.state}", look)
    draw_marks(canvas, Box(box.x + 9, y, box.width - 9, MARKS_HEIGHT), team.marks)


def _draw_row(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike, seat: int | None = None) -> None:
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
    if box.right - x >= 8:
        _draw_icon(canvas, x, top + 3, f"small-line-{team.state}", look)
        draw_marks(canvas, Box(x + 12, top + 4, box.right - x - 12, MARKS_HEIGHT), team.marks)


def _draw_small(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike) -> None:
    """The score behind the seats, or under them, and the line's icon, as far as they fit."""
    text = str(team.score)
    x = box.x + alike.tag + 2
    face = figures_for((alike.longest,), box.right - x - 2, box.height)
    if box.height >= 2 * _TAG + 2 and face.height < _ROW_PANEL:
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
    if box.right - score.right >= 10:
        _draw_icon(canvas, score.right + 2, middle - _TAG // 2, f"small-line-{team.state}", look)
