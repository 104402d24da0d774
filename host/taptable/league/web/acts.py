"""The administrator's view and commands, on the database: tables and their keys, annulled games, seasons, members and
where they may play. Must not know how an administrator is recognized."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct
from sqlalchemy import Connection, select, update

from taptable.api.errors import RequestError
from taptable.core.errors import LeagueError
from taptable.league import standings, wall
from taptable.league.annulling import all_annulments, annul, undo_annulment
from taptable.league.away import ADMINISTRATOR, all_leaves, allow, end_leave, use_code
from taptable.league.members import forget_member
from taptable.league.schema import clubs, members, seasons, tables
from taptable.league.seasons import close_season, cut_season
from taptable.league.tables import add_table, check_name, revoke_table

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Id = Annotated[str, Meta(pattern=r"^[!-~]{1,64}\Z")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
MOST_S = 2**40


class AddTable(Struct, frozen=True):
    """Give a new table an id and a key."""

    name: Name
    club: Name


class NameTable(Struct, frozen=True):
    """Call a table otherwise."""

    table: Id
    name: Name


class RevokeTable(Struct, frozen=True):
    """Take nothing more from a table; what it played stays."""

    table: Id


class BeginSeason(Struct, frozen=True):
    """A season of this name begins now, and the one that was on ends."""

    name: Name


class NameSeason(Struct, frozen=True):
    """Call a season otherwise."""

    season: Number
    name: Name


class ForgetMember(Struct, frozen=True):
    """Forget a member's name and colour, whatever their table says later."""

    member: Id


class CloseSeason(Struct, frozen=True):
    """A season that has ended stays as it is from now on."""

    season: Number


class AnnulGames(Struct, frozen=True):
    """Count no game of a table whose end the league heard from `since` to `until`: seconds of UTC, both included. By
    default these are all games so far. Games in seasons that were closed stay as they are."""

    table: Id
    since: Annotated[int, Meta(ge=0, le=MOST_S)] = 0
    until: Annotated[int, Meta(ge=0, le=MOST_S)] | None = None


class UndoAnnulment(Struct, frozen=True):
    """Games that were annulled count again."""

    annulment: Number


class AllowAway(Struct, frozen=True):
    """A member plays at a table of another club: the one that is named, or that shows this code."""

    member: Id
    table: Annotated[str, Meta(pattern=r"^[!-~]{0,64}\Z")] = ""
    code: Annotated[str, Meta(max_length=20)] = ""


class EndAway(Struct, frozen=True):
    """A member plays there no more; what they played stays."""

    leave: Number


@dataclass(frozen=True, slots=True)
class AdminRequest:
    """When something was asked for, in seconds of UTC, and the name of the administrator who did."""

    now: int
    by: str


Wanted = TypeVar("Wanted", bound=Struct)


@dataclass(frozen=True, slots=True)
class Act(Generic[Wanted]):
    """A command: `wanted` is the type of its parameters. `do` carries it out in a transaction and returns an answer
    that is ready for JSON; it raises `RequestError` or `LeagueError` if it can't. Some commands change who may connect
    to the broker."""

    wanted: type[Wanted]
    do: Callable[[Connection, Wanted, AdminRequest], Mapping[str, Any]]
    lets_in: bool = False


def desk(connection: Connection) -> dict[str, Any]:
    """All that an administrator sees: tables with their remarks, seasons, and members by their names, whatever they
    show to others."""
    listed = wall.table_list(connection)
    known = connection.execute(select(members).where(members.c.deleted.is_(None)).order_by(members.c.name)).all()
    return {
        "tables": [
            {
                "id": table.id,
                "name": table.name,
                "club": table.club,
                "added": table.added,
                "revoked": table.revoked,
                "heard": table.heard,
                "remarks": [
                    {
                        "key": remark.key,
                        "first": remark.first,
                        "last": remark.last,
                        "times": remark.times,
                        "about": remark.about,
                    }
                    for remark in table.remarks
                ],
            }
            for table in listed
        ],
        "clubs": list(connection.execute(select(clubs.c.name).order_by(clubs.c.name)).scalars()),
        "seasons": [
            {
                "id": season.id,
                "name": season.name,
                "begins": season.begins,
                "ends": season.ends,
                "closed": season.closed,
            }
            for season in standings.seasons(connection)
        ],
        "members": [
            {"id": member.id, "name": member.name, "shown": member.shown, "club": member.club} for member in known
        ],
        "away": [asdict(each) for each in all_leaves(connection)],
        "annulments": [asdict(each) for each in all_annulments(connection)],
    }


def _add_table(connection: Connection, wanted: AddTable, asked: AdminRequest) -> Mapping[str, Any]:
    table = add_table(connection, wanted.name, wanted.club, asked.now)
    return {"table": table.id, "key": table.key}


def _name_table(connection: Connection, wanted: NameTable, asked: AdminRequest) -> Mapping[str, Any]:
    del asked
    check_name(wanted.name)
    _one(connection.execute(update(tables).where(tables.c.id == wanted.table).values(name=wanted.name)).rowcount)
    return {}


def _revoke_table(connection: Connection, wanted: RevokeTable, asked: AdminRequest) -> Mapping[str, Any]:
    revoke_table(connection, wanted.table, asked.now)
    return {}


def _begin_season(connection: Connection, wanted: BeginSeason, asked: AdminRequest) -> Mapping[str, Any]:
    check_name(wanted.name)
    return {"season": cut_season(connection, asked.now, wanted.name)}


def _name_season(connection: Connection, wanted: NameSeason, asked: AdminRequest) -> Mapping[str, Any]:
    del asked
    check_name(wanted.name)
    if connection.execute(select(seasons.c.id).where(seasons.c.name == wanted.name)).first() is not None:
        raise LeagueError(f"there is a season {wanted.name!r} already")
    _one(connection.execute(update(seasons).where(seasons.c.id == wanted.season).values(name=wanted.name)).rowcount)
    return {}


def _delete_member(connection: Connection, wanted: ForgetMember, asked: AdminRequest) -> Mapping[str, Any]:
    known = connection.execute(select(members.c.id).where(members.c.id == wanted.member)).all()
    _one(len(known))
    forget_member(connection, wanted.member, asked.now)
    return {}


def _close_season(connection: Connection, wanted: CloseSeason, asked: AdminRequest) -> Mapping[str, Any]:
    close_season(connection, wanted.season, asked.now)
    return {}


def _annul_games(connection: Connection, wanted: AnnulGames, asked: AdminRequest) -> Mapping[str, Any]:
    until = asked.now if wanted.until is None else wanted.until
    made = annul(connection, wanted.table, wanted.since, until, asked.by, asked.now)
    return {"annulment": made.id, "games": made.games, "closed": made.closed}


def _undo_annulment(connection: Connection, wanted: UndoAnnulment, asked: AdminRequest) -> Mapping[str, Any]:
    undo_annulment(connection, wanted.annulment, asked.now)
    return {}


def _allow_away(connection: Connection, wanted: AllowAway, asked: AdminRequest) -> Mapping[str, Any]:
    if not wanted.table and not wanted.code:
        raise RequestError("live", "wrong-field", field="code")
    of_it = (members.c.id == wanted.member, members.c.deleted.is_(None))
    club = connection.execute(select(members.c.club).where(*of_it)).scalar()
    if club is None:
        raise RequestError("league-desk", "not-there")
    table = wanted.table or use_code(connection, wanted.code, club, asked.now)
    if table is None:
        raise RequestError("league-desk", "wrong-code")
    at = connection.execute(select(tables.c.club).where(tables.c.id == table)).scalars().all()
    _one(len(at))
    if club in at:
        raise RequestError("league-desk", "own-club")
    allow(connection, wanted.member, table, ADMINISTRATOR, asked.now)
    return {"table": table}


def _end_away(connection: Connection, wanted: EndAway, asked: AdminRequest) -> Mapping[str, Any]:
    end_leave(connection, wanted.leave, asked.now)
    return {}


ACTS: Mapping[str, Act[Any]] = {
    "add-table": Act(AddTable, _add_table, lets_in=True),
    "name-table": Act(NameTable, _name_table),
    "revoke-table": Act(RevokeTable, _revoke_table, lets_in=True),
    "begin-season": Act(BeginSeason, _begin_season),
    "name-season": Act(NameSeason, _name_season),
    "close-season": Act(CloseSeason, _close_season),
    "annul-games": Act(AnnulGames, _annul_games),
    "undo-annulment": Act(UndoAnnulment, _undo_annulment),
    "allow-away": Act(AllowAway, _allow_away),
    "end-away": Act(EndAway, _end_away),
    "delete-member": Act(ForgetMember, _delete_member),
}
"""All that can be done at the desk, by its verb."""


def _one(count: int) -> None:
    if count != 1:
        raise RequestError("league-desk", "not-there")
