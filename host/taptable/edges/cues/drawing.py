"""The pictures of the screens: `draw` takes a screen and a size and gives one black-and-white picture, with more or
less on it as the size allows. Pure; which screen is up is decided in ``showing``, and how a picture gets to the
display in ``oled``."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import assert_never

from PIL import Image

from taptable.core.scoreboard import RunningWindow, Scoreboard
from taptable.core.settings import US_PER_S
from taptable.edges.cues.bar import draw_bar
from taptable.edges.cues.canvas import Box, Canvas
from taptable.edges.cues.checked import paint_check
from taptable.edges.cues.enrolled import paint_enrolment
from taptable.edges.cues.hero import HERO_HEIGHT, draw_hero
from taptable.edges.cues.icons import Look
from taptable.edges.cues.inviting import paint_address, paint_code
from taptable.edges.cues.layout import set_text, shorten
from taptable.edges.cues.measures import FIGURES_HEIGHT, LINE, SMALL, TALL, TEXT, WIDE
from taptable.edges.cues.panels import (
    draw_others,
    draw_seat,
    draw_tag,
    figures_for,
    in_turn_order,
)
from taptable.edges.cues.screens import (
    AddressScreen,
    BootScreen,
    CheckScreen,
    CodeScreen,
    Countdown,
    EnrolmentScreen,
    OverScreen,
    PausedScreen,
    PlayScreen,
    RefusalScreen,
    Screen,
    WindowScreen,
    YoungestScreen,
)
from taptable.edges.cues.still import paint_boot, paint_over, paint_paused, paint_youngest
from taptable.words import Words

_DOUBLE = 200  # columns from which two large panels stand side by side
_STRIP = 5 / 2  # width by height from which the other teams stand beside the one on turn, not under it
_MANY = 4  # other teams from which they need more room than one line or column
_HEADING = 11  # rows of the plate over a refusal
_TITLE = 14  # rows of a large word, its tails included


def draw(screen: Screen, size: tuple[int, int], look: Look) -> Image.Image:
    """The picture of `screen`, mode ``1``, `size` in pixels."""
    canvas = Canvas(size)
    if isinstance(screen, WindowScreen):
        # several times a second nothing but the bar changes
        around, bar = _around_bar(replace(screen, countdown=_to_the_second(screen.countdown)), size, look)
        canvas.image = around.copy()
        draw_bar(canvas, bar, screen.countdown)
    else:
        paint(canvas, screen, look)
    return canvas.image


@lru_cache(maxsize=1)
def _around_bar(screen: WindowScreen, size: tuple[int, int], look: Look) -> tuple[Image.Image, Box]:
    """The picture of a window without its bar, and where that belongs."""
    canvas = Canvas(size)
    return canvas.image, _paint_window(canvas, _over_notice(canvas, screen.notice), screen, look)


def paint(canvas: Canvas, screen: Screen, look: Look) -> None:
    """Draw `screen` on `canvas`."""
    match screen:
        case BootScreen():
            paint_boot(canvas, screen, look)
        case AddressScreen():
            paint_address(canvas, screen, look)
        case CodeScreen():
            paint_code(canvas, screen, look)
        case YoungestScreen():
            paint_youngest(canvas, _over_notice(canvas, screen.notice), screen.board, look)
        case PlayScreen():
            _paint_play(canvas, _over_notice(canvas, screen.notice), screen, look)
        case WindowScreen():
            bar = _paint_window(canvas, _over_notice(canvas, screen.notice), screen, look)
            draw_bar(canvas, bar, screen.countdown)
        case RefusalScreen():
            _paint_refusal(canvas, screen, look)
        case CheckScreen():
            paint_check(canvas, canvas.box, screen)
        case EnrolmentScreen():
            paint_enrolment(canvas, screen, look)
        case PausedScreen():
            paint_paused(canvas, _over_notice(canvas, screen.notice), screen.board, look)
        case OverScreen():
            paint_over(canvas, _over_notice(canvas, screen.notice), screen.board, look)
        case _:
            assert_never(screen)


def _over_notice(canvas: Canvas, notice: str | None) -> Box:
    """Write a notice in one or two lines, black on a plate along the bottom, if the display is high enough; the room
    that is left above it."""
    box = canvas.box
    if notice is None or box.height < FIGURES_HEIGHT + 2:
        return box
    text = set_text(notice, (SMALL,), box.width - 4, 2 * LINE + 1 if box.height >= TALL else LINE - 1)
    plate = canvas.plate(Box(0, box.height - text.height - 2, box.width, text.height + 2), "notice")
    canvas.write(plate.inset(2, 1), text, black=True)
    return Box(0, 0, box.width, plate.y - 2)


def _paint_play(canvas: Canvas, box: Box, screen: PlayScreen, look: Look) -> None:
    hint = hint_of(screen.board, look.words)
    if box.height < FIGURES_HEIGHT:
        draw_hero(canvas, box, in_turn_order(screen.board)[0], screen.board, look)
    elif canvas.box.width > _STRIP * canvas.box.height:
        _paint_beside(canvas, box, screen.board, look, hint)
    else:
        if hint and screen.notice is None and box.height >= TALL:
            y = box.bottom - SMALL.height - SMALL.below
            canvas.text(0, y, shorten(hint, SMALL, box.width), SMALL)
            box = Box(box.x, box.y, box.width, y - 3)
        _paint_under(canvas, box, screen.board, look)


def hint_of(board: Scoreboard, words: Words) -> str | None:
    """What the player on turn still has to do, or that there is nothing left to draw, where the game says so."""
    if board.pending:
        key = f"pending-{board.pending}"
        said = words.text("screen", key, dict(board.about))
        return None if said == key else said
    hints = (words.message("screen", f"{name}-empty") for name in board.used_up)
    return next((hint for hint in hints if hint is not None), None)


def _paint_under(canvas: Canvas, box: Box, board: Scoreboard, look: Look) -> None:
    """The team on turn, and the others under it; their scores come before its marks."""
    hero, *others = in_turn_order(board)
    height, gap = HERO_HEIGHT, 5
    below = 24 if len(others) >= _MANY and box.width < WIDE else 14
    if FIGURES_HEIGHT + 12 <= box.height < HERO_HEIGHT + below:
        height, gap = FIGURES_HEIGHT, 3
    draw_hero(canvas, Box(box.x, box.y, box.width, min(height, box.height)), hero, board, look)
    draw_others(canvas, box.from_top(height + gap), others, look)


def _paint_beside(canvas: Canvas, box: Box, board: Scoreboard, look: Look, hint: str | None) -> None:
    """The team on turn at the left, the others at the right; on a high display there is room for a sentence."""
    hero, *others = in_turn_order(board)
    gap = 8 if box.width >= _DOUBLE else 2
    left = (box.width - gap) // 2 if box.width >= _DOUBLE else 82 if len(others) < _MANY else 60
    draw_hero(canvas, Box(box.x, box.y, left, min(HERO_HEIGHT, box.height)), hero, board, look)
    draw_others(canvas, box.from_left(left + gap), others, look)
    under = Box(box.x, box.y + HERO_HEIGHT + 6, left, box.height - HERO_HEIGHT - 6)
    said = hint or look.words.text("screen", "turn", {"seat": board.seat})
    canvas.write(under, set_text(said, TEXT, under.width, under.height))


def _to_the_second(countdown: Countdown) -> Countdown:
    """The countdown as its figures say it."""
    return replace(countdown, left_us=-(-countdown.left_us // US_PER_S) * US_PER_S)


def _paint_window(canvas: Canvas, box: Box, screen: WindowScreen, look: Look) -> Box:
    """Who may answer, or else whose window it is, what is asked for, the seconds and room for the bar, which is what
    it gives; under them the scores."""
    seconds = str(_to_the_second(screen.countdown).left_us // US_PER_S)
    bar_height, gap = _bar_and_gap(box)
    top = Box(box.x, box.y, box.width, min(FIGURES_HEIGHT, box.height - bar_height - gap))
    figures = figures_for((seconds,), box.width // 3, top.height, "digits22")
    canvas.text(top.right - figures.width(seconds), top.y, seconds, figures)
    if top.height < 12:
        plate = draw_tag(canvas, top.x, top.y, (screen.seat,))
    else:
        plate = Box(top.x, top.y, 17 if box.width >= WIDE else 12, top.height)
        draw_seat(canvas, plate, str(screen.seat))
    title = Box(plate.right + 4, top.y, top.width - plate.width - figures.width(seconds) - 8, top.height)
    under = box.from_top(top.height + bar_height + 2 * gap + 1)
    name, more = _window_words(screen, look)
    if title.width >= 40:
        _draw_title(canvas, title, name, more)
    elif under.height >= SMALL.height:
        canvas.text(under.x, under.y, shorten(name, SMALL, under.width), SMALL)
        under = under.from_top(LINE + 3)
    draw_others(canvas, under, screen.board.teams, look)
    return Box(box.x, top.bottom + gap, box.width, bar_height)


def _bar_and_gap(box: Box) -> tuple[int, int]:
    """Rows of the bar, and over and under it."""
    if box.height < FIGURES_HEIGHT:
        return 4, 1
    if box.height < FIGURES_HEIGHT + 12:
        return 6, 2
    return (10 if box.width >= WIDE else 6), 3


def _how_first(window: RunningWindow | None, look: Look) -> str | None:
    """By how much the seat with the claim was first, or which seats tied; None if nobody else had pressed."""
    if window is None or window.claim_seat is None or window.margin_us is None:
        return None
    first = " = ".join(map(str, window.tied)) if window.tied else f"+{look.words.ms(window.margin_us)}"
    return f"{first} ± {look.words.ms(window.uncertainty_us)} ms"


def _window_words(screen: WindowScreen, look: Look) -> tuple[str, str]:
    """What runs, in a word or two, and what stands below that: how somebody was first, or what the game says of the
    card."""
    window, words = screen.board.window, look.words
    key = "claim" if screen.claim else "window"
    facts = {} if window is None else {"kind": window.kind, "seat": window.seat}
    more = words.text("screen", f"{key}-card", facts)
    return words.text("screen", key, facts), _how_first(window, look) or ("" if more == f"{key}-card" else more)


def _draw_title(canvas: Canvas, box: Box, name: str, more: str) -> None:
    """A word in large letters, and under it a line in small ones."""
    title = set_text(name, TEXT, box.width, min(_TITLE, box.height))
    canvas.write(box, title)
    y = box.bottom - SMALL.height
    if y >= box.y + title.height:
        canvas.text(box.x, y, shorten(more, SMALL, box.width), SMALL)


def _paint_refusal(canvas: Canvas, screen: RefusalScreen, look: Look) -> None:
    """What was refused as a heading, and why; only why where there isn't room for both."""
    box = canvas.box
    if screen.countdown is not None and box.height > FIGURES_HEIGHT:
        bar = Box(0, box.height - 6, box.width, 6)
        draw_bar(canvas, bar, screen.countdown)
        box = Box(0, 0, box.width, bar.y - 2)
    body = box.from_top(_HEADING + 2)
    why = set_text(screen.why, TEXT, body.width, body.height)
    if box.height < TALL or not why.whole:
        canvas.write(box, set_text(screen.why, TEXT, box.width, box.height), centred=True)
        return
    icon = canvas.stamp(0, 0, look.icons["refused"], "refused")
    plate = canvas.plate(Box(icon.width + 3, 0, box.width - icon.width - 3, _HEADING), "what")
    canvas.text(plate.x + 3, 2, shorten(screen.what, SMALL, plate.width - 6), SMALL, black=True)
    canvas.write(body, why, centred=True)
