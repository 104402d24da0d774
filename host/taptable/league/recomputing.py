"""Recomputes all that a league has derived from the stored entries: the digests of the journals, the results of each
game, and the ratings. Reports the differences, and changes nothing. Must not know how they came about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isclose

from sqlalchemy import Connection, Row, select

from taptable.league.away import guests_without_leave
from taptable.league.batches import decode_beginning, decode_entry
from taptable.league.ratings import IS_COUNTED, Played, games_to_recount, rate, read_seats
from taptable.league.schema import ENDED, games, ratings, seasons, seats, streams
from taptable.league.storing import entries_of
from taptable.league.verification import Replay, Result
from taptable.memory.digest import digest_after

_NEAR = 1e-9
"""The relative difference up to which two ratings count as equal."""


@dataclass(slots=True)
class Recomputed:
    """The number of games and entries that were recomputed, and the differences, one English sentence each."""

    games: int = 0
    entries: int = 0
    differences: list[str] = field(default_factory=list[str])


def recompute(connection: Connection) -> Recomputed:
    """Recompute everything, and compare it with the database."""
    found = Recomputed()
    for stream in connection.execute(select(streams).order_by(streams.c.id)).all():
        found.differences += _check_stream(connection, stream, found)
    names = set(connection.execute(select(games.c.game).where(games.c.counted.is_not(None)).distinct()).scalars())
    names |= set(connection.execute(select(ratings.c.game).distinct()).scalars())
    names -= set(games_to_recount(connection))  # until the recount their ratings are those from before
    for name in sorted(names):
        found.differences += _check_ratings(connection, name)
    return found


def _check_stream(connection: Connection, stream: Row[tuple[object, ...]], found: Recomputed) -> Iterator[str]:
    digest: str | None = None
    of_it = select(games).where(games.c.stream == stream.id).order_by(games.c.after, games.c.id)
    for game in connection.execute(of_it).all():
        found.games += 1
        if digest not in (None, game.after_digest):
            yield f"the digest before game {game.id} is {digest}, and {game.after_digest} was stored"
        digest = digest_after(game.after_digest, game.record)
        replay = Replay.begin(decode_beginning(game.record, game.after, game.after_digest).header)
        for number, record in entries_of(connection, game.entries_in or game.season, stream.id, game.after, game.last):
            found.entries += 1
            digest = digest_after(digest, record)
            if game.fixed is None or number <= game.fixed:
                replay.play(decode_entry(record))
        yield from _check_game(connection, game, replay)
    if digest not in (None, stream.digest):
        yield f"the digest at the end of journal {stream.journal} is {digest}, and {stream.digest} was stored"


def _check_game(connection: Connection, game: Row[tuple[object, ...]], replay: Replay) -> Iterator[str]:
    fastest = replay.fastest
    press = (None, None, None) if fastest is None else (fastest.us, fastest.bound_us, fastest.seat)
    made = (replay.over, replay.proof, replay.unit or game.unit, replay.length_us, *press)
    stored = (game.status == ENDED, game.proof, game.unit, game.length_us)
    stored += (game.fastest_us, game.fastest_bound_us, game.fastest_seat)
    if made != stored:
        yield f"game {game.id} is {made}, and {stored} was stored"
    rows = connection.execute(select(seats).where(seats.c.game_id == game.id).order_by(seats.c.seat)).all()
    results = tuple(
        Result(row.seat, row.away or row.member or "", row.team, row.score, row.place, row.points) for row in rows
    )
    if results != (replay.results() or ()):
        yield f"game {game.id} came to {replay.results()}, and {results} was stored"
    closed = connection.execute(select(seasons.c.closed).where(seasons.c.id == game.season)).scalar()
    if closed is None and game.ended is not None:  # members that become known later don't change a closed season
        made = guests_without_leave(
            connection, game.table_id, [each.member for each in results if each.member], game.ended
        )
        if made != {row.away for row in rows if row.away}:
            yield f"in game {game.id}, {sorted(made)} count as guests, and others were stored"


def _check_ratings(connection: Connection, name: str) -> Iterator[str]:
    counted = select(games.c.id).where(games.c.game == name, games.c.counted.is_not(None)).order_by(games.c.counted)
    ids = connection.execute(counted).scalars().all()
    valid = select(games.c.id).where(games.c.game == name, *IS_COUNTED, games.c.counted.is_not(None))
    invalid = sorted(set(ids) - set(connection.execute(valid).scalars()))
    if invalid:
        yield f"games {invalid} of {name} were counted, and don't count"
    seated: dict[int, list[tuple[int, int, str]]] = {}
    for first in range(0, len(ids), 500):
        seated |= read_seats(connection, ids[first : first + 500])
    made: dict[str, Played] = {}
    for game_id in ids:
        made |= rate(made, seated.get(game_id, []))
    stored = {
        row.member: Played(row.mu, row.sigma, row.games)
        for row in connection.execute(select(ratings).where(ratings.c.game == name))
    }
    for member in sorted(made.keys() | stored.keys()):
        one, other = made.get(member), stored.get(member)
        if one is None or other is None or not _alike(one, other):
            yield f"the rating of member {member} in {name} is {one}, and {other} was stored"


def _alike(one: Played, other: Played) -> bool:
    near = isclose(one.mu, other.mu, rel_tol=_NEAR) and isclose(one.sigma, other.sigma, rel_tol=_NEAR)
    return near and one.games == other.games
