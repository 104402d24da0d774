"""A table and its page, or its bridge, in one process and without a socket, for tests in given time: all that one sends
to the other still goes through JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

import msgspec
from taptable.api.errors import RequestError, error_data, error_from_data
from taptable.api.facts import TOPICS, TableFacts
from taptable.api.link import TableListener
from taptable.api.requests import VERSION, Hello, Request, Role, method_of
from taptable.daemon.api.local_api import LocalApi

T = TypeVar("T")


class Follower(TableListener, Protocol):
    """A listener that replays the game."""

    async def read_on(self) -> None:
        """Replay the new records."""


class InProcessLink:
    """A client's link to a table in the same process, in place of its socket."""

    def __init__(self, api: LocalApi, role: Role = Role.PAGE) -> None:
        self._api = api
        self._role = role
        self._page: Follower | None = None
        self._changed: set[str] = set()
        self._deafen = lambda: None

    async def call(self, request: Request) -> dict[str, Any]:
        try:
            result = await self._api.call(self._role, method_of(type(request)), msgspec.json.encode(request))
        except RequestError as error:
            raise error_from_data(through_json(error_data(error))) from error
        finally:
            if self._page is not None:
                self.say()  # what came of it is told no later than the answer
        return through_json(result)

    def tell(self, page: Follower) -> None:
        """Connect a client to the table, and report every change to it."""
        self._page = page
        page.on_connected(msgspec.convert(run_immediately(self.call(Hello(VERSION))), TableFacts))
        self._changed = {*self._api.topics}
        self._deafen = self._api.add_listener(self._stir)
        self.say()

    def leave(self) -> None:
        """Send nothing more: the table is gone."""
        self._deafen()
        if self._page is not None:
            self._page.on_disconnected()

    def say(self) -> None:
        """Send the changes, and let the page handle them."""
        assert self._page is not None
        changed, self._changed = self._changed, set()
        if changed:
            told = {topic: self._api.topics[topic]() for topic in {*changed, "time"}}
            self._page.on_topics_changed({topic: json_round_trip(topic, fact) for topic, fact in told.items()})
            run_immediately(self._page.read_on())

    def _stir(self, topic: str) -> None:
        if not self._changed:
            asyncio.get_running_loop().call_soon(self.say)
        self._changed.add(topic)


def json_round_trip(topic: str, fact: Any) -> Any:
    """A topic as it is after its way through JSON."""
    return msgspec.json.decode(msgspec.json.encode(fact), type=TOPICS.get(topic, Any))


def through_json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def run_immediately(doing: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for nothing but its turn, and return its result."""
    while True:
        try:
            doing.send(None)
        except StopIteration as done:
            return done.value
