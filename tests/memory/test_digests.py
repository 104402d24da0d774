"""The running digest: the digest that the journal writes beside each record is the one that anybody computes from the
records that left the table, however they were split. Journals that differ have different digests."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from journal_samples import EVENING, HEADER, taken_entry, tap_entry, write
from taptable.core.errors import JournalError
from taptable.core.notices import CorrectionAsked, PlayersNamed
from taptable.core.tag_notices import MembersSeated
from taptable.memory.database import JournalDamaged
from taptable.memory.digest import EMPTY_DIGEST, digest_after
from taptable.memory.integrity import check
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Ending, Entry, to_json
from taptable.memory.stream import digest_at, digest_chain, identity_of, positions, records_after
from taptable.referee.lines import announcement_line

A_LOT = 2**20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def pages(journal: JournalReader, most: int = 64, most_bytes: int = A_LOT) -> Iterator[tuple[int, list[str]]]:
    """All pages of the stream, each with the number of the entry that it follows."""
    salt, after = identity_of(journal).salt, 0
    while page := records_after(journal, salt, after, most, most_bytes):
        yield after, page
        after = json.loads(page[-1])[1]


def streamed(journal: JournalReader, most: int = 64, most_bytes: int = A_LOT) -> list[str]:
    return [text for _, page in pages(journal, most, most_bytes) for text in page]


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(statement).rowcount > 0


def test_what_was_streamed_gives_the_digests_that_the_journal_has(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        digest = EMPTY_DIGEST
        for after, page in pages(journal, 3):
            assert digest == digest_at(journal, after)
            for text in page:
                digest = digest_after(digest, text)
        assert digest == digest_at(journal, journal.last_ids()[1])
        assert [link.digest for link in digest_chain(journal, identity_of(journal).salt)][-1] == digest


def test_a_header_stands_directly_before_the_first_entry_of_its_game_and_without_one_nowhere(path: Path) -> None:
    begun = [replace(HEADER, at_us=at_us) for at_us in range(5)]
    with Journal.open(path) as journal:
        journal.append(begun[0], begun[1], tap_entry(1), tap_entry(1))
        journal.append(begun[2])
        journal.append(begun[3])
        journal.append(tap_entry(4), begun[4])
    with Journal.open(path) as journal:  # the game that has no entry yet goes on as it began
        assert [json.loads(text)[:2] for text in streamed(journal)] == [
            ["game", 2], ["entry", 1], ["entry", 2], ["game", 4], ["entry", 3],
        ]  # fmt: skip
        journal.append(tap_entry(5))
        assert [json.loads(text)[:2] for text in streamed(journal)][-2:] == [["game", 5], ["entry", 4]]
    assert check(path) == ()


@pytest.mark.parametrize(("most", "most_bytes"), [(1, A_LOT), (3, A_LOT), (64, 1), (64, 20_000), (64, A_LOT)])
def test_pages_of_any_size_have_every_record_once(path: Path, most: int, most_bytes: int) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        whole = streamed(journal)
        assert len(whole) == len([record for commit in EVENING for record in commit if not isinstance(record, Ending)])
        assert streamed(journal, most, most_bytes) == whole
        for _, page in pages(journal, most, most_bytes):
            entries = [text for text in page if text.startswith('["entry"')]
            assert 1 <= len(entries) <= most
            assert len(entries) == 1 or sum(len(text.encode()) for text in page) <= most_bytes


def test_a_number_that_is_not_there_has_no_digest(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        last = journal.last_ids()[1]
        assert digest_at(journal, 0) == EMPTY_DIGEST
        assert digest_at(journal, last) is not None
        assert digest_at(journal, last + 1) is None
        assert records_after(journal, identity_of(journal).salt, last, 64, A_LOT) == []


def test_positions_are_the_end_and_where_the_latest_games_began(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        last = journal.last_ids()[1]
        firsts = [journal.entries_after(game, 0, 1)[0][0] - 1 for game in (2, 1)]
        assert [number for number, _ in positions(journal, 8)] == [last, *firsts]
        assert [number for number, _ in positions(journal, 1)] == [last, firsts[0]]
        assert all(digest == digest_at(journal, number) for number, digest in positions(journal, 8))


def test_positions_of_a_journal_in_which_nothing_stands(path: Path) -> None:
    with Journal.open(path) as journal:
        assert positions(journal, 8) == [(0, EMPTY_DIGEST)]


def test_every_journal_is_another_and_stays_what_it_is(path: Path) -> None:
    write(path, EVENING[:3])
    write(path.with_name("other.sqlite"), EVENING[:3])
    with Journal.open(path) as one, Journal.open(path.with_name("other.sqlite")) as other:
        assert one.identity.journal != other.identity.journal
        assert one.identity.salt != other.identity.salt
        was = one.identity
    with JournalReader.open(path) as journal:
        assert identity_of(journal) == was


def test_a_backup_that_was_restored_diverges_where_something_else_is_written(path: Path) -> None:
    write(path, EVENING[:4])
    backup = path.with_name("backup.sqlite")
    shutil.copy(path, backup)
    for each, at_us in ((path, 7_000_000), (backup, 8_000_000)):
        with Journal.open(each) as journal:
            journal.append(tap_entry(at_us))
            journal.append(tap_entry(9_000_000))
    with JournalReader.open(path) as one, JournalReader.open(backup) as other:
        assert identity_of(one) == identity_of(other)
        assert one.last_ids() == other.last_ids()
        same = [digest_at(one, number) == digest_at(other, number) for number in range(one.last_ids()[1] + 1)]
        assert same == [True] * (len(same) - 2) + [False, False]


def test_a_commit_that_failed_leaves_the_digest_as_it_was(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.append(HEADER, tap_entry(5))
        for bad in (tap_entry(1), Entry(6, "observation", {"at": float("nan")}), taken_entry(7, 2**70)):
            with pytest.raises(JournalError):
                journal.append(tap_entry(6), bad)
        journal.append(tap_entry(8), Ending(8, {"winner": [1]}))
        journal.append(tap_entry(9), Ending(9, None))
    assert check(path) == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET answer = json_set(answer, '$.verdict', 'refused') WHERE id = 5",
        "UPDATE entries SET at_us = at_us + 1 WHERE id = 5",
        "UPDATE entries SET digest = '' WHERE id = 5",
        "UPDATE games SET deck = 'other' WHERE id = 1",
        "UPDATE games SET digest = upper(digest) WHERE id = 2",
        "UPDATE identity SET salt = x'00'",
    ],
)
def test_what_was_altered_is_found(path: Path, statement: str) -> None:
    write(path)
    with Journal.open(path) as journal:
        journal.append(Entry(10_000_000, "observation", {"at": 10, "tap": "04a2b3c4d5e680", "pad": 1}))
    assert check(path) == ()
    change(path, statement)
    assert any("isn't as it was written" in finding for finding in check(path)), check(path)


def test_a_stream_ends_before_a_row_that_is_not_as_it_was_written_and_says_so(path: Path) -> None:
    write(path)
    change(path, "UPDATE entries SET line = '{' WHERE id = 5")
    with JournalReader.open(path) as journal:
        salt = identity_of(journal).salt
        assert [json.loads(text)[1] for text in records_after(journal, salt, 1, 64, A_LOT)] == [2, 3, 4]
        with pytest.raises(JournalDamaged, match="entry 5 or its game isn't as it was written"):
            records_after(journal, salt, 4, 64, A_LOT)


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM identity", "UPDATE identity SET salt = 5", "UPDATE entries SET digest = x'00' WHERE id = 15"],
)
def test_a_journal_without_its_identity_or_its_last_digest_is_kept_aside(path: Path, statement: str) -> None:
    write(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '')")
    change(path, statement)
    with pytest.raises(JournalDamaged, match="moved aside to"):
        Journal.open(path)
    Journal.open(path).close()


uids = st.binary(min_size=4, max_size=10).map(bytes.hex)
names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1, max_size=12).map(
    lambda name: f"<{name}>"
)
numbers = st.integers(0, 2**40) | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(st.characters(codec="utf-8"), max_size=8) | uids,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcé"), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def entries(draw: st.DrawFn) -> tuple[Entry, set[str]]:
    """An entry, and what of it must not leave the table."""
    uid, name = draw(uids), draw(names)
    other = draw(json_values)
    line = draw(
        st.sampled_from(
            [
                {"at": 1.5, "tap": uid, "pad": 1, "other": other},
                {"at": 1.5, "together": [uid, "online#1"], "pad": 2},
                {"at": 1e-7, "correct": {"laid": [[uid, 1]], "gone": [uid]}},
            ]
        )
    )
    if draw(st.booleans()):
        return Entry(0, "observation", line, {"facts": {"tag": uid, "more": [other, uid]}}), {uid}
    note = draw(
        st.sampled_from(
            [
                announcement_line(PlayersNamed(0, (name, "", name))),
                announcement_line(CorrectionAsked(0, "lost", None, name)),
                {"type": "of-a-later-version", "who": name, "tag": uid},
            ]
        )
    )
    return Entry(0, "note", note), {name, uid}


@given(st.lists(entries(), min_size=1, max_size=12), st.integers(1, 5), st.integers(1, 2000))
@settings(max_examples=60, deadline=None)
def test_no_tag_and_no_name_leaves_the_table_and_digests_can_be_made_again(
    told: list[tuple[Entry, set[str]]], most: int, most_bytes: int
) -> None:
    with TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite") as journal:
        for entry, _ in told:
            journal.append(HEADER, entry)
        digest, texts = EMPTY_DIGEST, streamed(journal, most, most_bytes)
        for text in texts:
            assert to_json(json.loads(text)) == text  # reading and writing it again gives the same text
            digest = digest_after(digest, text)
        assert len(texts) == 2 * len(told)
        assert digest == digest_at(journal, len(told))
        for secret in set[str]().union(*(secrets for _, secrets in told)):
            assert not any(secret in text for text in texts)
        assert check(journal.path) == ()


def test_who_sits_where_leaves_the_table_as_it_is(path: Path) -> None:
    seated = announcement_line(MembersSeated(0, ("0123456789abcdef", "")))
    with Journal.open(path) as journal:
        journal.append(HEADER, Entry(0, "note", seated))
        assert json.loads(streamed(journal)[-1]) == ["entry", 1, 0, "note", seated, None]


def test_a_tag_has_the_same_other_number_all_along_and_another_in_another_journal(path: Path) -> None:
    tap = Entry(0, "observation", {"at": 0, "tap": "04a2b3c4d5e680", "pad": 1})
    told: list[str] = []
    for name in ("one.sqlite", "two.sqlite"):
        for at_us in (0, 1):
            with Journal.open(path.with_name(name)) as journal:
                journal.append(HEADER if at_us == 0 else Ending(0, None), tap)
        with JournalReader.open(path.with_name(name)) as journal:
            first, again = (json.loads(text)[4]["tap"] for text in streamed(journal) if text.startswith('["entry"'))
            assert first == again
            told.append(first)
    assert len({*told, "04a2b3c4d5e680"}) == 3
    assert {len(each) for each in told} == {14}
