"""The views of a league, as values that queries return and its page and exports format. Members are in the form that is
public. Must not know the database, nor a format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from taptable.core.scoreboard import Scoreboard


@dataclass(frozen=True, slots=True)
class Season:
    """A season. `begins` and `ends` are seconds of UTC, the end not included; `games` is the number of games that count
    in it, by the game's name. `closed` is when it was closed, or None."""

    id: int
    name: str
    begins: int
    ends: int
    games: Mapping[str, int]
    closed: int | None = None


@dataclass(frozen=True, slots=True)
class PublicMember:
    """A member in the form that is public: `name` is the name, an initial such as ``A.``, or "" where nothing is
    public; the same goes for `colour` (``#rrggbb``)."""

    id: str
    name: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating: `mu` is the estimate, `sigma` its uncertainty; people are ranked by `ordinal`, which is three sigma
    lower."""

    mu: float
    sigma: float
    games: int

    @property
    def ordinal(self) -> float:
        """The strength that they have at least, in all likelihood."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class MemberStanding:
    """A member's line in a season's table of a game. `points` are the sum over the games, each of which brings one for
    every team behind (`verification.Result`); `place` is by points, and equal ones share it. `score` is the total of
    all games in the game's unit, `best` that of the best one. `rating` is today's, not the season's."""

    place: int
    member: PublicMember
    games: int
    won: int
    points: int
    score: int
    best: int
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a game that ended: its member if one is known, its `team` (from 1 on), and the team's score, place and
    points."""

    seat: int
    member: PublicMember | None
    team: int
    score: int
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in a list. `status`: running, ended, left-off; `proof`: proved, not-proved, not-checked (`why` gives the
    reason in English). `seats` are those of a game that ended, seat 1 first. `begun` is in seconds of UTC; the table's
    clock was wrong if `clock_wrong`."""

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
    annulled: bool
    unit: str
    seats: Sequence[Seat]

    @property
    def is_counted(self) -> bool:
        """Whether the game counts in standings and records: it ended by the rules, no later branch has it as well, and
        no administrator has annulled it."""
        return self.status == "ended" and self.proof == "proved" and not self.superseded and not self.annulled


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record of a game: the best ``score``, the fastest press that ``stopped`` a hacker after the window's opening
    (give or take `bound_us`), the ``longest`` of all; `value` is a score, or µs. `holders` are a team, the one who
    pressed, or all who sat there (None for a guest)."""

    kind: Literal["score", "stopped", "longest"]
    value: int
    bound_us: int
    holders: Sequence[PublicMember | None]
    game: GameLine


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """A member's results against another in games in which they were in different teams, by their teams' places."""

    opponent: PublicMember
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
    """All about a member: `ratings` by game, `standings` by season id and game, `rating_steps` by game, oldest first,
    `head_to_head` over all seasons and games, most games first, and their last games."""

    member: PublicMember
    ratings: Mapping[str, Rating]
    standings: Mapping[tuple[int, str], MemberStanding]
    rating_steps: Mapping[str, Sequence[RatingStep]]
    head_to_head: Sequence[HeadToHead]
    games: Sequence[GameLine]


@dataclass(frozen=True, slots=True)
class TableNow:
    """A table on the wall. `stamp_ms` differs after each change. `members` are by seat, seat 1 first. `scoreboard` is
    None if nothing can be shown of its game (its rules aren't known here, or it departed from them)."""

    table: str
    name: str
    club: str
    stamp_ms: int
    last_heard: int | None
    game: GameLine | None
    at_us: int
    paused: bool
    members: Sequence[PublicMember | None]
    scoreboard: Scoreboard | None


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark for the people of a table: `key` in the catalogues' context ``league-remark``; `first` and `last` in
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
    last_heard: int | None
    remarks: Sequence[Remark]
