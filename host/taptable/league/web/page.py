"""What the live connection of a league's page shows and answers: the wall of its tables, and what was played, step by
step. Nobody who comes by it changes anything. Must not know how it is served."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import HTTPConnection

from taptable.api.errors import RequestError
from taptable.games.registry import GAMES, package_of
from taptable.league.web.live_tables import LiveTables
from taptable.league.web.reader import LeagueReader
from taptable.league.web.recorded import RecordedGames
from taptable.page.feed import ClientState, Feed
from taptable.page.messages import Requester, shorten
from taptable.page.page import CONTEXTS, wording_of
from taptable.page.past_games import PastGames
from taptable.words import Words

ALLOWED_VERBS = frozenset({"game", "steps", "position"})
"""All that may be asked for by the live connection."""

_log = logging.getLogger(__name__)


class Strangers:
    """Everybody who comes, as none of them is anybody in particular."""

    async def identify(self, connection: HTTPConnection, words: Words, client: str) -> Requester:
        """Somebody who looks on."""
        del connection
        return Requester("", False, words, client)

    def is_paired(self, requester: Requester) -> bool:
        """Nobody is."""
        return requester.paired


class LeaguePage:
    """Of a league that is called so, for who hasn't chosen a language in this one. To be made and started on the loop
    that runs it."""

    unavailable_reason = "league-away"

    def __init__(self, reader: LeagueReader, name: str, language: str) -> None:
        self.name = name
        self.language = language
        self.feed = Feed()
        self.live_tables = LiveTables(reader, self.feed)
        self.past_games = PastGames(RecordedGames(reader, self.live_tables.members_at))
        self._words = cache(Words)
        self._task: asyncio.Task[None] | None = None

    @property
    def is_ready(self) -> bool:
        """Has the database answered once?"""
        return self.live_tables.loaded.is_set()

    def start(self) -> None:
        """Begin to follow the tables."""
        self._task = asyncio.create_task(self.live_tables.follow(), name="wall")

    def stop(self) -> None:
        """Follow them no more."""
        if self._task is not None:
            self._task.cancel()

    def words(self, language: str, *, in_public: bool = True) -> Words:
        """The words of one of the `LANGUAGES`; all that a league shows is public."""
        del in_public
        return self._words(language)

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """The first message to a client, and what it has then."""
        return self.feed.greet(client, words, _NOW)

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """What a client lacks, None if nothing, and what it has then."""
        return self.feed.catch_up(client, words, _NOW)

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """What a verb is answered with; `RequestError` says why not."""
        if verb not in ALLOWED_VERBS:
            raise RequestError("live", "unknown-verb", verb=shorten(verb))
        if message.get("id") is None:  # a table would take the game begun last
            raise RequestError("live", "wrong-field", field="id")
        try:
            return await self.past_games.ask(verb, message, requester)
        except SQLAlchemyError as error:
            _log.error("a game can't be read: %s", error)
            raise RequestError("history", "unreadable") from error


_NOW: Mapping[str, Any] = {"at_us": 0}
"""The league has no time of its own: each table's stands in its part."""


def wording(language: str, game: str | None = None) -> dict[str, Any] | None:
    """The words a browser needs in a language, their fields still open: those of a game for its replay, or the league's
    own, with titles and units of all games; None if there is no such game."""
    if game is not None:
        return wording_of(language, (package_of(game),)) if game in GAMES else None
    told = wording_of(language, (), (*CONTEXTS, "league", "league-remark"))
    units = wording_of(language, tuple(map(package_of, GAMES)), ("unit",))["words"]
    titles = {f"game {name}": Words(language, (package_of(name),)).text("game", "title") for name in GAMES}
    # what the page of a table says of itself, this one says otherwise
    own = {f"page {key}": text for key, text in Words(language).all_messages("league-page").items()}
    return {**told, "words": {**units, **told["words"], **titles, **own}}


def faces(game: str) -> str | None:
    """The faces of a game's cards; None if there are none."""
    if game not in GAMES:
        return None
    file = resources.files(package_of(game)).joinpath("faces.svg")
    return file.read_text(encoding="utf-8") if file.is_file() else None
