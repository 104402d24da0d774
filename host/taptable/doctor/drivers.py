"""The doctor's interface to drivers. A driver's folder has a module ``doctor`` whose `DOCTOR` is a subclass of
`DriverDoctor`, if there is more to examine than what the doctor examines of every part. Must not know any kind of
driver."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Generic, TypeVar

from taptable.core.observations import Pad
from taptable.doctor.findings import Figures, Finding, fault, ok, warning
from taptable.doctor.site import ExaminedTable
from taptable.doctor.system import NO_PI
from taptable.drivers.interface import Driver, Limit, OpenedParts, Part
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth
from taptable.drivers.registry import Drivers, module_error, module_of

DriverT = TypeVar("DriverT", bound=Driver)


@dataclass(frozen=True, slots=True)
class Look:
    """An examination of one thing: its group, the names of its checks, and its place among all looks (`step`), in the
    order in which a table is built. `needs_pi` is that of the driver whose doctor it belongs to."""

    step: int
    group: str
    checks: tuple[str, ...]
    examine: Callable[[ExaminedTable], Iterator[Finding] | AsyncIterator[Finding]]
    needs_pi: bool = False


@dataclass(frozen=True, slots=True)
class Stamps:
    """How one button's presses are stamped: by how much a stamp may be off, how buttons of this kind are connected (*on
    a pin*), how two of them are wired, and by which means their order is known ("" if the kernel stamps them)."""

    uncertainty_us: int
    where: str
    beside: Callable[[Stamps, Stamps], str]
    """Describes how two buttons of one kind are wired."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class LooksRead:
    """The number of looks at a card, the number that read it, and how long the looks took; 0 if that is unknown."""

    looks: int
    read: int
    seconds: float = 0

    @property
    def percent(self) -> int:
        """The percentage, rounded down, so that 100 means all of them."""
        return 100 * self.read // self.looks


Shares = Mapping[int, LooksRead]
"""`LooksRead` for each gain of a reader, in dB."""


class DriverDoctor(Generic[DriverT]):
    """Examines the parts of one driver. `looks` are examined in the order of their steps."""

    def __init__(self, driver: DriverT) -> None:
        self.driver = driver
        self.looks: Sequence[Look] = ()

    def describe(self, part: Part) -> Figures:
        """Return the settings of a part that matter when tables are compared, for the report. Its own keys that are
        numbers are enough for most drivers. Must not return addresses, serial numbers, or what people have typed in."""
        return {key: value for key, value in part.options.items() if isinstance(value, int)}

    def contact(self, part: Part) -> str:
        """Return the advice for a button whose presses don't arrive, or a sounder that is silent."""
        return f"Check its address, {part.address}, and its wires."

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return how this driver's buttons are stamped, by seat. It is called after all looks of a group."""
        del site
        return {}

    def stamps_of(self, opened: OpenedParts, seat: int, uncertainty_us: int) -> Stamps:
        """Return how a seat's button is stamped after a press, with the uncertainty of that press."""
        del opened, seat
        return Stamps(uncertainty_us, self.driver.where, lambda _one, _other: self.driver.where)

    async def measure_gains(self, site: ExaminedTable) -> Mapping[Pad, Shares | str]:
        """Return how often a card that lies on each pad is read at each gain; a text gives the reason if that is
        unknown."""
        return dict.fromkeys(site.config.pads_on(self.driver.kind), "its reader has no gain")


def doctors_of(drivers: Drivers) -> dict[str, DriverDoctor[Driver]]:
    """Return the doctor of each driver, by its kind. A driver whose own doctor can't be made gets the one that all
    drivers share, and `examine_drivers` reports it."""
    made = {driver: _make_doctor(driver) for driver in drivers}
    return {driver.kind: DriverDoctor(driver) if isinstance(each, str) else each for driver, each in made.items()}


def _make_doctor(driver: Driver) -> DriverDoctor[Driver] | str:
    """Return the doctor of a driver, or the reason why it can't be made."""
    if error := module_error(driver, "doctor"):
        return error
    module = module_of(driver, "doctor")
    if module is None:
        return DriverDoctor(driver)
    try:
        return module.DOCTOR(driver)
    except Exception as error:  # another package may fail in any way, and the other drivers are examined all the same
        return f"{type(error).__name__}: {error}"


def examine_drivers(drivers: Drivers) -> Iterator[Finding]:
    """Yield which drivers there are, which can't be used, and whose own checks can't be made."""
    yield ok("drivers", "drivers", f"kinds of parts: {', '.join(drivers.kinds)}")
    todo = "Install its package again, in a version for this taptable, or remove it."
    for sentence in drivers.left_out:
        yield warning("drivers", "drivers", sentence, todo)
    for driver in drivers:
        if isinstance(reason := _make_doctor(driver), str):
            yield warning("drivers", "drivers", f"driver {driver.kind}: its own checks are left out: {reason}", todo)


def needs_another_computer(site: ExaminedTable) -> Sequence[str]:
    """Return the names of the table's parts that only a Raspberry Pi has, if this computer is none."""
    if site.computer.model is not None:
        return ()
    parts = site.config.parts
    return [part.name for part in parts if (driver := site.drivers.kinds.get(part.address.kind)) and driver.needs_pi]


def examine_place(site: ExaminedTable) -> Iterator[Finding]:
    """Yield in one finding which parts of the table only a Raspberry Pi has, if this computer is none."""
    if names := needs_another_computer(site):
        found = f"{NO_PI}, which alone has pins and SPI: without {', '.join(names)}"
        todo = (
            "Take them out of table.toml and assign parts on USB (`taptable seats`), or run the table on a Raspberry"
            " Pi."
        )
        yield fault("pi", "table.toml", found, todo)


def examine_limits(site: ExaminedTable) -> Iterator[Finding]:
    """Yield the limits of the table's parts, as their drivers declare them."""
    for limit, parts in site.drivers.limits_of(site.config.parts).items():
        for part in parts:
            yield warning("abilities", part.name, limit.value, _TODO[limit])


_TODO: Mapping[Limit, str] = {
    Limit.ONE_CARD: "Lay one card at a time on it.",
    Limit.NO_STAMP: "If it matters who pressed first, use a button of a kind that stamps its presses.",
    Limit.NO_TAP_STAMP: "If it matters who was first, press the button before you show a card.",
    Limit.NO_BOUND: "If it matters who pressed first, use a controller with a cable.",
}


def judge_counts(part: str, health: ReaderHealth) -> Finding:
    """Judge a reader by the counts of a running table or a board: one that recovers by itself may be failing."""
    found = (
        f"its reader was set up again {health.set_ups} times; wrong registers: {health.wrong}, resets after which it"
        f" read again: {health.healed}, unreadable cards: {health.unread}, misread looks: {health.misread}"
    )
    if health.wrong or health.healed:
        todo = "It recovered each time. If this continues, check its power and wires, or replace it."
        finding = warning("counts", part, found, todo)
    elif health.misread >= MANY_IN_ALL:
        todo = "Take everything off the pad, metal too. If the count still rises, replace the reader."
        finding = warning("counts", part, found, todo)
    else:
        finding = ok("counts", part, found)
    return finding.with_figures(measured=asdict(health))
