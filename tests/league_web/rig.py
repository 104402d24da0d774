"""A league's page while it is served, on a real port from a real database, and its clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from deadline import DEADLINE_S
from page_access.rig import ask
from page_server.rig import Answer
from ports import free_port
from sqlalchemy import Engine
from taptable.config.model import PageSettings
from taptable.league.settings import Broker
from taptable.league.web.site import LeagueSite, serve_league

NAME, PASSWORD = "ada", "correct horse battery"


@dataclass
class LeaguePage:
    """A league's page that is open, and where."""

    site: LeagueSite
    engine: Engine
    port: int

    async def get(self, path: str, cookie: str | None = None, **more: Any) -> Answer:
        """Send one request, by default from 127.0.0.1."""
        return await ask(self.port, path, cookie=cookie, **more)

    async def get_data(self, what: str, **fields: Any) -> Any:
        """Return the data below ``/data``."""
        query = f"?{urlencode(fields)}" if fields else ""
        answer = await self.get(f"/data/{what}.json{query}")
        assert answer.status == 200, answer.body
        return answer.json

    async def post(self, path: str, said: Mapping[str, Any] | bytes, cookie: str | None = None, **more: Any) -> Answer:
        """Send JSON."""
        body = said if isinstance(said, bytes) else json.dumps(said).encode()
        return await ask(self.port, path, body, cookie=cookie, **more)

    async def signs_in(self, password: str = PASSWORD, name: str = NAME, **more: Any) -> Answer:
        """Sign in with a name and a password."""
        return await self.post("/admin/sign-in", {"name": name, "password": password, "language": "en"}, **more)

    async def session(self) -> str:
        """The cookie of an administrator who has signed in."""
        answer = await self.signs_in()
        assert answer.status == 200, answer.body
        return answer.headers["set-cookie"].partition(";")[0]

    async def admin_command(self, cookie: str | None, verb: str, **fields: Any) -> Answer:
        """Something is asked for at the desk."""
        return await self.post("/admin/do", {"do": verb, "language": "en", **fields}, cookie)


@asynccontextmanager
async def serve_league_page(
    engine: Engine, *, network: bool = False, broker: Broker | None = None, **more: Any
) -> AsyncIterator[LeaguePage]:
    """The page of a league with this database, while it is served."""
    port = free_port()
    settings = PageSettings(port, network=network, **more)
    async with serve_league(engine, "Harbour league", "en", settings, broker) as site:
        await asyncio.wait_for(site.page.live_tables.loaded.wait(), DEADLINE_S)
        yield LeaguePage(site, engine, port)
