"""The drivers that are installed: ours, and those of other packages, by the entry points ``taptable.drivers``. Must not
name any of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any

from taptable.drivers.interface import Address, Driver, Role, one_thread
from taptable.schema.problems import Check, refuse

GROUP = "taptable.drivers"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Drivers:
    """The drivers of a table by their kinds, in the order of their ranks, and what makes the threads in which their
    calls may block."""

    kinds: Mapping[str, Driver]
    executor: Callable[[], Executor] = one_thread

    def __getitem__(self, kind: str) -> Driver:
        return self.kinds[kind]

    def __iter__(self) -> Iterator[Driver]:
        return iter(self.kinds.values())

    def with_role(self, role: Role) -> list[Driver]:
        """Return those that have parts of this role."""
        return [driver for driver in self if role in driver.roles]

    def read(self, text: object, role: Role | None = None) -> Address | None:
        """Return the address that a value names, if it is one of a driver that has parts of this role."""
        if not isinstance(text, str):
            return None
        kind, colon, name = text.partition(":")
        driver = self.kinds.get(kind)
        if not colon or driver is None or (role is not None and role not in driver.roles) or not driver.takes(name):
            return None
        return Address(kind, name)


@cache
def installed() -> Drivers:
    """Return all installed drivers. One that can't be loaded is left out, and the log says why."""
    found: list[Driver] = []
    for point in entry_points(group=GROUP):
        try:
            driver = point.load()()
        except Exception:  # somebody else's package may fail in any way, and takes no other part of the table with it
            _log.exception("driver %s of %s can't be loaded", point.name, point.value)
            continue
        if any(driver.kind == other.kind for other in found):
            _log.error("driver %s of %s is left out: there is another one of that kind", driver.kind, point.value)
            continue
        found.append(driver)
    found.sort(key=lambda driver: (driver.rank, driver.kind))
    return Drivers(MappingProxyType({driver.kind: driver for driver in found}))


def address_of(role: Role) -> Check:
    """Return the check of a key that takes an address of a part of this role."""

    def check(value: Any) -> Address:
        found = installed().read(value, role)
        if found is None:
            raise refuse(value, ", or ".join(driver.accepts for driver in installed().with_role(role)))
        return found

    return check


def module_of(driver: Driver, name: str) -> ModuleType | None:
    """Return the module of this name in a driver's folder; None where it has none."""
    package = type(driver).__module__.rpartition(".")[0]
    path = f"{package}.{name}"
    return import_module(path) if find_spec(path) is not None else None
