"""What stands in the journal comes to the league whole, each record once, whatever happens on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from uplink.broker import Mosquitto
from uplink.rig import Book, Bridge, TinyLeague, running, until_all_is_there

pytestmark = pytest.mark.anyio


async def test_what_was_written_before_and_what_is_written_then_arrives(
    shared_broker: Mosquitto, table: str, book: Book, tmp_path: Path
) -> None:
    book.write(700, games=3)
    league, bridge = TinyLeague(shared_broker.port, table), Bridge(book, shared_broker.port, table, tmp_path)
    async with running(league.run(), bridge.run()):
        await until_all_is_there(league, book)
        for _ in range(5):
            book.write(3)
            bridge.news()
            await until_all_is_there(league, book)
    assert league.store.refused == 0
