"""Coming back: from the journal to the table as it stood when the power went, or to a fresh one where there is
nothing to go on with."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from taptable.config import Config
from taptable.core.game import Agreed
from taptable.daemon.records import agreed_in, opening_of, replayed
from taptable.games.registry import find_game
from taptable.memory.faults import JournalDamaged
from taptable.memory.journal import Journal
from taptable.memory.records import GameHeader
from taptable.referee.step import Table, open_table

SETTLE_WITH_BOARDS_S = "0.25"
"""The settling time with any button on a seat board (*Clocks and the window*)."""

_log = logging.getLogger(__name__)


def open_journal(path: Path) -> Journal:
    """The journal at `path`. A damaged one has been kept aside, which is said, and a new one is begun."""
    try:
        return Journal.open(path)
    except JournalDamaged as damage:
        if damage.kept is None:
            raise
        _log.error("%s", damage)
        return Journal.open(path)


def agreed_at(config: Config) -> Agreed:
    """What the configuration agrees on; the settling time is longer where a button is on a board."""
    agreed = config.game.agreed
    settings: Mapping[str, str] = agreed.settings
    known = find_game(config.game.name).settings
    if not config.buttons_share_a_clock and "settle_s" in known and "settle_s" not in settings:
        settings = {**settings, "settle_s": SETTLE_WITH_BOARDS_S}
    return Agreed(agreed.players, agreed.edition, settings, agreed.starter)


def come_back(journal: Journal, config: Config) -> tuple[Table, bool]:
    """The table of the last game in the journal and True, if it was one like this; else a new game, written
    down, and False.

    RefereeError if the recorded game can't be played again: nothing is changed then.
    """
    agreed = agreed_at(config)
    last = journal.last_game()
    if last is not None and last.header.game == config.game.name and agreed_in(last.header) == agreed:
        table = opening_of(last.header)
        for step in replayed(journal, last):
            table = step.table
        return table, True
    table, _ = open_table(find_game(config.game.name), agreed, journal.last_at_us())
    journal.begin_game(header_of(table, config, None))
    return table, False


def header_of(table: Table, config: Config, heir: int | None) -> GameHeader:
    """The header of the game that has just begun at a table."""
    return GameHeader(
        at_us=table.at_us,
        game=table.game.name,
        edition=table.agreed.edition,
        players=table.agreed.players,
        settings=dict(table.agreed.settings),
        starter=table.agreed.starter,
        language=config.table.language,
        deck=config.table.deck,
        rules_version=table.game.rules_version,
        heir=heir,
        begun_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )
