"""The plan of an evening, drawn from its seed before it begins: the game and the table, the players, and every fault as
a value, so that an evening can be played again with only some of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from taptable.core.game_options import GameOptions
from taptable.sim.people import NO_SLIPS, Slips

if TYPE_CHECKING:
    from soak.kinds import Kind

CHIPS_EVERY = 25
"""One evening in this many has models of the reader chips below the drivers; the others have stand-ins for the
readers."""
GAMES = {"online": (2, 6), "cyber-siege": (2, 4), "xnet": (3, 6)}
"""The least and most players of each game."""
SHORT: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "online": (
        {"quota_email": "1", "quota_music": "1", "quota_movie": "0", "quota_game": "0"},
        {"quota_email": "2", "quota_music": "1", "quota_movie": "1", "quota_game": "0"},
        {"quota_email": "3", "quota_music": "0", "quota_movie": "0", "quota_game": "1"},
    ),
    "cyber-siege": ({"target_points": "3"}, {"target_points": "5"}, {"target_points": "8"}),
    "xnet": ({"target_points": "10"}, {"target_points": "15"}, {"target_points": "25"}),
}
"""House rules by which a game is over soon; one evening in `LONG_EVERY` has none."""
LONG_EVERY = 25
FULL, BUTTONS_ON_BOARDS, ALL_ON_BOARDS, COMPACT = "full", "buttons on boards", "all on boards", "compact"
READY, READERS_ON_I2C, ON_CONTROLLERS, MIXED = "ready", "readers on I2C", "buttons on controllers", "mixed"
USB, USB_EVERY = "usb", 8
"""One evening in so many is at boxed readers, whatever its seed would draw."""
WEIGHTS: Mapping[str, int] = {
    FULL: 5,
    BUTTONS_ON_BOARDS: 3,
    ALL_ON_BOARDS: 1,
    COMPACT: 2,
    READY: 5,
    READERS_ON_I2C: 1,
    ON_CONTROLLERS: 2,
    MIXED: 3,
}
"""How often each build is drawn, against the others."""
PARTS_OF: Mapping[str, Collection[str]] = {
    FULL: ("board", "spi", "gpio"),
    BUTTONS_ON_BOARDS: ("board", "spi", "gpio"),
    ALL_ON_BOARDS: ("board",),
    COMPACT: ("spi", "gpio"),
    READY: ("i2c", "input", "led"),
    USB: ("pcsc", "input", "led"),
    READERS_ON_I2C: ("i2c", "gpio"),
    ON_CONTROLLERS: ("board", "spi", "gpio", "input", "led"),
    MIXED: ("board", "spi", "gpio", "i2c", "input", "led"),
}
"""The kinds of the parts of each build, beside the display."""
MAX_AT_COMPACT = 4
LANGUAGES = ("de", "en", "fr", "nl")
MEAN_GAPS_S = (8.0, 15.0, 30.0, 60.0)
"""From one fault to the next in the mean, in lively evenings and in quiet ones."""
MAX_FAULTS = 60

Value: TypeAlias = int | float | str | bool


@dataclass(frozen=True)
class Fault:
    """A fault at a time in the evening, in seconds: one of `faults.KINDS`, and its arguments. `number` is its place
    among those that were drawn."""

    number: int
    at_s: float
    kind: str
    about: Mapping[str, Value]

    def __str__(self) -> str:
        about = ", ".join(f"{key}={value}" for key, value in self.about.items())
        return f"{self.number}: at {self.at_s:.1f} s {self.kind}({about})"


@dataclass(frozen=True)
class Plan:
    """An evening before it begins."""

    seed: int
    game: str
    game_options: GameOptions
    build: str
    seats: int
    language: str
    slips: Slips
    games: int
    members: tuple[int, ...]
    """The seats at which members tap their cards before the first game."""
    chips: bool
    bridge: bool
    races: bool
    """True if two want to be first in each window."""
    faults: tuple[Fault, ...]


def plan(seed: int, kinds: Mapping[str, Kind]) -> Plan:
    """The evening of a seed, with faults of these kinds."""
    rng = Random(f"evening {seed}")
    game = rng.choices(list(GAMES), (5, 3, 2))[0]
    least, most = GAMES[game]
    build = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    if seed % USB_EVERY == USB_EVERY - 2:
        build = USB
    if build == COMPACT:
        most = min(most, MAX_AT_COMPACT)
    players = min(most, rng.choices(range(least, least + 3), (3, 3, 1))[0])
    seats = players if build == COMPACT else min(6, players + rng.choice((0, 0, 1)))
    rules = {} if rng.randrange(LONG_EVERY) == 0 else rng.choice(SHORT[game])
    edition = rng.choice(("de", "en", "fr")) if game == "online" else "standard"
    starter = rng.choice((None, 1, players))
    slips = rng.choice((NO_SLIPS, Slips(0.0), Slips(0.05, 0.04, 0.03, 0.02, 0.4, 0.06)))
    return Plan(
        seed=seed,
        game=game,
        game_options=GameOptions(players, edition, rules, starter),
        build=build,
        seats=seats,
        language=rng.choice(LANGUAGES),
        slips=slips,
        games=rng.choices((1, 2, 3), (6, 2, 1))[0],
        members=tuple(seat for seat in range(1, players + 1) if rng.random() < 0.3),
        chips=seed % CHIPS_EVERY == CHIPS_EVERY - 1,
        bridge=rng.random() < 0.25,
        races=rng.random() < 0.5,
        faults=tuple(_faults(Random(f"faults {seed}"), kinds, PARTS_OF[build])),
    )


def _faults(rng: Random, kinds: Mapping[str, Kind], parts: Collection[str]) -> list[Fault]:
    possible = sorted(name for name, kind in kinds.items() if kind.part in ("", *parts))
    gap_s, at_s = rng.choice(MEAN_GAPS_S), 2.0
    drawn: list[Fault] = []
    for number in range(MAX_FAULTS):
        at_s += rng.expovariate(1 / gap_s)
        kind = rng.choice(possible)
        drawn.append(Fault(number, round(at_s, 3), kind, kinds[kind].draw(rng)))
    return drawn
