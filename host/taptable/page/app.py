"""What the page's server answers: files, words, faces, what is exchanged with who is paired, and the live connection.
Must not know what a table is."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from taptable.page import file_transfer
from taptable.page.guard import Guard
from taptable.page.pacing import FairScheduler
from taptable.page.page import Page
from taptable.words import LANGUAGES

STATIC = Path(__file__).with_name("static")

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
}
"""What is served, by the end of its name; nothing else is."""

_SAFE_PATH = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")


def make_app(
    page: Page, live: Callable[[WebSocket], Awaitable[None]], scheduler: FairScheduler, https: str | None = None
) -> ASGIApp:
    """The application of a page; `live` serves one client, all come in by the `scheduler`, and by TLS to `https`."""

    async def index(request: Request) -> Response:
        return _file(STATIC, "index.html", request)

    async def overlay(request: Request) -> Response:
        return _file(STATIC, "overlay.html", request)

    async def static(request: Request) -> Response:
        return _file(STATIC, request.path_params["path"], request)

    async def extension(request: Request) -> Response:
        folder = page.extension_files
        return _missing() if folder is None else _file(folder, request.path_params["path"], request)

    async def about(request: Request) -> Response:
        told = page.about()
        if told is None:  # why, and in which languages the page can say so
            away = {"why": page.why, "languages": list(LANGUAGES), "language": page.language}
            return Response(_json(away), 503, {"Retry-After": "2"}, TYPES[".json"])
        return _content(_json(told), ".json", request)

    async def words(request: Request) -> Response:
        language, game = request.path_params["language"], request.path_params.get("game")
        wording = page.wording(language, game) if language in LANGUAGES else None
        return _missing() if wording is None else _content(_json(wording), ".json", request)

    async def faces(request: Request) -> Response:
        sheet = page.faces(request.path_params.get("game"))
        return _missing() if sheet is None else _content(sheet.encode(), ".svg", request)

    routes = [
        Route("/", index),
        Route("/overlay", overlay),
        Route("/static/{path:path}", static),
        Route("/extension/{path:path}", extension),
        Route("/about.json", about),
        Route("/words/{language}.json", words),
        Route("/words/{game}/{language}.json", words),
        Route("/faces.svg", faces),
        Route("/faces/{game}.svg", faces),
        *file_transfer.routes_of(page),
        WebSocketRoute("/live", live),
    ]
    app = Starlette(routes=routes)
    app.router.redirect_slashes = False
    return Guard(app, scheduler, network=page.network, https=https)


def _file(folder: Path, path: str, request: Request) -> Response:
    """A file in a folder, or below it, but not elsewhere by way of dots and links."""
    if not _SAFE_PATH.fullmatch(path):
        return _missing()
    try:
        file = (folder / path).resolve()
        if file.suffix not in TYPES or not file.is_relative_to(folder.resolve()) or not file.is_file():
            return _missing()
        return _content(file.read_bytes(), file.suffix, request)
    except OSError:  # a name too long, a file that mayn't be read
        return _missing()


def _content(content: bytes, suffix: str, request: Request) -> Response:
    """Something of a kind, unless the browser has it already."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(content, headers={"ETag": tag, "Content-Type": TYPES[suffix]})


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _missing() -> Response:
    return PlainTextResponse("There is nothing here.\n", 404)
