"""What is agreed before a game of ONLINE begins: players, teams, the order of turns, edition and house rules
(R2, R12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, Seconds, Unagreeable, Whole, out_of_range, unknown_key
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.editions import EDITIONS, Edition

PATROL_WINDOW = Seconds("patrol_window_s", 2, 30, "5")
CLAIM = Seconds("claim_s", 1, 120, "10")
SETTLE = Seconds("settle_s", 0, 1, "0.03")
TIME_LIMIT = Seconds("time_limit_s", 1, 86_400, None)
QUOTAS = tuple(
    Whole(f"quota_{kind.id}", 0, kind.count, default) for kind, default in zip(CATEGORIES, (6, 4, 2, 2), strict=True)
)
TEAMS = Choice("teams", ("auto", "solo", "two"), "auto")
WHO_MAY_PATROL = Choice("who_may_patrol", ("anyone", "opponents"), "anyone")

SECONDS = (PATROL_WINDOW, CLAIM, SETTLE, TIME_LIMIT)
CHOICES = (TEAMS, WHO_MAY_PATROL)
SETTINGS: Mapping[str, Seconds | Whole | Choice] = {s.key: s for s in (*SECONDS, *QUOTAS, *CHOICES)}

TWO_TEAMS = {4: ((1, 3), (2, 4)), 5: ((1, 3, 5), (2, 4)), 6: ((1, 3, 5), (2, 4, 6))}
THREE_TEAMS = {5: ((1, 4), (2, 5), (3,)), 6: ((1, 4), (2, 5), (3, 6))}


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed. `teams` holds the seats of each team, `teams_of_seats` the index of each seat's team, `order` the
    seats in the order of their turns (R2.2)."""

    players: int
    edition: Edition
    teams: tuple[tuple[int, ...], ...]
    teams_of_seats: tuple[int, ...]
    order: tuple[int, ...]
    quotas: tuple[int, ...]
    patrol_window_us: int
    claim_us: int
    settle_us: int
    time_limit_us: int | None
    opponents_only: bool
    starter: int | None

    def team_of(self, seat: int) -> int:
        """The index of a seat's team."""
        return self.teams_of_seats[seat - 1]


def make_options(players: int, edition: str, settings: Mapping[str, str], starter: int | None) -> Options:
    """Options from the texts of a command line or a configuration; ConfigError says what is wrong and what would be
    right."""
    if not 2 <= players <= 6:
        raise Unagreeable(f"ONLINE is played by 2 to 6 players, not by {players}.", "players", players=players)
    if edition not in EDITIONS:
        raise ConfigError(f"There is no edition {edition!r}: there are {', '.join(sorted(EDITIONS))}.")
    if starter is not None and not 1 <= starter <= players:
        raise ConfigError(f"Seat {starter} can't begin: the seats are 1 to {players}.")
    seconds: dict[str, int | None] = {setting.key: setting.default_us for setting in SECONDS}
    numbers = {setting.key: setting.default for setting in QUOTAS}
    words = {setting.key: setting.default for setting in CHOICES}
    for key, text in settings.items():
        setting = SETTINGS.get(key)
        if setting is None:
            raise unknown_key(key, list(SETTINGS))
        try:
            match setting:
                case Seconds():
                    seconds[key] = setting.parse(text)
                case Whole():
                    numbers[key] = setting.parse(text)
                case Choice():
                    words[key] = setting.parse(text)
        except ValueError:
            raise out_of_range(setting, text) from None
    quotas = tuple(numbers[setting.key] for setting in QUOTAS)
    if not any(quotas):
        raise Unagreeable("All four quotas are 0: at least one must be 1 or more, or nobody could win.", "no-quota")
    time_limit_us = seconds[TIME_LIMIT.key]
    teams = _teams(players, words[TEAMS.key], time_limit_us)
    return Options(
        players=players,
        edition=EDITIONS[edition],
        teams=teams,
        teams_of_seats=tuple(
            next(index for index, seats in enumerate(teams) if seat in seats) for seat in range(1, players + 1)
        ),
        # R2.2: alone against two pairs, seat 3 plays twice a round
        order=(1, 2, 3, 4, 5, 3) if teams == THREE_TEAMS[5] else tuple(range(1, players + 1)),
        quotas=quotas,
        patrol_window_us=seconds[PATROL_WINDOW.key] or 0,
        claim_us=seconds[CLAIM.key] or 0,
        settle_us=seconds[SETTLE.key] or 0,
        time_limit_us=time_limit_us,
        opponents_only=words[WHO_MAY_PATROL.key] == "opponents",
        starter=starter,
    )


def _teams(players: int, wanted: str, time_limit_us: int | None) -> tuple[tuple[int, ...], ...]:
    """The teams of R2.2 and its alternatives."""
    alone = tuple((seat,) for seat in range(1, players + 1))
    if wanted == "solo":
        if players != 4:
            sentence = f"teams=solo is for 4 players, not for {players}: with 2 or 3 everybody plays alone anyway."
            raise Unagreeable(sentence, "solo-players", players=players)
        if time_limit_us is None:
            sentence = "teams=solo needs a time limit (R10.3): set time_limit_s as well."
            raise Unagreeable(sentence, "solo-needs-limit")
        return alone
    if wanted == "two":
        if players not in TWO_TEAMS:
            raise Unagreeable(f"teams=two is for 4 to 6 players, not for {players}.", "two-players", players=players)
        return TWO_TEAMS[players]
    return THREE_TEAMS.get(players) or TWO_TEAMS.get(players) or alone
