"""Runs queries on the league's database for the event loop that serves its page: in threads, a few at a time, with a
short cache. Must not know the queries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine

from taptable.league.database import read_transaction, write_transaction

THREADS = 2
"""How many queries run at a time."""
CACHE_S = 1.0
"""Maximum age of a cached answer."""
MAX_CACHED = 256
"""How many answers are cached."""

P = ParamSpec("P")
R = TypeVar("R")


class LeagueReader:
    """Runs queries and commands on one database in threads of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(THREADS, "league-reading")
        self._cached: dict[object, tuple[float, asyncio.Future[Any]]] = {}

    async def read(self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """Run a query in a transaction, and return its current answer."""

        def ask() -> R:
            with read_transaction(self._engine) as connection:
                return question(connection, *args, **more)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)

    async def change(self, command: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """Run a command that changes the database, in a transaction, and return its result."""

        def do() -> R:
            with write_transaction(self._engine) as connection:
                return command(connection, *args, **more)

        changed = await asyncio.get_running_loop().run_in_executor(self._threads, do)
        self._cached.clear()
        return changed

    async def read_cached(
        self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs
    ) -> R:
        """Return the answer of `read`, or one that is at most `CACHE_S` old. Many equal queries at once are run
        once."""
        key = (question, args, tuple(more.items()))
        until_s, future = self._cached.pop(key, (0.0, None))
        if future is None or time.monotonic() >= until_s or (future.done() and future.exception() is not None):
            until_s = time.monotonic() + CACHE_S
            future = asyncio.ensure_future(self.read(question, *args, **more))
        self._cached[key] = (until_s, future)
        if len(self._cached) > MAX_CACHED:
            del self._cached[next(iter(self._cached))]
        return await asyncio.shield(future)

    def close(self) -> None:
        """Run no more queries."""
        self._threads.shutdown(wait=False, cancel_futures=True)
