"""A table is revoked within two seconds, whatever it sends meanwhile; and a worker's memory and time stay bounded."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from league.sending import NOW, League
from league.simulated_games import simulate_game
from sqlalchemy import Engine, text
from taptable.league.database import write_transaction
from taptable.league.intake import Intake
from taptable.league.tables import add_table, revoke_table
from taptable.league.verification import Replays
from taptable.memory.digest import EMPTY_DIGEST
from taptable.uplink.messages import Position

WITHIN_S = 2.0


def waits(folder: Path) -> bool:
    """Does anybody wait to write into the database in that folder?"""
    there = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(there, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(there)
    return False


def test_who_waits_writes_next_and_not_who_writes_again_at_once(small: Engine, tmp_path: Path) -> None:
    for _ in range(5):
        order: list[str] = []

        def revoke(order: list[str] = order) -> None:
            with write_transaction(small):
                order.append("revoke")

        waiting = threading.Thread(target=revoke)
        with write_transaction(small):
            waiting.start()
            end_s = time.monotonic() + DEADLINE_S
            while not waits(tmp_path):
                assert time.monotonic() < end_s
            order.append("first")
        with write_transaction(small):
            order.append("second")
        waiting.join(DEADLINE_S)
        assert order == ["first", "revoke", "second"]


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_on_postgresql_it_does_not_even_wait_for_what_comes_from_that_table(engine: Engine) -> None:
    table = League(engine).table()
    with write_transaction(engine) as connection:
        intake = Intake(connection, {table.table.id: ()}, Replays(), NOW * 1000)
        intake.begin_stream(table.table.id, "0" * 32, Position("0" * 32, 0, EMPTY_DIGEST), 0)
        with write_transaction(engine) as other:
            other.execute(text("SET LOCAL lock_timeout = '1s'"))
            revoke_table(other, table.table.id, NOW)
    table.journal.play(simulate_game(1), entries=3)
    answer = table.send(table.journal.batch(0))
    assert answer is not None
    assert answer.remark == "revoked"


@pytest.mark.long
def test_a_hundred_are_revoked_while_one_sends_what_costs_most(address: str, engine: Engine) -> None:
    hostile = League(engine).table("Hostile").table
    with write_transaction(engine) as connection:
        others = [add_table(connection, f"Table {number}", "club", NOW) for number in range(100)]
    command = [sys.executable, "-m", "league.hostile_load", address, hostile.id, hostile.key]
    took_s: list[float] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TESTS) as load:
        assert load.stdout is not None
        assert load.stdout.readline() == b"here\n"
        for other in others:
            began_s = time.monotonic()
            with write_transaction(engine) as connection:
                revoke_table(connection, other.id, NOW)
            took_s.append(time.monotonic() - began_s)
        said, _ = load.communicate(b"\n", timeout=DEADLINE_S)
    found = json.loads(said)
    assert max(took_s) < WITHIN_S
    assert found["longest_s"] < WITHIN_S
    assert found["memory_mb"] - found["before_mb"] < 100


TESTS = Path(__file__).parents[1]
