"""The client for programs that do one thing after the other, at the sockets of a table."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from taptable.api.client import Client, TableAway
from taptable.api.errors import RequestError
from taptable.api.requests import Control, Devices, Entries, GameRecord, Role, ShowCode
from taptable.api.rpc import METHOD_NOT_FOUND, RpcError
from taptable.api.socket_paths import socket_path

from api.rig import Table, with_a_client


def at_a_table(folder: Path, visit: Callable[[Client, Table, asyncio.AbstractEventLoop], None]) -> None:
    """Run `visit` as an administrator at a table on this loop, who waits for each answer."""

    def be_there(table: Table, loop: asyncio.AbstractEventLoop) -> None:
        with Client(socket_path(table.sockets, Role.ADMIN)) as client:
            visit(client, table, loop)

    async def evening() -> None:
        async with with_a_client(folder) as (table, _):
            await asyncio.to_thread(be_there, table, asyncio.get_running_loop())

    asyncio.run(evening())


def test_it_learns_what_the_table_is_and_how_topics_are_and_change(tmp_path: Path) -> None:
    def visit(client: Client, table: Table, _: object) -> None:
        assert client.facts.table == table.config.table.name
        changes = client.subscribe("journal", "session")
        before = next(changes)
        assert before.keys() == {"journal", "session", "time"}
        client.call(Control("pause"))
        assert client.call(Entries(1, before["journal"].entry))["entries"]
        after = next(changes)["journal"]
        assert (after.game, after.entry > before["journal"].entry) == (before["journal"].game, True)

    at_a_table(tmp_path, visit)


def test_a_refusal_and_a_request_outside_its_role_are_reported(tmp_path: Path) -> None:
    def visit(client: Client, _: Table, __: object) -> None:
        with pytest.raises(RequestError) as refused:
            client.call(GameRecord(99))
        assert refused.value.facts == {"id": 99}
        with pytest.raises(RpcError) as strange:
            client.call(ShowCode())
        assert strange.value.code == METHOD_NOT_FOUND
        with pytest.raises(RequestError, match="nobody needs to be paired"):
            client.call(Devices())

    at_a_table(tmp_path, visit)


def test_a_table_that_ends_is_away(tmp_path: Path) -> None:
    def visit(client: Client, table: Table, loop: asyncio.AbstractEventLoop) -> None:
        changes = client.subscribe("journal")
        next(changes)
        assert table.daemon.sockets is not None
        loop.call_soon_threadsafe(table.daemon.sockets.abort)
        with pytest.raises(TableAway):
            next(changes)
        with pytest.raises(TableAway):
            client.call(GameRecord(1))

    at_a_table(tmp_path, visit)


def test_a_table_that_is_not_there_or_does_not_answer_is_away() -> None:
    with TemporaryDirectory(prefix="taptable-", dir="/tmp") as folder, socket.socket(socket.AF_UNIX) as deaf:
        path = Path(folder) / "api.sock"
        with pytest.raises(TableAway, match="No such file"):
            Client(path)
        deaf.bind(str(path))
        with pytest.raises(TableAway, match="refused"):
            Client(path)
        deaf.listen()
        with pytest.raises(TableAway, match="timed out"):
            Client(path, timeout_s=0.1)
