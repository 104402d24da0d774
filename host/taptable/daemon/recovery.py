"""Coming back: from the journal to the table as it stood when the power went, or to a fresh one where there is
nothing to go on with."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

from taptable.config import Config
from taptable.core.errors import JournalError
from taptable.daemon.agreement import agreed_at, agreed_in
from taptable.daemon.playback import OtherRules, table_after
from taptable.games.registry import find_game
from taptable.memory.faults import JournalDamaged
from taptable.memory.journal import Journal
from taptable.memory.reading import JournalReader
from taptable.memory.records import GameHeader
from taptable.memory.transcript import transcript_of
from taptable.referee.replaying import Departure
from taptable.referee.step import Table, open_table

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


def come_back(journal: Journal, config: Config, deck: str) -> tuple[Table, bool]:
    """The table as it stood and True; or, where there is nothing to go on with, one with a new game, written down as
    played with this deck, and False. JournalError as from `stood`: nothing is changed then."""
    table = stood(journal, config)
    if table is not None:
        return table, True
    table, _ = open_table(find_game(config.game.name), agreed_at(config), journal.last_at_us())
    journal.begin_game(header_of(table, config, None, deck))
    return table, False


def stood(journal: JournalReader, config: Config) -> Table | None:
    """The table after the last game in the journal, if it was one as configured; None if there is nothing to go on
    with. JournalError if that game is still running and can't be played again."""
    last = journal.last_game()
    if last is None:
        return None
    if last.header.game != config.game.name or agreed_in(last.header) != agreed_at(config):
        if last.outcome is None:
            _log.warning("game %d isn't over, but was agreed otherwise than the configuration says", last.id)
        return None
    transcript = transcript_of(journal, last.id)
    try:
        return table_after(transcript)
    except (Departure, OtherRules) as error:
        trouble = f"game {last.id} in journal {journal.path} can't be gone on with: {error}"
        if last.outcome is None:
            raise JournalError(f"{trouble}; to begin anew, move the journal elsewhere") from error
        _log.warning("%s; it is over, and a new one begins", trouble)
        return None


def header_of(table: Table, config: Config, heir: int | None, deck: str) -> GameHeader:
    """The header of the game that has just begun at a table, played with this deck."""
    return GameHeader(
        at_us=table.at_us,
        game=table.game.name,
        edition=table.agreed.edition,
        players=table.agreed.players,
        settings=dict(table.agreed.settings),
        starter=table.agreed.starter,
        language=config.table.language,
        deck=deck,
        rules_version=table.game.rules_version,
        heir=heir,
        begun_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )
