"""How decks look from the page: each with what it lacks, and what is being read at the discard pad. A tag's number is
in none of it. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from typing import Any

from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.table_desk import AtDesk
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import Deck, Lack, lacking
from taptable.memory.manifests import cards_for, controls_of
from taptable.words import Vocabulary, Words

Json = dict[str, Any]

FORM = "manifest"
"""The context of the words of a game's form."""


@dataclass(frozen=True, slots=True)
class DecksPart:
    """All decks, sorted by name; files that can't be used by theirs; and the games that there can be one for."""

    decks: tuple[Deck, ...]
    damaged: tuple[str, ...]
    in_use: str
    game: str

    def __call__(self, words: Words) -> Json:
        """With the names of cards and games."""
        return {
            "decks": [self._deck(deck, words) for deck in self.decks],
            "damaged": list(self.damaged),
            "game": self.game,
            "games": [
                {"game": name, "title": _title(name, words), "described": bool(game.sample)}
                for name, game in GAMES.items()
            ],
        }

    def _deck(self, deck: Deck, words: Words) -> Json:
        known = deck.game in GAMES  # another version may have had others
        lacks = lacking(cards_for(deck), set(deck.cards.values())) if known else ()
        controls = controls_of(deck.game)
        return {
            "name": deck.name,
            "game": deck.game,
            "title": _title(deck.game, words),
            "fits": deck.game == self.game,
            "known": known,
            "described": known and bool(find_game(deck.game).sample),
            "in_use": deck.name == self.in_use,
            "kinds": _kinds(lacks, words_for(deck, words)),
            "controls": sorted(set(deck.controls.values()), key=controls.index),
            "all_controls": _named(controls, words_for(deck, words)),
            "complete": bool(lacks) and not any(lack.missing for lack in lacks),
        }


def decks_part(playing: PlayingDeck) -> DecksPart:
    """The decks as they are now."""
    decks = playing.decks
    return DecksPart(
        tuple(map(decks.deck, decks.names())),
        tuple(sorted(file.removesuffix(".json") for file in decks.faults)),
        playing.in_use,
        playing.game,
    )


def form_of(game: str) -> Json:
    """How a game's manifest is filled in: single fields, and tables with a row for each kind; no field of it where a
    game brings no form along."""
    place = resources.files(package_of(game)).joinpath("manifest.json")
    return json.loads(place.read_text("utf-8")) if place.is_file() else {"fields": [], "tables": []}


def words_for(deck: Deck, words: Words) -> Words:
    """Words in the same language that know a deck's cards, whatever is played at the table."""
    if deck.game not in GAMES:
        return words
    return Words(words.language, Vocabulary((package_of(deck.game),), find_game(deck.game).pack(deck.manifest)))


@dataclass(frozen=True, slots=True)
class EnrolmentPart:
    """What is on at the discard pad, or was last."""

    at: AtDesk

    def __call__(self, words: Words) -> Json:
        """With what is wanted, and what was said last, in words."""
        began, said, own = self.at.began, self.at.said, words_for(self.at.deck, words)
        return {
            "deck": began.deck,
            "how": began.how,
            "by": began.by,
            "over": self.at.over,
            "wanted": said.wanted,
            "name": own.card(said.wanted) if said.wanted else "",
            "have": said.have,
            "need": said.need,
            "kinds": _kinds(self.at.lacks, own),
            "controls": _named(controls_of(self.at.deck.game), own),
            "at_us": said.at_us,
            "said": own.notice(said) if said.key else "",
            "mood": said.mood,
            "card": said.facts.get("card_id") or said.facts.get("card"),
            "undoable": self.at.undoable,
            "strangers": self.at.strangers,
        }


def _title(game: str, words: Words) -> str:
    """What people call a game."""
    own = Words(words.language, (package_of(game),)) if game in GAMES else words
    return own.message("game", "title") or game


def _kinds(lacks: Iterable[Lack], words: Words) -> list[Json]:
    """Each kind, how many cards there should be, and the numbers of those that aren't there."""
    return [
        {
            "kind": lack.kind,
            "name": words.kind(lack.kind),
            "need": lack.need,
            "missing": [int(card.partition("#")[2]) for card in lack.missing],
        }
        for lack in lacks
    ]


def _named(controls: Iterable[str], words: Words) -> list[Json]:
    return [{"control": control, "name": words.text("control", control)} for control in controls]
