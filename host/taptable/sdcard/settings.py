"""The settings of a table, and their text for ``taptable.txt`` on an SD card. `writing` puts that file on the card,
people may change it in any editor, and ``files/first-start`` reads it on the Pi. Must not know the card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from zoneinfo import available_timezones

from taptable.core.errors import ConfigError
from taptable.core.spelling import is_visible

NAME = "Living room"
"""The default name of a table."""

BUILDS: Mapping[str, range] = MappingProxyType({"full": range(2, 7), "compact": range(2, 5), "ready": range(0)})
"""The possible numbers of seats of each build; none where the seats are assigned by touching them.
``files/first-start`` has the same numbers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one table. If `seats` is None, the table has as many as its build can have, or as are assigned.
    If `time_zone` or `country` is None, that of Raspberry Pi Imager or of the system stays. With `network`, phones in
    the network can show the table's page."""

    name: str = NAME
    language: str = "en"
    build: str = "full"
    seats: int | None = None
    network: bool = False
    time_zone: str | None = None
    country: str | None = None


def check(settings: Settings) -> Settings:
    """Return the settings; raise ConfigError if the name, the number of seats, the country or the time zone is wrong.
    The caller has checked that the language and the build exist."""
    if not is_visible(settings.name):
        raise ConfigError(
            f"The table's name can't be {settings.name!r}: it takes one line without invisible characters."
        )
    seats = BUILDS[settings.build]
    if settings.seats is not None and not seats:
        raise ConfigError(f"A {settings.build} build takes no number of seats: they are assigned by touching them.")
    if settings.seats is not None and settings.seats not in seats:
        raise ConfigError(
            f"A {settings.build} build can't have {settings.seats} seats: it takes {seats[0]} to {seats[-1]}."
        )
    if settings.country is not None and not re.fullmatch(r"[A-Z]{2}", settings.country):
        raise ConfigError(f"{settings.country!r} is no country: it takes two capital letters, such as DE.")
    _check_zone(settings.time_zone)
    return settings


def _check_zone(zone: str | None) -> None:
    if zone is None:
        return
    known = available_timezones()  # empty on a Windows without a list of them: then only the Pi can check the name
    if zone in known or (not known and re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", zone)):
        return
    near = get_close_matches(zone, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "it takes a name such as Europe/Berlin."
    raise ConfigError(f"{zone!r} is no time zone: {hint}")


_TEXT = """\
# The settings of this table. Change the text after each =, save this file, and put the card into the Pi. It reads this
# file at its first start, and reports beside it, in taptable-first-start.txt, how that went.

# The table's name on the scoreboard and on the page.
name = {name}

# The language in which it speaks and writes: en, de, fr or nl.
language = {language}

# full: a seat board at each seat. compact: all readers on the Pi itself. ready: parts that plug together.
build = {build}

# The number of seats: 2 to 6 if the build is full, 2 to 4 if it is compact. Empty: as many as the build can have. Leave
# it empty if the build is ready: there you give parts to seats by touching them.
seats = {seats}

# yes: phones in your network can show the table's page. Everybody in the network may watch. People at the table may
# change things, once they have paired their phone. no: only the Pi itself can show the page.
network = {network}

# The Pi's time zone (Europe/Berlin), and the country of its Wi-Fi (DE). Empty: as it was set in Raspberry Pi Imager.
time-zone = {time_zone}
country = {country}
"""


def settings_text(settings: Settings) -> str:
    """Return the text of ``taptable.txt``, with line ends for editors of any system."""
    text = _TEXT.format(
        name=settings.name,
        language=settings.language,
        build=settings.build,
        seats=settings.seats or "",
        network="yes" if settings.network else "no",
        time_zone=settings.time_zone or "",
        country=settings.country or "",
    )
    return "\n".join(line.rstrip() for line in text.splitlines()).replace("\n", "\r\n") + "\r\n"
