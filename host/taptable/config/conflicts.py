"""Finds conflicts between values of ``table.toml`` that are right by themselves: two parts at one place (such as a
pin), a part at a pin that a bus needs, more pads than a driver has room for, more players than seats, a proxy or an
account of which a part is missing. `loading` calls it with the raw data of the file, so that a value that can't be
parsed hides no other problem. It asks the installed drivers which places a part occupies and which are free. Must not
name a driver or know what a place is, nor know the rules of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from taptable.config.model import MAX_SEATS, REFERENCE_DISPLAY, display_part
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.interface import Address, Driver, Part, PartRole
from taptable.drivers.registry import installed_drivers
from taptable.schema.problems import Key, Problem, join_words, spell_key

Section: TypeAlias = Mapping[str, Any]
"""The raw keys and values of a section of ``table.toml``."""

_SUGGESTED = 3
"""The most free addresses that a sentence proposes."""
_SHARED = (PartRole.RESET, PartRole.SWITCH)
"""Places that several parts of equal role may occupy."""
_DRIVERS = installed_drivers()


def find_conflicts(data: Section) -> Iterator[Problem]:
    """Yield every conflict between the values of a configuration."""
    seats = _seats(data)
    pads = list(_pads(data, seats))
    parts = list(_parts(data, pads))
    yield from _too_many_pads(parts)
    yield from _too_many_players(_section(data, "game"), seats)
    yield from _incomplete_proxy(_section(data, "page"))
    for name in ("mqtt", "league"):
        yield from _incomplete_account(name, _section(data, name))
    yield from _split_seats(parts)
    for key, section in pads:
        yield from _keys_of_other_drivers(key, section)
    if "scoreboard" in data:
        display = display_part(_options(data))
        try:
            _DRIVERS[display.address.kind].occupied(display)
        except ValueError as error:
            yield Problem(display.key, f"can't make a display: {error}.")
        else:
            parts.append(display)
    yield from _double_uses(parts)


def _section(data: Section, name: str) -> Section:
    """Return a section, or an empty one if its value isn't a section."""
    value = data.get(name)
    return cast("Section", value) if isinstance(value, dict) else {}


def _seats(data: Section) -> list[tuple[int, Section]]:
    """Return the seats that are sections, each with its index in the list."""
    value = data.get("seats")
    seats = cast("list[Any]", value) if isinstance(value, list) else []
    return [(index, cast("Section", seat)) for index, seat in enumerate(seats) if isinstance(seat, dict)]


def _pads(data: Section, seats: list[tuple[int, Section]]) -> Iterator[tuple[Key, Section]]:
    """Yield the sections that may have a pad, each with its key."""
    for index, seat in seats:
        yield ("seats", index), seat
    yield ("discard",), _section(data, "discard")
    for name, pad in _section(data, "pads").items():
        if isinstance(pad, dict):
            yield ("pads", name), cast("Section", pad)


def _options(data: Section) -> Sequence[str]:
    """Return the display's options, or those of the reference display if the file has no valid ones."""
    options = _section(data, "scoreboard").get("options")
    if not isinstance(options, list) or not all(isinstance(word, str) for word in cast("list[Any]", options)):
        return REFERENCE_DISPLAY
    return cast("list[str]", options)


def _parts(data: Section, pads: Sequence[tuple[Key, Section]]) -> Iterator[Part]:
    """Yield the parts that the file names, without those whose address can't be parsed. If two are at one place, the
    problem is reported for the one that comes later here."""
    for key, section in pads:
        if key[0] != "pads":
            yield from _parts_at(key, section)
    for name, key, role in (("sounder", "pin", PartRole.SOUNDER), ("power", "button", PartRole.POWER)):
        if (address := _DRIVERS.parse_address(_section(data, name).get(key))) is not None:
            yield Part((name, key), role, address)
    for key, section in pads:
        if key[0] == "pads":
            yield from _parts_at(key, section)


def _parts_at(key: Key, section: Section) -> Iterator[Part]:
    """Yield the pad of a section, the lines that its driver has for it, and a seat's button and lamp."""
    last, driver = key[-1], _driver_of(section)
    pad: Pad = last + 1 if isinstance(last, int) else last
    roles = {"pad": PartRole.PAD}
    if driver is not None:
        roles |= {name: role for name, role in driver.pad_keys.items() if isinstance(role, PartRole)}
    if isinstance(pad, int):
        roles |= {"button": PartRole.BUTTON, "lamp": PartRole.LAMP}
    for name, role in roles.items():
        if (address := _DRIVERS.parse_address(section.get(name))) is not None:
            yield Part((*key, name), role, address, pad)


def _driver_of(section: Section) -> Driver | None:
    """Return the driver of a section's pad."""
    address = _DRIVERS.parse_address(section.get("pad"))
    return None if address is None else _DRIVERS[address.kind]


def _too_many_pads(parts: Sequence[Part]) -> Iterator[Problem]:
    """Yield a problem for each seat whose pad finds no room at its driver, which may have at most `most_pads`. The
    discard pad has its place before the seats."""
    for driver in _DRIVERS.with_role(PartRole.PAD):
        if driver.most_pads is None:
            continue
        pads = [part for part in parts if part.role is PartRole.PAD and part.address.kind == driver.kind]
        seats = [part for part in pads if isinstance(part.pad, int)]
        room = driver.most_pads - any(part.pad == DISCARD_PAD for part in pads)
        for part in seats[room:]:
            others = _alternatives(driver, PartRole.PAD)
            message = f"can't be {driver.where}: there is room for {room} seats; it takes {others}."
            yield Problem(part.key, message)


def _alternatives(driver: Driver, role: PartRole) -> str:
    """Return the other kinds that have this role, for a sentence about alternatives."""
    return ", or ".join(other.short for other in _DRIVERS.with_role(role) if other is not driver)


def _too_many_players(game: Section, seats: list[tuple[int, Section]]) -> Iterator[Problem]:
    """Yield more players than seats, or a starter beyond the players."""
    if not seats:
        return
    players = game.get("players", len(seats))
    starter = game.get("starter")
    if not isinstance(players, int) or not 2 <= players <= MAX_SEATS:
        return
    if players > len(seats):
        message = f"can't be {players} at {len(seats)} [[seats]]: it takes at most one for each seat."
        yield Problem(("game", "players"), message)
    elif isinstance(starter, int) and players < starter <= MAX_SEATS:
        yield Problem(("game", "starter"), f"can't be {starter}: it takes a seat from 1 to {players}.")


def _incomplete_proxy(page: Section) -> Iterator[Problem]:
    """Yield a problem if only one of ``proxy`` and ``https`` is given, or if there is a proxy for a page that isn't
    open to a network."""
    for name, other, example in (("https", "proxy", "taptable.local"), ("proxy", "https", "127.0.0.1")):
        if other in page and name not in page:
            message = f'is missing beside {other}: write, for example, {name} = "{example}".'
            yield Problem(("page", name), message, at=("page", other))
    if "proxy" in page and page.get("network") in (None, False):
        message = "is for a page that is open to the network: it takes network = true, or nobody would be paired."
        yield Problem(("page", "proxy"), message)


def _incomplete_account(name: str, broker: Section) -> Iterator[Problem]:
    """Yield a password without a user, and certificates without TLS."""
    if "password_file" in broker and "user" not in broker:
        message = 'is missing beside password_file: write, for example, user = "table".'
        yield Problem((name, "user"), message, at=(name, "password_file"))
    if "ca" in broker and broker.get("tls", name == "league") is False:
        yield Problem((name, "ca"), "is for a broker that speaks TLS: it takes tls = true.")


def _split_seats(parts: Sequence[Part]) -> Iterator[Problem]:
    """Yield a problem for each button or lamp that is on another board than its seat's pad: a driver that
    `is_whole_seat` has pad, button and lamp of a seat at one address."""
    pads = {part.pad: part.address for part in parts if part.role is PartRole.PAD}
    for part in parts:
        pad, driver = pads.get(part.pad), _DRIVERS[part.address.kind]
        if (
            driver.is_whole_seat
            and part.role in (PartRole.BUTTON, PartRole.LAMP)
            and pad is not None
            and part.address != pad
        ):
            own = f'"{pad}", where the pad is, or ' if pad.kind == driver.kind else ""
            message = f'can\'t be "{part.address}": it takes {own}{_alternatives(driver, part.role)}.'
            yield Problem(part.key, message)


def _keys_of_other_drivers(key: Key, section: Section) -> Iterator[Problem]:
    """Yield keys that only other kinds of pads have."""
    driver = _driver_of(section)
    if driver is None:
        return
    for name in section:
        owners = [other for other in _DRIVERS.with_role(PartRole.PAD) if name in other.pad_keys]
        if owners and driver not in owners:
            where = join_words((owner.where for owner in owners), "or")
            message = f'is for a pad {where}, and this one is "{section["pad"]}": leave it out.'
            yield Problem((*key, name), message)


_VERBS: Mapping[PartRole, str] = {
    PartRole.DISPLAY: "can't put the display on",
    PartRole.SWITCH: "can't be behind a switch beside",
}


def _double_uses(parts: Sequence[Part]) -> Iterator[Problem]:
    """Yield places that are occupied already, with free ones to use instead."""
    places = occupied_places(parts)
    buses: dict[Address, str] = {}
    for driver in _DRIVERS:
        buses |= driver.bus_lines([part for part in (*places, *parts) if part.address.kind == driver.kind])
    first: dict[Address, Part] = {}
    for place in places:
        occupant = first.setdefault(place.address, place)
        verb = _VERBS.get(place.role, "can't be")
        refusal, free = f'{verb} "{place.address}"', _free(place.address, places, buses)
        if place.address in buses:
            yield Problem(place.key, f"{refusal}: {buses[place.address]} needs that pin; {free}.")
        elif occupant is not place and not (place.role is occupant.role and place.role in _SHARED):
            how = "uses it through a switch" if occupant.role is PartRole.SWITCH else "is on it already"
            yield Problem(place.key, f"{refusal}: {spell_key(occupant.key)} {how}; {free}.")


def occupied_places(parts: Sequence[Part]) -> list[Part]:
    """Return the places that parts occupy, each as a part at that place. At a driver that `is_whole_seat`, the pad
    stands for its seat's button and lamp, too."""
    places: list[Part] = []
    for part in parts:
        driver = _DRIVERS[part.address.kind]
        if part.role is PartRole.PAD or not driver.is_whole_seat:
            places += driver.occupied(part)
    return places


def boot_lines(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the lines of the Pi's config.txt that the buses of a table with these parts need, each once. Of two speeds
    of a bus the lower one holds: every part works at that."""
    every = [*parts, *(place for place in occupied_places(parts) if place not in parts)]
    lines: dict[str, str] = {}
    for driver in _DRIVERS:
        for line in driver.boot_lines([part for part in every if part.address.kind == driver.kind]):
            setting, _, value = line.rpartition("=")
            if not value.isdecimal():
                lines[line] = line
            elif setting not in lines or int(value) < int(lines[setting].rpartition("=")[2]):
                lines[setting] = line
    return tuple(lines.values())


def _free(address: Address, places: Sequence[Part], buses: Mapping[Address, str]) -> str:
    """Return the part of a sentence that proposes free addresses of the same kind."""
    free = _DRIVERS[address.kind].free({*(place.address for place in places), *buses})
    if isinstance(free, str):
        return free
    if not free:
        return "and nothing of the kind is free"
    return f"{join_words(free[:_SUGGESTED])} {'is' if len(free) == 1 else 'are'} free"
