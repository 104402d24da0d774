"""The calendar is set while a game runs, by an hour and by ten years, forwards and backwards: table time doesn't move,
and the league says which games have a date that can't be."""

from __future__ import annotations

import time
from pathlib import Path

from league.sending import Clock, League
from msgspec import Raw
from sqlalchemy import select
from taptable.league.database import migrate, open_database, read_transaction
from taptable.league.schema import games, remarks
from taptable.memory.digest import EMPTY_DIGEST
from taptable.memory.journal_reader import JournalReader
from taptable.memory.stream import identity_of, records_after
from taptable.uplink.messages import VERSION, Batch, Position

from faults.calendar import HOUR_S, JUMPS
from faults.preloaded import run

MAX_BYTES = 1 << 30


def test_table_time_does_not_move_and_the_league_remarks_what_cannot_be(tmp_path: Path) -> None:
    run("faults.calendar", tmp_path / "tables", built_in=tmp_path)
    (path,) = (tmp_path / "tables" / "set").glob("*.sqlite")
    with JournalReader.open(path) as journal:
        identity = identity_of(journal)
        texts = records_after(journal, identity.salt, 0, 1 << 30, MAX_BYTES)
    engine = open_database(f"sqlite:///{tmp_path}/league.sqlite")
    migrate(engine)
    now_s = int(time.time())
    table = League(engine, Clock(now_s * 1000)).table()
    batch = Batch(VERSION, Position(identity.journal, 0, EMPTY_DIGEST), 0, tuple(Raw(text.encode()) for text in texts))
    confirmed = table.send(batch)
    assert confirmed is not None
    with read_transaction(engine) as connection:
        query = select(games.c.begun, games.c.clock_wrong).order_by(games.c.after)
        begun = [(at_s, wrong) for at_s, wrong in connection.execute(query)]
        said = connection.execute(select(remarks.c.key, remarks.c.times)).all()
    engine.dispose()
    # an hour ahead may be a clock that is right, as far as anybody knows; less than the game before is none
    assert [wrong for _, wrong in begun] == [by_s not in (0, HOUR_S) for by_s in JUMPS]
    assert all(abs(at_s - now_s) < 2 * HOUR_S for at_s, _ in begun)
    assert said == [("clock", sum(wrong for _, wrong in begun))]
