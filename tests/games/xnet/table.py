"""The words of X.net's tests in addition to those of every game. This module knows no rule except how to bring a card
to its place."""

from __future__ import annotations

import json
from typing import Any

from taptable.games.xnet.game import Xnet

from games.table import Answer, Played

TOPICS = (
    *("art", "business", "cooking", "games", "health", "hobbies"),
    *("music", "nature", "news", "science", "sports", "travel"),
)
OPENING = ("art-1#1", "music-5#1", "news-9#1")
"""The first demands of most tests, level by level."""


def manifest(topics: dict[str, dict[str, int]], name: str = "own") -> str:
    """Return a manifest with these topics."""
    return json.dumps({"game": "xnet", "name": name, "topics": topics})


def small() -> str:
    """Return a manifest of 60 cards: six topics with the numbers 1 to 9, of the 1 two copies."""
    numbers = {str(number): 2 if number == 1 else 1 for number in range(1, 10)}
    return manifest(dict.fromkeys(("art", "music", "news", "games", "sports", "travel"), numbers))


ACTIONS = (
    *("demand-new", "demand-replace", "swap", "to-streamer", "buy-users", "hire-specialist"),
    *("buy-server", "buy-streamer", "buy-net", "to-hand"),
)
NEEDING = ("demand-replace", "swap", "to-streamer", "hire-specialist", "to-hand")
"""The controls that may be used without their topics."""


class Game(Played):
    """A game of X.net in progress; the first three demands lie on the table unless `opening` says otherwise."""

    def __init__(
        self,
        players: int = 3,
        starter: int | None = 1,
        opening: tuple[str, ...] = OPENING,
        manifest: str = "",
        **settings: object,
    ) -> None:
        super().__init__(Xnet(), players, starter, settings, manifest=manifest)
        self.play(*opening, pad="demand")

    def kind_of(self, card: str) -> str:
        """Return a card's topic."""
        return card.rpartition("-")[0]

    def is_ever_listed(self, control: dict[str, object]) -> bool:
        return control["control"] in ACTIONS and (control["control"] not in NEEDING or len(control) > 1)

    def demand(self, card: str) -> Answer:
        return self.tap(card, "demand")

    def pay(self, *cards: str) -> Answer:
        """Tap cards on the discard pad at the seat on turn; return the last answer."""
        self.play(*cards[:-1], pad="discard")
        return self.discard(cards[-1]).accepted()

    def buy(self, control: str, *cards: str, **fields: object) -> Answer:
        """Begin an action and pay for it; return the answer to the last card."""
        self.control(control, **fields).accepted()
        return self.pay(*cards)

    def new_demand(self, card: str, level: int) -> Answer:
        self.control("demand-new", level=level).accepted()
        return self.demand(card).accepted()

    def gather(self, seat: int, hand: int) -> None:
        """Let turns pass until this seat is on turn and holds at least this number of cards."""
        self.advance_to(seat)
        while self.hand(seat) < hand:
            self.next_turn_of(seat)

    @property
    def turn(self) -> dict[str, Any]:
        return self.state["turn"]

    @property
    def pending(self) -> dict[str, Any] | None:
        return self.state["pending"]

    @property
    def pyramid(self) -> dict[tuple[int, int], str]:
        """Return the cards in demand by level and place."""
        return {(each["level"], each["place"]): each["card"] for each in self.state["demand"]}

    def topic(self, seat: int, topic: str) -> dict[str, Any]:
        return next(each for each in self.team(seat)["topics"] if each["topic"] == topic)

    def hand(self, seat: int) -> int:
        return self.team(seat)["hand"]

    def _check_counts(self) -> None:
        """X5.10: check that no card and no specialist is gained or lost."""
        super()._check_counts()
        state = self.state
        helped = sum(topic["specialist"] for team in state["teams"] for topic in team["topics"])
        assert state["specialists"] + helped == 16, state
