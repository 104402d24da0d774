"""The page's web application: the routes for static files, words, faces, file transfer and the live connection, behind
the guard. It asks `Page` for what it sends; it must not know a table's state or a verb."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from taptable.page import file_transfer
from taptable.page.guard import Guard
from taptable.page.network import own_addresses
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.page.responses import TYPES, etag_response, file_response, json_bytes, not_found
from taptable.words import LANGUAGES

STATIC = Path(__file__).with_name("static")
"""The folder of the page's files for browsers."""
_OWN_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this computer that lead nowhere from another device."""


@dataclass(frozen=True, slots=True)
class Extension:
    """An application that another program mounts in the page's server at `path`, behind the same guard. Browsers load
    its `modules` and `styles`, files below that path, and call each module's ``start(page)``. `make` takes the page and
    the scheduler of all its clients, and returns the application."""

    path: str
    modules: tuple[str, ...]
    styles: tuple[str, ...]
    make: Callable[[Page, FairScheduler], ASGIApp]

    def asset_urls(self) -> dict[str, list[str]]:
        """Return the URLs of its modules and styles, ready for JSON."""
        named = {"modules": self.modules, "styles": self.styles}
        return {kind: [f"{self.path}/{name}" for name in names] for kind, names in named.items()}


def address_for_others(request: Request, https: str | None) -> str | None:
    """Return the address at which another device finds the scoreboard: by the host that this request used, but for this
    computer itself by its best address. None without a network."""
    if https is not None:
        return f"https://{https}/scoreboard"
    url = request.url
    if (url.hostname or "").removesuffix(".") not in _OWN_NAMES:
        return f"{url.scheme}://{url.netloc}/scoreboard"
    own = next(iter(own_addresses()), None)
    return None if own is None else f"{url.scheme}://{own}:{url.port or 80}/scoreboard"


def qr_path(address: str) -> dict[str, object]:
    """Return the QR code of an address: the number of modules of a side, and the dark ones as an SVG path of unit
    squares."""
    # slow to import: only who wants the code pays for it
    import segno

    matrix = segno.make_qr(address).matrix
    dark = [f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, module in enumerate(row) if module]
    return {"size": len(matrix), "path": "".join(dark)}


def make_app(
    page: Page,
    live: Callable[[WebSocket], Awaitable[None]],
    scheduler: FairScheduler,
    https: str | None = None,
    extension: Extension | None = None,
) -> ASGIApp:
    """Return the application. `live` serves one client, `scheduler` spaces all requests, `https` names a proxy with
    TLS."""

    async def index(request: Request) -> Response:
        return file_response(STATIC, "index.html", request)

    async def overlay(request: Request) -> Response:
        return file_response(STATIC, "overlay.html", request)

    async def scoreboard(request: Request) -> Response:
        return file_response(STATIC, "scoreboard.html", request)

    async def scoreboard_address(request: Request) -> Response:
        # without a network no other screen finds it, so only its path is of use
        address = address_for_others(request, https) if page.network else None
        shown = {"address": address, "qr": None if address is None else qr_path(address)}
        return Response(json_bytes(shown), media_type=TYPES[".json"])

    async def static(request: Request) -> Response:
        return file_response(STATIC, request.path_params["path"], request)

    async def about(request: Request) -> Response:
        facts = page.about()
        if facts is None:  # the reason, and the languages in which the page can state it
            away = {"why": page.unavailable_reason, "languages": list(LANGUAGES), "language": page.language}
            return Response(json_bytes(away), 503, {"Retry-After": "2"}, TYPES[".json"])
        facts["extension"] = None if extension is None else extension.asset_urls()
        return etag_response(json_bytes(facts), ".json", request)

    async def words(request: Request) -> Response:
        language, game = request.path_params["language"], request.path_params.get("game")
        wording = page.wording(language, game) if language in LANGUAGES else None
        return not_found() if wording is None else etag_response(json_bytes(wording), ".json", request)

    async def faces(request: Request) -> Response:
        sheet = page.faces(request.path_params.get("game"))
        return not_found() if sheet is None else etag_response(sheet.encode(), ".svg", request)

    routes = [
        Route("/", index),
        Route("/overlay", overlay),
        Route("/scoreboard", scoreboard),
        Route("/scoreboard.json", scoreboard_address),
        Route("/static/{path:path}", static),
        Route("/about.json", about),
        Route("/words/{language}.json", words),
        Route("/words/{game}/{language}.json", words),
        Route("/faces.svg", faces),
        Route("/faces/{game}.svg", faces),
        *file_transfer.routes_of(page),
        WebSocketRoute("/live", live),
        *([] if extension is None else [Mount(extension.path, extension.make(page, scheduler))]),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return Guard(app, scheduler, network=page.network, https=https)
