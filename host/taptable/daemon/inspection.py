"""What must be in order before a table can run, beside its configuration: the deck and the journal."""

from __future__ import annotations

import logging
from dataclasses import replace

from taptable.config import Config
from taptable.core.errors import ConfigError, DeckError
from taptable.daemon.agreement import agreed_at, chosen_deck
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.recovery import CantGoOn, stood
from taptable.games.registry import find_game
from taptable.memory.deck import completeness
from taptable.memory.manifests import cards_for
from taptable.memory.presets import Presets, presets_of
from taptable.memory.reading import JournalReader
from taptable.referee.step import open_table

_log = logging.getLogger(__name__)

_MOST_NAMED = 10


def open_deck(config: Config, chosen: str | None = None) -> PlayingDeck:
    """The deck of a table: the one `chosen` before, for whichever game, where it can still be used, else the configured
    one. `DeckError` if that can't be played with; only where a page can enrol it, it may not be there yet. What else is
    wrong in the folder of decks is only logged."""
    folder, game = config.table.decks, config.game.name
    if chosen is not None and chosen != config.table.deck:
        try:
            return _told(PlayingDeck(folder, None, chosen))
        except DeckError as error:
            _log.warning("%s; the table plays with deck %s", error, config.table.deck)
    name: str | None = config.table.deck
    if config.page is not None and not folder.joinpath(f"{name}.json").exists():
        _log.warning("there is no deck %s yet: enrol one on the page", name)
        name = None
    return _told(PlayingDeck(folder, game, name))


def _told(playing: PlayingDeck) -> PlayingDeck:
    """The same, with what is wrong logged."""
    for fault in playing.decks.faults.values():
        _log.warning("%s", fault)
    if name := playing.in_use:
        deck = playing.decks.deck(name)
        missing = completeness(deck, cards_for(deck)).missing
        if missing:
            more = ", …" if len(missing) > _MOST_NAMED else ""
            _log.warning("deck %s lacks %d cards: %s%s", name, len(missing), ", ".join(missing[:_MOST_NAMED]), more)
    return playing


def inspect(config: Config) -> None:
    """Look at deck and journal as the table will at its start, and change nothing; raises what it would raise."""
    presets = Presets(presets_of(config.table.journal), look_only=True)
    playing = open_deck(config, chosen_deck(config, presets))
    if playing.game == config.game.name:
        try:
            open_table(find_game(playing.game), replace(agreed_at(config), manifest=playing.manifest))
        except ConfigError as error:
            raise ConfigError(f"deck {playing.in_use} can't be played with: {error}") from error
    if config.table.journal.exists():
        with JournalReader.open(config.table.journal) as journal:
            try:
                stood(journal, config, presets)
            except CantGoOn as error:
                _log.warning("%s", error)
