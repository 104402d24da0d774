"""The cards of ONLINE and tags for them."""

from __future__ import annotations

from taptable.games.online.game import Online
from taptable.memory.deck import CardSet, Deck

ONLINE = CardSet(Online.name, Online().pack("").counts)


def uid(number: int) -> str:
    """A tag's UID of 7 bytes."""
    return f"04{number:012x}"


def deck(name: str = "family", cards: int = 112) -> Deck:
    """A deck with its first cards enrolled, and one control."""
    return Deck(
        name, "online", {uid(n): card for n, card in enumerate(tuple(ONLINE)[:cards])}, {"0badcafe": "take-back"}
    )
