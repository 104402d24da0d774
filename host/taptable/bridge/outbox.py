"""What is to be said at a broker: of what is retained the newest alone, and events while they are fresh; so that a
broker that is slow or away costs a bounded amount, and hears no old news as new. Must not know what is said."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection

from taptable.uplink.broker import BrokerClient

FRESH_S = 5.0
"""An event that is older isn't said any more."""
MOST_EVENTS = 64


class MqttOutbox:
    """Of one table; `event` is the topic of events. `on_dropped` is told at which topics the broker drops what is said,
    as that changes."""

    def __init__(self, event_topic: str, on_dropped: Callable[[Collection[str]], None] = lambda _: None) -> None:
        self.event_topic = event_topic
        self._on_dropped = on_dropped
        self._dropped: set[str] = set()
        self._reported_dropped: set[str] = set()
        self._retained: dict[str, bytes] = {}
        self._events: deque[tuple[float, bytes]] = deque(maxlen=MOST_EVENTS)
        self._sent: dict[str, bytes] = {}
        self._changed = asyncio.Event()

    def retain(self, topic: str, payload: bytes) -> None:
        """From now on this is what stands at a topic."""
        self._retained[topic] = payload
        self._changed.set()

    def retained_at(self, topic: str) -> bytes | None:
        """Return the message that should be retained at a topic now."""
        return self._retained.get(topic)

    def add_event(self, payload: bytes) -> None:
        """Say an event, if that can be done soon."""
        self._events.append((time.monotonic(), payload))
        self._changed.set()

    def forget_events(self) -> None:
        """Say none of the events that still wait: somebody is named in them who isn't to be named any more."""
        self._events.clear()

    def resend_all(self) -> None:
        """Nothing of what was said is known any more."""
        self._sent.clear()
        self._changed.set()

    async def send(self, client: BrokerClient) -> None:
        """Say all that is to be said, for good, one thing after the other as the broker confirms them; `MqttError`
        where it doesn't."""
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
        """Take in whether the broker has dropped a message. Once it lets one pass that it dropped before, the others
        are tried again."""
        if not arrived:
            self._dropped.add(topic)
        elif topic in self._dropped:
            self._dropped.remove(topic)
            for other in self._dropped:
                self._sent.pop(other, None)

    def _due(self) -> tuple[str, bytes, bool] | None:
        """What is to be said next: how it stands first, since who hears of an event looks there."""
        for topic, payload in self._retained.items():
            if self._sent.get(topic) != payload:
                return topic, payload, True
        while self._events:
            at_s, payload = self._events.popleft()
            if time.monotonic() - at_s <= FRESH_S:
                return self.event_topic, payload, False
        return None
