"""The tables of the league as they play now: polls the database once for all watchers, and puts changes into their
feed. Must not know the watchers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from taptable.core.scoreboard import Scoreboard, TeamScore
from taptable.games.registry import GAMES, package_of
from taptable.league import live_tables
from taptable.league.views import PublicMember, TableNow
from taptable.league.web.reader import LeagueReader
from taptable.league.web.recorded import names_of
from taptable.narration.now import now_of_board
from taptable.page.feed import Feed
from taptable.words import Vocabulary, Words

POLL_S = 0.5
"""Seconds between two polls of the database for changes."""
ALL_EVERY_S = 5.0
"""Seconds after which everything is read again: names of members and tables change without a game."""
MAX_SHOWN = 60
"""Maximum number of tables that are shown: first those at which a game runs, the one that was received last first."""
WALL = "wall"
"""The name of the part that lists the tables, and the beginning of the names of the tables' parts."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TablePart:
    """One table's part of the feed."""

    now: TableNow

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return the part for JSON; `said` says in a few words what the table waits for."""
        now = self.now
        game, board = now.game, now.scoreboard
        part: dict[str, Any] = {"id": now.table, "name": now.name, "heard": now.last_heard}
        if game is None:
            return {**part, "game": None}
        names = [None if member is None else {"id": member.id, "name": member.name} for member in now.members]
        part |= {
            "game": game.game,
            "number": game.id,
            "begun": game.begun,
            "status": game.status,
            "proof": game.proof,
            "paused": now.paused,
            "at_us": now.at_us,
            "players": [*names, *[None] * (game.players - len(names))][: game.players],
        }
        return part if board is None else {**part, **_board(board, now, _words_of(words.language, game.game))}


def _board(board: Scoreboard, now: TableNow, words: Words) -> dict[str, Any]:
    waited_for = now_of_board(board, paused=now.paused)
    leader = max(team.score for team in board.teams)
    return {
        "unit": board.unit,
        "seat": None if board.over else board.seat,
        "over": board.over,
        "window": board.window is not None and not now.paused,
        "said": waited_for.title(words.with_names(names_of(now.members))),
        "teams": [_team(team, leader) for team in board.teams],
    }


def _team(team: TeamScore, leader: int) -> dict[str, Any]:
    return {
        "seats": list(team.seats),
        "score": team.score,
        "place": team.place,
        "leads": team.place == 1 if team.place is not None else team.score == leader > 0,
        "have": sum(min(mark.have, mark.need) for mark in team.marks),
        "need": sum(mark.need for mark in team.marks),
    }


@lru_cache(maxsize=32)
def _words_of(language: str, game: str) -> Words:
    """Return the words of a game, or those that every game has if it isn't known here."""
    return Words(language, Vocabulary((package_of(game),), GAMES[game].pack("")) if game in GAMES else ())


class LiveTables:
    """The live tables of one league, in the `feed` of the watchers: the part ``wall`` lists the tables that are shown,
    and each of them has a part of its own."""

    def __init__(self, reader: LeagueReader, feed: Feed) -> None:
        self._reader = reader
        self._feed = feed
        self.tables: dict[str, TableNow] = {}
        self._all_at_s = 0.0
        self.loaded = asyncio.Event()

    async def follow(self) -> None:
        """Poll until cancelled. A database that doesn't answer is asked again."""
        lost = False
        while True:
            try:
                await self.refresh()
            except SQLAlchemyError as error:
                if not lost:
                    _log.error("League database not available, the wall stays as it is: %s", error)
                lost = True
            except Exception as error:  # a bug of ours: log it, and show the next change
                loop = asyncio.get_running_loop()
                loop.call_exception_handler(
                    {"message": "Unhandled exception while polling the live tables", "exception": error}
                )
            else:
                lost = False
            await asyncio.sleep(POLL_S)

    async def refresh(self) -> None:
        """Read what has changed, and put it into the feed."""
        now_s = time.monotonic()
        stamps = {table: now.stamp_ms for table, now in self.tables.items()}
        if now_s >= self._all_at_s:
            self._all_at_s = now_s + ALL_EVERY_S
            stamps = dict.fromkeys(stamps, -1)
        changed, removed = await self._reader.read(live_tables.live_table_changes, stamps)
        for table in removed:
            del self.tables[table]
        self.tables |= {now.table: now for now in changed}
        if changed or removed or not self.loaded.is_set():
            self._put()
            self.loaded.set()

    def _put(self) -> None:
        shown = sorted(self.tables.values(), key=_interest)[:MAX_SHOWN]
        shown.sort(key=lambda now: (not _plays(now), now.name.casefold(), now.table))
        for now in shown:
            self._feed.put(f"{WALL} {now.table}", TablePart(now))
        self._feed.put(WALL, {"tables": [now.table for now in shown], "of": len(self.tables)})

    def members_at(self, game_id: int) -> Sequence[PublicMember | None]:
        """Return the members at a game that runs, seat 1 first; empty if it doesn't run."""
        found = (now for now in self.tables.values() if now.game is not None and now.game.id == game_id)
        return next((now.members for now in found), ())


def _interest(now: TableNow) -> tuple[bool, int]:
    return not _plays(now), -(now.last_heard or 0)


def _plays(now: TableNow) -> bool:
    return now.game is not None and now.game.status == "running" and now.scoreboard is not None
