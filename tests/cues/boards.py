"""Scoreboards of ONLINE made by hand, to try the limits of a screen: every number of teams, and any figures."""

from __future__ import annotations

from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Mark, Scoreboard, TeamScore
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.options import QUOTAS

_RATES = {"up": 1}


def team_score(
    seats: tuple[int, ...],
    rows: tuple[int, int, int, int],
    line: str,
    *,
    rate: int | None = None,
    backed_up: tuple[str, ...] = (),
    place: int | None = None,
) -> TeamScore:
    """A team with `rows` cards in its category rows, in the order of `CATEGORIES`."""
    marks = tuple(
        Mark(kind.id, have, quota.default, kind.id in backed_up)
        for kind, have, quota in zip(CATEGORIES, rows, QUOTAS, strict=True)
    )
    mb = sum(kind.mb * have for kind, have in zip(CATEGORIES, rows, strict=True))
    return TeamScore(seats, mb, marks, line, _RATES.get(line, 0) if rate is None else rate, place=place)


def board(teams: tuple[TeamScore, ...], seat: int | None, rate_left: int = 0) -> Scoreboard:
    """A board with nothing special going on."""
    seats = sum(len(team.seats) for team in teams)
    hands = ((Count(HAND, 7),),) * seats
    return Scoreboard("MB", teams, seat, (Count(DRAW_PILE, 112 - 7 * seats),), hands, rate_left)


TWO_TEAMS = (
    team_score((1, 3), (3, 3, 2, 0), "up", rate=2, backed_up=("game",)),
    team_score((2, 4), (2, 2, 0, 0), "blocked"),
)
THREE_TEAMS = (
    team_score((1, 4), (3, 1, 0, 1), "cleared", backed_up=("movie",)),
    team_score((2, 5), (5, 2, 1, 1), "up", rate=2),
    team_score((3, 6), (2, 0, 1, 0), "offline"),
)
FIVE_PLAYERS = (
    team_score((1, 4), (0, 0, 0, 0), "offline"),
    team_score((2, 5), (1, 0, 0, 0), "up"),
    team_score((3,), (6, 4, 1, 0), "blocked", backed_up=("email", "music")),
)
FOUR_SOLO = (
    team_score((1,), (3, 0, 0, 0), "offline"),
    team_score((2,), (2, 2, 0, 1), "up"),
    team_score((3,), (6, 4, 1, 1), "cleared", backed_up=("email", "music")),
    team_score((4,), (9, 7, 2, 1), "up", rate=2),
)
