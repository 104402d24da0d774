"""Ratings: each game that ended by the rules changes those of its members, one game after the other in the order in
which they were counted, which stays. Where a game counts otherwise later (its end was taken back, a restored backup had
it again), it and those after it are counted again. What stands here can always be made again from the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import Connection, Engine, bindparam, delete, func, select, update

from taptable.league.database import insert_into, writing
from taptable.league.schema import ENDED, PROVED, counters, games, rating_history, ratings, seats

AT_ONCE = 200
"""Games that are counted in one transaction."""
MODEL = PlackettLuce()

COUNTS = (games.c.status == ENDED, games.c.proof == PROVED, games.c.superseded.is_(False))
"""What is in standings, records and ratings."""


@dataclass(frozen=True, slots=True)
class Played:
    """A member's rating, and how many games have made it."""

    mu: float
    sigma: float
    games: int


def count_up(engine: Engine, game: str) -> int:
    """Count the games of this name that haven't been yet; returns how many those were."""
    done = 0
    while True:
        with writing(engine) as connection:
            counted = _count_some(connection, game)
        done += counted
        if counted < AT_ONCE:
            return done


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


def _count_some(connection: Connection, game: str) -> int:
    put = insert_into(connection, counters).values(game=game, counted=0)
    connection.execute(put.on_conflict_do_nothing())
    counter = connection.execute(select(counters).where(counters.c.game == game).with_for_update()).one()
    if counter.recount_from is not None:
        _count_again(connection, game, counter.recount_from)
        connection.execute(update(counters).where(counters.c.game == game).values(recount_from=None))
    query = select(games.c.id).where(games.c.game == game, *COUNTS, games.c.counted.is_(None))
    new = connection.execute(query.order_by(games.c.ended, games.c.id).limit(AT_ONCE)).scalars().all()
    if new:
        numbered = [{"of": game_id, "number": counter.counted + place} for place, game_id in enumerate(new, 1)]
        change = update(games).where(games.c.id == bindparam("of"))
        connection.execute(change.values(counted=bindparam("number")), numbered)
        connection.execute(update(counters).where(counters.c.game == game).values(counted=counter.counted + len(new)))
        _rate_all(connection, game, new)
    return len(new)


def _count_again(connection: Connection, game: str, first: int) -> None:
    """Go back to before what was counted as `first`, and count what followed and counts still."""
    later = select(games.c.id).where(games.c.game == game, games.c.counted >= first)
    gone_back = select(rating_history.c.member).where(rating_history.c.game_id.in_(later)).distinct()
    members = connection.execute(gone_back).scalars().all()
    connection.execute(delete(rating_history).where(rating_history.c.game_id.in_(later)))
    for member in members:
        _go_back(connection, game, member)
    still = connection.execute(later.where(*COUNTS).order_by(games.c.counted)).scalars().all()
    no_more = update(games).where(games.c.game == game, games.c.counted >= first, games.c.id.not_in(still))
    connection.execute(no_more.values(counted=None))
    _rate_all(connection, game, still)


def _go_back(connection: Connection, game: str, member: str) -> None:
    of_both = (games.c.game == game, rating_history.c.member == member)
    history = select(rating_history.c.mu, rating_history.c.sigma).join(games).where(*of_both)
    last = connection.execute(history.order_by(games.c.counted.desc()).limit(1)).one_or_none()
    of_it = (ratings.c.game == game, ratings.c.member == member)
    if last is None:
        connection.execute(delete(ratings).where(*of_it))
        return
    count = select(func.count()).select_from(rating_history.join(games)).where(*of_both).scalar_subquery()
    connection.execute(update(ratings).where(*of_it).values(mu=last.mu, sigma=last.sigma, games=count))


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
        known |= after
        history += [
            {"game_id": game_id, "member": member, "mu": made.mu, "sigma": made.sigma} for member, made in after.items()
        ]
    if history:
        connection.execute(rating_history.insert(), history)
        put = insert_into(connection, ratings)
        kept = {name: put.excluded[name] for name in ("mu", "sigma", "games")}
        rows = [
            {"game": game, "member": member, "mu": made.mu, "sigma": made.sigma, "games": made.games}
            for member, made in known.items()
        ]
        connection.execute(put.on_conflict_do_update(index_elements=["game", "member"], set_=kept), rows)


def _rating(played: Played | None) -> PlackettLuceRating:
    return MODEL.rating() if played is None else MODEL.rating(mu=played.mu, sigma=played.sigma)
