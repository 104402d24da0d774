"""The words of Cyber Siege's tests in addition to those of every game. This module knows no rule except how to bring a
card to its place."""

from __future__ import annotations

import json
from typing import Any

from taptable.games.registry import find_game
from taptable.words import Vocabulary, Words

from games.table import Answer, Played

COPIES = {"1": (5, 4, 5, 4), "2": (5, 4, 5, 4), "3": (5, 4, 5, 4), "4": (4, 4, 4, 4)}
DECK = {
    **{f"set-{number}": 5 for number in COPIES},
    **{f"{number}.{index}": count for number, counts in COPIES.items() for index, count in enumerate(counts, 1)},
    "admin": 4,
}
"""The sample deck, counted from the rules page."""
RED, PURPLE = 74, 20


def manifest(**changes: Any) -> dict[str, Any]:
    """Return a small deck: two sets of two cards, with a `text` attack and a name that occurs in a set twice."""
    return {
        "game": "cyber-siege",
        "name": "small",
        "admins": 2,
        "sets": {"1": {"copies": 6, "cards": ["1.1", "1.3"]}, "2": {"copies": 6, "cards": ["2.3", "2.3"]}},
        "red": {
            "1.1": {"kind": "attack", "copies": 10, "title": "Flood", "icon": {"effect": "none"}},
            "1.3": {"kind": "defence", "copies": 10, "title": "Dam"},
            "2.1": {"kind": "attack", "copies": 5, "icon": {"effect": "none"}},
            "2.3": {"kind": "defence", "copies": 10},
        },
        **changes,
    }


def with_icon(icon: dict[str, Any]) -> dict[str, Any]:
    """Return the small deck in which `1.1` has this icon."""
    plain = manifest()
    plain["red"]["1.1"]["icon"] = icon
    return plain


class Game(Played):
    """A game of Cyber Siege in progress."""

    def __init__(
        self,
        players: int = 2,
        starter: int | None = 1,
        deck: dict[str, Any] | None = None,
        language: str = "en",
        **settings: object,
    ) -> None:
        text = "" if deck is None else json.dumps(deck)
        game = find_game("cyber-siege")
        words = Words(language, Vocabulary(("taptable.games.cyber_siege",), game.pack(text)))
        super().__init__(game, players, starter, settings, manifest=text, words=words)

    def is_ever_listed(self, control: dict[str, object]) -> bool:
        return control["control"] in ("reshuffle", "spare")

    def correct(self, seat: int, **counts: int) -> Answer:
        return self.control("correct", seat=seat, **counts)

    def stop(self, card: str = "2.3") -> Answer:
        """Discard a defence card at the seat on turn."""
        return self._tap(card, "discard").accepted()

    def lay(self, set_card: str, *red: str) -> Answer:
        """Tap a set card and red cards at the seat on turn; return the last answer."""
        self.play(set_card, *red[:-1])
        return self.tap(red[-1]).accepted()

    def attack(self, card: str = "1.1") -> str:
        """Discard an attack card at the seat on turn and launch it; return the card's id."""
        card = self.find(card)
        self.play(card, pad="discard")
        self.press().accepted()
        return card

    def hit(self, card: str = "1.1") -> Answer:
        """Launch an attack at the seat on turn, and let the defender take the hit."""
        self.attack(card)
        return self.press(self.state["window"]["defender"]).accepted()

    def drain(self, left: int = 0) -> None:
        """Give the last seat all red cards except `left`, by a correction."""
        seat = self.players
        held = self.team(seat)["red"] + self.state["red_pile"] - left
        self.correct(seat, red=held).accepted()

    def _check_counts(self) -> None:
        """Check that no card is gained or lost (S8.4)."""
        state, cards = self.state, self.front.table.state.options.cards
        laying = state["laying"]
        red = state["red_pile"] + sum(team["red"] for team in state["teams"]) + len(state["discard"])
        purple = state["purple_pile"] + sum(team["purple"] + len(team["sets"]) for team in state["teams"])
        assert red + (len(laying["red"]) if laying else 0) == cards.red
        assert purple + (1 if laying else 0) == cards.purple


def launching(players: int = 2, card: str = "1.1", **settings: object) -> Game:
    """Return a game in which seat 1 has discarded an attack at 10 s and may launch it until 15 s."""
    game = Game(players, **settings)
    game.until(10)
    game.discard(card).accepted()
    return game


def attacked(players: int = 2, card: str = "1.1", **settings: object) -> Game:
    """Return a game in which seat 1 has launched an attack at 12 s and seat 2 may answer until 22 s."""
    game = launching(players, card, **settings)
    game.until(12)
    game.press(1).accepted()
    return game
