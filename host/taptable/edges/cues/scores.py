"""The scores on a screen: the team on turn in the largest figures there is room for, the others side by side or one
under the other, with their seats as numbers on plates, quota marks, and what is counted. A panel takes what its box has
room for, the score first. Knows no game: icons come by the names of what they stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from PIL import Image

from taptable.core.scoreboard import Count, Mark, Scoreboard, TeamScore
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.text import SMALL, Font, Look, font

FIGURES_HEIGHT = font("digits22").height
"""Rows of the largest figures; a display with fewer shows only the team on turn."""
HERO_HEIGHT = 30
"""Rows of the panel of the team on turn, its quota marks or counts included."""

_WIDE_PANEL = 112  # columns from which a panel has room for everything
_WIDE = 90
# columns of the hero's seat and four figures, or three, under which those of a wide panel end
_SCORE_ENDS, _POINTS_END = 78, 63
_TALL_PANEL, _TALL_WIDTH = 25, 38  # rows and columns of a panel with its marks under the score
_ROW_PANEL = 14  # rows of a panel with everything side by side
_TAG = 9
_SMALLER = {
    "digits22": ("digits22", "digits14", "large", "small", "digits7"),
    "digits14": ("digits14", "large", "small", "digits7"),
}
_MOST_ARROWS = 2
_LINE_COLUMNS = 15
_HERO_GAP = 4
_MARKS_HEIGHT = 6
_ICON_GAP = 2
_LEAST_GAP, _MOST_GAP = 5, 9  # between two counts

Icons = Mapping[str, Image.Image]


class _Alike(NamedTuple):
    """What panels that stand side by side have in common: the widest plate of seats, and the longest score."""

    tag: int
    longest: str


# --- parts of a panel -----------------------------------------------------------------------------------------------


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


def tag_width(seats: Sequence[int]) -> int:
    """Columns of the plate of `draw_tag`."""
    return SMALL.width(seats_text(seats)) + 4


def draw_tag(canvas: Canvas, x: int, y: int, seats: Sequence[int]) -> Box:
    """A team's seats as black figures on a small plate, 9 rows high; its box."""
    text = seats_text(seats)
    plate = canvas.plate(Box(x, y, tag_width(seats), _TAG), f"plate {text}")
    canvas.text(x + 2, y + 1, text, SMALL, black=True)
    return plate


def draw_seat(canvas: Canvas, box: Box, text: str) -> None:
    """A seat, or a team's seats, as large figures on a plate that fills `box`."""
    canvas.plate(box, f"plate {text}")
    face = figures_for((text,), box.width - 2, box.height - 2) if text.isdigit() else font("large")
    left, _, right, _ = face.ink(text).getbbox() or (0, 0, 0, 0)
    x = box.x + (box.width - (right - left)) // 2 - left
    canvas.text(x, box.y + (box.height - face.height) // 2, text, face, black=True)


def _draw_icon(canvas: Canvas, x: int, y: int, name: str, look: Look) -> None:
    """An icon by name; a game may have states that have none."""
    if name in look.icons:
        canvas.stamp(x, y, look.icons[name], name)


def _icon_of(name: str, icons: Icons) -> Image.Image:
    """Its icon, or the first letter of its name."""
    return icons.get(name) or SMALL.glyphs.get(name[:1].upper(), SMALL.glyphs["missing"])


# --- the team on turn -----------------------------------------------------------------------------------------------


def draw_hero(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, look: Look) -> None:
    """The team on turn: seat, score, line, downloads left, and its quota marks or else what is counted; `box` is
    `HERO_HEIGHT` high, or less for less."""
    seat = board.seat if board.seat in team.seats else team.seats[0]
    if box.height < FIGURES_HEIGHT:
        _draw_row(canvas, box, team, look, _Alike(12, str(team.score)), seat)
        return
    wide = box.width >= _WIDE_PANEL
    plate = Box(box.x, box.y, 17 if wide else 12, FIGURES_HEIGHT)
    draw_seat(canvas, plate, str(seat))
    score = _draw_score(canvas, box.from_left(plate.width + (_HERO_GAP if wide else 3)), team)
    # what the seat on turn holds and what lies there for everybody, but for what is counted for the team as well
    hand = board.hands[seat - 1] if seat <= len(board.hands) else ()
    names = {count.name for count in team.counts}
    others = [count for count in (*hand, *board.stock) if count.name not in names]
    if wide:
        unit = look.words.text("unit", board.unit)
        x = score.right + 3
        x += canvas.text(x, score.bottom - SMALL.height - SMALL.tails(unit), unit, SMALL).width + _HERO_GAP
        if team.marks or team.state or len(team.seats) > 1:
            _draw_state(canvas, box, team, board, seat, look)
        else:
            room = Box(x, box.y, box.right - x, FIGURES_HEIGHT)
            others = others[_draw_column(canvas, room, others, look.icons) :]
    elif box.right - score.right >= 10:
        _draw_icon(canvas, box.right - 8, box.y, f"small-line-{team.state}", look)
    if box.height < HERO_HEIGHT:
        return
    if team.marks:
        _draw_marks(canvas, box.from_top(box.height - _MARKS_HEIGHT), team.marks, look.icons if wide else None)
    else:
        _draw_counts(canvas, box.from_top(box.height - SMALL.height), (*team.counts, *others), look.icons)


def _draw_score(canvas: Canvas, box: Box, team: TeamScore) -> Box:
    """The score, right-aligned in a field of figures, so that a digit that stays needn't be sent again. Scores with
    marks go into the thousands, points don't."""
    text = str(team.score)
    face = figures_for((text,), box.width, FIGURES_HEIGHT, "digits22")
    room = min(box.width, face.width("0000" if team.marks else "000"))
    return canvas.text(box.x + max(0, room - face.width(text)), box.y, text, face)


def _draw_state(canvas: Canvas, box: Box, team: TeamScore, board: Scoreboard, seat: int, look: Look) -> None:
    """The seats of the others in the team, the state of the line, and an arrow for each download of the turn: full
    while it is left, hollow once it is used."""
    x, y = box.right - _LINE_COLUMNS, box.y + FIGURES_HEIGHT - 7
    if mates := [mate for mate in team.seats if mate != seat]:
        draw_tag(canvas, x - _HERO_GAP - tag_width(mates), box.y, mates)
    _draw_icon(canvas, x, box.y, f"line-{team.state}", look)
    if team.allowance > _MOST_ARROWS:
        _draw_icon(canvas, x, y, "download-left", look)
        canvas.text(x + 9, y, str(board.allowance_left), SMALL)
        return
    for n in range(team.allowance):
        icon = "download-left" if n < board.allowance_left else "download-used"
        _draw_icon(canvas, box.right - 7 - 8 * n, y, icon, look)


# --- the others -----------------------------------------------------------------------------------------------------


def draw_others(canvas: Canvas, box: Box, teams: Sequence[TeamScore], look: Look) -> None:
    """The given teams, side by side or one under the other, whichever gives them more, each with its score and as much
    else as there is room for; nothing where there is none."""
    if not teams or box.height < font("digits7").height:
        return
    alike = _Alike(max(tag_width(team.seats) for team in teams), max((str(team.score) for team in teams), key=len))
    for place, team in zip(_boxes(box, len(teams), alike), teams, strict=False):
        if place.height >= _TALL_PANEL and place.width >= _TALL_WIDTH:
            _draw_tall(canvas, place, team, look, alike)
        elif place.height >= _ROW_PANEL and place.width >= _WIDE:
            _draw_row(canvas, place, team, look, alike)
        else:
            _draw_small(canvas, place, team, look, alike)


def _boxes(box: Box, count: int, alike: _Alike) -> list[Box]:
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


def _draw_tall(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike) -> None:
    """Seats and line at the left, the score and under it the marks at the right."""
    draw_tag(canvas, box.x, box.y, team.seats)
    x = box.x + alike.tag + (2 if box.width > 40 else 1)
    text = str(team.score)
    face = figures_for((alike.longest,), box.right - x, _ROW_PANEL)
    if box.width >= _WIDE_PANEL:
        x = max(x, box.x + (_SCORE_ENDS if team.marks else _POINTS_END) - face.width(text))
    canvas.text(x, box.y, text, face)
    y = box.y + _ROW_PANEL + 4
    if not team.marks:
        _draw_counts(canvas, Box(box.x, y, box.width, SMALL.height), team.counts, look.icons)
    elif box.width >= _WIDE:
        _draw_icon(canvas, box.right - 15, box.y, f"line-{team.state}", look)
        _draw_marks(canvas, Box(box.x, y + 1, box.width, _MARKS_HEIGHT), team.marks, look.icons)
    else:
        _draw_icon(canvas, box.x, y - 3, f"small-line-{team.state}", look)
        _draw_marks(canvas, Box(box.x + 9, y, box.width - 9, _MARKS_HEIGHT), team.marks)


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
    if not team.marks:
        _draw_counts(canvas, Box(x, top + 4, box.right - x, SMALL.height), team.counts, look.icons)
    elif box.right - x >= 8:
        _draw_icon(canvas, x, top + 3, f"small-line-{team.state}", look)
        _draw_marks(canvas, Box(x + 12, top + 4, box.right - x - 12, _MARKS_HEIGHT), team.marks)


def _draw_small(canvas: Canvas, box: Box, team: TeamScore, look: Look, alike: _Alike) -> None:
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
        _draw_counts(canvas, Box(x, middle - 3, box.right - x, SMALL.height), team.counts, look.icons)
    elif box.right - score.right >= 10:
        _draw_icon(canvas, score.right + 2, middle - _TAG // 2, f"small-line-{team.state}", look)


# --- counts: an icon and a number each, such as of cards in a hand --------------------------------------------------


def counted(count: Count) -> str:
    """A count as figures: ``3/10``, or ``3`` where it has no end."""
    return str(count.have) if count.of is None else f"{count.have}/{count.of}"


def _draw_counts(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Icons) -> None:
    """The first of the counts, as many as fit, side by side along the top of `box`."""
    widths = [_count_width(count, icons) for count in counts]
    while widths and sum(widths) + _LEAST_GAP * (len(widths) - 1) > box.width:
        widths.pop()
    if not widths or box.height < SMALL.height:
        return
    gap = min(_MOST_GAP, (box.width - sum(widths)) // max(1, len(widths) - 1))
    x = box.x
    for count, width in zip(counts, widths, strict=False):
        _draw_count(canvas, x, box.y, count, icons)
        x += width + gap


def _draw_column(canvas: Canvas, box: Box, counts: Sequence[Count], icons: Icons) -> int:
    """The first of the counts, one under the other in the whole height of `box`, at its right edge; how many there was
    room for."""
    most = (box.height + 3) // (SMALL.height + 3)
    kept = list(takewhile(lambda count: _count_width(count, icons) <= box.width, counts))[:most]
    left = box.right - max((_count_width(count, icons) for count in kept), default=0)
    for row, count in zip(box.lines(most, 0), kept, strict=False):
        _draw_count(canvas, left, row.y + (row.height - SMALL.height) // 2, count, icons)
    return len(kept)


def _count_width(count: Count, icons: Icons) -> int:
    return _icon_of(count.name, icons).width + _ICON_GAP + SMALL.width(counted(count))


def _draw_count(canvas: Canvas, x: int, y: int, count: Count, icons: Icons) -> None:
    icon = _icon_of(count.name, icons)
    canvas.stamp(x, y, icon, count.name)
    canvas.text(x + icon.width + _ICON_GAP, y, counted(count), SMALL)


# --- quota marks: a row of small blocks each, full for what a team has and hollow for what it still needs ------------


class _Grid(NamedTuple):
    """Pixels of a mark, from a mark to the next, and between two quotas."""

    mark: int
    step: int
    between: int

    def width(self, mark: Mark) -> int:
        """Columns of one quota's marks."""
        return max(0, self.step * (mark.need - 1) + self.mark)


_GRIDS = (_Grid(5, 6, 8), _Grid(4, 5, 5), _Grid(3, 4, 4), _Grid(2, 3, 3), _Grid(1, 2, 2), _Grid(1, 1, 2))


def _draw_marks(canvas: Canvas, box: Box, marks: Sequence[Mark], icons: Icons | None = None) -> None:
    """All quotas side by side along the top of `box`, as large as they can be, with icons if they are given and fit;
    nothing where even the smallest doesn't."""
    marks = [mark for mark in marks if mark.need]
    pictures = [] if icons is None else [_icon_of(mark.name, icons) for mark in marks]
    with_icons = sum(picture.width + _ICON_GAP for picture in pictures)
    for grid in _GRIDS:
        width = sum(map(grid.width, marks)) + grid.between * (len(marks) - 1)
        if pictures and grid.mark >= 4 and width + with_icons <= box.width:
            break
        if width <= box.width and not (pictures and grid.mark > 4):
            pictures = []
            break
    else:
        return
    x = box.x
    for index, mark in enumerate(marks):
        if pictures:  # a pixel taller than the marks
            canvas.stamp(x, box.y - 1, pictures[index], mark.name)
            x += pictures[index].width + _ICON_GAP
        group = Box(x, box.y, grid.width(mark), _MARKS_HEIGHT)
        _draw_group(canvas, group, grid, mark)
        if mark.have > mark.need and grid.between >= 5 and group.right + 4 <= box.right:
            canvas.fill(Box(group.right + 1, box.y + 1, 3, 1), "+")  # more than needed
            canvas.fill(Box(group.right + 2, box.y, 1, 3), "+")
        x = group.right + grid.between


def _draw_group(canvas: Canvas, group: Box, grid: _Grid, mark: Mark) -> None:
    """One quota's marks; a row that is backed up is closed to one bar."""
    what = f"{mark.name} {mark.have}/{mark.need}"
    if mark.secured:
        canvas.fill(group, what)
        canvas.fill(Box(group.x + 1, group.y + 2, group.width - 2, 2), what, black=True)
        return
    for n in range(mark.need):
        block = Box(group.x + n * grid.step, group.y, grid.mark, _MARKS_HEIGHT)
        if n < mark.have:
            canvas.fill(block, what)
        elif grid.mark >= 4:
            canvas.frame(block, what)
        else:
            canvas.fill(Box(block.x, block.bottom - 1, block.width, 1), what)
