"""Which screen is up, how bright, and where on the glass: decided from what the table knows and from its time, which
come in as values. Says when the next change is due by time alone, so that nothing has to ask again and again.
Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PIL import Image

from taptable.core.scoreboard import RunningWindow, Scoreboard
from taptable.core.settings import US_PER_S
from taptable.edges.cues.drawing import draw
from taptable.edges.cues.guests import Code
from taptable.edges.cues.icons import Look
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

REFUSAL_US = 4 * US_PER_S
NEWS_US = REFUSAL_US
BAR_STEP_US = US_PER_S // 10
CODE_STEP_US = 3 * US_PER_S
"""Of the bar under a code, which is a pixel or two."""
NOTICE_US = 3 * US_PER_S
CODE_YIELDS_US = REFUSAL_US
"""How long a code for the page is out of the way after something happened that somebody wants to see."""
DIM_AFTER_US = 5 * 60 * US_PER_S
DIM_CONTRAST = 0x10
FULL_CONTRAST = 0xCF
WANDER_STEP_US = 2 * 60 * US_PER_S


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was refused and why, in words, and until when it is shown. `whole_us`: a bar shows what is left of that
    time."""

    what: str
    why: str
    until_us: int
    whole_us: int | None = None


@dataclass(frozen=True, slots=True)
class News:
    """What has just happened, in words, and until when it is shown."""

    text: str
    until_us: int


@dataclass(frozen=True, slots=True)
class Scene:
    """All that decides what the display shows; `board` is None until the table has started. News come before notices,
    which stay. `deckless` says what to do, where there is no deck. `touched_us` is when somebody last did something.
    `address` is the page's, shown until `invites_until_us`; `code` is what the page asks for. `check` is what is asked
    while the table is checked, `enrolment` while cards are read for a deck."""

    version: str
    board: Scoreboard | None = None
    paused: bool = False
    refusal: Refusal | None = None
    news: News | None = None
    notices: tuple[str, ...] = ()
    deckless: RefusalScreen | None = None
    missing: tuple[str, ...] = ()
    touched_us: int = 0
    address: str | None = None
    invites_until_us: int = 0
    code: Code | None = None
    check: CheckScreen | None = None
    enrolment: EnrolmentScreen | None = None


def choose(scene: Scene, now_us: int) -> Screen:
    """The screen that is up."""
    board = scene.board
    code, address = _code(scene, now_us), _address(scene, now_us)
    if board is None:
        return code or address or BootScreen(scene.version, scene.missing)
    window = None if scene.paused or board.over else board.window
    countdown = _countdown(window, now_us) if window else None
    refusal = scene.refusal
    if refusal is not None and now_us < refusal.until_us:
        if refusal.whole_us is not None:
            countdown = Countdown(_stepped_us(refusal.until_us - now_us), refusal.whole_us)
        return RefusalScreen(refusal.what, refusal.why, countdown)
    notice = _notice(scene, now_us)
    if window is not None and countdown is not None:
        claimant = window.claim_seat
        return WindowScreen(board, claimant or window.answerer or window.seat, countdown, claimant is not None, notice)
    if (shown := code or scene.enrolment or address) is not None:
        return shown
    if scene.deckless is not None:
        return scene.deckless
    if scene.check is not None:
        return replace(scene.check, news=_news(scene, now_us))
    if scene.paused:
        return PausedScreen(board, notice)
    if board.over:
        return OverScreen(board, notice)
    if board.seat is None:
        return YoungestScreen(board, notice)
    return PlayScreen(board, notice)


def _code(scene: Scene, now_us: int) -> CodeScreen | None:
    """The code for the page, for as long as it holds; what happens in a game, a check or at enrolling comes first."""
    code = scene.code
    if code is None or now_us >= code.until_us:
        return None
    playing = scene.board is not None and scene.board.seat is not None and not scene.board.over and not scene.paused
    busy = playing or scene.check is not None or scene.enrolment is not None
    if busy and now_us < scene.touched_us + CODE_YIELDS_US:
        return None
    return CodeScreen(code.digits, Countdown(_stepped_us(code.until_us - now_us, CODE_STEP_US), code.whole_us))


def _address(scene: Scene, now_us: int) -> AddressScreen | None:
    """Where the page is, while people are invited to it."""
    if scene.address is None or now_us >= scene.invites_until_us:
        return None
    return AddressScreen(scene.address, scene.missing)


def _news(scene: Scene, now_us: int) -> str | None:
    """What has just happened."""
    return None if scene.news is None or now_us >= scene.news.until_us else scene.news.text


def _notice(scene: Scene, now_us: int) -> str | None:
    """What stands along the bottom."""
    if (news := _news(scene, now_us)) is not None:
        return news
    return scene.notices[now_us // NOTICE_US % len(scene.notices)] if scene.notices else None


def contrast(scene: Scene, now_us: int) -> int:
    """How bright the display is: dim when nobody has done anything for a while, unless somebody comes with a phone."""
    if _code(scene, now_us) is not None or _address(scene, now_us) is not None:
        return FULL_CONTRAST
    return DIM_CONTRAST if now_us - scene.touched_us >= DIM_AFTER_US else FULL_CONTRAST


def next_change_us(scene: Scene, now_us: int) -> int:
    """The next moment, after `now_us`, at which time alone may change the picture or its brightness."""
    due = [(now_us // WANDER_STEP_US + 1) * WANDER_STEP_US, scene.touched_us + DIM_AFTER_US]
    if scene.refusal is not None:
        due.append(scene.refusal.until_us)
        if scene.refusal.whole_us is not None:
            due += _bar_moves_us(scene.refusal.until_us, now_us)
    if scene.news is not None:
        due.append(scene.news.until_us)
    if scene.address is not None:
        due.append(scene.invites_until_us)
    if scene.code is not None:
        due += [scene.touched_us + CODE_YIELDS_US, *_bar_moves_us(scene.code.until_us, now_us, CODE_STEP_US)]
    if len(scene.notices) > 1:
        due.append((now_us // NOTICE_US + 1) * NOTICE_US)
    if scene.board is not None and scene.board.window is not None and not scene.paused and not scene.board.over:
        due += _bar_moves_us(_ends_us(scene.board.window), now_us)
    return min(moment for moment in due if moment > now_us)


def wander(now_us: int, reach: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows, at most `reach` each way, by which the picture stands off its place: a slow walk, a pixel a
    step, so that no pixel is lit for ever."""
    step = now_us // WANDER_STEP_US
    return _swing(step, reach[0]), _swing(step // max(1, 4 * reach[0]), reach[1])


def picture(scene: Scene, now_us: int, size: tuple[int, int], look: Look) -> Image.Image:
    """What the display shows: the screen, a little smaller than `size`, at its place of the moment."""
    reach = (2, 1) if size[1] >= 48 else (1, 1)
    drawn = draw(choose(scene, now_us), (size[0] - 2 * reach[0], size[1] - 2 * reach[1]), look)
    x, y = wander(now_us, reach)
    whole = Image.new("1", size)
    whole.paste(drawn, (reach[0] + x, reach[1] + y))
    return whole


def _ends_us(window: RunningWindow) -> int:
    return window.closes_at_us if window.claim_until_us is None else window.claim_until_us


def _countdown(window: RunningWindow, now_us: int) -> Countdown:
    """What is left, in steps of the bar, so that the picture changes no more often than they do."""
    whole_us = window.claim_us if window.claim_seat is not None else window.closes_at_us - window.opened_at_us
    return Countdown(_stepped_us(_ends_us(window) - now_us), whole_us)


def _stepped_us(left_us: int, step_us: int = BAR_STEP_US) -> int:
    return -(-max(0, left_us) // step_us) * step_us


def _bar_moves_us(ends_us: int, now_us: int, step_us: int = BAR_STEP_US) -> list[int]:
    """When a bar that runs until `ends_us` is a step shorter, if it still runs."""
    left_us = ends_us - now_us
    return [now_us + ((left_us - 1) % step_us + 1)] if left_us > 0 else []


def _swing(step: int, reach: int) -> int:
    """0, 1 … reach … 0 … -reach … and again."""
    if reach == 0:
        return 0
    phase = step % (4 * reach)
    return phase if phase <= reach else 2 * reach - phase if phase <= 3 * reach else phase - 4 * reach
