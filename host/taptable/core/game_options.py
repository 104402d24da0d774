"""The agreements before a game, as texts: a command line, a configuration, a page and a journal all write it like this.
Each game decides in its `options.py` what it allows. This module has the checks that all games share; they raise
ConfigError with what would be right. Must not know a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, IntSetting, InvalidGameOptions, Seconds, out_of_range, unknown_key

Value = int | str | None
"""The value of a house rule: microseconds (None: none), a whole number or a word."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The number of players, the edition, the house rules, and the seat that begins (None: the youngest). `manifest` is
    the JSON text that describes the cards, "" for a game whose cards are the same at every table."""

    players: int
    edition: str
    settings: Mapping[str, str]
    starter: int | None
    manifest: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """House rules recommended for this number of players, in the texts of a configuration. The sentence that offers
    them is in the game's catalogues, context ``advice``; its fields are the keys of `settings`."""

    key: str
    players: int
    settings: Mapping[str, str]


def check_players(game_options: GameOptions, title: str, least: int, most: int, editions: Collection[str]) -> None:
    """Check the number of players, the edition and the starter for the game of this title. Raises InvalidGameOptions or
    ConfigError."""
    players = game_options.players
    if not least <= players <= most:
        sentence = f"{title} is played by {least} to {most} players, not by {players}."
        raise InvalidGameOptions(sentence, "players", players=players)
    if game_options.edition not in editions:
        available = f"there {'are' if len(editions) > 1 else 'is'} {', '.join(sorted(editions))}"
        raise ConfigError(f"There is no edition {game_options.edition!r}: {available}.")
    if game_options.starter is not None and not 1 <= game_options.starter <= players:
        raise ConfigError(f"Seat {game_options.starter} can't begin: the seats are 1 to {players}.")


def parse_settings(settings: Mapping[str, Seconds | IntSetting | Choice], texts: Mapping[str, str]) -> dict[str, Value]:
    """Return the value of every house rule; its default where `texts` has none. Raises ConfigError for an unknown key
    or a value out of range."""
    values: dict[str, Value] = {key: _default(setting) for key, setting in settings.items()}
    for key, text in texts.items():
        setting = settings.get(key)
        if setting is None:
            raise unknown_key(key, list(settings))
        try:
            values[key] = setting.parse(text)
        except ValueError:
            raise out_of_range(setting, text) from None
    return values


def int_value(values: Mapping[str, Value], setting: Seconds | IntSetting) -> int:
    """Return the value of a house rule that is always a number; a span is in microseconds."""
    value = values[setting.key]
    assert isinstance(value, int)
    return value


def _default(setting: Seconds | IntSetting | Choice) -> Value:
    return setting.default_us if isinstance(setting, Seconds) else setting.default
