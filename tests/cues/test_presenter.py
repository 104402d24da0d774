"""The scoreboard is drawn when there is something new on it, and not otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest
from display_rig import Rig, an_update, look, oled_rig, same_pixels
from referee.session_rig import SessionRig
from table.fixtures import GIVEN_TIME
from taptable import __version__
from taptable.core.device_events import ButtonEdge, TagCame, TagWent
from taptable.core.settings import US_PER_S
from taptable.core.tag_notices import DeckChosen, DeckMissing
from taptable.cues.presenter import ADDRESS_AFTER_RESTART_S, ADDRESS_POLL_S, ADDRESS_S, BOOT_S, PROBE_S, Presenter
from taptable.cues.prompts import Check, Code
from taptable.cues.scene import BURN_IN_STEP_US, News, Refusal, Scene, render
from taptable.referee.session import request_control
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.table import InlineExecutor


class Drawings(InlineExecutor):
    """Counts what it is given; the next of it takes as long as `takes` does."""

    count = 0
    pictures = 0
    takes: Callable[[], None] | None = None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        self.count += 1
        self.pictures += getattr(fn, "func", None) is not None  # a probe is the display's own method
        done = super().submit(fn, *args, **kwargs)
        takes, self.takes = self.takes, None
        if takes is not None:
            takes()
        return done


@dataclass
class Shown:
    """A presenter over the real driver, in given time; what it has drawn, and the glass."""

    presenter: Presenter
    drawings: Drawings
    rig: Rig

    @property
    def now_us(self) -> int:
        return round(asyncio.get_running_loop().time() * US_PER_S)

    def shows(self, scene: Scene) -> bool:
        """Return whether the display shows this."""
        return same_pixels(self.rig.model.image(), render(scene, self.now_us, self.rig.oled.size, look("en")))


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME


@asynccontextmanager
async def showing(
    find_address: Callable[[], str | None] | None = None,
    before: SessionRig | None = None,
    glass: str = "ssd1309 128x64",
) -> AsyncIterator[Shown]:
    """A presenter that shows an evening, of a table at which this was before it opened."""
    with oled_rig(glass) as rig:
        drawings, loop = Drawings(), asyncio.get_running_loop()
        rig.oled._now_us = lambda: round(loop.time() * US_PER_S)
        presenter = Presenter(rig.oled, look("en"), rig.oled._now_us, drawings, find_address)
        if before is not None:
            presenter.on_update(an_update(before.events, before.session))
        presenter.open()
        yield Shown(presenter, drawings, rig)
        await presenter.close()


@pytest.fixture
async def shown() -> AsyncIterator[Shown]:
    async with showing() as shown:
        yield shown


async def test_a_change_that_can_t_be_seen_is_not_drawn(shown: Shown) -> None:
    evening = SessionRig()
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    drawn = shown.drawings.count
    evening.handle_device_event(TagCame(0, 1, "online#1")).wait(0.5).handle_device_event(
        TagWent(evening.now_us, 1, "online#1")
    )
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(0.1)
    assert shown.drawings.count == drawn + 1
    evening.handle_device_event(ButtonEdge(evening.now_us, 1, pressed=False))
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(0.1)
    assert shown.drawings.count == drawn + 1


async def test_what_can_t_be_seen_otherwise_is_spelled_out_for_a_while(shown: Shown) -> None:
    evening = SessionRig().tap("online#1", 1).control("take-back")
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    evening.events.clear()
    evening.press(2)
    shown.presenter.on_update(an_update(evening.events, evening.session))
    await asyncio.sleep(1)
    table = evening.session.table
    scene = Scene(__version__, table.game.scoreboard(table.state), last_activity_us=shown.now_us)
    assert shown.shows(replace(scene, news=News("The last move is taken back.", shown.now_us + 1)))
    await asyncio.sleep(4)
    assert shown.shows(scene)


async def test_r10_3_in_the_last_minute_the_time_left_is_drawn_once_a_second(shown: Shown) -> None:
    evening = SessionRig(time_limit_s="100")
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(50.5)
    drawn = shown.drawings.pictures
    for left_s in (49, 48, 47):
        await asyncio.sleep(1)
        shown_at = Scene(__version__, evening.session.table.scoreboard)
        assert shown.shows(shown_at), left_s
    assert shown.drawings.pictures == drawn + 3


async def test_r10_3_that_time_runs_out_stands_below_the_scores_for_a_while(shown: Shown) -> None:
    evening = SessionRig(time_limit_s="400").wait(99)
    await asyncio.sleep(99)
    shown.presenter.on_update(an_update((), evening.session))
    evening.events.clear()
    evening.wait(1)
    await asyncio.sleep(1)
    shown.presenter.on_update(an_update(evening.events, evening.session))
    await asyncio.sleep(1)
    board = evening.session.table.scoreboard
    news = News("5 minutes left.", shown.now_us + 1)
    assert shown.shows(Scene(__version__, board, last_activity_us=shown.now_us, news=news))


async def test_a_table_without_a_deck_says_so_first_and_not_who_is_to_begin(shown: Shown) -> None:
    evening, missing = SessionRig(starter=None), DeckMissing(0)
    shown.presenter.on_update(an_update((missing,), evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    words = look("en").words
    screen = Refusal("No deck yet", words.notice(missing))
    notices = (words.notice(missing),)
    assert shown.shows(scene_of(evening, missing_deck=screen, notices=notices))
    shown.presenter.on_update(an_update((DeckChosen(0, "family", ""),), evening.session))
    await asyncio.sleep(0.1)
    assert shown.shows(scene_of(evening))


async def test_in_a_check_what_is_asked_stays_whatever_comes_of_it(shown: Shown) -> None:
    evening = SessionRig(2, seats=2).tap("online#1", 1).control("check")
    shown.presenter.on_update(an_update(evening.events, evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    evening.events.clear()
    evening.tap("online#1", 1)
    shown.presenter.on_update(an_update(evening.events, evening.session))
    await asyncio.sleep(0.1)
    text = "Seat 1: tap every card of your rows once, the topmost last, then press the button."
    check = Check((1,), text, 1, 1)
    news = News("Online is right, 0 left.", shown.now_us + 1)
    assert shown.shows(scene_of(evening, last_activity_us=shown.now_us, check=check, news=news))
    await asyncio.sleep(4)
    assert shown.shows(scene_of(evening, last_activity_us=shown.now_us, check=check))


async def test_after_its_end_it_asks_for_nothing(shown: Shown) -> None:
    shown.presenter.on_update(an_update((), SessionRig().session))
    closing = asyncio.create_task(shown.presenter.close())  # while it draws
    await closing
    drawn = shown.drawings.count
    await asyncio.sleep(600)
    assert shown.drawings.count == drawn


async def test_when_nobody_plays_it_is_drawn_only_to_wander_and_dim(shown: Shown) -> None:
    shown.presenter.on_update(an_update((), SessionRig().session))
    await asyncio.sleep(BOOT_S + 0.1)
    drawn = shown.drawings.count
    await asyncio.sleep(600)
    probes = 60 * 10 / PROBE_S
    assert shown.drawings.count - drawn <= probes + 5 + 2


@pytest.mark.parametrize("does", ["draws", "asks"])
async def test_what_was_due_while_the_display_was_busy_is_drawn_afterwards(shown: Shown, does: str) -> None:
    loop, evening = asyncio.get_running_loop(), SessionRig()
    assert isinstance(loop, GivenTimeLoop)
    shown.presenter.on_update(an_update((), evening.session))
    # the display is asked each five seconds; the last time before the picture wanders it takes ten
    await asyncio.sleep(BURN_IN_STEP_US / US_PER_S - 4)
    shown.drawings.takes = lambda: loop.stall(10)
    if does == "draws":
        evening.tap("online#1", 1)
        shown.presenter.on_update(an_update(evening.events, evening.session))
    while shown.now_us < BURN_IN_STEP_US:
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.1)
    assert shown.shows(scene_of(evening))


ADDRESS = "192.168.1.7:8137"


def scene_of(evening: SessionRig, **more: Any) -> Scene:
    table = evening.session.table
    return Scene(__version__, table.game.scoreboard(table.state), table.paused_at_us is not None, **more)


def invitation(shown: Shown, address: str = ADDRESS) -> Scene:
    return Scene(__version__, address=address, address_until_us=shown.now_us + 1)


async def test_people_are_invited_to_the_page_until_somebody_does_something():
    async with showing(lambda: ADDRESS) as shown:
        evening = SessionRig(starter=None)
        shown.presenter.on_update(an_update((), evening.session))
        await asyncio.sleep(ADDRESS_S - 1)
        assert shown.shows(invitation(shown))
        evening.press(2)
        shown.presenter.on_update(an_update(evening.events, evening.session))
        await asyncio.sleep(0.1)
        assert shown.shows(scene_of(evening, last_activity_us=shown.now_us))


async def test_a_game_that_waits_to_go_on_is_not_held_up_by_an_invitation():
    before = SessionRig()
    before.session, events = request_control(before.session, "pause", "discard", before.now_us)
    before.events += events
    async with showing(lambda: ADDRESS, before) as shown:
        await asyncio.sleep(ADDRESS_AFTER_RESTART_S - 0.1)
        assert shown.shows(invitation(shown))
        await asyncio.sleep(0.2)
        assert shown.shows(scene_of(before, last_activity_us=shown.now_us))


async def test_a_network_that_comes_after_the_table_is_shown_when_it_is_there_and_when_it_changes():
    addresses: list[str | None] = [None] * 10 + [ADDRESS] * 5 + ["10.42.0.1:8137"]
    async with showing(lambda: addresses.pop(0) if len(addresses) > 1 else addresses[0]) as shown:
        evening = SessionRig(starter=None)
        shown.presenter.on_update(an_update((), evening.session))
        await asyncio.sleep(9.5 * ADDRESS_POLL_S)
        assert shown.shows(scene_of(evening, last_activity_us=shown.now_us))
        await asyncio.sleep(ADDRESS_POLL_S)
        assert shown.shows(invitation(shown))
        await asyncio.sleep(5 * ADDRESS_POLL_S)
        assert shown.shows(invitation(shown, "10.42.0.1:8137"))


async def test_a_table_whose_page_is_its_own_invites_nobody(shown: Shown) -> None:
    evening = SessionRig(starter=None)
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    assert shown.shows(scene_of(evening, last_activity_us=shown.now_us))
    assert not shown.presenter.show_address()


async def test_people_are_invited_again_when_somebody_asks_for_it():
    async with showing(lambda: ADDRESS) as shown:
        evening = SessionRig()
        shown.presenter.on_update(an_update((), evening.session))
        await asyncio.sleep(2 * ADDRESS_S)
        assert shown.presenter.show_address()
        await asyncio.sleep(1)
        assert shown.shows(replace(scene_of(evening), address=ADDRESS, address_until_us=shown.now_us + 1))


async def test_a_code_is_on_the_display_until_it_is_taken_away(shown: Shown) -> None:
    evening = SessionRig(starter=None)
    shown.presenter.on_update(an_update((), evening.session))
    await asyncio.sleep(BOOT_S + 0.1)
    code = Code("402917", shown.now_us + 300 * US_PER_S, 300 * US_PER_S)
    shown.presenter.show_code(code)
    await asyncio.sleep(60)
    assert shown.shows(replace(scene_of(evening), code=code))
    shown.presenter.show_code(None)
    await asyncio.sleep(0.1)
    assert shown.shows(scene_of(evening, last_activity_us=shown.now_us))


async def test_it_is_known_whether_a_code_can_be_seen(shown: Shown) -> None:
    await asyncio.sleep(0.1)
    assert shown.presenter.is_responding
    shown.rig.model.unplug()
    shown.presenter.show_code(Code("402917", shown.now_us + 300 * US_PER_S, 300 * US_PER_S))
    await asyncio.sleep(0.1)
    assert not shown.presenter.is_responding
