"""What the doctor asks of drivers: a driver's folder has a module ``doctor`` whose `DOCTOR` is a class, where
there is something to examine beside what every part is asked."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from taptable.core.observations import Pad
from taptable.doctor.findings import Finding, ok, warning
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import Driver, Limit, OpenedParts, Part
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth
from taptable.drivers.registry import Drivers, module_of

_log = logging.getLogger(__name__)

DriverT = TypeVar("DriverT", bound=Driver)


@dataclass(frozen=True, slots=True)
class Look:
    """A look at one thing: the group in which it is asked for, the names of its checks, and its place among all looks
    (`step`), which is that in which a table is built."""

    step: int
    group: str
    checks: tuple[str, ...]
    examine: Callable[[ExaminedTable], Iterator[Finding] | AsyncIterator[Finding]]


@dataclass(frozen=True, slots=True)
class Stamps:
    """The stamps of one button's presses: how far one may be off, how buttons of this kind are reached (*on a pin*),
    what two of them have in common that sets their order apart from others, and by what that order is known (""
    where the kernel stamps)."""

    uncertainty_us: int
    where: str
    beside: Callable[[Stamps, Stamps], str]
    """Says of two buttons of one kind how they are wired."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class LooksRead:
    """So many looks, of which so many read a card."""

    looks: int
    read: int

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 are all of them."""
        return 100 * self.read // self.looks


Shares = Mapping[int, LooksRead]
"""By the gain in dB."""


class DriverDoctor(Generic[DriverT]):
    """Examines the parts of one driver. `looks` are examined in the order of their steps."""

    def __init__(self, driver: DriverT) -> None:
        self.driver = driver
        self.looks: Sequence[Look] = ()

    def contact(self, part: Part) -> str:
        """Return what is to be looked at where no press of a button arrives, or no sound of a sounder comes."""
        return f"Look at its address, {part.address}, and at its wires."

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return what is known of the stamps of this driver's buttons, by seat, after all looks of a group were
        taken."""
        del site
        return {}

    def stamps_of(self, opened: OpenedParts, seat: int, uncertainty_us: int) -> Stamps:
        """Return the stamps of a seat's button that was pressed, with the bound of that press."""
        del opened, seat
        return Stamps(uncertainty_us, self.driver.where, lambda _one, _other: self.driver.where)

    async def measure_gains(self, site: ExaminedTable) -> Mapping[Pad, Shares | str]:
        """Return how often a card that lies on each pad is read at each gain; a text says why that isn't known."""
        return dict.fromkeys(site.config.pads_on(self.driver.kind), "its reader has no gain")


def doctors_of(drivers: Drivers) -> dict[str, DriverDoctor[Driver]]:
    """Return the doctor of each driver, by its kind."""
    return {driver.kind: _doctor_of(driver) for driver in drivers}


def _doctor_of(driver: Driver) -> DriverDoctor[Driver]:
    module = module_of(driver, "doctor")
    if module is None:
        return DriverDoctor(driver)
    try:
        return module.DOCTOR(driver)
    except Exception as error:  # somebody else's package may fail in any way, and the others are examined all the same
        _log.error("what the doctor knows of the kind %s is left out: %s", driver.kind, error)
        return DriverDoctor(driver)


def examine_drivers(drivers: Drivers) -> Iterator[Finding]:
    """Which drivers there are, and which can't be used."""
    yield ok("drivers", "drivers", f"kinds of parts: {', '.join(drivers.kinds)}")
    for sentence in drivers.left_out:
        todo = "Install its package again, in a version for this taptable, or take it away."
        yield warning("drivers", "drivers", sentence, todo)


def examine_limits(site: ExaminedTable) -> Iterator[Finding]:
    """What parts of the table can't do, as their drivers declare."""
    for limit, parts in site.drivers.limits_of(site.config.parts).items():
        for part in parts:
            yield warning("abilities", part.name, limit.value, _TODO[limit])


_TODO: Mapping[Limit, str] = {
    Limit.ONE_CARD: "Put one card after the other on it.",
    Limit.NO_STAMP: "Where it matters who was first, take a button of a kind that stamps its presses.",
}


def judge_counts(part: str, health: ReaderHealth) -> Finding:
    """Judge what a table that runs, or a board, has counted of a reader: what heals by itself may be failing."""
    found = (
        f"its reader was set up again {health.set_ups} times; registers found wrong: {health.wrong}, resets that let it"
        f" hear again: {health.healed}, cards that couldn't be read: {health.unread}, looks misread: {health.misread}"
    )
    if health.wrong or health.healed:
        todo = "It was put right each time. If that goes on, look at its power and wires, or put another in its place."
        return warning("counts", part, found, todo)
    if health.misread >= MANY_IN_ALL:
        todo = "Take everything off the pad, metal too; if the count goes on growing, put another reader in its place."
        return warning("counts", part, found, todo)
    return ok("counts", part, found)
