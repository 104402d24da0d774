"""A game out of the journal as one JSON object, for keeping, sending and reading by other programs. The format is
described in docs/journal.md and only ever added to. Knows no rule: telling it move by move is the referee's work."""

from __future__ import annotations

from typing import Any

from taptable.memory.reading import JournalReader
from taptable.memory.records import Entry

FORMAT = 1
"""The version of the format, under the key ``taptable-game``."""


def export(journal: JournalReader, game_id: int) -> dict[str, Any]:
    """The whole game, ready for `json.dumps`; `JournalError` if there is no such game."""
    game = journal.game(game_id)
    header = game.header
    return {
        "taptable-game": FORMAT,
        "id": game.id,
        "game": header.game,
        "edition": header.edition,
        "players": header.players,
        "settings": dict(header.settings),
        "starter": header.starter,
        "language": header.language,
        "deck": header.deck,
        "rules_version": header.rules_version,
        "heir": header.heir,
        "begun_at_us": header.at_us,
        "begun_utc": header.begun_utc,
        "length_us": game.length_us,
        "outcome": game.outcome,
        "entries": [_entry(entry) for entry in journal.entries(game_id)],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    """One entry, with its origin where it has one."""
    told: dict[str, Any] = {"at_us": entry.at_us, "kind": entry.kind, "line": entry.line, "answer": entry.answer}
    if entry.origin is not None:
        told["origin"] = {"board": entry.origin.board, "boot": entry.origin.boot, "number": entry.origin.number}
    return told
