"""The admin page's requests: signing in with a password, and what only an administrator may see and do, which is in
`admin_commands`. Changes are accepted from our own page alone, which the guard before all of this checks, and a
password only from this computer or by TLS. Must not know what a command changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from math import ceil
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from taptable.api.errors import RequestError
from taptable.core.errors import ConfigError, LeagueError
from taptable.league.broker_accounts import write_broker_accounts
from taptable.league.settings import Broker
from taptable.league.tables import all_tables
from taptable.league.web import accounts, admin_commands
from taptable.league.web.accounts import KNOWN_S, LONGEST_PASSWORD, Tries
from taptable.league.web.reader import LeagueReader
from taptable.page.guard import is_own_host
from taptable.page.messages import convert, shorten
from taptable.page.responses import parse_json_object, read_json_body
from taptable.words import LANGUAGES, Words

MAX_JSON_BYTES = 8192
"""The most bytes of a request."""
MAX_AT_ONCE = 4
"""Sign-ins that may wait: passwords are verified one after the other, since each takes as much time and memory as
should be spent on it."""
CONTEXT = "league-desk"
"""The context of the catalogues with the reasons for refusals."""
NO_STORE = {"Cache-Control": "no-store"}
"""The header of all responses: no browser or proxy may keep them."""


@dataclass
class _Turn:
    """The queue for verifying passwords one after the other."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class AdminRoutes:
    """The admin routes of one league. The `cookie` contains the secret of a session. The accounts of tables are written
    to the files of the `broker`."""

    def __init__(
        self, reader: LeagueReader, cookie: str, tries: Tries | None = None, broker: Broker | None = None
    ) -> None:
        self._reader = reader
        self._cookie = cookie
        self._tries = tries or Tries()
        self._broker = broker
        self._broker_lock = asyncio.Lock()
        self._turns = {known: _Turn() for known in (False, True)}
        self.routes = [
            Route("/admin/desk.json", self._show, methods=["GET"]),
            Route("/admin/sign-in", self._sign_in, methods=["POST"]),
            Route("/admin/sign-out", self._sign_out, methods=["POST"]),
            Route("/admin/do", self._do, methods=["POST"]),
        ]

    async def _show(self, request: Request) -> Response:
        name = await self._signed_in_name(request)
        if name is None:
            return JSONResponse({"name": None, "safe": _is_safe(request)}, headers=NO_STORE)
        return JSONResponse({"name": name, **await self._reader.read(admin_commands.admin_view)}, headers=NO_STORE)

    async def _sign_in(self, request: Request) -> Response:
        body = await _read_body(request)
        if isinstance(body, Response):
            return body
        words, address = _words(body), request.client.host if request.client is not None else "127.0.0.1"
        name, password = body.get("name"), body.get("password")
        if not isinstance(name, str) or not isinstance(password, str) or len(password) > LONGEST_PASSWORD:
            return _refused(RequestError("live", "wrong-field", field="password"), words)
        if not _is_safe(request):
            return _refused(RequestError(CONTEXT, "not-safe"), words)
        old_secret = request.cookies.get(self._cookie) or ""
        browser = await self._reader.read(accounts.known_browser, old_secret, _now())
        turn = self._turns[browser is not None]  # strangers can't keep a known browser waiting either
        if turn.waiting >= MAX_AT_ONCE:
            return _refused(RequestError(CONTEXT, "busy"), words, 429, {"Retry-After": "2"})
        turn.waiting += 1
        try:
            async with turn.lock:
                # asked in turn: somebody who tries many at once has the pause of the last
                if pause_s := ceil(self._tries.pause_s(address, browser)):
                    error = RequestError(CONTEXT, "paused", seconds=pause_s)
                    return _refused(error, words, 429, {"Retry-After": str(pause_s)})
                stored_hash = await self._reader.read(accounts.hash_of, name)
                if not await asyncio.to_thread(accounts.is_right, stored_hash, password):
                    self._tries.record_failure(address, browser)
                    return _refused(RequestError(CONTEXT, "wrong-password"), words)
        finally:
            turn.waiting -= 1
        self._tries.record_success(address, browser)
        if browser is not None:
            await self._reader.change(accounts.end_session, old_secret, _now(), forget=True)
        secret = await self._reader.change(accounts.begin_session, name, _now())
        answer = JSONResponse({"ok": True}, headers=NO_STORE)
        answer.set_cookie(
            self._cookie,
            secret,
            max_age=KNOWN_S,
            path="/admin",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _sign_out(self, request: Request) -> Response:
        if secret := request.cookies.get(self._cookie):
            await self._reader.change(accounts.end_session, secret, _now())
        return JSONResponse({"ok": True}, headers=NO_STORE)

    async def _do(self, request: Request) -> Response:
        by = await self._signed_in_name(request)
        if by is None:
            # the body isn't read
            words = _words({"language": request.query_params.get("language")})
            return _refused(RequestError(CONTEXT, "not-signed-in"), words, 401)
        body = await _read_body(request)
        if isinstance(body, Response):
            return body
        words, verb = _words(body), body.get("do")
        try:
            command = admin_commands.ADMIN_COMMANDS.get(verb) if isinstance(verb, str) else None
            if command is None:
                raise RequestError("live", "unknown-verb", verb=shorten(str(verb)))
            params = convert(command.params_type, body)
            # the time is taken within the transaction, after it has waited for its turn
            result = await self._reader.change(
                lambda each: command.do(each, params, admin_commands.AdminRequest(_now(), by))
            )
            if command.changes_access and self._broker is not None:
                result = {**result, **await self._update_broker(self._broker, words)}
        except RequestError as error:
            return _refused(error, words)
        except LeagueError as error:
            return _refused(RequestError("live", "as-said", reason=str(error)), words)
        return JSONResponse({"ok": True, **result}, headers=NO_STORE)

    async def _update_broker(self, broker: Broker, words: Words) -> Mapping[str, str]:
        """Write the broker's accounts after a change. Returns a sentence for the administrator, as `trouble` if
        something has to be done. What was changed in the league stays changed."""
        async with self._broker_lock:
            tables = await self._reader.read(all_tables)
            try:
                written = await asyncio.to_thread(write_broker_accounts, broker, tables)
            except (LeagueError, ConfigError) as error:
                return {"trouble": words.text(CONTEXT, "not-let-in", {"reason": str(error)})}
        return {"broker": " ".join(words.text("league-cli", kind, {"file": file}) for kind, file in written.items())}

    async def _signed_in_name(self, request: Request) -> str | None:
        """Return the administrator who sent a request; None if it was somebody else."""
        secret = request.cookies.get(self._cookie)
        return None if not secret else await self._reader.read(accounts.administrator_of_session, secret, _now())


def _is_safe(request: Request) -> bool:
    """Return whether nobody on the way can read a request."""
    if request.url.scheme == "https":
        return True
    client = request.client
    here = client is not None and ip_address(client.host).is_loopback
    return here and is_own_host(request.headers.get("host", ""), network=False)


async def _read_body(request: Request) -> Mapping[str, Any] | Response:
    content = await read_json_body(request, MAX_JSON_BYTES)
    if isinstance(content, Response):
        return content
    found = parse_json_object(content)
    return JSONResponse({"ok": False, "why": "This takes an object in JSON."}, 400) if found is None else found


def _words(body: Mapping[str, Any]) -> Words:
    language = body.get("language")
    return Words(language if isinstance(language, str) and language in LANGUAGES else "en")


def _refused(
    error: RequestError, words: Words, status: int = 403, headers: Mapping[str, str] | None = None
) -> Response:
    return JSONResponse({"ok": False, "why": error.text(words)}, status, {**NO_STORE, **(headers or {})})


def _now() -> int:
    return int(time.time())
