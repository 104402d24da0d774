"""A league's worker that is killed within a commit: `python -m league.ingest_and_die DATABASE POINT NUMBER`. Before it
ingests anything it prints its table's id and key."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from typing import Any

from league.sending import League
from league.simulated_games import simulate_game
from sqlalchemy import event
from taptable.league import intake
from taptable.league.database import open_database

FIRST = "entries"
POINTS = (FIRST, "INSERT INTO games", "UPDATE streams", "commit", "reset")
"""Before entries are stored, however the database takes them; before a statement; right before the commit, and right
after it."""


def die_at(engine: Any, point: str, number: int) -> None:
    """Be killed when this passes for the time of this number, since the first entry was stored."""
    passed: Counter[str] = Counter()

    def pass_by(what: str) -> None:
        if what == FIRST or passed[FIRST]:
            passed[what] += 1
        if passed[point] == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def store(connection: Any, rows: Any) -> None:
        if rows:
            pass_by(FIRST)
        right(connection, rows)

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(point):
            pass_by(point)

    right, intake.store_entries = intake.store_entries, store
    event.listen(engine, "before_cursor_execute", execute)
    for what in ("commit", "reset"):
        event.listen(engine, what, lambda *_, what=what: pass_by(what))


if __name__ == "__main__":
    database = open_database(sys.argv[1])
    table = League(database).table()
    for seed in (1, 2):
        table.journal.play(simulate_game(seed))
    print(table.table.id, table.table.key, flush=True)
    die_at(database, sys.argv[2], int(sys.argv[3]))
    table.send_all(40)
