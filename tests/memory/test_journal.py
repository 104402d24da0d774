"""Memory: what the table noticed is in the journal before its cue and its acknowledgement, and is found there again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from journal_samples import EVENING, HEADER, expected_contents, read_contents, tap_entry, write
from taptable.core.device_events import Origin
from taptable.core.errors import JournalError
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Ending, Entry


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def test_what_was_written_is_read_again_in_order(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        assert read_contents(journal) == expected_contents(EVENING)


def test_each_append_is_one_commit_and_is_published_after_it_is_there(path: Path) -> None:
    seen: list[tuple[object, object]] = []

    def look(records: tuple[object, ...]) -> None:
        with JournalReader.open(path) as reader:
            seen.append((records, read_contents(reader)))

    with Journal.open(path, on_commit=look) as journal:
        for commit in EVENING:
            journal.append(*commit)
    assert seen == [(commit, expected_contents(EVENING[: n + 1])) for n, commit in enumerate(EVENING)]


def test_an_event_with_an_origin_is_taken_once(path: Path) -> None:
    write(path, ((HEADER,), (tap_entry(1, number=7),)))
    with Journal.open(path) as journal:
        assert journal.highest_event_number("seat-1", 3) == 7
        with pytest.raises(JournalError, match="number=7"):
            journal.append(tap_entry(2), tap_entry(2, number=7))
        with pytest.raises(JournalError, match="number=8"):
            journal.append(tap_entry(2, number=8), tap_entry(2, number=8))
        assert read_contents(journal) == expected_contents(((HEADER,), (tap_entry(1, number=7),)))


@pytest.mark.parametrize("origin", [Origin("seat-1", 3, 8), Origin("seat-1", 2, 7), Origin("seat-2", 3, 7)])
def test_another_number_boot_or_board_is_another_event(path: Path, origin: Origin) -> None:
    write(path, ((HEADER,), (tap_entry(1, number=7),)))
    with Journal.open(path) as journal:
        journal.append(Entry(2, "taken", origin=origin))
        assert journal.highest_event_number(origin.board, origin.boot) == origin.number


def test_the_highest_number_taken_is_that_of_the_board_and_boot(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        assert journal.highest_event_number("seat-1", 3) == 10
        assert journal.highest_event_number("seat-1", 4) is None
        assert journal.highest_event_number("seat-2", 3) is None


@pytest.mark.parametrize(
    "record",
    [tap_entry(4_999_999), Ending(4_999_999, {}), replace(HEADER, at_us=4_999_999)],
    ids=lambda r: type(r).__name__,
)
def test_table_time_never_falls(path: Path, record: Entry | Ending) -> None:
    write(path, ((HEADER,), (tap_entry(5_000_000),)))
    with Journal.open(path) as journal:
        with pytest.raises(JournalError, match=r"at_us=4999999.*5000000 µs"):
            journal.append(record)
        journal.append(tap_entry(5_000_000))


def test_table_time_goes_on_from_the_last_that_is_in_the_journal(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.last_at_us() == 0
        for commit in EVENING:
            journal.append(*commit)
            assert journal.last_at_us() == commit[-1].at_us
    with Journal.open(path) as journal:
        assert journal.last_at_us() == 9_000_000


def test_the_table_comes_back_to_the_game_begun_last_also_when_it_is_over(path: Path) -> None:
    with Journal.open(path) as journal:
        assert journal.last_game() is None
        assert journal.begin_game(HEADER) == 1
        assert journal.begin_game(replace(HEADER, edition="en")) == 2
        journal.append(Ending(9, {"winner": [2]}))
        last = journal.last_game()
    assert last is not None
    assert (last.id, last.header.edition, last.outcome, last.winner) == (2, "en", {"winner": [2]}, (2,))


def test_the_end_of_a_game_can_be_taken_back(path: Path) -> None:
    write(path, ((HEADER,), (Ending(5, {"winner": [1]}),), (tap_entry(6), Ending(6, None))))
    with JournalReader.open(path) as journal:
        game = journal.game(1)
    assert (game.outcome, game.winner, game.last_at_us) == (None, None, 6)


def test_a_list_of_games_tells_date_players_edition_length_and_winner(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal:
        first, second = journal.games()
    assert (first.header.begun_utc, first.header.players, first.header.edition) == ("2025-11-20T19:30:00Z", 4, "de")
    assert (first.length_us, first.winner) == (7_000_000, (2, 4))
    assert (second.length_us, second.winner) == (1_000_000, None)


def test_games_are_found_by_their_ids_the_last_begun_first(path: Path) -> None:
    write(path, ((HEADER,),) * 5)
    with JournalReader.open(path) as journal:
        assert journal.game_ids() == [5, 4, 3, 2, 1]
        assert journal.game_ids(most=2) == [5, 4]
        assert journal.game_ids(4, 2) == [3, 2]
        assert journal.game_ids(2**200, 1) == [5]


def test_a_game_is_read_a_few_entries_at_a_time(path: Path) -> None:
    entries = [tap_entry(at_us) for at_us in range(7)]
    write(path, ((HEADER, *entries[:4]), (replace(HEADER, at_us=3), *entries[4:])))
    with JournalReader.open(path) as journal:
        assert journal.entries_after(1, 0, 3) == [(1, entries[0]), (2, entries[1]), (3, entries[2])]
        assert journal.entries_after(1, 3, 3) == [(4, entries[3])]
        assert journal.entries_after(1, 4, 3) == []


def test_nothing_is_written_before_a_game_has_begun(path: Path) -> None:
    with Journal.open(path) as journal, pytest.raises(JournalError, match="no game has begun"):
        journal.append(tap_entry(1))


@pytest.mark.parametrize(
    "entry",
    [
        Entry(1, "observation", {"tap": object()}),
        Entry(1, "observation", {"at": float("nan")}),
        Entry(1, "observation", {"tap": "\ud800"}),
        Entry(1, "observation"),
        Entry(1, "taken"),
        Entry(1, "guess", {}),  # type: ignore[arg-type]  # what a type checker would have found
        Entry(1, "taken", origin=Origin("seat-1", 0, 2**64)),
    ],
    ids=["no JSON", "NaN", "surrogate", "no line", "no origin", "no such kind", "number too large"],
)
def test_what_cannot_be_written_is_named_and_nothing_of_its_commit_is_written(path: Path, entry: Entry) -> None:
    with Journal.open(path) as journal:
        journal.begin_game(HEADER)
        with pytest.raises(JournalError, match="can't take"):
            journal.append(tap_entry(1), entry)
        assert read_contents(journal) == expected_contents(((HEADER,),))
        journal.append(tap_entry(1))


def test_a_game_that_is_not_there_is_named(path: Path) -> None:
    write(path)
    with JournalReader.open(path) as journal, pytest.raises(JournalError, match="no game 3 in journal"):
        journal.game(3)


def test_nothing_to_append_is_no_commit(path: Path) -> None:
    commits: list[object] = []
    with Journal.open(path, on_commit=commits.append) as journal:
        journal.append()
    assert commits == []
