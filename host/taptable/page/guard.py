"""Who is let in: only who speaks to this computer by a name of its own, so that a name somebody else made for it leads
nowhere, and to what changes anything only our own page. Says on every answer what a browser may do with it. Must not
know what is served."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from ipaddress import ip_address
from socket import gethostname

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from taptable.page.allowance import Allowance
from taptable.page.turnstile import Turnstile

POLICY = "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""What every answer says besides."""

REQUESTS_PER_S = 50.0
MOST_REQUESTS = 600
"""An address of the network is answered so often in a second, and so many times at once after a silence: that is some
phones behind one box that open the page together. Beyond that its requests wait, one after the other."""
MOST_ADDRESSES = 500
"""So many addresses are kept in mind."""

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253})(?::\d{1,5})?", re.IGNORECASE)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_READING = frozenset({"GET", "HEAD"})
_OUR_OWN = frozenset({"same-origin", "none"})
"""What a browser says of a request that no other site made (Sec-Fetch-Site)."""


class Guard:
    """Stands before a page that is open to the `network` or to this computer only, and lets one request in at a turn of
    the loop."""

    def __init__(self, app: ASGIApp, turnstile: Turnstile, *, network: bool) -> None:
        self._app = app
        self._turnstile = turnstile
        self._network = network
        self._paces: dict[str, _Pace] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer it."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in _READING

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if self._network and (client := scope.get("client")) is not None:
            await self._pace_of(client[0]).keep()
        await self._turnstile.through()
        if not is_ours(host, network=self._network):
            refusal = PlainTextResponse(f"This table is at {' or '.join(_names(self._network))}.\n", 421)
        elif changes and not _from_our_page(headers, host):
            refusal = PlainTextResponse("Another page can't speak to this table.\n", 403)
        else:
            await self._app(scope, receive, send_guarded)
            return
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await refusal(scope, receive, send_guarded)

    def _pace_of(self, address: str) -> _Pace:
        """The pace of an address; who has been silent for longest is forgotten where there are too many."""
        pace = self._paces.pop(address, None) or _Pace()
        self._paces[address] = pace
        if len(self._paces) > MOST_ADDRESSES:
            del self._paces[next(iter(self._paces))]
        return pace


class _Pace:
    """How fast the requests of one address follow each other."""

    def __init__(self) -> None:
        self._allowance = Allowance(REQUESTS_PER_S, MOST_REQUESTS)
        self._turn = asyncio.Lock()

    async def keep(self) -> None:
        """Wait until it may be answered."""
        async with self._turn:
            self._allowance.take()
            if owed_s := self._allowance.owed_s():
                await asyncio.sleep(owed_s)


def is_ours(host: str, *, network: bool) -> bool:
    """Is this a name of this computer, with a port or without? An address is nobody else's to give away."""
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = found["name"].lower()
    if name in _LOOPBACK:
        return True
    return network and (_is_address(name) or name in _names(network))


def _names(network: bool) -> list[str]:
    """The names of this computer, the one to be said first; asked for each time, as it may be given another."""
    own = gethostname().lower().partition(".")[0]
    return [f"{own}.local", own, "localhost"] if network else ["localhost"]


def _is_address(name: str) -> bool:
    try:
        return ip_address(name.strip("[]")).version == (6 if name.startswith("[") else 4)
    except ValueError:
        return False


def _from_our_page(headers: Headers, host: str) -> bool:
    """Does no other site's page ask for this? A program that is no browser says nothing of it."""
    origin = headers.get("origin", f"http://{host}")
    return origin == f"http://{host}" and headers.get("sec-fetch-site", "none") in _OUR_OWN
