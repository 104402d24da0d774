"""What an administrator sees and does, on the database: tables and their keys, seasons, members. Must not know who
asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct
from sqlalchemy import Connection, select, update

from taptable.api.errors import RequestError
from taptable.core.errors import LeagueError
from taptable.league import queries
from taptable.league.members import forget_member
from taptable.league.schema import clubs, members, seasons, tables
from taptable.league.seasons import cut_season
from taptable.league.tables import add_table, revoke_table

Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^\S(.*\S)?$")]
Id = Annotated[str, Meta(min_length=1, max_length=64)]


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

    season: int
    name: Name


class DeleteMember(Struct, frozen=True):
    """Forget a member's name and colour, whatever their table says later."""

    member: Id


Wanted = TypeVar("Wanted", bound=Struct)


@dataclass(frozen=True, slots=True)
class Act(Generic[Wanted]):
    """What is `wanted`, and what `do` does in a transaction at a time (seconds of UTC); what comes of it is ready for
    JSON. `RequestError` and `LeagueError` say why not. Some change who is let in at the broker."""

    wanted: type[Wanted]
    do: Callable[[Connection, Wanted, int], Mapping[str, Any]]
    lets_in: bool = False


def desk(connection: Connection) -> dict[str, Any]:
    """All that an administrator sees: tables with their remarks, seasons, and members by their names, whatever they
    show to others."""
    listed = queries.table_list(connection)
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
            {"id": season.id, "name": season.name, "begins": season.begins, "ends": season.ends}
            for season in queries.seasons(connection)
        ],
        "members": [{"id": member.id, "name": member.name, "shown": member.shown} for member in known],
    }


def _add_table(connection: Connection, wanted: AddTable, now: int) -> Mapping[str, Any]:
    table = add_table(connection, wanted.name, wanted.club, now)
    return {"table": table.id, "key": table.key}


def _name_table(connection: Connection, wanted: NameTable, now: int) -> Mapping[str, Any]:
    del now
    _one(connection.execute(update(tables).where(tables.c.id == wanted.table).values(name=wanted.name)).rowcount)
    return {}


def _revoke_table(connection: Connection, wanted: RevokeTable, now: int) -> Mapping[str, Any]:
    revoke_table(connection, wanted.table, now)
    return {}


def _begin_season(connection: Connection, wanted: BeginSeason, now: int) -> Mapping[str, Any]:
    return {"season": cut_season(connection, now, wanted.name)}


def _name_season(connection: Connection, wanted: NameSeason, now: int) -> Mapping[str, Any]:
    del now
    if connection.execute(select(seasons.c.id).where(seasons.c.name == wanted.name)).first() is not None:
        raise LeagueError(f"there is a season {wanted.name!r} already")
    _one(connection.execute(update(seasons).where(seasons.c.id == wanted.season).values(name=wanted.name)).rowcount)
    return {}


def _delete_member(connection: Connection, wanted: DeleteMember, now: int) -> Mapping[str, Any]:
    known = connection.execute(select(members.c.id).where(members.c.id == wanted.member)).all()
    _one(len(known))
    forget_member(connection, wanted.member, now)
    return {}


ACTS: Mapping[str, Act[Any]] = {
    "add-table": Act(AddTable, _add_table, lets_in=True),
    "name-table": Act(NameTable, _name_table),
    "revoke-table": Act(RevokeTable, _revoke_table, lets_in=True),
    "begin-season": Act(BeginSeason, _begin_season),
    "name-season": Act(NameSeason, _name_season),
    "delete-member": Act(DeleteMember, _delete_member),
}
"""All that can be done at the desk, by its verb."""


def _one(count: int) -> None:
    if count != 1:
        raise RequestError("league-desk", "not-there")
