"""The ways of playing at the page: with fingers on a phone, with the keyboard alone, two hands at one page, sitting
down and standing up; and what each visitor chooses: language, sound, another table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize
from taptable.core.player import Hold, Push, Tap

from page.finger import Finger
from page.layout import LEAST_IN_A_FIELD_PX, PHONE
from page.person import Person
from page.playing import next_action, plays_a_turn
from page.rooms import Rooms
from page.visitor import LANGUAGES

SEAT = 1


TABLET: ViewportSize = {"width": 1180, "height": 820}
SMALL_FIELDS = """(least) => [...document.querySelectorAll("input, select, textarea")]
    .filter((each) => parseFloat(getComputedStyle(each).fontSize) < least).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_no_field_has_letters_so_small_that_a_touch_device_zooms_into_it(
    browser: Browser, rooms: Rooms, size: ViewportSize
) -> None:
    with rooms.demo() as (evening, _), evening.visited(browser, size, has_touch=True, is_mobile=True) as visitor:
        for view in ("table", "setup", "cards", "correct", "games"):
            visitor.page.evaluate("(view) => { location.hash = view; }", view)
            visitor.next_frame()
            assert visitor.page.evaluate(SMALL_FIELDS, LEAST_IN_A_FIELD_PX) == [], view


@pytest.mark.long
def test_on_a_phone_a_turn_is_played_with_a_finger_and_a_row_backed_up_by_one_that_rests(
    browser: Browser, rooms: Rooms
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
        assert finger.does(Hold(SEAT, movie, SEAT), "drag").kind == "announced"


def test_with_the_keyboard_alone_a_whole_turn_is_played(rooms: Rooms) -> None:
    with rooms.demo() as (evening, visitor):
        visitor.clicks('[data-do="new-table"]')
        visitor.sees("dialog[data-start]")
        visitor.page.keyboard.press("Escape")
        done = plays_a_turn(Person(evening, visitor, SEAT, ("key",)))
        assert isinstance(done[-1], Push)
        assert any(isinstance(action, Tap) for action in done)


def test_on_a_phone_what_is_said_in_the_prompt_moves_nothing(browser: Browser, rooms: Rooms) -> None:
    with rooms.demo() as (evening, _), evening.visited(browser, PHONE) as visitor:

        def lies() -> object:
            boxes = [visitor.sees(selector).bounding_box() for selector in (".prompt", ".own-hint", ".centre", ".own")]
            return [box and (box["y"], box["height"]) for box in boxes]

        before = lies()
        Person(evening, visitor, SEAT, ("button",)).does(Push(SEAT))
        visitor.sees("[data-answer] .said")
        assert lies() == before


@pytest.mark.long
def test_two_hands_are_played_at_one_page(rooms: Rooms) -> None:
    with rooms.demo(people=(1, 2)) as (evening, visitor):
        for seat in (1, 2):
            person = Person(evening, visitor, seat)
            person.does(next_action(person))
            assert sorted(person.hand) == sorted(evening.ask(lambda seat=seat: evening.truth.hand(seat)))
            evening.stages(lambda stage: stage.plays_to_a_turn(2))


@pytest.mark.long
def test_a_person_sits_down_and_stands_up_and_the_game_goes_on(rooms: Rooms) -> None:
    with rooms.demo(people=()) as (evening, visitor):
        visitor.clicks('[data-do="sit"][data-at="2"]')
        visitor.sees('[data-hand="2"]')
        person = Person(evening, visitor, 2)
        person.does(next_action(person))
        visitor.clicks('[data-hand="2"] summary')
        visitor.clicks('[data-hand="2"] [data-do="stand"]')
        visitor.sees('[data-hand="2"]', hidden=True)
        evening.plays_turns(2)
        assert evening.ask(lambda: evening.people.disagreements) == []


@pytest.mark.long
def test_the_page_changes_its_language_without_losing_anything_and_keeps_it(rooms: Rooms) -> None:
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


@pytest.mark.long
def test_sound_is_muted_and_stays_so(rooms: Rooms) -> None:
    with rooms.demo() as (_, visitor):
        assert visitor.sees("button[data-mute]").get_attribute("aria-pressed") == "false"
        visitor.clicks("button[data-mute]")
        visitor.reloads()
        visitor.sees('button[data-mute][aria-pressed="true"]')
        visitor.clicks("button[data-mute]")
        visitor.sees('button[data-mute][aria-pressed="false"]')


@pytest.mark.long
def test_another_table_is_laid_from_the_page(rooms: Rooms) -> None:
    with rooms.demo() as (evening, visitor):
        boot = visitor.boot
        visitor.clicks('[data-do="new-table"]')
        visitor.page.select_option("select[data-players]", "3")
        visitor.page.select_option("select[data-edition]", "fr")
        visitor.clicks('dialog [data-do="play"]')
        visitor.until_another_start(boot)
        visitor.sees('[data-table][data-seats="3"]')
        assert evening.ask(lambda: evening.session.table.game_options.edition) == "fr"
        visitor.sees('[data-hand="1"] [data-do="press"][data-meaning="youngest"]')
        assert Person(evening, visitor, SEAT).does(Push(SEAT)).kind == "announced"


def test_a_table_for_the_demo_is_never_switched_off(rooms: Rooms) -> None:
    with rooms.demo() as (_, visitor):
        visitor.clicks("[data-settings]")
        visitor.sees("#settings")
        assert not visitor.is_seen('[data-power="ask"]')
