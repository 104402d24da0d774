"""The demo's part of the page in its server: behind the same guard and pairing, and the workbench for browsers on this
computer alone, even if the page is open to the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from page_access.rig import ask, open_to_all, pair
from page_server.rig import Client, Table, a_daemon, a_folder_of_sockets
from starlette.requests import HTTPConnection
from taptable.api.errors import RequestError
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.page.guard import HEADERS
from taptable.page.site import serve_in_background
from taptable.sim.page.actions import VERBS
from taptable.sim.page.app import STATIC, DemoApp, is_local
from taptable.sim.page.demo_link import DemoServer, demo_socket
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

PROXY = "127.0.0.9"
NEIGHBOUR = "192.168.1.20"
"""The address of a browser on another computer, as the proxy says."""
WIRE = {"at_us": 5, "seat": 1, "way": "to-pi", "text": "#1 press", "damaged": False}
TONE = {"at_us": 5, "hz": 440.0}


class SmallDemo:
    """A demo that tells a few things and keeps what it is asked for."""

    def __init__(self) -> None:
        self.told: dict[str, Any] = {
            "start": 1,
            "about": {"players": [2]},
            "demo": {"speed": 1.0},
            "hands": {language: {"1": {"now": language}} for language in ("de", "en", "fr", "nl")},
        }
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.hold = asyncio.Event()
        self.ended: list[str] = []
        self.server = DemoServer(lambda: {name: lambda name=name: self.told[name] for name in self.told}, self._do)

    async def until_asked(self, verb: str) -> Mapping[str, Any]:
        """Wait until this was asked for, and give its fields."""
        async with asyncio.timeout(DEADLINE_S):
            while not (found := [fields for each, fields in self.asked if each == verb]):
                await asyncio.sleep(0)
        return found[0]

    async def _do(self, verb: str, message: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append((verb, message))
        if verb == "hold":
            try:
                await self.hold.wait()
            finally:
                self.ended.append(verb)
        if verb == "draw":
            raise RequestError("hands", "nothing-to-draw")
        if verb == "stand":
            raise ZeroDivisionError
        return {"done": verb}


@dataclass
class Open:
    """A page that is open to the network, with the part of a small demo, and the cookie of somebody who is paired."""

    table: Table
    demo: SmallDemo
    app: DemoApp
    cookie: str = field(default="", init=False)

    @asynccontextmanager
    async def visited(
        self, source: str | None = None, *, paired: bool = True, name: str = "localhost", **hello: Any
    ) -> AsyncIterator[Client]:
        """Somebody at the demo's live connection, from an address (None: this computer), who asks for this host."""
        headers = {"Cookie": self.cookie} if paired else {}
        local = "127.0.0.1"
        if source is not None:
            headers["X-Forwarded-For"], local = source, PROXY
        port = self.table.port
        async with connect(
            f"ws://{name}:{port}/demo/live",
            host="127.0.0.1",
            port=port,
            local_addr=(local, 0),
            additional_headers=headers,
            ping_interval=None,
            open_timeout=DEADLINE_S,
        ) as socket:
            client = Client(socket)
            await client.hello(**hello)
            yield client


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """Time is the computer's own: the two processes that stand here have no other."""
    return "asyncio"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Open]:
    config = open_to_all(tmp_path)
    assert config.page is not None
    config = replace(config, page=replace(config.page, proxy=PROXY))
    assert config.page is not None
    with a_folder_of_sockets() as sockets:
        demo, app = SmallDemo(), DemoApp(demo_socket(sockets))
        await demo.server.open(demo_socket(sockets))
        try:
            async with (
                a_daemon(config, sockets) as table,
                app.connected(),
                serve_in_background(
                    config.page, socket_path(sockets, Role.PAGE), None, app.extension, app.clock
                ) as table.served,
            ):
                site = Open(table, demo, app)
                async with asyncio.timeout(DEADLINE_S):
                    await table.page.game_known.wait()
                    while not all(part.is_ready for part in app._parts):
                        await asyncio.sleep(0)
                site.cookie = await pair(table)
                yield site
        finally:
            await demo.server.close()


async def test_the_workbench_is_refused_to_another_address_though_the_demo_is_open_to_the_network(site: Open) -> None:
    async with site.visited(NEIGHBOUR, watch=["wire", "tones"]) as away, site.visited(watch=["wire", "tones"]) as here:
        refused = await away.ask("fault", fault="kill")
        assert (refused["ok"], site.demo.asked) == (False, [])
        assert (await here.ask("fault", fault="kill"))["done"] == "fault"
        site.demo.server.publish_item("wire", WIRE)
        site.demo.server.publish_item("tones", TONE)
        for client in (away, here):
            await client.until(lambda it: "tones" in it.items)
        assert "wire" not in away.items
        assert here.items["wire"] == {0: {"n": 0, **WIRE}}
        # the hands are for everybody who is paired
        assert (await away.ask("press", seat=1))["done"] == "press"


async def test_the_workbench_is_refused_to_who_asks_by_a_name_that_leads_here_from_elsewhere(site: Open) -> None:
    async with site.visited(name="192.168.1.5") as client:
        assert not (await client.ask("fault", fault="kill"))["ok"]
        assert site.demo.asked == []


async def test_a_browser_learns_whether_it_has_the_workbench(site: Open) -> None:
    async def told(source: str = "127.0.0.1", **headers: str) -> Any:
        return (await ask(site.table.port, "/demo/about.json", source=source, headers=headers)).json

    assert await told() == {"players": [2], "workbench": True}
    assert await told(Host="192.168.1.5") == {"players": [2], "workbench": False}
    assert await told(PROXY, **{"X-Forwarded-For": NEIGHBOUR}) == {"players": [2], "workbench": False}


def test_here_is_who_asks_from_this_computer_by_a_name_of_its_own_alone() -> None:
    def asks(address: str | None, host: str = "localhost:8137") -> bool:
        client = None if address is None else (address, 50_000)
        return is_local(HTTPConnection({"type": "http", "client": client, "headers": [(b"host", host.encode())]}))

    for address in ("127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"):
        assert asks(address), address
    others = ("192.168.1.20", "10.0.0.1", "fe80::1", "fe80::1%eth0", "::ffff:192.168.1.20", "0.0.0.0", "", "unknown")
    for address in (*others, None):
        assert not asks(address), address
    for host in ("127.0.0.1", "127.0.0.1:8137", "[::1]:8137", "LOCALHOST"):
        assert asks("127.0.0.1", host), host
    for host in ("taptable.local", "192.168.1.5:8137", "localhost.evil.example", "", "127.0.0.1.evil.example"):
        assert not asks("127.0.0.1", host), host


async def test_who_is_not_paired_watches_and_has_nothing_done(site: Open) -> None:
    for source in (None, NEIGHBOUR):
        async with site.visited(source, paired=False) as client:
            assert client.parts["hands"] == {"1": {"now": "en"}}
            for verb in (*VERBS, "left", "control", "pause"):
                assert not (await client.ask(verb, seat=1))["ok"], verb
    assert [verb for verb, _ in site.demo.asked if verb != "left"] == []


async def test_it_is_behind_the_page_s_guard(site: Open) -> None:
    answer = await ask(site.table.port, "/demo/demo.js")
    assert (answer.status, answer.body) == (200, (STATIC / "demo.js").read_bytes())
    assert {name: answer.headers[name.lower()] for name in HEADERS} == dict(HEADERS)
    for path in ("/demo/demo.js", "/demo/about.json"):
        assert (await ask(site.table.port, path, headers={"Host": "evil.example"})).status == 421
    for path in ("/demo/", "/demo/../app.py", "/demo/%2e%2e/app.py", "/demo/.hidden.js", "/demo/live"):
        assert (await ask(site.table.port, path)).status == 404
    with pytest.raises(InvalidStatus, match="403"):
        async with connect(f"ws://127.0.0.1:{site.table.port}/demo/live", origin="http://evil.example"):  # type: ignore[arg-type]  # a NewType of str
            pass


async def test_what_is_asked_for_goes_to_the_demo_with_who_asks_and_comes_back_in_their_language(site: Open) -> None:
    async with site.visited(language="de") as client:
        assert client.parts["hands"] == {"1": {"now": "de"}}
        assert await client.ask("tap", seat=1, card="email#1", pad=2) == {"answer": 1, "ok": True, "done": "tap"}
        asked = await site.demo.until_asked("tap")
        assert (asked["seat"], asked["card"], asked["pad"], asked["language"]) == (1, "email#1", 2, "de")
        refused = await client.ask("draw", seat=1)
        assert refused["why"] == RequestError("hands", "nothing-to-draw").text(site.table.page.words("de"))
    assert (await site.demo.until_asked("left"))["client"] == asked["client"]


async def test_the_result_of_an_action_is_published_before_its_answer(site: Open) -> None:
    async with site.visited() as client:
        site.demo.told["hardware"] = {"daemon": "up"}
        await client.ask("press", seat=1)
        assert client.parts["hardware"] == {"daemon": "up"}


async def test_a_bug_in_an_action_is_reported_and_others_are_served_while_one_takes_its_time(site: Open) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    async with site.visited() as client:
        await client.send('{"do": "hold", "n": "long"}')
        await site.demo.until_asked("hold")
        assert not (await client.ask("stand", seat=1))["ok"]
        assert isinstance(trouble[0]["exception"], ZeroDivisionError)
        assert (await client.ask("press", seat=1))["ok"]
        site.demo.hold.set()
        assert (await client.answer("long"))["done"] == "hold"


async def test_streams_begin_again_with_another_daemon(site: Open) -> None:
    async with site.visited() as client:
        site.demo.server.publish_item("tones", TONE)
        await client.until(lambda it: "tones" in it.items)
        boot = client.boot
        site.demo.told["start"] = 2
        site.demo.server.publish_changes()
        await client.until(lambda it: it.boot != boot)
        assert "tones" not in client.items
        assert client.parts["hands"] == {"1": {"now": "en"}}


async def test_the_page_s_clock_goes_as_fast_as_the_demo_says(site: Open) -> None:
    site.demo.told["demo"] = {"speed": 1000.0}
    async with site.visited() as client:
        await client.ask("press", seat=1)
        before_s = site.app.clock()
        site.demo.told["demo"] = {"speed": 1.0}
        async with asyncio.timeout(DEADLINE_S):
            while site.app.clock() < before_s + 1.0:
                await asyncio.sleep(0)
        await client.ask("press", seat=1)
        assert site.app.clock() >= before_s + 1.0  # it never goes back


async def test_the_last_page_that_came_is_known_and_the_demo_ends_with_one_connected(
    site: Open, caplog: pytest.LogCaptureFixture
) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    other = DemoApp(site.app.link._path)
    async with other.connected(), asyncio.timeout(DEADLINE_S):
        while other._about is None:
            await asyncio.sleep(0)
        await site.demo.server.close()
    assert trouble == []
    assert caplog.records == []


async def test_without_the_demo_its_clients_are_disconnected_and_what_it_still_does_ends(site: Open) -> None:
    async with site.visited() as client:
        await client.send('{"do": "hold", "n": 1}')
        await site.demo.until_asked("hold")
        await site.demo.server.close()
        assert (await client.closed()).code == 1001
        assert site.demo.ended == ["hold"]
