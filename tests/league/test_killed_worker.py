"""A worker that is killed with SIGKILL within a commit: the next one stores what is missing, and everything once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import long_params
from deadline import DEADLINE_S
from league.ingest_and_die import FIRST, POINTS
from league.sending import League, stored
from league.simulated_games import simulate_game
from sqlalchemy import func, select
from taptable.league.database import migrate, open_database, read_transaction
from taptable.league.schema import entries, games

TESTS = Path(__file__).parents[1]


KILLED = [
    ("sqlite", "commit", 2),
    ("postgresql", "commit", 2),
    *(("sqlite", point, 1) for point in POINTS),
    *(("sqlite", point, 2) for point in (FIRST, "UPDATE streams", "reset")),
]
"""At which database a worker is killed, where in what it does, and the time of which number."""
BEFORE_ANY = {(FIRST, 1), ("commit", 1)}
"""The points at which nothing is stored yet."""


@pytest.mark.parametrize(("address", "point", "number"), long_params(KILLED, 1), indirect=["address"])
def test_the_next_one_stores_everything_once(address: str, point: str, number: int) -> None:
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
        sender.journal.play(simulate_game(seed))
    with read_transaction(engine) as connection:
        kept = connection.execute(select(func.count()).select_from(entries)).scalar_one()
    assert (kept == 0) == ((point, number) in BEFORE_ANY)
    assert kept < len(sender.journal.texts)
    assert sender.send_all(40).position == sender.journal.position(sender.journal.last)
    with read_transaction(engine) as connection:
        texts = [text for _, text in sender.journal.texts]
        assert stored(connection, identity) == {(sender.journal.identity, 0): texts}
        assert connection.execute(select(func.count()).select_from(games)).scalar() == 2
    engine.dispose()
