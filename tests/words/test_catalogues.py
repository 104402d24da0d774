"""The catalogues: complete, compiled, and typeset as each language requires."""

from __future__ import annotations

import re
import subprocess
from gettext import GNUTranslations
from itertools import product
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.words import LANGUAGES

from words.catalogues import PACKAGES, sentences

ROOT = Path(__file__).parents[2]


def test_they_are_complete_in_all_languages_and_compiled():
    check = subprocess.run(
        [ROOT / "scripts" / "catalogues", "check"], capture_output=True, text=True, timeout=DEADLINE_S
    )
    assert check.returncode == 0, check.stdout + check.stderr


def test_a_message_that_is_added_is_compiled_and_set_as_its_language_sets_it(tmp_path: Path):
    sentences = {"en": "It's {card}.", "de": "Das ist {card}.", "fr": "C'est {card} !", "nl": "Dat is {card}."}
    for words in (dict.fromkeys(LANGUAGES, "…"), sentences):
        options = [option for language, sentence in words.items() for option in (f"--{language}", sentence)]
        add = [ROOT / "scripts" / "catalogues", "add", "card", "red", *options, "--folder", tmp_path]
        subprocess.run(add, check=True, timeout=DEADLINE_S)
    compiled = {language: in_a_file(tmp_path / "catalogues" / f"{language}.mo") for language in LANGUAGES}
    assert compiled == {**sentences, "en": "It’s {card}.", "fr": "C’est {card}\u00a0!"}


def in_a_file(file: Path) -> str:
    with file.open("rb") as opened:
        return GNUTranslations(opened).pgettext("card", "red")


def test_no_sentence_has_typewriter_quotes_or_spaces_to_spare():
    wrong = re.compile(r"['\"`]|  |^ | $")
    for package, language in product(PACKAGES, LANGUAGES):
        texts = sentences(package, language).values()
        assert [text for text in texts if wrong.search(text)] == [], (package, language)


OF_TEAMS = {
    ("page", "correct-leave-mate-more"),
    ("setting", "teams=two"),
    ("agreement", "two-players"),
    ("guide", "guide-2-text"),
}
"""Sentences that are only used where several seats form a team, or that are about forming one."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("package", PACKAGES)
def test_no_sentence_speaks_of_teams_that_is_used_where_everybody_plays_alone_too(package: str, language: str):
    team = re.compile(r"\bteam|équip", re.IGNORECASE)
    texts = {key: re.sub(r"{\w+}", "", text) for key, text in sentences(package, language).items()}
    assert {key for key, text in texts.items() if team.search(text)} <= OF_TEAMS


def test_french_keeps_its_double_signs_on_the_line():
    loose = re.compile(r"[^\u00a0\u202f…\d][:;!?](?!\S)")
    for package in PACKAGES:
        assert [text for text in sentences(package, "fr").values() if loose.search(text)] == [], package


OF_THE_BUTTON = (("page", "start-step-2"), ("guide", "table-2-text"))
BUZZED = {"en": "buzz", "de": "buzz", "fr": "buzzer|intervenir", "nl": "buzz"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_welcome_and_the_guide_tell_of_the_button_of_their_own_game(language: str):
    assert [key for key in OF_THE_BUTTON if re.search(BUZZED[language], sentences("taptable", language)[key])] == []
    for key in OF_THE_BUTTON:
        told = {package: sentences(package, language)[key] for package in PACKAGES}
        assert len(set(told.values())) == len(PACKAGES)
        buzzing = [package for package, text in told.items() if re.search(BUZZED[language], text)]
        assert buzzing == [package for package in PACKAGES if ("meaning", "buzz") in sentences(package, language)]


OF_DEMANDS_REPLACED = (
    *(("control", "demand-replace"), ("control-card", "demand-replace"), ("now", "demand-replace")),
    *(("can", "demand-replace needs=topic"), ("screen", "pending-demand-replace needs=topic")),
    *(("figure", "demands-replaced"), ("simulate", "demand-replaced"), ("verdict", "x-marked")),
    ("guide", "guide-7-text"),
)
REPLACED = {
    "en": r"(replac.* (a )?demand|demands? .*replaced)",
    "de": r"(nachfragen? ersetz|ersetzt eine nachfrage|nachfrage wird ersetzt)",
    "fr": r"(remplac\w* (: quelle |une |cette )?demande|demandes? (est )?remplacée)",
    "nl": r"(vervang\w* (een |deze )?vraag|(vraag|vragen) (wordt )?vervang)",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_in_x_net_every_sentence_says_that_a_demand_is_replaced(language: str):
    told = {key: sentences("taptable.games.xnet", language)[key].replace("\u00a0", " ") for key in OF_DEMANDS_REPLACED}
    assert {key: text for key, text in told.items() if not re.search(REPLACED[language], text.lower())} == {}
