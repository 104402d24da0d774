"""Questions to the league's database from the loop that serves its page: each in a thread of its own, few at a time,
and what was asked a moment ago isn't asked again. Knows no question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine

from taptable.league.database import read_transaction, write_transaction

THREADS = 2
CACHE_S = 1.0
"""So old an answer may be."""
MOST_CACHED = 256

P = ParamSpec("P")
R = TypeVar("R")


class LeagueReader:
    """Of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(THREADS, "league-reading")
        self._cached: dict[object, tuple[float, asyncio.Future[Any]]] = {}

    async def read(self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """Answer a question of the league, as it is now."""

        def ask() -> R:
            with read_transaction(self._engine) as connection:
                return question(connection, *args, **more)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)

    async def change(self, command: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """What comes of something that changes the database, in a transaction."""

        def do() -> R:
            with write_transaction(self._engine) as connection:
                return command(connection, *args, **more)

        changed = await asyncio.get_running_loop().run_in_executor(self._threads, do)
        self._cached.clear()
        return changed

    async def read_cached(
        self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs
    ) -> R:
        """The same as `read`, but as it was not long ago; many who ask the same at once are one question."""
        key = (question, args, tuple(more.items()))
        until_s, asked = self._cached.pop(key, (0.0, None))
        if asked is None or time.monotonic() >= until_s or (asked.done() and asked.exception() is not None):
            until_s = time.monotonic() + CACHE_S
            asked = asyncio.ensure_future(self.read(question, *args, **more))
        self._cached[key] = (until_s, asked)
        if len(self._cached) > MOST_CACHED:
            del self._cached[next(iter(self._cached))]
        return await asyncio.shield(asked)

    def close(self) -> None:
        """Ask nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
