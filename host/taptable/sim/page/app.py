"""The demo's part of its page: an application that is mounted in the page's server below ``/demo/``, and runs in that
server's process. It sends the topics that come over the demo's link to the browsers, and passes on people's requests.
The workbench, its faults and the wire, is for browsers on this computer alone, even if the page is open to others. Of
the topics it knows only which are streams or translated, and three by name: `start` (the streams begin again), `about`
and `demo` (the pace of time). Must not know how a request is carried out."""

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
from taptable.page.app import Extension
from taptable.page.connections import Connections
from taptable.page.feed import ClientState, Feed
from taptable.page.file_transfer import PairedWith
from taptable.page.guard import is_own_host
from taptable.page.messages import Requester, shorten
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.page.responses import etag_response, file_response, json_bytes
from taptable.sim.page.actions import VERBS
from taptable.sim.page.api import CLIENT_LEFT, STREAMS, TRANSLATED_TOPICS
from taptable.sim.page.demo_link import DemoLink
from taptable.words import Words

STATIC = Path(__file__).with_name("static")
PATH = "/demo"
MODULES = ("demo.js",)
STYLES = ("demo.css",)
ITEMS_KEPT = 300
"""Maximum number of items that are kept of each stream."""
WORKBENCH_ONLY = frozenset({"fault", "wire"})
"""The verb and the stream of the workbench."""


class DemoClock:
    """Clock whose seconds pass at the pace of the demo's table; `set_speed` changes it at any time."""

    def __init__(self) -> None:
        self._speed = 1.0
        self._from_s, self._from_wall_s = 0.0, time.monotonic()

    def __call__(self) -> float:
        """Return the seconds that have passed."""
        return self._from_s + (time.monotonic() - self._from_wall_s) * self._speed

    def set_speed(self, speed: float) -> None:
        """Let seconds pass at `speed` times real time from now on."""
        self._from_s, self._from_wall_s = self(), time.monotonic()
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
        """The table's language, the default for clients that haven't chosen one."""
        return self._page.language

    def words(self, language: str, *, in_public: bool = False) -> Words:
        """Return the words of the page."""
        return self._page.words(language, in_public=in_public)

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """Return the first message to a client, and the client's state after it."""
        return self.feed.greet(client, words, {})

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """Return the message that brings a client up to date, None if nothing is missing, and the client's state after
        it."""
        return self.feed.catch_up(client, words, {})

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """Return the answer to a verb; `RequestError` says why not."""
        if not requester.paired:
            raise RequestError("live", "not-paired")
        if verb not in VERBS or verb in self._barred:
            raise RequestError("live", "unknown-verb", verb=shorten(verb))
        params = {**message, "language": requester.words.language, "client": requester.client}
        return await self._link.act(verb, params)

    def tell(self, topic: str, fact: Any) -> None:
        """Store a topic's value, or append these items to a stream."""
        if topic not in STREAMS:
            self.feed.put(topic, TranslatedPart(fact) if topic in TRANSLATED_TOPICS else fact)
        elif topic not in self._barred:
            self.feed.add(topic, *fact)

    def begin_again(self) -> None:
        """Empty the streams, because they are of a daemon that has ended."""
        for stream in STREAMS:
            self.feed.empty_stream(stream)
        self.feed.restart()


@dataclass(frozen=True)
class TranslatedPart:
    """A part of the feed that the demo sends in every language."""

    by_language: Mapping[str, Any]

    def __call__(self, words: Words) -> Any:
        """Return the part in one language."""
        return self.by_language[words.language]


class DemoApp:
    """The application, and the link to the demo whose socket is at `place`. `clock` passes time at the table's pace."""

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
        """Follow the demo for the duration of the context."""
        self.link.open(self)
        try:
            yield
        finally:
            await self.link.close()

    def on_connected(self, facts: TableFacts) -> None:
        """Do nothing: the other end is the demo and no table."""

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Take the new values of these topics, and the new items of these streams."""
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
        """Disconnect all clients, because the demo is gone."""
        for part in self._parts:
            part.is_ready = False
        for clients in self._clients:
            clients.disconnect_all()

    def _make(self, page: Page, scheduler: FairScheduler) -> ASGIApp:
        self._parts = [DemoPart(page, self.link, workbench=workbench) for workbench in (True, False)]
        identity = PairedWith(page)
        self._clients = [
            Connections(part, scheduler, identity, on_disconnect=self._on_client_left) for part in self._parts
        ]
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

    def _on_client_left(self, client: str) -> None:
        """Lift everything that a client which is gone still holds on a pad."""
        leaving = asyncio.ensure_future(self._send_client_left(client))
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)

    async def _send_client_left(self, client: str) -> None:
        with suppress(RequestError):  # the demo is gone too
            await self.link.act(CLIENT_LEFT, {"client": client})


def is_local(connection: HTTPConnection) -> bool:
    """Return whether the request comes from this computer, by a host name that leads nowhere else."""
    if connection.client is None or not is_own_host(connection.headers.get("host", ""), network=False):
        return False
    try:
        address = ip_address(connection.client.host)
    except ValueError:  # a proxy may send any text
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
