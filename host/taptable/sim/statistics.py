"""Statistics of many games: the figures of one game, counted from the referee's announcements, and their summary for
the report, the plots and JSON. Knows no game by name and prints nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt

from taptable.core.announcements import (
    Announcement,
    ClaimFailed,
    ClaimGiven,
    TurnAnnounced,
    WindowOpened,
    type_name,
)
from taptable.core.observations import Observation
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Verdict
from taptable.referee.step import Table

Z_95 = 1.959964
"""The two-sided 95 % point of the normal distribution."""

BROKEN_OFF = "broken-off"
STUCK = "stuck"
"""Ends of a game that was not decided: it took too long, or no player could do anything any more."""

FATES = ("stopped", "stopped-after-alarm", "alarm", "unheard")
"""Fates of a window: stopped by the first claim, stopped after a false alarm, not stopped despite false alarms, not
stopped because nobody buzzed."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Figures of one game. `teams` holds each team's seats, `order` the indexes of the teams in the order of their
    first turns, `winners` the indexes of those that won; `announcement_counts` counts announcements by their public
    names, `fates` windows."""

    seed: int
    starter: int
    teams: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    turns: int
    table_us: int
    by: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    announcement_counts: Mapping[str, int]
    fates: Mapping[str, int]
    ties: int


@dataclass(slots=True)
class GameCounter:
    """Counts while a game is played; `count_step` takes every step. A window is unanswered if an announcement says so,
    else it was stopped."""

    announcement_counts: Counter[str] = field(default_factory=Counter[str])
    fates: Counter[str] = field(default_factory=Counter[str])
    turn_seats: list[int] = field(default_factory=list[int])
    ties: int = 0
    _window: bool = False
    _alarms: int = 0

    def count_step(self, before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        """Count one step."""
        del before, observation
        self.count_announcements(verdict.announcements)
        if self._window and after.scoreboard.window is None:
            self._close("stopped-after-alarm" if self._alarms else "stopped")

    def count_announcements(self, announcements: Iterable[Announcement]) -> None:
        """Count announcements."""
        for announcement in announcements:
            self.announcement_counts[type_name(type(announcement))] += 1
            match announcement:
                case TurnAnnounced(seat):
                    self.turn_seats.append(seat)
                case WindowOpened():
                    self._window, self._alarms = True, 0
                case ClaimGiven():
                    self.ties += bool(announcement.tied)
                case ClaimFailed():
                    self._alarms += 1
                case _:
                    pass
            if announcement.unanswered and self._window:
                self._close("alarm" if self._alarms else "unheard")

    def _close(self, fate: str) -> None:
        self.fates[fate] += 1
        self._window = False


def figures_of(table: Table, seed: int, starter: int, counter: GameCounter, undecided: str = BROKEN_OFF) -> GameFigures:
    """Return the figures of a game that is over, or undecided in this way."""
    scoreboard = table.scoreboard
    teams = tuple(team.seats for team in scoreboard.teams)
    outcome = table.game.outcome(table.state)
    first_turns = dict.fromkeys(_team_of(teams, seat) for seat in counter.turn_seats)
    return GameFigures(
        seed=seed,
        starter=starter,
        teams=teams,
        order=tuple(first_turns),
        turns=len(counter.turn_seats),
        table_us=table.at_us,
        by=outcome["by"] if outcome else undecided,
        winners=tuple(i for i, seats in enumerate(teams) if outcome and set(seats) <= set(outcome["winner"])),
        scores=tuple(team.score for team in scoreboard.teams),
        announcement_counts=dict(counter.announcement_counts),
        fates=dict(counter.fates),
        ties=counter.ties,
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """Spread of values: the median, and the bounds that 10 and 90 % of them lie below."""

    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Proportion:
    """`count` of `of`; `low` and `high` bound the true share with 95 % confidence (Wilson)."""

    count: float
    of: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class TeamFigures:
    """Figures of one team over all games; a first place shared by n teams is 1/n win for each of them."""

    seats: tuple[int, ...]
    wins: Proportion
    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of many games. `stuck` holds the seeds of games that got stuck. `wins_by_order` belongs to the team that
    came to its first turn first, second…; `even` is the share of wins if all teams were equal; `announcement_counts`
    and `fates` are sums over all games."""

    games: int
    unit: str
    turns: Spread
    minutes: Spread
    by: Mapping[str, Proportion]
    stuck: tuple[int, ...]
    teams: tuple[TeamFigures, ...]
    wins_by_order: tuple[Proportion, ...]
    even: float
    shared_wins: int
    announcement_counts: Mapping[str, int]
    windows: int
    fates: Mapping[str, Proportion]
    stopped: Proportion
    false_alarms: int
    claims: int
    ties: int


def summarise(games: Sequence[GameFigures], unit: str) -> Summary:
    """Return the summary of one or more games under the same rules."""
    announcement_counts: Counter[str] = Counter()
    fates: Counter[str] = Counter()
    for game in games:
        announcement_counts.update(game.announcement_counts)
        fates.update(game.fates)
    ways = Counter(game.by for game in games)
    decided = [game for game in games if game.winners]
    teams = range(len(games[0].teams))
    windows = fates.total()
    return Summary(
        games=len(games),
        unit=unit,
        turns=spread([game.turns for game in games]),
        minutes=spread([minutes_of(game) for game in games]),
        by={way: proportion(count, len(games)) for way, count in ways.most_common()},
        stuck=tuple(game.seed for game in games if game.by == STUCK),
        teams=tuple(_team_figures(games, decided, team) for team in teams),
        wins_by_order=tuple(
            proportion(
                sum(_win(game, team) for game in decided for team in game.order[place : place + 1]), len(decided)
            )
            for place in teams
        ),
        even=1 / len(teams),
        shared_wins=sum(len(game.winners) > 1 for game in games),
        announcement_counts=dict(sorted(announcement_counts.items())),
        windows=windows,
        fates={fate: proportion(fates[fate], windows) for fate in FATES},
        stopped=proportion(fates["stopped"] + fates["stopped-after-alarm"], windows),
        false_alarms=announcement_counts[type_name(ClaimFailed)],
        claims=announcement_counts[type_name(ClaimGiven)],
        ties=sum(game.ties for game in games),
    )


def minutes_of(game: GameFigures) -> float:
    """Return how many minutes a game took at the table."""
    return game.table_us / US_PER_S / 60


def spread(values: Iterable[float]) -> Spread:
    """Return median, 10 and 90 % of one or more values."""
    return Spread(*quantiles(values, 0.5, 0.1, 0.9))


def quantiles(values: Iterable[float], *parts: float) -> list[float]:
    """Return the bounds below which each of these parts of one or more values lies (the nearest rank, so each is one of
    the values)."""
    ranked = sorted(values)
    return [ranked[max(1, ceil(part * len(ranked))) - 1] for part in parts]


def proportion(count: float, of: int) -> Proportion:
    """Return a share with its Wilson interval; of 0 cases, anything from 0 to 1 may be true."""
    if of == 0:
        return Proportion(count, 0, 0.0, 0.0, 1.0)
    p = count / of
    middle = p + Z_95**2 / (2 * of)
    half = Z_95 * sqrt(p * (1 - p) / of + Z_95**2 / (4 * of**2))
    scale = 1 + Z_95**2 / of
    low = (middle - half) / scale if count else 0.0
    high = (middle + half) / scale if count < of else 1.0
    return Proportion(count, of, p, low, high)


def _team_figures(games: Sequence[GameFigures], decided: Sequence[GameFigures], team: int) -> TeamFigures:
    scores = [game.scores[team] for game in games]
    mean = sum(scores) / len(scores)
    deviation = sqrt(sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)) if len(scores) > 1 else 0.0
    wins = proportion(sum(_win(game, team) for game in decided), len(decided))
    return TeamFigures(games[0].teams[team], wins, mean, deviation)


def _win(game: GameFigures, team: int) -> float:
    return 1 / len(game.winners) if team in game.winners else 0.0


def _team_of(teams: Sequence[tuple[int, ...]], seat: int) -> int:
    return next(index for index, seats in enumerate(teams) if seat in seats)
