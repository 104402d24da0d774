"""The administrator's view and commands, on the database: tables and their keys, annulments, seasons, members and where
they may play. Must not know how an administrator is recognised."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Generic, TypeVar

from msgspec import Meta, Struct
from sqlalchemy import Connection, select, update

from taptable.api.errors import RequestError
from taptable.core.errors import LeagueError
from taptable.league import live_tables, standings
from taptable.league.annulling import all_annulments, annul, undo_annulment
from taptable.league.away import ADMINISTRATOR, all_leaves, allow, end_leave, use_code
from taptable.league.members import forget_member
from taptable.league.schema import clubs, members, seasons, tables
from taptable.league.seasons import close_season, cut_season
from taptable.league.tables import add_table, check_name, revoke_table

LONGEST_NAME = 60
"""The most characters of the name of a table, a club or a season. `members.LONGEST_NAME` is the limit of members'
names."""
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Id = Annotated[str, Meta(pattern=r"^[!-~]{1,64}\Z")]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]
MAX_S = 2**40
"""The latest time in seconds of UTC that a command takes."""


class AddTable(Struct, frozen=True):
    """Add a table, and give it an id and a key."""

    name: Name
    club: Name


class NameTable(Struct, frozen=True):
    """Rename a table."""

    table: Id
    name: Name


class RevokeTable(Struct, frozen=True):
    """Accept no more messages from a table; its games stay."""

    table: Id


class BeginSeason(Struct, frozen=True):
    """Begin a season with this name now, and end the current one."""

    name: Name


class NameSeason(Struct, frozen=True):
    """Rename a season."""

    season: Number
    name: Name


class ForgetMember(Struct, frozen=True):
    """Forget a member's name and colour, even if their table reports them later."""

    member: Id


class CloseSeason(Struct, frozen=True):
    """Close a season that has ended, so that it doesn't change any more."""

    season: Number


class AnnulGames(Struct, frozen=True):
    """Annul all games of a table whose end the league received from `since` to `until`: seconds of UTC, both included,
    by default all games until now. Games in closed seasons don't change."""

    table: Id
    since: Annotated[int, Meta(ge=0, le=MAX_S)] = 0
    until: Annotated[int, Meta(ge=0, le=MAX_S)] | None = None


class UndoAnnulment(Struct, frozen=True):
    """Let annulled games count again."""

    annulment: Number


class AllowAway(Struct, frozen=True):
    """Let a member play at a table of another club: the given `table`, or the one that shows this `code`."""

    member: Id
    table: Annotated[str, Meta(pattern=r"^[!-~]{0,64}\Z")] = ""
    code: Annotated[str, Meta(max_length=20)] = ""


class EndAway(Struct, frozen=True):
    """End a member's leave to play there; their games stay."""

    leave: Number


@dataclass(frozen=True, slots=True)
class AdminRequest:
    """The time of a command, in seconds of UTC, and the name of the administrator who gave it."""

    now: int
    by: str


ParamsT = TypeVar("ParamsT", bound=Struct)


@dataclass(frozen=True, slots=True)
class AdminCommand(Generic[ParamsT]):
    """A command: `params_type` is the type of its parameters. `do` carries it out in a transaction and returns an
    answer that is ready for JSON; it raises `RequestError` or `LeagueError` if it can't. `changes_access` says that it
    changes who may connect to the broker."""

    params_type: type[ParamsT]
    do: Callable[[Connection, ParamsT, AdminRequest], Mapping[str, Any]]
    changes_access: bool = False


def admin_view(connection: Connection) -> dict[str, Any]:
    """Return all that an administrator sees: tables with their remarks, seasons, and members by their full names, even
    where these aren't public."""
    listed = live_tables.table_list(connection)
    known = connection.execute(select(members).where(members.c.deleted.is_(None)).order_by(members.c.name)).all()
    return {
        "tables": [
            {
                "id": table.id,
                "name": table.name,
                "club": table.club,
                "added": table.added,
                "revoked": table.revoked,
                "heard": table.last_heard,
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


def _add_table(connection: Connection, params: AddTable, request: AdminRequest) -> Mapping[str, Any]:
    table = add_table(connection, params.name, params.club, request.now)
    return {"table": table.id, "key": table.key}


def _name_table(connection: Connection, params: NameTable, request: AdminRequest) -> Mapping[str, Any]:
    del request
    check_name(params.name)
    _one(connection.execute(update(tables).where(tables.c.id == params.table).values(name=params.name)).rowcount)
    return {}


def _revoke_table(connection: Connection, params: RevokeTable, request: AdminRequest) -> Mapping[str, Any]:
    revoke_table(connection, params.table, request.now)
    return {}


def _begin_season(connection: Connection, params: BeginSeason, request: AdminRequest) -> Mapping[str, Any]:
    check_name(params.name)
    return {"season": cut_season(connection, request.now, params.name)}


def _name_season(connection: Connection, params: NameSeason, request: AdminRequest) -> Mapping[str, Any]:
    del request
    check_name(params.name)
    if connection.execute(select(seasons.c.id).where(seasons.c.name == params.name)).first() is not None:
        raise LeagueError(f"there is a season {params.name!r} already")
    _one(connection.execute(update(seasons).where(seasons.c.id == params.season).values(name=params.name)).rowcount)
    return {}


def _delete_member(connection: Connection, params: ForgetMember, request: AdminRequest) -> Mapping[str, Any]:
    known = connection.execute(select(members.c.id).where(members.c.id == params.member)).all()
    _one(len(known))
    forget_member(connection, params.member, request.now)
    return {}


def _close_season(connection: Connection, params: CloseSeason, request: AdminRequest) -> Mapping[str, Any]:
    close_season(connection, params.season, request.now)
    return {}


def _annul_games(connection: Connection, params: AnnulGames, request: AdminRequest) -> Mapping[str, Any]:
    until = request.now if params.until is None else params.until
    made = annul(connection, params.table, params.since, until, request.by, request.now)
    return {"annulment": made.id, "games": made.games, "closed": made.closed}


def _undo_annulment(connection: Connection, params: UndoAnnulment, request: AdminRequest) -> Mapping[str, Any]:
    undo_annulment(connection, params.annulment, request.now)
    return {}


def _allow_away(connection: Connection, params: AllowAway, request: AdminRequest) -> Mapping[str, Any]:
    if not params.table and not params.code:
        raise RequestError("live", "wrong-field", field="code")
    of_it = (members.c.id == params.member, members.c.deleted.is_(None))
    club = connection.execute(select(members.c.club).where(*of_it)).scalar()
    if club is None:
        raise RequestError("league-desk", "not-there")
    table = params.table or use_code(connection, params.code, club, request.now)
    if table is None:
        raise RequestError("league-desk", "wrong-code")
    at = connection.execute(select(tables.c.club).where(tables.c.id == table)).scalars().all()
    _one(len(at))
    if club in at:
        raise RequestError("league-desk", "own-club")
    allow(connection, params.member, table, ADMINISTRATOR, request.now)
    return {"table": table}


def _end_away(connection: Connection, params: EndAway, request: AdminRequest) -> Mapping[str, Any]:
    end_leave(connection, params.leave, request.now)
    return {}


ADMIN_COMMANDS: Mapping[str, AdminCommand[Any]] = {
    "add-table": AdminCommand(AddTable, _add_table, changes_access=True),
    "name-table": AdminCommand(NameTable, _name_table),
    "revoke-table": AdminCommand(RevokeTable, _revoke_table, changes_access=True),
    "begin-season": AdminCommand(BeginSeason, _begin_season),
    "name-season": AdminCommand(NameSeason, _name_season),
    "close-season": AdminCommand(CloseSeason, _close_season),
    "annul-games": AdminCommand(AnnulGames, _annul_games),
    "undo-annulment": AdminCommand(UndoAnnulment, _undo_annulment),
    "allow-away": AdminCommand(AllowAway, _allow_away),
    "end-away": AdminCommand(EndAway, _end_away),
    "delete-member": AdminCommand(ForgetMember, _delete_member),
}
"""The administrator's commands, by their verbs."""


def _one(count: int) -> None:
    if count != 1:
        raise RequestError("league-desk", "not-there")
