"""Taps faster than hands are, straight from the readers: downloads at pads where they are refused, one after the other
at all seats that aren't on turn."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from taptable.core.device_events import TagCame, TagWent
from taptable.games.online.cards import CATEGORIES, KIND_OF

from page.evening import DemoEvening
from page.threaded_table import STILL

TAPS_SPEED = 10.0
SPACING_S = 0.05
"""Table time between two taps, in seconds: 200 of them in a second outside."""
CARDS = 13
"""A card comes to a pad only when it has long been gone from the last."""


@dataclass
class Tapping:
    """A series of at least `at_least` taps, each of which leads to one sentence, and of more until there are `enough`;
    `done` counts them."""

    evening: DemoEvening
    at_least: int
    enough: bool = False
    done: int = 0

    async def __call__(self) -> None:
        """Tap; on the loop of the table."""
        evening = self.evening
        report, now_us = evening.harness.daemon.controller.report, evening.harness.daemon.clock.now_us
        pads = [seat for seat in range(1, len(evening.harness.config.seats) + 1) if seat != evening.on_turn]
        lying = {card for zone in evening.people.layout() for card in zone.cards}
        hidden = [card for card in KIND_OF if KIND_OF[card] in CATEGORIES and card not in lying][:CARDS]
        tags = [tag for tag, what in evening.people.card_by_uid.items() if what in hidden]
        evening.loop.speed = TAPS_SPEED
        while self.done < self.at_least or not self.enough:
            pad, tag = pads[self.done % len(pads)], tags[self.done % len(tags)]
            report(TagCame(now_us(), pad, tag))
            await asyncio.sleep(SPACING_S)
            report(TagWent(now_us(), pad, tag))
            self.done += 1
        evening.loop.speed = STILL
