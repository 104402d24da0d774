"""A person who enrols a deck at a running table, with a box of cards at the discard pad, and a page for requests."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli.deck_rig import CARDS
from table.rig import a_table
from taptable.config import Config
from taptable.config.model import PageSettings
from taptable.core.observations import DISCARD_PAD
from taptable.memory.deck import Deck
from taptable.memory.decks import Decks
from taptable.sim.cards import Phone
from taptable.sim.setting_up import tagged_deck

from topics.page_user import PageUser

ON_PAD_S = 0.3
GONE_S = 0.4
DEAF_S = 2.5
"""Seconds within which a lost reader is missed, and one that is back is in use again."""


def box(seed: int = 7, name: str = "family") -> Deck:
    """The tags on the cards of a box, and what is printed on these: the truth."""
    return tagged_deck(name, CARDS, seed)


def a_table_with_a_page(folder: Path, *, pins: bool = True) -> Config:
    """A table in a folder, the same one each time."""
    return replace(a_table(folder, pins=pins), page=PageSettings(8000))


class Enroller(PageUser):
    """A page user at a discard pad. `pad_status` is the state of the pad, `last_said` its last message, in words."""

    @property
    def pad_status(self) -> dict[str, Any]:
        return self.parts["enrolment"]

    @property
    def last_said(self) -> str:
        return self.pad_status["said"]

    async def taps(self, *uids: str) -> str:
        """Put tags on the pad, all at once, and lift them; return the last message."""
        for uid in uids:
            self.evening.table.put(uid, DISCARD_PAD)
        await asyncio.sleep(ON_PAD_S)
        for uid in uids:
            self.evening.table.lift(uid, DISCARD_PAD)
        await asyncio.sleep(GONE_S)
        return self.last_said

    async def taps_phone(self) -> str:
        numbers = iter(range(1, 1 << 24))
        phone = Phone(lambda: next(numbers).to_bytes(3, "big"))
        field = self.evening.table.fields[DISCARD_PAD]
        field.put(phone)
        await asyncio.sleep(2.0)
        field.lift(phone)
        await asyncio.sleep(GONE_S)
        return self.last_said

    async def loses_the_reader(self) -> str:
        """Lose the reader of the pad, and get it back; return the message about its loss."""
        self.evening.table.deafen(DISCARD_PAD)
        await asyncio.sleep(DEAF_S)
        said = self.last_said
        self.evening.table.deafen(DISCARD_PAD, deaf=False)
        await asyncio.sleep(DEAF_S)
        return said

    def deck(self, name: str = "family") -> Deck:
        """The deck as another program finds it on the disk."""
        return Decks(self.evening.config.table.decks).deck(name)
