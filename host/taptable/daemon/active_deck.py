"""The deck that a table plays with: one of those in its folder, or none yet. It may grow meanwhile, and another may
take its place, also one for another game. Where it comes to describe other cards, the next game is played with them,
and begins at once where none is under way. Must not know who enrols or who plays."""

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
"""How often it is looked for a first deck."""

_log = logging.getLogger(__name__)


class ActiveDeck:
    """The deck `deck_name` ("" while there is none), among those of a folder, at a table that plays `game`, None for
    whichever the deck is for. `DeckError` if the deck of this name can't be used, or is for another game; without a
    name there is none, until it `selects_first_deck`."""

    def __init__(self, folder: Path, game: str | None, name: str | None, *, selects_first_deck: bool = True) -> None:
        self.selects_first_deck = selects_first_deck
        self.identities: dict[str, str] = {}
        """What each tag is at this table: the same mapping for good."""
        self.decks = Decks(folder)
        self._listeners: list[Callable[[str], None]] = []
        if game is None:
            game = "" if name is None else self.decks.deck(name).game
        if game not in GAMES:
            raise DeckError(f"deck {name} is for {game}, which this taptable hasn't got")
        self._switch_to(name or "", game)

    @property
    def manifest(self) -> str:
        """What describes its cards; "" for those that every table has of the game."""
        return self.decks.deck(self.deck_name).manifest if self.deck_name else ""

    def best_deck_for(self, game: str) -> str:
        """The deck to play a game with: the one in use, or the one for it that lacks least; "" if there is none."""
        if self.deck_name and self.game == game:
            return self.deck_name
        return min(self.decks_for(game), key=lambda found: (found[1], found[0]), default=("", 0))[0]

    def decks_for(self, game: str) -> tuple[tuple[str, int], ...]:
        """The decks for a game, sorted, and how many of its cards each lacks."""
        fitting = [deck for name in self.decks.names() if (deck := self.decks.deck(name)).game == game]
        return tuple((deck.name, len(completeness(deck, card_set_for(deck)).missing)) for deck in fitting)

    def use(self, name: str, game: str | None = None) -> None:
        """Play with the deck of this name from now on, and `game` where it is another; `DeckError` if that can't be."""
        self._switch_to(name, game or self.game)
        for listener in self._listeners:
            listener(name)

    def switch_to_game(self, game: str) -> None:
        """Play this game from now on, with the deck that fits it, if there is one."""
        name = self.best_deck_for(game)
        if (name, game) != (self.deck_name, self.game):
            self._switch_to(name, game)

    def add_listener(self, listener: Callable[[str], None]) -> None:
        """Tell `listener` the name whenever another deck is used."""
        self._listeners.append(listener)

    def reload(self) -> None:
        """Read the folder again: another program may have changed it. `DeckError` if it can't be read; a deck in use
        that is gone or damaged is as it was."""
        decks = Decks(self.decks.folder)
        if not self.deck_name or self.deck_name in decks.names():
            self.decks = decks
            self._update_identities()

    def leave_deleted_deck(self, new_name: str = "") -> None:
        """Turn from a deck in use that is gone to the one that was `renamed`, or to none."""
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
        """Take in what the tags are now, and whenever a deck has changed."""
        self.decks.on_change = self._update_identities
        self.identities.clear()
        self.identities.update(self.decks.identities(self.deck_name))


def _mtime_ns(folder: Path) -> int:
    """When something was last put into a folder, or taken away; 0 where it can't be told."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def find_deck_objection(session: Session, game: str, manifest: str) -> str | None:
    """Why the players at the table can't play a game with these cards, in a sentence of the game's; None if they can,
    or if it is another game."""
    table = session.table
    if table.game.name != game:
        return None
    try:
        table.game.new_game(replace(table.game_options, manifest=manifest), session.at_us, None)
    except ConfigError as error:
        return str(error)
    return None


def select_first_deck(active_deck: ActiveDeck, controller: SessionController) -> None:
    """Play with the deck that fits the game, if the table has none so far, however that deck came."""
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
    """Play with the deck of this name, as `by` asked for, and write that down; `DeckError` if it can't be."""
    active_deck.use(name)
    controller.note(DeckChosen(controller.now_us(), name, by))


async def watch_for_first_deck(
    active_deck: ActiveDeck, controller: SessionController, on_change: Callable[[], None]
) -> None:
    """Look for a deck in the folder whenever a table has none: another program may put one there. Not while the discard
    pad is claimed; call `changed` when the decks may be others."""
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
            _log.warning("%s", error)
        else:
            on_change()
            select_first_deck(active_deck, controller)


def start_game_with_deck(active_deck: ActiveDeck, controller: SessionController, by: str = "") -> None:
    """Begin a game with the cards of the deck in use, as agreed, if the table has others in mind and plays none now."""
    table = controller.session.table
    has_others = active_deck.game == table.game.name and active_deck.manifest != table.game_options.manifest
    if has_others and not table.scoreboard.under_way:
        game_options = replace(table.game_options, manifest=active_deck.manifest)
        controller.observe(
            lambda at_us: GameSetUp(at_us, table.game.name, game_options, game_options.starter is None), by
        )
