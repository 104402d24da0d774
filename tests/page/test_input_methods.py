"""The ways of playing at the page: with fingers on a phone, with the keyboard alone, two hands at one page, sitting
down and standing up; and what each visitor chooses: language, sound, another table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize
from taptable.core.player import HoldCard, Push, Tap

from page.finger import Finger
from page.layout import MIN_IN_A_FIELD_PX, PHONE
from page.person import Person
from page.playing import plays_a_turn
from page.table_pool import TablePool
from page.visitor import LANGUAGES

SEAT = 1


TABLET: ViewportSize = {"width": 1180, "height": 820}
SMALL_FIELDS = """(least) => [...document.querySelectorAll("input, select, textarea")]
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < least).map((each) => each.outerHTML)"""


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_no_field_has_letters_so_small_that_a_touch_device_zooms_into_it(
    browser: Browser, rooms: TablePool, size: ViewportSize
) -> None:
    with rooms.demo() as (evening, _), evening.visited(browser, size, has_touch=True, is_mobile=True) as visitor:
        for view in ("table", "setup", "cards", "correct", "games"):
            visitor.page.evaluate("(view) => { location.hash = view; }", view)
            visitor.next_frame()
            assert visitor.page.evaluate(SMALL_FIELDS, MIN_IN_A_FIELD_PX) == [], view


@pytest.mark.long
def test_on_a_phone_a_turn_is_played_with_a_finger_and_a_row_backed_up_by_one_that_rests(
    browser: Browser, rooms: TablePool
) -> None:
    with (
        rooms.demo(settings={"quota_movie": "1"}) as (evening, _),
        evening.visited(browser, PHONE, has_touch=True, is_mobile=True) as visitor,
    ):
        finger = Finger(evening, visitor, SEAT, ("tap", "drag"))
        done = plays_a_turn(finger)
        assert {type(action) for action in done} == {Push, Tap}
        assert all(answer.kind == "announced" for action, answer in finger.answers if isinstance(action, Tap))
        evening.stages(lambda stage: stage.plays_to_a_turn(SEAT))
        evening.stages(lambda stage: stage.readies(SEAT, "turbo-line", "extra-memory", "movie"))
        movie = evening.ask(lambda: evening.state.teams[0].rows[-1][-1])
        assert finger.does(HoldCard(SEAT, movie, SEAT), "drag").kind == "announced"


def test_with_the_keyboard_alone_a_whole_turn_is_played(rooms: TablePool) -> None:
    with rooms.demo() as (evening, visitor):
        visitor.clicks('[data-do="new-table"]')
        visitor.sees("dialog[data-start]")
        visitor.page.keyboard.press("Escape")
        done = plays_a_turn(Person(evening, visitor, SEAT, ("key",)))
        assert isinstance(done[-1], Push)
        assert any(isinstance(action, Tap) for action in done)


def test_on_a_phone_the_text_of_the_prompt_moves_nothing(browser: Browser, rooms: TablePool) -> None:
    with rooms.demo() as (evening, _), evening.visited(browser, PHONE) as visitor:

        def lies() -> object:
            boxes = [visitor.sees(selector).bounding_box() for selector in (".prompt", ".own-hint", ".centre", ".own")]
            return [box and (box["y"], box["height"]) for box in boxes]

        before = lies()
        Person(evening, visitor, SEAT, ("button",)).does(Push(SEAT))
        visitor.sees("[data-answer] .answer-line")
        assert lies() == before


@pytest.mark.long
def test_the_page_changes_its_language_without_losing_anything_and_keeps_it(rooms: TablePool) -> None:
    with rooms.demo(people=()) as (evening, visitor):
        evening.plays_turns(2)
        told = {}
        for language in LANGUAGES:
            visitor.speaks(language)
            told[language] = visitor.page.locator("[data-log] > li").all_inner_texts()
        assert len({len(lines) for lines in told.values()}) == 1
        assert len({lines[0] for lines in told.values()}) == len(LANGUAGES)
        visitor.reloads()
        assert visitor.page.locator("html").get_attribute("lang") == LANGUAGES[-1]


def test_a_table_for_the_demo_is_never_switched_off(rooms: TablePool) -> None:
    with rooms.demo() as (_, visitor):
        visitor.clicks("[data-settings]")
        visitor.sees("#settings")
        assert not visitor.is_seen('[data-power="ask"]')
