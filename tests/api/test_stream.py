"""The journal's records over the socket of a bridge: whole, each once, while the table plays on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from taptable.api.requests import MAX_ENTRIES, MAX_STREAMED, VERSION, Role
from taptable.api.rpc import INVALID_PARAMS, METHOD_NOT_FOUND
from taptable.core.device_events import Origin
from taptable.memory.digest import EMPTY_DIGEST, digest_after
from taptable.memory.records import Entry, GameHeader, Record, to_json

from api.rig import Client, Table, a_client, with_a_client

MANIFEST = "é" * 30_000
"""Its JSON has 60 kB."""


@pytest.fixture
async def visit(tmp_path: Path) -> AsyncIterator[tuple[Table, Client]]:
    async with with_a_client(tmp_path, Role.BRIDGE) as visit:
        yield visit


def write(table: Table, *records: Record) -> None:
    """As if the table had noticed it."""
    table.daemon._journal.append(*records)


def now_us(table: Table) -> int:
    return table.daemon._journal.last_at_us()


async def all_of_it(client: Client, **more: int) -> list[str]:
    """The texts of all records, in pages that each continue from the digest of the one before."""
    texts, digest, after = list[str](), EMPTY_DIGEST, 0
    while True:
        page = await client.call("stream", after=after, **more)
        assert (page["after"], page["digest"]) == (after, digest)
        if not page["records"]:
            assert after == page["last"]
            return texts
        entries = [record for record in page["records"] if record[0] == "entry"]
        assert 1 <= len(entries) <= more.get("most", MAX_ENTRIES)
        for record in page["records"]:
            text = to_json(record)
            assert text is not None
            texts.append(text)
            digest = digest_after(digest, text)
        after = entries[-1][1]


async def test_a_running_table_streams_what_it_writes(table: Table, client: Client) -> None:
    await client.call("subscribe", topics=["journal"])
    for card in ("online#1", "online#2"):
        before = client.topics.get("journal", {"entry": 0})["entry"]
        table.tap(card, 1)
        await client.until(lambda topics, before=before: topics.get("journal", {"entry": 0})["entry"] > before)
    texts = await all_of_it(client)
    assert json.loads(texts[0])[0] == "game"
    assert [json.loads(text)[1] for text in texts[1:]] == [*range(1, len(texts))]
    assert any("online#1" in text for text in texts)


async def test_large_games_come_in_pages_that_fit_a_line(table: Table, client: Client) -> None:
    at_us = now_us(table)
    for number in range(12):
        header = GameHeader(at_us, "xnet", "de", 2, {}, None, "de", "ours", "xnet/1", manifest=MANIFEST)
        entries = [Entry(at_us, "observation", {"at": 1, "tap": f"card#{each}", "pad": 1}) for each in range(30)]
        write(table, header, *entries[: 1 + 29 * (number % 2)])
    whole = await all_of_it(client)
    assert sum(len(text.encode()) for text in whole) > 5 * MAX_STREAMED
    for most in (1, 7):
        assert await all_of_it(client, most=most) == whole


async def test_no_tag_and_no_name_is_streamed(table: Table, client: Client) -> None:
    at_us = now_us(table)
    write(
        table,
        Entry(at_us, "observation", {"at": 1, "tap": "04a2b3c4d5e680", "pad": 1}, origin=Origin("board-x", 1, 1)),
        Entry(at_us, "note", {"type": "players-named", "at": 1, "names": ["Annabella", ""]}),
    )
    said = "".join(await all_of_it(client))
    for secret in ("04a2b3c4d5e680", "Annabella", "board-x"):
        assert secret not in said


async def test_what_is_not_there_has_no_digest_and_positions_say_what_is(table: Table, client: Client) -> None:
    write(table, Entry(now_us(table), "note", {"note": "hello"}))
    beyond = await client.call("stream", after=1000)
    assert (beyond["digest"], beyond["records"]) == (None, [])
    found = await client.call("positions")
    assert found["journal"] == beyond["journal"]
    assert [number for number, _ in found["known"]] == [beyond["last"], 0]
    for number, digest in found["known"]:
        assert (await client.call("stream", after=number, most=1))["digest"] == digest


async def test_damage_is_reported_where_the_stream_comes_to_it(table: Table, client: Client) -> None:
    write(table, *(Entry(now_us(table), "observation", {"at": 1, "press": each}) for each in range(5)))
    with closing(sqlite3.connect(table.config.table.journal, isolation_level=None)) as connection:
        connection.execute("""UPDATE entries SET line = '{"at":1}' WHERE id = (SELECT max(id) - 1 FROM entries)""")
    last = (await client.call("stream", after=0))["records"][-1][1]
    error = await client.refused("stream", after=last)
    assert error["data"] == {"context": "history", "key": "stream-damaged", "facts": {}}


async def test_it_is_for_bridges_and_administrators(table: Table, client: Client) -> None:
    async with a_client(table, Role.ADMIN) as administrator:
        await administrator.call("hello", version=VERSION)
        assert (await administrator.call("stream"))["journal"] == (await client.call("stream"))["journal"]
    async with a_client(table) as page:
        await page.call("hello", version=VERSION)
        for method in ("stream", "positions"):
            assert (await page.refused(method))["code"] == METHOD_NOT_FOUND
    for wrong in ({"after": -1}, {"most": 0}, {"most": MAX_ENTRIES + 1}, {"after": "1"}):
        assert (await client.refused("stream", **wrong))["code"] == INVALID_PARAMS
