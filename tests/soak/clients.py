"""A table's page and its bridge, which follow it beside an evening, in one process and without a socket or a broker:
all that one sends to the other still goes through JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from page_server.direct import InProcessLink
from taptable.api.errors import RequestError
from taptable.api.facts import TableFacts
from taptable.api.requests import Role
from taptable.bridge.outbox import MqttOutbox
from taptable.bridge.publisher import TablePublisher
from taptable.bridge.topics import TableTopics
from taptable.config.model import Account, MqttSettings
from taptable.daemon.api.local_api import LocalApi
from taptable.page.feed import ClientState
from taptable.page.messages import Requester
from taptable.page.page import Page
from taptable.words import Words

from soak.plan import Plan


class Clients:
    """The clients of one evening. The table may end, and another daemon begin; page and bridge stay, except for a page
    that is killed."""

    def __init__(self, plan: Plan) -> None:
        self.page: Page | None = None
        self._language = plan.language
        self._bridge = Bridge() if plan.bridge else None
        self._api: LocalApi | None = None
        self._direct: InProcessLink | None = None

    def meet(self, api: LocalApi) -> None:
        """The table is there."""
        self._api = api
        self.begin_page()
        if self._bridge is not None:
            self._bridge.meet(api)

    def leave(self) -> None:
        """Disconnect without a word."""
        if self._direct is not None:
            self._direct.leave()
        if self._bridge is not None:
            self._bridge.leave()
        self._api = self._direct = None

    def begin_page(self) -> None:
        """A page begins, or finds the table again."""
        assert self._api is not None
        self._direct = InProcessLink(self._api)
        if self.page is None:
            self.page = Page(self._direct)
        else:
            self.page.table = self.page._following._table = self._direct
            self.page._verbs._table = self.page.past_games._table = self._direct
        self._direct.tell(self.page)

    def kill_page(self) -> None:
        """The page is gone, and all it knew."""
        if self._direct is not None:
            self._direct.leave()
        self.page = self._direct = None

    async def ask(self, verb: str, **fields: Any) -> str:
        """Send a request from the page; return the key of its refusal, or ""."""
        assert self.page is not None
        try:
            await self.page.ask(verb, fields, Requester("page", True, self._words, "client"))
        except RequestError as error:
            return error.key
        return ""

    def parts(self) -> dict[str, Any]:
        """Every part that the page shows now."""
        assert self.page is not None
        assert self._direct is not None
        self._direct.say()
        message, _ = self.page.greet(ClientState(resend_texts=True), self._words)
        return json.loads(message)["parts"]

    def bridged(self) -> Mapping[str, Any] | None:
        """The table's state by the bridge's last message; None without one."""
        return None if self._bridge is None else self._bridge.state()

    @property
    def _words(self) -> Words:
        assert self.page is not None
        return self.page.words(self._language)


class Bridge:
    """The part of the bridge that publishes the table's state, up to where a broker would carry it."""

    def __init__(self) -> None:
        self._topics = TableTopics("taptable", "soak")
        self._outbox = MqttOutbox(self._topics.event)
        self._telling: TablePublisher | None = None
        self._direct: InProcessLink | None = None

    def meet(self, api: LocalApi) -> None:
        self._direct = InProcessLink(api, Role.BRIDGE)
        self._telling = TablePublisher(
            self._direct, MqttSettings(Account("127.0.0.1", 1883)), self._topics, self._outbox
        )
        self._direct.tell(self)

    def leave(self) -> None:
        if self._direct is not None:
            self._direct.leave()
        self._direct = None

    def state(self) -> Mapping[str, Any]:
        assert self._direct is not None
        self._direct.say()
        return json.loads(self._outbox._retained[self._topics.state])

    def on_connected(self, facts: TableFacts) -> None:
        assert self._telling is not None
        self._telling.on_connected(facts)

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        assert self._telling is not None
        self._telling.on_topics_changed(topics)

    def on_disconnected(self) -> None:
        assert self._telling is not None
        self._telling.on_disconnected()

    async def read_on(self) -> None:
        assert self._telling is not None
        await self._telling.following.read_on()
