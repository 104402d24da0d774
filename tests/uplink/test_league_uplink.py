"""Every record of the journal reaches the league, exactly once, whatever happens on the way."""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from aiomqtt import Client
from memory.journal_samples import HEADER
from servers import Mosquitto, mosquitto
from taptable.api.requests import MAX_ENTRIES
from taptable.bridge.league_uplink import WINDOW
from taptable.bridge.state_files import LeaguePosition, UplinkStateFile, league_state_file_of
from taptable.memory.records import Entry
from taptable.uplink.messages import LONGEST, Batch, Confirmed, Position, Topics, Where, encode_signed

from uplink.rig import KEY, SHORT_PATIENCE, Bridge, JournalServer, TinyLeague, running, until, until_all_is_there


@dataclass
class Way:
    """A book, a league, and a bridge between them."""

    book: JournalServer
    league: TinyLeague
    bridge: Bridge

    @property
    def asked(self) -> list[Where]:
        return [each for each in self.league.heard if isinstance(each, Where)]

    @property
    def sent(self) -> list[Batch]:
        return [each for each in self.league.heard if isinstance(each, Batch)]

    async def write(self, entries: int, games: int = 0) -> None:
        """Something is written, and arrives."""
        self.book.write(entries, games)
        self.bridge.news()
        await self.arrives()

    async def arrives(self) -> None:
        await until_all_is_there(self.league, self.book)

    async def is_confirmed(self) -> None:
        """The bridge knows that everything has arrived."""
        await until(
            lambda: (place := self.bridge.kept.confirmed) and place.position.number == self.book.last,
            "it isn't confirmed",
        )


@pytest.fixture
def way(broker: Mosquitto, table: str, book: JournalServer, tmp_path: Path) -> Way:
    port = broker.port
    return Way(book, TinyLeague(port, table), Bridge(book, port, table, tmp_path))


def again(way: Way, port: int, table: str, folder: Path, *, forgetful: bool = False) -> Bridge:
    """The bridge, started again; one that is `forgetful` finds nothing that it has kept."""
    if forgetful:
        league_state_file_of(folder, table).unlink(missing_ok=True)
    way.bridge = Bridge(way.book, port, table, folder)
    return way.bridge


def replace_position(confirmed: Confirmed, **changes: Any) -> Confirmed:
    return msgspec.structs.replace(confirmed, position=msgspec.structs.replace(confirmed.position, **changes))


async def test_what_was_written_before_and_what_is_written_then_arrives(way: Way) -> None:
    way.book.write(700, games=3)
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
        for _ in range(5):
            await way.write(3)
        await way.write(2, games=2)
    assert way.league.store.refused == 0
    assert len(way.asked) == 1


async def test_a_bridge_goes_on_from_what_it_has_kept(way: Way, broker: Mosquitto, table: str, tmp_path: Path) -> None:
    way.book.write(100)
    async with running(way.league.run(), way.bridge.run()):
        await way.is_confirmed()
    way.league.heard.clear()
    way.book.write(10)
    async with running(way.league.run(), again(way, broker.port, table, tmp_path).run()):
        await way.arrives()
    assert [len(batch.records) for batch in way.sent] == [10]
    assert way.asked == []


async def test_without_it_it_goes_on_from_what_the_broker_has_retained(
    way: Way, broker: Mosquitto, table: str, tmp_path: Path
) -> None:
    way.book.write(100)
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
    way.league.heard.clear()
    way.book.write(10)
    async with running(way.league.run(), again(way, broker.port, table, tmp_path, forgetful=True).run()):
        await way.arrives()
    assert (way.asked, way.league.store.refused) == ([], 0)


async def test_when_broker_and_bridge_have_forgotten_everything_the_league_is_asked_and_nothing_branches(
    table: str, book: JournalServer, tmp_path: Path
) -> None:
    with mosquitto() as broker:
        way = Way(book, TinyLeague(broker.port, table), Bridge(book, broker.port, table, tmp_path))
        book.write(100)
        async with running(way.league.run(), way.bridge.run()):
            await way.arrives()
        broker.kill()
        broker.forget()
        broker.start()
        way.league.heard.clear()
        book.write(10)  # so that the league is somewhere in the middle of a game
        bridge = again(way, broker.port, table, tmp_path, forgetful=True)
        async with running(bridge.run()):
            await asyncio.sleep(3 * SHORT_PATIENCE.retained_s)
            async with running(way.league.run()):
                await way.arrives()
        assert len(way.league.store.branches) == 1
        assert way.league.store.refused == 0


async def test_a_broker_that_is_down_and_forgets_costs_nothing(table: str, book: JournalServer, tmp_path: Path) -> None:
    with mosquitto() as broker:
        way = Way(book, TinyLeague(broker.port, table), Bridge(book, broker.port, table, tmp_path))
        async with running(way.league.run(), way.bridge.run()):
            await way.write(100)
            for _ in range(3):
                broker.kill()
                broker.forget()
                book.write(300, games=1)
                way.bridge.news()
                broker.start()
                await way.arrives()
        assert len(way.league.store.branches) == 1


async def test_several_batches_are_on_their_way_and_no_more_than_the_window(
    broker: Mosquitto, table: str, book: JournalServer, tmp_path: Path
) -> None:
    book.write(3000)
    port = broker.port
    patient = replace(SHORT_PATIENCE, confirm_s=30.0)
    way = Way(book, TinyLeague(port, table), Bridge(book, port, table, tmp_path, patient))
    async with running(way.league.run(), way.bridge.run()):
        await until(lambda: way.bridge.kept.confirmed is not None, "the bridge doesn't know where to begin")
        way.league.mute = True
        heard = len(way.sent)
        await until(lambda: len(way.sent) >= heard + 2, "only one batch is sent at a time")
        await until(lambda: len(way.sent) >= WINDOW, "the window isn't used")
        way.league.mute = False
        for _ in range(2):  # what was heard while it was mute counts as well
            await way.league.say_where()
        await way.arrives()
    assert way.league.store.refused == 0
    assert way.league.furthest_ahead <= WINDOW * MAX_ENTRIES


async def test_a_league_that_hears_nothing_is_sent_little_and_everything_once_it_hears_again(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    way.book.write(50)
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
        way.league.deaf = True
        way.book.write(2000)
        way.bridge.news()
        await until(lambda: "No answer from the league" in caplog.text, "nothing is said of a league that is silent")
        way.league.deaf = False
        await way.arrives()
    assert caplog.text.count("No answer from the league") == 1


async def test_a_restored_backup_goes_on_in_another_branch(
    way: Way, broker: Mosquitto, table: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    way.book.write(60, games=2)
    backup = tmp_path / "backup.sqlite"
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
        shutil.copy(way.book.path, backup)
        shutil.copy(way.book.path.with_name(way.book.path.name + "-wal"), backup.with_name("backup.sqlite-wal"))
        await way.write(200, games=1)
    way.book.journal.close()
    for suffix in ("", "-wal"):
        shutil.copy(backup.with_name(f"backup.sqlite{suffix}"), way.book.path.with_name(f"journal.sqlite{suffix}"))
    way.book.open()
    way.book.write(30)
    async with running(way.league.run(), again(way, broker.port, table, tmp_path).run()):
        await way.arrives()
        await way.write(250, games=1)
        assert [branch.number for branch in way.league.store.branches] == [0, 1]
        assert way.bridge.kept.confirmed is not None
        assert way.bridge.kept.confirmed.branch == 1
    assert caplog.text.count("Remark of the league: ") == 1


async def test_each_backup_restored_beneath_a_bridge_that_runs_is_noticed_and_logged(
    way: Way, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    way.book.write(60, games=2)
    backup = tmp_path / "backup.sqlite"
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
        way.book.journal.close()
        shutil.copy(way.book.path, backup)
        way.book.open()
        for times in (1, 2):
            await way.write(200, games=1)
            way.book.is_online = False
            way.bridge.uplink.on_disconnected()
            way.book.journal.close()
            shutil.copy(backup, way.book.path)
            way.book.open()
            way.book.write(300)
            way.book.is_online = True
            nothing: object = None
            way.bridge.uplink.on_connected(nothing)  # pyright: ignore[reportArgumentType]
            await way.arrives()
            assert [branch.number for branch in way.league.store.branches] == [*range(times + 1)]
            assert caplog.text.count("Journal differs from the league's before entry") == times


async def test_a_replaced_journal_is_sent_from_its_beginning(
    way: Way, broker: Mosquitto, table: str, tmp_path: Path
) -> None:
    way.book.write(100)
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
    way.book.journal.close()
    way.book.path.unlink()
    way.book.open()
    way.book.write(40)
    async with running(way.league.run(), again(way, broker.port, table, tmp_path).run()):
        await way.arrives()
    assert [(branch.number, branch.ends.number) for branch in way.league.store.branches] == [(0, 101), (0, 41)]


async def test_a_league_that_has_lost_what_it_had_confirmed_gets_it_again(way: Way) -> None:
    async with running(way.league.run(), way.bridge.run()):
        await way.write(500)
        way.league.store.branches.clear()
        await way.write(10)
        assert len(way.league.store.branches) == 1


async def test_a_key_that_was_revoked_is_reported_once_and_the_league_asked_now_and_then(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(way.league.run(), way.bridge.run()):
        await way.write(10)
        way.league.store.revoked = True
        way.league.heard.clear()
        way.book.write(500)
        way.bridge.news()
        await until(lambda: len(way.asked) >= 3, "the league isn't asked again")
        assert len(way.sent) <= WINDOW
        assert caplog.text.count("revoked") == 1
        way.league.store.revoked = False
        await way.arrives()


async def test_a_confirmation_that_does_not_match_is_not_gone_on_from(
    way: Way, table: str, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    topic = Topics(table).confirmed
    wrong = Confirmed(1, Position(way.book.journal.identity.journal, 50, "0" * 32), 0)
    beyond = replace_position(wrong, number=5000)
    others = replace_position(wrong, journal="f" * 32)
    bad = (encode_signed(wrong, topic, bytes(32)), b"", b"\xff\n{}", b"{}", encode_signed(wrong, "other", KEY))
    async with running(way.league.run(), way.bridge.run()), Client("127.0.0.1", broker.port) as client:
        await way.write(100)
        await way.is_confirmed()
        for payload in (*bad, *(encode_signed(each, topic, KEY) for each in (wrong, wrong, others, others))):
            await client.publish(topic, payload, qos=1)
        await until(lambda: "Confirmation of another journal" in caplog.text, "another's journal isn't said")
        await way.write(100)
        await way.is_confirmed()
        asked = len(way.asked)
        await client.publish(topic, encode_signed(beyond, topic, KEY), qos=1)
        await until(lambda: len(way.asked) > asked, "the league isn't asked")
        await way.write(100)
    assert len(way.league.store.branches) == 1
    assert caplog.text.count("Confirmation of another journal") == 1
    assert caplog.text.count("Confirmation dropped") == 1


async def test_a_message_of_the_league_is_reported_once(way: Way, caplog: pytest.LogCaptureFixture) -> None:
    way.league.store.remark = "clock"
    async with running(way.league.run(), way.bridge.run()):
        for _ in range(3):
            await way.write(10)
    assert caplog.text.count("Remark of the league: ") == 1


async def test_a_table_that_is_away_is_waited_for(way: Way) -> None:
    async with running(way.league.run(), way.bridge.run()):
        await way.write(100)
        for _ in range(2):
            way.book.is_online = False
            way.bridge.uplink.on_disconnected()
            way.book.write(200)
            way.bridge.news()
            await asyncio.sleep(3 * SHORT_PATIENCE.least_pause_s)
            way.book.is_online = True
            nothing: object = None
            way.bridge.uplink.on_connected(nothing)  # pyright: ignore[reportArgumentType]
            await way.arrives()
    assert len(way.league.store.branches) == 1


async def test_large_manifests_fit_into_messages(way: Way) -> None:
    at_us = 0
    for manifest in ("é" * 60_000, "😀" * 60_000, '\\"' * 30_000):
        entries = [Entry(at_us, "observation", {"at": 0, "press": 1}) for _ in range(3)]
        way.book.journal.append(replace(HEADER, manifest=manifest), *entries)
    async with running(way.league.run(), way.bridge.run()):
        await way.arrives()
    assert max(len(msgspec.json.encode(batch)) for batch in way.sent) < LONGEST / 1.5


async def test_a_damaged_entry_is_reported_once_and_all_before_it_arrives(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    way.book.write(300)
    with closing(sqlite3.connect(way.book.path, isolation_level=None)) as connection:
        connection.execute("""UPDATE entries SET answer = '{}' WHERE id = 200""")
    async with running(way.league.run(), way.bridge.run()):
        await until(lambda: "isn’t as it was written" in caplog.text, "the damage isn't said")
        way.bridge.news()
        journal = way.book.journal.identity.journal
        await until(
            lambda: (last := way.league.store.last(journal)) and last.ends.number == 199,
            "not all before it has arrived",
        )
    assert caplog.text.count("isn’t as it was written") == 1


def test_what_was_kept_and_cannot_be_read_is_as_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = league_state_file_of(tmp_path, "ab/../cd")
    assert path.parent == tmp_path
    kept = UplinkStateFile(path)
    kept.confirmed = LeaguePosition(Position("a" * 32, 5, "b" * 32), 1)
    kept.save()
    assert path.stat().st_mode & 0o777 == 0o600
    again = UplinkStateFile(path)
    assert again.confirmed == kept.confirmed
    path.write_text("{")
    with caplog.at_level(logging.WARNING):
        assert UplinkStateFile(path).confirmed is None
    assert "the league is asked again" in caplog.text


def test_a_failed_write_of_the_state_file_is_reported_once_and_retried(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = league_state_file_of(tmp_path / "later", "ab")
    kept = UplinkStateFile(path)
    kept.confirmed = LeaguePosition(Position("a" * 32, 5, "b" * 32), 1)
    for _ in range(2):
        kept.save()
    assert caplog.text.count(f"League position not written to {path}") == 1
    assert "No such file or directory" in caplog.text
    path.parent.mkdir()
    kept.save()
    assert UplinkStateFile(path).confirmed == kept.confirmed
