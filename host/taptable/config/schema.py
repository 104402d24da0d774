"""Which sections and keys a configuration has, with their defaults, and what a single value may be: the one place where
that is listed. Each value is checked by itself and comes out as the daemon uses it; what doesn't fit together is found
in `wiring`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Address
from typing import Any, NoReturn, TypeAlias, cast

from voluptuous import REMOVE_EXTRA, Invalid, Marker, MultipleInvalid, Optional, Required, Schema

from taptable.config.model import GAIN_DB, GAINS_DB, PINS, SPI_DEVICES, OnBoard, OnGpio, OnSpi, Place, read_place
from taptable.config.problems import MOST_IN_TOML, listed, spell_value
from taptable.core.spelling import is_visible, plain
from taptable.words import LANGUAGES

Validator: TypeAlias = Callable[[Any], Any]

GPIO_ACCEPTS = f'"gpio:<number>" with a BCM number from {PINS[0]} to {PINS[-1]}'
SPI_ACCEPTS = listed((f'"{OnSpi(*device)}"' for device in SPI_DEVICES), "or")
BOARD_ACCEPTS = '"board:<id>" with up to 32 letters, digits, dots, hyphens and underscores'

_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[1-9]\d{0,4})?", re.IGNORECASE)
_MACHINE = re.compile(r"[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?|[0-9a-f:]*:[0-9a-f:.]*", re.IGNORECASE)
_HTTPS = re.compile(r"https://[^\s/]+(/\S*)?")
_LEVELS = re.compile(r"[A-Za-z0-9._-]{1,40}(/[A-Za-z0-9._-]{1,40}){0,3}")


def refuse(value: object, accepts: str) -> Invalid:
    """What to raise for a value that can't be."""
    return Invalid(f"can't be {spell_value(value)}: it takes {accepts}.")


def text(value: Any) -> str:
    """A text that isn't empty, in one line."""
    if not isinstance(value, str) or not value.strip():
        raise refuse(value, "a text in quotes")
    if plain(value) != value or len(value.splitlines()) > 1:
        raise refuse(value, "a text in one line, without control characters")
    return value


def name(value: Any) -> str:
    """What something is called."""
    if not is_visible(text(value)):
        raise refuse(value, "a name in which something is seen and nothing is hidden")
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


def machine(value: Any) -> str:
    """The name of a computer, or its address in IPv4 or IPv6."""
    if not isinstance(value, str) or not _MACHINE.fullmatch(value):
        raise refuse(value, 'a name or an address without a port, such as "broker.local" or "192.168.1.20"')
    return value.lower()


def address_or_path(value: Any) -> str:
    """An address of https, or the path of a file."""
    if not isinstance(value, str) or not value.strip() or ("://" in value and not _HTTPS.fullmatch(value)):
        raise refuse(value, 'an address that begins with "https://", or the path of a file')
    return value


def levels(value: Any) -> str:
    """The beginning of a topic of MQTT, in which no character has a meaning of its own."""
    if not isinstance(value, str) or not _LEVELS.fullmatch(value):
        raise refuse(value, 'up to four words of letters, digits, ".", "_" and "-", with a slash between them')
    return value


def levels_or_off(value: Any) -> str:
    """The same, or "" for none."""
    return "" if value == "" else levels(value)


def word(value: Any) -> str:
    """What one level of a topic may be called."""
    if not isinstance(value, str) or "/" in value or not _LEVELS.fullmatch(value):
        raise refuse(value, 'a word of letters, digits, ".", "_" and "-"')
    return value


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


def gain(value: Any) -> int:
    """A gain of a reader's receiver, in dB."""
    if type(value) is not int or value not in GAINS_DB:
        raise refuse(value, f"{listed(GAINS_DB, 'or')}, the gains in dB that the MFRC522 has")
    return value


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


MOST_SEATS = 6
REFERENCE_DISPLAY = ["--display", "ssd1309", "--interface", "i2c"]

Keys: TypeAlias = Mapping[Marker, Validator]


def _needed(name: str, example: str) -> Required:
    return Required(name, msg=f"is missing: write, for example, {example}.")


TABLE: Keys = {
    Optional("name", default="taptable"): name,
    Optional("language", default="en"): one_of(*LANGUAGES),
    Optional("journal", default="journal.sqlite"): text,
    Optional("decks", default="decks"): text,
    _needed("deck", 'deck = "family"'): text,
}
GAME: Keys = {
    Optional("name", default="online"): text,
    Optional("edition"): text,
    Optional("players"): whole(2, MOST_SEATS),
    Optional("starter"): whole(1, MOST_SEATS),
}
SEAT: Keys = {
    _needed("pad", 'pad = "board:e6616407e3496a28" or pad = "spi:0.1"'): place(OnBoard, OnSpi),
    Optional("reset"): place(OnGpio),
    Optional("gain_db", default=GAIN_DB): gain,
    _needed("button", 'button = "board:e6616407e3496a28" or button = "gpio:17"'): place(OnGpio, OnBoard),
    Optional("lamp"): place(OnGpio, OnBoard),
}
DISCARD: Keys = {
    _needed("pad", 'pad = "board:e6616407e3496a28" or pad = "spi:0.0"'): place(OnBoard, OnSpi),
    Optional("reset"): place(OnGpio),
    Optional("gain_db", default=GAIN_DB): gain,
}
EXTRA_PAD: Keys = {
    _needed("pad", 'pad = "board:e6616407e3496a28" or pad = "spi:1.0"'): place(OnBoard, OnSpi),
    Optional("reset"): place(OnGpio),
    Optional("gain_db", default=GAIN_DB): gain,
}
SCOREBOARD: Keys = {
    Optional("options", default=REFERENCE_DISPLAY): words,
}
SOUNDER: Keys = {
    _needed("pin", 'pin = "gpio:12"'): place(OnGpio),
    Optional("mute", default=False): flag,
}
REMINDER: Keys = {
    Optional("stop_s", default=45): seconds_or_off(5, 3600),
}
PAGE: Keys = {
    Optional("port", default=8137): whole(1024, 65535),
    Optional("network", default=False): flag,
    Optional("proxy"): ipv4,
    Optional("https"): host,
}
SPEECH: Keys = {
    Optional("device"): text,
    Optional("words_per_minute", default=160): whole(80, 400),
    Optional("explain", default=False): flag,
}
MQTT: Keys = {
    _needed("host", 'host = "localhost"'): machine,
    Optional("port"): whole(1, 65535),
    Optional("tls", default=False): flag,
    Optional("ca"): text,
    Optional("user"): text,
    Optional("password_file"): text,
    Optional("base", default="taptable"): levels,
    Optional("discovery", default="homeassistant"): levels_or_off,
    Optional("commands", default=False): flag,
    Optional("names", default=False): flag,
}
LEAGUE: Keys = {
    _needed("host", 'host = "league.example.org"'): machine,
    Optional("port"): whole(1, 65535),
    Optional("tls", default=True): flag,
    Optional("ca"): text,
    _needed("table", 'table = "ab12cd34", as the league calls it'): word,
    _needed("key_file", 'key_file = "league.key"'): text,
}
UPDATES: Keys = {
    _needed("from", 'from = "https://example.org/taptable.json"'): address_or_path,
}
POWER: Keys = {
    _needed("button", 'button = "gpio:21"'): place(OnGpio),
}

SECTIONS: Mapping[str, Keys] = {
    "table": TABLE,
    "game": GAME,
    "seats": SEAT,
    "discard": DISCARD,
    "pads": EXTRA_PAD,
    "scoreboard": SCOREBOARD,
    "sounder": SOUNDER,
    "reminder": REMINDER,
    "page": PAGE,
    "speech": SPEECH,
    "power": POWER,
    "mqtt": MQTT,
    "league": LEAGUE,
    "updates": UPDATES,
}
"""The keys of each section; [game.house_rules] has those of the game, and [pads] a section for each pad."""


def names(keys: Keys) -> list[str]:
    """The names of the keys of a section."""
    return [str(marker) for marker in keys]


Check: TypeAlias = Callable[[Mapping[str, Any]], tuple[Mapping[str, Any], list[Invalid]]]
"""Gives the values of the sections that are right, defaults filled in, and everything that is wrong with the others."""


def check(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Invalid]]:
    """A `Check` of a table's configuration."""
    return _check(data)


def check_of(sections: Mapping[Marker, Keys]) -> Check:
    """A `Check` of a configuration that has these sections and no others."""
    headings = {str(marker): f"[{marker}]" for marker in sections}
    return _check_of({marker: _section(str(marker), keys) for marker, keys in sections.items()}, headings)


def _check_of(checks: Keys, headings: Mapping[str, str]) -> Check:
    known = {Optional(name): object for name in headings}
    unknown = {_unknown(list(headings), "section", headings.__getitem__): object}
    schemas = [Schema({**known, **unknown})]
    schemas += [Schema({marker: validator}, extra=REMOVE_EXTRA) for marker, validator in checks.items()]

    def check_data(data: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Invalid]]:
        found: dict[str, Any] = {}
        wrong: list[Invalid] = []
        for schema in schemas:
            try:
                found |= cast("dict[str, Any]", schema(data))
            except MultipleInvalid as several:
                wrong += several.errors
        return found, wrong

    return check_data


def _unknown(known: list[str], what: str, spell: Callable[[str], str]) -> Callable[[Any], NoReturn]:
    """Matches no key, and says which was meant."""

    def refuse_key(key: Any) -> NoReturn:
        near = get_close_matches(str(key), known, n=1)
        hint = f"did you mean {spell(near[0])}?" if near else f"there are {listed(map(spell, known))}."
        raise Invalid(f"is no {what}: {hint}")

    return refuse_key


def _section(name: str, keys: Keys) -> Validator:
    """A section with these keys and no others."""
    schema = Schema({**keys, _unknown(names(keys), "setting", str): object})

    def check_section(value: Any) -> Any:
        if not isinstance(value, dict):
            raise Invalid(f"can't be {spell_value(value)}: it takes a section, which begins with a line [{name}].")
        return cast("Any", schema(value))

    return check_section


def _seats(value: Any) -> list[Any]:
    """The seats, every one of them checked."""
    if not isinstance(value, list):
        raise Invalid(
            f"can't be {spell_value(value)}: each seat takes a section of its own, begun by a line [[seats]]."
        )
    seats = cast("list[Any]", value)
    found, wrong = _each(lambda _: _section("[seats]", SEAT), enumerate(seats))
    if not 2 <= len(seats) <= MOST_SEATS:
        wrong.insert(0, Invalid(f"can't be {len(seats)} of them: a table has 2 to {MOST_SEATS} seats."))
    if wrong:
        raise MultipleInvalid(wrong)
    return list(found.values())


def _pads(value: Any) -> dict[str, Any]:
    """The pads beside those of the seats and the discard pile: their names are the games' affair."""
    if not isinstance(value, dict):
        raise Invalid(
            f"can't be {spell_value(value)}: each pad takes a section of its own, begun by a line [pads.<name>]."
        )
    found, wrong = _each(lambda name: _section(f"pads.{name}", EXTRA_PAD), cast("dict[str, Any]", value).items())
    if wrong:
        raise MultipleInvalid(wrong)
    return found


def _each(
    check_of: Callable[[Any], Validator], items: Iterable[tuple[Any, Any]]
) -> tuple[dict[Any, Any], list[Invalid]]:
    """Every one of them checked, by its key, and what is wrong with the others."""
    found: dict[Any, Any] = {}
    wrong: list[Invalid] = []
    for key, item in items:
        try:
            found[key] = check_of(key)(item)
        except Invalid as error:
            error.prepend([key])
            wrong += error.errors if isinstance(error, MultipleInvalid) else [error]
    return found, wrong


def _house_rules(value: Any) -> dict[str, str]:
    """House rules: their names are the game's affair."""
    if not isinstance(value, dict):
        raise Invalid(
            f"can't be {spell_value(value)}: it takes a section, which begins with a line [game.house_rules]."
        )
    return cast("dict[str, str]", Schema({str: setting})(value))


_HEADINGS = {name: f"[{name}]" for name in SECTIONS} | {"seats": "[[seats]]", "pads": "[pads.<name>]"}

_CHECKS: Keys = {
    _needed("table", 'a line [table] and below it deck = "family"'): _section("table", TABLE),
    Optional("game", default=dict): _section("game", {**GAME, Optional("house_rules", default=dict): _house_rules}),
    _needed("seats", 'for each seat a line [[seats]] and below it pad = "board:…" and button = "board:…"'): _seats,
    _needed("discard", 'a line [discard] and below it pad = "spi:0.0"'): _section("discard", DISCARD),
    Optional("pads", default=dict): _pads,
    Optional("scoreboard"): _section("scoreboard", SCOREBOARD),
    Optional("sounder"): _section("sounder", SOUNDER),
    Optional("reminder", default=dict): _section("reminder", REMINDER),
    Optional("page"): _section("page", PAGE),
    Optional("speech"): _section("speech", SPEECH),
    Optional("power"): _section("power", POWER),
    Optional("mqtt"): _section("mqtt", MQTT),
    Optional("league"): _section("league", LEAGUE),
    Optional("updates"): _section("updates", UPDATES),
}

_check = _check_of(_CHECKS, _HEADINGS)
