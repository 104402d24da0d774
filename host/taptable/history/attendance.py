"""Finds out at which seats a member sat in a recorded game, from the journal's notices, for the account of a member's
games. Must not know names: the journal has members' ids only."""

from __future__ import annotations

from typing import Any

from taptable.core.announcements import type_name
from taptable.core.tag_notices import MembersSeated
from taptable.memory.database import JournalDamaged
from taptable.memory.journal_reader import JournalReader
from taptable.referee.notes import parse_notice


def seats_in(journal: JournalReader, game_id: int, member: str) -> dict[str, Any] | None:
    """Return the seats of a member in a game, in the order of sitting down, ready for JSON; None if there are none, or
    if the game can't be read."""
    try:
        game = journal.game(game_id)
        notes = [parse_notice(entry.line or {}) for entry in journal.notes(game_id, type_name(MembersSeated))]
    except JournalDamaged:
        return None
    seats: list[int] = []
    for note in notes:
        if isinstance(note, MembersSeated) and member in note.members:
            # a person who plays on for somebody else sits at two
            new = [seat for seat, each in enumerate(note.members, 1) if each == member]
            seats += [] if seats[-len(new) :] == new else [seat for seat in new if seats[-1:] != [seat]]
    if not seats:
        return None
    return {"game": game.id, "played": game.header.game, "begun_utc": game.header.begun_utc, "seats": seats}
