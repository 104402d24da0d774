"""The page keeps up: a verdict is shown within two frames, 200 sentences in a second neither get lost nor keep anybody
waiting, and a tab that slept catches up. Frames and messages are counted; nothing is timed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.sync_api import Browser
from taptable.core.sightings import TagCame, TagWent
from taptable.games.online.cards import KIND_OF

from page.evening import AnEvening, an_evening
from page.person import Person
from page.playing import SWIFT, plays_a_turn
from page.visitor import visiting

MOST_FRAMES = 2
SENTENCES = 200
TURNS = 8
TAPS_SPEED = 10.0
SPACING_S = 0.05
"""Of table time between two taps: 200 of them in a second outside."""


def test_a_verdict_is_shown_within_two_frames_of_its_arrival(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=2) as evening, visiting(browser, evening.address) as visitor:
        for _ in range(3):
            plays_a_turn(evening, Person(visitor, 1))
        delays = visitor.frames_until_shown()
        assert len(delays) > 10
        assert max(delays) <= MOST_FRAMES


def test_200_sentences_in_a_second_are_all_shown_with_one_drawing_a_frame_and_clicks_are_answered(
    browser: Browser, tmp_path: Path
):
    with an_evening(tmp_path, players=6) as evening, visiting(browser, evening.address) as visitor:
        plays_a_turn(evening, Person(visitor, 1))
        evening.stages(lambda stage: stage.empties_the_chairs())
        visitor.catches_up(evening.marks())
        applied, came = visitor.watched("applied.length"), visitor.watched("came.length")
        before = visitor.logged_items
        with evening.under_way(taps_of(evening)) as taps:
            visitor.until("some of them", "(before) => watched.logged > before + 20", before)
            for tab in ("rows", "guide", "log"):
                visitor.opens(tab)
                visitor.sees(f'[data-tab="{tab}"][aria-selected="true"]')
            assert not taps.done(), "the clicks were to be answered meanwhile"
        visitor.catches_up(evening.marks())
        assert visitor.logged_items == before + SENTENCES
        frames = [each["frame"] for each in visitor.watched(f"applied.slice({applied})")]
        assert len(frames) == len(set(frames)), "drawn twice in a frame"
        messages = [each for each in visitor.watched(f"came.slice({came})") if each["log"]]
        assert len(messages) < SENTENCES, "they come together"
        assert visitor.page.locator("[data-log] > li").count() == SENTENCES


def taps_of(evening: AnEvening) -> Callable[[], Awaitable[None]]:
    """Downloads that are refused, since they are on the wrong pad or the line isn't up, all seats at once."""

    async def tap() -> None:
        report = evening.room.daemon.proceedings.report
        others = [seat for seat in range(1, 7) if seat != evening.on_turn]
        lying = {card for heap in evening.people.lying() for card in heap.cards}
        cards = [card for card in KIND_OF if KIND_OF[card].id in ("email", "music") and card not in lying]
        tags = [tag for tag, what in evening.people.names.items() if what in cards[:13]]
        now_us = evening.room.daemon.clock.now_us
        for number in range(SENTENCES):
            pad, tag = others[number % len(others)], tags[number % len(tags)]
            report(TagCame(now_us(), pad, tag))
            await asyncio.sleep(SPACING_S)
            report(TagWent(now_us(), pad, tag))

    async def at_their_speed() -> None:
        evening.loop.speed = TAPS_SPEED
        await tap()
        evening.loop.speed = 1.0

    return at_their_speed


def test_a_tab_that_slept_catches_up(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=4, people=()) as evening, visiting(browser, evening.address) as visitor:
        tools = visitor.tools()
        tools.send("Page.setWebLifecycleState", {"state": "frozen"})
        evening.plays_turns(TURNS, SWIFT)
        tools.send("Page.setWebLifecycleState", {"state": "active"})
        visitor.catches_up(evening.marks())
        assert visitor.announced > TURNS
        assert visitor.rows == evening.ask(lambda: evening.rows)


def test_a_page_that_is_opened_late_shows_what_was_said_before(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=4, people=()) as evening:
        evening.plays_turns(TURNS, SWIFT)
        with visiting(browser, evening.address) as visitor:
            assert visitor.announced > TURNS
            assert visitor.rows == evening.ask(lambda: evening.rows)
