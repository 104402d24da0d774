"""Tells the league who the members of a table are, by their ids, and of whom it is to forget the name; which codes the
table shows, by which members of other clubs play here, and which of its own play elsewhere. By the secrets that the
table alone has it knows that they are this table's. Nothing of that is confirmed, so all of it is said again
with each connection and now and then, and codes more often while they are good."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from aiomqtt import Client
from msgspec import Struct
from msgspec.structs import replace

from taptable.api.errors import RequestError
from taptable.api.requests import AwayAsked, MemberSecrets
from taptable.bridge.journal_pages import Call
from taptable.uplink.messages import (
    SECRETS_VERSION,
    VERSION,
    AwayCodeShown,
    MemberAway,
    MemberSaid,
    Topics,
    encode_signed,
)

REPEAT_S = 6 * 3600.0
REPEAT_CODES_S = 120.0
"""How often codes are said while they are good: the league may not have been there, or may have heard of the code's use
before it heard that it is shown."""


class MembersPublisher:
    """Publishes the members of one table to the league, and asks the table for their secrets."""

    def __init__(self, topics: Topics, key: bytes, call: Call) -> None:
        self._topics = topics
        self._key = key
        self._call = call
        self._members: Sequence[Any] = ()
        self._deleted: Sequence[str] = ()
        self._away = 0
        self._changed = asyncio.Event()

    def set_members(self, members: Sequence[Any]) -> None:
        """These are they, as the table's topic ``members`` tells them: with `id`, `name`, `colour` and `shown`."""
        self._members = members
        self._changed.set()

    def set_deleted(self, members: Sequence[str]) -> None:
        """These were deleted, as the table's topic ``deleted-members`` tells them. Who is only missing wasn't: the
        table's file of members may be damaged."""
        self._deleted = members
        self._changed.set()

    def set_away_count(self, times: int) -> None:
        """Take from the table's topic ``away`` how many times a code was shown or entered there since it started."""
        self._away = times
        self._changed.set()

    async def publish(self, client: Client) -> None:
        """Tell of all of them, and from then on of whoever changes, until the connection is lost."""
        told: dict[str, Struct] = {}
        while True:
            self._changed.clear()
            codes = await self._away_messages()
            for topic, about, message in [*await self._messages(), *codes]:
                if told.get(about) != message:
                    await client.publish(topic, encode_signed(message, topic, self._key), qos=1)
                    told[about] = message
            try:
                async with asyncio.timeout(REPEAT_CODES_S if codes else REPEAT_S):
                    await self._changed.wait()
            except TimeoutError:
                for about in [about for _, about, _ in codes] or list(told):
                    del told[about]

    async def _away_messages(self) -> list[tuple[str, str, Struct]]:
        if self._away == 0:
            return []
        try:
            asked = await self._call(AwayAsked())
        except RequestError:
            return []  # it is away, and says it once it is back
        shown = [AwayCodeShown(VERSION, digest) for digest in asked["codes"]]
        plays = [MemberAway(VERSION, each["secret"], each["code"]) for each in asked["play"]]
        codes = [(self._topics.away_codes, each.digest, each) for each in shown]
        return [*codes, *((self._topics.away, each.secret + each.code, each) for each in plays)]

    async def _messages(self) -> list[tuple[str, str, Struct]]:
        there = [MemberSaid(VERSION, each.id, each.name, each.colour, each.shown) for each in self._members]
        said = [*there, *(MemberSaid(VERSION, each, deleted=True) for each in self._deleted)]
        try:
            secrets: dict[str, str] = (await self._call(MemberSecrets()))["secrets"] if said else {}
        except RequestError:
            return []  # the table is away: it says who its members are once it is back
        said = [
            replace(each, version=SECRETS_VERSION, secret=secrets[each.id]) if each.id in secrets else each
            for each in said
        ]
        return [(self._topics.members, each.id, each) for each in said]
