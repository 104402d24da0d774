"""The table's sentences in the real espeak-ng: it has a voice for each language, and reads numbers and units as people
do."""

from __future__ import annotations

import re
import shutil
import subprocess
import wave
from pathlib import Path

import pytest
from display_rig import look
from taptable.config import SpeechParts
from taptable.core.announcements import ClaimGiven
from taptable.cues.speech import PROGRAM, VOICES, command, error_in_output, with_spoken_units
from taptable.doctor import computer
from taptable.games.online.announcements import AttackLaid, CardDownloaded
from taptable.words import LANGUAGES

pytestmark = pytest.mark.skipif(
    shutil.which(PROGRAM) is None, reason=f"there is no {PROGRAM}: scripts/packages {PROGRAM}:{PROGRAM} gets it"
)

PARTS = SpeechParts()
TWENTY_FIVE = {"de": "fynfʊnttsvantsɪç", "en": "twɛntifaɪv", "fr": "vɛ̃tsɛ̃k", "nl": "vɛɪfɛntʋɪntəx"}
"""As it sounds, without its stresses."""


def run(language: str, sentence: str, *options: str, environment: dict[str, str] | None = None) -> str:
    """The program's output when it is called as the table calls it."""
    ran = subprocess.run(
        [*command(language, PARTS), *options],
        input=with_spoken_units(sentence, look(language).words).encode(),
        capture_output=True,
        env=environment,
        check=False,
    )
    assert error_in_output(ran.returncode, ran.stderr.decode()) is None, ran.stderr
    return ran.stdout.decode()


def sounds(language: str, sentence: str) -> str:
    return run(language, sentence, "-q", "--ipa")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_the_table_has_a_voice_that_speaks(language: str, tmp_path: Path) -> None:
    said = look(language).words.announcement(AttackLaid(2, "virus#1", 1))
    run(language, said, "-w", str(tmp_path / "said.wav"))
    with wave.open(str(tmp_path / "said.wav")) as sound:
        assert 1.5 < sound.getnframes() / sound.getframerate() < 6


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_and_its_unit_are_read_as_people_say_them(language: str) -> None:
    words = look(language).words
    said = words.announcement(CardDownloaded(2, "movie#1", 2, 25))
    assert "25" in said
    unit = words.text("spoken", "MB")
    assert unit in with_spoken_units(said, words)
    assert TWENTY_FIVE[language] in re.sub(r"[ˈˌ\s]", "", sounds(language, said))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_margin_is_read_with_its_decimals_and_without_a_sign(language: str) -> None:
    words = look(language).words
    said = with_spoken_units(words.announcement(ClaimGiven(3, 0, (), 4_200, 100)), words)
    assert words.text("spoken", "ms") in said
    assert words.text("spoken", "±") in said
    assert "±" not in said
    assert not said.endswith(" ms")


@pytest.mark.parametrize("language", LANGUAGES)
def test_digits_one_by_one_are_no_number(language: str) -> None:
    assert sounds(language, "4, 0, 2.").split() != sounds(language, "402.").split()


def test_letters_beyond_ascii_are_understood_whatever_the_locale() -> None:
    plain = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    assert run("de", "zurück, Größe", "-q", "--ipa", environment=plain) == sounds("de", "zurück, Größe")
    assert sounds("de", "zurück") != sounds("de", "zuruck")


def test_every_voice_is_one_that_the_program_has() -> None:
    for voice in VOICES.values():
        listed = subprocess.run([PROGRAM, f"--voices={voice}"], capture_output=True, text=True, check=True).stdout
        assert f" {voice} " in listed


def test_a_loudspeaker_that_isnt_there_is_found_out_by_saying_nothing() -> None:
    ran = computer.run(command("de", SpeechParts("nowhere")))
    assert ran is not None
    assert error_in_output(ran.status, ran.stderr) is not None
