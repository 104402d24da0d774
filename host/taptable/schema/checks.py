"""Checks of single values. Each takes a value as TOML has it and returns it as the daemon uses it, or raises `Unfit`.
Must not know keys; `config.conflicts` finds values that don't fit together."""

from __future__ import annotations

import re
from collections.abc import Collection
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, cast

from taptable.core.spelling import escape_control_chars, is_visible
from taptable.schema.problems import MAX_IN_TOML, Check, join_words, spell_value, unfit_value_error

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9]\d{0,4})?", re.IGNORECASE)
_MACHINE = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?|[0-9a-f:]*:[0-9a-f:.]*", re.IGNORECASE)
_HTTPS = re.compile(r"https://[^\s/]+(/\S*)?")
_WORD = re.compile(r"[A-Za-z0-9._-]{1,40}")
_LEVELS = re.compile(rf"{_WORD.pattern}(/{_WORD.pattern}){{0,3}}")


def text(value: Any) -> str:
    """Accept a non-empty text in one line."""
    if not isinstance(value, str) or not value.strip():
        raise unfit_value_error(value, "a text in quotes")
    if escape_control_chars(value) != value or len(value.splitlines()) > 1:
        raise unfit_value_error(value, "a text in one line, without control characters")
    return value


def text_or_nothing(value: Any) -> str:
    """Accept a text in one line, or ""."""
    return "" if value == "" else text(value)


def file(value: Any) -> Path:
    """Accept the path of a file. `config.loading` resolves it against the folder of the configuration."""
    return Path(text(value))


def name(value: Any) -> str:
    """Accept a name: a text with something visible and nothing hidden."""
    if not is_visible(text(value)):
        raise unfit_value_error(value, "a name in which something is seen and nothing is hidden")
    return value


def flag(value: Any) -> bool:
    """Accept true or false."""
    if not isinstance(value, bool):
        raise unfit_value_error(value, "true or false, without quotes")
    return value


def ipv4(value: Any) -> str:
    """Accept an IPv4 address."""
    try:
        return str(IPv4Address(value if isinstance(value, str) else ""))
    except ValueError:
        raise unfit_value_error(value, 'an address of IPv4, such as "127.0.0.1"') from None


def _matching(pattern: re.Pattern[str], value: Any, accepts: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise unfit_value_error(value, accepts)
    return value


def host_and_port(value: Any) -> str:
    """Accept a host with or without a port: the part of an address between https:// and the next slash. Return it as
    browsers send it, in lower case and without the default port."""
    accepts = 'a name, with a port or without, such as "taptable.local" or "taptable.local:8443"'
    return _matching(_HOST, value, accepts).lower().removesuffix(":443")


def hostname(value: Any) -> str:
    """Accept a computer's name, or its IPv4 or IPv6 address."""
    accepts = 'a name or an address without a port, such as "broker.local" or "192.168.1.20"'
    return _matching(_MACHINE, value, accepts).lower()


def address_or_path(value: Any) -> str | Path:
    """Accept an https address, or the path of a file."""
    if not isinstance(value, str) or not value.strip() or ("://" in value and not _HTTPS.fullmatch(value)):
        raise unfit_value_error(value, 'an address that begins with "https://", or the path of a file')
    return value if value.startswith("https://") else Path(value)


def topic_prefix(value: Any) -> str:
    """Accept the beginning of an MQTT topic, without characters that have a special meaning."""
    return _matching(_LEVELS, value, 'up to four words of letters, digits, ".", "_" and "-", with a slash between them')


def topic_prefix_or_off(value: Any) -> str:
    """Accept a topic prefix, or "" for none."""
    return "" if value == "" else topic_prefix(value)


def topic_level(value: Any) -> str:
    """Accept one level of a topic."""
    return _matching(_WORD, value, 'a word of letters, digits, ".", "_" and "-"')


def one_of(*words: str) -> Check:
    """Return a check that accepts one of these words."""

    def check(value: Any) -> str:
        if value in words:
            return value
        raise unfit_value_error(value, join_words((spell_value(word) for word in words), "or"))

    return check


def one_number_of(numbers: Collection[int], unit: str) -> Check:
    """Return a check that accepts one of these whole numbers. `unit` ends the sentence about them."""

    def check(value: Any) -> int:
        if type(value) is not int or value not in numbers:
            raise unfit_value_error(value, join_words(numbers, "or") + unit)
        return value

    return check


def integer(least: int, most: int) -> Check:
    """Return a check that accepts a whole number from `least` to `most`."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise unfit_value_error(value, f"a whole number from {least} to {most}")
        return value

    return check


def seconds_or_off(least_s: int, most_s: int) -> Check:
    """Return a check that accepts seconds in a range, or 0 for never. It returns microseconds, or None for never."""

    def check(value: Any) -> int | None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not (value == 0 or least_s <= value <= most_s):
            raise unfit_value_error(value, f"seconds from {least_s} to {most_s}, or 0 for never")
        return round(value * 1_000_000) or None

    return check


def text_list(value: Any) -> tuple[str, ...]:
    """Accept a list of texts."""
    found: list[Any] = cast("list[Any]", value) if isinstance(value, list) else [None]
    if not all(isinstance(word, str) for word in found):
        raise unfit_value_error(cast("object", value), 'a list of texts, such as ["--display", "ssd1309"]')
    return tuple(found)


def house_rule(value: Any) -> str:
    """Accept a house rule's value. Return it as the text that the command line would have."""
    sensible = isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) <= MAX_IN_TOML)
    if isinstance(value, bool) or not sensible:
        raise unfit_value_error(value, "a number, or a text in quotes")
    return str(value)
