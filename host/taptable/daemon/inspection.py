"""What must be in order before a table can run, beside its configuration: the deck and the journal."""

from __future__ import annotations

import logging

from taptable.config import Config
from taptable.core.errors import DeckError
from taptable.daemon.agreement import card_set_of
from taptable.daemon.recovery import stood
from taptable.memory.deck import completeness
from taptable.memory.decks import Decks
from taptable.memory.reading import JournalReader
from taptable.referee.taps import Resolve

_log = logging.getLogger(__name__)

_MOST_NAMED = 10


def open_deck(config: Config) -> Resolve:
    """What each tag is at this table; `DeckError` if its deck can't be played with. What else is wrong in the folder of
    decks is only logged."""
    decks = Decks(config.table.decks)
    name = config.table.deck
    resolve = decks.resolver(name)
    deck = decks.deck(name)
    if deck.game != config.game.name:
        raise DeckError(f"deck {name} is for {deck.game}, and the table plays {config.game.name}")
    for fault in decks.faults.values():
        _log.warning("%s", fault)
    missing = completeness(deck, card_set_of(deck.game)).missing
    if missing:
        more = ", …" if len(missing) > _MOST_NAMED else ""
        _log.warning("deck %s lacks %d cards: %s%s", name, len(missing), ", ".join(missing[:_MOST_NAMED]), more)
    return resolve


def inspect(config: Config) -> None:
    """Look at deck and journal as the table will at its start, and change nothing; raises what it would raise."""
    open_deck(config)
    if config.table.journal.exists():
        with JournalReader.open(config.table.journal) as journal:
            stood(journal, config)
