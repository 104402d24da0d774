"""The league's confirmations as they arrive: checked, and queued until the uplink reads them. The uplink also waits
here for everything else that should wake it. Must not know what follows from a confirmation."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from aiomqtt import Client

from taptable.core.errors import TaptableError
from taptable.uplink.broker import subscribe
from taptable.uplink.messages import REVOKED, BadMessage, Confirmed, Topics, decode_signed

MAX_RECEIVED = 32
"""Length of the queue of unread confirmations; beyond it the oldest are dropped."""


class Revoked(TaptableError):
    """The league no longer accepts messages with this table's key."""


class Confirmations:
    """The confirmations for one table. `log_once` receives a key and a sentence about each message that can't be
    used."""

    def __init__(self, topics: Topics, key: bytes, log_once: Callable[[str, str], None]) -> None:
        self._topic = topics.confirmed
        self._key = key
        self._log_once = log_once
        self._received: deque[Confirmed] = deque(maxlen=MAX_RECEIVED)
        self._wakeup = asyncio.Event()

    async def receive(self, client: Client) -> None:
        """Subscribe, and queue what arrives until the connection is lost. Raises `MqttError` if the broker refuses."""
        self._received.clear()
        # what isn't confirmed is asked for and sent again: QoS 0, for which a cluster stores nothing, loses nothing
        await subscribe(client, self._topic, qos=0)
        async for message in client.messages:
            try:
                self._received.append(decode_signed(message.payload, str(message.topic), self._key, Confirmed))
            except BadMessage as error:
                self._log_once("bad", f"Confirmation dropped, its batch is sent again if none follows: {error}")
            self.wake()

    def next(self) -> Confirmed | None:
        """Return the oldest unread confirmation, None if there is none. Raises `Revoked` if it says that the key is
        revoked."""
        if not self._received:
            return None
        confirmed = self._received.popleft()
        if confirmed.remark == REVOKED:
            raise Revoked("the league has revoked this table's key")
        return confirmed

    def forget(self) -> None:
        """Drop what has arrived until now, since it can't be an answer to the next question."""
        self._received.clear()

    async def wait_for(self, journal: str, wait_s: float) -> Confirmed | None:
        """Return the first confirmation of this journal, or None after `wait_s` seconds. Those of other journals are
        dropped."""
        loop = asyncio.get_running_loop()
        until_s = loop.time() + wait_s
        while True:
            while confirmed := self.next():
                if confirmed.position.journal == journal:
                    return confirmed
            left_s = until_s - loop.time()
            if left_s <= 0:
                return None
            await self.wait(left_s)

    def wake(self) -> None:
        """Wake the uplink, since something other than a confirmation needs its attention."""
        self._wakeup.set()

    async def wait(self, wait_s: float | None) -> bool:
        """Wait for an event, for at most `wait_s` seconds (None: without limit). Returns False on timeout."""
        try:
            async with asyncio.timeout(wait_s):
                await self._wakeup.wait()
        except TimeoutError:
            return False
        self._wakeup.clear()
        return True
