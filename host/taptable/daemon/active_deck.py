"""The deck that a table plays with: one of the decks in its folder, or none yet. The deck may grow while it is in use,
and another may replace it, even one for another game. If the cards are then others, the next game is played with them;
it starts at once if no game is under way. This module must not know who enrols or who plays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from taptable.core.errors import ConfigError, DeckError
from taptable.core.observations import GameSetUp
from taptable.core.tag_notices import DeckChosen
from taptable.daemon.session_controller import SessionController
from taptable.games.registry import GAMES
from taptable.memory.deck import card_set_for, completeness
from taptable.memory.decks import Decks
from taptable.referee.session import Session

POLL_S = 3.0
"""Seconds between two looks into the folder while the table has no deck."""

_log = logging.getLogger(__name__)


class ActiveDeck:
    """The deck in use, among those of a folder, and the game that the table plays.

    `game` None means the game of the deck `name`. Without a name `deck_name` is "" until a deck is used;
    `selects_first_deck` allows `select_first_deck` to choose one. Raises `DeckError` if the deck can't be used or is
    for another game."""

    def __init__(self, folder: Path, game: str | None, name: str | None, *, selects_first_deck: bool = True) -> None:
        self.selects_first_deck = selects_first_deck
        self.identities: dict[str, str] = {}
        """Maps each tag of this table to its identity. It stays the same mapping: it is updated in place."""
        self.decks = Decks(folder)
        self._listeners: list[Callable[[str], None]] = []
        if game is None:
            game = "" if name is None else self.decks.deck(name).game
        if game not in GAMES:
            raise DeckError(f"deck {name} is for {game}, which this taptable doesn't have")
        self._switch_to(name or "", game)

    @property
    def manifest(self) -> str:
        """The manifest that describes the deck's cards; "" for the cards that every table has of the game."""
        return self.decks.deck(self.deck_name).manifest if self.deck_name else ""

    def best_deck_for(self, game: str) -> str:
        """Return the deck to play a game with: the one in use, else the one with the fewest missing cards; "" if there
        is none."""
        if self.deck_name and self.game == game:
            return self.deck_name
        return min(self.decks_for(game), key=lambda found: (found[1], found[0]), default=("", 0))[0]

    def decks_for(self, game: str) -> tuple[tuple[str, int], ...]:
        """Return the name of each deck for a game and how many of its cards are missing, sorted by name."""
        fitting = [deck for name in self.decks.names() if (deck := self.decks.deck(name)).game == game]
        return tuple((deck.name, len(completeness(deck, card_set_for(deck)).missing)) for deck in fitting)

    def use(self, name: str, game: str | None = None) -> None:
        """Play with this deck from now on, and with `game` if given. Raises `DeckError` if the deck doesn't fit."""
        self._switch_to(name, game or self.game)
        for listener in self._listeners:
            listener(name)

    def switch_to_game(self, game: str) -> None:
        """Play this game from now on, with the deck that fits it if there is one."""
        name = self.best_deck_for(game)
        if (name, game) != (self.deck_name, self.game):
            self._switch_to(name, game)

    def add_listener(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the deck's name whenever another deck is used."""
        self._listeners.append(listener)

    def reload(self) -> None:
        """Read the folder again, because another program may have changed it. Raises `DeckError` if it can't be read.
        If the deck in use is gone or damaged, everything stays as it was."""
        decks = Decks(self.decks.folder)
        if not self.deck_name or self.deck_name in decks.names():
            self.decks = decks
            self._update_identities()

    def leave_deleted_deck(self, new_name: str = "") -> None:
        """If the deck in use is gone, switch to the deck `new_name` into which it was renamed, or to none."""
        if self.deck_name and self.deck_name not in self.decks.names():
            if new_name in self.decks.names():
                self.use(new_name)
            else:
                self._switch_to("", self.game)

    def _switch_to(self, name: str, game: str) -> None:
        if name and (other := self.decks.deck(name).game) != game:
            raise DeckError(f"deck {name} is for {other}, and the table plays {game}")
        self.deck_name, self.game = name, game
        self._update_identities()

    def _update_identities(self) -> None:
        """Refill `identities` in place. The decks call this again whenever a deck changes."""
        self.decks.on_change = self._update_identities
        self.identities.clear()
        self.identities.update(self.decks.identities(self.deck_name))


def _mtime_ns(folder: Path) -> int:
    """Return when an entry was last added to a folder or removed; 0 if the folder can't be read."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def find_deck_objection(session: Session, game: str, manifest: str) -> str | None:
    """Return the game's sentence why the players at the table can't play it with these cards; None if they can, or if
    the table plays another game."""
    table = session.table
    if table.game.name != game:
        return None
    try:
        table.game.new_game(replace(table.game_options, manifest=manifest), session.at_us, None)
    except ConfigError as error:
        return str(error)
    return None


def select_first_deck(active_deck: ActiveDeck, controller: SessionController) -> None:
    """If the table has no deck yet, play with the one that fits its game, however it came into the folder."""
    name = (
        ""
        if active_deck.deck_name or not active_deck.selects_first_deck
        else active_deck.best_deck_for(active_deck.game)
    )
    deck = active_deck.decks.deck(name) if name else None
    if deck is not None and deck.cards and find_deck_objection(controller.session, deck.game, deck.manifest) is None:
        select_deck(active_deck, controller, name, "")
        start_game_with_deck(active_deck, controller)


def select_deck(active_deck: ActiveDeck, controller: SessionController, name: str, by: str) -> None:
    """Play with this deck and record that `by` asked for it. Raises `DeckError` if it can't be used."""
    active_deck.use(name)
    controller.note(DeckChosen(controller.now_us(), name, by))


async def watch_for_first_deck(
    active_deck: ActiveDeck, controller: SessionController, on_change: Callable[[], None]
) -> None:
    """Poll the folder for a deck while the table has none, because another program may add one; pause while the discard
    pad is claimed. Call `on_change` when the decks may have changed."""
    looked_at_ns = 0
    while True:
        await asyncio.sleep(POLL_S)
        changed_ns = _mtime_ns(active_deck.decks.folder)
        if active_deck.deck_name or controller.claim is not None or changed_ns == looked_at_ns:
            continue
        looked_at_ns = changed_ns
        try:
            active_deck.reload()
        except DeckError as error:
            _log.warning("Decks not reloaded, retried after the next change of the folder: %s", error)
        else:
            on_change()
            select_first_deck(active_deck, controller)


def start_game_with_deck(active_deck: ActiveDeck, controller: SessionController, by: str = "") -> None:
    """Start a game with the cards of the deck in use and the agreed options, if the table was set up for other cards
    and no game is under way."""
    table = controller.session.table
    has_others = active_deck.game == table.game.name and active_deck.manifest != table.game_options.manifest
    if has_others and not table.scoreboard.under_way:
        game_options = replace(table.game_options, manifest=active_deck.manifest)
        controller.observe(
            lambda at_us: GameSetUp(at_us, table.game.name, game_options, game_options.starter is None), by
        )
