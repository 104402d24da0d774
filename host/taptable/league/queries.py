"""What a league has to show, read from its database: seasons, standings, members, games, records, and the tables as they
play now. Reads alone. Members come out as the public may see them: whoever shows them needs to hide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from taptable.core.scoreboard import Scoreboard
from taptable.memory.game_export import Transcript


@dataclass(frozen=True, slots=True)
class Season:
    """`begins` and `ends` are seconds of UTC, the end not included; `games` have been counted in it, by the game's
    name."""

    id: int
    name: str
    begins: int
    ends: int
    games: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody as the public may see them: `name` is the name, an initial such as ``A.``, or "" where nothing is to be
    shown; so is `colour` (``#rrggbb``)."""

    id: str
    name: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """`mu` is the estimate, `sigma` how uncertain it is; people are ranked by `ordinal`, which is three sigma lower."""

    mu: float
    sigma: float
    games: int

    @property
    def ordinal(self) -> float:
        """What they are at least, in all likelihood."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Standing:
    """A member's line in a season's table of a game: `place` by points, equal ones sharing it; a place brings a point for
    each team behind. `score` is in the game's unit, all games together. `rating` is of today, not of the season."""

    place: int
    member: Member
    games: int
    won: int
    points: int
    score: int
    best: int
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game: its member if one is known, and in a game that ended the `team` (from 1 on), score and place."""

    seat: int
    member: Member | None
    team: int
    score: int
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. `status`: running, ended, left-off; `proof`: proved, not-proved, not-checked (`why` says in
    English why not). `counts`: is it in standings and records? `seats` are of games that ended, seat 1 first. `begun`
    is in seconds of UTC; the table's clock was wrong if `clock_wrong`."""

    id: int
    table: str
    table_name: str
    season: int
    game: str
    edition: str
    players: int
    rules_version: str
    begun: int
    clock_wrong: bool
    length_us: int
    status: Literal["running", "ended", "left-off"]
    proof: Literal["proved", "not-proved", "not-checked"]
    why: str
    superseded: bool
    unit: str
    seats: Sequence[Seat]

    @property
    def counts(self) -> bool:
        """Only what has an end by the rules does, and once."""
        return self.status == "ended" and self.proof == "proved" and not self.superseded


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record: `value` is a score, or µs; `bound_us` how uncertain a press is. `holders` are the members who have it
    (the team's, None for a guest)."""

    kind: Literal["score", "stopped", "longest"]
    value: int
    bound_us: int
    holders: Sequence[Member | None]
    game: GameLine


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How a member did against another in games in which they weren't of one team: by their teams' places."""

    opponent: Member
    games: int
    won: int
    lost: int
    tied: int


@dataclass(frozen=True, slots=True)
class RatingStep:
    """The rating of a member after a game."""

    game_id: int
    begun: int
    rating: Rating


@dataclass(frozen=True, slots=True)
class MemberPage:
    """All of a member: `ratings` by game, `standings` by season id and game, `course` of the rating by game, oldest
    first, `against` over all seasons and games, most games first, and their last games."""

    member: Member
    ratings: Mapping[str, Rating]
    standings: Mapping[tuple[int, str], Standing]
    course: Mapping[str, Sequence[RatingStep]]
    against: Sequence[HeadToHead]
    games: Sequence[GameLine]


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table on the wall. `stamp_ms` changes with everything that changes here. `members` by seat, seat 1 first.
    Without `scoreboard` nothing can be shown of its game (its rules aren't known here, or it departed from them)."""

    table: str
    name: str
    club: str
    stamp_ms: int
    heard: int | None
    game: GameLine | None
    at_us: int
    paused: bool
    members: Sequence[Member | None]
    scoreboard: Scoreboard | None


@dataclass(frozen=True, slots=True)
class Remark:
    """What the people of a table should know: `key` in the catalogues' context ``league-remark``; `first` and `last` in
    seconds of UTC; `about` is in English."""

    table: str
    key: str
    first: int
    last: int
    times: int
    about: str


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table in the administrators' list; times in seconds of UTC."""

    id: str
    name: str
    club: str
    added: int
    revoked: int | None
    heard: int | None
    remarks: Sequence[Remark]


def seasons(connection: Connection) -> list[Season]:
    """All seasons, the latest first."""
    raise NotImplementedError


def standings(connection: Connection, season: int, game: str, club: str | None = None) -> list[Standing]:
    """A season's table of a game, the best first; of the members of one club if it is named."""
    raise NotImplementedError


def records(connection: Connection, season: int | None = None, game: str | None = None) -> list[RecordLine]:
    """The records, by kind; of all seasons and games unless they are named. Equal ones are held by the first."""
    raise NotImplementedError


def member_page(connection: Connection, member: str) -> MemberPage | None:
    """All of a member; None if nobody has that id, or it was deleted."""
    raise NotImplementedError


def head_to_head(
    connection: Connection, member: str, season: int | None = None, game: str | None = None
) -> list[HeadToHead]:
    """A member against each other one, most games first."""
    raise NotImplementedError


def members(connection: Connection, club: str | None = None) -> list[Member]:
    """The members with something to show, by name."""
    raise NotImplementedError


def games(
    connection: Connection,
    season: int | None = None,
    game: str | None = None,
    member: str | None = None,
    table: str | None = None,
    before: int | None = None,
    most: int = 20,
) -> list[GameLine]:
    """At most so many games, the one that came last first; `before` is the id of the last one of the page before.
    Superseded ones are left out."""
    raise NotImplementedError


def game(connection: Connection, game_id: int) -> GameLine | None:
    """One game; None if there is none."""
    raise NotImplementedError


def transcript(connection: Connection, game_id: int) -> Transcript | None:
    """A game with its entries, as far as they have come, for a replay; None if there is none. The outcome in its summary
    is None: an end isn't sent, and stands in the entries."""
    raise NotImplementedError


def wall(connection: Connection, club: str | None = None) -> list[TableNow]:
    """All tables that aren't revoked, by name."""
    raise NotImplementedError


def wall_changes(connection: Connection, known: Mapping[str, int]) -> tuple[list[TableNow], set[str]]:
    """The tables whose `stamp_ms` isn't the known one, by table id, and the ids of those that are no more. To be asked
    once for all watchers, as often as they should hear; it reads two numbers a table where nothing changed."""
    raise NotImplementedError


def table_list(connection: Connection) -> list[TableLine]:
    """All tables, by name."""
    raise NotImplementedError


def export_rows(
    connection: Connection, what: Literal["standings", "games", "ratings"], season: int | None = None
) -> tuple[Sequence[str], list[Sequence[str | int | float | None]]]:
    """Rows for a file, and their heading: ``standings`` and ``ratings`` a line a member and game, ``games`` a line a
    seat. Members by id, and by name where that is public."""
    raise NotImplementedError
