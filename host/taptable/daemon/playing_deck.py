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
from taptable.memory.deck import cards_for, completeness
from taptable.memory.decks import Decks
from taptable.referee.session import Session

LOOKS_S = 3.0
"""How often it is looked for a first deck."""

_log = logging.getLogger(__name__)


class ActiveDeck:
    """The deck `in_use` ("" while there is none), among those of a folder, at a table that plays `game`, None for
    whichever the deck is for. `DeckError` if the deck of this name can't be used, or is for another game; without a
    name there is none, until it `takes_first`."""

    def __init__(self, folder: Path, game: str | None, name: str | None, *, takes_first: bool = True) -> None:
        self.takes_first = takes_first
        self.identities: dict[str, str] = {}
        """What each tag is at this table: the same mapping for good."""
        self.decks = Decks(folder)
        self._listeners: list[Callable[[str], None]] = []
        if game is None:
            game = "" if name is None else self.decks.deck(name).game
        if game not in GAMES:
            raise DeckError(f"deck {name} is for {game}, which this taptable hasn't got")
        self._take(name or "", game)

    @property
    def manifest(self) -> str:
        """What describes its cards; "" for those that every table has of the game."""
        return self.decks.deck(self.in_use).manifest if self.in_use else ""

    def fitting(self, game: str) -> str:
        """The deck to play a game with: the one in use, or the one for it that lacks least; "" if there is none."""
        if self.in_use and self.game == game:
            return self.in_use
        return min(self.names_for(game), key=lambda found: (found[1], found[0]), default=("", 0))[0]

    def names_for(self, game: str) -> tuple[tuple[str, int], ...]:
        """The decks for a game, sorted, and how many of its cards each lacks."""
        fitting = [deck for name in self.decks.names() if (deck := self.decks.deck(name)).game == game]
        return tuple((deck.name, len(completeness(deck, cards_for(deck)).missing)) for deck in fitting)

    def use(self, name: str, game: str | None = None) -> None:
        """Play with the deck of this name from now on, and `game` where it is another; `DeckError` if that can't be."""
        self._take(name, game or self.game)
        for listener in self._listeners:
            listener(name)

    def turn_to(self, game: str) -> None:
        """Play this game from now on, with the deck that fits it, if there is one."""
        name = self.fitting(game)
        if (name, game) != (self.in_use, self.game):
            self._take(name, game)

    def on_use(self, listener: Callable[[str], None]) -> None:
        """Tell `listener` the name whenever another deck is used."""
        self._listeners.append(listener)

    def look_again(self) -> None:
        """Read the folder again: another program may have changed it. `DeckError` if it can't be read; a deck in use
        that is gone or damaged is as it was."""
        decks = Decks(self.decks.folder)
        if not self.in_use or self.in_use in decks.names():
            self.decks = decks
            self._identify()

    def follow(self, renamed: str = "") -> None:
        """Turn from a deck in use that is gone to the one that was `renamed`, or to none."""
        if self.in_use and self.in_use not in self.decks.names():
            if renamed in self.decks.names():
                self.use(renamed)
            else:
                self._take("", self.game)

    def _take(self, name: str, game: str) -> None:
        if name and (other := self.decks.deck(name).game) != game:
            raise DeckError(f"deck {name} is for {other}, and the table plays {game}")
        self.in_use, self.game = name, game
        self._identify()

    def _identify(self) -> None:
        """Take in what the tags are now, and whenever a deck has changed."""
        self.decks.changed = self._identify
        self.identities.clear()
        self.identities.update(self.decks.identities(self.in_use))


def _changed_ns(folder: Path) -> int:
    """When something was last put into a folder, or taken away; 0 where it can't be told."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def why_not_dealt(session: Session, game: str, manifest: str) -> str | None:
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


def take_first(playing: ActiveDeck, controller: SessionController) -> None:
    """Play with the deck that fits the game, if the table has none so far, however that deck came."""
    name = "" if playing.in_use or not playing.takes_first else playing.fitting(playing.game)
    deck = playing.decks.deck(name) if name else None
    if deck is not None and deck.cards and why_not_dealt(controller.session, deck.game, deck.manifest) is None:
        choose(playing, controller, name, "")
        deal(playing, controller)


def choose(playing: ActiveDeck, controller: SessionController, name: str, by: str) -> None:
    """Play with the deck of this name, as `by` asked for, and write that down; `DeckError` if it can't be."""
    playing.use(name)
    controller.note(DeckChosen(controller.now_us(), name, by))


async def find_first(playing: ActiveDeck, controller: SessionController, changed: Callable[[], None]) -> None:
    """Look for a deck in the folder whenever a table has none: another program may put one there. Not while the discard
    pad is claimed; call `changed` when the decks may be others."""
    looked_at_ns = 0
    while True:
        await asyncio.sleep(LOOKS_S)
        changed_ns = _changed_ns(playing.decks.folder)
        if playing.in_use or controller.claim is not None or changed_ns == looked_at_ns:
            continue
        looked_at_ns = changed_ns
        try:
            playing.look_again()
        except DeckError as error:
            _log.warning("%s", error)
        else:
            changed()
            take_first(playing, controller)


def deal(playing: ActiveDeck, controller: SessionController, by: str = "") -> None:
    """Begin a game with the cards of the deck in use, as agreed, if the table has others in mind and plays none now."""
    table = controller.session.table
    has_others = playing.game == table.game.name and playing.manifest != table.game_options.manifest
    if has_others and not table.scoreboard.under_way:
        game_options = replace(table.game_options, manifest=playing.manifest)
        controller.observe(
            lambda at_us: GameSetUp(at_us, table.game.name, game_options, game_options.starter is None), by
        )
