"""Selects what the display shows: one of `screens` and `prompts`, how bright, and at which offset on the glass. The
presenter gives it a `Scene` and the time. `next_change_us` returns when the next change by time alone is due, so that
nothing has to poll. The durations of all passing screens are here. Pure. Must not know how an event changes the scene:
the presenter does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from PIL import Image

from taptable.core.scoreboard import RunningWindow, Scoreboard
from taptable.core.settings import US_PER_S
from taptable.cues import prompts, screens
from taptable.cues.canvas import Canvas
from taptable.cues.prompts import Check, Code, Enrolment
from taptable.cues.screens import Countdown
from taptable.cues.text import ScreenStyle

REFUSAL_US = 4 * US_PER_S
"""How long a refusal is shown."""
NEWS_US = REFUSAL_US
"""How long an event is shown."""
BAR_STEP_US = US_PER_S // 10
"""The step by which the bar of a window gets shorter."""
MINUTE_US = 60 * US_PER_S
CODE_STEP_US = 3 * US_PER_S
"""The step of the bar under a code, a pixel or two."""
NOTICE_US = 3 * US_PER_S
"""How long each of several notices is shown, in turn."""
CODE_HIDDEN_US = REFUSAL_US
"""How long a code for the page makes way for an event that people want to see."""
DIM_AFTER_US = 5 * 60 * US_PER_S
"""The time without activity after which the display is dimmed."""
DIM_CONTRAST = 0x10
FULL_CONTRAST = 0xCF
"""The contrast of the dimmed display and of the bright one, of 0 to 255."""
BURN_IN_STEP_US = 2 * 60 * US_PER_S
"""How long the picture stays in one place before it is displaced by another pixel (`burn_in_offset`)."""

Screen: TypeAlias = "partial[None]"
"""The function that draws a screen, with its content bound. It is called with a canvas and a style."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal and its reason, in words, shown until `until_us`. If `whole_us` is given, a bar shows the time left.
    With another `icon` it isn't a refusal but another message that has to be seen. In `Scene.missing_deck` or
    `Scene.task` it is a title and what to do, shown as long as that holds."""

    title: str
    reason: str
    until_us: int = 0
    whole_us: int | None = None
    icon: str = "refused"


@dataclass(frozen=True, slots=True)
class News:
    """An event in words, shown until `until_us`."""

    text: str
    until_us: int


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that determines what the display shows.

    `board` is None until the table has started. `news` are shown before `notices`, which stay. `missing_deck` says what
    to do without a deck, while the alert ``deck`` of a `DeckMissing` holds. `last_activity_us` is when somebody last
    did something. `address` is the page's, shown until `address_until_us`; `code` is for pairing with the page. `check`
    is the prompt of a check, `enrolment` that of an enrolment. `paused_at_us` is when a pause began.
    `task` is what has to be done before the table can play."""

    version: str
    board: Scoreboard | None = None
    paused: bool = False
    refusal: Refusal | None = None
    news: News | None = None
    notices: tuple[str, ...] = ()
    missing_deck: Refusal | None = None
    missing: tuple[str, ...] = ()
    last_activity_us: int = 0
    address: str | None = None
    address_until_us: int = 0
    code: Code | None = None
    check: Check | None = None
    enrolment: Enrolment | None = None
    paused_at_us: int = 0
    task: Refusal | None = None


def render(scene: Scene, now_us: int, size: tuple[int, int], style: ScreenStyle) -> Image.Image:
    """Return the display's picture: the screen, a little smaller than `size`, at its present offset."""
    reach = (2, 1) if size[1] >= 48 else (1, 1)
    canvas = Canvas((size[0] - 2 * reach[0], size[1] - 2 * reach[1]))
    select_screen(scene, now_us)(canvas, style)
    x, y = burn_in_offset(now_us, reach)
    whole = Image.new("1", size)
    whole.paste(canvas.image, (reach[0] + x, reach[1] + y))
    return whole


def select_screen(scene: Scene, now_us: int) -> Screen:
    """Return the screen to show. The order of the checks is the order of precedence."""
    board, code, address = scene.board, _code(scene, now_us), _address(scene, now_us)
    if board is None:
        return (
            code or address or _task(scene) or partial(screens.paint_boot, version=scene.version, missing=scene.missing)
        )
    window = None if scene.paused or board.over else board.window
    countdown = None
    if window is not None:
        whole_us = window.claim_us if window.claim_seat is not None else window.closes_at_us - window.opened_at_us
        countdown = _countdown(_ends_us(window), whole_us, now_us)
    refusal = scene.refusal
    if refusal is not None and now_us < refusal.until_us:
        if refusal.whole_us is not None:
            countdown = _countdown(refusal.until_us, refusal.whole_us, now_us)
        return partial(
            screens.paint_refusal, title=refusal.title, reason=refusal.reason, icon=refusal.icon, countdown=countdown
        )
    news = scene.news.text if scene.news is not None and now_us < scene.news.until_us else None
    notice = news
    if notice is None and scene.notices:
        notice = scene.notices[now_us // NOTICE_US % len(scene.notices)]
    if window is not None and countdown is not None:
        claimed = window.claim_seat is not None
        seat = window.claim_seat or window.answerer or window.seat
        return partial(screens.paint_window, board=board, seat=seat, countdown=countdown, claim=claimed, notice=notice)
    if code is not None:
        return code
    if scene.enrolment is not None:
        return partial(prompts.paint_enrolment, enrolment=scene.enrolment)
    if address is not None:
        return address
    if scene.missing_deck is not None:
        return partial(screens.paint_refusal, title=scene.missing_deck.title, reason=scene.missing_deck.reason)
    if scene.check is not None:
        return partial(prompts.paint_check, check=scene.check, news=news)
    left_us = _time_left(scene, now_us)
    if scene.paused:
        return partial(screens.paint_paused, board=board, notice=notice, left_us=left_us)
    if board.over:
        return partial(screens.paint_over, board=board, notice=notice)
    if board.seat is None:
        return partial(screens.paint_youngest, board=board, notice=notice)
    return partial(screens.paint_play, board=board, notice=notice, left_us=left_us)


def _task(scene: Scene) -> Screen | None:
    """Return the screen of what has to be done before the table can play."""
    if scene.task is None:
        return None
    return partial(screens.paint_refusal, title=scene.task.title, reason=scene.task.reason, icon="person")


def _time_left(scene: Scene, now_us: int) -> int | None:
    """Return the time left of the game, in the steps in which it is shown; None if no time was agreed."""
    if scene.board is None:
        return None
    left_us = scene.board.left_us(now_us, scene.paused_at_us if scene.paused else None)
    return None if left_us is None else _rounded_up(left_us, _clock_step_us(left_us))


def _clock_step_us(left_us: int) -> int:
    """Return the step of the time left: a minute, and in the last minute a second."""
    return US_PER_S if left_us <= MINUTE_US else MINUTE_US


def _code(scene: Scene, now_us: int) -> Screen | None:
    """Return the screen of the code for the page while that is valid. Events in a game, a check or an enrolment precede
    it."""
    code, board = scene.code, scene.board
    if code is None or now_us >= code.until_us:
        return None
    playing = board is not None and board.seat is not None and not board.over and not scene.paused
    busy = playing or scene.check is not None or scene.enrolment is not None
    if busy and now_us < scene.last_activity_us + CODE_HIDDEN_US:
        return None
    countdown = _countdown(code.until_us, code.whole_us, now_us, CODE_STEP_US)
    return partial(prompts.paint_code, code=code, countdown=countdown)


def _address(scene: Scene, now_us: int) -> Screen | None:
    """Return the screen of the page's address as long as people have time for it."""
    if scene.address is None or now_us >= scene.address_until_us:
        return None
    return partial(prompts.paint_address, address=scene.address, missing=scene.missing)


def contrast(scene: Scene, now_us: int) -> int:
    """Return the display's contrast: dim after a time without activity, unless a code or an address is shown."""
    if _code(scene, now_us) is not None or _address(scene, now_us) is not None:
        return FULL_CONTRAST
    return DIM_CONTRAST if now_us - scene.last_activity_us >= DIM_AFTER_US else FULL_CONTRAST


def next_change_us(scene: Scene, now_us: int) -> int:
    """Return the next time, after `now_us`, at which time alone may change the picture or its contrast."""
    due = [(now_us // BURN_IN_STEP_US + 1) * BURN_IN_STEP_US, scene.last_activity_us + DIM_AFTER_US]
    if scene.refusal is not None:
        due.append(scene.refusal.until_us)
        if scene.refusal.whole_us is not None:
            due += _bar_moves_us(scene.refusal.until_us, now_us)
    if scene.news is not None:
        due.append(scene.news.until_us)
    if scene.address is not None:
        due.append(scene.address_until_us)
    if scene.code is not None:
        due += [scene.last_activity_us + CODE_HIDDEN_US, *_bar_moves_us(scene.code.until_us, now_us, CODE_STEP_US)]
    if len(scene.notices) > 1:
        due.append((now_us // NOTICE_US + 1) * NOTICE_US)
    if scene.board is not None and not scene.paused:
        due += _play_moves_us(scene.board, now_us)
    return min(moment for moment in due if moment > now_us)


def _play_moves_us(board: Scoreboard, now_us: int) -> list[int]:
    """Return when the bar of a window shrinks, and when the shown time left changes."""
    moves: list[int] = []
    if board.window is not None and not board.over:
        moves += _bar_moves_us(_ends_us(board.window), now_us)
    left_us = board.left_us(now_us)
    if left_us is not None:
        moves += _bar_moves_us(now_us + left_us, now_us, _clock_step_us(left_us))
    return moves


def burn_in_offset(now_us: int, reach: tuple[int, int]) -> tuple[int, int]:
    """Return columns and rows, at most `reach` each way, by which the picture is displaced: a slow walk, a pixel per
    step, so that no pixel stays lit for ever."""
    step = now_us // BURN_IN_STEP_US
    return _triangle_wave(step, reach[0]), _triangle_wave(step // max(1, 4 * reach[0]), reach[1])


def _triangle_wave(step: int, reach: int) -> int:
    """Return the value of a triangle wave at a step: 0, 1 … reach … 0 … -reach … 0, and again."""
    if reach == 0:
        return 0
    phase = step % (4 * reach)
    return phase if phase <= reach else 2 * reach - phase if phase <= 3 * reach else phase - 4 * reach


def _ends_us(window: RunningWindow) -> int:
    return window.closes_at_us if window.claim_until_us is None else window.claim_until_us


def _countdown(ends_us: int, whole_us: int, now_us: int, step_us: int = BAR_STEP_US) -> Countdown:
    """Return the time left in steps of the bar, so that the picture changes no more often than that."""
    return Countdown(_rounded_up(max(0, ends_us - now_us), step_us), whole_us)


def _rounded_up(left_us: int, step_us: int) -> int:
    return -(-left_us // step_us) * step_us


def _bar_moves_us(ends_us: int, now_us: int, step_us: int = BAR_STEP_US) -> list[int]:
    """Return when a bar that runs until `ends_us` shrinks by a step; empty if it has ended."""
    left_us = ends_us - now_us
    return [now_us + ((left_us - 1) % step_us + 1)] if left_us > 0 else []
