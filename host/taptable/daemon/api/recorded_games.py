"""Requests about recorded games: the games in the journal and their entries, the running game included, each answer
with a limited number of them. Changes nothing. This module must not know how a game is replayed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec import Raw

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.core.announcements import type_name
from taptable.core.errors import JournalError
from taptable.core.notices import Notice, PlayersNamed
from taptable.core.tag_notices import MembersSeated
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.memory.database import JournalDamaged
from taptable.memory.digest import pseudonymizer
from taptable.memory.game_export import json_of_entry, json_of_summary, pseudonymize_tags
from taptable.memory.journal import damaged_journals
from taptable.memory.journal_reader import NoSuchGame
from taptable.memory.records import GameSummary
from taptable.memory.stream import digest_at, identity_of, positions, records_after
from taptable.referee.notes import parse_notice
from taptable.words import player_names

CONTEXT = "history"
"""The catalogue context of these requests' sentences."""
MAX_CACHED_GAMES = 200
"""The most games whose players are cached: a journal grows for years, and the cache must not."""


class RecordedGameRequests:
    """Requests of one table's API."""

    def __init__(self, context: ApiContext) -> None:
        self._context = context
        self._players: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self.handlers: Handlers = {
            requests.Games: self._games,
            requests.GameRecord: self._game,
            requests.Stream: self._stream,
            requests.Positions: self._positions,
        }

    def forget_names(self) -> None:
        """Drop cached names, because names were redacted in the journal."""
        self._players.clear()

    def _games(self, request: requests.Games, _: str) -> Result:
        """Return ``games``, a summary each or the `id` alone if it is damaged, and ``aside``, the names of damaged
        journals."""
        journal = self._context.journal
        try:
            ids = journal.game_ids(request.before, request.most)
            last_id = next(iter(journal.game_ids(most=1)), 0)
        except JournalError as error:
            raise RequestError(CONTEXT, "unreadable") from error
        aside = damaged_journals(self._context.config.table.journal)
        return {"games": [self._json_of_game(each, last_id) for each in ids], "last": last_id, "aside": aside}

    def _json_of_game(self, game_id: int, last_id: int) -> dict[str, Any]:
        journal = self._context.journal
        try:
            summary = journal.game(game_id)
            return {**json_of_summary(summary), "names": self._names_of(summary, last_id)}
        except JournalDamaged:
            return {"id": game_id, "names": []}

    def _names_of(self, summary: GameSummary, last_id: int) -> tuple[str, ...]:
        """Return the players' last names in a game, members by their present names."""
        if summary.id in self._players:
            return player_names(*self._players[summary.id], self._context.members.names)
        named, seated = self._last_notice(summary, PlayersNamed), self._last_notice(summary, MembersSeated)
        players = (
            named.names if isinstance(named, PlayersNamed) else (),
            seated.members if isinstance(seated, MembersSeated) else (),
        )
        if summary.id != last_id:  # the players no longer change once another game has begun
            self._players[summary.id] = players
            if len(self._players) > MAX_CACHED_GAMES:
                del self._players[next(iter(self._players))]
        return player_names(*players, self._context.members.names)

    def _last_notice(self, summary: GameSummary, kind: type[Notice]) -> Notice | None:
        """Return the last notice of a kind in a game."""
        entry = self._context.journal.last_note(summary.id, type_name(kind))
        return None if entry is None else parse_notice(entry.line or {})

    def _game(self, request: requests.GameRecord, _: str) -> Result:
        with _translating_errors(game_id=request.game):
            return json_of_summary(self._context.journal.game(request.game))

    def _stream(self, request: requests.Stream, _: str) -> Result:
        journal = self._context.journal
        with _translating_errors("stream-damaged"):
            identity = identity_of(journal)
            digest = digest_at(journal, request.after)
            records = (
                ()
                if digest is None
                else records_after(journal, identity.salt, request.after, request.most, requests.MAX_STREAMED)
            )
            last = journal.last_ids()[1]
        return {
            "journal": identity.journal,
            "after": request.after,
            "digest": digest,
            "last": last,
            "records": [Raw(text.encode()) for text in records],
        }

    def _positions(self, request: requests.Positions, _: str) -> Result:
        journal = self._context.journal
        with _translating_errors("stream-damaged"):
            return {"journal": identity_of(journal).journal, "known": positions(journal, request.most)}

    def entries(self, request: requests.Entries, *, tags: bool) -> Result:
        """Return ``entries`` of a game, each with its number. `tags` keeps the UIDs that are in no deck; otherwise
        pseudonyms replace them."""
        with _translating_errors(game_id=request.game):
            page = self._context.journal.entries_after(request.game, request.after, request.most)
            pseudonym_of = pseudonymizer(identity_of(self._context.journal).salt)
        shown = [(number, entry if tags else pseudonymize_tags(entry, pseudonym_of)) for number, entry in page]
        return {"entries": [[number, json_of_entry(entry)] for number, entry in shown]}


@contextmanager
def _translating_errors(damaged: str = "damaged", game_id: int = 0) -> Generator[None]:
    """Turn errors about a game, or about the journal, into reasons for the requester."""
    try:
        yield
    except NoSuchGame as error:
        raise RequestError(CONTEXT, "no-such-game", id=game_id) from error
    except JournalDamaged as error:
        raise RequestError(CONTEXT, damaged) from error
    except JournalError as error:
        raise RequestError(CONTEXT, "unreadable") from error
