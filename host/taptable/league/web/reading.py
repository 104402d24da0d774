"""Questions to the league's database from the loop that serves its page: each in a thread of its own, few at a time,
and what was asked a moment ago isn't asked again. Knows no question."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine

from taptable.league.database import reading, writing

THREADS = 2
KEPT_S = 1.0
"""So old an answer may be."""
MOST_KEPT = 256

P = ParamSpec("P")
R = TypeVar("R")


class LeagueReader:
    """Of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._threads = ThreadPoolExecutor(THREADS, "league-reading")
        self._kept: dict[object, tuple[float, asyncio.Future[Any]]] = {}

    async def read(self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """Answer a question of the league, as it is now."""

        def ask() -> R:
            with reading(self._engine) as connection:
                return question(connection, *args, **more)

        return await asyncio.get_running_loop().run_in_executor(self._threads, ask)

    async def change(self, act: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """What comes of something that changes the database, in a transaction."""

        def do() -> R:
            with writing(self._engine) as connection:
                return act(connection, *args, **more)

        changed = await asyncio.get_running_loop().run_in_executor(self._threads, do)
        self._kept.clear()
        return changed

    async def look(self, question: Callable[Concatenate[Connection, P], R], *args: P.args, **more: P.kwargs) -> R:
        """The same as `read`, but as it was not long ago; many who ask the same at once are one question."""
        key = (question, args, tuple(more.items()))
        until_s, asked = self._kept.pop(key, (0.0, None))
        if asked is None or time.monotonic() >= until_s or (asked.done() and asked.exception() is not None):
            until_s = time.monotonic() + KEPT_S
            asked = asyncio.ensure_future(self.read(question, *args, **more))
        self._kept[key] = (until_s, asked)
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return await asyncio.shield(asked)

    def close(self) -> None:
        """Ask nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
