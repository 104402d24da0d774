"""Samples of ONLINE to look at: every number of teams, the windows of a hacker, and every kind of end."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Mark, RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Refused
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.options import QUOTAS
from taptable.games.online.turns import CATEGORY_CARDS

from games.samples import NOW_US, Samples

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
    """A team with so many cards in its category rows, in the order of `CATEGORIES`."""
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
EQUALS = (
    team_score((1,), (2, 2, 0, 1), "up"),
    team_score((2,), (0, 3, 0, 1), "offline"),
    team_score((3,), (4, 0, 0, 0), "blocked"),
)
FEW_AND_BIG = (
    team_score((1, 3), (2, 3, 2, 2), "up", backed_up=("game",)),
    team_score((2, 4), (6, 4, 1, 0), "up", backed_up=("email",)),
)
"""Whoever has more MB has fewer cards."""


def _at_start(team: TeamScore) -> TeamScore:
    return team_score(team.seats, (0, 0, 0, 0), "offline")


def _won(teams: tuple[TeamScore, ...], winner: int) -> tuple[TeamScore, ...]:
    """The teams after the winner's last download."""
    return tuple(
        team_score(team.seats, (6, 4, 2, 2), "up") if index == winner else team for index, team in enumerate(teams)
    )


def _over(teams: tuple[TeamScore, ...], places: tuple[int, ...], by: str) -> Scoreboard:
    ranked = tuple(replace(team, place=place) for team, place in zip(teams, places, strict=True))
    return replace(board(ranked, ranked[0].seats[0]), over=True, by=by)


def _by_cards(board: Scoreboard) -> Scoreboard:
    """The end where category cards decide (R10.3, FR)."""
    counts = [Count(CATEGORY_CARDS, sum(mark.have for mark in team.marks)) for team in board.teams]
    teams = (replace(team, decisive=count) for team, count in zip(board.teams, counts, strict=True))
    return replace(board, teams=tuple(teams))


def _window(seat: int) -> RunningWindow:
    """A window of 5 s of which 3.4 s are left."""
    return RunningWindow(seat, NOW_US - 16 * US_PER_S // 10, NOW_US + 34 * US_PER_S // 10)


def _claim(seat: int, claimant: int) -> RunningWindow:
    """A claim of 10 s of which 7.2 s are left."""
    return replace(
        _window(seat),
        claim_seat=claimant,
        claim_until_us=NOW_US + 72 * US_PER_S // 10,
        claim_us=10 * US_PER_S,
        margin_us=4_200,
        uncertainty_us=100,
    )


def _tie(seat: int, tied: tuple[int, int]) -> RunningWindow:
    """A claim of the first of two seats that tied."""
    return replace(_claim(seat, tied[0]), tied=tied, margin_us=None, uncertainty_us=1_100)


SAMPLES = Samples(
    {
        "youngest": board(tuple(_at_start(team) for team in THREE_TEAMS), None),
        "play-2-teams": board(TWO_TEAMS, 3, 1),
        "play-3-teams": board(THREE_TEAMS, 5, 1),
        "play-5-players": board(FIVE_PLAYERS, 3),
        "play-4-solo": board(FOUR_SOLO, 2, 1),
        "play-4-digits": board(FOUR_SOLO, 4, 2),
        "hack": replace(board(FOUR_SOLO, 2, 0), pending="hack"),
        "pile-empty": replace(board(FOUR_SOLO, 2, 1), stock=(Count(DRAW_PILE, 0),)),
        "window": replace(board(THREE_TEAMS, 5), window=_window(5)),
        "window-4-solo": replace(board(FOUR_SOLO, 2), window=_window(2)),
        "claim": replace(board(TWO_TEAMS, 3), window=_claim(3, 2)),
        "claim-tie": replace(board(FOUR_SOLO, 3), window=_tie(3, (1, 2))),
        "over-2-teams": _over(TWO_TEAMS, (1, 2), "time"),
        "over-3-teams": _over(_won(THREE_TEAMS, 1), (2, 1, 3), "quotas"),
        "over-4-solo": _over(FOUR_SOLO, (4, 3, 2, 1), "time"),
        "over-tie": _over(EQUALS, (1, 1, 3), "time"),
        "over-by-cards": _by_cards(_over(FEW_AND_BIG, (2, 1), "time")),
    },
    usual="play-3-teams",
    refused=Refused("R5.3", "memory-not-open", {"card": "movie#4", "pad": 5}),
)
