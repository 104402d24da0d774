"""Members who play at tables of other clubs: they count there only with leave, which their own club's table or the
administrator gives, by a code that the other table shows. Whether a seat is a member's is decided by when the league
heard the game's end: a leave is good for what ends after the second in which it was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update

from taptable.core.errors import LeagueError
from taptable.league.counting import count_again
from taptable.league.database import insert_into
from taptable.league.limits import MOST_CODES
from taptable.league.schema import away, away_codes, games, members, seasons, seats, tables
from taptable.memory.members import CODE_S, id_of
from taptable.uplink.messages import AwayCodeShown, MemberAway

ADMINISTRATOR = ""
"""Who allowed it, where no table did."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A member plays at a table of another club, since that second of UTC, as a table of their own allowed, or the
    administrator ("")."""

    id: int
    member: str
    table: str
    allowed_by: str
    since: int


def strangers(connection: Connection, table: str, among: Sequence[str], ended: int) -> set[str]:
    """Who of these members is of another club than the table, and had no leave to play there when a game ended. Of whom
    no table has told yet, the club isn't known: see `settle`."""
    if not among:
        return set()
    own = select(tables.c.club).where(tables.c.id == table).scalar_subquery()
    strange = and_(members.c.club != own, ~_has_leave(members.c.id, table, ended))
    return set(connection.execute(select(members.c.id).where(members.c.id.in_(among), strange)).scalars())


def settle(connection: Connection, member: str, club: str) -> None:
    """Have the seats of a member, who is found to be of that club, count as they should; not those in seasons that were
    closed."""
    theirs = or_(tables.c.club == club, _has_leave(member, games.c.table_id, games.c.ended))
    for column, rightly, changed in (
        (seats.c.member, ~theirs, {"member": "", "away": member}),
        (seats.c.away, theirs, {"member": member, "away": None}),
    ):
        query = (
            select(games.c.id)
            .join(seats, seats.c.game_id == games.c.id)
            .join(tables, tables.c.id == games.c.table_id)
            .join(seasons, seasons.c.id == games.c.season)
            .where(column == member, seasons.c.closed.is_(None), rightly)
        )
        of_them = games.c.id.in_(query)
        first = select(games.c.game, func.min(games.c.counted).label("first")).where(of_them).group_by(games.c.game)
        for row in connection.execute(first.order_by(games.c.game)).all():
            count_again(connection, row.game, row.first)
        connection.execute(update(seats).where(column == member, seats.c.game_id.in_(query)).values(changed))


def offer_code(connection: Connection, table: str, said: AwayCodeShown, now: int) -> str:
    """A table shows a code; a remark, or ""."""
    connection.execute(delete(away_codes).where(away_codes.c.table_id == table, away_codes.c.until < now))
    shown = select(away_codes.c.digest).where(away_codes.c.table_id == table).limit(MOST_CODES)
    known = connection.execute(shown).scalars().all()
    if said.digest in known:
        return ""  # said again
    if len(known) >= MOST_CODES:
        return "too-many-codes"
    new = insert_into(connection, away_codes).values(digest=said.digest, table_id=table, until=now + CODE_S)
    connection.execute(new.on_conflict_do_nothing())
    return ""


def allow_by_table(connection: Connection, club: str, table: str, said: MemberAway, now: int) -> str:
    """A table of a club says that a member of that club, whose secret it shows, plays at the table with that code; a
    remark, or ""."""
    member = id_of(said.secret)
    known = select(members.c.id).where(members.c.id == member, members.c.club == club, members.c.deleted.is_(None))
    if connection.execute(known).one_or_none() is None:
        return "member-claimed"
    at = use_code(connection, said.code, now)
    if at is None:
        return "" if _has_used(connection, member, said.code) else "wrong-code"
    allow(connection, member, at, table, now)
    return ""


def use_code(connection: Connection, code: str, now: int) -> str | None:
    """The table that shows this code, which is good for this once; None if none does."""
    digest = sha256(code.encode()).hexdigest()
    good = (away_codes.c.digest == digest, away_codes.c.used.is_(None), away_codes.c.until >= now)
    return connection.execute(
        update(away_codes).where(*good).values(used=now).returning(away_codes.c.table_id)
    ).scalar_one_or_none()


def _has_used(connection: Connection, member: str, code: str) -> bool:
    """Does the member play at the table that showed this code? Then it is only said again."""
    digest = sha256(code.encode()).hexdigest()
    query = select(away.c.id).join(away_codes, away_codes.c.table_id == away.c.table_id)
    of_it = (away.c.member == member, away_codes.c.digest == digest, away_codes.c.used.is_not(None))
    return connection.execute(query.where(*of_it)).first() is not None


def allow(connection: Connection, member: str, table: str, allowed_by: str, now: int) -> None:
    """Count a member at a table of another club from now on. What ended before stays as it is."""
    open_ = select(away.c.id).where(away.c.member == member, away.c.table_id == table, away.c.until.is_(None))
    if connection.execute(open_).first() is None:
        values = {"member": member, "table_id": table, "allowed_by": allowed_by, "since": now}
        connection.execute(away.insert().values(values))


def end_leave(connection: Connection, leave: int, now: int) -> None:
    """Count the member at that table no more; what they played there stays. `LeagueError` if there is no such leave."""
    change = update(away).where(away.c.id == leave, away.c.until.is_(None)).values(until=now)
    if connection.execute(change).rowcount == 0:
        raise LeagueError(f"there is no leave {leave} that could end")


def all_leaves(connection: Connection) -> Sequence[Leave]:
    """Those that are good today, the latest first."""
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
