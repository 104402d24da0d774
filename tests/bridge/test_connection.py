"""Connections to a broker that closes at once, speaks an older version, or accepts another client with the same id; and
how the bridge reports each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from aiomqtt import ProtocolVersion
from deadline import DEADLINE_S
from taptable.bridge import connection
from taptable.bridge.connection import MAX_CLOSED, cancel_all, keep_connected
from taptable.bridge.process import VERSIONS
from taptable.config import Account
from taptable.uplink.broker import BrokerClient

from bridge.broker import OBSERVER, Broker
from bridge.false_broker import (
    ACCEPTED,
    ACCEPTED_BY_5,
    CONNECT_VERSION,
    NOT_THIS_VERSION,
    TAKEN_OVER,
    a_false_broker,
    hold_open,
)

V5, V311 = ProtocolVersion.V5, ProtocolVersion.V311


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pause is next to none."""
    monkeypatch.setattr(connection, "FIRST_PAUSE_S", 0.01)


class Connected:
    """A connection that is kept; `served` are the versions of each that was made, `reported` what was reported."""

    def __init__(self) -> None:
        self.served: asyncio.Queue[BrokerClient] = asyncio.Queue()
        self.reported: asyncio.Queue[str] = asyncio.Queue()

    async def serve(self, client: BrokerClient) -> None:
        self.served.put_nowait(client)
        async for _ in client.messages:
            pass


@asynccontextmanager
async def kept_connected(
    account: Account, identifier: str = "taptable-x", versions: Sequence[ProtocolVersion] = (V311,)
) -> AsyncGenerator[Connected]:
    """A connection that is maintained while this lasts."""
    one = Connected()
    keeping = keep_connected(account, identifier, one.serve, report=one.reported.put_nowait, versions=versions)
    task = asyncio.create_task(keeping)
    try:
        async with asyncio.timeout(DEADLINE_S):
            yield one
    finally:
        await cancel_all([task])


@pytest.mark.parametrize("versions", [(V311,), VERSIONS], ids=["3.1.1", "5"])
async def test_a_broker_that_accepts_and_closes_at_once_is_tried_again(versions: Sequence[ProtocolVersion]) -> None:
    connects = 0

    async def behave(_: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connects
        connects += 1
        if connects > 5:
            await hold_open(reader, writer)
        writer.write(ACCEPTED)

    async with a_false_broker(behave) as account, kept_connected(account, versions=versions):
        while connects < 6:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("answer", [NOT_THIS_VERSION, b"", b"\x20\x01\x00"], ids=["refused", "closed", "nonsense"])
async def test_a_broker_of_an_older_version_is_spoken_to_in_it(answer: bytes) -> None:
    met: list[int] = []

    async def behave(connect: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        met.append(connect[CONNECT_VERSION])
        if connect[CONNECT_VERSION] == V5:
            writer.write(answer)
            await writer.drain()
        else:
            await hold_open(reader, writer)

    async with a_false_broker(behave) as account, kept_connected(account, versions=VERSIONS) as one:
        client = await one.served.get()
        assert not client.reports_drops
    assert met == [V5, V311]


async def test_who_is_thrown_out_by_a_twin_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    async def behave(_: bytes, __: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(ACCEPTED_BY_5)
        await writer.drain()
        await asyncio.sleep(0.05)  # or it has closed before the client has entered
        writer.write(TAKEN_OVER)
        await writer.drain()

    async with a_false_broker(behave) as account, kept_connected(account, versions=VERSIONS) as one:
        for _ in range(2):
            said = await one.reported.get()
            assert said.startswith(
                f"another client at the broker at 127.0.0.1:{account.port} uses the id taptable-x, and"
            )
    assert caplog.text.count("takes this bridge's connection over") == 1


@pytest.mark.parametrize("versions", [(V311,), VERSIONS], ids=["3.1.1", "5"])
async def test_a_twin_is_suspected_where_a_broker_doesn_t_say_why_it_closes(
    versions: Sequence[ProtocolVersion], broker: Broker, caplog: pytest.LogCaptureFixture
) -> None:
    account = broker.account(OBSERVER)
    async with kept_connected(account, versions=versions) as one, kept_connected(account, versions=versions) as other:
        for each in (one, other):
            assert "the id taptable-x" in await each.reported.get()
        assert one.served.qsize() + other.served.qsize() >= MAX_CLOSED
    assert caplog.text.count("the id taptable-x") == 2


async def test_two_ids_don_t_throw_each_other_out_and_a_trouble_that_is_over_is_no_more(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LONGEST_PAUSE_S", 0.5)
    account = broker.account(OBSERVER)
    async with kept_connected(account, "one", VERSIONS) as one, kept_connected(account, "other", VERSIONS) as other:
        assert (await one.reported.get(), await other.reported.get()) == ("", "")
        assert (one.served.qsize(), other.served.qsize()) == (1, 1)


async def test_who_cancels_waits_until_all_have_ended_even_if_cancelled_meanwhile() -> None:
    ended: list[str] = []

    async def loses_the_first_cancellation() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("task")

    task = asyncio.ensure_future(loses_the_first_cancellation())
    await asyncio.sleep(0)
    canceller = asyncio.ensure_future(cancel_all([task]))
    await asyncio.sleep(0)
    canceller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(canceller, DEADLINE_S)
    assert ended == ["task"]
