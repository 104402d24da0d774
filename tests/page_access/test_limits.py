"""The limits of a page that is open to the network: nobody holds a connection without a request, nobody keeps all
others out, and who says more than may be said is heard later."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from page_server.rig import Table, a_client, raw, with_given_time
from ports import free_port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from taptable.core.rates import RateLimiter
from taptable.page.connection import MESSAGE_BURST, MESSAGES_PER_S, TRY_LATER
from taptable.page.connections import CROWDED_OUT, MAX_CLIENTS, MAX_UNPAIRED_CLIENTS, MAX_UNPAIRED_PER_ADDRESS
from taptable.page.pacing import FairScheduler
from taptable.page.protocols import (
    ANSWER_TIMEOUT_S,
    BYTE_BURST,
    BYTES_PER_S,
    CONTROL_FRAME_COST,
    PIECE,
    REQUEST_TIMEOUT_S,
    UNREAD_TIMEOUT_S,
    Requests,
)
from taptable.page.server import EXPIRY_CHECK_INTERVAL_S, MAX_CONNECTIONS, Server
from taptable.page.server import MAX_CONNECTIONS_PER_ADDRESS as MAX_CONNECTIONS_OF_AN_ADDRESS

from page_access.frames import HELLO, PING, PONG, TEXT, frame, on_the_wire
from page_access.rig import a_phone, an_open_table, ask, pair

# time


class Served:
    """A server by itself in given time; its application reads what it is sent, and says more than anybody reads."""

    def __init__(self) -> None:
        self.port = free_port()
        self.ended_s: list[float] = []
        self.loop = asyncio.get_running_loop()
        app = Starlette(
            routes=[Route("/", self._answer, methods=["GET", "POST"]), WebSocketRoute("/live", self._speak)]
        )
        self.server = Server(app, self.port, self._leave, lambda _: None)
        self.server._state.now_s = self.loop.time
        self.speaks = False

    async def _answer(self, request: Request) -> Response:
        return PlainTextResponse(str(len(await request.body())))

    async def _speak(self, socket: WebSocket) -> None:
        await socket.accept()
        try:
            while self.speaks:
                await socket.send_text("x" * 500_000)
            while True:
                await socket.receive_text()
        finally:
            self.ended_s.append(self.loop.time())

    async def _leave(self) -> None:
        pass


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    served = Served()
    served.server.open()
    try:
        async with asyncio.timeout(2 * 3600):  # of given time
            yield served
    finally:
        await served.server.close()


async def held_for_s(port: int, *said: bytes) -> float:
    """For how long a connection is held on which this is said, and then nothing."""
    loop = asyncio.get_running_loop()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    began_s = loop.time()
    try:
        for each in said:
            writer.write(each)
            if each.endswith(b"\r\n\r\n"):
                assert await reader.read(1000)
                began_s = loop.time()
        while await reader.read(1000):
            pass
    except ConnectionError:
        pass
    finally:
        writer.close()
    return loop.time() - began_s


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SLOW = {
    "nothing": ((), REQUEST_TIMEOUT_S),
    "a letter": ((b"G",), REQUEST_TIMEOUT_S),
    "half a head": ((b"GET / HTTP/1.1\r\nHost: x\r\nX: ",), REQUEST_TIMEOUT_S),
    "a request, and then nothing": ((WHOLE,), REQUEST_TIMEOUT_S),
    "a request, and then half of one": ((WHOLE, WHOLE[:-1]), REQUEST_TIMEOUT_S),
    "half a body": ((b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"[:-2],), ANSWER_TIMEOUT_S),
}


@pytest.mark.parametrize("what", SLOW)
@with_given_time
async def test_a_client_that_never_ends_its_request_is_disconnected(served: Served, what: str) -> None:
    said, limit_s = SLOW[what]
    assert limit_s <= await held_for_s(served.port, *said) <= limit_s + EXPIRY_CHECK_INTERVAL_S


@with_given_time
async def test_a_client_that_sends_a_letter_now_and_then_is_disconnected_as_well(served: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    began_s = served.loop.time()
    while not (reader.at_eof() or reader.exception()):
        writer.write(b"G")
        await asyncio.sleep(1)
    writer.close()
    assert served.loop.time() - began_s <= REQUEST_TIMEOUT_S + EXPIRY_CHECK_INTERVAL_S + 1


@with_given_time
async def test_who_asks_in_time_is_kept(served: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    for _ in range(20):
        writer.write(WHOLE)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        await reader.readexactly(1)
        await asyncio.sleep(REQUEST_TIMEOUT_S - 1)
    writer.close()


UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


@with_given_time
async def test_a_live_connection_on_which_nothing_is_sent_is_closed(served: Served) -> None:
    assert UNREAD_TIMEOUT_S <= await held_for_s(served.port, UPGRADE) <= UNREAD_TIMEOUT_S + EXPIRY_CHECK_INTERVAL_S
    # pings say nothing
    assert (
        UNREAD_TIMEOUT_S
        <= await held_for_s(served.port, UPGRADE, frame(PING, b"x"))
        <= UNREAD_TIMEOUT_S + EXPIRY_CHECK_INTERVAL_S
    )


@with_given_time
async def test_a_live_connection_that_was_greeted_is_kept_though_nothing_more_is_sent(served: Served) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(UPGRADE)
    await asyncio.sleep(1)
    writer.write(frame(TEXT, b"{}"))
    await asyncio.sleep(3600)
    assert served.ended_s == []
    writer.close()


@with_given_time
async def test_a_client_that_doesn_t_read_for_long_is_disconnected(served: Served) -> None:
    served.speaks = True
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port, limit=1000)
    writer.write(UPGRADE + frame(TEXT, b"{}"))
    await reader.readuntil(b"\r\n\r\n")
    began_s = served.loop.time()
    while not served.ended_s:
        await asyncio.sleep(1)
    assert UNREAD_TIMEOUT_S <= served.ended_s[0] - began_s <= UNREAD_TIMEOUT_S + EXPIRY_CHECK_INTERVAL_S + 2
    writer.close()


@with_given_time
async def test_with_nobody_there_it_doesn_t_look(served: Served) -> None:
    def later() -> list[Any]:
        """The callbacks that the loop has scheduled."""
        handles = getattr(served.loop, "_scheduled")  # noqa: B009 # it has no other way to ask
        return [handle for handle in handles if not handle.cancelled()]

    before = later()
    assert await raw(served.port, b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert len(later()) > len(before)
    await asyncio.sleep(EXPIRY_CHECK_INTERVAL_S + 1)
    assert later() == before


# room


@asynccontextmanager
async def truth(port: int, count: int, source: str) -> AsyncGenerator[list[asyncio.StreamReader]]:
    """Open `count` connections from an address, on which nothing is sent."""
    held = [await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)) for _ in range(count)]
    try:
        yield [reader for reader, _ in held]
    finally:
        for _, writer in held:
            writer.close()


async def is_let_go(reader: asyncio.StreamReader) -> bool:
    """Does a connection end on which nothing was said?"""
    with suppress(ConnectionError):
        assert await asyncio.wait_for(reader.read(), DEADLINE_S) == b""
    return True


def still_held(held: list[asyncio.StreamReader]) -> int:
    return sum(not reader.at_eof() and reader.exception() is None for reader in held)


async def test_who_takes_more_than_its_part_of_the_connections_loses_the_oldest(table: Table) -> None:
    async with truth(table.port, MAX_CONNECTIONS_OF_AN_ADDRESS, "127.0.0.2") as held:
        assert (await ask(table.port, "/about.json", source="127.0.0.3")).status == 200
        assert still_held(held) == MAX_CONNECTIONS_OF_AN_ADDRESS
        assert (await ask(table.port, "/about.json", source="127.0.0.2")).status == 200
        assert await is_let_go(held[0])
        assert still_held(held) == MAX_CONNECTIONS_OF_AN_ADDRESS - 1


async def test_where_all_connections_are_taken_there_is_room_for_who_has_none(table: Table) -> None:
    others = MAX_CONNECTIONS - MAX_CONNECTIONS_OF_AN_ADDRESS - 1
    async with (
        a_phone(table, source="127.0.0.4") as phone,
        truth(table.port, others, "127.0.0.5") as few,
        truth(table.port, MAX_CONNECTIONS_OF_AN_ADDRESS, "127.0.0.2") as many,
    ):
        assert (await ask(table.port, "/about.json", source="127.0.0.3")).status == 200
        assert await is_let_go(many[0])
        assert (await phone.ask("echo"))["ok"]
        assert (still_held(few), still_held(many)) == (others, MAX_CONNECTIONS_OF_AN_ADDRESS - 1)


async def test_newcomers_are_taken_in_one_at_a_turn_of_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, came_in = 0, list[int]()

    class Counted(Requests):
        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            came_in.append(turn)

    monkeypatch.setattr("taptable.page.server.Requests", Counted)
    async with an_open_table(tmp_path) as table:

        def count() -> None:
            nonlocal turn
            turn += 1
            loop.call_soon(count)

        loop = asyncio.get_running_loop()
        count()
        with ExitStack() as here:
            for _ in range(20):  # all of them wait in the kernel
                here.enter_context(socket.create_connection(("127.0.0.1", table.port)))
            async with asyncio.timeout(DEADLINE_S):
                while len(came_in) < 20:
                    await asyncio.sleep(0)
        assert len(set(came_in)) == len(came_in)


async def test_a_newcomer_to_many_of_its_own_address_takes_the_place_of_who_was_silent_for_longest(
    table: Table,
) -> None:
    async with AsyncExitStack() as here:
        watching = [
            await here.enter_async_context(a_phone(table, source="127.0.0.2")) for _ in range(MAX_UNPAIRED_PER_ADDRESS)
        ]
        assert (await watching[0].ask("echo"))["ok"]
        await here.enter_async_context(a_phone(table, source="127.0.0.2"))
        assert (await watching[1].closed()).code == CROWDED_OUT
        for each in (*watching[:1], *watching[2:]):
            assert (await each.ask("echo"))["ok"]


async def test_where_nobody_has_room_any_more_a_newcomer_takes_the_place_of_one_of_the_most(table: Table) -> None:
    async with AsyncExitStack() as here:
        alone = [
            await here.enter_async_context(a_phone(table, source=f"127.0.1.{number + 1}"))
            for number in range(MAX_UNPAIRED_CLIENTS - 2)
        ]
        both = [await here.enter_async_context(a_phone(table, source="127.0.0.2")) for _ in range(2)]
        await here.enter_async_context(a_phone(table, source="127.0.0.3"))
        assert (await both[0].closed()).code == CROWDED_OUT
        # now all have one each
        await here.enter_async_context(a_phone(table, source="127.0.0.4"))
        assert (await alone[0].closed()).code == CROWDED_OUT
        for each in (*alone[1:], both[1]):
            assert (await each.ask("echo"))["ok"]


async def test_who_is_paired_makes_room_for_nobody_and_has_it_before_others(tmp_path: Path) -> None:
    assert MAX_UNPAIRED_PER_ADDRESS >= 30  # the phones of one house behind one box
    async with an_open_table(tmp_path) as table:
        cookie = await pair(table)
        async with AsyncExitStack() as here:
            watching = [
                await here.enter_async_context(a_phone(table, source=f"127.0.1.{number + 1}"))
                for number in range(MAX_UNPAIRED_CLIENTS)
            ]
            paired = [
                await here.enter_async_context(a_phone(table, cookie, source="127.0.0.3")) for _ in range(MAX_CLIENTS)
            ]
            assert {(await each.closed()).code for each in watching} == {CROWDED_OUT}
            for late in ({}, {"additional_headers": {"Cookie": cookie}}):
                async with a_client(table.port, **late) as client:
                    assert (await client.closed()).code == TRY_LATER
            for each in paired:
                assert (await each.ask("echo"))["ok"]


# how often


def test_a_limiter_is_used_up_and_grows_again_up_to_the_most() -> None:
    now_s = [0.0]
    limiter = RateLimiter(10, 5, lambda: now_s[0])
    for _ in range(5):
        limiter.consume()
        assert limiter.wait_s() == 0
    limiter.consume()
    assert limiter.wait_s() == pytest.approx(0.1)
    limiter.consume(3)  # at once, as if nothing had been waited for
    assert limiter.wait_s() == pytest.approx(0.3)
    now_s[0] = 100.0
    for _ in range(5):
        limiter.consume()
        assert limiter.wait_s() == 0
    limiter.consume()
    assert limiter.wait_s() > 0


def test_who_waits_as_long_as_is_owed_is_heard_at_the_rate_that_is_allowed() -> None:
    now_s = [0.0]
    limiter = RateLimiter(50, 150, lambda: now_s[0])
    for _ in range(1150):
        limiter.consume()
        now_s[0] += limiter.wait_s()
    assert now_s[0] == pytest.approx(20.0)


@with_given_time
async def test_a_client_that_sends_more_than_it_may_is_heard_later(table: Table) -> None:
    too_much = 200
    loop = asyncio.get_running_loop()
    async with on_the_wire(table.port) as wire:
        wire.send(frame(TEXT, HELLO))
        await wire.until_text(b'"answer":1')
        began_s, began_now_s = loop.time(), time.monotonic()
        wire.send(*(frame(TEXT, b'{"do":"echo","n":%d}' % n) for n in range(MESSAGE_BURST + too_much)))
        await wire.until_text(b'"answer":%d,' % (MESSAGE_BURST - 20))
        assert loop.time() - began_s < 1
        await wire.until_text(b'"answer":%d,' % (MESSAGE_BURST + too_much - 1))
        now_s = time.monotonic() - began_now_s  # what may be said grows by the time outside
        assert loop.time() - began_s >= (too_much - 1) / MESSAGES_PER_S - now_s


@with_given_time
@pytest.mark.parametrize("code", [PING, PONG])
async def test_who_pings_more_than_may_be_pinged_is_heard_later(table: Table, code: int) -> None:
    pings, loop = 2000, asyncio.get_running_loop()
    async with on_the_wire(table.port) as wire:
        wire.send(frame(TEXT, HELLO))
        await wire.until_text(b'"answer":1')
        began_s, began_now_s = loop.time(), time.monotonic()
        wire.send(*[frame(code, b"")] * pings, frame(TEXT, b'{"do":"echo","n":2}'))
        await wire.until_text(b'"answer":2')
        now_s = time.monotonic() - began_now_s  # what may be said grows by the time outside
        # what is looked at last in one piece has been answered before it is paid for
        owed = (pings - PIECE // 6) * CONTROL_FRAME_COST - BYTE_BURST
        assert loop.time() - began_s >= owed / BYTES_PER_S - now_s


async def test_who_asks_for_more_than_may_be_asked_for_is_answered_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, per_s, too_much = 10, 100.0, 60
    monkeypatch.setattr("taptable.page.guard.REQUEST_BURST", most)
    monkeypatch.setattr("taptable.page.guard.REQUESTS_PER_S", per_s)
    async with an_open_table(tmp_path) as table:
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        asked = [ask(table.port, "/about.json", source="127.0.0.2") for _ in range(most + too_much)]
        waiting = asyncio.gather(*asked)
        assert (await ask(table.port, "/about.json", source="127.0.0.3")).status == 200
        assert not waiting.done()  # nobody else waits with it
        assert {answer.status for answer in await waiting} == {200}
        assert loop.time() - began_s >= (too_much - 1) / per_s


async def test_one_is_let_through_at_a_turn_of_the_loop_the_first_first() -> None:
    turn = 0

    def count() -> None:
        nonlocal turn
        turn += 1
        if turn < 100:
            loop.call_soon(count)

    loop, scheduler = asyncio.get_running_loop(), FairScheduler()
    passed: list[tuple[int, int]] = []

    async def pass_by(number: int) -> None:
        await scheduler.wait_for_turn()
        passed.append((turn, number))

    count()
    people = [asyncio.ensure_future(pass_by(number)) for number in range(30)]
    await asyncio.sleep(0)
    people[7].cancel()  # who gives up keeps nobody waiting
    await asyncio.wait(people)
    turns = [at for at, _ in passed]
    assert [number for _, number in passed] == [number for number in range(30) if number != 7]
    assert len(set(turns)) == len(turns)
    assert turns[-1] - turns[0] == len(turns) - 1
