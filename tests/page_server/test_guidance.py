"""The hint in one sentence: by kinds of cards at a table, by cards in the hand of a person at the demo; and the time at
which a refused card would count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from referee.session_rig import SessionRig
from taptable.core.observations import DISCARD_PAD, CardTapped, ControlUsed
from taptable.core.pack import Pack, PackKind
from taptable.core.verdicts import Refused
from taptable.games.registry import GAMES, find_game
from taptable.narration import guidance
from taptable.narration.sentences import narrate
from taptable.page.controls import LegalTapsPart
from taptable.page.view import LogItem
from taptable.referee.session import Session
from taptable.words import LANGUAGES, Words
from words.catalogues import sentences
from words.verdict_samples import all_objections

from page_server.test_controls import after, an_xnet_turn, words_of

SAYS_WHEN = {
    "online": {
        *("waiting-for-youngest", "window-open", "hack-pending", "exchange-begun", "draw-pile-used-up", "hand-used-up"),
        *("hack-own-row", "hack-backed-up", "hack-not-under-hacker", "hack-no-patrol", "hack-top-only"),
        *("hack-never-for-oneself", "hack-line-not-up"),
        *("gift-line-not-up", "gift-memory-not-open", "gift-row-backed-up"),
        *("patrol-locked-out", "patrol-by-hacker", "patrol-by-team-mate", "patrol-too-late", "patrol-without-hacker"),
        *("searched-not-discarded", "line-up-again", "memory-open-again", "put-right-already", "row-not-attacked"),
        *("category-on-other-pad", "hacker-on-other-pad", "search-on-other-pad"),
        *("line-already-open", "line-has-password-error", "line-has-virus"),
        *("turbo-already-there", "turbo-password-error", "turbo-virus"),
        *("memory-already-open", "line-not-up", "memory-not-open", "card-lost", "game-over", "nobody-plays-there"),
    },
    "cyber-siege": {
        *("game-over", "no-starter", "launch-open", "defence-awaited", "no-defence", "hand-used-up", "discard-owed"),
        *("reshuffle-due", "set-open", "set-card-first"),
    },
    "xnet": {
        *("game-over", "no-starter", "reshuffle-due", "demand-first", "hand-used-up", "choose-first", "action-open"),
        *("one-topic", "wrong-topic", "servers-full", "needs-specialist", "x-marked", "not-neighbours"),
        *("no-empty-streamer", "not-on-server", "has-specialist", "no-specialist-left", "not-yours", "over-ten"),
    },
}
"""Refusals of cards whose sentence says itself when the card would count, or that it never would."""
NOT_OF_CARDS = {
    "online": {"lost-with-empty-pile", "counts-too-high", "lies-in-no-row"},
    "cyber-siege": {"no-reshuffle-due", "nothing-to-spare", "no-correction", "lies-in-no-row"},
    "xnet": {
        *("one-a-turn", "level-full", "net-full", "no-such-topic", "enough-servers", "has-streamer", "largest-net"),
        *("too-few-cards", "must-offer", "no-reshuffle-due", "demand-stays", "counts-too-high"),
    },
}
"""Refusals of something else than a card."""
PACK = Pack("few", tuple(PackKind(*kind) for kind in (("a", 1, "f"), ("b", 1, "f"), ("c", 1), ("d", 1))))


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_card_says_when_it_would_count_or_has_a_sentence_that_does(game: str) -> None:
    package = type(find_game(game)).__module__.rpartition(".")[0]
    own = {key.partition(" ")[0] for context, key in sentences(package, "en") if context == "verdict-when"}
    assert not own & (SAYS_WHEN[game] | NOT_OF_CARDS[game])
    assert own | SAYS_WHEN[game] | NOT_OF_CARDS[game] == set(find_game(game).codes.refusals)


@pytest.mark.parametrize("game", GAMES)
def test_what_refuses_no_card_is_none_of_these(game: str) -> None:
    assert {
        each.code for each in all_objections(game) if isinstance(each, Refused) and "card" in each.facts
    }.isdisjoint(NOT_OF_CARDS[game] - {"lies-in-no-row", "demand-stays", "lost-with-empty-pile"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_time_at_which_it_would_count_is_shown_with_the_facts_there_are(game: str, language: str) -> None:
    words = words_of(game, language)
    said = {words.when_allowed(each) for each in all_objections(game)}
    assert len(said) > 1
    assert not any("{" in sentence for sentence in said)


def test_a_refusal_in_the_log_says_when_the_card_would_count() -> None:
    rig = SessionRig(2)
    rig.tap("antivirus#1", 1)
    told = next(each for event in reversed(rig.events) for each in narrate(event))
    assert LogItem(told)(words_of("online"))["when"] == "Anti-virus counts once a Virus blocks that line."


def _sentence(session: Session, game: str, language: str = "en") -> str:
    return LegalTapsPart(session)(words_of(game, language))["sentence"]


def test_at_a_table_the_sentence_names_kinds_pads_and_the_button() -> None:
    assert _sentence(SessionRig(2).session, "online") == (
        "Tap Online, Turbo-Line … on their own pad, or any card on the discard pad; the button ends the turn."
    )
    assert _sentence(after("cyber-siege", 2), "cyber-siege") == (
        "Tap any set card on their own pad, or any red card on the discard pad."
    )
    assert _sentence(an_xnet_turn(), "xnet") == (
        "Tap Art, Music … on their own pad, or begin an action; the button ends the turn."
    )


def test_the_cards_that_count_at_other_seats_are_published_once() -> None:
    evening = SessionRig(4).tap("online#1", 1).press(1)
    assert _sentence(evening.session, "online") == (
        "Tap Online, Turbo-Line … on their own pad, Virus … at others’ seats, or any card on the discard pad; "
        "the button ends the turn."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_shown_in_every_language(language: str) -> None:
    for session, game in ((SessionRig(2).session, "online"), (an_xnet_turn(), "xnet")):
        said = _sentence(session, game, language)
        assert said.endswith(".")
        assert "{" not in said
        assert "guided" not in said


def test_the_game_itself_says_what_it_waits_for() -> None:
    assert _sentence(an_xnet_turn(ControlUsed(9, "buy-server")), "xnet") == ""
    assert _sentence(after("cyber-siege", 2, CardTapped(1, "set-1#1", 1)), "cyber-siege") == ""


def _ways(taps: Sequence[tuple[str, int | str]]) -> list[guidance.Way]:
    return guidance.ways_of(taps, ["a", "b", "c", "d"], (1, 2, DISCARD_PAD), PACK)


def test_kinds_that_share_a_face_are_one_where_all_of_them_count() -> None:
    (both, one) = _ways([("a#1", 1), ("b#1", 1), ("c#1", 1), ("a#1", 2), ("c#1", 2)])
    assert (both.display_kinds, one.display_kinds) == (("f", "c"), ("a", "c"))
    assert not both.is_every_kind


def test_many_names_are_none_and_all_cards_are_any() -> None:
    words = Words("en")
    (way,) = _ways([(f"{kind}#1", DISCARD_PAD) for kind in "abcd"])
    assert way.names_text(words, 2) is None
    assert way.names_text(words, 3) == "f, c or d"
    assert way.any_card_text(words) == "any card"
    (most,) = _ways([(f"{kind}#1", DISCARD_PAD) for kind in "acd"])
    assert (most.any_card_text(words), most.some_cards_text(words, 1)) == (None, "a card")
    (few,) = _ways([("a#1", 1), ("c#1", 1)])
    assert few.some_cards_text(words, 1) == "a …"
