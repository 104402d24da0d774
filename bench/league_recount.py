"""How long a recount of ratings holds up a league: the games of one of two tables are annulled, and the annulment is
undone."""

from __future__ import annotations

import random
import time
from collections.abc import Generator
from contextlib import contextmanager

import servers
from sqlalchemy import Engine, event, insert
from taptable.league.annulling import annul, undo_annulment
from taptable.league.database import migrate, open_database, write_transaction
from taptable.league.ratings import rate_new_games
from taptable.league.schema import ENDED, PROVED, clubs, games, seasons, seats, streams, tables

from bench.league import POSTGRES_SETTINGS

MEMBERS = 300
SEATS = 4
AT_ONCE = 10_000
GAME = "online"


def measure_recount(number: int) -> None:
    """Count that many games on SQLite and on PostgreSQL, annul every other one, and undo that; print how long each
    took, and its longest transaction."""
    with servers.a_folder() as folder:
        _measure("SQLite", f"sqlite:///{folder / 'league.sqlite'}", number)
    with servers.postgresql(POSTGRES_SETTINGS) as postgres:
        _measure("PostgreSQL", postgres.database("league"), number)


def _measure(name: str, database: str, number: int) -> None:
    engine = open_database(database)
    migrate(engine)
    _fill(engine, number)
    with _timed(engine, f"{name}: {number:,} games counted"):
        rate_new_games(engine, GAME)
    with _timed(engine, f"{name}: half of them annulled"):
        with write_transaction(engine) as connection:
            annulment = annul(connection, "a", 0, number, "administrator", 0).id
        rate_new_games(engine, GAME)
    with _timed(engine, f"{name}: that undone"):
        with write_transaction(engine) as connection:
            undo_annulment(connection, annulment, 0)
        rate_new_games(engine, GAME)
    engine.dispose()


@contextmanager
def _timed(engine: Engine, what: str) -> Generator[None]:
    """Measure the time of the work, and of each of its transactions from its begin to its commit."""
    began_s, took_s = time.monotonic(), [0.0]
    opened_s = began_s

    def begins(_: object) -> None:
        nonlocal opened_s
        opened_s = time.monotonic()

    def ends(_: object) -> None:
        took_s.append(time.monotonic() - opened_s)

    event.listen(engine, "begin", begins)
    event.listen(engine, "commit", ends)
    try:
        yield
    finally:
        event.remove(engine, "begin", begins)
        event.remove(engine, "commit", ends)
    whole_s = time.monotonic() - began_s
    print(f"{what}: {whole_s:.1f} s, {len(took_s) - 1} transactions, the longest {max(took_s):.2f} s", flush=True)


def _fill(engine: Engine, number: int) -> None:
    """Store that many games of two tables, by turns, with random members at their seats."""
    dice = random.Random(1)
    with write_transaction(engine) as connection:
        connection.execute(insert(clubs), [{"id": "club", "name": "club"}])
        connection.execute(insert(seasons), [{"id": 1, "name": "2026", "begins": 0, "ends": 10**10}])
        table = {"club": "club", "key": "00", "shard": 0, "added": 0}
        connection.execute(insert(tables), [{"id": each, "name": each, **table} for each in "ab"])
        stream = {"journal": "0" * 32, "branch": 0, "number": 0, "digest": "", "begun": 0}
        connection.execute(
            insert(streams), [{"id": place, "table_id": each, **stream} for place, each in enumerate("ab")]
        )
        game = {
            "record": "", "after": 0, "after_digest": "", "last": 0, "season": 1, "clock_wrong": False, "game": GAME,
            "edition": "en", "players": SEATS, "rules_version": "", "status": ENDED, "proof": PROVED, "why": "",
            "superseded": False, "unit": "", "length_us": 1,
        }  # fmt: skip
        for first in range(0, number, AT_ONCE):
            several = range(first, min(first + AT_ONCE, number))
            connection.execute(
                insert(games),
                [
                    {"id": i, "stream": i % 2, "table_id": "ab"[i % 2], "in_journal": i, "begun": i, "ended": i, **game}
                    for i in several
                ],
            )
            connection.execute(
                insert(seats),
                [
                    {"game_id": i, "seat": seat, "member": f"{member:016x}", "team": seat, "score": 1, "place": seat,
                     "points": SEATS - seat}
                    for i in several
                    for seat, member in enumerate(dice.sample(range(MEMBERS), SEATS), 1)
                ],
            )  # fmt: skip
