"""The deck that a table plays with: one of those in its folder, or none yet. It may grow while it is played with, and
another may be taken in its place, also one for another game; what a tag is, is asked of it each time. Where it comes to
describe other cards, the next game is played with them, and begins at once where none is under way. Must not know who
enrols or who plays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from taptable.core.errors import ConfigError, DeckError
from taptable.core.notices import DeckChosen
from taptable.core.observations import GameSetUp
from taptable.daemon.session_controller import SessionController
from taptable.games.registry import GAMES
from taptable.memory.deck import cards_for, completeness
from taptable.memory.decks import Decks
from taptable.referee.session import Session

LOOKS_S = 3.0
"""How often it is looked for a first deck."""

_log = logging.getLogger(__name__)

Using = Callable[[str], None]
"""Told the name of the deck that is played with from now on."""


class PlayingDeck:
    """The deck in use, among those of a folder, at a table that plays `game`, None for whichever the deck is for.
    `DeckError` if the deck of this name can't be used, or is for another game; without a name there is none."""

    def __init__(self, folder: Path, game: str | None, name: str | None) -> None:
        self.identities: dict[str, str] = {}
        """What each tag is at this table: the same mapping for good."""
        self._read_ns = _changed_ns(folder)
        self.decks = Decks(folder)
        self._listeners: list[Using] = []
        if game is None:
            game = "" if name is None else self.decks.deck(name).game
        if game not in GAMES:
            raise DeckError(f"deck {name} is for {game}, which this taptable hasn't got")
        self._take(name, game)

    @property
    def in_use(self) -> str:
        """Its name; "" while there is none."""
        return self._name or ""

    @property
    def game(self) -> str:
        """The game that is played with it."""
        return self._game

    @property
    def manifest(self) -> str:
        """What describes its cards; "" for those that every table has of the game."""
        return "" if self._name is None else self.decks.deck(self._name).manifest

    def fitting(self, game: str) -> str:
        """The deck to play a game with: the one in use, or the one for it that lacks least; "" if there is none."""
        if self._name is not None and self._game == game:
            return self._name
        return min(self.names_for(game), key=lambda found: (found[1], found[0]), default=("", 0))[0]

    def has_changed(self) -> bool:
        """Did another program put a file into the folder, or take one away, since it was read?"""
        return _changed_ns(self.decks.folder) != self._read_ns

    def resolve(self, uid: str) -> str | None:
        """What a tag is at this table."""
        return self.identities.get(uid)

    def names_for(self, game: str) -> tuple[tuple[str, int], ...]:
        """The decks for a game, sorted, and how many of its cards each lacks."""
        decks = (self.decks.deck(name) for name in self.decks.names())
        fitting = (deck for deck in decks if deck.game == game)
        return tuple((deck.name, len(completeness(deck, cards_for(deck)).missing)) for deck in fitting)

    def use(self, name: str, game: str | None = None) -> None:
        """Play with the deck of this name from now on, and `game` where it is another; `DeckError` if that can't be."""
        self._take(name, game or self._game)
        for listener in self._listeners:
            listener(name)

    def turn_to(self, game: str) -> None:
        """Play this game from now on, with the deck that fits it, if there is one."""
        name = self.fitting(game)
        if (name, game) != (self.in_use, self._game):
            self._take(name or None, game)

    def on_use(self, listener: Using) -> None:
        """Tell `listener` whenever another deck is used."""
        self._listeners.append(listener)

    def look_again(self) -> None:
        """Read the folder again: another program may have changed it. `DeckError` if it can't be read; a deck in use
        that is gone or damaged is as it was."""
        self._read_ns = _changed_ns(self.decks.folder)
        decks = Decks(self.decks.folder)
        name = self._name
        if name is None or name in decks.names():
            self.decks = decks
            self._identify()

    def rename(self, name: str, new: str) -> None:
        """Call a deck otherwise; `DeckError` if it can't be done, or if it can't be told whether that lasts. The one in
        use stays in use under whichever name it has then."""
        try:
            self.decks.rename(name, new)
        finally:
            self._follow(new)

    def set_aside(self, name: str) -> Path:
        """Take a deck out of use, which returns where its file is now; `DeckError` as from `rename`. Without the one in
        use there is none from then on."""
        try:
            return self.decks.set_aside(name)
        finally:
            self._follow()

    def _follow(self, renamed: str = "") -> None:
        """The deck in use may be gone: then it is the one that was `renamed`, or none."""
        if self._name is None or self._name in self.decks.names():
            return
        if renamed in self.decks.names():
            self.use(renamed)
        else:
            self._take(None, self._game)

    def _take(self, name: str | None, game: str) -> None:
        if name is not None and (other := self.decks.deck(name).game) != game:
            raise DeckError(f"deck {name} is for {other}, and the table plays {game}")
        self._name, self._game = name, game
        self._identify()

    def _identify(self) -> None:
        """Take in what the tags are now, and whenever a deck has changed."""
        self.decks.changed = self._identify
        name = self._name if self._name in self.decks.names() else None
        self.identities.clear()
        self.identities.update(self.decks.identities(name))


def _changed_ns(folder: Path) -> int:
    """When something was last put into a folder, or taken away; 0 where it can't be told."""
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return 0


def is_under_way(session: Session) -> bool:
    """Is a game being played?"""
    return session.table.scoreboard.under_way


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


def take_first(playing: PlayingDeck, controller: SessionController, by: str = "") -> None:
    """Play with the deck that fits the game, if the table has none so far, however that deck came."""
    name = "" if playing.in_use else playing.fitting(playing.game)
    deck = playing.decks.deck(name) if name else None
    if deck is not None and deck.cards and why_not_dealt(controller.session, deck.game, deck.manifest) is None:
        playing.use(name)
        controller.note(DeckChosen(controller.now_us(), name, by))
        deal(playing, controller, by)


class FirstDeck:
    """Looks for a deck in the folder while a table has none: another program may put one there. Not while the
    discard pad is claimed; `changed` is called when the decks may be others."""

    def __init__(
        self,
        *,
        playing: PlayingDeck,
        controller: SessionController,
        changed: Callable[[], None],
    ) -> None:
        self._playing = playing
        self._controller = controller
        self._changed = changed
        self._looking: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Look from now on: the table has no deck."""
        if self._looking is None:
            self._looking = self._controller.loop.call_later(LOOKS_S, self._look)

    def close(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()

    def _look(self) -> None:
        self._looking = None
        if self._playing.in_use:
            return
        self._looking = self._controller.loop.call_later(LOOKS_S, self._look)
        if self._controller.claim is not None or not self._playing.has_changed():
            return
        try:
            self._playing.look_again()
        except DeckError as error:
            _log.warning("%s", error)
            return
        self._changed()
        take_first(self._playing, self._controller)


def deal(playing: PlayingDeck, controller: SessionController, by: str = "") -> None:
    """Begin a game with the cards of the deck in use, as agreed, if the table has others in mind and plays none now."""
    table = controller.session.table
    if playing.game != table.game.name or playing.manifest == table.game_options.manifest:
        return
    if not is_under_way(controller.session):
        game_options = replace(table.game_options, manifest=playing.manifest)
        controller.observe(
            lambda at_us: GameSetUp(at_us, table.game.name, game_options, game_options.starter is None), by
        )
