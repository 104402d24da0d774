"""The bridge reports a message that a broker dropped when the state changes, and retries it once the broker accepts a
message. It drops an event that is too old."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, cast

import pytest
from taptable.bridge.outbox import MqttOutbox
from taptable.uplink.broker import BrokerClient


class Access:
    """A broker that drops messages at the `closed` topics, and stores those that arrived."""

    def __init__(self, *closed: str) -> None:
        self.closed = set(closed)
        self.arrived: list[tuple[str, bytes]] = []

    async def deliver(self, topic: str, payload: bytes, **_: Any) -> bool:
        await asyncio.sleep(0)
        if topic not in self.closed:
            self.arrived.append((topic, payload))
        return topic not in self.closed


async def test_a_dropped_message_is_reported_once_and_sent_when_it_may_be() -> None:
    told: list[list[str]] = []

    def dropped(topics: Collection[str]) -> None:
        told.append(list(topics))

    broker, outbox = Access("config", "state"), MqttOutbox("event", dropped)
    outbox.retain("config", b"device")
    outbox.retain("state", b"1")
    outbox.retain("online", b"online")
    sending = asyncio.create_task(outbox.send(cast(BrokerClient, broker)))
    await _idle()
    outbox.retain("state", b"2")
    await _idle()
    assert (told, broker.arrived) == ([["config", "state"]], [("online", b"online")])
    broker.closed.clear()
    outbox.retain("state", b"3")
    await _idle()
    assert told == [["config", "state"], []]
    assert broker.arrived[1:] == [("state", b"3"), ("config", b"device")]
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


async def test_an_event_of_a_while_ago_isn_t_sent_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    broker, outbox = Access(), MqttOutbox("event")
    outbox.add_event(b"old")
    with monkeypatch.context() as later:
        later.setattr("taptable.bridge.outbox.FRESH_S", 0.0)
        sending = asyncio.create_task(outbox.send(cast(BrokerClient, broker)))
        await _idle()
    outbox.add_event(b"new")
    await _idle()
    assert broker.arrived == [("event", b"new")]
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


async def _idle() -> None:
    """Until the loop has nothing to do."""
    for _ in range(50):
        await asyncio.sleep(0)
