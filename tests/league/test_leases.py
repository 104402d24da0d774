"""The live workers share the shards, and a worker that lost a shard can't store anything in it any more."""

from __future__ import annotations

import pytest
from league.sending import League, hold_all, stored
from league.simulated_games import simulate_game
from sqlalchemy import Engine, update
from taptable.league import leases
from taptable.league.database import read_transaction, write_transaction
from taptable.league.ingest import Holder
from taptable.league.leases import SHARDS, LeaseLost
from taptable.league.schema import leases as leases_

LONG_MS = 60_000


def renew(engine: Engine, owner: str) -> dict[int, int]:
    with write_transaction(engine) as connection:
        return leases.renew(connection, owner, LONG_MS)


def test_workers_share_and_take_over(engine: Engine) -> None:
    one = renew(engine, "one")
    assert one == dict.fromkeys(range(SHARDS), 1)
    assert renew(engine, "two") == {}
    one = renew(engine, "one")
    two = renew(engine, "two")
    assert (len(one), len(two)) == (SHARDS // 2, SHARDS // 2)
    assert one.keys() | two.keys() == set(range(SHARDS))
    assert set(two.values()) == {2}
    with write_transaction(engine) as connection:
        leases.check(connection, "two", two)
        leases.release(connection, "one")
    assert renew(engine, "two") == {**dict.fromkeys(one, 2), **two}


def test_a_lease_that_ran_out_is_kept_until_somebody_takes_it(engine: Engine) -> None:
    one = renew(engine, "one")
    with write_transaction(engine) as connection:
        connection.execute(update(leases_).values(until_ms=0))
    assert renew(engine, "one") == one
    with write_transaction(engine) as connection:
        leases.check(connection, "one", one)


def test_an_ousted_worker_stores_nothing(engine: Engine) -> None:
    league = League(engine)
    table = league.table()
    table.journal.play(simulate_game(1))
    old, new = league.holder, hold_all(engine, "other")
    message = table.message(table.journal.batch(0))
    for holder in (old, Holder("other", dict.fromkeys(new.fences, 1)), Holder("nobody", {})):
        with pytest.raises(LeaseLost):
            league.ingest.process([message], holder)
    with read_transaction(engine) as connection:
        assert stored(connection, table.table.id) == {}
    assert len(league.ingest.process([message], new).answers) == 1
