"""How decks look from the page: each with what it lacks, and what is being read at the discard pad. A tag's number is
in none of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from taptable.core.errors import ConfigError
from taptable.daemon.agreement import card_set_of
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.table_desk import AtDesk
from taptable.memory.deck import CONTROLS, Deck, Lack, lacking
from taptable.words import Words

Json = dict[str, Any]


def decks_part(playing: PlayingDeck, game: str) -> Json:
    """All decks, sorted by name; files that can't be used by theirs; and which controls there are."""
    decks = playing.decks
    return {
        "decks": [_deck(decks.deck(name), playing.in_use, game) for name in decks.names()],
        "damaged": sorted(file.removesuffix(".json") for file in decks.faults),
        "kinds": [{"kind": kind, "need": need} for kind, need in card_set_of(game).kinds],
        "controls": list(CONTROLS),
    }


@dataclass(frozen=True, slots=True)
class EnrolmentPart:
    """What is on at the discard pad, or was last."""

    at: AtDesk

    def __call__(self, words: Words) -> Json:
        """With what is wanted, and what was said last, in words."""
        began, said = self.at.began, self.at.said
        return {
            "deck": began.deck,
            "how": began.how,
            "by": began.by,
            "over": self.at.over,
            "wanted": said.wanted,
            "name": words.card(said.wanted) if said.wanted else "",
            "have": said.have,
            "need": said.need,
            "kinds": _kinds(self.at.lacks),
            "at_us": said.at_us,
            "said": words.notice(said) if said.key else "",
            "mood": said.mood,
            "card": said.facts.get("card_id") or said.facts.get("card"),
            "undoable": self.at.undoable,
            "strangers": self.at.strangers,
        }


def _deck(deck: Deck, in_use: str, game: str) -> Json:
    try:
        card_set = card_set_of(deck.game)
    except ConfigError:  # of a game that this version hasn't got
        lacks: tuple[Lack, ...] = ()
    else:
        lacks = lacking(card_set, set(deck.cards.values()))
    return {
        "name": deck.name,
        "game": deck.game,
        "fits": deck.game == game,
        "in_use": deck.name == in_use,
        "kinds": _kinds(lacks),
        "controls": sorted(set(deck.controls.values()), key=CONTROLS.index),
        "complete": bool(lacks) and not any(lack.missing for lack in lacks),
    }


def _kinds(lacks: Iterable[Lack]) -> list[Json]:
    """Each kind, how many cards there should be, and the numbers of those that aren't there."""
    return [
        {
            "kind": lack.kind,
            "need": lack.need,
            "missing": [int(card.partition("#")[2]) for card in lack.missing],
        }
        for lack in lacks
    ]
