"""The deck that a table plays with: one of those in its folder, or none yet. It may grow while it is played with, and
another may be taken in its place; what a tag is, is asked of it each time. Must not know who enrols or who plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from taptable.core.errors import DeckError
from taptable.daemon.agreement import card_set_of
from taptable.memory.deck import completeness
from taptable.memory.decks import Decks

Using = Callable[[str], None]
"""Told the name of the deck that is played with from now on."""


class PlayingDeck:
    """The deck in use, among those of a folder, at a table that plays `game`. `DeckError` if the deck of this name
    can't be used, or is for another game; with None there is none."""

    def __init__(self, folder: Path, game: str, name: str | None) -> None:
        self.decks = Decks(folder)
        self._game = game
        self._listeners: list[Using] = []
        self._name = name
        self._take(name)

    @property
    def in_use(self) -> str:
        """Its name; "" while there is none."""
        return self._name or ""

    def resolve(self, uid: str) -> str | None:
        """What a tag is at this table."""
        return self._resolve(uid)

    def names_for(self, game: str) -> tuple[tuple[str, int], ...]:
        """The decks for a game, sorted, and how many of its cards each lacks."""
        card_set = card_set_of(game)
        decks = (self.decks.deck(name) for name in self.decks.names())
        return tuple((deck.name, len(completeness(deck, card_set).missing)) for deck in decks if deck.game == game)

    def use(self, name: str) -> None:
        """Play with the deck of this name from now on; `DeckError` if that can't be."""
        self._take(name)
        for listener in self._listeners:
            listener(name)

    def on_use(self, listener: Using) -> None:
        """Tell `listener` whenever another deck is used."""
        self._listeners.append(listener)

    def look_again(self) -> None:
        """Read the folder again: another program may have changed it. `DeckError` if it can't be read; a deck in use
        that is gone or damaged is as it was."""
        decks = Decks(self.decks.folder)
        name = self._name
        if name is None or name in decks.names():
            self.decks = decks
            self._resolve = decks.resolver(name)

    def put_away(self) -> None:
        """Play with none from now on: it was taken away."""
        self._take(None)

    def _take(self, name: str | None) -> None:
        resolve = self.decks.resolver(name)
        if name is not None and (game := self.decks.deck(name).game) != self._game:
            raise DeckError(f"deck {name} is for {game}, and the table plays {self._game}")
        self._name, self._resolve = name, resolve
