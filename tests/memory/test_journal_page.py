"""docs/journal.md says what the code does."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from journal_samples import write
from taptable.core.device_events import Origin
from taptable.core.notices import CorrectionAsked, PlayersNamed, RestartBrokeOff
from taptable.core.tag_notices import MemberCardAwaited, MemberSeen, MembersSeated
from taptable.memory import database
from taptable.memory.deck import CONTROLS
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.game_export import FORMAT, export_text
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import transcript_of
from taptable.memory.records import Entry, GameHeader
from taptable.referee.lines import ARRANGEMENT_KEYS, announcement_line, observation_line, parse_recorded
from taptable.referee.notes import parse_notice

PAGE = (Path(__file__).parents[2] / "docs" / "journal.md").read_text()


QUERIES: list[str] = re.findall(r"(?<!-->\n)^```sql\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def blocks(name: str) -> list[str]:
    """Return the code blocks with this name in the comment before them."""
    return re.findall(rf"^<!-- {name} -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_schema_is_the_one_on_the_page() -> None:
    assert blocks("schema") == list(database.MIGRATIONS)
    assert f"Schema {database.VERSION}." in PAGE
    assert f"`PRAGMA application_id` is {database.APPLICATION_ID} (`tapt`)" in PAGE


@pytest.mark.parametrize("query", QUERIES)
def test_the_queries_on_the_page_give_an_answer(tmp_path: Path, query: str) -> None:
    write(tmp_path / "journal.sqlite")
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.execute("UPDATE entries SET answer = json_set(answer, '$.verdict', 'refused') WHERE id = 1")
        assert connection.execute(query).fetchall()


def test_the_export_on_the_page_is_what_export_writes(tmp_path: Path) -> None:
    (text,) = blocks("game")
    told = json.loads(text)
    assert told["taptable-game"] == FORMAT
    game_options = {
        key: told[key] for key in ("game", "edition", "players", "settings", "starter", "language", "deck", "manifest")
    }
    header = GameHeader(
        at_us=told["begun_at_us"],
        rules_version=told["rules_version"],
        begun_utc=told["begun_utc"],
        next_starter=told["heir"],
        **game_options,
    )
    entries = [
        Entry(**{**entry, "origin": Origin(**entry["origin"]) if "origin" in entry else None})
        for entry in told["entries"]
    ]
    with Journal.open(tmp_path / "journal.sqlite") as journal:
        journal.append(header, *entries)
        assert list(json.loads(export_text(transcript_of(journal, 1))).items()) == list(told.items())


def test_the_lines_that_only_a_journal_has_are_all_on_the_page() -> None:
    (text,) = blocks("lines")
    lines = [json.loads(line) for line in text.splitlines()]
    assert {key for line in lines for key in line} - {"at", "pad", "since"} == {"together", *ARRANGEMENT_KEYS}
    for line in lines:
        assert observation_line(parse_recorded(line, (1, 2, 3, "discard"))) == line


PEOPLE = CorrectionAsked | PlayersNamed | MemberCardAwaited | MemberSeen | MembersSeated | RestartBrokeOff


def test_the_notes_about_people_are_those_that_are_written() -> None:
    (text,) = blocks("notes")
    for line in map(json.loads, text.splitlines()):
        note = parse_notice(line)
        assert isinstance(note, PEOPLE)
        assert announcement_line(note) == line


def test_the_deck_on_the_page_is_what_is_saved() -> None:
    (text,) = blocks("deck")
    assert text_of(deck_of(text.encode(), "docs/journal.md")) == text


def test_every_control_is_on_the_page() -> None:
    assert ", ".join(f"`{control}`" for control in CONTROLS[:-1]) + f" or `{CONTROLS[-1]}`, and those" in PAGE
