"""The installed drivers: ours, and those of other packages, by the entry points ``taptable.drivers``. A fault in one of
them is logged and affects no other part of the table. Must not name any of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any

from taptable.drivers.interface import Address, ClosedPart, Driver, FoundPart, Limit, Part, PartRole, one_thread
from taptable.schema.problems import Check, join_words, unfit_value_error

GROUP = "taptable.drivers"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drivers:
    """The drivers of a table by their kinds, in the order of their ranks. `executor` creates the threads in which their
    calls may block. `left_out` has a sentence about each driver that is installed and unusable. `are_models`: their
    parts are simulated, so nothing that is measured says anything about real parts."""

    kinds: Mapping[str, Driver]
    executor: Callable[[], Executor] = one_thread
    left_out: Sequence[str] = ()
    are_models: bool = False

    def __getitem__(self, kind: str) -> Driver:
        return self.kinds[kind]

    def __iter__(self) -> Iterator[Driver]:
        return iter(self.kinds.values())

    def with_role(self, role: PartRole) -> list[Driver]:
        """Return the drivers that have parts of this role."""
        return [driver for driver in self if role in driver.roles]

    def find(self) -> list[FoundPart]:
        """Return the parts that are plugged in and could be given to a seat, of all kinds. Blocks."""
        found: list[FoundPart] = []
        for driver in self:
            try:
                found += driver.find()
            except Exception as error:  # third-party code may fail in any way
                _log.error("Driver can't look for its parts (%s): %s", driver.kind, _spell(error))
        return found

    def find_closed(self) -> list[ClosedPart]:
        """Return the parts that are plugged in and closed to the user of this process, of all kinds. Blocks."""
        closed: list[ClosedPart] = []
        for driver in self:
            try:
                closed += driver.find_closed()
            except Exception as error:  # third-party code may fail in any way
                _log.error("Driver can't look for closed parts (%s): %s", driver.kind, _spell(error))
        return closed

    def limits_of(self, parts: Sequence[Part]) -> Mapping[Limit, Sequence[Part]]:
        """Return the limits of these parts, each with the parts that have it."""
        limited = {
            limit: [
                part for part in parts if part.role is limit.role and limit in self[part.address.kind].limits_of(part)
            ]
            for limit in Limit
        }
        return {limit: those for limit, those in limited.items() if those}

    def parse_address(self, text: object, role: PartRole | None = None) -> Address | None:
        """Return the address that a value names. Return None if it isn't an address of a driver that has this role."""
        if not isinstance(text, str):
            return None
        kind, colon, name = text.partition(":")
        driver = self.kinds.get(kind)
        if (
            not colon
            or driver is None
            or (role is not None and role not in driver.roles)
            or not driver.accepts_name(name)
        ):
            return None
        return Address(kind, name)


@cache
def installed_drivers() -> Drivers:
    """Return all installed drivers. Leaves out one that can't be loaded, and a second one of a kind; the log says
    why."""
    found: list[Driver] = []
    left_out: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=_is_third_party):
        try:
            driver = _load(point)
            if any(driver.kind == other.kind for other in found):
                raise _Unusable(f"there is another one of the kind {driver.kind}")
        except Exception as error:  # third-party code may fail in any way
            left_out.append(f"driver {point.name} of {point.value} is left out: {_spell(error)}")
            advice = "Install its package in a version for this taptable, or remove it"
            _log.error("Driver left out (%s of %s): %s. %s", point.name, point.value, _spell(error), advice)
        else:
            found.append(driver)
    found.sort(key=lambda driver: (driver.rank, driver.kind))
    return Drivers(MappingProxyType({driver.kind: driver for driver in found}), left_out=tuple(left_out))


class _Unusable(Exception):
    """A driver that loads and can't be used."""


def _is_third_party(point: EntryPoint) -> bool:
    """Return whether a driver isn't one of ours. Ours come first: no other driver can take their place."""
    return point.module.partition(".")[0] != __name__.partition(".")[0]


def _load(point: EntryPoint) -> Driver:
    """Load the driver of an entry point. Raises `_Unusable` if it lacks what every driver has."""
    driver = point.load()()
    if not isinstance(driver, Driver):
        raise _Unusable(f"{type(driver).__name__} is no taptable.drivers.interface.Driver")
    required = ("kind", "roles") if getattr(driver, "roles", None) == {PartRole.DISPLAY} else _REQUIRED
    if missing := [name for name in required if not hasattr(driver, name)]:
        raise _Unusable(f"{type(driver).__name__} has no {join_words(missing)}")
    return driver


_REQUIRED = ("kind", "roles", "accepts", "short", "where")
"""Attributes of drivers whose addresses stand in configurations. Drivers of displays alone need only the first two."""


def address_check(role: PartRole) -> Check:
    """Return the check of a key that takes the address of a part of this role."""

    def check(value: Any) -> Address:
        found = installed_drivers().parse_address(value, role)
        if found is None:
            raise unfit_value_error(
                value, ", or ".join(driver.accepts for driver in installed_drivers().with_role(role))
            )
        return found

    return check


def module_of(driver: Driver, name: str) -> ModuleType | None:
    """Return the module of this name in a driver's folder. Return None if it doesn't exist or can't be imported."""
    module = _module(driver, name)
    return None if isinstance(module, str) else module


def module_error(driver: Driver, name: str) -> str | None:
    """Return why the module of this name in a driver's folder can't be imported. Return None if it can, or if it
    doesn't exist."""
    module = _module(driver, name)
    return module if isinstance(module, str) else None


def _module(driver: Driver, name: str) -> ModuleType | str | None:
    return _import(f"{type(driver).__module__.rpartition('.')[0]}.{name}")


@cache
def _import(path: str) -> ModuleType | str | None:
    """Return a module, the reason why it can't be imported, or None if it doesn't exist."""
    try:
        return import_module(path) if find_spec(path) is not None else None
    except Exception as error:  # third-party code, as in `installed_drivers`
        _log.error("Driver module left out (%s): %s. All that it adds is missing", path, _spell(error))
        return _spell(error)


def _spell(error: Exception) -> str:
    """Spell an error in one line, since every command prints it."""
    return str(error) if isinstance(error, _Unusable) else f"{type(error).__name__}: {error}"
