"""What a single value in the configuration may be: validators for the schema. Each returns the value as the daemon
uses it, or raises `voluptuous.Invalid` with the rest of a sentence that began with the key. Must not know which key
it is for."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address
from typing import Any, TypeAlias, cast

from voluptuous import Invalid

from taptable.config.places import PINS, SPI_DEVICES, OnBoard, OnGpio, OnSpi, Place, read_place
from taptable.config.problems import MOST_IN_TOML, listed, spell_value

Validator: TypeAlias = Callable[[Any], Any]

GPIO_ACCEPTS = f'"gpio:<number>" with a BCM number from {PINS[0]} to {PINS[-1]}'
SPI_ACCEPTS = listed((f'"{OnSpi(*device)}"' for device in SPI_DEVICES), "or")
BOARD_ACCEPTS = '"board:<id>" with up to 32 letters, digits, dots, hyphens and underscores'

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9]\d{0,4})?", re.IGNORECASE)


def refuse(value: object, accepts: str) -> Invalid:
    """What to raise for a value that can't be."""
    return Invalid(f"can't be {spell_value(value)}: it takes {accepts}.")


def text(value: Any) -> str:
    """A text that isn't empty."""
    if not isinstance(value, str) or not value.strip():
        raise refuse(value, "a text in quotes")
    return value


def flag(value: Any) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise refuse(value, "true or false, without quotes")
    return value


def ipv4(value: Any) -> str:
    """An address of IPv4."""
    try:
        return str(IPv4Address(value if isinstance(value, str) else ""))
    except ValueError:
        raise refuse(value, 'an address of IPv4, such as "127.0.0.1"') from None


def host(value: Any) -> str:
    """What stands between https:// and the next slash in an address, as a browser says it."""
    if not isinstance(value, str) or not _HOST.fullmatch(value):
        raise refuse(value, 'a name, with a port or without, such as "taptable.local" or "taptable.local:8443"')
    return value.lower().removesuffix(":443")


def one_of(*words: str) -> Validator:
    """One of a few words."""

    def check(value: Any) -> str:
        if value in words:
            return value
        raise refuse(value, listed((spell_value(word) for word in words), "or"))

    return check


def whole(least: int, most: int) -> Validator:
    """A whole number in a range."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise refuse(value, f"a whole number from {least} to {most}")
        return value

    return check


def seconds_or_off(least_s: int, most_s: int) -> Validator:
    """Seconds in a range, or 0 for never; given back in microseconds, or None for never."""

    def check(value: Any) -> int | None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not (value == 0 or least_s <= value <= most_s):
            raise refuse(value, f"seconds from {least_s} to {most_s}, or 0 for never")
        return round(value * 1_000_000) or None

    return check


def place(*kinds: type[Place]) -> Validator:
    """Where a part is, of the given kinds."""
    words = {OnBoard: BOARD_ACCEPTS, OnSpi: SPI_ACCEPTS, OnGpio: GPIO_ACCEPTS}
    accepts = ", or ".join(words[kind] for kind in kinds)

    def check(value: Any) -> Place:
        found = read_place(value) if isinstance(value, str) else None
        if not isinstance(found, kinds):
            raise refuse(value, accepts)
        return found

    return check


def words(value: Any) -> tuple[str, ...]:
    """A list of texts."""
    found: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [None]
    if not all(isinstance(word, str) for word in found):
        raise refuse(cast("object", value), 'a list of texts, such as ["--display", "ssd1309"]')
    return tuple(found)


def setting(value: Any) -> str:
    """A house rule, as the text that the command line would have."""
    sensible = isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) <= MOST_IN_TOML)
    if isinstance(value, bool) or not sensible:
        raise refuse(value, "a number, or a text in quotes")
    return str(value)
