"""Members who play at tables of other clubs: they count there only with leave, which their own club's table or the
administrator gives, by a code that the other table shows. Whether a seat is a member's depends on when the league
received the game's end: a leave holds for games that end after the second in which it was given. Must not know how a
message arrives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, tuple_, update

from taptable.core.errors import LeagueError
from taptable.league.database import insert_into
from taptable.league.limits import MAX_CODES
from taptable.league.locks import lock_counters
from taptable.league.schema import away, away_codes, games, members, seasons, seats, tables
from taptable.memory.members import CODE_S, code_in, id_of
from taptable.uplink.messages import AwayCodeShown, MemberAway

ADMINISTRATOR = ""
"""The value of `allowed_by` for leave that the administrator gave."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A member's leave to play at a table of another club, since that second of UTC. `allowed_by` is the table of the
    member's own club that gave it, "" for the administrator."""

    id: int
    member: str
    table: str
    allowed_by: str
    since: int


def guests_without_leave(connection: Connection, table: str, among: Sequence[str], ended: int) -> set[str]:
    """Return which of these members belong to another club than the table and had no leave to play there when a game
    ended. The club of a member whom no table has reported yet isn't known: see `correct_seats`."""
    if not among:
        return set()
    own = select(tables.c.club).where(tables.c.id == table).scalar_subquery()
    is_without_leave = and_(members.c.club != own, ~_has_leave(members.c.id, table, ended))
    return set(connection.execute(select(members.c.id).where(members.c.id.in_(among), is_without_leave)).scalars())


def correct_seats(connection: Connection, which: ColumnElement[bool]) -> list[tuple[str, int | None]]:
    """Correct those of these seats that count as a guest's and are a member's, or the reverse, now that the member's
    club is known; not in closed seasons. Returns the names of the games that this changes, each with the number of the
    first counted one. The caller holds the lock of the counters: a seat that is stored meanwhile is corrected when its
    game is counted."""
    first_counted: list[tuple[str, int | None]] = []
    for column, changed in (
        (seats.c.member, {"member": "", "away": seats.c.member}),
        (seats.c.away, {"member": seats.c.away, "away": None}),
    ):
        theirs = or_(tables.c.club == members.c.club, _has_leave(column, games.c.table_id, games.c.ended))
        wrong = (
            select(seats.c.game_id, seats.c.seat)
            .join(members, members.c.id == column)
            .join(games, games.c.id == seats.c.game_id)
            .join(tables, tables.c.id == games.c.table_id)
            .join(seasons, seasons.c.id == games.c.season)
            .where(which, seasons.c.closed.is_(None), theirs if column is seats.c.away else ~theirs)
        )
        first = wrong.with_only_columns(games.c.game, func.min(games.c.counted)).group_by(games.c.game)
        found = [(row[0], row[1]) for row in connection.execute(first)]
        if found:
            connection.execute(update(seats).where(tuple_(seats.c.game_id, seats.c.seat).in_(wrong)).values(changed))
        first_counted += found
    return first_counted


def correct_member_seats(connection: Connection, member: str) -> list[tuple[str, int | None]]:
    """Correct the seats of a member whose club has become known, or has changed. Returns the same as
    `correct_seats`."""
    return correct_seats(connection, or_(seats.c.member == member, seats.c.away == member))


def offer_code(connection: Connection, table: str, message: AwayCodeShown, now: int) -> str:
    """Store that a table shows a code; returns a remark, or "". A code that was used stays stored forever, so that no
    repetition makes it valid a second time."""
    of_it = away_codes.c.table_id == table
    connection.execute(delete(away_codes).where(of_it, away_codes.c.until < now, away_codes.c.used.is_(None)))
    shown_at = connection.execute(select(away_codes.c.table_id).where(away_codes.c.digest == message.digest)).scalar()
    if shown_at is not None:
        return "" if shown_at == table else "code-taken"
    recent = select(func.count()).select_from(away_codes).where(of_it, away_codes.c.until >= now)
    if connection.execute(recent).scalar_one() >= MAX_CODES:
        return "too-many-codes"
    new = insert_into(connection, away_codes).values(digest=message.digest, table_id=table, until=now + CODE_S)
    connection.execute(new.on_conflict_do_nothing())
    return ""


def allow_by_table(connection: Connection, club: str, table: str, message: MemberAway, now: int) -> str:
    """Give a member leave to play at the table of another club that shows a code, as a table of the member's own club
    requests with the member's secret. Returns a remark, or ""."""
    member = id_of(message.secret)
    known = select(members.c.id).where(members.c.id == member, members.c.club == club, members.c.deleted.is_(None))
    if connection.execute(known).one_or_none() is None:
        return "member-claimed"
    host_table = use_code(connection, message.code, club, now)
    if host_table is None:
        return "" if _has_used(connection, member, message.code) else "wrong-code"
    allow(connection, member, host_table, table, now)
    return ""


def use_code(connection: Connection, code: str, club: str, now: int) -> str | None:
    """Use a code up, and return the table of another club that shows it; None if none does. People type codes: no table
    shows one of another form than codes have, even if it claims to show its digest."""
    if not code_in(code):
        return None
    lock_counters(connection)
    elsewhere = away_codes.c.table_id.in_(select(tables.c.id).where(tables.c.club != club))
    good = (away_codes.c.digest == _digest(code), away_codes.c.used.is_(None), away_codes.c.until >= now, elsewhere)
    return connection.execute(
        update(away_codes).where(*good).values(used=now).returning(away_codes.c.table_id)
    ).scalar_one_or_none()


def _has_used(connection: Connection, member: str, code: str) -> bool:
    """Return whether the member was given leave for the table that showed this code, so that the message is only a
    repetition."""
    query = select(away.c.id).join(away_codes, away_codes.c.table_id == away.c.table_id)
    of_it = (away.c.member == member, away_codes.c.digest == _digest(code), away_codes.c.used.is_not(None))
    return connection.execute(query.where(*of_it)).first() is not None


def _digest(code: str) -> str:
    return sha256(code_in(code).encode()).hexdigest()


def allow(connection: Connection, member: str, table: str, allowed_by: str, now: int) -> None:
    """Count a member at a table of another club from now on. Games that ended before don't change."""
    lock_counters(connection)
    values = {"member": member, "table_id": table, "allowed_by": allowed_by}
    new = insert_into(connection, away).values(**values, since=_not_before(connection, table, now))
    connection.execute(new.on_conflict_do_nothing())


def end_leave(connection: Connection, leave: int, now: int) -> None:
    """Count the member as a guest at that table from now on. Games that ended before don't change. Raises `LeagueError`
    if there is no such leave."""
    lock_counters(connection)
    of_it = (away.c.id == leave, away.c.until.is_(None))
    table = connection.execute(select(away.c.table_id).where(*of_it)).scalar()
    if table is None:
        raise LeagueError(f"leave {leave} doesn't exist, or has ended already")
    connection.execute(update(away).where(*of_it).values(until=_not_before(connection, table, now)))


def _not_before(connection: Connection, table: str, now: int) -> int:
    """Return now, or the end of the table's last game if that was later by the clock that stored it. The caller holds
    the lock of the counters: a game that is stored meanwhile is corrected when it is counted."""
    last = connection.execute(select(func.max(games.c.ended)).where(games.c.table_id == table)).scalar()
    return max(now, last or 0)


def all_leaves(connection: Connection) -> Sequence[Leave]:
    """Return the leaves that hold today, the latest first."""
    query = select(away).where(away.c.until.is_(None)).order_by(away.c.id.desc())
    return [Leave(row.id, row.member, row.table_id, row.allowed_by, row.since) for row in connection.execute(query)]


def _has_leave(member: Any, table: Any, ended: Any) -> ColumnElement[bool]:
    return (
        select(away.c.id)
        .where(
            away.c.member == member,
            away.c.table_id == table,
            away.c.since < ended,
            or_(away.c.until.is_(None), away.c.until >= ended),
        )
        .exists()
    )
