"""A short evening as commits, and the contents of a journal that holds some of them, by the tests' own model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from taptable.core.device_events import Origin
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Ending, Entry, GameHeader, Record

Commit = tuple[Record, ...]

HEADER = GameHeader(
    at_us=0,
    game="online",
    edition="de",
    players=4,
    settings={"claim_s": "10"},
    starter=None,
    language="de",
    deck="family",
    rules_version="online/1",
    begun_utc="2025-11-20T19:30:00Z",
)


def tap_entry(at_us: int, number: int | None = None, padding: int = 0) -> Entry:
    """A tap; from event `number` of a board if given, and `padding` longer."""
    line = {"at": at_us / 1e6, "tap": "online#1", "pad": 1}
    announcements = [{"type": "card-laid", "card": "online#1", "note": "é" * padding}]
    answer = {"at": at_us / 1e6, "verdict": "accepted", "announcements": announcements}
    return Entry(at_us, "observation", line, answer, None if number is None else Origin("seat-1", 3, number))


def taken_entry(at_us: int, number: int) -> Entry:
    return Entry(at_us, "taken", origin=Origin("seat-1", 3, number))


EVENING: tuple[Commit, ...] = (
    (HEADER,),
    (tap_entry(1_000_000, 1),),
    (tap_entry(2_000_000, 2), taken_entry(2_000_000, 3)),
    (Entry(2_500_000, "note", {"note": "pad 3 is deaf"}),),
    (tap_entry(3_000_000, 4, padding=9000),),
    (tap_entry(4_000_000), tap_entry(4_000_000), taken_entry(4_100_000, 6), taken_entry(4_100_000, 5)),
    (tap_entry(5_000_000, 7), Ending(5_000_000, {"winner": [1, 3], "by": "quotas"})),
    (tap_entry(6_000_000), Ending(6_000_000, None)),
    (tap_entry(7_000_000, 8), Ending(7_000_000, {"winner": [2, 4], "by": "quotas"})),
    (tap_entry(8_000_000), replace(HEADER, at_us=8_000_000, starter=2, next_starter={"seat": 2})),
    (tap_entry(8_500_001, 9, padding=3000),),
    (taken_entry(9_000_000, 10),),
)

JournalContents = list[tuple[GameHeader, tuple[Entry, ...], object]]


def write(path: Path, commits: tuple[Commit, ...] = EVENING) -> None:
    """A journal with these commits, closed."""
    with Journal.open(path) as journal:
        for commit in commits:
            journal.append(*commit)


def read_contents(journal: JournalReader) -> JournalContents:
    """All contents of a journal about its games."""
    return [(game.header, tuple(journal.entries(game.id)), game.outcome) for game in journal.games()]


def expected_contents(commits: tuple[Commit, ...]) -> JournalContents:
    """The contents that a journal with these commits must have."""
    games: JournalContents = []
    for record in (record for commit in commits for record in commit):
        if isinstance(record, GameHeader):
            games.append((record, (), None))
            continue
        header, entries, outcome = games[-1]
        games[-1] = (
            (header, entries, record.outcome) if isinstance(record, Ending) else (header, (*entries, record), outcome)
        )
    return games


def last_at_us(commits: tuple[Commit, ...]) -> int:
    return max((record.at_us for commit in commits for record in commit), default=0)
