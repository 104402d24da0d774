"""Redaction of names: they vanish from a journal's notes, its file and its WAL, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
from journal_samples import EVENING, expected_contents, read_contents, write
from taptable.core.errors import JournalError
from taptable.core.notices import CorrectionAsked, Notice, PlayersNamed
from taptable.core.tag_notices import DeckChosen, EnrolmentBegan, EnrolmentMode
from taptable.memory.database import wal_file_of
from taptable.memory.integrity import check
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Entry
from taptable.memory.stream import digest_at
from taptable.referee.lines import announcement_line
from taptable.referee.notes import parse_notice

AT_US = 20_000_000


def noted(*notices: Notice) -> list[Entry]:
    return [Entry(AT_US, "note", announcement_line(notice)) for notice in notices]


NAMED = noted(
    PlayersNamed(AT_US, ("Annabella", "", "Benedikt")),
    CorrectionAsked(AT_US, "lost", None, "Annabella"),
    CorrectionAsked(AT_US, "pause", 2, ""),
    CorrectionAsked(AT_US, "pause", None, "administrator"),
    DeckChosen(AT_US, "family", "Benedikt"),
    EnrolmentBegan(AT_US, "family", EnrolmentMode.ENROL, "", (), "Annabella"),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite"
    write(path)
    with Journal.open(path) as journal:
        journal.append(*NAMED)
    return path


def stands_in(path: Path, name: str) -> bool:
    return any(name.encode() in file.read_bytes() for file in (path, wal_file_of(path)) if file.exists())


def notices(journal: JournalReader) -> list[Notice | None]:
    return [parse_notice(entry.line or {}) for entry in [*journal.entries(2)][-len(NAMED) :]]


def test_all_names_are_blotted_out_of_notes_file_and_wal_and_nothing_else_is_changed(path: Path) -> None:
    with Journal.open(path) as journal:
        last = journal.last_ids()[1]
        digests = [digest_at(journal, number) for number in range(last + 1)]
        assert stands_in(path, "Annabella")
        assert stands_in(path, "Benedikt")
        assert journal.redact_names() == 4
        assert notices(journal) == [
            PlayersNamed(AT_US, ("", "", "")),
            CorrectionAsked(AT_US, "lost", None, "page"),
            CorrectionAsked(AT_US, "pause", 2, ""),
            CorrectionAsked(AT_US, "pause", None, "administrator"),
            DeckChosen(AT_US, "family", "page"),
            EnrolmentBegan(AT_US, "family", EnrolmentMode.ENROL, "", (), "page"),
        ]
        assert [digest_at(journal, number) for number in range(last + 1)] == digests
        assert not stands_in(path, "Annabella")
        assert not stands_in(path, "Benedikt")
        assert journal.redact_names() == 0
        journal.append(*noted(PlayersNamed(AT_US, ("Carl",))))
    assert check(path) == ()
    with JournalReader.open(path) as journal:
        assert read_contents(journal)[0] == expected_contents(EVENING)[0]


def test_only_some_names_are_blotted_out(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.redact_names({"Benedikt", "page"}) == 2
        assert notices(journal)[0] == PlayersNamed(AT_US, ("Annabella", "", ""))
        assert notices(journal)[1] == CorrectionAsked(AT_US, "lost", None, "Annabella")
        assert not stands_in(path, "Benedikt")


def test_while_somebody_reads_the_names_may_stay_in_the_wal_which_is_reported_and_cleared_later(path: Path) -> None:
    with Journal.open(path) as journal, JournalReader.open(path) as reader:
        reader._connection.execute("BEGIN")
        assert reader.last_ids()[1] > 0
        with pytest.raises(JournalError, match=r"taken out .* journal.sqlite-wal may still have them.*try again"):
            journal.redact_names()
        assert notices(journal)[0] == PlayersNamed(AT_US, ("", "", ""))
        reader._connection.execute("COMMIT")
        journal.append(*noted(PlayersNamed(AT_US, ("Carl",))))
        journal.redact_names({"Annabella", "Benedikt"})
        assert not stands_in(path, "Annabella")
