"""Decks as parts of the page: each with the cards that it lacks, and the enrolment or check at the discard pad. Pure.
No part contains the UID of a tag."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, cast

from taptable.api.facts import DeckFacts, DecksFacts, EnrolmentFacts
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import Deck, Lack, card_set_for, controls_of, missing_by_kind
from taptable.words import Vocabulary, Words

Json = dict[str, Any]

FORM = "manifest"
"""The context of the words in a game's form for its manifest."""


@dataclass(frozen=True, slots=True)
class DecksPart:
    """All decks, sorted by name; the files that can't be used, by name; and the games that can have a deck."""

    facts: DecksFacts

    def __call__(self, words: Words) -> Json:
        """Return the decks with the names of cards and games."""
        return {
            "decks": [self._deck(deck, words) for deck in self.facts.decks],
            "damaged": list(self.facts.damaged),
            "game": self.facts.game,
            "games": [
                {"game": name, "title": _title(name, words), "described": bool(game.sample)}
                for name, game in GAMES.items()
            ],
        }

    def _deck(self, facts: DeckFacts, words: Words) -> Json:
        deck = deck_without_tags(facts)
        known = deck.game in GAMES  # another version may have had other games
        lacks = missing_by_kind(card_set_for(deck), facts.cards) if known else ()
        controls = controls_of(deck.game)
        return {
            "name": deck.name,
            "game": deck.game,
            "title": _title(deck.game, words),
            "fits": deck.game == self.facts.game,
            "known": known,
            "described": known and bool(find_game(deck.game).sample),
            "in_use": deck.name == self.facts.in_use,
            "kinds": _kinds(lacks, words_for(deck, words)),
            "controls": sorted(facts.controls, key=controls.index),
            "all_controls": _control_names(controls, words_for(deck, words)),
            "complete": bool(lacks) and not any(lack.missing for lack in lacks),
        }


def deck_without_tags(facts: DeckFacts) -> Deck:
    """Return a deck of which only the description of its cards is known."""
    return Deck(facts.name, facts.game, manifest=facts.manifest)


def decks_for(facts: DecksFacts, game: str) -> tuple[str, ...]:
    """Return the names of the decks for a game."""
    return tuple(deck.name for deck in facts.decks if deck.game == game)


def form_of(game: str) -> Json:
    """Return the form for a game's manifest: single fields, and tables with a row for each kind. It is empty if the
    game has no form."""
    place = resources.files(package_of(game)).joinpath("manifest.json")
    return json.loads(place.read_text("utf-8")) if place.is_file() else {"fields": [], "tables": []}


def words_for(deck: Deck, words: Words) -> Words:
    """Return words in the same language that know a deck's cards, regardless of the present game."""
    if deck.game not in GAMES:
        return words
    return Words(words.language, Vocabulary((package_of(deck.game),), find_game(deck.game).pack(deck.manifest)))


@dataclass(frozen=True, slots=True)
class EnrolmentPart:
    """The enrolment or check at the discard pad, or the last one."""

    facts: EnrolmentFacts

    def __call__(self, words: Words) -> Json:
        """Return the state with the requested card and the last sentence in words."""
        began, own = self.facts.began, words_for(deck_without_tags(self.facts.deck), words)
        # words need tuples for lists of names, and JSON has none
        facts = {
            name: tuple(cast("list[object]", fact)) if isinstance(fact, list) else fact
            for name, fact in self.facts.said.facts.items()
        }
        notice = replace(self.facts.said, facts=facts)
        return {
            "deck": began.deck,
            "how": began.how,
            "by": began.by,
            "over": self.facts.over,
            "wanted": notice.wanted,
            "name": own.card(notice.wanted) if notice.wanted else "",
            "have": notice.have,
            "need": notice.need,
            "kinds": _kinds(self.facts.lacks, own),
            "controls": _control_names(controls_of(self.facts.deck.game), own),
            "at_us": notice.at_us,
            "said": own.notice(notice) if notice.key else "",
            "mood": notice.mood,
            "card": notice.facts.get("card_id") or notice.facts.get("card"),
            "undoable": self.facts.undoable,
            "strangers": self.facts.strangers,
        }


def _title(game: str, words: Words) -> str:
    """Return the title of a game."""
    own = Words(words.language, (package_of(game),)) if game in GAMES else words
    return own.message("game", "title") or game


def _kinds(lacks: Iterable[Lack], words: Words) -> list[Json]:
    """Return each kind with its number of cards, and the numbers of the missing ones."""
    return [
        {
            "kind": lack.kind,
            "name": words.kind(lack.kind),
            "need": lack.need,
            "missing": [int(card.partition("#")[2]) for card in lack.missing],
        }
        for lack in lacks
    ]


def _control_names(controls: Iterable[str], words: Words) -> list[Json]:
    return [{"control": control, "name": words.text("control", control)} for control in controls]
