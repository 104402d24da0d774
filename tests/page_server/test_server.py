"""The server beside the table: its port may be taken, its clients may sleep, and neither keeps the table waiting."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from deadline import DEADLINE_S
from page_access.frames import HELLO, TEXT, frame, upgrade
from ports import free_port
from taptable.config import Config, load_config
from taptable.config.model import PageSettings
from taptable.core.notices import StopForgotten
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartBack, PartLost
from taptable.daemon.daemon import PAGE_TIMEOUT_S
from taptable.history.playback import Playback
from taptable.page.connection import GOING_AWAY, MAX_PENDING_REQUESTS, TRY_LATER
from taptable.page.feed import Feed
from taptable.page.messages import Requester
from taptable.page.site import ADDRESS_POLL_S
from taptable.referee.replaying import ReplayMismatch
from taptable.words import Words
from websockets.frames import Close

from page_server.rig import (
    Client,
    SmallExtension,
    Table,
    a_client,
    a_daemon,
    a_folder_of_sockets,
    a_page,
    a_table_with_a_page,
    at_table,
    deadline_s,
    get,
    on_a_loop,
    with_given_time,
)


@asynccontextmanager
async def taken(port: int) -> AsyncIterator[None]:
    """Somebody else has the port."""
    other = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", port)
    try:
        yield
    finally:
        other.close()
        await other.wait_closed()


def of_the_page(table: Table) -> list[str]:
    """The messages about the page among the table's parts."""
    parts = [event for event in table.events if isinstance(event, PartLost | PartBack)]
    return [type(part).__name__ for part in parts if part.part == "page"]


@with_given_time
async def test_a_port_that_is_taken_is_reported_to_the_table_and_taken_back_once_it_is_free(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    port = free_port()
    async with taken(port):
        table_here = at_table(a_table_with_a_page(tmp_path, port=port))
        table = await table_here.__aenter__()
        await asyncio.sleep(25)  # of given time; it is tried again, and said once
        (lost,) = [h for h in table.events if isinstance(h, PartLost)]
        assert lost.part == "page"
        assert str(port) in lost.reason
        words = table.page.words("de")
        assert words.notice(lost).startswith(words.part("page"))
    await asyncio.sleep(11 + ADDRESS_POLL_S)
    assert of_the_page(table) == ["PartLost", "PartBack"]
    assert caplog.text.count("Page not served") == caplog.text.count("Page served at last") == 1
    async with a_client(port) as client:
        await client.hello()
        assert client.parts["alerts"] == []
        told = [item["type"] for item in client.items["log"].values()]
        assert [kind for kind in told if kind.startswith("part-")] == ["part-lost", "part-back"]
    await table_here.__aexit__(None, None, None)


@with_given_time
async def test_a_page_that_isnt_there_is_missed_after_a_while_and_found_again(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets) as table:
            await asyncio.sleep(PAGE_TIMEOUT_S - 1)
            assert of_the_page(table) == []
            await asyncio.sleep(2)
            (lost,) = [h for h in table.events if isinstance(h, PartLost)]
            assert (lost.part, lost.reason) == ("page", "its process isn't there")
            async with a_page(config, sockets) as (page, _):
                await page.game_known.wait()
                await asyncio.sleep(1)
                assert of_the_page(table) == ["PartLost", "PartBack"]
            # one that comes back soon isn't missed
            await asyncio.sleep(PAGE_TIMEOUT_S - 1)
            async with a_page(config, sockets) as (page, _):
                await page.game_known.wait()
                await asyncio.sleep(PAGE_TIMEOUT_S)
            assert of_the_page(table) == ["PartLost", "PartBack"]


@with_given_time
async def test_the_address_of_a_page_that_is_gone_is_shown_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taptable.page.site.own_addresses", lambda: ("10.42.0.1",))
    config = a_table_with_a_page(tmp_path)
    assert config.page is not None
    port = config.page.port
    config = replace(config, page=PageSettings(port, network=True))
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets) as table:
            with patch.object(
                table.daemon.devices, "set_page_address", wraps=table.daemon.devices.set_page_address
            ) as told:
                async with a_page(config, sockets) as (page, _):
                    await page.game_known.wait()
                    await asyncio.sleep(1)
                    assert told.call_args.args == (f"10.42.0.1:{port}",)
                await asyncio.sleep(1)
                assert told.call_args.args == (None,)


@with_given_time
async def test_while_the_table_is_away_nobody_is_let_in_and_all_come_again_when_it_is_back(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    assert config.page is not None
    port = config.page.port
    with a_folder_of_sockets() as sockets:
        async with a_page(config, sockets) as (page, _):
            assert (await get(port, "/")).status == 200
            assert (await get(port, "/about.json")).status == 503
            async with a_client(port) as early:
                assert (await early.closed()).code == TRY_LATER
            boots: set[str | None] = set()
            for _ in range(2):
                async with AsyncExitStack() as table:
                    await table.enter_async_context(a_daemon(config, sockets))
                    await page.game_known.wait()
                    assert (await get(port, "/about.json")).status == 200
                    async with a_client(port) as client:
                        await client.hello()
                        boots.add(client.boot)
                        await table.aclose()
                        assert (await client.closed()).code == GOING_AWAY
                assert (await get(port, "/about.json")).status == 503
            assert len(boots) == 2


async def test_a_game_that_cannot_be_replayed_is_reported_to_each_client_and_the_next_one_is_shown(
    table: Table,
) -> None:
    async with a_client(table.port) as client:
        await client.hello()
        with patch.object(Playback, "play", side_effect=ReplayMismatch("otherwise")):
            table.put("online#1", 1)
            assert (await client.closed()).code == GOING_AWAY
    table.lift("online#1", 1)
    away = await get(table.port, "/about.json")
    assert (away.status, away.json["why"]) == (503, "not-followed")
    async with a_client(table.port) as client:
        assert await client.closed() == Close(TRY_LATER, "not-followed")
    table.daemon.controller.use_control("new-game", DISCARD_PAD, "page", ())
    await asyncio.wait_for(table.page.game_known.wait(), deadline_s())
    async with a_client(table.port) as client:
        await client.hello()
        assert client.parts["teams"][0]["state"] == "offline"


async def test_no_request_waits_for_entries_of_a_game_that_cannot_be_replayed(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    requester = Requester("page", True, Words("en"), "")
    with patch.object(Playback, "play", side_effect=ReplayMismatch("otherwise")):
        await table.page.ask("pause", {}, requester)  # the game is given up while this waits
    await table.page.ask("resume", {}, requester)  # it was given up before
    assert table.page.unavailable_reason == "not-followed"
    assert "Replay timeout" not in caplog.text


@with_given_time
async def test_a_table_that_never_got_its_port_stops_all_the_same(tmp_path: Path) -> None:
    port = free_port()
    async with taken(port), at_table(a_table_with_a_page(tmp_path, port=port)):
        await asyncio.sleep(1)


async def test_a_table_that_restarts_has_its_port_at_once(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    boots: set[str | None] = set()
    for _ in range(5):
        async with at_table(config) as table, a_client(table.port) as client:
            await client.hello()
            boots.add(client.boot)
            assert not [h for h in table.events if isinstance(h, PartLost)]
    assert len(boots) == 5


@with_given_time
async def test_without_a_section_there_is_no_page(tmp_path: Path) -> None:
    port = free_port()
    config = a_table_with_a_page(tmp_path, port=port)
    text = config.file.read_text().partition("[page]")[0]
    config.file.write_text(text)
    async with at_table(load_config(config.file, lambda _: [])) as table:
        await asyncio.sleep(PAGE_TIMEOUT_S + 1)
        assert of_the_page(table) == []
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)


async def test_it_is_heard_on_this_computer_alone(table: Table) -> None:
    with pytest.raises(OSError, match="refused"), socket.socket() as elsewhere:
        elsewhere.connect(("127.0.0.2", table.port))


# the end


async def test_at_the_end_everybody_learns_that_the_table_leaves(tmp_path: Path) -> None:
    clients: list[Client] = []
    async with at_table(a_table_with_a_page(tmp_path)) as table:
        leaving = [a_client(table.port) for _ in range(3)]
        for one in leaving:
            clients.append(await one.__aenter__())
            await clients[-1].hello()
    for client in clients:
        assert (await client.closed()).code == 1001
    for one in leaving:
        await one.__aexit__(None, None, None)


async def much_is_told(feed: Feed, client: Client) -> None:
    """Forty messages, each of them far longer than anybody's buffer."""
    await client.hello()
    for number in range(40):
        feed.put("small", str(number) + "x" * 300_000)
        await client.until(lambda it, number=number: str(it.parts.get("small")).startswith(f"{number}x"))


async def test_who_doesn_t_read_is_kept_no_more_than_a_message_for(table: Table, client: Client) -> None:
    with await a_sleeper(table.port) as sleeper:
        await much_is_told(table.page.feed, client)
        loop = asyncio.get_running_loop()
        sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        messages, end = 0, b""
        async with asyncio.timeout(DEADLINE_S):
            while b"39xxx" not in end:
                end = end[-8:] + await loop.sock_recv(sleeper, 1 << 20)
                messages += end.count(b"boot")
        assert messages < 30  # of forty; what the kernel had taken came first, and then the last state


async def test_who_doesn_t_read_has_nothing_more_done(table: Table, small: Client, extension: SmallExtension) -> None:
    extension.hold.set()
    with await a_sleeper(table.port, "/small/live") as sleeper:
        await much_is_told(extension.feed, small)
        await asyncio.get_running_loop().sock_sendall(
            sleeper, frame(TEXT, b'{"do":"wait","n":1}') * 10 * MAX_PENDING_REQUESTS
        )
        for _ in range(20):
            assert (await small.ask("echo"))["ok"]
        assert extension.done == []


async def a_sleeper(port: int, path: str = "/live") -> socket.socket:
    """A client that says hello and reads nothing more, with as little room as the kernel gives."""
    loop = asyncio.get_running_loop()
    sleeper = socket.socket()
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sleeper.setblocking(False)
    await loop.sock_connect(sleeper, ("127.0.0.1", port))
    await loop.sock_sendall(sleeper, upgrade(port, path))
    assert (await loop.sock_recv(sleeper, 4096)).startswith(b"HTTP/1.1 101")
    await loop.sock_sendall(sleeper, frame(TEXT, HELLO))
    return sleeper


# other times


@asynccontextmanager
async def a_daemon_elsewhere(
    config: Config,
    sockets: Path,
    loop: asyncio.AbstractEventLoop | None = None,
) -> AsyncIterator[tuple[Table, asyncio.AbstractEventLoop]]:
    """A table on a loop of its own, which comes too, in a thread."""
    there: Future[tuple[Table, asyncio.AbstractEventLoop]] = Future()
    leaving = asyncio.Event()

    async def stay() -> None:
        async with a_daemon(config, sockets) as table:
            there.set_result((table, asyncio.get_running_loop()))
            await leaving.wait()

    running = asyncio.create_task(asyncio.to_thread(on_a_loop, stay, loop))
    table, its_loop = await asyncio.wait_for(asyncio.wrap_future(there), DEADLINE_S)
    try:
        yield table, its_loop
    finally:
        its_loop.call_soon_threadsafe(leaving.set)
        await running


class CountingLoop(asyncio.SelectorEventLoop):
    """Counts what it is asked to do later."""

    def __init__(self) -> None:
        super().__init__()
        self.timers = 0

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> asyncio.TimerHandle:
        self.timers += 1
        return super().call_at(when, callback, *args, context=context)


@pytest.mark.parametrize("anyio_backend", [("asyncio", {"loop_factory": CountingLoop})], ids=[""])
@pytest.mark.parametrize("silent", [False, True], ids=["nobody", "one who never says hello"])
async def test_while_nobody_looks_it_wakes_nobody_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silent: bool
) -> None:
    loop, config = asyncio.get_running_loop(), a_table_with_a_page(tmp_path)
    assert isinstance(loop, CountingLoop)
    monkeypatch.setattr("taptable.page.view.parts_of", lambda *_: pytest.fail("nobody asked"))
    # now and then it looks for who is to be let go, however long the rest takes here
    monkeypatch.setattr("taptable.page.server.EXPIRY_CHECK_INTERVAL_S", 3600.0)
    with a_folder_of_sockets() as sockets:
        async with (
            a_daemon_elsewhere(config, sockets) as (table, its_loop),
            a_page(config, sockets) as (page, _),
            AsyncExitStack() as looking,
        ):
            await page.game_known.wait()
            if silent:
                await (await looking.enter_async_context(a_client(table.port))).complain('{"do": "echo"}')
            changed = asyncio.Event()
            deafen = page.feed.listen(changed.set)
            before = loop.timers
            for _ in range(100):
                its_loop.call_soon_threadsafe(tell, table)
                await changed.wait()
                changed.clear()
            assert loop.timers == before
            deafen()
            monkeypatch.undo()
            async with a_client(table.port) as client:
                await client.hello()
                await client.until(lambda it: len(it.items["log"]) == len(BEGUN) + 100)


BEGUN = ("game-began", "turn-began")
"""The beginning of the log."""


def tell(table: Table) -> None:
    """Something is said at the table."""
    table.daemon.controller.note(StopForgotten(table.daemon.clock.now_us(), 1, loudly=True))


@with_given_time
async def test_a_bug_in_the_page_never_reaches_the_table(tmp_path: Path) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    async with at_table(a_table_with_a_page(tmp_path)) as table:
        deafen = table.page.feed.listen(lambda: 1 // 0 and None)
        table.put("online#1", 1)
        await asyncio.sleep(0.3)  # of given time
        state = table.daemon.controller.session.table.state
        assert state.teams[0].line == "up"
        assert table.hardware.stand_in("board").boards[1].ring.pattern == "accepted"
        table.lift("online#1", 1)
        await asyncio.sleep(1)
        table.put("extra-memory#1", 1)
        await asyncio.sleep(1)
        assert table.daemon.controller.session.table.state.teams[0].memory_open
        # and what it breaks is made good by the next that happens
        deafen()
        table.lift("extra-memory#1", 1)
        table.put("email#1", 1)
        async with a_client(table.port) as client:
            await client.hello()
            await client.until(lambda it: "email#1" in str(it.parts["teams"][0]["rows"]))
    assert {type(context["exception"]) for context in trouble} == {ZeroDivisionError}


async def test_after_a_bug_in_its_handling_of_news_the_page_reads_everything_again(tmp_path: Path) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    async with at_table(a_table_with_a_page(tmp_path)) as table:
        with patch.object(table.page, "on_topics_changed", side_effect=ZeroDivisionError) as changed:
            tell(table)
            async with asyncio.timeout(DEADLINE_S):
                while not changed.called:
                    await asyncio.sleep(0)
        async with asyncio.timeout(DEADLINE_S):
            await table.page.game_known.wait()
        async with a_client(table.port) as client:
            await client.hello()
            assert [item["type"] for item in client.items["log"].values()] == [*BEGUN, "stop-forgotten"]
    assert {type(context["exception"]) for context in trouble} == {ZeroDivisionError}


async def test_its_log_is_quiet(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with at_table(a_table_with_a_page(tmp_path)) as table:
        assert (await get(table.port, "/nothing")).status == 404
        assert (await get(table.port, "/", Host="evil.example")).status == 421
        async with a_client(table.port, logger=logging.getLogger("client")) as client:
            await client.hello()
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        writer.write(b"\x00\x01 what\r\n\r\n")
        await reader.read()
        writer.close()
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []
