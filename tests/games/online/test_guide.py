"""The guide: words for every section in every language, and every kind of card somewhere in it."""

from __future__ import annotations

import string

import pytest
from taptable.games.registry import find_game
from taptable.words import LANGUAGES, Words

from games.online.table import DECK

GUIDE = find_game("online").guide


def test_it_shows_every_kind_of_the_deck_and_no_others():
    assert {kind for section in GUIDE for kind in section} == set(DECK)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_words_for_its_sections_and_no_more(language: str):
    words = Words(language, ("taptable.games.online",))
    for section in range(1, len(GUIDE) + 1):
        assert words.message("guide", f"guide-{section}-title")
        assert words.message("guide", f"guide-{section}-text")
    assert words.message("guide", f"guide-{len(GUIDE) + 1}-title") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_aim_names_all_quotas_and_nothing_else_is_left_open(language: str):
    words = Words(language, ("taptable.games.online",))
    texts = [words.message("guide", f"guide-{section}-text") or "" for section in range(1, len(GUIDE) + 1)]
    opened = [{field for _, field, _, _ in string.Formatter().parse(text) if field} for text in texts]
    assert opened == [{"email", "music", "game", "movie"}, *[set()] * (len(GUIDE) - 1)]
