"""The page keeps up: a verdict is shown within two frames, 200 sentences in a second neither get lost nor keep anybody
waiting, and a tab that slept catches up. Frames and messages are counted; nothing is timed."""

from __future__ import annotations

import pytest

from page.person import Person
from page.playing import plays_a_turn
from page.table_pool import TablePool
from page.tapping import Tapping

MAX_FRAMES = 2
SENTENCES = 200
KEPT = 200
"""Lines of the log that stay on the page."""


@pytest.mark.long
def test_a_verdict_is_shown_within_two_frames_of_its_arrival(rooms: TablePool) -> None:
    with rooms.demo() as (evening, visitor):
        before = len(visitor.frames_until_shown())
        plays_a_turn(Person(evening, visitor, 1))
        delays = visitor.frames_until_shown()[before:]
        assert len(delays) > 3
        assert max(delays) <= MAX_FRAMES


@pytest.mark.long
def test_200_sentences_in_a_second_are_all_shown_with_one_drawing_a_frame_and_clicks_are_answered(
    rooms: TablePool,
) -> None:
    with rooms.demo(6, people=()) as (evening, visitor):
        evening.stages(lambda stage: stage.empties_the_chairs())
        evening.stages(lambda stage: stage.readies(1, "online"))
        visitor.page.evaluate("watched.countAllFrames()")  # a press alone draws, too
        applied, came = visitor.watched("applied.length"), visitor.watched("came.length")
        before = visitor.logged_items
        tapping = Tapping(evening, SENTENCES)
        with evening.under_way(tapping):
            visitor.until("some of them", "(before) => watched.logged > before + 20", before)
            for tab in ("rows", "guide", "log"):
                visitor.opens(tab)
                visitor.sees(f'[data-tab="{tab}"][aria-selected="true"]')
            tapping.enough = True
        evening.is_seen()
        assert visitor.logged_items == before + tapping.done
        frames = [each["frame"] for each in visitor.watched(f"applied.slice({applied})")]
        assert len(frames) == len(set(frames)), "drawn twice in a frame"
        messages = [each for each in visitor.watched(f"came.slice({came})") if each["log"]]
        assert len(messages) < tapping.done, "they come together"
        assert visitor.page.locator("[data-log] > li").count() == KEPT
