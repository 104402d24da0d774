"""The catalogues: complete, compiled, and set as each language sets its sentences."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from taptable.words import LANGUAGES

from words.conftest import sentences

ROOT = Path(__file__).parents[2]


def test_they_are_complete_in_all_languages_and_compiled():
    check = subprocess.run([ROOT / "scripts" / "catalogues", "check"], capture_output=True, text=True, timeout=60)
    assert check.returncode == 0, check.stdout + check.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_typewriter_quotes_or_spaces_to_spare(language: str):
    wrong = re.compile(r"['\"`]|  |^ | $")
    assert [text for text in sentences(language).values() if wrong.search(text)] == []


def test_french_keeps_its_double_signs_on_the_line():
    loose = re.compile(r"[^\u00a0\u202f…\d][:;!?](?!\S)")
    assert [text for text in sentences("fr").values() if loose.search(text)] == []
