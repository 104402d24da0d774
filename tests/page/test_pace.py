"""The page keeps up: a verdict is shown within two frames, 200 sentences in a second neither get lost nor keep anybody
waiting, and a tab that slept catches up. Frames and messages are counted; nothing is timed."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from page.evening import an_evening
from page.person import Person
from page.playing import SWIFT, plays_a_turn, sees_rows_as_they_lie
from page.tapping import Tapping
from page.visitor import visiting

MOST_FRAMES = 2
SENTENCES = 200
KEPT = 200
"""Lines of the log that stay on the page."""
TURNS = 8


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
        tapping = Tapping(evening, SENTENCES, enough=False)
        with evening.under_way(tapping):
            visitor.until("some of them", "(before) => watched.logged > before + 20", before)
            for tab in ("rows", "guide", "log"):
                visitor.opens(tab)
                visitor.sees(f'[data-tab="{tab}"][aria-selected="true"]')
            tapping.enough = True
        visitor.catches_up(evening.marks())
        assert visitor.logged_items == before + tapping.done
        frames = [each["frame"] for each in visitor.watched(f"applied.slice({applied})")]
        assert len(frames) == len(set(frames)), "drawn twice in a frame"
        messages = [each for each in visitor.watched(f"came.slice({came})") if each["log"]]
        assert len(messages) < tapping.done, "they come together"
        assert visitor.page.locator("[data-log] > li").count() == min(tapping.done, KEPT)


def test_a_tab_that_slept_catches_up(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=4, people=()) as evening, visiting(browser, evening.address) as visitor:
        tools = visitor.tools()
        tools.send("Page.setWebLifecycleState", {"state": "frozen"})
        evening.plays_turns(TURNS, SWIFT)
        tools.send("Page.setWebLifecycleState", {"state": "active"})
        visitor.catches_up(evening.marks())
        assert visitor.announced > TURNS
        sees_rows_as_they_lie(evening, visitor)


def test_a_page_that_is_opened_late_shows_what_was_said_before(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=4, people=()) as evening:
        evening.plays_turns(TURNS, SWIFT)
        with visiting(browser, evening.address) as visitor:
            assert visitor.announced > TURNS
            sees_rows_as_they_lie(evening, visitor)
