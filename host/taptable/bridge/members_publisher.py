"""Publishes to the league: a table's members by their ids, and those whose names it has to forget; the codes that the
table shows to members of other clubs; and its own members who play elsewhere. The secrets, which the table alone has,
prove that they are this table's members. The league confirms nothing of this, so all of it is published again with each
connection and every `REPEAT_S`, and codes more often while they are valid. Must not know how the league uses it."""

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
"""Seconds after which everything is published again."""
REPEAT_CODES_S = 120.0
"""Seconds after which codes are published again while they are valid: the league may have been away, or may have
received the code's use before it received that the code is shown."""


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
        """Take the members from the table's topic ``members``: with `id`, `name`, `colour` and `shown`."""
        self._members = members
        self._changed.set()

    def set_deleted(self, members: Sequence[str]) -> None:
        """Take the deleted members from the table's topic ``deleted-members``. A member who is missing from ``members``
        alone wasn't deleted: the table's file of members may be damaged."""
        self._deleted = members
        self._changed.set()

    def set_away_count(self, times: int) -> None:
        """Take from the table's topic ``away`` how many times a code was shown or entered there since it started."""
        self._away = times
        self._changed.set()

    async def publish(self, client: Client) -> None:
        """Publish all members, then those that change, until the connection is lost."""
        published: dict[str, Struct] = {}
        while True:
            self._changed.clear()
            codes = await self._away_messages()
            for topic, about, message in [*await self._messages(), *codes]:
                if published.get(about) != message:
                    await client.publish(topic, encode_signed(message, topic, self._key), qos=1)
                    published[about] = message
            try:
                async with asyncio.timeout(REPEAT_CODES_S if codes else REPEAT_S):
                    await self._changed.wait()
            except TimeoutError:
                for about in [about for _, about, _ in codes] or list(published):
                    del published[about]

    async def _away_messages(self) -> list[tuple[str, str, Struct]]:
        if self._away == 0:
            return []
        try:
            result = await self._call(AwayAsked())
        except RequestError:
            return []  # the table is away; its topics are sent again once it is back
        shown_codes = [AwayCodeShown(VERSION, digest) for digest in result["codes"]]
        leave_requests = [MemberAway(VERSION, each["secret"], each["code"]) for each in result["play"]]
        codes = [(self._topics.away_codes, each.digest, each) for each in shown_codes]
        return [*codes, *((self._topics.away, each.secret + each.code, each) for each in leave_requests)]

    async def _messages(self) -> list[tuple[str, str, Struct]]:
        current = [MemberSaid(VERSION, each.id, each.name, each.colour, each.shown) for each in self._members]
        messages = [*current, *(MemberSaid(VERSION, each, deleted=True) for each in self._deleted)]
        try:
            secrets: dict[str, str] = (await self._call(MemberSecrets()))["secrets"] if messages else {}
        except RequestError:
            return []  # the table is away; it publishes its members again once it is back
        messages = [
            replace(each, version=SECRETS_VERSION, secret=secrets[each.id]) if each.id in secrets else each
            for each in messages
        ]
        return [(self._topics.members, each.id, each) for each in messages]
