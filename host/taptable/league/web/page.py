"""The live connection of a league's page: shows the wall of its tables, and past games step by step. Nobody can change
anything by it. Must not know how it is served: it only gets the connection of a client (`Strangers`)."""

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
"""The verbs that are allowed on the live connection."""

_log = logging.getLogger(__name__)


class Strangers:
    """Identifies every client as an unpaired requester without a name."""

    async def identify(self, connection: HTTPConnection, words: Words, client: str) -> Requester:
        """Return a requester who only watches."""
        del connection
        return Requester("", False, words, client)

    def is_paired(self, requester: Requester) -> bool:
        """Return whether a requester is paired, which none is."""
        return requester.paired


class LeaguePage:
    """The page of a league with this name; `language` is for clients who haven't chosen one. Create and start it on the
    event loop that runs it."""

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
        """Whether the database has answered once."""
        return self.live_tables.loaded.is_set()

    def start(self) -> None:
        """Start to poll the tables."""
        self._task = asyncio.create_task(self.live_tables.follow(), name="wall")

    def stop(self) -> None:
        """Stop polling the tables."""
        if self._task is not None:
            self._task.cancel()

    def words(self, language: str, *, in_public: bool = True) -> Words:
        """Return the words of one of the `LANGUAGES`; all that a league shows is public."""
        del in_public
        return self._words(language)

    def greet(self, client: ClientState, words: Words) -> tuple[str, ClientState]:
        """Return the first message to a client, and the client's state after it."""
        return self.feed.greet(client, words, _NOW)

    def catch_up(self, client: ClientState, words: Words) -> tuple[str | None, ClientState]:
        """Return the message with all that a client lacks (None if nothing), and the client's state after it."""
        return self.feed.catch_up(client, words, _NOW)

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """Answer a request. Raises `RequestError` if it can't be answered."""
        if verb not in ALLOWED_VERBS:
            raise RequestError("live", "unknown-verb", verb=shorten(verb))
        if message.get("id") is None:  # a table's page would take the game that began last
            raise RequestError("live", "wrong-field", field="id")
        try:
            return await self.past_games.ask(verb, message, requester)
        except SQLAlchemyError as error:
            _log.error("Game not read from the league's database, the request is refused: %s", error)
            raise RequestError("history", "unreadable") from error


_NOW: Mapping[str, Any] = {"at_us": 0}
"""The league has no time of its own: each table's is in its part."""


def wording(language: str, game: str | None = None) -> dict[str, Any] | None:
    """Return the words that a browser needs in a language, with their fields still open: those of a game for its
    replay, or the league's own, with titles and units of all games; None if there is no such game."""
    if game is not None:
        return wording_of(language, (package_of(game),)) if game in GAMES else None
    league_words = wording_of(language, (), (*CONTEXTS, "league", "league-remark"))
    units = wording_of(language, tuple(map(package_of, GAMES)), ("unit",))["words"]
    titles = {f"game {name}": Words(language, (package_of(name),)).text("game", "title") for name in GAMES}
    # some sentences of a table's page differ on the league's
    overrides = {f"page {key}": text for key, text in Words(language).all_messages("league-page").items()}
    return {**league_words, "words": {**units, **league_words["words"], **titles, **overrides}}


def faces(game: str) -> str | None:
    """Return the faces of a game's cards as SVG; None if there are none."""
    if game not in GAMES:
        return None
    file = resources.files(package_of(game)).joinpath("faces.svg")
    return file.read_text(encoding="utf-8") if file.is_file() else None
