"""A hand with cards at the discard pad of a table whose page is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from taptable.core.observations import DISCARD_PAD
from taptable.memory.deck import Deck
from taptable.memory.manifests import card_set_of
from taptable.sim.tags import tagged_deck

from page.in_a_thread import InAThread
from page.visitor import Visitor

LOOK_S, GONE_S = 0.05, 0.6
FAST, PATIENCE_S = 5.0, 100.0
SEED = 7
"""Of the tags on new cards, which no deck has."""


def new_cards(name: str = "family") -> Deck:
    """Cards that are in no deck yet, and what is printed on them."""
    return tagged_deck(name, card_set_of("online"), SEED)


class Hand:
    """Takes the cards of a box one after the other."""

    def __init__(self, table: InAThread, visitor: Visitor) -> None:
        self.table = table
        self.visitor = visitor
        self.box = new_cards()
        self._tags: Iterator[str] = iter(self.box.cards)

    def next(self) -> str:
        """The tag of the next card."""
        return next(self._tags)

    def taps(self, *tags: str) -> None:
        """Tap tags, all at once, and wait until the page shows what came of it."""
        table, desk = self.table.room.table, self.table.room.daemon.desk

        async def tap() -> None:
            before = desk.shown
            for tag in tags:
                table.put(tag, DISCARD_PAD)
            # a busy computer may see them late
            async with asyncio.timeout(PATIENCE_S):
                while desk.shown is before or (len(tags) > 1 and desk.shown.said.key != "together"):
                    await asyncio.sleep(LOOK_S)
            for tag in tags:
                table.lift(tag, DISCARD_PAD)
            await asyncio.sleep(GONE_S)

        self.table.set_speed(FAST)
        self.table.lets(tap)
        self.table.set_speed(1.0)
        self.visitor.catches_up(self.table.marks())
