"""A hand with cards at the discard pad of a table whose page is looked at."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from deadline import DEADLINE_S
from taptable.core.observations import DISCARD_PAD
from taptable.memory.deck import Deck, card_set_of
from taptable.sim.setting_up import tagged_deck

from page.threaded_table import ThreadedTable

LOOK_S, GONE_S = 0.05, 0.6
SEED = 7
"""The seed of the tags on new cards, which are in no deck."""


def new_cards(name: str = "family", seed: int = SEED) -> Deck:
    """Cards that are in no deck yet, with their tags and their printed names."""
    return tagged_deck(name, card_set_of("online"), seed)


class Hand:
    """Takes the cards of a box one after the other; each `seed` is another box."""

    def __init__(self, table: ThreadedTable, seed: int = SEED) -> None:
        self._table = table
        self._tags: Iterator[str] = iter(new_cards(seed=seed).cards)

    def next(self) -> str:
        """The tag of the next card."""
        return next(self._tags)

    def taps(self, *tags: str) -> None:
        """Tap tags, all at once, and wait until the page shows the result."""
        table, desk = self._table.harness.table, self._table.harness.daemon.enrolment

        async def tap() -> None:
            assert desk.active is not None, "the pad is the game's"
            before = desk.facts
            for tag in tags:
                table.put(tag, DISCARD_PAD)
            async with asyncio.timeout(DEADLINE_S):
                while desk.facts is before or (len(tags) > 1 and desk.facts.said.key != "together"):
                    await asyncio.sleep(LOOK_S)
            for tag in tags:
                table.lift(tag, DISCARD_PAD)
            await asyncio.sleep(GONE_S)

        self._table.happens(tap)
