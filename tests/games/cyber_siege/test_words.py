"""What is said of a game, in four languages: whole sentences that fit on the display, and a guide."""

from __future__ import annotations

import json
import re
import string
from functools import cache

import pytest
from taptable.core.announcements import Announcement
from taptable.core.observations import CardTapped
from taptable.core.sentences import Sentences
from taptable.core.verdicts import Accepted, Verdict
from taptable.edges.cues.fonts import font
from taptable.edges.cues.layout import set_text
from taptable.edges.cues.measures import LINE, SMALL
from taptable.games.cyber_siege import announcements as said
from taptable.games.registry import find_game
from taptable.referee.lines import announcement_line
from taptable.referee.step import step
from taptable.words import LANGUAGES, Vocabulary, Words

from games.cyber_siege.table import manifest
from games.cyber_siege.test_judging import CASES

GAME = find_game("cyber-siege")
PACKAGE = ("taptable.games.cyber_siege",)

SAID: list[Announcement] = [
    said.TurnStarted(1),
    *(said.CardDrawn(4, "red", number) for number in (1, 4)),
    said.CardDrawn(4, "purple", 1),
    said.CardDrawn(4, "discard", 1),
    said.CardLaid(1, "set-1#1"),
    *(said.SetLaid(3, "set-4#1", points) for points in (1, 4)),
    said.SetTakenBack(2, ("set-1#1", "admin#1")),
    said.CardDiscarded(1, "4.3#1"),
    said.LaunchOffered(1, "4.2#1", 5_000_000),
    said.Spared(1, "4.2#1"),
    said.WindowOpened(1, 15_000_000, 2, "4.2#1"),
    said.Defended(2, 1, "4.3#1"),
    *(
        said.Hit(4, 3, "4.2#1", effect, 2)
        for effect in ("none", "skip", "draw-fewer", "discard", "lose-points", "text")
    ),
    said.EffectText(3, Sentences((("de", "Zeig eine Karte."), ("en", "Show a card.")))),
    said.ReshuffleDue(),
    *(said.Reshuffled(number) for number in (1, 60)),
    said.Corrected(4, 12, 3, 10),
    said.TablePutRight(("set-1#1",), (), 30, 12),
    *(said.GameOver((1, 3), by) for by in ("points", "purple", "agreement")),
]


def words_of(language: str) -> Words:
    return Words(language, Vocabulary(PACKAGE, GAME.pack("")))


def is_whole(sentence: str) -> bool:
    return re.fullmatch(r"[A-ZÀ-Ý][^{}#_]*[.!?]", sentence) is not None and not re.search("None|  ", sentence)


@cache
def objections() -> tuple[Verdict, ...]:
    """A verdict for every code."""
    found: dict[str, Verdict] = {}
    for begin, card, pad, code in CASES:
        if code not in found:
            game = begin()
            _, found[code] = step(game.front.table, CardTapped(round(game.now * 1e6), game.find(card), pad))
    facts = {"card": "4.3#1", "pad": 1}
    for code, _, kind in GAME.codes:
        found.setdefault(code, kind("", code, facts))
    return tuple(found.values())


def test_there_is_one_of_every_announcement():
    assert {type(each) for each in SAID} == set(GAME.announcements)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_announcement_is_a_whole_sentence(language: str):
    sentences = [words_of(language).announcement(each) for each in SAID]
    assert [sentence for sentence in sentences if not is_whole(sentence)] == []
    told = [words_of(language).announcement(each, later=True) for each in SAID]
    assert [sentence for sentence in told if not is_whole(sentence)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_scoreboard_spells_out_stands_whole_along_its_bottom(language: str):
    sentences = [words_of(language).announcement(each) for each in SAID if each.written]
    assert len(sentences) > 8
    assert [each for each in sentences if not set_text(each, [SMALL], 128 - 4, 2 * LINE + 1).whole] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_objection_is_a_whole_sentence_that_stands_on_the_display(language: str):
    words = words_of(language)
    assert {verdict.code for verdict in objections() if not isinstance(verdict, Accepted)} == {
        code for code, _, _ in GAME.codes
    }
    sentences = [words.verdict(verdict) for verdict in objections()]
    assert [sentence for sentence in sentences if not is_whole(sentence)] == []
    assert [each for each in sentences if not set_text(each, [font("small")], 128, 43).whole] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_it_counts_holds_and_waits_for_has_a_name(language: str):
    words = words_of(language)
    names = [
        *(("setting", key) for key in GAME.settings),
        *(("figure", figure.key) for figure in GAME.figures),
        *(("control", control.name) for control in GAME.controls),
        *(("meaning", meaning) for meaning in ("youngest", "launch", "take-hit", "break-off", "stop")),
        *(("count-of", name) for name in ("red", "purple", "red-pile", "purple-pile", "sets", "one-points")),
        *(("place", place) for place in ("hand", "sets", "laying", "discard-pile")),
        *((context, pending) for context in ("now", "can") for pending in ("set", "launch", "discard", "reshuffle")),
        *((context, f"window kind={kind}") for context in ("now", "can") for kind in ("launch", "defence")),
        *(("agreement", key) for key in ("players", "too-few-red", "too-few-sets")),
        ("pad", "discard"),
        ("edition", "standard"),
    ]
    assert [name for name in names if words.message(*name) is None] == []


def test_an_effects_sentence_is_an_object_in_the_journal_and_a_text_in_an_answer():
    text = said.EffectText(1, Sentences((("de", "Los!"), ("en", "Go!"))))
    assert announcement_line(text)["say"] == {"de": "Los!", "en": "Go!"}
    assert announcement_line(text, "nl")["say"] == "Go!"


def test_cards_of_a_manifest_have_the_names_printed_on_them():
    pack = GAME.pack(json.dumps(manifest()))
    words = Words("de", Vocabulary(PACKAGE, pack))
    assert words.announcement(said.CardDiscarded(1, "1.3#2")) == "Platz 1 wirft 1.3 Dam ab."
    assert words.announcement(said.CardDiscarded(1, "2.3#2")) == "Platz 1 wirft Verteidigung 2.3 ab."


# the guide


def test_the_guide_shows_every_face():
    assert {face for section in GAME.guide for face in section} == {kind.face for kind in GAME.pack("").kinds}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_has_words_for_its_sections_and_no_more(language: str):
    words = words_of(language)
    assert words.message("guide", "aim")
    opened: set[str] = set()
    for section in range(1, len(GAME.guide) + 1):
        assert words.message("guide", f"guide-{section}-title")
        text = words.message("guide", f"guide-{section}-text") or ""
        opened |= {field for _, field, _, _ in string.Formatter().parse(text) if field}
    assert words.message("guide", f"guide-{len(GAME.guide) + 1}-title") is None
    assert opened == {"target_points", "launch_s", "defence_s"}
