"""The routes of a league's server: its own files and those of a table's page, words and faces, data about seasons,
members and games, the admin page, and the live connection. Must not know where it is served."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from taptable.api.errors import RequestError
from taptable.league.exports import csv_of
from taptable.league.web import data
from taptable.league.web.admin import AdminRoutes
from taptable.league.web.data import DataQuery, NotThere
from taptable.league.web.page import LeaguePage, faces, wording
from taptable.league.web.reader import LeagueReader
from taptable.page.app import STATIC as PAGE_STATIC
from taptable.page.guard import Guard
from taptable.page.messages import Requester
from taptable.page.pacing import FairScheduler
from taptable.page.responses import etag_response, file_response, json_bytes, not_found
from taptable.words import LANGUAGES

STATIC = Path(__file__).with_name("static")
"""The folder of the league's own files for browsers."""

_DATA: Mapping[str, Callable[[LeagueReader, DataQuery], Awaitable[Any]]] = {
    "standings": data.standings,
    "records": data.records,
    "members": data.members,
    "member": data.member,
    "against": data.against,
    "games": data.games,
    "game": data.game,
}
"""The functions that return JSON, by the name of the file below ``/data``."""
_FILES: Mapping[str, Literal["standings", "games", "ratings"]] = {
    "standings": "standings",
    "results": "games",
    "ratings": "ratings",
}
"""The exports, by the name of the file below ``/export``."""

_log = logging.getLogger(__name__)


def make_app(
    page: LeaguePage,
    reader: LeagueReader,
    live: Callable[[WebSocket], Awaitable[None]],
    scheduler: FairScheduler,
    admin: AdminRoutes,
    *,
    network: bool,
    https: str | None = None,
) -> ASGIApp:
    """Return the application of a league's page. `live` serves one client; all requests go through the `scheduler`."""

    async def index(request: Request) -> Response:
        return file_response(STATIC, "index.html", request)

    async def league_file(request: Request) -> Response:
        return file_response(STATIC, request.path_params["path"], request)

    async def page_file(request: Request) -> Response:
        return file_response(PAGE_STATIC, request.path_params["path"], request)

    async def words(request: Request) -> Response:
        language = request.path_params["language"]
        found = wording(language, request.path_params.get("game")) if language in LANGUAGES else None
        return not_found() if found is None else etag_response(json_bytes(found), ".json", request)

    async def faces_svg(request: Request) -> Response:
        found = faces(request.path_params["game"])
        return not_found() if found is None else etag_response(found.encode(), ".svg", request)

    async def league_data(request: Request) -> Response:
        return await _answer(request, lambda query: data.league(reader, query, page.name, page.language))

    async def data_file(request: Request) -> Response:
        read = _DATA.get(request.path_params["what"])
        return not_found() if read is None else await _answer(request, lambda query: read(reader, query))

    async def export_file(request: Request) -> Response:
        kind, suffix = _FILES.get(request.path_params["what"]), request.path_params["suffix"]
        if kind is None or suffix not in ("csv", "json"):
            return not_found()

        async def lines(query: DataQuery) -> bytes:
            heading, found = await data.rows(reader, kind, query)
            if suffix == "json":
                return json_bytes(data.json_of(heading, found))
            return csv_of(heading, found).encode()

        return await _answer(request, lines, f".{suffix}")

    async def game(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            text = await page.past_games.file(name, Requester("", False, page.words(page.language), ""))
        except RequestError as error:
            return PlainTextResponse(f"{error}\n", 404)
        return Response(text, headers=_attached(f"{name}.json"), media_type="application/json")

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/league/{path:path}", league_file),
            Route("/static/{path:path}", page_file),
            Route("/words/{language}.json", words),
            Route("/words/{game}/{language}.json", words),
            Route("/faces/{game}.svg", faces_svg),
            Route("/data/league.json", league_data),
            Route("/data/{what}.json", data_file),
            Route("/export/{what}.{suffix}", export_file),
            Route("/games/{name}.json", game),
            *admin.routes,
            WebSocketRoute("/live", live),
        ]
    )
    app.router.redirect_slashes = False
    return Guard(app, scheduler, network=network, https=https)


async def _answer(request: Request, read: Callable[[DataQuery], Awaitable[Any]], suffix: str = ".json") -> Response:
    """Answer a request for data, narrowed down by its query."""
    try:
        found = await read(data.parse_query(request.query_params))
    except msgspec.ValidationError as error:
        return PlainTextResponse(f"That can't be asked for: {error}\n", 400)
    except NotThere:
        return not_found()
    except SQLAlchemyError as error:
        _log.error("League database not available, a request is answered with 503: %s", error)
        return PlainTextResponse("The league's database doesn't answer.\n", 503, {"Retry-After": "5"})
    answer = etag_response(found if isinstance(found, bytes) else json_bytes(found), suffix, request)
    if suffix == ".csv":
        answer.headers.update(_attached(request.url.path.rpartition("/")[2]))
    return answer


def _attached(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
