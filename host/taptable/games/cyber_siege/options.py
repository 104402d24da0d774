"""What is agreed before a game of Cyber Siege begins: players, the deck, who begins and the house rules (S2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, Seconds, Unagreeable, Whole, out_of_range, unknown_key
from taptable.games.cyber_siege.cards import Deck
from taptable.games.cyber_siege.manifest import read_deck

LAUNCH = Seconds("launch_s", 2, 30, "5")
DEFENCE = Seconds("defence_s", 2, 30, "10")
SETTLE = Seconds("settle_s", 0, 1, "0.03")
TARGET_POINTS = Whole("target_points", 1, 99, 16)
SETTINGS: Mapping[str, Seconds | Whole | Choice] = {s.key: s for s in (LAUNCH, DEFENCE, SETTLE, TARGET_POINTS)}

EDITIONS = ("standard",)
PLAYERS = range(2, 5)
RED_EACH, PURPLE_EACH = 6, 3
"""How many cards of each back a deck needs for every player."""


@dataclass(frozen=True, slots=True)
class Options:
    """What is agreed; spans of time in microseconds."""

    players: int
    deck: Deck
    launch_us: int
    defence_us: int
    settle_us: int
    target_points: int
    starter: int | None

    def next_seat(self, seat: int) -> int:
        """The next seat clockwise."""
        return seat % self.players + 1


def make_options(agreed: Agreed) -> Options:
    """Options from the texts of a command line or a configuration; ConfigError says what is wrong and what would be
    right."""
    players, starter = agreed.players, agreed.starter
    if players not in PLAYERS:
        raise Unagreeable(f"Cyber Siege is played by 2 to 4 players, not by {players}.", "players", players=players)
    if agreed.edition not in EDITIONS:
        raise ConfigError(f"There is no edition {agreed.edition!r}: there is {', '.join(EDITIONS)}.")
    if starter is not None and not 1 <= starter <= players:
        raise ConfigError(f"Seat {starter} can't begin: the seats are 1 to {players}.")
    values = {setting.key: setting.default_us or 0 for setting in (LAUNCH, DEFENCE, SETTLE)}
    values[TARGET_POINTS.key] = TARGET_POINTS.default
    for key, text in agreed.settings.items():
        values[key] = _value(key, text)
    return Options(
        players=players,
        deck=_enough(read_deck(agreed.manifest), players),
        launch_us=values[LAUNCH.key],
        defence_us=values[DEFENCE.key],
        settle_us=values[SETTLE.key],
        target_points=values[TARGET_POINTS.key],
        starter=starter,
    )


def _value(key: str, text: str) -> int:
    setting = SETTINGS.get(key)
    if setting is None:
        raise unknown_key(key, list(SETTINGS))
    try:
        value = setting.parse(text)
    except ValueError:
        raise out_of_range(setting, text) from None
    assert isinstance(value, int)  # there is no setting with words to choose from
    return value


def _enough(deck: Deck, players: int) -> Deck:
    """The deck, if there are enough cards in it for so many players."""
    for key, there, each in (("too-few-red", deck.red, RED_EACH), ("too-few-sets", deck.purple, PURPLE_EACH)):
        if there < each * players:
            what = "red cards" if each == RED_EACH else "set cards"
            sentence = f"{players} players need at least {each * players} {what}; the deck has {there}."
            raise Unagreeable(sentence, key, players=players, needed=each * players, there=there)
    return deck
