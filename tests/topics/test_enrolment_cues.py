"""While cards are read for a deck, every tag gets light at all seats, a tone and a picture of its own, at the simulated
hardware; and nothing else has a meaning."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest
from cues.display_rig import look, same_pixels
from gpiozero.tones import Tone
from table.rig import GameNight
from taptable.core.cues import Sound
from taptable.core.observations import DISCARD_PAD
from taptable.core.tag_notices import DiscardPadTaken, EnrolmentBegan, EnrolmentMode, EnrolmentSays, TagFeedback
from taptable.cues.prompts import Enrolment
from taptable.cues.scene import Scene, render
from taptable.drivers.gpio.outputs import TUNES
from taptable.narration.now import now_of
from taptable.narration.sentences import narrate, spoken_text
from taptable.words import LANGUAGES, Words

from topics.enroller import Enroller, box
from topics.page_user import ENGLISH

SETTLED_S = 1.0
STEP_S = 0.005
pytestmark = [pytest.mark.table(3), pytest.mark.usefixtures("ada")]


@pytest.fixture
async def ada(at: GameNight) -> Enroller:
    """Somebody who has begun to enrol a deck."""
    ada = Enroller(at)
    await ada.ask("enrol", deck="family")
    await asyncio.sleep(SETTLED_S)
    return ada


def pitches(heard: list[float | None]) -> list[float]:
    """The tones, one after the other."""
    return [now for before, now in pairwise([None, *heard]) if now is not None and now != before]


@pytest.mark.parametrize(
    ("twice", "ring", "sound"), [(False, "accepted", Sound.ACCEPTED), (True, "refused", Sound.REFUSED)]
)
async def test_each_tag_has_a_light_at_every_seat_and_a_tone(
    twice: bool, ring: str, sound: Sound, at: GameNight, ada: Enroller
) -> None:
    tag = next(iter(box().cards))
    if twice:
        await ada.taps(tag)
        await asyncio.sleep(2.0)
    at.table.put(tag, DISCARD_PAD)
    rings: list[list[str]] = []
    lamps: list[list[bool]] = []
    heard: list[float | None] = []
    for _ in range(120):
        await asyncio.sleep(STEP_S)
        rings.append([at.table.ring_pattern(seat) for seat in (1, 2, 3)])
        lamps.append([at.table.is_lamp_lit(seat) for seat in (1, 2, 3)])
        heard.append(at.table.tone_hz())
    assert rings[-1] == [ring] * 3
    assert all(len(set(shown)) == 2 for shown in zip(*lamps, strict=True))
    notes = [Tone(note).frequency for note, _ in TUNES[sound].notes if note is not None]
    assert pitches(heard)[-len(notes) :] == pytest.approx(notes, rel=0.02)
    await asyncio.sleep(2.0)
    assert [at.table.ring_pattern(seat) for seat in (1, 2, 3)] == ["paused"] * 3
    assert not any(at.table.is_lamp_lit(seat) for seat in (1, 2, 3))


async def test_the_display_shows_what_is_wanted_and_what_was_wrong(at: GameNight, ada: Enroller) -> None:
    tags = list(box().cards)
    words = look("de").words

    def shows(screen: Enrolment) -> bool:
        now_us = at.daemon.clock.now_us()
        scene = Scene("", at.referee_table.game.scoreboard(at.state), enrolment=screen, last_activity_us=now_us)
        return same_pixels(at.table.picture(), render(scene, now_us, at.table.display.size, look("de")))

    wanted = Enrolment("family aufnehmen", "Online", "online", 0, 13)
    assert shows(wanted)
    await ada.taps(tags[0])
    assert shows(replace(wanted, have=1))
    await ada.taps(tags[0])
    assert shows(replace(wanted, have=1, problem=words.text("deck", "double", {"card_id": "online#1"})))
    await ada.taps(tags[1])
    assert shows(replace(wanted, have=2))
    await ada.ask("enrol-stop")
    await asyncio.sleep(0.5)
    assert not shows(replace(wanted, have=2))


async def test_taps_and_presses_at_the_seats_are_answered(at: GameNight) -> None:
    at.put("online#1", 2)
    rings: list[str] = []
    for _ in range(100):
        await asyncio.sleep(STEP_S)
        rings.append(at.table.ring_pattern(2))
    at.lift("online#1", 2)
    assert rings[-1] == "refused"
    await asyncio.sleep(2.0)
    at.table.press(3)
    await asyncio.sleep(0.5)
    assert [said.pad for said in at.all_told(DiscardPadTaken)] == [2, 3]
    assert at.table.stand_in("board").boards[2]._conversation.outbox.pending == []


async def test_what_was_refused_is_in_the_log_and_spoken_and_what_was_not_is_not(at: GameNight, ada: Enroller) -> None:
    tag = next(iter(box().cards))
    await ada.taps(tag)
    await ada.taps(tag)
    told_of = [each for said in at.all_told(EnrolmentSays) for each in narrate(said)]
    assert [spoken_text(each, ENGLISH) for each in told_of] == ["That is Online 1 already."]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_its_request_is_shown_in_every_language(language: str, at: GameNight) -> None:
    words = Words(language, ("taptable.games.online",))
    now = now_of(at.session, at.referee_table.game.scoreboard(at.state))
    assert "family" in now.title(words)
    assert now.detail(words).endswith(".")
    (began,) = at.all_told(EnrolmentBegan)
    assert "family" in words.notice(began)
    said = EnrolmentSays(
        0, "family", EnrolmentMode.ENROL, "email", 1, 22, "double", {"card_id": "email#1"}, TagFeedback.REFUSED
    )
    assert "E-" in words.notice(said)
