"""The games of a league in the form in which a table sends them to its page, so that the page's own replay
(`page.past_games`) shows them. A game is read as a whole, and cached while it is replayed. Must not know how it is
shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from taptable.api.errors import RequestError
from taptable.api.requests import Entries, GameRecord, Games, Request
from taptable.league import game_lines
from taptable.league.views import GameLine, PublicMember
from taptable.league.web.reader import LeagueReader
from taptable.memory.game_export import Transcript, json_of_entry, json_of_summary
from taptable.page.past_games import CONTEXT

MAX_CACHED = 4
"""Number of games that are cached."""


class RecordedGames:
    """All games of the league, by their ids there; `members_at` returns the members at a game that still runs."""

    def __init__(self, reader: LeagueReader, members_at: Callable[[int], Sequence[PublicMember | None]]) -> None:
        self._reader = reader
        self._members_at = members_at
        self._cached: dict[int, Transcript] = {}

    async def call(self, request: Request) -> dict[str, Any]:
        """Answer a request about recorded games as a table would. Raises `RequestError` if there is no such game."""
        match request:
            case GameRecord(game=game_id):
                return await self._game(game_id)
            case Entries(game=game_id, after=after, most=most):
                entries = (await self._transcript(game_id)).entries[after : after + most]
                return {"entries": [[number, json_of_entry(entry)] for number, entry in enumerate(entries, after + 1)]}
            case Games(before=before) if before is not None:
                line = await self._line(before - 1)
                return {"last": line.id if line.status == "running" and line.proof == "proved" else 0}
            case _:
                raise RequestError(CONTEXT, "no-games")

    async def act(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Refuse every change."""
        del params
        raise RequestError("live", "unknown-verb", verb=method)

    async def _game(self, game_id: int) -> dict[str, Any]:
        line = await self._line(game_id)
        if line.status == "running":
            self._cached.pop(game_id, None)
        summary = json_of_summary((await self._transcript(game_id)).game)
        if line.seats:
            summary["outcome"] = _outcome(line)
        members = [seat.member for seat in line.seats] or self._members_at(game_id)
        return {**summary, "id": game_id, "names": names_of(members)}

    async def _line(self, game_id: int) -> GameLine:
        line = await self._reader.read_cached(game_lines.game, game_id)
        if line is None:
            raise RequestError(CONTEXT, "no-such-game", id=game_id)
        return line

    async def _transcript(self, game_id: int) -> Transcript:
        transcript = self._cached.pop(game_id, None) or await self._reader.read(game_lines.transcript, game_id)
        if transcript is None:
            raise RequestError(CONTEXT, "no-such-game", id=game_id)
        self._cached[game_id] = transcript
        if len(self._cached) > MAX_CACHED:
            del self._cached[next(iter(self._cached))]
        return transcript


def names_of(members: Sequence[PublicMember | None]) -> tuple[str, ...]:
    """Return the names at the seats, seat 1 first; "" for a guest, and for a member whose name isn't public."""
    return tuple("" if member is None else member.name for member in members)


def _outcome(line: GameLine) -> dict[str, Any]:
    """Return how a game ended, from its seats."""
    teams: dict[int, dict[str, Any]] = {}
    for seat in line.seats:
        teams.setdefault(seat.team, {"seats": [], "place": seat.place})["seats"].append(seat.seat)
    winners = [seat.seat for seat in line.seats if seat.place == 1]
    return {"winner": winners, "ranking": sorted(teams.values(), key=lambda team: team["place"])}
