"""HTTP routes beside the page's static files: pairing, which exchanges a code, or a request that was allowed at the
table, for a cookie that no script can read; files of decks and games to download and upload; and cards to print. It
must not know what the files contain."""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from taptable.api.errors import RequestError
from taptable.api.requests import BringDeck, Pair, ReadDeck, Who
from taptable.memory.pairings import digest_of
from taptable.page.messages import Requester, convert
from taptable.page.page import Page
from taptable.page.responses import parse_json_object, read_json_body
from taptable.words import LANGUAGES, Words

ANONYMOUS_NAME = "page"
"""The requester's name where nobody has to be paired."""
COOKIE_DAYS = 180
"""Days for which a browser keeps the secret of its pairing."""
MAX_JSON_BYTES = 4096
"""The most bytes of a JSON request."""
MAX_UPLOAD_BYTES = 262_144
"""The most bytes of an uploaded file; `requests.LONGEST_DECK` bounds its characters at the table."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,60}")
"""A name that can stand in a header as a file's name."""


class PairedWith:
    """Identifies clients by what the table knows of the secret in their browser's cookie."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def identify(self, connection: HTTPConnection, words: Words, client: str) -> Requester:
        """Return the present requester, paired or not."""
        page, secret = self._page, connection.cookies.get(self._page.cookie)
        if not page.network:
            return Requester(ANONYMOUS_NAME, True, words, client)
        if secret is None:
            return Requester("", False, words, client)
        digest = digest_of(secret)
        try:
            found = await page.table.call(Who(digest))
        except RequestError:  # the table is away: nothing can be changed anyway
            found = dict[str, Any](id=None)
        if found["id"] is None:
            return Requester("", False, words, client, digest)
        return Requester(found["name"], True, words, client, digest, found["id"])

    def is_paired(self, requester: Requester) -> bool:
        """Return whether an identified requester is still paired."""
        return requester.paired and (self._page.devices is None or requester.device in self._page.devices)


def routes_of(page: Page) -> list[Route]:
    """Return the routes for pairing, files, and printing."""

    async def pair(request: Request) -> Response:
        body = await read_json_body(request, MAX_JSON_BYTES)
        if isinstance(body, Response):
            return body
        fields = parse_json_object(body)
        if fields is None:
            return PlainTextResponse("This takes a code and a name in JSON.\n", 400)
        words = _words(page, fields.get("language"))
        try:
            if not page.network:
                raise RequestError("live", "pair-not-needed")
            paired = await page.table.call(convert(Pair, {"code": "", "name": "", **fields}))
        except RequestError as error:
            return _refusal(error, words)
        if not paired["secret"]:
            tried = paired.get("tried")
            why = {"why": words.text("live", f"presence-{tried}", paired)} if tried else {}
            return JSONResponse({"ok": False, "waits": True, **why}, 202)
        answer = JSONResponse({"ok": True})
        answer.set_cookie(
            page.cookie,
            paired["secret"],
            max_age=COOKIE_DAYS * 24 * 3600,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def deck(request: Request) -> Response:
        name, requester = request.path_params["name"], await _requester(request, page)
        if not requester.paired:
            return _refusal(RequestError("live", "not-paired"), requester.words)
        try:
            found = await page.table.call(convert(ReadDeck, {"deck": name, "device": requester.digest}))
        except RequestError as error:
            return _refusal(error, requester.words, 404)
        return _file(name, found["content"])

    async def game(request: Request) -> Response:
        name, requester = request.path_params["name"], await _requester(request, page)
        try:
            return _file(name, await page.past_games.file(name, requester))
        except RequestError as error:
            return _refusal(error, requester.words, 404)

    async def bring(request: Request) -> Response:
        requester = await _requester(request, page)
        if not requester.paired:
            return _refusal(RequestError("live", "not-paired"), requester.words)
        content = await read_json_body(request, MAX_UPLOAD_BYTES)
        if isinstance(content, Response):
            return content
        try:
            upload = BringDeck(content.decode(errors="replace"), device=requester.digest)
            return JSONResponse({"ok": True, **await page.table.call(upload)})
        except RequestError as error:
            return _refusal(error, requester.words)

    async def cards(request: Request) -> Response:
        requester = await _requester(request, page)
        if not requester.paired:
            return _refusal(RequestError("live", "not-paired"), requester.words)
        body = await read_json_body(request, MAX_JSON_BYTES)
        if isinstance(body, Response):
            return body
        fields = parse_json_object(body)
        if fields is None:
            return PlainTextResponse("This takes what is to be printed in JSON.\n", 400)
        try:
            pdf = await page.printer.draw(fields, requester.words.language)
        except RequestError as error:
            return _refusal(error, requester.words)
        return Response(pdf, headers={"Cache-Control": "no-store"}, media_type="application/pdf")

    async def nothing_to_bring(request: Request) -> Response:
        requester = await _requester(request, page)
        return _refusal(RequestError("history", "nothing-to-bring"), requester.words)

    return [
        Route("/pair", pair, methods=["POST"]),
        Route("/decks/{name}.json", deck, methods=["GET"]),
        Route("/decks", bring, methods=["POST"]),
        Route("/cards", cards, methods=["POST"]),
        Route("/games/{name}.json", game, methods=["GET"]),
        Route("/games", nothing_to_bring, methods=["POST"]),
    ]


async def _requester(request: Request, page: Page) -> Requester:
    return await PairedWith(page).identify(request, _words(page, request.query_params.get("language")), "")


def _words(page: Page, language: object) -> Words:
    return page.words(language if isinstance(language, str) and language in LANGUAGES else page.language)


def _file(name: str, content: str) -> Response:
    if not _NAME.fullmatch(name):
        return PlainTextResponse("There is nothing here.\n", 404)
    named = {"Content-Disposition": f'attachment; filename="{name}.json"', "Cache-Control": "no-store"}
    return Response(content, headers=named, media_type="application/json")


def _refusal(error: RequestError, words: Words, status: int = 403) -> Response:
    # the rest of the request isn't read
    return JSONResponse({"ok": False, "why": error.text(words)}, status, {"Connection": "close"})
