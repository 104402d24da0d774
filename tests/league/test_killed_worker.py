"""A worker that is killed with SIGKILL within a commit: the next one stores what is missing, and everything once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import mostly_long
from deadline import DEADLINE_S
from league.ingest_and_die import POINTS
from league.played import played
from league.sending import League, stored
from sqlalchemy import func, select
from taptable.league.database import migrate, open_database, reading
from taptable.league.schema import games

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("point", "number"), mostly_long([(point, number) for point in POINTS for number in (1, 2)], 1)
)
def test_the_next_one_stores_everything_once(point: str, number: int, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/league.sqlite"
    engine = open_database(address)
    migrate(engine)
    engine.dispose()
    worker = subprocess.run(
        [sys.executable, "-m", "league.ingest_and_die", address, point, str(number)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    identity, key = worker.stdout.split()
    assert worker.returncode == -signal.SIGKILL, worker.stderr
    engine = open_database(address)
    league = League(engine)
    sender = league.table("Table 2")
    sender.table = replace(sender.table, id=identity, key=key)
    for seed in (1, 2):
        sender.journal.play(played(seed))
    assert sender.send_all(40).position == sender.journal.position(sender.journal.last)
    with reading(engine) as connection:
        texts = [text for _, text in sender.journal.texts]
        assert stored(connection, identity) == {(sender.journal.identity, 0): texts}
        assert connection.execute(select(func.count()).select_from(games)).scalar() == 2
    engine.dispose()
