"""Reads the journal: for the list of games, for replay, and for a table that is restored. May run while another process
writes. Must not change anything, nor interpret a line: only the referee does."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from taptable.core.errors import JournalError
from taptable.memory.database import JournalDamaged, connect_to_read, translating_errors, version_of
from taptable.memory.game_export import Transcript
from taptable.memory.records import Entry, GameSummary, Row, Unreadable, entry_of_row, summary_of_row

_LARGEST_ID = 2**63 - 1  # SQLite's largest integer
_PAGE = 256  # entries fetched at once; a slow reader keeps no transaction open, so the writer can checkpoint

HEADER_COLUMNS = (
    "begun_at_us, begun_utc, game, edition, players, settings, starter, language, deck, rules_version, heir, manifest"
)
"""The columns in the order of `records.row_of_header`."""

_SUMMARIES = """
SELECT id, {header}, outcome,
    coalesce(ended_at_us, (SELECT at_us FROM entries WHERE game_id = games.id ORDER BY id DESC LIMIT 1), begun_at_us)
FROM games
"""

# Times never decrease, so the latest is in the last rows.
_LAST_AT_US = """
SELECT max(
    coalesce((SELECT max(begun_at_us, coalesce(ended_at_us, 0)) FROM games ORDER BY id DESC LIMIT 1), 0),
    coalesce((SELECT at_us FROM entries ORDER BY id DESC LIMIT 1), 0)
)
"""


class NoSuchGame(JournalError):
    """The journal has no game of this id."""


class JournalReader:
    """A journal opened for reading. Any method may raise `JournalError`, or `JournalDamaged` at a row that no journal
    wrote."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the journal at `path` for reading. Raises `JournalError` if there is none yet."""
        connection = connect_to_read(path)
        try:
            with translating_errors(path):
                if version_of(connection, path) == 0:
                    raise JournalError(f"journal {path} is still empty")
            return cls(path, connection)
        except BaseException:
            connection.close()
            raise

    def games(self) -> list[GameSummary]:
        """Return all games, in the order in which they began."""
        return self._summaries(_SUMMARIES + "ORDER BY id")

    def game(self, game_id: int) -> GameSummary:
        """Return one game by its id. Raises `NoSuchGame`."""
        found = self._summaries(_SUMMARIES + "WHERE id = ?", game_id) if game_id <= _LARGEST_ID else []
        if not found:
            raise NoSuchGame(f"there is no game {game_id} in journal {self.path}")
        return found[0]

    def game_ids(self, before: int | None = None, most: int = _LARGEST_ID) -> list[int]:
        """Return the ids of at most `most` games, the latest first; with `before`, only of games begun before that
        one."""
        with self._reading():
            found = self._connection.execute(
                "SELECT id FROM games WHERE id < ? ORDER BY id DESC LIMIT ?",
                (_LARGEST_ID if before is None else min(before, _LARGEST_ID), most),
            ).fetchall()
            return [row[0] for row in found]

    def last_game(self) -> GameSummary | None:
        """Return the game begun last, over or not, to which a table is restored."""
        found = self._summaries(_SUMMARIES + "ORDER BY id DESC LIMIT 1")
        return found[0] if found else None

    def entries(self, game_id: int, at_a_time: int = _PAGE) -> Iterator[Entry]:
        """Yield the entries of a game in order, fetched `at_a_time` at once. Entries written meanwhile follow."""
        last_id = 0
        while page := self.entries_after(game_id, last_id, at_a_time):
            yield from (entry for _, entry in page)
            last_id, _ = page[-1]

    def entries_after(self, game_id: int, after: int, most: int) -> list[tuple[int, Entry]]:
        """Return at most `most` entries of a game, in order, each with its id, from the first whose id is greater than
        `after` (0: from the beginning). The list ends before an unreadable row; a call that begins with one raises."""
        page: list[tuple[int, Entry]] = []
        with self._reading():
            rows = self._connection.execute(
                "SELECT id, at_us, kind, line, answer, board, boot, number FROM entries"
                " WHERE game_id = ? AND id > ? ORDER BY id LIMIT ?",
                (game_id, after, most),
            ).fetchall()
            for entry_id, *row in rows:
                if entry_id <= after:
                    raise Unreadable(f"entry {entry_id} found after entry {after}")
                try:
                    page.append((entry_id, entry_of_row(tuple(row))))
                except Unreadable:
                    if not page:
                        raise
                    break
        return page

    def last_note(self, game_id: int, text: str) -> Entry | None:
        """Return the last note of a game whose line contains `text` as a JSON string; None if there is none."""
        with self._reading():
            row: Row | None = self._connection.execute(
                "SELECT at_us, kind, line, answer, board, boot, number FROM entries"
                " WHERE game_id = ? AND kind = 'note' AND instr(line, ?) ORDER BY id DESC LIMIT 1",
                (game_id, json.dumps(text)),
            ).fetchone()
            return None if row is None else entry_of_row(row)

    def notes(self, game_id: int, text: str) -> list[Entry]:
        """Return the notes of a game whose lines contain `text` as a JSON string, in order."""
        with self._reading():
            rows = self._connection.execute(
                "SELECT at_us, kind, line, answer, board, boot, number FROM entries"
                " WHERE game_id = ? AND kind = 'note' AND instr(line, ?) ORDER BY id",
                (game_id, json.dumps(text)),
            )
            return [entry_of_row(row) for row in rows]

    def last_ids(self) -> tuple[int, int]:
        """Return the ids of the game begun last, and of the entry written last, in any game; 0 if there is none."""
        with self._reading():
            rows = "SELECT max(id) FROM games UNION ALL SELECT max(id) FROM entries"
            game, entry = self._connection.execute(rows).fetchall()
            return _whole_number(game) or 0, _whole_number(entry) or 0

    def last_at_us(self) -> int:
        """Return the latest table time in the journal, in µs; 0 in an empty one."""
        with self._reading():
            row: Row = self._connection.execute(_LAST_AT_US).fetchone()
            return _whole_number(row) or 0

    def highest_event_number(self, board: str, boot: int) -> int | None:
        """Return the highest event number of this board since that boot, or None."""
        with self._reading():
            row: Row = self._connection.execute(
                "SELECT max(number) FROM entries WHERE board = ? AND boot = ?", (board, boot)
            ).fetchone()
            return _whole_number(row)

    @property
    def version(self) -> int:
        """The version of the file's schema."""
        with translating_errors(self.path):
            return version_of(self._connection, self.path)

    def rows(self, query: str, *values: int) -> list[Any]:
        """Return the rows of a query, for other views of the journal in this package."""
        with translating_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _summaries(self, query: str, *values: int) -> list[GameSummary]:
        """Return the games that a query selects."""
        with self._reading():
            # a file of the first version is read as it is: only a writer migrates it
            header = HEADER_COLUMNS if self.version > 1 else HEADER_COLUMNS.replace("manifest", "''")
            rows = self._connection.execute(query.format(header=header), values)
            return [summary_of_row(row) for row in rows]

    @contextmanager
    def _reading(self) -> Generator[None]:
        """Turn errors of reading into JournalDamaged, which names the file."""
        with translating_errors(self.path):
            try:
                yield
            except Unreadable as error:
                raise JournalDamaged(self.path, str(error)) from error


def transcript_of(journal: JournalReader, game_id: int) -> Transcript:
    """Return a game of the journal as far as it is written. Raises `JournalError` if there is no such game."""
    return Transcript(journal.game(game_id), tuple(journal.entries(game_id)))


def _whole_number(row: Row) -> int | None:
    """Return the only number of a row; None if it is NULL."""
    match row:
        case (int() | None as number,):
            return number
        case _:
            raise Unreadable(f"{row!r} instead of a number")
