"""Somebody's card at the table is seen, heard and told: a ring, a tone, a picture, a sentence in every language."""

from __future__ import annotations

import asyncio

import pytest
from cues.display_rig import look, same_pixels
from table.rig import GameNight
from taptable.core.cues import Sound
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.tag_notices import MemberCardSays, MemberSeen, MembersSeated, MemberTapEffect
from taptable.cues.cueing import passing_cues
from taptable.cues.scene import Refusal, Scene, render
from taptable.cues.speech import SpeechPriority, priority_of
from taptable.narration.sentences import narrate, spoken_text
from taptable.words import LANGUAGES, Vocabulary, Words

from topics.test_people import ADAS, Host

ID = "0f1e2d3c4b5a6978"
PEOPLE = {ID: "Ada"}


@pytest.mark.parametrize(
    ("how", "pad", "sound"),
    [
        (MemberTapEffect.SITS, 2, Sound.ACCEPTED),
        (MemberTapEffect.GETS_UP, DISCARD_PAD, Sound.ACCEPTED),
        (MemberTapEffect.NO_SEAT, DISCARD_PAD, Sound.IGNORED),
        (MemberTapEffect.GAME_BEGUN, 2, Sound.IGNORED),
    ],
)
def test_a_tap_is_answered_at_its_pad_and_never_as_a_refusal(how: MemberTapEffect, pad: Pad, sound: Sound) -> None:
    flashes, sounds = passing_cues([MemberSeen(0, ID, pad, how)])
    assert [(flash.pad, flash.ring) for flash in flashes] == [(pad, "accepted")]
    assert sounds == [sound]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", MemberTapEffect)
def test_it_is_a_sentence_by_name_and_by_none_once_nobody_knows_them(language: str, how: MemberTapEffect) -> None:
    seen = MemberSeen(0, ID, 2, how)
    (sentence,) = narrate(seen)
    assert "Ada" in spoken_text(sentence, Words(language, Vocabulary(member_names=PEOPLE)))
    stranger = Words(language)
    assert stranger.text("people", "somebody").casefold() in spoken_text(sentence, stranger).casefold()
    assert ID not in spoken_text(sentence, stranger)
    assert priority_of(sentence) is SpeechPriority.PASSING


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_people_at_the_seats_are_a_sentence_too_but_it_isnt_spoken_again(language: str) -> None:
    seated = MembersSeated(0, ("", ID))
    words = Words(language, Vocabulary(member_names=PEOPLE))
    assert f"Ada ({words.pad(2)})" in words.notice(seated)
    assert words.notice(MembersSeated(0, ("", ""))) != words.notice(seated)
    assert narrate(seated) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
        *("waiting", "enrolled", "stopped", "silence", "random-uid"),
        *("card-of-deck", "own-already", "others", "not-kept"),
    ],
)
def test_what_becomes_of_a_card_is_a_sentence_in_every_language(language: str, key: str) -> None:
    words = Words(language, Vocabulary(member_names={**PEOPLE, "1" * 16: "Bo"}))
    said = words.notice(MemberCardSays(0, ID, 0, key, {"deck": "family", "other": "1" * 16}))
    assert said.endswith(".")
    assert "{" not in said
    assert key not in said


@pytest.mark.table(3)
async def test_the_display_shows_who_sat_down(at: GameNight) -> None:
    ada = Host(at)
    await ada.enrols("Ada", ADAS)
    await asyncio.sleep(5.0)
    await ada.taps(ADAS, 2)
    now_us = at.daemon.clock.now_us()
    words = look("de").words
    said = Refusal(words.text("screen", "people"), "Ada sitzt auf Platz 2.", now_us + 1, icon="person")
    scene = Scene("", at.referee_table.game.scoreboard(at.state), refusal=said, last_activity_us=now_us)
    assert same_pixels(at.table.picture(), render(scene, now_us, at.table.display.size, look("de")))


@pytest.mark.table(3)
async def test_whoever_is_deleted_is_on_the_display_no_longer(at: GameNight) -> None:
    ada = Host(at)
    member = await ada.enrols("Ada", ADAS)
    await asyncio.sleep(5.0)
    await ada.taps(ADAS, 2)
    await ada.ask("delete-member", member=member)
    await asyncio.sleep(0.2)
    now_us = at.daemon.clock.now_us()
    scene = Scene("", at.referee_table.game.scoreboard(at.state), last_activity_us=now_us)
    assert same_pixels(at.table.picture(), render(scene, now_us, at.table.display.size, look("de")))


@pytest.mark.table(3)
async def test_the_displays_sentences_have_names(at: GameNight) -> None:
    ada = Host(at)
    await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    presenter = at.daemon.devices.presenter
    assert presenter is not None
    assert presenter._words.vocabulary.names == ("Ada", "", "")
