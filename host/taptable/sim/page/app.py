"""The demo's part of its page: an application that is mounted in the page's server below ``/demo/``, and runs in that
server's process. It shows what the demo tells over its line, and passes on what people ask for. The workbench, its
faults and the wire, is for browsers on this computer alone, whoever else may reach the page. Must not know what the
topics mean, nor how a fault is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from taptable.api.errors import RequestError
from taptable.api.facts import TableFacts
from taptable.page.answers import etag_response, file_response, json_bytes
from taptable.page.app import Extension
from taptable.page.connection import Connections
from taptable.page.feed import ClientState, Feed
from taptable.page.file_transfer import PairedWith
from taptable.page.guard import is_own_host
from taptable.page.messages import Requester, shorten
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.sim.page.actions import VERBS
from taptable.sim.page.api import CLIENT_LEFT, STREAMS, TRANSLATED_TOPICS
from taptable.sim.page.demo_link import DemoLink
from taptable.words import Words

STATIC = Path(__file__).with_name("static")
PATH = "/demo"
MODULES = ("demo.js",)
STYLES = ("demo.css",)
ITEMS_KEPT = 300
"""Of each stream."""
WORKBENCH_ONLY = frozenset({"fault", "wire"})
"""The verb and the stream of the workbench."""


class DemoClock:
    """Seconds that pass as fast as those of the demo's table, whose `speed` may be changed at any time."""

    def __init__(self) -> None:
        self._speed = 1.0
        self._from_s, self._from_outside_s = 0.0, time.monotonic()

    def __call__(self) -> float:
        """The seconds that have passed."""
        return self._from_s + (time.monotonic() - self._from_outside_s) * self._speed

    def set_speed(self, speed: float) -> None:
        """Let seconds pass so much faster than outside from now on."""
        self._from_s, self._from_outside_s = self(), time.monotonic()
        self._speed = speed


class DemoPart:
    """The demo's part of the page, for browsers on this computer or for all others: with the workbench or without."""

    unavailable_reason = "gone"

    def __init__(self, page: Page, link: DemoLink, *, workbench: bool) -> None:
        self._page = page
        self._link = link
        self._barred = frozenset[str]() if workbench else WORKBENCH_ONLY
        self.is_ready = False
        self.feed = Feed()
        for stream in STREAMS:
            self.feed.open_stream(stream, ITEMS_KEPT, watched=stream in WORKBENCH_ONLY)

    @property
    def language(self) -> str:
        """The table's, for who hasn't chosen one."""
        return self._page.language

    def words(self, language: str, *, in_public: bool = False) -> Words:
        """The words of the page."""
        return self._page.words(language, in_public=in_public)

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """The first message to a client, and what it has then."""
        return self.feed.greet(client, words, {})

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """What a client lacks, None if nothing, and what it has then."""
        return self.feed.catch_up(client, words, {})

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """What a verb is answered with; `RequestError` says why not."""
        if not requester.paired:
            raise RequestError("live", "not-paired")
        if verb not in VERBS or verb in self._barred:
            raise RequestError("live", "unknown-verb", verb=shorten(verb))
        asked = {**message, "language": requester.words.language, "client": requester.client}
        return await self._link.act(verb, asked)

    def tell(self, topic: str, fact: Any) -> None:
        """A topic is so now, or a stream has these items more."""
        if topic not in STREAMS:
            self.feed.put(topic, TranslatedPart(fact) if topic in TRANSLATED_TOPICS else fact)
        elif topic not in self._barred:
            self.feed.add(topic, *fact)

    def begin_again(self) -> None:
        """Another daemon has begun: what was heard of the one before is over."""
        for stream in STREAMS:
            self.feed.empty_stream(stream)
        self.feed.restart()


@dataclass(frozen=True)
class TranslatedPart:
    """A part that the demo tells in every language."""

    by_language: Mapping[str, Any]

    def __call__(self, words: Words) -> Any:
        """The part in one of them."""
        return self.by_language[words.language]


class DemoApp:
    """The application, and the line to the demo whose socket is at `place`. `clock` keeps the table's pace."""

    def __init__(self, place: Path) -> None:
        self.clock = DemoClock()
        self.extension = Extension(PATH, MODULES, STYLES, self._make)
        self.link = DemoLink(place)
        self._about: Mapping[str, Any] | None = None
        self._parts: list[DemoPart] = []
        self._clients: list[Connections] = []
        self._leaving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[None]:
        """Follow the demo while this lasts."""
        self.link.open(self)
        try:
            yield
        finally:
            await self.link.close()

    def on_connected(self, facts: TableFacts) -> None:
        """No table is at the other end."""

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """These topics are so now, or there is more of these streams."""
        for part in self._parts:
            part.is_ready = True
            if "start" in topics:
                part.begin_again()
            for topic in topics.keys() - {"about", "start"}:
                part.tell(topic, topics[topic])
        self._about = topics.get("about", self._about)
        if "demo" in topics:
            self.clock.set_speed(topics["demo"]["speed"])

    def on_disconnected(self) -> None:
        """The demo is gone."""
        for part in self._parts:
            part.is_ready = False
        for clients in self._clients:
            clients.disconnect_all()

    def _make(self, page: Page, scheduler: FairScheduler) -> ASGIApp:
        self._parts = [DemoPart(page, self.link, workbench=workbench) for workbench in (True, False)]
        identity = PairedWith(page)
        self._clients = [Connections(part, scheduler, identity, on_disconnect=self._leave) for part in self._parts]
        here, elsewhere = self._clients

        async def about(request: Request) -> Response:
            if self._about is None:
                return Response(status_code=503, headers={"Retry-After": "1"})
            return etag_response(json_bytes({**self._about, "workbench": is_local(request)}), ".json", request)

        async def live(socket: WebSocket) -> None:
            await (here if is_local(socket) else elsewhere).serve(socket)

        async def static(request: Request) -> Response:
            return file_response(STATIC, request.path_params["path"], request)

        app = Starlette(
            routes=[Route("/about.json", about), WebSocketRoute("/live", live), Route("/{path:path}", static)]
        )
        app.router.redirect_slashes = False
        return app

    def _leave(self, client: str) -> None:
        """A client is gone: what it still holds on a pad is lifted."""
        leaving = asyncio.ensure_future(self._tell_left(client))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _tell_left(self, client: str) -> None:
        with suppress(RequestError):  # the demo is gone too
            await self.link.act(CLIENT_LEFT, {"client": client})


def is_local(connection: HTTPConnection) -> bool:
    """Does somebody on this computer ask, by a name that leads nowhere else?"""
    if connection.client is None or not is_own_host(connection.headers.get("host", ""), network=False):
        return False
    try:
        address = ip_address(connection.client.host)
    except ValueError:  # a proxy may say anything
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
