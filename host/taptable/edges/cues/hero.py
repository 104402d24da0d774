"""The team on turn: its seat and its score in the largest figures there is room for, and all that is to be known of it
while it plays."""

from __future__ import annotations

from taptable.core.scoreboard import Count, Scoreboard, TeamScore
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.counts import COUNTS_HEIGHT, draw_column, draw_counts
from taptable.edges.cues.icons import Look
from taptable.edges.cues.marks import MARKS_HEIGHT, draw_marks
from taptable.edges.cues.measures import FIGURES_HEIGHT, SMALL
from taptable.edges.cues.panels import (
    WIDE_PANEL,
    Alike,
    draw_icon,
    draw_row,
    draw_seat,
    draw_tag,
    figures_for,
    tag_width,
)

HERO_HEIGHT = 30
"""Rows of the panel of the team on turn, its quota marks or counts included."""

_MOST_ARROWS = 2
_LINE_COLUMNS = 15
_GAP = 4


def draw_hero(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, look: Look) -> None:
    """The team on turn: seat, score, line, downloads left, and its quota marks or else what is counted; `box` is
    `HERO_HEIGHT` high, or less for less."""
    seat = board.seat if board.seat in team.seats else team.seats[0]
    if box.height < FIGURES_HEIGHT:
        draw_row(canvas, box, team, look, Alike(12, str(team.score)), seat)
        return
    wide = box.width >= WIDE_PANEL
    plate = Box(box.x, box.y, 17 if wide else 12, FIGURES_HEIGHT)
    draw_seat(canvas, plate, str(seat))
    score = _draw_score(canvas, box.from_left(plate.width + (_GAP if wide else 3)), team)
    others = _others_counted(team, board, seat)
    if wide:
        unit = look.words.text("unit", board.unit)
        x = score.right + 3
        x += canvas.text(x, score.bottom - SMALL.height - SMALL.tails(unit), unit, SMALL).width + _GAP
        if team.marks or team.state or len(team.seats) > 1:
            _draw_state(canvas, box, team, board, seat, look)
        else:
            room = Box(x, box.y, box.right - x, FIGURES_HEIGHT)
            others = others[draw_column(canvas, room, others, look.icons) :]
    elif box.right - score.right >= 10:
        draw_icon(canvas, box.right - 8, box.y, f"small-line-{team.state}", look)
    if box.height < HERO_HEIGHT:
        return
    if team.marks:
        under = Box(box.x, box.bottom - MARKS_HEIGHT, box.width, MARKS_HEIGHT)
        draw_marks(canvas, under, team.marks, look.icons if wide else None)
    else:
        under = Box(box.x, box.bottom - COUNTS_HEIGHT, box.width, COUNTS_HEIGHT)
        draw_counts(canvas, under, (*team.counts, *others), look.icons)


def _draw_score(canvas: Canvas, box: Box, team: TeamScore) -> Box:
    """The score, right-aligned in a field of figures, so that a digit that stays needn't be sent again. Scores with
    marks go into the thousands, points don't."""
    text = str(team.score)
    face = figures_for((text,), box.width, FIGURES_HEIGHT, "digits22")
    field = min(box.width, face.width("0000" if team.marks else "000"))
    return canvas.text(box.x + max(0, field - face.width(text)), box.y, text, face)


def _others_counted(team: TeamScore, board: Scoreboard, seat: int) -> list[Count]:
    """What the seat on turn holds, and what lies there for everybody, but for what is counted for the team by the same
    name."""
    hand = board.hands[seat - 1] if seat <= len(board.hands) else ()
    names = {count.name for count in team.counts}
    return [count for count in (*hand, *board.stock) if count.name not in names]


def _draw_state(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, seat: int, look: Look) -> None:
    """The seats of the others in the team, the state of the line, and an arrow for each download of the turn: full
    while it is left, hollow once it is used."""
    line = Box(box.right - _LINE_COLUMNS, box.y, _LINE_COLUMNS, FIGURES_HEIGHT)
    mates = [mate for mate in team.seats if mate != seat]
    if mates:
        draw_tag(canvas, line.x - _GAP - tag_width(mates), box.y, mates)
    draw_icon(canvas, line.x, line.y, f"line-{team.state}", look)
    y = line.bottom - 7
    if team.allowance > _MOST_ARROWS:
        draw_icon(canvas, line.x, y, "download-left", look)
        canvas.text(line.x + 9, y, str(board.allowance_left), SMALL)
        return
    for n in range(team.allowance):
        icon = "download-left" if n < board.allowance_left else "download-used"
        draw_icon(canvas, line.right - 7 - 8 * n, y, icon, look)
