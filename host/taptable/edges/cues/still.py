"""The screens on which nothing runs: the start, the search for the youngest, a pause, and the end of a game. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import doubled
from taptable.edges.cues.icons import Look
from taptable.edges.cues.layout import set_text, shorten
from taptable.edges.cues.measures import FIGURES_HEIGHT, LINE, SMALL, TALL, TEXT, WIDE
from taptable.edges.cues.panels import draw_others, draw_seat, draw_tag, figures_for, seats_text, tag_width
from taptable.edges.cues.screens import BootScreen

_NAME = "taptable"
_LARGE_NAME = doubled(TEXT[0].ink(_NAME))
_SEAT_PLATE = 13  # rows of a seat's number below the question for the youngest
_PLACES = 18  # rows that the places take at least


def paint_boot(canvas: Canvas, screen: BootScreen, look: Look) -> None:
    """Name, version, and what is missing."""
    box = canvas.box
    key = "missing" if screen.missing else "starting"
    said = look.words.text("screen", key, {"parts": ", ".join(screen.missing)})
    if box.height >= TALL or not screen.missing:
        name = TEXT[box.height <= FIGURES_HEIGHT].ink(_NAME)
        if box.height >= TALL and box.width >= _LARGE_NAME.width:
            name = _LARGE_NAME
        title = canvas.stamp(0, 0, name.crop(name.getbbox()), _NAME)
        box = box.from_top(title.bottom + 3)
    if box.height > FIGURES_HEIGHT:
        y = box.bottom - SMALL.height
        canvas.text(box.right - SMALL.width(screen.version), y, screen.version, SMALL)
        box = Box(box.x, box.y, box.width, y - 3 - box.y)
    canvas.write(box, set_text(said, TEXT, box.width, box.height), centred=True)


def paint_youngest(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    """The question, a button, and the seats that may press theirs."""
    seats = sorted(seat for team in board.teams for seat in team.seats)
    tall = box.height >= TALL
    text = Box(box.x, box.y, box.width, box.height - _SEAT_PLATE - 3) if tall else box
    button = look.icons["button"]
    if box.width >= WIDE and box.height >= button.height:
        canvas.stamp(0, box.y + (4 if tall else (box.height - button.height) // 2), button, "button")
        text = text.from_left(button.width + 5)
    said = look.words.text("screen", "youngest")
    canvas.write(text, set_text(said, TEXT, text.width, text.height), centred=True)
    if tall:
        pitch = min(16, (box.width + 2) // len(seats))
        plate = min(12, pitch - 2)
        x = (box.width - pitch * (len(seats) - 1) - plate) // 2
        for n, seat in enumerate(seats):
            draw_seat(canvas, Box(x + pitch * n, box.bottom - _SEAT_PLATE, plate, _SEAT_PLATE), str(seat))


def paint_paused(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    """That the table waits, how to go on, and the scores."""
    icon = look.icons["paused"]
    title = box
    if box.height >= icon.height:
        canvas.stamp(box.x, box.y, icon, "paused")
        title = Box(icon.width + 6, box.y, box.width - icon.width - 6, icon.height)
    said = set_text(look.words.text("screen", "paused"), TEXT, title.width, title.height)
    canvas.write(title, said, centred=True)
    rest = box.from_top(icon.height + 4)
    if rest.height >= SMALL.rows:
        hint = set_text(look.words.text("screen", "go-on"), (SMALL,), rest.width, 2 * LINE)
        canvas.write(rest, hint)
        rest = rest.from_top(hint.height + 4)
        rows = rest.height if canvas.box.height > 2 * TALL else min(rest.height, FIGURES_HEIGHT)
        draw_others(canvas, Box(rest.x, rest.y, rest.width, rows), board.teams, look)
    elif box.width >= WIDE:
        draw_others(canvas, box.from_left(box.width - 44), board.teams, look)


def paint_over(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    """The winner in large figures, how it ended, and the other teams with their places; by what decided, if that isn't
    the score."""
    teams = map(_as_decided, board.teams)
    first, *others = sorted(teams, key=lambda team: (team.place or len(board.teams), team.seats))
    decisive = None if first.decisive is None else first.decisive.name
    top = Box(box.x, box.y, box.width, min(FIGURES_HEIGHT, box.height))
    rest = box.from_top(FIGURES_HEIGHT + 3)
    low = rest.height < _PLACES
    icon = look.icons["winner"]
    if box.width >= WIDE and not low:
        canvas.stamp(top.x, top.y + (top.height - icon.height) // 2, icon, "winner")
        top = top.from_left(icon.width + 4)
    seats = seats_text(first.seats)
    plate = Box(top.x, top.y, max(12 if box.width < WIDE else 17, TEXT[0].width(seats) + 6), top.height)
    draw_seat(canvas, plate, seats)
    top = top.from_left(plate.width + 4)
    text = str(first.score)
    score = canvas.text(top.x, top.y, text, figures_for((text,), top.width, top.height, "digits22"))
    if low:
        draw_others(canvas, box.from_left(score.right + 4 - box.x), others, look)
        return
    unit = look.words.text("unit", decisive or board.unit, {"number": first.score})
    if score.right + 3 + SMALL.width(unit) <= box.right:
        canvas.text(score.right + 3, score.bottom - SMALL.height, unit, SMALL)
    if board.by is not None and rest.height >= LINE + 1 + _PLACES:
        how = shorten(look.words.text("screen", f"over-{board.by}", {"decisive": decisive}), SMALL, rest.width)
        canvas.text(rest.x, rest.y, how, SMALL)
        rest = rest.from_top(LINE + 1)
    if others and rest.height >= 16 * len(others) - 2:
        _list_places(canvas, rest, others)
    elif others:
        _line_up_places(canvas, rest, others, look)


def _as_decided(team: TeamScore) -> TeamScore:
    return team if team.decisive is None else replace(team, score=team.decisive.have)


def _list_places(canvas: Canvas, box: Box, teams: Sequence[TeamScore]) -> None:
    """Teams one under the other: place, seats, score."""
    face = figures_for([str(team.score) for team in teams], box.width // 2, 14)
    for row, team in zip(box.lines(len(teams), 2), teams, strict=True):
        _draw_place(canvas, Box(row.x, row.y + 2, row.width, row.height), team)
        text = str(team.score)
        x = row.x + 42 if box.width >= WIDE else row.right - face.width(text)
        canvas.text(x, row.y, text, face)


def _line_up_places(canvas: Canvas, box: Box, teams: Sequence[TeamScore], look: Look) -> None:
    """Teams side by side: place and seats, and under them the score; in their order only where there isn't room."""
    boxes = box.columns(len(teams), 6)
    scores = [str(team.score) for team in teams]
    face = figures_for(scores, boxes[0].width, box.height - LINE - 1)
    if max(map(face.width, scores)) > boxes[0].width + 4:
        draw_others(canvas, box, teams, look)
        return
    for column, team in zip(boxes, teams, strict=True):
        _draw_place(canvas, column, team)
        canvas.text(column.x, column.y + LINE + 1, str(team.score), face)


def _draw_place(canvas: Canvas, box: Box, team: TeamScore) -> None:
    """A team's place, if it fits, and its seats."""
    place = f"{team.place}."
    x = box.x + SMALL.width(place) + 3
    if x + tag_width(team.seats) <= box.right:
        canvas.text(box.x, box.y + 1, place, SMALL)
    else:
        x = box.x
    draw_tag(canvas, x, box.y, team.seats)
