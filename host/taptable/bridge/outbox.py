"""The outbox of messages to a broker: keeps only the newest retained message of each topic, and events only while they
are fresh. So a slow or absent broker costs a bounded amount of memory, and gets no old event as if it were new. Must
not know the messages."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection

from taptable.uplink.broker import BrokerClient

FRESH_S = 5.0
"""Seconds after which an event that couldn't be sent is dropped. At most `MAX_EVENTS` of them wait."""
MAX_EVENTS = 64
"""The most events that wait to be sent; beyond it the oldest are dropped. Each waits for at most `FRESH_S`."""


class MqttOutbox:
    """The outbox of one table; `event_topic` is the topic of events. `on_dropped` receives the topics whose messages
    the broker drops, whenever they change."""

    def __init__(self, event_topic: str, on_dropped: Callable[[Collection[str]], None] = lambda _: None) -> None:
        self.event_topic = event_topic
        self._on_dropped = on_dropped
        self._dropped: set[str] = set()
        self._reported_dropped: set[str] = set()
        self._retained: dict[str, bytes] = {}
        self._events: deque[tuple[float, bytes]] = deque(maxlen=MAX_EVENTS)
        self._sent: dict[str, bytes] = {}
        self._changed = asyncio.Event()

    def retain(self, topic: str, payload: bytes) -> None:
        """Set the message that is retained at a topic from now on."""
        self._retained[topic] = payload
        self._changed.set()

    def retained_at(self, topic: str) -> bytes | None:
        """Return the message that should be retained at a topic now."""
        return self._retained.get(topic)

    def add_event(self, payload: bytes) -> None:
        """Queue an event, which is dropped if it can't be sent within `FRESH_S`."""
        self._events.append((time.monotonic(), payload))
        self._changed.set()

    def forget_events(self) -> None:
        """Drop the events that still wait: they contain names that may not be published any more."""
        self._events.clear()

    def resend_all(self) -> None:
        """Send everything that is retained again, since the receiver may have lost it."""
        self._sent.clear()
        self._changed.set()

    async def send(self, client: BrokerClient) -> None:
        """Send messages, each after the broker has confirmed the one before. Never returns; raises `MqttError` if the
        broker doesn't confirm one."""
        self.resend_all()
        while True:
            await self._changed.wait()
            self._changed.clear()
            while (due := self._due()) is not None:
                topic, payload, retain = due
                arrived = await client.deliver(topic, payload, retain=retain)
                if retain:
                    self._sent[topic] = payload
                self._note_delivery(topic, arrived=arrived)
            if self._dropped != self._reported_dropped:
                self._reported_dropped = set(self._dropped)
                self._on_dropped(sorted(self._dropped))

    def _note_delivery(self, topic: str, *, arrived: bool) -> None:
        """Note whether the broker has dropped a message. Once it accepts one at a topic where it dropped messages
        before, the other such topics are retried."""
        if not arrived:
            self._dropped.add(topic)
        elif topic in self._dropped:
            self._dropped.remove(topic)
            for other in self._dropped:
                self._sent.pop(other, None)

    def _due(self) -> tuple[str, bytes, bool] | None:
        """Return the next message as topic, payload and whether to retain it; None if there is none. State comes first,
        since a receiver of an event reads the state."""
        for topic, payload in self._retained.items():
            if self._sent.get(topic) != payload:
                return topic, payload, True
        while self._events:
            at_s, payload = self._events.popleft()
            if time.monotonic() - at_s <= FRESH_S:
                return self.event_topic, payload, False
        return None
