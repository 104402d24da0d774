"""Standings: seasons' tables by points, records, and each member against the others. Only games count that ended by
verified rules (`ratings.IS_COUNTED`). The points of a game were stored with its result (`verification.Replay.results`
computes them); all else is computed from the results each time, and stored nowhere. Must not know who asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from sqlalchemy import Connection, case, func, select

from taptable.league.game_lines import game as game_line
from taptable.league.game_lines import games, public_members
from taptable.league.ratings import IS_COUNTED
from taptable.league.schema import games as games_
from taptable.league.schema import members as members_
from taptable.league.schema import rating_history, ratings, seats
from taptable.league.schema import seasons as seasons_
from taptable.league.views import (
    HeadToHead,
    MemberPage,
    MemberStanding,
    PublicMember,
    Rating,
    RatingStep,
    RecordLine,
    Season,
    Seat,
)

MAX_GAMES = 20
"""Number of games on a member's page."""


def seasons(connection: Connection) -> list[Season]:
    """Return all seasons, the latest first."""
    count = select(games_.c.season, games_.c.game, func.count().label("games")).where(*IS_COUNTED)
    counted: dict[int, dict[str, int]] = {}
    for row in connection.execute(count.group_by(games_.c.season, games_.c.game)):
        counted.setdefault(row.season, {})[row.game] = row.games
    return [
        Season(row.id, row.name, row.begins, row.ends, counted.get(row.id, {}), row.closed)
        for row in connection.execute(select(seasons_).order_by(seasons_.c.begins.desc()))
    ]


def standings(connection: Connection, season: int, game: str, club: str | None = None) -> list[MemberStanding]:
    """Return a season's table of a game, the best first: by the sum of each member's points, then by the sum of scores.
    With `club`, only that club's members."""
    query = (
        select(
            seats.c.member,
            func.count().label("games"),
            func.sum(case((seats.c.place == 1, 1), else_=0)).label("won"),
            func.sum(seats.c.points).label("points"),
            func.sum(seats.c.score).label("score"),
            func.max(seats.c.score).label("best"),
        )
        .join_from(seats, games_)
        .where(games_.c.season == season, games_.c.game == game, *IS_COUNTED, seats.c.member != "")
        .group_by(seats.c.member)
    )
    if club is not None:
        query = query.where(seats.c.member.in_(select(members_.c.id).where(members_.c.club == club)))
    rows = sorted(connection.execute(query), key=lambda row: (-row.points, -row.score, row.member))
    shown = public_members(connection, (row.member for row in rows))
    rated = _ratings(connection, game)
    places = {points: place for place, points in reversed([(at, row.points) for at, row in enumerate(rows, 1)])}
    return [
        MemberStanding(
            place=places[row.points],
            member=shown[row.member],
            games=row.games,
            won=int(row.won),
            points=int(row.points),
            score=int(row.score),
            best=row.best,
            rating=rated.get(row.member),
        )
        for row in rows
    ]


def records(connection: Connection, season: int | None = None, game: str | None = None) -> list[RecordLine]:
    """Return the records of each game, of all seasons and games unless they are given. The first of equal ones holds
    the record."""
    scope = [*IS_COUNTED]
    if season is not None:
        scope.append(games_.c.season == season)
    if game is not None:
        scope.append(games_.c.game == game)
    names = connection.execute(select(games_.c.game).where(*scope).distinct().order_by(games_.c.game)).scalars().all()
    found: list[RecordLine] = []
    for name in names:
        of_it = (*scope, games_.c.game == name)
        first = (games_.c.ended, games_.c.id)
        best = select(games_.c.id, seats.c.score, seats.c.team).join_from(seats, games_).where(*of_it)
        row = connection.execute(best.order_by(seats.c.score.desc(), *first).limit(1)).one()
        found.append(_record(connection, "score", row.id, row.score, 0, lambda seat, team=row.team: seat.team == team))
        stops = select(games_).where(*of_it, games_.c.fastest_us.is_not(None))
        row = connection.execute(
            stops.order_by(games_.c.fastest_us, games_.c.fastest_bound_us, *first).limit(1)
        ).one_or_none()
        if row is not None:
            bound, by = row.fastest_bound_us, row.fastest_seat
            found.append(
                _record(connection, "stopped", row.id, row.fastest_us, bound, lambda seat, by=by: seat.seat == by)
            )
        row = connection.execute(
            select(games_).where(*of_it).order_by(games_.c.length_us.desc(), *first).limit(1)
        ).one()
        found.append(_record(connection, "longest", row.id, row.length_us, 0, lambda _: True))
    return found


def member_page(connection: Connection, member: str) -> MemberPage | None:
    """Return all about a member; None if nobody has that id, or it was deleted."""
    known = select(members_).where(members_.c.id == member, members_.c.deleted.is_(None))
    if connection.execute(known).one_or_none() is None:
        return None
    own = select(ratings).where(ratings.c.member == member).order_by(ratings.c.game)
    played = (
        select(games_.c.season, games_.c.game)
        .join_from(seats, games_)
        .where(seats.c.member == member, *IS_COUNTED)
        .distinct()
        .order_by(games_.c.season.desc(), games_.c.game)
    )
    course: dict[str, list[RatingStep]] = {}
    history = (
        select(rating_history, games_.c.game, games_.c.begun)
        .join_from(rating_history, games_)
        .where(rating_history.c.member == member)
        .order_by(games_.c.counted)
    )
    for row in connection.execute(history):
        steps = course.setdefault(row.game, [])
        steps.append(RatingStep(row.game_id, row.begun, Rating(row.mu, row.sigma, len(steps) + 1)))
    lines = {
        (row.season, row.game): next(
            line for line in standings(connection, row.season, row.game) if line.member.id == member
        )
        for row in connection.execute(played).all()
    }
    return MemberPage(
        member=public_members(connection, [member])[member],
        ratings={row.game: Rating(row.mu, row.sigma, row.games) for row in connection.execute(own)},
        standings=lines,
        rating_steps=course,
        head_to_head=head_to_head(connection, member),
        games=games(connection, member=member, most=MAX_GAMES),
    )


def head_to_head(
    connection: Connection, member: str, season: int | None = None, game: str | None = None
) -> list[HeadToHead]:
    """Return a member's results against each other one, most games first."""
    mine, theirs = seats.alias("mine"), seats.alias("theirs")
    others = (theirs.c.game_id == mine.c.game_id) & (theirs.c.team != mine.c.team) & (theirs.c.member != "")
    query = (
        select(
            theirs.c.member,
            func.count().label("games"),
            func.sum(case((mine.c.place < theirs.c.place, 1), else_=0)).label("won"),
            func.sum(case((mine.c.place > theirs.c.place, 1), else_=0)).label("lost"),
        )
        .select_from(mine.join(theirs, others).join(games_, games_.c.id == mine.c.game_id))
        .where(mine.c.member == member, *IS_COUNTED)
        .group_by(theirs.c.member)
    )
    if season is not None:
        query = query.where(games_.c.season == season)
    if game is not None:
        query = query.where(games_.c.game == game)
    rows = sorted(connection.execute(query), key=lambda row: (-row.games, row.member))
    shown = public_members(connection, (row.member for row in rows))
    return [
        HeadToHead(shown[row.member], row.games, int(row.won), int(row.lost), int(row.games - row.won - row.lost))
        for row in rows
    ]


def members(connection: Connection, club: str | None = None) -> list[PublicMember]:
    """Return the members whose names are public, by name."""
    query = select(members_.c.id).where(members_.c.deleted.is_(None), members_.c.shown != "nothing")
    if club is not None:
        query = query.where(members_.c.club == club)
    shown = public_members(connection, connection.execute(query).scalars().all()).values()
    return sorted((each for each in shown if each.name), key=lambda each: (each.name.casefold(), each.id))


def _record(
    connection: Connection,
    kind: Literal["score", "stopped", "longest"],
    game_id: int,
    value: int,
    bound_us: int,
    holds: Callable[[Seat], bool],
) -> RecordLine:
    line = game_line(connection, game_id)
    assert line is not None
    return RecordLine(kind, value, bound_us, [seat.member for seat in line.seats if holds(seat)], line)


def _ratings(connection: Connection, game: str) -> dict[str, Rating]:
    rows = connection.execute(select(ratings).where(ratings.c.game == game))
    return {row.member: Rating(row.mu, row.sigma, row.games) for row in rows}
