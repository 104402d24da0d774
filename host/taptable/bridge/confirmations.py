"""What the league confirms, as it comes: checked, kept until somebody looks at it, and waited for together with what
else may stir who sends. Must not know what follows from it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from aiomqtt import Client

from taptable.core.errors import TaptableError
from taptable.uplink.broker import subscribe
from taptable.uplink.messages import REVOKED, BadMessage, Confirmed, Topics, decode_signed

MOST_RECEIVED = 32
"""Confirmations that wait to be looked at; of more the oldest go."""


class Revoked(TaptableError):
    """The league takes nothing with this key."""


class Confirmations:
    """Those of one table; `log_once` is told of what can't be used, by a name for what it is and a sentence."""

    def __init__(self, topics: Topics, key: bytes, log_once: Callable[[str, str], None]) -> None:
        self._topic = topics.confirmed
        self._key = key
        self._log_once = log_once
        self._received: deque[Confirmed] = deque(maxlen=MOST_RECEIVED)
        self._wakeup = asyncio.Event()

    async def receive(self, client: Client) -> None:
        """Take in what comes, until the connection is lost, or the broker refuses: `MqttError`."""
        self._received.clear()
        # what isn't confirmed is asked for and sent again: nothing is lost by QoS 0, for which a cluster keeps nothing
        await subscribe(client, self._topic, qos=0)
        async for message in client.messages:
            try:
                self._received.append(decode_signed(message.payload, str(message.topic), self._key, Confirmed))
            except BadMessage as error:
                self._log_once("bad", f"what came from the league can't be used: {error}")
            self.wake()

    def next(self) -> Confirmed | None:
        """The one that came first of those that nobody has looked at; `Revoked` if it says so."""
        if not self._received:
            return None
        confirmed = self._received.popleft()
        if confirmed.remark == REVOKED:
            raise Revoked("the league takes nothing with this table's key any more")
        return confirmed

    def forget(self) -> None:
        """What came up to now answers nothing."""
        self._received.clear()

    async def wait_for(self, journal: str, wait_s: float) -> Confirmed | None:
        """The first that is about this journal; None if none comes within so many seconds."""
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
        """Something else has happened that who waits should see to."""
        self._wakeup.set()

    async def wait(self, wait_s: float | None) -> bool:
        """Wait until something has happened, or so many seconds; has it?"""
        try:
            async with asyncio.timeout(wait_s):
                await self._wakeup.wait()
        except TimeoutError:
            return False
        self._wakeup.clear()
        return True
