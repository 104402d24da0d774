"""What goes over HTTP beside the files of the page: a code against a cookie that no script can read, and files that who
is paired takes away or brings. Must not know what is in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Protocol, cast

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from taptable.edges.page.annex import Unfit
from taptable.edges.page.fields import Fields
from taptable.edges.page.pairing import Pairing
from taptable.edges.page.topics import Asker, Shelf
from taptable.memory.pairings import digest_of
from taptable.words import LANGUAGES, Words

NOBODY_IN_PARTICULAR = "page"
"""Who asks where nobody has to say who they are."""
COOKIE_DAYS = 180
MOST_SAID = 4096
"""Bytes of what is said with a code."""
MOST_BROUGHT = 262_144
"""Bytes of a file that is brought."""
MOST_LET_PASS = 4_194_304
"""So much of one that is too long is let pass before it is said: who is still sending doesn't hear it."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,60}")


class Host(Protocol):
    """Whose page it is; without a `pairing` it is for this computer only."""

    language: str
    pairing: Pairing | None
    cookie: str
    shelves: Mapping[str, Shelf]

    def words(self, language: str) -> Words:
        """The words of a language."""
        ...


def digest_in(connection: HTTPConnection, host: Host) -> str | None:
    """The SHA-256 of the secret that a browser was given once, whether it still counts or not."""
    secret = connection.cookies.get(host.cookie)
    return None if secret is None else digest_of(secret)


def asker_of(digest: str | None, host: Host, words: Words, client: str) -> Asker:
    """Who has this, now."""
    if host.pairing is None:
        return Asker(NOBODY_IN_PARTICULAR, True, words, client)
    paired = None if digest is None else host.pairing.find(digest)
    if paired is None:
        return Asker("", False, words, client)
    return Asker(paired.name, True, words, client, paired.id)


def routes_of(host: Host) -> list[Route]:
    """The routes of pairing and of the shelves."""

    async def pair(request: Request) -> Response:
        said = await _said(request, MOST_SAID)
        if isinstance(said, Response):
            return said
        try:
            message: Any = json.loads(said)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            return PlainTextResponse("This takes a code and a name in JSON.\n", 400)
        fields = Fields(cast("dict[str, Any]", message), _words(host, message.get("language")))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        if host.pairing is None:
            return _refused(fields.unfit("pair-not-needed"))
        try:
            secret = host.pairing.pair(fields)
        except Unfit as unfit:
            return _refused(unfit)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(
            host.cookie, secret, max_age=COOKIE_DAYS * 24 * 3600, path="/", httponly=True, samesite="strict"
        )
        return answer

    async def take(request: Request) -> Response:
        shelf, name, asker = _shelf(request, host), request.path_params["name"], _asker(request, host)
        if not _NAME.fullmatch(name):
            return PlainTextResponse("There is nothing here.\n", 404)
        if not (asker.paired or shelf.anyone):
            return _refused(_not_paired(asker))
        try:
            content = await shelf.take(name, asker)
        except Unfit as unfit:
            return _refused(unfit, 404)
        named = {"Content-Disposition": f'attachment; filename="{name}.json"', "Cache-Control": "no-store"}
        return Response(content, headers=named, media_type="application/json")

    async def bring(request: Request) -> Response:
        shelf, asker = _shelf(request, host), _asker(request, host)
        if not asker.paired:
            return _refused(_not_paired(asker))
        content = await _said(request, MOST_BROUGHT)
        if isinstance(content, Response):
            return content
        try:
            return JSONResponse({"ok": True, **await shelf.bring(content, asker)})
        except Unfit as unfit:
            return _refused(unfit)

    return [
        Route("/pair", pair, methods=["POST"]),
        *(Route(f"/{shelf}/{{name}}.json", take, methods=["GET"]) for shelf in host.shelves),
        *(Route(f"/{shelf}", bring, methods=["POST"]) for shelf in host.shelves),
    ]


def _shelf(request: Request, host: Host) -> Shelf:
    return host.shelves[request.url.path.split("/")[1]]


def _asker(request: Request, host: Host) -> Asker:
    return asker_of(digest_in(request, host), host, _words(host, request.query_params.get("language")), "")


def _words(host: Host, language: object) -> Words:
    return host.words(language if isinstance(language, str) and language in LANGUAGES else host.language)


def _not_paired(asker: Asker) -> Unfit:
    return Unfit(asker.words.text("live", "not-paired"))


async def _said(request: Request, most: int) -> bytes | Response:
    """What a request says, as long as it may be and said to be JSON, which no form of another site can; else the answer
    to it."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return PlainTextResponse("This takes JSON.\n", 415, {"Connection": "close"})
    said = bytearray()
    length = 0
    try:
        async for piece in request.stream():
            length += len(piece)
            if length <= most:
                said += piece
            elif length > MOST_LET_PASS:
                break
    except ClientDisconnect:
        return PlainTextResponse("", 400)  # to nobody
    if length > most:
        return PlainTextResponse(f"This takes {most} bytes at most.\n", 413, {"Connection": "close"})
    return bytes(said)


def _refused(unfit: Unfit, status: int = 403) -> Response:
    # what else would be said is not read
    return JSONResponse({"ok": False, "why": str(unfit)}, status, {"Connection": "close"})
