"""In any weather: messages are lost, doubled and overtaken, the broker is killed and forgets, bridge and league start
again, backups are restored. At the end every record is there, each once and in order."""

from __future__ import annotations

import asyncio
import random
import shutil
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from choosing import mostly_long
from servers import mosquitto
from taptable.bridge.kept import kept_of
from taptable.memory.database import wal_of

from uplink.rig import Bridge, TinyLeague, Weather, a_book, running, until_all_is_there

STEPS = 12


@pytest.mark.parametrize("seed", mostly_long(range(24)))
async def test_every_record_arrives_once(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    weather = Weather(*(dice.choice((0.0, 0.1, 0.3)) for _ in range(3)), dice=random.Random(seed))
    backup = tmp_path / "backup.sqlite"
    (kept := tmp_path / "kept").mkdir()
    with mosquitto() as broker, a_book(tmp_path) as book:
        league = TinyLeague(broker.port, "t", weather)
        async with AsyncExitStack() as leagues:
            await leagues.enter_async_context(running(league.run()))
            for _ in range(STEPS):
                bridge = Bridge(book, broker.port, "t", kept)
                async with running(bridge.run()):
                    for _ in range(dice.randrange(1, 4)):
                        book.write(dice.choice((1, 5, 80, 400)), games=dice.choice((0, 0, 0, 1, 2)))
                        bridge.news()
                        await asyncio.sleep(dice.choice((0.0, 0.02, 0.2)))
                        match dice.randrange(8):
                            case 0:
                                broker.kill()
                                if dice.random() < 0.5:
                                    broker.forget()
                                broker.start()
                            case 1:
                                await leagues.aclose()
                                await leagues.enter_async_context(running(league.run()))
                            case 2:
                                book.there = False
                                bridge.uplink.away()
                                await asyncio.sleep(0.05)
                                book.there = True
                                nothing: object = None
                                bridge.uplink.came(nothing)  # pyright: ignore[reportArgumentType]
                            case _:
                                pass
                if dice.random() < 0.2:
                    kept_of(kept, "t").unlink(missing_ok=True)
                if dice.random() < 0.3:  # copied while nobody writes, so that it is whole
                    book.journal.close()
                    shutil.copy(book.path, backup)
                    book.open()
                elif dice.random() < 0.2 and backup.exists():
                    book.journal.close()
                    wal_of(book.path).unlink(missing_ok=True)
                    shutil.copy(backup, book.path)
                    book.open()
            weather.lost = weather.doubled = weather.late = 0.0
            bridge = Bridge(book, broker.port, "t", kept)
            async with running(bridge.run()):
                await until_all_is_there(league, book)
