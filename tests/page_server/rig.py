"""A table with its page: the real daemon over simulated hardware, its sockets, the real server on a real port, and
clients that store what they receive as a browser does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from deadline import DEADLINE_S
from ports import free_port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from table.fixtures import GIVEN_TIME
from table.rig import tags_of
from taptable.api.errors import RequestError
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.config import Config
from taptable.core.game_options import GameOptions
from taptable.daemon.daemon import Daemon
from taptable.narration.updates import Update
from taptable.page.app import Extension
from taptable.page.connections import Connections
from taptable.page.feed import ClientState, Feed
from taptable.page.file_transfer import PairedWith
from taptable.page.messages import Requester
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.page.responses import file_response
from taptable.page.site import PageSite, serve_in_background
from taptable.referee.session import TableEvent
from taptable.sim.loops import ScaledTimeLoop
from taptable.sim.setting_up import set_up
from taptable.sim.table import SimulatedTable
from taptable.words import Words
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

with_given_time = pytest.mark.parametrize("anyio_backend", [GIVEN_TIME], ids=[""])
"""For tests that run in given time."""


def deadline_s() -> float | None:
    """The deadline by the clock of the running loop; none where time passes otherwise than outside."""
    return None if isinstance(asyncio.get_running_loop(), ScaledTimeLoop) else DEADLINE_S


def on_a_loop(evening: Callable[[], Coroutine[Any, Any, None]], loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Run an evening on a loop; an exception in a callback there is raised here too."""
    trouble: list[str] = []
    with asyncio.Runner(loop_factory=None if loop is None else lambda: loop) as runner:
        runner.get_loop().set_exception_handler(lambda _, context: trouble.append(str(context)))
        runner.run(evening())
    assert not trouble, "\n".join(trouble)


def a_table_with_a_page(folder: Path, players: int = 2, port: int | None = None) -> Config:
    """The configuration of a simulated table; seat 1 begins."""
    game_options = GameOptions(players, "de", {}, 1)
    return set_up(folder, "online", game_options, "de", page=free_port() if port is None else port)


class SmallExtension:
    """An extension of a page's server that performs a few actions for a test at its own live connection, and stores its
    requests. Its files are in the folder `static`."""

    is_ready, unavailable_reason, language = True, "gone", "en"

    def __init__(self, static: Path) -> None:
        self.static = static
        self.feed = Feed()
        self.gone: list[str] = []
        self.done: list[str] = []
        self.hold = asyncio.Event()

    @property
    def mounted(self) -> Extension:
        return Extension("/small", ("small.js",), (), self._make)

    def words(self, language: str, *, in_public: bool = False) -> Words:
        return self._page.words(language, in_public=in_public)

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        return self.feed.greet(client, words, {})

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        return self.feed.catch_up(client, words, {})

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        match verb:
            case "count":
                self.feed.put("small", message["to"])
                return {"said": [], "client": requester.client, "paired": requester.paired}
            case "wait":
                try:
                    await self.hold.wait()
                finally:
                    self.done.append(verb)
                return {}
            case "break":
                raise ZeroDivisionError
            case _:
                raise RequestError("live", "as-said", reason=f"{verb}? {requester.words.language}")

    def _make(self, page: Page, scheduler: FairScheduler) -> ASGIApp:
        self._page = page
        clients = Connections(self, scheduler, PairedWith(page), on_disconnect=self.gone.append)

        async def file(request: Request) -> Response:
            return file_response(self.static, request.path_params["path"], request)

        return Starlette(routes=[WebSocketRoute("/live", clients.serve), Route("/{path:path}", file)])


@dataclass
class Table:
    """A running table, and its page if it has one."""

    config: Config
    hardware: SimulatedTable
    daemon: Daemon
    sockets: Path
    events: list[TableEvent] = field(default_factory=list)
    served: tuple[Page, PageSite] | None = None

    def __post_init__(self) -> None:
        self.tags = tags_of(self.config)

    @property
    def page(self) -> Page:
        assert self.served is not None
        return self.served[0]

    @property
    def site(self) -> PageSite:
        assert self.served is not None
        return self.served[1]

    @property
    def port(self) -> int:
        assert self.config.page is not None
        return self.config.page.port

    def put(self, card: str, pad: int | str) -> None:
        self.hardware.put(self.tags[card], pad)

    def lift(self, card: str, pad: int | str) -> None:
        self.hardware.lift(self.tags[card], pad)


@contextmanager
def a_folder_of_sockets() -> Iterator[Path]:
    """A folder whose name is short enough: the path of a socket has at most 107 bytes."""
    with TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@asynccontextmanager
async def a_daemon(config: Config, sockets: Path, requests: Path | None = None) -> AsyncIterator[Table]:
    """A table without a page while it runs, its sockets in this folder; `requests` as the daemon's."""
    hardware = SimulatedTable(config)
    events: list[TableEvent] = []

    def on_update(update: Update) -> None:
        events.extend(update.events)

    with hardware.powered() as drivers:
        daemon = Daemon(config, drivers, on_update, requests, sockets=sockets)
        await daemon.start()
        try:
            yield Table(config, hardware, daemon, sockets, events)
        finally:
            await daemon.stop()


def a_page(
    config: Config, sockets: Path, extension: SmallExtension | None = None
) -> AbstractAsyncContextManager[tuple[Page, PageSite]]:
    """The page of a table that has its sockets in this folder, or will have, while it is served, as by its process."""
    assert config.page is not None
    mounted = None if extension is None else extension.mounted
    return serve_in_background(config.page, socket_path(sockets, Role.PAGE), extension=mounted)


@asynccontextmanager
async def at_table(
    config: Config, extension: SmallExtension | None = None, requests: Path | None = None
) -> AsyncIterator[Table]:
    """A table while it runs, and its page if it is to have one; `requests` as the daemon's."""
    with a_folder_of_sockets() as sockets:
        async with a_daemon(config, sockets, requests) as table, AsyncExitStack() as stack:
            if config.page is not None:
                page = a_page(config, sockets, extension)
                table.served = await stack.enter_async_context(page)
                await asyncio.wait_for(table.page.game_known.wait(), deadline_s())
            yield table


class Client:
    """A browser as the server sees it. It stores every message, and finds an answer by its number."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.boot: str | None = None
        self.revision = 0
        self.parts: dict[str, Any] = {}
        self.items: dict[str, dict[int, Any]] = {}
        self.messages: list[dict[str, Any]] = []
        self.answers: list[dict[str, Any]] = []
        self.asked = 0

    async def send(self, text: str | bytes) -> None:
        await self.socket.send(text)

    async def receive(self) -> dict[str, Any]:
        return self.apply(json.loads(await asyncio.wait_for(self.socket.recv(), deadline_s())))

    def apply(self, message: dict[str, Any]) -> dict[str, Any]:
        """Handle a message as a browser does."""
        if "answer" in message:
            self.answers.append(message)
            return message
        self.messages.append(message)
        if message["boot"] != self.boot:
            self.boot, self.parts, self.items = message["boot"], {}, {}
        assert message["revision"] >= self.revision
        self.revision = message["revision"]
        self.parts |= message["parts"]
        for name, news in message["streams"].items():
            kept = {n: item for n, item in self.items.get(name, {}).items() if n >= news.get("emptied", 0)}
            self.items[name] = kept | {item["n"]: item for item in news["items"]}
        return message

    async def hello(self, **more: Any) -> dict[str, Any]:
        """Say hello, and handle the table's answer."""
        await self.send(json.dumps({"do": "hello", "language": "en", **more}))
        return await self.receive()

    async def ask(self, verb: str, **more: Any) -> dict[str, Any]:
        """Send a request and return the table's answer."""
        self.asked += 1
        await self.send(json.dumps({"do": verb, "n": self.asked, **more}))
        return await self.answer(self.asked)

    async def answer(self, number: int | str | None) -> dict[str, Any]:
        while not self.answers or self.answers[-1]["answer"] != number:
            await self.receive()
        return self.answers[-1]

    async def complain(self, text: str | bytes) -> str:
        """Send an invalid text and return the table's complaint."""
        await self.send(text)
        answer = await self.answer(None)
        assert not answer["ok"]
        return answer["why"]

    async def until(self, seen: Callable[[Client], bool]) -> None:
        while not seen(self):
            await self.receive()

    async def closed(self) -> Close:
        """Return how the connection is closed, and ignore every message before."""
        with pytest.raises(ConnectionClosed) as closed:
            await self.until(lambda _: False)
        assert closed.value.rcvd is not None
        return closed.value.rcvd

    def known(self) -> dict[str, Any]:
        return {
            "boot": self.boot,
            "revision": self.revision,
            "next": {name: max(items) + 1 for name, items in self.items.items()},
        }


@asynccontextmanager
async def a_client(port: int, path: str = "/live", **more: Any) -> AsyncIterator[Client]:
    uri = f"ws://127.0.0.1:{port}{path}"
    async with connect(uri, ping_interval=None, open_timeout=deadline_s(), close_timeout=1, **more) as socket:
        yield Client(socket)


@dataclass
class Answer:
    """The response to a request."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def get(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """Send one request as a browser on this computer does; the path goes over the wire unchanged."""
    lines = {"Host": f"localhost:{port}", "Connection": "close"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return parse(await raw(port, f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1")))


async def raw(port: int, request: bytes) -> bytes:
    """Send bytes, and return everything that comes back until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        return await asyncio.wait_for(reader.read(), deadline_s())
    finally:
        writer.close()


def parse(answer: bytes) -> Answer:
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return Answer(int(first.split(" ")[1]), headers, body)
