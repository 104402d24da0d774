"""Tells the league who the members of a table are, by their random ids, and of whom it is to forget the name. Nothing
of that is confirmed, so all of it is said again with each connection and now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from aiomqtt import Client

from taptable.uplink.messages import VERSION, MemberSaid, Topics, signed

AGAIN_S = 6 * 3600.0


class MembersTold:
    """Those of one table."""

    def __init__(self, topics: Topics, key: bytes) -> None:
        self._topic = topics.members
        self._key = key
        self._members: Sequence[Any] = ()
        self._deleted: Sequence[str] = ()
        self._changed = asyncio.Event()

    def are(self, members: Sequence[Any]) -> None:
        """These are they, as the table's topic ``members`` tells them: with `id`, `name`, `colour` and `shown`."""
        self._members = members
        self._changed.set()

    def are_deleted(self, members: Sequence[str]) -> None:
        """These were deleted, as the table's topic ``deleted-members`` tells them. Who is only missing wasn't: the
        table's file of members may be damaged."""
        self._deleted = members
        self._changed.set()

    async def tell(self, client: Client) -> None:
        """Tell of all of them, and from then on of whoever changes, until the connection is lost."""
        told: dict[str, MemberSaid] = {}
        while True:
            self._changed.clear()
            for message in self._messages():
                if told.get(message.id) != message:
                    await client.publish(self._topic, signed(message, self._topic, self._key), qos=1)
                    told[message.id] = message
            try:
                async with asyncio.timeout(AGAIN_S):
                    await self._changed.wait()
            except TimeoutError:
                told.clear()

    def _messages(self) -> list[MemberSaid]:
        there = [MemberSaid(VERSION, each.id, each.name, each.colour, each.shown) for each in self._members]
        return [*there, *(MemberSaid(VERSION, each, deleted=True) for each in self._deleted)]
