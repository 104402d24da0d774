"""The options of a game of ONLINE: players, teams, order of turns, house rules with their limits and defaults, and the
editions as data (R2, R12). `play` and `turns` follow them. Must not know a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from taptable.core.arbiter import PressArbiter, first_press
from taptable.core.game_options import Advice, GameOptions, Value, check_players, int_value, parse_settings
from taptable.core.settings import Choice, IntSetting, InvalidGameOptions, Seconds
from taptable.games.online.cards import CATEGORIES


@dataclass(frozen=True, slots=True)
class Edition:
    """One rule book: what holds in a game by it where the books differ (R12). The fields after `tally` don't differ
    between the books but between versions of our rules: `earlier` sets them. The house rule `HACK_REACH` can override
    `hack_any_card`.

    `starter_left_of_winner`: the seat left of the winner begins the next game (R2.3). `hack_any_card`: hack B reaches
    any card of a row, not only the top one (R7.8). `hack_for_oneself`: a hacker may take a category card for the own
    team (R7.9). `searched_power`, `searched_discard`: a searched card may be a power card, or may be discarded (R8.1).
    `time_counts_cards`: at the end of a time limit the number of category cards decides, not the megabytes (R10.3).
    `solo_needs_limit`: *solo* is only played with a time limit (R10.3). `tally`: a tally is kept over several games
    (R10.4).

    `losses_of_parties`: the numbers of parties with which the tally has losses too (R10.4). `reacts_anywhere`: an
    attacked team may lay any access card out of turn, not only one that repairs the attacked row (R6.2). `arbiter`
    rules which seat pressed first (R7.2). `exchange_owed`: an exchange for which the draw pile was too short gets its
    cards at the reshuffle (R9.2). `repaired_is_up`: a refusal calls a row up once it was repaired, even if it was
    hacked since (R6.2)."""

    id: str
    starter_left_of_winner: bool
    hack_any_card: bool
    hack_for_oneself: bool
    searched_power: bool
    searched_discard: bool
    time_counts_cards: bool
    solo_needs_limit: bool
    tally: bool
    losses_of_parties: tuple[int, ...] = (3,)
    reacts_anywhere: bool = False
    arbiter: PressArbiter = first_press
    exchange_owed: bool = True
    repaired_is_up: bool = False


DE = Edition(
    id="de",
    starter_left_of_winner=False,
    hack_any_card=False,
    hack_for_oneself=True,
    searched_power=False,
    searched_discard=False,
    time_counts_cards=False,
    solo_needs_limit=True,
    tally=False,
)
EN = Edition(
    id="en",
    starter_left_of_winner=True,
    hack_any_card=False,
    hack_for_oneself=False,
    searched_power=True,
    searched_discard=False,
    time_counts_cards=False,
    solo_needs_limit=False,
    tally=False,
)
FR = Edition(
    id="fr",
    starter_left_of_winner=False,
    hack_any_card=True,
    hack_for_oneself=True,
    searched_power=True,
    searched_discard=True,
    time_counts_cards=True,
    solo_needs_limit=True,
    tally=True,
)

EDITIONS: Mapping[str, Edition] = MappingProxyType({"de": DE, "en": EN, "fr": FR, "nl": FR})
"""The editions by their names in a configuration, the default first. `nl` has the rules of `fr`."""

PLAYERS = range(2, 7)
"""The numbers of players that may play."""
PATROL_WINDOW = Seconds("patrol_window_s", least_s=2, most_s=30, default_s="5")
"""How long players may press after a hacker was laid (R7.1)."""
CLAIM = Seconds("claim_s", least_s=1, most_s=120, default_s="10")
"""How long the seat that pressed first may take to show its Cyber Patrol (R7.4). A `DeviceClaim` of the daemon is
something else: it keeps tags or presses from the game."""
SETTLE = Seconds("settle_s", least_s=0, most_s=1, default_s="0.03")
"""How long the referee waits for presses that were made in time but arrive late, before it rules which was first."""
TIME_LIMIT = Seconds("time_limit_s", least_s=1, most_s=86_400, default_s=None)
"""The time from the start of the game after which it ends; by default it has no limit (R10.3)."""
QUOTAS = tuple(
    IntSetting(f"quota_{kind.id}", least=0, most=kind.count, default=default)
    for kind, default in zip(CATEGORIES, (6, 4, 2, 2), strict=True)
)
"""The number of cards of each category that a team must have to win."""
TEAMS = Choice("teams", ("auto", "solo", "two"), "auto")
"""The teams: those of the rule book for this number of players, everybody alone, or two teams (R2.2)."""
WHO_MAY_PATROL = Choice("who_may_patrol", ("anyone", "opponents"), "anyone")
"""The seats that may stop a hacker: all others, or only those of other teams (R7.2)."""
HACK_REACH = Choice("hack_reach", ("top", "any"), None)
"""The cards of a row that a hacker may take: the top one, or any; by default as the edition says (R7.8)."""

SECONDS = (PATROL_WINDOW, CLAIM, SETTLE, TIME_LIMIT)
"""The house rules that take a time."""
CHOICES = (TEAMS, WHO_MAY_PATROL, HACK_REACH)
"""The house rules that take one of some words."""
SETTINGS: Mapping[str, Seconds | IntSetting | Choice] = {s.key: s for s in (*SECONDS, *QUOTAS, *CHOICES)}
"""All house rules by their keys: a table of any edition may set each of them."""

MORE_FILES = Advice("more-files", 2, {quota.key: str(quota.default * 3 // 2) for quota in QUOTAS})
"""The advice to two players to raise the quotas (R10.1). The books advise it without figures. We propose half as many
again."""

TWO_TEAMS = {4: ((1, 3), (2, 4)), 5: ((1, 3, 5), (2, 4)), 6: ((1, 3, 5), (2, 4, 6))}
THREE_TEAMS = {5: ((1, 4), (2, 5), (3,)), 6: ((1, 4), (2, 5), (3, 6))}
"""The seats of each team by the number of players, if there are two teams, and if there are three (R2.2)."""


@dataclass(frozen=True, slots=True)
class Options:
    """The parsed options. `teams` holds the seats of each team, `teams_of_seats` the index of each seat's team, `order`
    the seats in the order of their turns (R2.2)."""

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
    hack_any_card: bool
    starter: int | None

    def team_of(self, seat: int) -> int:
        """Return the index of a seat's team."""
        return self.teams_of_seats[seat - 1]


def make_options(game_options: GameOptions, editions: Mapping[str, Edition]) -> Options:
    """Return options from the texts of a command line or a configuration, by one of these editions. Raises ConfigError
    with what is wrong and what would be right."""
    check_players(game_options, "ONLINE", PLAYERS[0], PLAYERS[-1], editions)
    edition = editions[game_options.edition]
    players, values = game_options.players, parse_settings(SETTINGS, game_options.settings)
    quotas = tuple(int_value(values, setting) for setting in QUOTAS)
    if not any(quotas):
        raise InvalidGameOptions(
            "All four quotas are 0: at least one must be 1 or more, or nobody could win.", "no-quota"
        )
    time_limit_us = None if values[TIME_LIMIT.key] is None else int_value(values, TIME_LIMIT)
    teams = _teams(players, values[TEAMS.key], edition.solo_needs_limit and time_limit_us is None)
    hack_reach = values[HACK_REACH.key]
    return Options(
        players=players,
        edition=edition,
        teams=teams,
        teams_of_seats=tuple(
            next(index for index, seats in enumerate(teams) if seat in seats) for seat in range(1, players + 1)
        ),
        # R2.2: alone against two pairs, seat 3 plays twice a round
        order=(1, 2, 3, 4, 5, 3) if teams == THREE_TEAMS[5] else tuple(range(1, players + 1)),
        quotas=quotas,
        patrol_window_us=int_value(values, PATROL_WINDOW),
        claim_us=int_value(values, CLAIM),
        settle_us=int_value(values, SETTLE),
        time_limit_us=time_limit_us,
        opponents_only=values[WHO_MAY_PATROL.key] == "opponents",
        hack_any_card=edition.hack_any_card if hack_reach is None else hack_reach == "any",
        starter=game_options.starter,
    )


def _teams(players: int, choice: Value, lacks_limit: bool) -> tuple[tuple[int, ...], ...]:
    """Return the teams of R2.2 and its alternatives. `lacks_limit`: *solo* needs a time limit and there is none
    (R10.3)."""
    alone = tuple((seat,) for seat in range(1, players + 1))
    if choice == "solo":
        if players != 4:
            sentence = f"teams=solo is for 4 players, not for {players}: with 2 or 3 everybody plays alone anyway."
            raise InvalidGameOptions(sentence, "solo-players", players=players)
        if lacks_limit:
            sentence = "teams=solo needs a time limit in this edition (R10.3): set time_limit_s as well."
            raise InvalidGameOptions(sentence, "solo-needs-limit")
        return alone
    if choice == "two":
        if players not in TWO_TEAMS:
            raise InvalidGameOptions(
                f"teams=two is for 4 to 6 players, not for {players}.", "two-players", players=players
            )
        return TWO_TEAMS[players]
    return THREE_TEAMS.get(players) or TWO_TEAMS.get(players) or alone
