"""Tags for a simulated deck: every card and every control card of a game with a number of its own, as bought
stickers have."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import MappingProxyType

from taptable.memory.deck import CardSet, Deck

SHORT_EVERY = 9
"""Each so many-th card carries a MIFARE sticker with 4 bytes instead of an NTAG213 with 7."""


def tagged_deck(name: str, card_set: CardSet, seed: int = 0, manifest: str = "") -> Deck:
    """A whole deck, every control card of its game included; the same tags for the same seed."""
    chance = Random(f"tags {seed}")
    numbers = iter(_numbers(chance))
    cards = {next(numbers): card for card in card_set}
    controls = {next(numbers): control for control in card_set.controls}
    return Deck(name, card_set.game, MappingProxyType(cards), MappingProxyType(controls), manifest)


def _numbers(chance: Random) -> Iterator[str]:
    used: set[str] = set()
    count = 0
    while True:
        short = count % SHORT_EVERY == SHORT_EVERY - 1
        # 04 is NXP's number; a first byte of 08 would mean a random number
        uid = ("5a" + chance.randbytes(3).hex()) if short else ("04" + chance.randbytes(6).hex())
        # a second cascade level must not begin with 88, which announces a third (ISO 14443-3, 6.5.4)
        if uid not in used and uid[6:8] != "88":
            used.add(uid)
            count += 1
            yield uid
