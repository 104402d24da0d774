"""The pictures of the screens: `draw` takes a screen and a size and gives one black-and-white picture, with more or
less on it as the size allows. Pure; which screen is up is decided in ``showing``, and how a picture gets to the
display in ``oled``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from PIL import Image

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.fonts import doubled, font
from taptable.edges.cues.icons import Look
from taptable.edges.cues.layout import SetText, set_text, shorten
from taptable.edges.cues.panels import (
    HERO_HEIGHT,
    draw_hero,
    draw_others,
    draw_seat,
    draw_tag,
    figures_for,
    in_turn_order,
    seats_text,
    tag_width,
)
from taptable.edges.cues.screens import (
    BootScreen,
    Countdown,
    OverScreen,
    PausedScreen,
    PlayScreen,
    RefusalScreen,
    Screen,
    WindowScreen,
    YoungestScreen,
)

_TEXT = (font("large"), font("small"))
_SMALL = font("small")
_NAME = doubled(font("large").ink("taptable"))
_TALL = 44  # rows from which a screen has a second storey
_LOW = 22  # rows below which only the team on turn is shown
_DOUBLE = 200  # columns from which two panels stand side by side
_LINE = 10  # rows of a line of small text on a plate
_BAR = 10


def draw(screen: Screen, size: tuple[int, int], look: Look) -> Image.Image:
    """The picture of `screen`, mode ``1``, `size` in pixels."""
    canvas = Canvas(size)
    paint(canvas, screen, look)
    return canvas.image


def paint(canvas: Canvas, screen: Screen, look: Look) -> None:
    """Draw `screen` on `canvas`."""
    match screen:
        case BootScreen():
            _paint_boot(canvas, screen, look)
        case YoungestScreen():
            _paint_youngest(canvas, _with_notice(canvas, screen.notice), screen.board, look)
        case PlayScreen():
            _paint_play(canvas, screen, look)
        case WindowScreen():
            _paint_window(canvas, _with_notice(canvas, screen.notice), screen, look)
        case RefusalScreen():
            _paint_refusal(canvas, screen, look)
        case PausedScreen():
            _paint_paused(canvas, _with_notice(canvas, screen.notice), screen.board, look)
        case OverScreen():
            _paint_over(canvas, _with_notice(canvas, screen.notice), screen.board, look)
        case _:
            assert_never(screen)


def _with_notice(canvas: Canvas, notice: str | None) -> Box:
    """The room that is left above a notice, which stands black on a plate along the bottom if the display is high
    enough."""
    if notice is None or canvas.box.height < 24:
        return canvas.box
    text = set_text(notice, (_SMALL,), canvas.box.width - 4, 19 if canvas.box.height >= _TALL else 9)
    plate = Box(0, canvas.box.height - text.height - 2, canvas.box.width, text.height + 2)
    canvas.plate(plate, "notice")
    _write(canvas, plate.inset(2, 1), text, black=True)
    return Box(0, 0, canvas.box.width, plate.y - 2)


def _write(canvas: Canvas, box: Box, text: SetText, *, centred: bool = False, black: bool = False) -> None:
    """Set text at the top of `box`, or in the middle of its height."""
    y = box.y + text.above + (max(0, box.height - text.height) // 2 if centred else 0)
    for line in text.lines:
        canvas.text(box.x, y, line, text.font, black=black)
        y += text.font.pitch


def _paint_boot(canvas: Canvas, screen: BootScreen, look: Look) -> None:
    box = canvas.box
    key = "missing" if screen.missing else "starting"
    said = look.words.text("screen", key, {"parts": ", ".join(screen.missing)})
    if box.height >= _TALL or not screen.missing:
        name = _NAME if box.width >= _NAME.width and box.height >= _TALL else _TEXT[box.height < 24].ink("taptable")
        title = canvas.stamp(0, 0, name.crop(name.getbbox()), "taptable")
        box = box.from_top(title.bottom + 3)
    if box.height >= 24:
        y = box.bottom - _SMALL.height
        canvas.text(box.right - _SMALL.width(screen.version), y, screen.version, _SMALL)
        box = Box(box.x, box.y, box.width, box.height - _LINE)
    _write(canvas, box, set_text(said, _TEXT, box.width, box.height), centred=True)


def _paint_youngest(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    seats = sorted(seat for team in board.teams for seat in team.seats)
    button = look.icons["button"]
    tall = box.height >= _TALL
    with_button = box.width >= 96 and box.height >= button.height
    if with_button:
        canvas.stamp(0, box.y + (4 if tall else (box.height - button.height) // 2), button, "button")
    text = box.from_left(button.width + 5) if with_button else box
    text = Box(text.x, text.y, text.width, text.height - 16) if tall else text
    said = look.words.text("screen", "youngest")
    _write(canvas, text, set_text(said, _TEXT, text.width, text.height), centred=True)
    if tall:
        pitch = min(16, (box.width + 2) // len(seats))
        plate = min(12, pitch - 2)
        x = (box.width - pitch * (len(seats) - 1) - plate) // 2
        for n, seat in enumerate(seats):
            draw_seat(canvas, Box(x + pitch * n, box.bottom - 13, plate, 13), str(seat))


def _paint_play(canvas: Canvas, screen: PlayScreen, look: Look) -> None:
    board = screen.board
    box = _with_notice(canvas, screen.notice)
    hint = _hint(board, look)
    hero, *others = in_turn_order(board)
    if box.height < _LOW:
        draw_hero(canvas, box, hero, board, look)
    elif canvas.box.width * 2 > canvas.box.height * 5:
        gap = 8 if box.width >= _DOUBLE else 2
        left = (box.width - gap) // 2 if box.width >= _DOUBLE else 82
        draw_hero(canvas, Box(box.x, box.y, left, min(HERO_HEIGHT, box.height)), hero, board, look)
        draw_others(canvas, box.from_left(left + gap), others, look)
        under = Box(box.x, box.y + HERO_HEIGHT + 6, left, box.height - HERO_HEIGHT - 6)
        said = hint or look.words.text("screen", "turn", {"seat": board.seat})
        _write(canvas, under, set_text(said, _TEXT, under.width, under.height))
    else:
        if hint and screen.notice is None and box.height >= _TALL:
            canvas.text(0, box.bottom - _SMALL.height - _SMALL.below, shorten(hint, _SMALL, box.width), _SMALL)
            box = Box(box.x, box.y, box.width, box.height - _LINE - 2)
        # the others' scores come before the marks of the team on turn
        height, gap = (HERO_HEIGHT, 5) if box.height >= HERO_HEIGHT + 14 or box.height < _LOW + 12 else (_LOW, 3)
        draw_hero(canvas, Box(box.x, box.y, box.width, min(height, box.height)), hero, board, look)
        draw_others(canvas, box.from_top(height + gap), others, look)


def _hint(board: Scoreboard, look: Look) -> str | None:
    """What the player on turn still has to do, where the game says so."""
    return look.words.message("screen", f"pending-{board.pending}") if board.pending else None


def _paint_window(canvas: Canvas, box: Box, screen: WindowScreen, look: Look) -> None:
    seconds = str(-(-screen.countdown.left_us // US_PER_S))
    bar_height = 4 if box.height < _LOW else 6 if box.height < 34 or box.width < 96 else 10
    gap = 1 if box.height < _LOW else 2 if box.height < 34 else 3
    top = Box(box.x, box.y, box.width, min(22, box.height - bar_height - gap))
    figures = figures_for((seconds,), box.width // 3, top.height, "digits22")
    canvas.text(top.right - figures.width(seconds), top.y, seconds, figures)
    if top.height < 12:
        plate = draw_tag(canvas, top.x, top.y, (screen.seat,))
    else:
        plate = Box(top.x, top.y, 17 if box.width >= 96 else 12, top.height)
        draw_seat(canvas, plate, str(screen.seat))
    _draw_bar(canvas, Box(box.x, top.bottom + gap, box.width, bar_height), screen.countdown)
    key = "claim" if screen.claim else "window"
    title = Box(plate.right + 4, top.y, top.width - plate.width - figures.width(seconds) - 8, top.height)
    under = box.from_top(top.bottom - box.y + bar_height + 2 * gap + 1)
    if title.width >= 40:
        _draw_title(canvas, title, key, look)
    elif under.height >= _SMALL.height:
        canvas.text(under.x, under.y, shorten(look.words.text("screen", key), _SMALL, under.width), _SMALL)
        under = under.from_top(_LINE + 3)
    draw_others(canvas, under, screen.board.teams, look)


def _draw_title(canvas: Canvas, box: Box, key: str, look: Look) -> None:
    """A word in large letters, and under it a line in small ones."""
    title = set_text(look.words.text("screen", key), _TEXT, box.width, min(14, box.height))
    _write(canvas, box, title)
    under = box.from_top(box.height - _SMALL.height)
    if under.y >= box.y + title.height:
        said = look.words.message("screen", f"{key}-card") or ""
        canvas.text(under.x, under.y, shorten(said, _SMALL, under.width), _SMALL)


def _draw_bar(canvas: Canvas, box: Box, countdown: Countdown) -> None:
    """A frame, and in it what is left of the time."""
    room = box
    if box.height >= 6:
        canvas.frame(box, "bar")
        room = box.inset(2, 2)
    share = min(1.0, countdown.left_us / countdown.whole_us)
    canvas.fill(Box(room.x, room.y, round(room.width * share), room.height), "bar")


def _paint_refusal(canvas: Canvas, screen: RefusalScreen, look: Look) -> None:
    box = canvas.box
    if screen.countdown is not None and box.height >= 24:
        box = Box(0, 0, box.width, box.height - 8)
        _draw_bar(canvas, Box(0, canvas.box.height - 6, box.width, 6), screen.countdown)
    body = box.from_top(13)
    why = set_text(screen.why, _TEXT, body.width, body.height)
    if box.height < _TALL or not why.whole:
        _write(canvas, box, set_text(screen.why, _TEXT, box.width, box.height), centred=True)
        return
    icon = look.icons["refused"]
    canvas.stamp(0, 0, icon, "refused")
    plate = canvas.plate(Box(icon.width + 3, 0, box.width - icon.width - 3, 11), "what")
    canvas.text(plate.x + 3, 2, shorten(screen.what, _SMALL, plate.width - 6), _SMALL, black=True)
    _write(canvas, body, why, centred=True)


def _paint_paused(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    icon = look.icons["paused"]
    if box.height >= icon.height:
        canvas.stamp(box.x, box.y, icon, "paused")
        title = Box(icon.width + 6, box.y, box.width - icon.width - 6, icon.height)
    else:
        title = box
    _write(canvas, title, set_text(look.words.text("screen", "paused"), _TEXT, title.width, title.height), centred=True)
    rest = box.from_top(icon.height + 4)
    if rest.height >= _SMALL.rows:
        hint = set_text(look.words.text("screen", "go-on"), (_SMALL,), rest.width, 20)
        _write(canvas, rest, hint)
        rest = rest.from_top(hint.height + 4)
        rows = rest.height if canvas.box.height > 100 else min(rest.height, _LOW)
        draw_others(canvas, Box(rest.x, rest.y, rest.width, rows), board.teams, look)
    elif box.width >= 96:
        draw_others(canvas, box.from_left(box.width - 44), board.teams, look)


def _paint_over(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    first, *others = sorted(board.teams, key=lambda team: (team.place or len(board.teams), team.seats))
    x, height = box.x, min(22, box.height)
    icon = look.icons["winner"]
    low = box.height < 25 + 18
    if box.width >= 96 and height >= icon.height and not low:
        canvas.stamp(x, box.y + (height - icon.height) // 2, icon, "winner")
        x += icon.width + 4
    seats = seats_text(first.seats)
    plate = Box(x, box.y, max(12 if box.width < 96 else 17, font("large").width(seats) + 6), height)
    draw_seat(canvas, plate, seats)
    rest = Box(plate.right + 4, box.y, box.right - plate.right - 4, height)
    text = str(first.score)
    score = canvas.text(rest.x, rest.y, text, figures_for((text,), rest.width, height, "digits22"))
    if not low and score.right + 3 + _SMALL.width(board.unit) <= box.right:
        canvas.text(score.right + 3, score.bottom - _SMALL.height, board.unit, _SMALL)
    rest = box.from_top(25)
    if low:
        beside = box.from_left(score.right + 4 - box.x)
        draw_others(canvas, beside, others, look)
        return
    if board.by is not None and rest.height >= 11 + 18:
        canvas.text(rest.x, rest.y, shorten(look.words.text("screen", f"over-{board.by}"), _SMALL, rest.width), _SMALL)
        rest = rest.from_top(11)
    _draw_places(canvas, rest, others)


def _draw_places(canvas: Canvas, box: Box, teams: Sequence[TeamScore]) -> None:
    """The other teams with their places, one under the other, or side by side where there aren't rows enough."""
    if not teams or box.height < 18:
        return
    listed = box.height >= 16 * len(teams) - 2
    boxes = box.lines(len(teams), 2) if listed else box.columns(len(teams), 6)
    scores = [str(team.score) for team in teams]
    face = figures_for(scores, boxes[0].width // 2 if listed else boxes[0].width, 14 if listed else box.height - 11)
    for place, team in zip(boxes, teams, strict=True):
        drop = 2 if listed else 0
        rank = f"{team.place}."
        after = place.x + _SMALL.width(rank) + 3
        if after + tag_width(team.seats) <= place.right:
            canvas.text(place.x, place.y + 1 + drop, rank, _SMALL)
        else:
            after = place.x
        draw_tag(canvas, after, place.y + drop, team.seats)
        if listed:
            x = place.right - face.width(str(team.score)) if box.width < 96 else place.x + 42
            canvas.text(x, place.y, str(team.score), face)
        else:
            canvas.text(place.x, place.y + 11, str(team.score), face)
