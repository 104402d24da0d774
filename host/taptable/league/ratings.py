"""Ratings: each game that ended by the rules changes those of its members, one game after the other in the order in
which the league received their ends. If a game counts differently later (its end was taken back, a restored backup had
it again, it was annulled), it and those after it are rolled back, the last one first, and recounted: some at a time, so
that nobody waits for long, and meanwhile the ratings are those of the games that are counted. A long recount that
tables cause waits until some time after the last one; until then the game counts as before. All ratings can be
recomputed from the results. Must not know how a game was played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from openskill.models import PlackettLuce, PlackettLuceRating
from sqlalchemy import Connection, Engine, Row, bindparam, case, delete, func, or_, select, update

from taptable.league.away import correct_seats
from taptable.league.database import clock_ms, insert_into, write_transaction
from taptable.league.limits import COUNTING_S, LONG_RECOUNT, RECOUNT_EVERY_S
from taptable.league.locks import lock_counter, lock_seasons_shared
from taptable.league.schema import ENDED, PROVED, annulments, counters, games, rating_history, ratings, seasons, seats

AT_ONCE = 200
"""Games that are counted in one transaction, or rolled back in one step."""
MODEL = PlackettLuce()
"""The model by which `rate` computes ratings."""

IN_SPAN = (games.c.table_id == annulments.c.table_id, games.c.ended.between(annulments.c.since, annulments.c.until))
"""The game's end was received within the annulment's span."""
WAS_OPEN = or_(seasons.c.closed.is_(None), seasons.c.closed > annulments.c.at)
"""The season was open when the game was annulled; otherwise the annulment changes nothing in it."""
ANNULLED = (
    select(annulments.c.id)
    .where(
        *IN_SPAN,
        seasons.c.id == games.c.season,
        WAS_OPEN,
        or_(annulments.c.undone.is_(None), seasons.c.closed < annulments.c.undone),
    )
    .correlate(games)
    .exists()
)
"""An administrator has annulled the game."""
HAS_VALID_END = (games.c.status == ENDED, games.c.proof == PROVED, games.c.superseded.is_(False))
"""The game ended by the rules, and no later branch of its journal has it as well."""
IS_COUNTED = (*HAS_VALID_END, ~ANNULLED)
"""The game counts in standings, records and ratings."""


@dataclass(frozen=True, slots=True)
class Played:
    """A member's rating, and the number of games from which it was made."""

    mu: float
    sigma: float
    games: int


def rate_new_games(
    engine: Engine, game: str, monotonic_s: Callable[[], float] = time.monotonic, now: int | None = None
) -> int:
    """Count all games of this name that aren't counted yet or have to be recounted, in as many transactions as that
    takes, and return their number. To count a game is to give it the next number, and to change the ratings of its
    members by `rate`. `monotonic_s` returns seconds, by which each transaction is ended; `now` is the time in seconds
    of UTC, by default the database's."""
    done = 0
    while True:
        with write_transaction(engine) as connection:
            counted, more = _rate_some(connection, game, monotonic_s, now)
        done += counted
        if not more:
            return done


def request_recount(connection: Connection, game: str, counted: int | None, *, at_once: bool = False) -> None:
    """Request a recount from the game with the number `counted` on (None: it isn't counted, nothing to do). The caller
    holds the lock of the counters, since before it read `counted`. `at_once`: however long it takes, and whenever the
    last recount was."""
    if counted is None:
        return
    first = func.coalesce(counters.c.recount_from, counted)
    first = case((first < counted, first), else_=counted)
    now = {"recount_now": True} if at_once else {}
    connection.execute(update(counters).where(counters.c.game == game).values(recount_from=first, **now))


def recount_since(connection: Connection, game: str, ended: int) -> None:
    """Request an immediate recount of the games that ended at that time or later. The caller holds the lock of the
    counters."""
    counter = lock_counter(connection, game)
    # not the number of the first of them: by a clock that was set back a game that ends later has an earlier time
    first = select(func.min(games.c.counted)).where(games.c.game == game, games.c.ended >= ended)
    number = connection.execute(first).scalar()
    request_recount(connection, game, counter.counted + 1 if number is None else number, at_once=True)


def games_to_recount(connection: Connection) -> Sequence[str]:
    """Return the names of the games of which some have to be recounted."""
    return connection.execute(select(counters.c.game).where(counters.c.recount_from.is_not(None))).scalars().all()


def rate(known: Mapping[str, Played], seated: Sequence[tuple[int, int, str]]) -> dict[str, Played]:
    """Compute the ratings of a game's members after it, from those before it in `known` (a missing member is new). It
    is the only function that computes ratings, and it touches no database.
    `seated` has the team, its place, and the member ("" for a guest, who is always new) of each seat."""
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


def read_seats(connection: Connection, game_ids: Iterable[int]) -> dict[int, list[tuple[int, int, str]]]:
    """Return team, place and member of each seat, by game, as `rate` takes them."""
    query = select(seats.c.game_id, seats.c.team, seats.c.place, seats.c.member)
    found: dict[int, list[tuple[int, int, str]]] = {}
    for row in connection.execute(query.where(seats.c.game_id.in_(list(game_ids))).order_by(seats.c.seat)):
        found.setdefault(row.game_id, []).append((row.team, row.place, row.member or ""))
    return found


def _rate_some(
    connection: Connection, game: str, monotonic_s: Callable[[], float], now: int | None = None
) -> tuple[int, bool]:
    """Do one transaction of `rate_new_games`: roll back games for a recount that is due, then count up to `AT_ONCE`
    games. Returns how many it counted, and whether there are more to count or roll back."""
    lock_seasons_shared(connection)
    counter = lock_counter(connection, game)
    change = update(counters).where(counters.c.game == game)
    counted = counter.counted
    now = clock_ms(connection) // 1000 if now is None else now
    if counter.recount_from is not None and _is_due(counter, now):
        until_s = monotonic_s() + COUNTING_S
        while _undo_ratings(connection, game, counter.recount_from):
            if monotonic_s() >= until_s:
                connection.execute(change.values(recount_now=True))  # the recount is in progress
                return 0, True
        counted = min(counted, counter.recount_from - 1)
        ended = {"recounted": now} if _is_long(counter) else {}
        connection.execute(change.values(counted=counted, recount_from=None, recount_now=False, **ended))
    query = select(games.c.id).where(games.c.game == game, *IS_COUNTED, games.c.counted.is_(None))
    new = connection.execute(query.order_by(games.c.ended, games.c.id).limit(AT_ONCE)).scalars().all()
    if new:
        correct_seats(connection, seats.c.game_id.in_(new))  # clubs may have become known since
        numbered = [{"of": game_id, "number": counted + place} for place, game_id in enumerate(new, 1)]
        renumber = update(games).where(games.c.id == bindparam("of"))
        connection.execute(renumber.values(counted=bindparam("number")), numbered)
        connection.execute(change.values(counted=counted + len(new)))
        _rate_all(connection, game, new)
    return len(new), len(new) == AT_ONCE


def _is_long(counter: Row[Any]) -> bool:
    return counter.counted - counter.recount_from >= LONG_RECOUNT


def _is_due(counter: Row[Any], now: int) -> bool:
    """Return whether a requested recount should be done now."""
    was_lately = counter.recounted is not None and 0 <= now - counter.recounted < RECOUNT_EVERY_S
    return counter.recount_now or not (_is_long(counter) and was_lately)


def _undo_ratings(connection: Connection, game: str, first: int) -> bool:
    """Roll back some of the last counted games, down to the one with number `first`. Returns whether more are left."""
    later = select(games.c.id).where(games.c.game == game, games.c.counted >= first)
    rolled_back = connection.execute(later.order_by(games.c.counted.desc()).limit(AT_ONCE)).scalars().all()
    if not rolled_back:
        return False
    query = select(rating_history).join_from(rating_history, games).where(games.c.id.in_(rolled_back))
    steps = connection.execute(query.order_by(games.c.counted.desc())).all()
    connection.execute(delete(rating_history).where(rating_history.c.game_id.in_(rolled_back)))
    connection.execute(update(games).where(games.c.id.in_(rolled_back)).values(counted=None))
    earliest = {step.member: step for step in steps}  # the rows are in descending order, so the last one remains
    before = {member: Played(step.before_mu, step.before_sigma, step.before_games) for member, step in earliest.items()}
    new = [member for member, made in before.items() if made.games == 0]
    connection.execute(delete(ratings).where(ratings.c.game == game, ratings.c.member.in_(new)))
    _put_ratings(connection, game, {member: made for member, made in before.items() if made.games > 0})
    return len(rolled_back) == AT_ONCE


def _rate_all(connection: Connection, game: str, game_ids: Sequence[int]) -> None:
    """Store the ratings after each of these games, in their order, as `rate` computes them."""
    if not game_ids:
        return
    seated = read_seats(connection, game_ids)
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
    updated = {name: put.excluded[name] for name in ("mu", "sigma", "games")}
    rows = [
        {"game": game, "member": member, "mu": made.mu, "sigma": made.sigma, "games": made.games}
        for member, made in known.items()
    ]
    if rows:
        connection.execute(put.on_conflict_do_update(index_elements=["game", "member"], set_=updated), rows)


def _rating(played: Played | None) -> PlackettLuceRating:
    """Return a stored rating in the model's form; None is a new player's."""
    return MODEL.rating() if played is None else MODEL.rating(mu=played.mu, sigma=played.sigma)
