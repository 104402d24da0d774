"""`taptable games export`: a game as one JSON object in a format that stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from journal_samples import EVENING, HEADER, write
from taptable.core.errors import JournalError
from taptable.memory.reading import JournalReader
from taptable.memory.records import Entry
from taptable.memory.transcript import export


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JournalReader]:
    write(tmp_path / "journal.sqlite")
    with JournalReader.open(tmp_path / "journal.sqlite") as journal:
        yield journal


def test_an_export_is_json_and_has_everything_of_its_game(journal: JournalReader) -> None:
    first, second = (json.loads(json.dumps(export(journal, game_id))) for game_id in (1, 2))
    assert {key: first[key] for key in first if key not in {"entries", "settings"}} == {
        "taptable-game": 1,
        "id": 1,
        "game": "online",
        "edition": "de",
        "players": 4,
        "starter": None,
        "language": "de",
        "deck": "family",
        "rules_version": "online/1",
        "heir": None,
        "begun_at_us": 0,
        "begun_utc": "2025-11-20T19:30:00Z",
        "length_us": 7_000_000,
        "outcome": {"winner": [2, 4], "by": "quotas"},
    }
    assert first["settings"] == HEADER.settings
    assert (second["starter"], second["heir"], second["outcome"]) == (2, {"seat": 2}, None)
    entries = [record for commit in EVENING for record in commit if isinstance(record, Entry)]
    assert len(first["entries"]) + len(second["entries"]) == len(entries)
    for told, entry in zip(first["entries"] + second["entries"], entries, strict=True):
        assert (told["at_us"], told["kind"]) == (entry.at_us, entry.kind)
        assert (told["line"], told["answer"]) == (entry.line, entry.answer)
        origin = entry.origin
        assert told.get("origin") == (origin and {"board": origin.board, "boot": origin.boot, "number": origin.number})


def test_a_game_that_is_not_there_is_no_export(journal: JournalReader) -> None:
    with pytest.raises(JournalError, match="no game 9"):
        export(journal, 9)
