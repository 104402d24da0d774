"""The limits of requests: how large one may be before anything is made of it, that nothing is kept of one that is done,
and that not more wait for their turn than the table has a mind for."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from page_server.rig import Answer, Table, parse, raw
from taptable.page.pacing import FairScheduler
from taptable.page.protocols import MAX_HEAD, MAX_LINES
from uvicorn.protocols.http.h11_impl import RequestResponseCycle
from websockets.exceptions import InvalidStatus

from page_access.frames import upgrade
from page_access.rig import a_phone, an_open_table, ask

FIRST = b"GET /about.json HTTP/1.1\r\n"
HOST = b"Host: 127.0.0.1\r\n"
WHOLE = FIRST + HOST + b"\r\n"
LAST = FIRST + HOST + b"Connection: close\r\n\r\n"
MANY_LINES = b"a:\r\n" * MAX_LINES


def statuses(answers: bytes) -> list[int]:
    """The statuses of the answers on one connection."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answers)]


TOO_LARGE: Mapping[str, tuple[bytes, list[int]]] = {
    "many lines": (FIRST + HOST + MANY_LINES + b"\r\n", [431]),
    "many lines without an end": (FIRST + HOST + MANY_LINES, [431]),
    "many lines that aren't ended as they should be": (FIRST + HOST + MANY_LINES.replace(b"\r", b"") + b"\n", [431]),
    "a long line": (FIRST + HOST + b"a:" + b"b" * MAX_HEAD + b"\r\n\r\n", [431]),
    "a long line without an end": (FIRST + HOST + b"a:" + b"b" * MAX_HEAD, [431]),
    "a long path": (b"GET /" + b"b" * MAX_HEAD + b" HTTP/1.1\r\n" + HOST + b"\r\n", [431]),
    "after another": (WHOLE + FIRST + HOST + MANY_LINES + b"\r\n", [200, 431]),
    "for a live connection": (upgrade(80)[:-2] + MANY_LINES + b"\r\n", [431]),
}


@pytest.mark.parametrize("what", TOO_LARGE)
async def test_what_is_too_large_is_refused_before_anything_is_made_of_it(table: Table, what: str) -> None:
    said, answered = TOO_LARGE[what]
    assert statuses(await raw(table.port, said)) == answered


@pytest.mark.parametrize("size", [1, 100, 10_000])
async def test_it_makes_no_difference_in_which_pieces_requests_come(table: Table, size: int) -> None:
    post = b"POST /pair HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"
    most = FIRST + HOST + b"a:\r\n" * (MAX_LINES - 3) + b"\r\n"
    said = WHOLE + post + most + LAST
    reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
    for begin in range(0, len(said), size):
        writer.write(said[begin : begin + size])
        await asyncio.sleep(0)
    assert statuses(await asyncio.wait_for(reader.read(), DEADLINE_S)) == [200, 400, 200, 200]
    writer.close()


BODIES: Mapping[str, tuple[bytes, list[int]]] = {
    # the request after it is never looked at
    "of a GET": (FIRST + HOST + b"Content-Length: 99999\r\n\r\n" + b"b" * 9000 + WHOLE, [200]),
    "in chunks": (
        b"POST /pair HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + MANY_LINES + b"\r\n" + WHOLE,
        [411],
    ),
    "in chunks, of a GET": (FIRST + HOST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + WHOLE, [411]),
    "that nobody reads": (b"POST /nowhere HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\nb", [404]),
}


@pytest.mark.parametrize("what", BODIES)
async def test_of_a_body_no_more_is_read_than_is_wanted(table: Table, what: str) -> None:
    said, answered = BODIES[what]
    assert statuses(await raw(table.port, said)) == answered


async def test_who_speaks_tls_is_answered_at_once(table: Table) -> None:
    assert statuses(await raw(table.port, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")) == [400]


async def test_a_client_that_sends_much_before_its_answer_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taptable.page.guard.REQUEST_BURST", 0)
    monkeypatch.setattr("taptable.page.guard.REQUESTS_PER_S", 0.001)
    async with an_open_table(tmp_path) as table:
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        writer.write(WHOLE + b"x" * (MAX_HEAD + 1))
        with suppress(ConnectionError):
            assert await asyncio.wait_for(reader.read(), DEADLINE_S) == b""
        writer.close()


async def test_nothing_is_kept_of_a_request_that_is_done(table: Table) -> None:
    connections = [await asyncio.open_connection("127.0.0.1", table.port) for _ in range(10)]
    for reader, writer in connections:
        writer.write(WHOLE.replace(b"about.json", b"about.json?once"))
        length = parse(await reader.readuntil(b"\r\n\r\n")).headers["content-length"]
        await reader.readexactly(int(length))
    for _, writer in connections[5:]:  # gone without a goodbye
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()
    assert (await ask(table.port, "/about.json")).status == 200  # whose closing is answered after all those
    gc.collect()
    cycles = [each for each in gc.get_objects() if isinstance(each, RequestResponseCycle)]
    kept = [each for each in cycles if each.scope["query_string"] == b"once"]
    for _, writer in connections[:5]:
        writer.close()
    assert kept == []


# queues


def under_way() -> int:
    """How many requests the server is at."""
    return sum("run_asgi" in repr(task) for task in asyncio.all_tasks())


async def test_of_one_address_some_requests_wait_and_the_others_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 3
    monkeypatch.setattr("taptable.page.guard.REQUEST_BURST", 1)
    monkeypatch.setattr("taptable.page.guard.REQUESTS_PER_S", 0.001)
    monkeypatch.setattr("taptable.page.guard.MAX_WAITING_OF_AN_ADDRESS", most)
    async with an_open_table(tmp_path) as table:
        assert (await ask(table.port, "/about.json", source="127.0.0.2")).status == 200
        asked = {asyncio.ensure_future(ask(table.port, "/about.json", source="127.0.0.2")) for _ in range(most + 5)}
        refused: list[Answer] = []
        while len(refused) < 5:
            done, asked = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            refused += [await each for each in done]
        assert {(each.status, each.headers["connection"]) for each in refused} == {(429, "close")}
        assert len(asked) == most
        assert (await ask(table.port, "/about.json", source="127.0.0.3")).status == 200
        # once their clients have gone nobody waits any more
        for each in asked:
            each.cancel()
        async with asyncio.timeout(DEADLINE_S):
            while under_way():
                await asyncio.sleep(0)


async def test_a_request_whose_client_has_gone_is_not_served(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[str] = []
    about, through, held = table.page.about, table.site.scheduler.wait_for_turn, asyncio.Event()

    async def wait_for_it() -> None:
        await held.wait()
        await through()

    monkeypatch.setattr(table.page, "about", lambda: served.append("about") or about())
    with monkeypatch.context() as patch:
        patch.setattr(table.site.scheduler, "wait_for_turn", wait_for_it)
        for number in range(3):
            _, writer = await asyncio.open_connection("127.0.0.1", table.port)
            writer.write(WHOLE if number else upgrade(table.port))
            async with asyncio.timeout(DEADLINE_S):
                while not under_way():
                    await asyncio.sleep(0)
                writer.close()
                while under_way():
                    await asyncio.sleep(0)
        held.set()
    assert (await ask(table.port, "/about.json")).status == 200
    assert served == ["about"]


async def test_where_too_many_wait_for_a_turn_of_the_loop_the_next_is_refused(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_phone(table) as phone:
        monkeypatch.setattr("taptable.page.guard.MAX_WAITING", 0)
        answer = await ask(table.port, "/about.json")
        assert (answer.status, answer.headers["connection"]) == (503, "close")
        with pytest.raises(InvalidStatus):
            async with a_phone(table):
                pass
        assert (await phone.ask("echo"))["ok"]  # who is there already is still heard


async def test_a_scheduler_counts_who_waits() -> None:
    scheduler = FairScheduler()
    waiting = [asyncio.ensure_future(scheduler.wait_for_turn()) for _ in range(3)]
    await asyncio.sleep(0)
    assert scheduler.waiting == 3
    await asyncio.wait(waiting)
    assert scheduler.waiting == 0
