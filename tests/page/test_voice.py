"""The phone's own voice speaks the newest of the table's sentences, never falls behind, and says why if it can't be
heard. A stand-in for the browser's speech keeps what it is given to speak."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from page.layout import PHONE
from page.module_server import serving
from page.table_pool import TablePool
from page.visitor import Visitor

SYNTH = Path(__file__).with_name("synth.js").read_text(encoding="utf-8")
VOICE = """
  const { makeVoice } = await import("/static/speech.js");
  const at = { ms: 0 };
  const voice = makeVoice({ language: () => "en", nowMs: () => at.ms });
  const say = (...texts) => voice.speak(texts.map((text) => ({ text })));
  const urge = (...texts) => voice.speak(texts.map((text) => ({ text, urgent: true })));
  const texts = () => spoken.said.map(({ text }) => text);
"""
AWAKE = VOICE + "voice.use(true); voice.unlock();"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with serving(browser, {"/": {"body": "<!doctype html><title>page</title>"}}) as page:
        yield page


def run(page: Page, script: str) -> Any:
    page.goto(page.url)
    page.evaluate(SYNTH)
    return page.evaluate(f"async () => {{ {script} }}")


def test_sentences_are_said_one_after_the_other_in_the_pages_language(page: Page) -> None:
    said = AWAKE + "say('One', 'Two'); const first = texts(); spoken.end(); return [first, spoken.said[1]];"
    assert run(page, said) == [["One"], {"text": "Two", "lang": "en", "rate": 1}]


def test_it_is_never_more_than_three_sentences_behind_and_keeps_the_newest(page: Page) -> None:
    said = AWAKE + "say('0', '1', '2', '3', '4', '5'); for (let n = 0; n < 9; n += 1) spoken.end(); return texts();"
    assert run(page, said) == ["3", "4", "5"]


def test_sentences_that_have_waited_too_long_are_dropped_but_for_the_newest(page: Page) -> None:
    said = AWAKE + "say('0', '1', '2'); at.ms = 8001; say('3'); for (let n = 0; n < 9; n += 1) spoken.end();"
    assert run(page, said + "return texts();") == ["0", "3"]
    said = AWAKE + "say('0', '1', '2'); at.ms = 8001; for (let n = 0; n < 9; n += 1) spoken.end(); return texts();"
    assert run(page, said) == ["0", "2"]


def test_dispensable_sentences_are_dropped_first(page: Page) -> None:
    said = AWAKE + "say('0', '1'); voice.speak([{ text: 'lesson', isOptional: true }]); say('2');"
    assert run(page, said + "for (let n = 0; n < 9; n += 1) spoken.end(); return texts();") == ["0", "1", "lesson", "2"]
    said = AWAKE + "say('0', '1'); voice.speak([{ text: 'lesson', isOptional: true }]); say('2', '3');"
    assert run(page, said + "for (let n = 0; n < 9; n += 1) spoken.end(); return texts();") == ["0", "1", "2", "3"]


def test_what_is_urgent_is_said_at_once_and_in_its_order(page: Page) -> None:
    said = run(
        page,
        AWAKE
        + """
        say('Lays', 'Stops');
        urge('Hacker!', 'Press now.');
        const at_once = [texts(), spoken.cancelled];
        spoken.end();
        spoken.end();
        return [...at_once, texts(), spoken.cancelled];
        """,
    )
    assert said == [["Lays", "Hacker!"], 1, ["Lays", "Hacker!", "Press now."], 1]


def test_without_a_voice_for_the_language_it_says_so_until_there_is_one(page: Page) -> None:
    said = run(
        page,
        AWAKE
        + """
        spoken.changeVoices([{ lang: "it-IT" }]);
        const states = [voice.state()];
        say('One');
        spoken.changeVoices([{ lang: "it-IT" }, { lang: "en_US" }]);
        say('Two');
        return [...states, voice.state(), texts()];
        """,
    )
    assert said == ["no-voice", "ready", ["Two"]]


def test_a_browser_that_turns_the_language_down_has_no_voice(page: Page) -> None:
    assert run(page, AWAKE + "say('One'); spoken.end('language-unavailable'); return voice.state();") == "no-voice"


def test_it_sleeps_until_the_page_was_touched_and_again_when_the_browser_forbids_it(page: Page) -> None:
    said = run(
        page,
        VOICE
        + """
        voice.use(true);
        say('One');
        const states = [voice.state(), texts()];
        voice.unlock();
        states.push(voice.state(), texts());
        spoken.end('not-allowed');
        return [...states, voice.state()];
        """,
    )
    assert said == ["asleep", [], "ready", ["One"], "asleep"]


def test_a_browser_without_speech_is_reported_as_such(page: Page) -> None:
    gone = "Object.defineProperty(window, 'speechSynthesis', { value: undefined });" + AWAKE
    assert run(page, gone + "say('One'); return [voice.state(), texts()];") == ["none", []]


def test_switched_off_it_stops_in_the_middle(page: Page) -> None:
    said = AWAKE + "say('One', 'Two'); voice.use(false); spoken.end(); say('Three'); voice.use(true); say('Four');"
    assert run(page, said + "return [texts(), spoken.cancelled];") == [["One", "Four"], 1]


def test_the_voice_is_one_that_is_on_the_device(page: Page) -> None:
    chosen = """
      const { bestVoice } = await import("/static/speech.js");
      const far = { lang: "de-DE", default: true, name: "far" };
      const voices = [far, { lang: "de_AT", localService: true, name: "near" }];
      return [bestVoice(voices, "de").name, bestVoice(voices, "nl")];
    """
    assert run(page, chosen) == ["near", None]


def hears(visitor: Visitor, sentence: str) -> None:
    """Wait until it is said, and let everything before it be over."""
    said = """(sentence) => {
        const heard = spoken.said.some(({ text }) => text === sentence);
        if (!heard) spoken.end();
        return heard;
    }"""
    visitor.until(f"“{sentence}” said aloud", said, sentence)


@pytest.mark.long
def test_a_phone_says_what_the_table_says_once_it_is_asked_to_as_far_as_it_can(
    browser: Browser, rooms: TablePool
) -> None:
    with rooms.table() as (table, _), table.visited(browser, PHONE, welcomed=False, init=SYNTH) as visitor:
        visitor.clicks("[data-settings]")
        visitor.page.locator('[data-setting="aloud"]').check()
        hears(visitor, "This is how the table sounds here.")
        assert not visitor.is_seen('[data-setting="explain"]')  # no card of this game is explained
        table.stages(lambda stage: stage.readies(1, "online"))
        hears(visitor, "Seat 1 plays Online.")
        table.stages(lambda stage: stage.hacks(1))
        visitor.until("the window", "() => spoken.said.some(({ text }) => text.startsWith('Hacker!'))")
        visitor.page.locator("[data-pace]").select_option("fast")
        visitor.clicks("[data-aloud-try]")
        spoken = visitor.page.evaluate("spoken.said.at(-1)")
        assert spoken == {"text": "This is how the table sounds here.", "lang": "en", "rate": spoken["rate"]}
        assert spoken["rate"] > 1
        visitor.reloads()
        visitor.clicks("[data-settings]")
        assert visitor.page.locator('[data-setting="aloud"]').is_checked()

        # where there is no voice for the language it says so
        visitor.page.evaluate("spoken.changeVoices([{ lang: 'en-GB' }])")
        visitor.speaks("nl")
        visitor.reads("[data-aloud-trouble]", "Dit apparaat heeft geen stem voor deze taal.")
        visitor.speaks("en")
        visitor.sees("[data-aloud-trouble]", hidden=True)
