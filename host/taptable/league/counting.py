"""Ratings: each game that ended by the rules changes those of its members, one game after the other in the order in
which their ends were heard. Where a game counts otherwise later (its end was taken back, a restored backup had it
again, it was annulled), it and those after it are taken out, the last one first, and counted again: some at a time, so
that nobody waits for long, and meanwhile ratings are those of the games that are in. What stands here can always be
made again from the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import Connection, Engine, bindparam, delete, func, select, update

from taptable.league.database import insert_into, writing
from taptable.league.limits import COUNTING_S
from taptable.league.schema import ENDED, PROVED, annulments, counters, games, rating_history, ratings, seats

AT_ONCE = 200
"""Games that are counted in one transaction, or taken out in one step."""
MODEL = PlackettLuce()

ANNULLED = (
    select(annulments.c.id)
    .where(
        annulments.c.table_id == games.c.table_id,
        annulments.c.undone.is_(None),
        games.c.ended.between(annulments.c.since, annulments.c.until),
    )
    .correlate(games)
    .exists()
)
"""Has an administrator annulled it?"""
STANDS = (games.c.status == ENDED, games.c.proof == PROVED, games.c.superseded.is_(False))
"""It has an end by the rules, and is no other game's copy."""
COUNTS = (*STANDS, ~ANNULLED)
"""What is in standings, records and ratings."""


@dataclass(frozen=True, slots=True)
class Played:
    """A member's rating, and how many games have made it."""

    mu: float
    sigma: float
    games: int


def count_up(engine: Engine, game: str, outside_s: Callable[[], float] = time.monotonic) -> int:
    """Count the games of this name that haven't been yet, or are to be counted again; returns how many those were.
    `outside_s` is the time by which a transaction is ended."""
    done = 0
    while True:
        with writing(engine) as connection:
            counted, more = _count_some(connection, game, outside_s)
        done += counted
        if not more:
            return done


def count_again(connection: Connection, game: str, counted: int | None) -> None:
    """Have what was counted from there on counted again, since something of it has changed."""
    if counted is not None:
        first = func.coalesce(counters.c.recount_from, counted)
        change = update(counters).where(counters.c.game == game, first >= counted)
        connection.execute(change.values(recount_from=counted))


def count_from(connection: Connection, game: str, ended: int) -> None:
    """Have what ended at that time or later counted, again where it was, in the order of the ends."""
    after = select(games.c.counted).where(games.c.game == game, games.c.ended >= ended, games.c.counted.is_not(None))
    first = connection.execute(after.order_by(games.c.ended, games.c.id).limit(1)).scalar()
    put = insert_into(connection, counters).values(game=game, counted=0, recount_from=1)
    connection.execute(put.on_conflict_do_nothing())
    if first is None:
        of_it = (counters.c.game == game, counters.c.recount_from.is_(None))
        connection.execute(update(counters).where(*of_it).values(recount_from=counters.c.counted + 1))
    else:
        count_again(connection, game, first)


def to_count_again(connection: Connection) -> Sequence[str]:
    """The names of the games of which some are to be counted again."""
    return connection.execute(select(counters.c.game).where(counters.c.recount_from.is_not(None))).scalars().all()


def rate(known: Mapping[str, Played], seated: Sequence[tuple[int, int, str]]) -> dict[str, Played]:
    """The ratings of a game's members after it, from those before it (none: of somebody new). `seated` are the team,
    its place, and the member ("" for a guest, who is always new) of each seat."""
    teams: dict[int, list[str]] = {}
    places: dict[int, int] = {}
    for team, place, member in seated:
        teams.setdefault(team, []).append(member)
        places[team] = place
    if len(teams) < 2 or not any(member for _, _, member in seated):
        return {}
    before = [[_rating(known.get(member)) for member in members] for members in teams.values()]
    after = MODEL.rate(before, ranks=[float(places[team]) for team in teams])
    found: dict[str, Played] = {}
    for members, made in zip(teams.values(), after, strict=True):
        for member, rating in zip(members, made, strict=True):
            if member:
                played = known[member].games if member in known else 0
                found[member] = Played(rating.mu, rating.sigma, played + 1)
    return found


def seated_in(connection: Connection, game_ids: Iterable[int]) -> dict[int, list[tuple[int, int, str]]]:
    """Who sat at the seats of these games, as `rate` takes it."""
    query = select(seats.c.game_id, seats.c.team, seats.c.place, seats.c.member)
    found: dict[int, list[tuple[int, int, str]]] = {}
    for row in connection.execute(query.where(seats.c.game_id.in_(list(game_ids))).order_by(seats.c.seat)):
        found.setdefault(row.game_id, []).append((row.team, row.place, row.member or ""))
    return found


def _count_some(connection: Connection, game: str, outside_s: Callable[[], float]) -> tuple[int, bool]:
    """How many were counted, and whether there is more to do."""
    put = insert_into(connection, counters).values(game=game, counted=0)
    connection.execute(put.on_conflict_do_nothing())
    of_it = counters.c.game == game
    counter = connection.execute(select(counters).where(of_it).with_for_update()).one()
    if counter.recount_from is not None:
        until_s = outside_s() + COUNTING_S
        while _take_out(connection, game, counter.recount_from):
            if outside_s() >= until_s:
                return 0, True
        last = min(counter.counted, counter.recount_from - 1)
        connection.execute(update(counters).where(of_it).values(counted=last, recount_from=None))
        return 0, True
    query = select(games.c.id).where(games.c.game == game, *COUNTS, games.c.counted.is_(None))
    new = connection.execute(query.order_by(games.c.ended, games.c.id).limit(AT_ONCE)).scalars().all()
    if new:
        numbered = [{"of": game_id, "number": counter.counted + place} for place, game_id in enumerate(new, 1)]
        change = update(games).where(games.c.id == bindparam("of"))
        connection.execute(change.values(counted=bindparam("number")), numbered)
        connection.execute(update(counters).where(of_it).values(counted=counter.counted + len(new)))
        _rate_all(connection, game, new)
    return len(new), len(new) == AT_ONCE


def _take_out(connection: Connection, game: str, first: int) -> bool:
    """Go back to before the last games that were counted, down to the `first`; is there any more?"""
    later = select(games.c.id).where(games.c.game == game, games.c.counted >= first)
    gone = connection.execute(later.order_by(games.c.counted.desc()).limit(AT_ONCE)).scalars().all()
    if not gone:
        return False
    query = select(rating_history).join_from(rating_history, games).where(games.c.id.in_(gone))
    steps = connection.execute(query.order_by(games.c.counted.desc())).all()
    connection.execute(delete(rating_history).where(rating_history.c.game_id.in_(gone)))
    connection.execute(update(games).where(games.c.id.in_(gone)).values(counted=None))
    earliest = {step.member: step for step in steps}  # the last one of each is the earliest
    before = {
        member: _last_of(connection, game, member)
        if step.before_games is None
        else Played(step.before_mu, step.before_sigma, step.before_games)
        for member, step in earliest.items()
    }
    new = [member for member, made in before.items() if made.games == 0]
    connection.execute(delete(ratings).where(ratings.c.game == game, ratings.c.member.in_(new)))
    _put_ratings(connection, game, {member: made for member, made in before.items() if made.games > 0})
    return len(gone) == AT_ONCE


def _last_of(connection: Connection, game: str, member: str) -> Played:
    """A member's rating by what is counted, in the history that says no more than that."""
    of_both = (games.c.game == game, rating_history.c.member == member)
    history = select(rating_history.c.mu, rating_history.c.sigma).join(games).where(*of_both)
    last = connection.execute(history.order_by(games.c.counted.desc()).limit(1)).one_or_none()
    count = connection.execute(select(func.count()).select_from(rating_history.join(games)).where(*of_both))
    return Played(0.0, 0.0, 0) if last is None else Played(last.mu, last.sigma, count.scalar_one())


def _rate_all(connection: Connection, game: str, game_ids: Sequence[int]) -> None:
    """Rate these games, in their order."""
    if not game_ids:
        return
    seated = seated_in(connection, game_ids)
    members = {member for several in seated.values() for _, _, member in several if member}
    query = select(ratings).where(ratings.c.game == game, ratings.c.member.in_(members))
    known = {row.member: Played(row.mu, row.sigma, row.games) for row in connection.execute(query)}
    history: list[dict[str, str | int | float]] = []
    for game_id in game_ids:
        after = rate(known, seated.get(game_id, []))
        for member, made in after.items():
            before = known.get(member, Played(0.0, 0.0, 0))
            found = {"before_mu": before.mu, "before_sigma": before.sigma, "before_games": before.games}
            history.append({"game_id": game_id, "member": member, "mu": made.mu, "sigma": made.sigma, **found})
        known |= after
    if history:
        connection.execute(rating_history.insert(), history)
        _put_ratings(connection, game, known)


def _put_ratings(connection: Connection, game: str, known: Mapping[str, Played]) -> None:
    put = insert_into(connection, ratings)
    kept = {name: put.excluded[name] for name in ("mu", "sigma", "games")}
    rows = [
        {"game": game, "member": member, "mu": made.mu, "sigma": made.sigma, "games": made.games}
        for member, made in known.items()
    ]
    if rows:
        connection.execute(put.on_conflict_do_update(index_elements=["game", "member"], set_=kept), rows)


def _rating(played: Played | None) -> PlackettLuceRating:
    return MODEL.rating() if played is None else MODEL.rating(mu=played.mu, sigma=played.sigma)
