"""The table's voice: it speaks one sentence at a time, the most important first, and reports a missing program or
loudspeaker. The program is a stand-in that follows instructions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from display_rig import an_update, look
from referee.session_rig import SessionRig
from table.rig import a_table, running_table
from taptable.config import SpeechParts
from taptable.core.check_notices import CheckTicked
from taptable.core.device_events import PartFailed, PartReturned
from taptable.core.game_options import GameOptions
from taptable.core.observations import CardTapped
from taptable.core.part_notices import PartLost
from taptable.core.settings import US_PER_S
from taptable.cues import speech as module
from taptable.cues.prompts import Code
from taptable.cues.speech import Speech, SpeechPriority, Utterance, error_in_output
from taptable.games.registry import find_game, package_of
from taptable.narration.updates import Update
from taptable.referee.session import Decision, TableEvent, open_session
from taptable.referee.step import open_table, step
from taptable.words import Vocabulary, Words
from voice import Voice, put_on_path


@pytest.fixture
def voice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Voice]:
    monkeypatch.setattr(module, "RETRY_S", 0.0)
    with put_on_path(tmp_path, monkeypatch) as voice:
        yield voice


@asynccontextmanager
async def speaking(voice: Voice, parts: SpeechParts, language: str) -> AsyncIterator[Speech]:
    """Have a voice speak while this lasts."""
    speech = Speech(parts, look(language).words, voice.report, lambda: 0)
    yield speech
    await asyncio.wait_for(speech.close(), DEADLINE_S)


@pytest.fixture
async def speech(voice: Voice) -> AsyncIterator[Speech]:
    async with speaking(voice, SpeechParts(), "de") as speech:
        yield speech


def said_at_once(evening: SessionRig, speech: Speech) -> None:
    speech.on_update(an_update(evening.events, evening.session))
    evening.events.clear()


async def test_what_happens_is_spoken_one_sentence_after_the_other(speech: Speech, voice: Voice) -> None:
    said_at_once(SessionRig().tap("online#1", 1), speech)
    assert await voice.hear() == "Platz 1 legt Online."
    voice.finish()


async def test_it_speaks_in_the_tables_language_at_its_rate_over_its_loudspeaker(voice: Voice) -> None:
    async with speaking(voice, SpeechParts("plughw:CARD=Headphones", 210), "en") as speech:
        speech.open()
        options = await voice.hear_options()
        assert options == ["-v", "en-gb", "-s", "210", "-d", "plughw:CARD=Headphones", "-b", "1", "--stdin"]
        voice.finish()


async def test_two_never_speak_at_a_time(speech: Speech, voice: Voice) -> None:
    for text in ("eins", "zwei", "drei"):
        speech._say(Utterance(text))
    heard: list[str] = []
    for _ in range(3):
        heard.append(await voice.hear())
        # another voice that began now would wait for a reader, and the next would read two lines
        voice.finish()
    assert heard == ["eins", "zwei", "drei"]


async def test_of_cards_that_are_ticked_off_faster_than_one_can_speak_the_last_are_spoken(
    speech: Speech, voice: Voice
) -> None:
    speech._say(Utterance("Tap each card once."))
    assert await voice.hear() == "Tap each card once."
    ticked = [CheckTicked(0, f"email#{number}", 9 - number) for number in range(1, 10)]
    speech.on_update(an_update(ticked, SessionRig().session))
    for last in ticked[-2:]:
        voice.finish()
        assert await voice.hear() == look("de").words.notice(last)
    voice.finish()


async def test_what_cant_wait_breaks_off_what_has_happened(speech: Speech, voice: Voice) -> None:
    speech._say(Utterance("this goes on and on", SpeechPriority.PASSING))
    assert await voice.hear() == "this goes on and on"
    speech._say(Utterance("Hacker!", SpeechPriority.URGENT))
    assert await voice.hear() == "Hacker!"
    voice.finish()
    assert voice.reported == []


async def test_what_cant_wait_lets_what_has_to_be_known_come_to_its_end(speech: Speech, voice: Voice) -> None:
    speech._say(Utterance("Tap each card once."))
    assert await voice.hear() == "Tap each card once."
    speech._say(Utterance("Hacker!", SpeechPriority.URGENT))
    voice.finish()
    assert await voice.hear() == "Hacker!"
    voice.finish()


async def test_a_refusal_says_what_and_why(speech: Speech, voice: Voice) -> None:
    said_at_once(SessionRig().tap("online#1", 2), speech)
    heard = await voice.hear()
    assert "Online" in heard
    assert "Platz 2" in heard
    voice.finish()


async def test_a_code_is_spoken_digit_by_digit(speech: Speech, voice: Voice) -> None:
    speech.show_code(Code("402917", 300 * US_PER_S, 300 * US_PER_S))
    speech.show_code(None)
    assert await voice.hear() == "Code für die Seite: 4, 0, 2, 9, 1, 7."
    voice.finish()


async def test_a_journal_that_is_stuck_is_spoken_of_once(speech: Speech, voice: Voice) -> None:
    for _ in range(3):
        speech.on_update(Update((), SessionRig().session, {}, "disk full", writable=False))
    assert (await voice.hear()).endswith("disk full")
    voice.finish()
    said_at_once(SessionRig().tap("online#1", 1), speech)
    assert await voice.hear() == "Platz 1 legt Online."
    voice.finish()


async def test_a_loudspeaker_that_cant_be_had_is_reported_and_tried_again(speech: Speech, voice: Voice) -> None:
    speech.open()
    for _ in range(3):
        assert await voice.hear() == ""
        voice.finish("error: No such file or directory")
    assert await voice.hear() == ""
    assert await voice.reports(1) == [PartFailed(0, "speech", "Unknown PCM nowhere")]
    voice.finish()
    assert await voice.reports(2) == [
        PartFailed(0, "speech", "Unknown PCM nowhere"),
        PartReturned(0, "speech"),
    ]


async def test_a_voice_that_comes_back_says_the_latest(speech: Speech, voice: Voice) -> None:
    speech.open()
    assert await voice.hear() == ""
    for text in ("one", "two", "three"):
        speech._say(Utterance(text))
    voice.finish("status 1")
    assert await voice.hear() == "three"
    voice.finish()
    assert await voice.reports(2) == [PartFailed(0, "speech", "status 1"), PartReturned(0, "speech")]


async def test_a_sentence_that_doesnt_come_to_an_end_is_ended(
    speech: Speech, voice: Voice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SENTENCE_TIMEOUT_S", 0.2)
    speech.open()
    assert await voice.reports(1) == [PartFailed(0, "speech", "espeak-ng doesn't come to an end")]


async def test_it_doesnt_speak_of_itself(speech: Speech, voice: Voice) -> None:
    evening = SessionRig()
    lost = (PartLost(0, "speech", "gone"), PartLost(0, "oled", "gone"))
    speech.on_update(an_update(lost, evening.session))
    assert await voice.hear() == look("de").words.notice(PartLost(0, "oled", "gone"))
    voice.finish()


async def test_at_the_end_it_falls_silent_at_once(speech: Speech, voice: Voice) -> None:
    speech._say(Utterance("a long sentence"))
    speech._say(Utterance("another"))
    assert await voice.hear() == "a long sentence"
    process = speech._process
    assert process is not None
    await speech.close()
    assert process.returncode is not None


async def test_a_program_that_isnt_there_is_reported(
    speech: Speech, voice: Voice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "espeak-ng").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    speech.open()
    assert await voice.reports(1) == [PartFailed(0, "speech", "there is no espeak-ng")]


async def test_a_table_with_a_loudspeaker_says_what_happens(tmp_path: Path, voice: Voice) -> None:
    config = replace(a_table(tmp_path), speech=SpeechParts())
    async with running_table(config) as table:
        assert await voice.hear() == ""
        voice.finish()
        table.put("online#1", 1)
        assert await voice.hear() == "Platz 1 legt Online."
        table.daemon.devices.show_code(Code("402917", 300 * US_PER_S, 300 * US_PER_S))
        voice.finish()
        assert await voice.hear() == "Code für die Seite: 4, 0, 2, 9, 1, 7."
        voice.finish()


@pytest.mark.parametrize(
    ("status", "wrote", "trouble"),
    [
        (0, "", None),
        (0, "ALSA lib pcm.c:8545:(snd_pcm_recover) underrun occurred\n", None),
        (0, "error: Device or resource busy\n", "Device or resource busy"),
        (
            1,
            "Error: The specified espeak-ng voice does not exist.\n",
            "Error: The specified espeak-ng voice does not exist.",
        ),
        (127, "", "status 127"),
    ],
)
def test_what_the_program_writes_says_whether_it_was_heard(status: int, wrote: str, trouble: str | None) -> None:
    assert error_in_output(status, wrote) == trouble


@pytest.mark.parametrize("explain", [False, True])
async def test_a_card_s_explanation_is_spoken_last_and_only_if_that_is_wanted(voice: Voice, explain: bool) -> None:
    words = Words("en", Vocabulary((package_of("cyber-siege"),), find_game("cyber-siege").pack("")))
    speech = Speech(SpeechParts(explain=explain), words, voice.report, lambda: 0)
    table, _ = open_table(find_game("cyber-siege"), GameOptions(2, "standard", {}, 1))
    events: list[TableEvent] = []
    for card in ("set-1#1", "1.3#1"):
        observation = CardTapped(1, card, 1)
        table, verdict = step(table, observation)
        events.append(Decision(observation, verdict, table))
    speech.on_update(an_update(events[1:], open_session(table, 2, 0, 1)))
    speech._say(Utterance("That was all."))
    heard: list[str] = []
    while "That was all." not in heard:
        heard.append(await voice.hear())
        voice.finish()
    laid = "Seat 1 lays Defence 1.3. Still missing: 1.1, 1.2, 1.4."
    explained = f"1.3 Password manager: {words.explanation('1.3')}"
    assert heard == [laid, *([explained] if explain else []), "That was all."]
    await speech.close()
