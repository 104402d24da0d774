"""House rules as data: the name of each setting, its values, and the parsing of its text. Each game lists its settings
in its `options.py`, where limits and defaults are changed. The command line, the configuration and the documentation
are made from these lists. Must not know a game."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches

from taptable.core.errors import ConfigError

US_PER_S = 1_000_000


@dataclass(frozen=True, slots=True)
class Seconds:
    """A house rule that is a span of time, from `least_s` to `most_s` seconds, kept in whole microseconds. If
    `default_s` is None, the default is to have no limit."""

    key: str
    least_s: int
    most_s: int
    default_s: str | None

    @property
    def expected(self) -> str:
        """The valid values, as a phrase for an error message."""
        return f"seconds from {self.least_s} to {self.most_s}"

    @property
    def default_text(self) -> str | None:
        """The default as a configuration has it."""
        return self.default_s

    @property
    def default_us(self) -> int | None:
        """The default in microseconds."""
        return None if self.default_s is None else self.parse(self.default_s)

    def parse(self, text: str) -> int:
        """Return microseconds. Raises ValueError if the text is no number or out of range."""
        try:
            value = Decimal(text)
        except InvalidOperation:
            raise ValueError from None
        if not value.is_finite() or not self.least_s <= value <= self.most_s:
            raise ValueError
        return int((value * US_PER_S).to_integral_value())


@dataclass(frozen=True, slots=True)
class IntSetting:
    """A house rule that is a whole number from `least` to `most`."""

    key: str
    least: int
    most: int
    default: int

    @property
    def default_text(self) -> str:
        """The default as a configuration has it."""
        return str(self.default)

    @property
    def expected(self) -> str:
        """The valid values, as a phrase for an error message."""
        return f"a whole number from {self.least} to {self.most}"

    def parse(self, text: str) -> int:
        """Return the number. Raises ValueError if the text is none or out of range."""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError
        value = int(text)
        if not self.least <= value <= self.most:
            raise ValueError
        return value


@dataclass(frozen=True, slots=True)
class Choice:
    """A house rule that is one of some words. If `default` is None and nobody chooses, the edition decides."""

    key: str
    words: tuple[str, ...]
    default: str | None

    @property
    def default_text(self) -> str | None:
        """The default as a configuration has it."""
        return self.default

    @property
    def expected(self) -> str:
        """The valid values, as a phrase for an error message."""
        return "one of " + ", ".join(self.words)

    def parse(self, text: str) -> str:
        """Return the word. Raises ValueError if it is none of them."""
        if text not in self.words:
            raise ValueError
        return text


class InvalidGameOptions(ConfigError):
    """Options that can't be combined. `key` and `facts` are those of the sentence for players, context
    ``agreement``."""

    def __init__(self, sentence: str, key: str, **facts: object) -> None:
        super().__init__(sentence)
        self.key = key
        self.facts = facts


def unknown_key(key: str, keys: list[str]) -> ConfigError:
    """Return the error for a setting that doesn't exist, with the closest one that does."""
    near = get_close_matches(key, keys, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(keys))}."
    return ConfigError(f"There is no setting {key!r}: {hint}")


def out_of_range(setting: Seconds | IntSetting | Choice, text: str) -> ConfigError:
    """Return the error for a value that a setting can't have."""
    return ConfigError(f"The setting {setting.key} can't be {text!r}: it takes {setting.expected}.")
