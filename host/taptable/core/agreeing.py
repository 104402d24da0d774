"""What every game checks of an agreement: how many play, by which edition, who begins, and house rules by their list.
Whatever can't be is a ConfigError that says what would be right."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.core.settings import Choice, Seconds, Unagreeable, Whole, out_of_range, unknown_key

Value = int | str | None
"""Of a house rule: microseconds (None: none), a whole number or a word."""


def check_players(agreed: Agreed, title: str, least: int, most: int, editions: Collection[str]) -> None:
    """So many may play the game of this title, there is such an edition, and the starter is one of them."""
    players = agreed.players
    if not least <= players <= most:
        sentence = f"{title} is played by {least} to {most} players, not by {players}."
        raise Unagreeable(sentence, "players", players=players)
    if agreed.edition not in editions:
        there = f"there {'are' if len(editions) > 1 else 'is'} {', '.join(sorted(editions))}"
        raise ConfigError(f"There is no edition {agreed.edition!r}: {there}.")
    if agreed.starter is not None and not 1 <= agreed.starter <= players:
        raise ConfigError(f"Seat {agreed.starter} can't begin: the seats are 1 to {players}.")


def values_of(settings: Mapping[str, Seconds | Whole | Choice], texts: Mapping[str, str]) -> dict[str, Value]:
    """The value of every house rule, its default where nothing is said."""
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


def number(values: Mapping[str, Value], setting: Seconds | Whole) -> int:
    """The value of a house rule that is always a number: of a span in microseconds."""
    value = values[setting.key]
    assert isinstance(value, int)
    return value


def _default(setting: Seconds | Whole | Choice) -> Value:
    return setting.default_us if isinstance(setting, Seconds) else setting.default
