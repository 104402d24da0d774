"""The guard before the page's application. It accepts only requests that address this computer by one of its own names,
so that a name that others point at it leads nowhere, and accepts changes only from this page. It adds the security
headers to every response. It must not know what is served."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from ipaddress import ip_address
from socket import gethostname

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from taptable.core.rates import RateLimiter
from taptable.page.network import is_own_name, local_name, own_addresses
from taptable.page.pacing import FairScheduler
from taptable.page.protocols import BODILESS, QUEUEING

POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
"""The content security policy: a browser loads nothing from elsewhere, and no other site shows the page in a frame."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""The headers that every response gets."""
OPENER_POLICY: Mapping[str, str] = {"Cross-Origin-Opener-Policy": "same-origin"}
"""The header that a response gets, too, if the browser trusts the way to this page: by TLS, or on this computer. At any
other address a browser ignores it, and reports an error on each load."""

REQUESTS_PER_S = 50.0
REQUEST_BURST = 600
"""How many requests of an address of the network are served per second, and how many at once after a silence: some
phones behind one router that open the page together. Beyond that its requests wait, one after the other."""
MAX_WAITING_OF_AN_ADDRESS = 128
"""How many requests of one address may wait; the next is refused."""
MAX_WAITING = 200
"""How many requests of all addresses may wait for a turn of the loop; the next is refused."""
MAX_ADDRESSES = 500
"""How many addresses the guard remembers, each with the rate of its requests."""
MAX_OWN_URLS = 3
"""How many of this computer's addresses a client gets that asked for a wrong name."""

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253})(?::(?P<port>\d{1,5}))?", re.IGNORECASE)
"""The header ``Host``: an address or a name, and a port if there is one."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_SCHEMES: Mapping[str, str] = {"https": "https", "wss": "https"}
"""The scheme of the page's URL for a browser that uses TLS; any other is ``http``."""
_TRUSTED_FETCH_SITES = frozenset({"same-origin", "none"})
"""The values of Sec-Fetch-Site for a request that no other site made."""


class Guard:
    """Protects a page that is open to the `network` or to this computer only, and passes one request on in a turn of
    the loop. `https` is the name, with port, of a proxy in front of it."""

    def __init__(self, app: ASGIApp, scheduler: FairScheduler, *, network: bool, https: str | None = None) -> None:
        self._app = app
        self._scheduler = scheduler
        self._network = network
        self._https = https
        self._paces: dict[str, _Pace] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in BODILESS

        added = {**HEADERS, **OPENER_POLICY} if self._is_trusted_way(scope, host) else HEADERS

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(added)
            await send(message)

        if not await self._wait_for_turn(scope, send_guarded):
            return
        scheme = _SCHEMES.get(scope["scheme"], "http")
        if not self._is_proxy_host(host) and not is_own_host(host, network=self._network):
            refusal = PlainTextResponse(f"This page is at {' or '.join(self._own_urls(scope, host))}\n", 421)
        elif changes and not _is_same_origin(
            headers, f"{scheme}://{host}", f"{scheme}://{self._with_proxy_port(host)}"
        ):
            refusal = PlainTextResponse("Another page can't speak to this one.\n", 403)
        elif "transfer-encoding" in headers:
            refusal = PlainTextResponse("This takes what says how long it is.\n", 411, {"Connection": "close"})
        else:
            await self._app(scope, receive, send_guarded)
            return
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await refusal(scope, receive, send_guarded)

    def _is_trusted_way(self, scope: Scope, host: str) -> bool:
        """Return whether a browser regards the page at this host as one of a secure origin."""
        return scope["scheme"] in _SCHEMES or self._is_proxy_host(host) or _name_in(host) in _LOOPBACK

    def _is_proxy_host(self, host: str) -> bool:
        return self._https is not None and self._with_proxy_port(host).lower() == self._https

    def _with_proxy_port(self, host: str) -> str:
        """Return the requested host; with the proxy's port if the proxy has dropped it, as nginx's ``$host`` does."""
        https = self._https or ""
        return https if host.lower() == https.partition(":")[0] else host

    def _own_urls(self, scope: Scope, host: str) -> list[str]:
        """Return the URLs of this page, those first that need no name."""
        if self._https is not None:
            return [f"https://{self._https}/"]
        # the port on which it listens: a proxy that isn't configured may send another one, or none
        _, port = scope.get("server") or (None, None)
        if port is None:
            found = _HOST.fullmatch(host)
            port = found and found["port"]
        names = [*own_addresses()[:MAX_OWN_URLS], local_name()] if self._network else ["localhost"]
        return [f"http://{name}:{port}/" if port else f"http://{name}/" for name in names]

    async def _wait_for_turn(self, scope: Scope, send: Send) -> bool:
        """Wait for the turn of a request; return False if it was refused or its client has disconnected."""
        client = scope.get("client")
        pace = self._pace_of(client[0]) if self._network and client is not None else None
        if pace is not None and pace.waiting >= MAX_WAITING_OF_AN_ADDRESS:
            await _refuse(scope, send, 429)
            return False
        if self._scheduler.waiting >= MAX_WAITING:
            await _refuse(scope, send, 503)
            return False
        task, queueing = asyncio.current_task(), scope["state"][QUEUEING]
        queueing.add(task)
        try:
            if pace is not None:
                await pace.throttle()
            await self._scheduler.wait_for_turn()
        except asyncio.CancelledError:
            return False
        finally:
            queueing.discard(task)
        return True

    def _pace_of(self, address: str) -> _Pace:
        """Return the pace of an address; forget the address that has been silent for longest if there are too many."""
        pace = self._paces.pop(address, None) or _Pace()
        self._paces[address] = pace
        if len(self._paces) > MAX_ADDRESSES:
            del self._paces[next(iter(self._paces))]
        return pace


class _Pace:
    """Limits the rate of one address's requests."""

    def __init__(self) -> None:
        self._limiter = RateLimiter(REQUESTS_PER_S, REQUEST_BURST, time.monotonic)
        self._turn = asyncio.Lock()
        self.waiting = 0

    async def throttle(self) -> None:
        """Wait until a request of this address may be served."""
        self.waiting += 1
        try:
            async with self._turn:
                self._limiter.consume()
                if owed_s := self._limiter.wait_s():
                    await asyncio.sleep(owed_s)
        finally:
            self.waiting -= 1


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    """Refuse a request at once, with as little work as possible: there are too many."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})
        return
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body"})


def is_own_host(host: str, *, network: bool) -> bool:
    """Return whether a host, with or without a port, names this computer. Any address counts: nobody else can give it
    away."""
    name = _name_in(host)
    if name.removesuffix(".") in _LOOPBACK:
        return True
    return network and bool(name) and (_is_address(name) or is_own_name(name, gethostname()))


def _name_in(host: str) -> str:
    """Return the name or address of a host without its port; "" if it is neither."""
    found = _HOST.fullmatch(host)
    return "" if found is None else found["name"].lower()


def _is_address(name: str) -> bool:
    try:
        return ip_address(name.strip("[]")).version == (6 if name.startswith("[") else 4)
    except ValueError:
        return False


def _is_same_origin(headers: Headers, *ours: str) -> bool:
    """Return whether no other site than `ours` made this request. A program that is no browser sends neither header."""
    return headers.get("origin", ours[0]) in ours and headers.get("sec-fetch-site", "none") in _TRUSTED_FETCH_SITES
