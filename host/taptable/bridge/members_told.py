"""Tells the league who the members of a table are, by their random ids, and of whom it is to forget the name. Nothing
of that is confirmed, so all of it is said again with each connection and now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from aiomqtt import Client

from taptable.bridge.kept import Kept
from taptable.uplink.messages import VERSION, MemberSaid, Topics, signed

AGAIN_S = 6 * 3600.0
MOST_KEPT = 1000
"""Ids of members who were told of, those who were deleted too."""


class MembersTold:
    """Those of one table; `kept` remembers of whom the league was told."""

    def __init__(self, topics: Topics, key: bytes, kept: Kept) -> None:
        self._topic = topics.members
        self._key = key
        self._kept = kept
        self._members: Sequence[Any] | None = None
        self._changed = asyncio.Event()

    def are(self, members: Sequence[Any]) -> None:
        """These are they, as the table's topic ``members`` tells them: with `id`, `name`, `colour` and `shown`."""
        self._members = members
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

    def _messages(self) -> Iterable[MemberSaid]:
        """What there is to say of everybody, also of those who were deleted since the league was told of them."""
        if self._members is None:
            return ()
        there = {each.id: MemberSaid(VERSION, each.id, each.name, each.colour, each.shown) for each in self._members}
        self._kept.members = tuple(dict.fromkeys((*self._kept.members, *there)))[-MOST_KEPT:]
        self._kept.save()  # before the league knows somebody of whom it would be left knowing
        return [there.get(each, MemberSaid(VERSION, each, deleted=True)) for each in self._kept.members]
