"""The ways of playing at the page: with fingers on a phone, with the keyboard alone, two hands at one page, sitting
down and standing up; and what each visitor chooses: language, sound, another table."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser
from taptable.core.player import Hold, Push, Tap

from page.evening import an_evening
from page.finger import Finger
from page.in_a_thread import STILL
from page.layout import PHONE
from page.person import Person
from page.playing import CALM, SWIFT, goes_on, plays_a_turn
from page.visitor import LANGUAGES, visiting

SEAT = 1


def test_on_a_phone_a_turn_is_played_with_a_finger(browser: Browser, tmp_path: Path):
    with (
        an_evening(tmp_path) as evening,
        visiting(browser, evening.address, PHONE, has_touch=True, is_mobile=True) as visitor,
    ):
        finger = Finger(visitor, SEAT, ("tap", "drag"))
        done = [deed for _ in range(3) for deed in plays_a_turn(evening, finger)]
        assert {type(deed) for deed in done} == {Push, Tap}
        assert all(answer.kind == "announced" for deed, answer in finger.answers if isinstance(deed, Tap))


def test_on_a_phone_a_row_is_backed_up_by_a_finger_that_rests(browser: Browser, tmp_path: Path):
    with (
        an_evening(tmp_path, settings={"quota_movie": "1"}) as evening,
        visiting(browser, evening.address, PHONE, has_touch=True, is_mobile=True) as visitor,
    ):
        finger = Finger(visitor, SEAT, ("tap",))
        goes_on(evening, finger, 1)
        evening.stages(lambda stage: stage.plays_to_a_turn(SEAT))
        evening.stages(lambda stage: stage.readies(SEAT, "turbo-line", "extra-memory", "movie"))
        evening.set_speed(CALM)
        movie = evening.ask(lambda: evening.state.teams[0].rows[-1][-1])
        assert finger.does(Hold(SEAT, movie, SEAT), "drag").kind == "announced"


def test_with_the_keyboard_alone_a_whole_turn_is_played(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path) as evening, visiting(browser, evening.address, welcomed=False) as visitor:
        visitor.sees("dialog[data-start]")
        visitor.page.keyboard.press("Escape")
        done = plays_a_turn(evening, Person(visitor, SEAT, ("key",)))
        assert isinstance(done[-1], Push)
        assert any(isinstance(deed, Tap) for deed in done)


def test_two_hands_are_played_at_one_page(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, people=(1, 2)) as evening, visiting(browser, evening.address) as visitor:
        for seat in (1, 2, 1):
            visitor.sees(f'[data-hand="{seat}"]')
            person = Person(visitor, seat)
            assert person.hand == list(evening.ask(lambda seat=seat: evening.holdings.hand(seat)))
            plays_a_turn(evening, person)


def test_a_person_sits_down_and_stands_up_and_the_game_goes_on(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path, players=3, people=()) as evening, visiting(browser, evening.address) as visitor:
        visitor.clicks('[data-do="sit"][data-at="2"]')
        person = Person(visitor, 2)
        visitor.sees('[data-hand="2"]')
        plays_a_turn(evening, person)
        visitor.clicks('[data-hand="2"] summary')
        visitor.clicks('[data-hand="2"] [data-do="stand"]')
        visitor.sees('[data-hand="2"]', hidden=True)
        evening.plays_turns(3, SWIFT)
        visitor.catches_up(evening.marks())
        assert evening.ask(lambda: evening.people.counts.disagreements) == []


def test_the_page_changes_its_language_without_losing_anything_and_keeps_it(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path) as evening, visiting(browser, evening.address) as visitor:
        goes_on(evening, Person(visitor, SEAT), 6)
        evening.stages(lambda stage: stage.empties_the_chairs())
        evening.stages(lambda stage: stage.plays_to_a_turn(SEAT))  # with no window, whose end would be told
        told = {}
        for language in LANGUAGES:
            visitor.speaks(language)
            visitor.catches_up(evening.marks())
            told[language] = visitor.page.locator("[data-log] > li").all_inner_texts()
        assert len({len(lines) for lines in told.values()}) == 1
        assert len({lines[0] for lines in told.values()}) == len(LANGUAGES)
        visitor.speaks("nl")
        visitor.page.reload()
        visitor.until("the page again", "() => document.documentElement.dataset.ready === 'true'")
        assert visitor.page.locator("html").get_attribute("lang") == "nl"


def test_sound_is_muted_and_stays_so(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path) as evening, visiting(browser, evening.address) as visitor:
        assert visitor.sees("button[data-mute]").get_attribute("aria-pressed") == "false"
        visitor.clicks("button[data-mute]")
        visitor.sees('button[data-mute][aria-pressed="true"]')
        visitor.page.reload()
        visitor.sees('button[data-mute][aria-pressed="true"]')


def test_another_table_is_laid_from_the_page(browser: Browser, tmp_path: Path):
    with an_evening(tmp_path) as evening, visiting(browser, evening.address) as visitor:
        boot = visitor.boot
        visitor.clicks('[data-do="new-table"]')
        visitor.page.select_option("select[data-players]", "3")
        visitor.page.select_option("select[data-edition]", "fr")
        visitor.clicks('dialog [data-do="play"]')
        evening.set_speed(STILL)  # or a virtual player presses first, where the browser takes its time
        visitor.until("another start", "(boot) => document.documentElement.dataset.boot !== boot", boot)
        visitor.sees('[data-table][data-seats="3"]')
        assert evening.ask(lambda: evening.session.table.agreed.edition) == "fr"
        visitor.sees('[data-hand="1"] [data-do="press"][data-meaning="youngest"]')
        assert Person(visitor, SEAT).does(Push(SEAT)).kind == "announced"
