"""The scores on a screen: the team on turn in the largest figures that fit, the others side by side or one under the
other, with their seats as numbers on plates, quota marks, and counts. A panel draws as much as fits its box, the score
first. Knows no game: icons are found by the names of what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.cues.canvas import Box, Canvas
from taptable.cues.counts import MARKS_HEIGHT, count_width, draw_column, draw_count, draw_counts, draw_marks
from taptable.cues.text import SMALL, Font, ScreenStyle, font

FIGURES_HEIGHT = font("digits22").height
"""Rows of the largest figures. A lower display shows only the team on turn."""
HERO_HEIGHT = 30
"""Rows of the panel of the team on turn, its quota marks or counts included."""

TALL_PANEL = 25
"""Rows of a panel of another team with its marks under the score."""

_WIDE_PANEL = 112  # columns from which a panel has room for everything
_WIDE = 90  # columns from which everything fits side by side
# columns of the hero's seat and four figures, or three, at which those of a wide panel end
_SCORE_ENDS, _POINTS_END = 78, 63
_LOW_TALL_PANEL, _LOW_FIGURES = 19, 10  # rows of the same with lower figures, and of these
_TALL_WIDTH = 38  # columns of both
_ROW_PANEL = 14  # rows of a panel with everything side by side
_TAG = 9  # rows of the plate of `draw_tag`
_SMALLER = {  # the fonts to try, by the largest one allowed
    "digits22": ("digits22", "digits14", "large", "small", "digits7"),
    "digits14": ("digits14", "large", "small", "digits7"),
}
_MAX_ARROWS = 2  # more downloads are shown as a number
_LINE_COLUMNS = 15  # of the icon of the line's state
_HERO_GAP = 4  # columns between seat, score and counts of the team on turn


class _SharedSizes(NamedTuple):
    """The sizes that adjacent panels share: the widest plate of seats, and the longest score."""

    tag: int
    longest: str


# --- parts of a panel -----------------------------------------------------------------------------------------------


def in_turn_order(board: Scoreboard) -> list[TeamScore]:
    """Return the teams, first the one on turn and then the others in the order of their seats."""
    seats = board.seat or 1
    count = max((seat for team in board.teams for seat in team.seats), default=1)
    return sorted(board.teams, key=lambda team: min((seat - seats) % count for seat in team.seats))


def figures_for(texts: Sequence[str], width: int, height: int, largest: str = "digits14") -> Font:
    """Return the largest figures, from `largest` down, in which each of `texts` fits `width` × `height`; the smallest
    if none does."""
    fonts = [font(name) for name in _SMALLER[largest]]
    fitting = (face for face in fonts if face.height <= height and all(face.width(text) <= width for text in texts))
    return next(fitting, fonts[-1])


def shown_score(team: TeamScore) -> int:
    """Return the figure that represents a team: its score, or the count that decides instead."""
    return team.score if team.decisive is None else team.decisive.have


def seats_text(seats: Sequence[int]) -> str:
    """Return a team's seats in one word."""
    return "·".join(map(str, seats))


def tag_width(seats: Sequence[int]) -> int:
    """Return the columns of the plate of `draw_tag`."""
    return SMALL.width(seats_text(seats)) + 4


def draw_tag(canvas: Canvas, x: int, y: int, seats: Sequence[int]) -> Box:
    """Draw a team's seats as black figures on a small plate, 9 rows high, and return its box."""
    text = seats_text(seats)
    plate = canvas.plate(Box(x, y, tag_width(seats), _TAG), f"plate {text}")
    canvas.write_line(x + 2, y + 1, text, SMALL, black=True)
    return plate


def draw_seat(canvas: Canvas, box: Box, text: str) -> None:
    """Draw a seat, or a team's seats, as large figures on a plate that fills `box`."""
    canvas.plate(box, f"plate {text}")
    face = figures_for((text,), box.width - 2, box.height - 2) if text.isdigit() else font("large")
    left, _, right, _ = face.render(text).getbbox() or (0, 0, 0, 0)
    x = box.x + (box.width - (right - left)) // 2 - left
    canvas.write_line(x, box.y + (box.height - face.height) // 2, text, face, black=True)


def _draw_icon(canvas: Canvas, x: int, y: int, name: str, style: ScreenStyle) -> None:
    """Draw an icon by name, if it exists: a game may have states without one."""
    if name in style.icons:
        canvas.stamp(x, y, style.icons[name], name)


# --- the team on turn -----------------------------------------------------------------------------------------------


def draw_hero(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, style: ScreenStyle) -> None:
    """Draw the team on turn: seat, score, line, downloads left, and its quota marks or else its counts. `box` is
    `HERO_HEIGHT` high; a lower one gets less."""
    seat = board.seat if board.seat in team.seats else team.seats[0]
    if box.height < FIGURES_HEIGHT:
        _draw_row(canvas, box, team, style, _SharedSizes(12, str(shown_score(team))), seat)
        return
    wide = box.width >= _WIDE_PANEL
    plate = Box(box.x, box.y, 17 if wide else 12, FIGURES_HEIGHT)
    draw_seat(canvas, plate, str(seat))
    score = _draw_score(canvas, box.without_left(plate.width + (_HERO_GAP if wide else 3)), team)
    # the hand of the seat on turn and the common stock, except for counts that the team has as well
    hand = board.hands[seat - 1] if seat <= len(board.hands) else ()
    names = {count.name for count in team.counts}
    others = [count for count in (*hand, *board.stock) if count.name not in names]
    if wide:
        name = board.unit if team.decisive is None else team.decisive.name
        unit = style.words.text("unit", name, {"number": shown_score(team)})
        x = score.right + 3
        x += (
            canvas.write_line(x, score.bottom - SMALL.height - SMALL.descender_rows(unit), unit, SMALL).width
            + _HERO_GAP
        )
        if team.marks or team.state or len(team.seats) > 1:
            left = score.right + 3
            room = Box(left, box.y, box.right - _LINE_COLUMNS - 3 - left, SMALL.height)
            _draw_above_unit(canvas, room, team, board, style)
            _draw_state(canvas, box, team, board, seat, style)
        else:
            room = Box(x, box.y, box.right - x, FIGURES_HEIGHT)
            others = others[draw_column(canvas, room, others, style.icons) :]
    elif box.right - score.right >= 10:
        _draw_icon(canvas, box.right - 8, box.y, f"small-line-{team.state}", style)
    if box.height < HERO_HEIGHT:
        return
    if team.marks:
        draw_marks(canvas, box.without_top(box.height - MARKS_HEIGHT), team.marks, style.icons if wide else None)
    else:
        draw_counts(canvas, box.without_top(box.height - SMALL.height), (*team.counts, *others), style.icons)


def _draw_score(canvas: Canvas, box: Box, team: TeamScore) -> Box:
    """Draw the score, right-aligned in a field of figures, so that unchanged digits aren't sent again. Scores
    with marks reach the thousands, points don't."""
    text = str(shown_score(team))
    face = figures_for((text,), box.width, FIGURES_HEIGHT, "digits22")
    room = min(box.width, face.width("00" if team.decisive else "0000" if team.marks else "000"))
    return canvas.write_line(box.x + max(0, room - face.width(text)), box.y, text, face)


def _draw_above_unit(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, style: ScreenStyle) -> None:
    """Draw the common stock at the right edge of `box`, and before it the score if something else decides, as far as
    they fit."""
    stock = [count for count in board.stock if count_width(count, style.icons) <= box.width][:1]
    right = box.right
    for count in stock:
        right -= count_width(count, style.icons)
        draw_count(canvas, right, box.y, count, style.icons)
    if team.decisive is not None:
        score = f"{team.score} {style.words.text('unit', board.unit)}"
        if box.x + SMALL.width(score) <= right - 1:
            canvas.write_line(box.x, box.y, score, SMALL)


def _draw_state(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, seat: int, style: ScreenStyle) -> None:
    """Draw the seats of the team's other players, the state of the line, and an arrow for each download of the turn:
    full while it is left, hollow once it is used."""
    x, y = box.right - _LINE_COLUMNS, box.y + FIGURES_HEIGHT - 7
    if mates := [mate for mate in team.seats if mate != seat]:
        draw_tag(canvas, x - 2 - tag_width(mates), box.y + FIGURES_HEIGHT - _TAG, mates)
    _draw_icon(canvas, x, box.y, f"line-{team.state}", style)
    if team.allowance > _MAX_ARROWS:
        _draw_icon(canvas, x, y, "download-left", style)
        canvas.write_line(x + 9, y, str(board.allowance_left), SMALL)
        return
    for n in range(team.allowance):
        icon = "download-left" if n < board.allowance_left else "download-used"
        _draw_icon(canvas, box.right - 7 - 8 * n, y, icon, style)


# --- the others -----------------------------------------------------------------------------------------------------


def draw_others(
    canvas: Canvas, box: Box, teams: Sequence[TeamScore], style: ScreenStyle, *, marked: bool = False
) -> None:
    """Draw these teams, side by side or one under the other, whichever gives them more room, each with its score and as
    much else as fits; nothing without room. `marked` prefers marks to large figures."""
    if not teams or box.height < font("digits7").height:
        return
    shared = _SharedSizes(
        max(tag_width(team.seats) for team in teams), max((str(shown_score(team)) for team in teams), key=len)
    )
    for place, team in zip(_boxes(box, len(teams), shared), teams, strict=False):
        if place.height >= TALL_PANEL and place.width >= _TALL_WIDTH:
            _draw_tall(canvas, place, team, style, shared)
        elif place.height >= _ROW_PANEL and place.width >= _WIDE:
            _draw_row(canvas, place, team, style, shared)
        elif place.height >= _LOW_TALL_PANEL and place.width >= _TALL_WIDTH and marked and team.marks:
            _draw_tall(canvas, place, team, style, shared, low=True)
        else:
            _draw_small(canvas, place, team, style, shared)


def _boxes(box: Box, count: int, shared: _SharedSizes) -> list[Box]:
    """Return the boxes of `count` panels: one under the other, side by side or in two or three columns; empty if their
    scores don't fit."""
    columns = box.columns(count, 3)
    if box.width >= _WIDE and box.height >= (_ROW_PANEL + 2) * count - 2:
        boxes = box.lines(count, 2)
    elif columns[0].width < 30 and box.height >= (_TAG + 1) * count - 1:
        boxes = box.lines(count, 1)
    else:
        boxes = columns
    least = font("digits7").width(shared.longest) + 1
    if boxes[0].width >= least:
        return boxes
    for abreast in (2, 3):
        rows = box.lines(-(-count // abreast), 1)
        boxes = [place for row in rows for place in row.columns(abreast, 3)]
        if boxes[0].width >= least and boxes[0].height >= _TAG:
            return boxes[:count]
    return []


def _draw_tall(
    canvas: Canvas, box: Box, team: TeamScore, style: ScreenStyle, shared: _SharedSizes, *, low: bool = False
) -> None:
    """Draw seats and line at the left, the score and under it the marks at the right, with lower figures in a `low`
    box."""
    draw_tag(canvas, box.x, box.y, team.seats)
    x = box.x + shared.tag + (2 if box.width > 40 else 1)
    text = str(shown_score(team))
    height = _LOW_FIGURES if low else _ROW_PANEL
    face = figures_for((shared.longest,), box.right - x, height)
    if box.width >= _WIDE_PANEL:
        x = max(x, box.x + (_SCORE_ENDS if team.marks else _POINTS_END) - face.width(text))
    canvas.write_line(x, box.y, text, face)
    y = box.y + height + (3 if low else 4)
    if not team.marks:
        draw_counts(canvas, Box(box.x, y, box.width, SMALL.height), team.counts, style.icons)
    elif box.width >= _WIDE:
        _draw_icon(canvas, box.right - 15, box.y, f"line-{team.state}", style)
        draw_marks(canvas, Box(box.x, y + 1, box.width, MARKS_HEIGHT), team.marks, style.icons)
    else:
        _draw_icon(canvas, box.x, y - 3, f"small-line-{team.state}", style)
        draw_marks(canvas, Box(box.x + 9, y, box.width - 9, MARKS_HEIGHT), team.marks)


def _draw_row(
    canvas: Canvas, box: Box, team: TeamScore, style: ScreenStyle, shared: _SharedSizes, seat: int | None = None
) -> None:
    """Draw everything side by side, with a large seat on turn if that is given."""
    top = box.y + max(0, box.height - _ROW_PANEL) // 2
    if seat is None:
        draw_tag(canvas, box.x, top + 2, team.seats)
    else:
        draw_seat(canvas, Box(box.x, box.y, shared.tag, box.height), str(seat))
    x = box.x + shared.tag + 3
    face = figures_for((shared.longest,), min(38, box.right - x), min(_ROW_PANEL, box.height))
    canvas.write_line(x, top, str(shown_score(team)), face)
    x += face.width(shared.longest) + 5
    if not team.marks:
        draw_counts(canvas, Box(x, top + 4, box.right - x, SMALL.height), team.counts, style.icons)
    elif box.right - x >= 8:
        _draw_icon(canvas, x, top + 3, f"small-line-{team.state}", style)
        draw_marks(canvas, Box(x + 12, top + 4, box.right - x - 12, MARKS_HEIGHT), team.marks)


def _draw_small(canvas: Canvas, box: Box, team: TeamScore, style: ScreenStyle, shared: _SharedSizes) -> None:
    """Draw the score beside the seats, or under them, and the line's icon, as far as they fit."""
    text = str(shown_score(team))
    x = box.x + shared.tag + 2
    face = figures_for((shared.longest,), box.right - x - 2, box.height)
    if box.height >= 2 * _TAG + 2 and face.height < _ROW_PANEL and shared.tag <= box.width:
        under = box.without_top(_TAG + 2)
        draw_tag(canvas, box.x, box.y, team.seats)
        canvas.write_line(under.x, under.y, text, figures_for((shared.longest,), under.width - 1, under.height))
        return
    if box.height < _TAG or face.width(shared.longest) > box.right - x:
        canvas.write_line(box.x, box.y, text, figures_for((shared.longest,), box.width - 1, box.height))
        return
    middle = box.y + max(_TAG, face.height) // 2
    draw_tag(canvas, box.x, middle - _TAG // 2, team.seats)
    score = canvas.write_line(x, middle - face.height // 2, text, face)
    if not team.marks:
        x += face.width(shared.longest) + 6
        draw_counts(canvas, Box(x, middle - 3, box.right - x, SMALL.height), team.counts, style.icons)
    elif box.right - score.right >= 10:
        _draw_icon(canvas, score.right + 2, middle - _TAG // 2, f"small-line-{team.state}", style)
