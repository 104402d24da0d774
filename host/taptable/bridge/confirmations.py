"""What the league confirms, as it comes: checked, kept until somebody looks at it, and waited for together with what
else may stir who sends. Must not know what follows from it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from aiomqtt import Client

from taptable.core.errors import TaptableError
from taptable.uplink.broker import subscribed
from taptable.uplink.messages import REVOKED, BadMessage, Confirmed, Topics, read

MOST_HEARD = 32
"""Confirmations that wait to be looked at; of more the oldest go."""


class Revoked(TaptableError):
    """The league takes nothing with this key."""


class Confirmations:
    """Those of one table; `say_once` is told of what can't be used, by a name for what it is and a sentence."""

    def __init__(self, topics: Topics, key: bytes, say_once: Callable[[str, str], None]) -> None:
        self._topic = topics.confirmed
        self._key = key
        self._say_once = say_once
        self._heard: deque[Confirmed] = deque(maxlen=MOST_HEARD)
        self._stirred = asyncio.Event()

    async def hear(self, client: Client) -> None:
        """Take in what comes, until the connection is lost, or the broker refuses: `MqttError`."""
        self._heard.clear()
        # what isn't confirmed is asked for and sent again: nothing is lost by QoS 0, for which a cluster keeps nothing
        await subscribed(client, self._topic, qos=0)
        async for message in client.messages:
            try:
                self._heard.append(read(message.payload, str(message.topic), self._key, Confirmed))
            except BadMessage as error:
                self._say_once("bad", f"what came from the league can't be used: {error}")
            self.stir()

    def next(self) -> Confirmed | None:
        """The one that came first of those that nobody has looked at; `Revoked` if it says so."""
        if not self._heard:
            return None
        confirmed = self._heard.popleft()
        if confirmed.remark == REVOKED:
            raise Revoked("the league takes nothing with this table's key any more")
        return confirmed

    def forget(self) -> None:
        """What came up to now answers nothing."""
        self._heard.clear()

    async def of(self, journal: str, wait_s: float) -> Confirmed | None:
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
            await self.stirs(left_s)

    def stir(self) -> None:
        """Something else has happened that who waits should see to."""
        self._stirred.set()

    async def stirs(self, wait_s: float | None) -> bool:
        """Wait until something has happened, or so many seconds; has it?"""
        try:
            async with asyncio.timeout(wait_s):
                await self._stirred.wait()
        except TimeoutError:
            return False
        self._stirred.clear()
        return True
