"""A league's worker that is killed within a commit: `python -m league.ingest_and_die DATABASE POINT NUMBER`. Before it
takes anything it says its table's id and key."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from league.played import played
from league.sending import League
from sqlalchemy import event
from taptable.league.database import open_database

POINTS = ("INSERT INTO entries", "INSERT INTO games", "UPDATE streams", "commit", "reset")
"""A statement, right before the commit, and right after it."""


def die_at(engine: Any, point: str, number: int) -> None:
    """Be killed when this passes for the time of this number."""
    passed = 0

    def pass_by(*_: Any) -> None:
        nonlocal passed
        passed += 1
        if passed == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def execute(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(point):
            pass_by()

    if point in ("commit", "reset"):
        event.listen(engine, point, pass_by)
    else:
        event.listen(engine, "before_cursor_execute", execute)


if __name__ == "__main__":
    database = open_database(sys.argv[1])
    table = League(database).table()
    for seed in (1, 2):
        table.journal.play(played(seed))
    print(table.table.id, table.table.key, flush=True)
    die_at(database, sys.argv[2], int(sys.argv[3]))
    table.send_all(40)
