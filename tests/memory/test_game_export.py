"""`taptable games export`: a game as one JSON object in a format that stays, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from journal_samples import EVENING, HEADER, write
from taptable.core.device_events import Origin
from taptable.core.errors import JournalError
from taptable.memory.game_export import export_text, pseudonymize_tags, transcript_in
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.records import Entry


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JournalReader]:
    write(tmp_path / "journal.sqlite")
    with JournalReader.open(tmp_path / "journal.sqlite") as journal:
        yield journal


def test_an_export_is_json_and_has_everything_of_its_game(journal: JournalReader) -> None:
    first, second = (json.loads(export_text(transcript_of(journal, game_id))) for game_id in (1, 2))
    assert {key: first[key] for key in first if key not in {"entries", "settings"}} == {
        "taptable-game": 1,
        "id": 1,
        "game": "online",
        "edition": "de",
        "players": 4,
        "starter": None,
        "language": "de",
        "deck": "family",
        "manifest": "",
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
        transcript_of(journal, 9)


@pytest.mark.parametrize("game_id", [1, 2])
def test_a_file_says_what_the_journal_says(journal: JournalReader, game_id: int) -> None:
    transcript = transcript_of(journal, game_id)
    text = export_text(transcript)
    assert transcript_in(text.encode(), "game.json") == transcript


def test_a_file_has_an_entry_a_line(journal: JournalReader) -> None:
    text = export_text(transcript_of(journal, 2))
    entries = [line for line in text.splitlines() if line.startswith('    {"at_us":')]
    assert len(entries) == len(json.loads(text)["entries"]) == 2


def test_a_file_without_tags_has_another_name_for_each_and_the_rest_as_it_is() -> None:
    names = {"04c0ffee": "tag-1", "5ac81e90": "tag-2"}
    told = Entry(
        1, "observation", {"at": 1.0, "together": ["04c0ffee", "email#1"], "pad": 2, "since": 0.9}, {"at": 1.0}
    )
    again = Entry(2, "observation", {"at": 2.0, "tap": "04c0ffee", "pad": 3}, {"announcements": [{"card": "5ac81e90"}]})
    note = Entry(3, "note", {"type": "part-lost", "part": "board 3", "reason": "gone"}, None, Origin("0badcafe", 1, 2))
    assert [pseudonymize_tags(each, names.__getitem__) for each in (told, again, note)] == [
        replace(told, line={"at": 1.0, "together": ["tag-1", "email#1"], "pad": 2, "since": 0.9}),
        replace(
            again,
            line={"at": 2.0, "tap": "tag-1", "pad": 3},
            answer={"announcements": [{"card": "tag-2"}]},
        ),
        note,
    ]


def test_a_game_without_an_entry_can_be_written_and_read(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "new.sqlite") as journal:
        journal.begin_game(HEADER)
        transcript = transcript_of(journal, 1)
    assert transcript_in(export_text(transcript).encode(), "game.json") == transcript


def tampered(journal: JournalReader, change: Callable[[dict[str, Any]], object]) -> bytes:
    told = json.loads(export_text(transcript_of(journal, 1)))
    change(told)
    return json.dumps(told).encode()


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (lambda told: told.pop("taptable-game"), 'is no recorded game: it begins with {"taptable-game": 1'),
        (lambda told: told.update({"taptable-game": 2}), "a recorded game of format 2, and this taptable knows 1"),
        (lambda told: told.update(deck="\x1b[2J"), "no recorded game: it has control characters in a text"),
        (lambda told: told["settings"].update({"\x9b": "1"}), "no recorded game: it has control characters in a text"),
        (lambda told: told["entries"][0]["line"].update(x=["\u202e"]), "it has control characters in a text"),
        (lambda told: told.pop("players"), "missing, or not as an export has them: players"),
        (lambda told: told.update(players=True, deck=3), "as an export has them: players, deck"),
        (lambda told: told.update(settings={"claim_s": 10}), "settings are texts"),
        (lambda told: told["entries"].append([]), r"entry \d+ is no JSON object"),
        (lambda told: told["entries"][0].pop("at_us"), "entry 1: missing, or not as an export has them: at_us"),
        (lambda told: told["entries"][0].update(kind="move"), "entry 1 is none: its kind is one of observation"),
        (lambda told: told["entries"][0].update(line=None), "entry 1 is none: its kind is one of .* with a line"),
        (lambda told: told["entries"][0]["origin"].pop("boot"), "entry 1: missing, .*: boot"),
    ],
)
def test_a_file_that_is_no_export_is_named_with_what_is_wrong(
    journal: JournalReader, change: Callable[[dict[str, Any]], object], trouble: str
) -> None:
    with pytest.raises(JournalError, match=f"^game.json.*{trouble}"):
        transcript_in(tampered(journal, change), "game.json")


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe{", b"[" * 100_000, b"[]", b"null", b'"taptable-game"'])
def test_any_other_file_is_none(data: bytes) -> None:
    with pytest.raises(JournalError, match=r"^game\.json is no recorded game: "):
        transcript_in(data, "game.json")
