"""The interface of a driver, and the context that the table gives it. A driver stands for one kind of hardware: a
reader, a seat board, pins, a display. Its folder has its addresses, its keys in ``table.toml``, the code that opens its
parts, and modules with fixed names: `doctor` for the doctor, `stand_in` for the simulation, `commands` for the command
line. Must not know which drivers there are: `registry` finds them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

from taptable.core.cues import Lamp, SeatLights, Sound
from taptable.core.device_events import DeviceEvent, Identify, Receipt, part_name
from taptable.core.observations import Pad
from taptable.drivers.reader_health import ReaderHealth
from taptable.schema.keys import Setting
from taptable.schema.problems import Key

if TYPE_CHECKING:  # the import takes as long as all others together
    from PIL.Image import Image

HOLD_S = 3
"""For how many seconds the power button must be held to take effect."""


class PartRole(Enum):
    """The purpose of a part. A `RESET` is a line of the Pi's header, by its BCM number, that resets a reader. A
    `SWITCH` lets several devices with one address share a bus. Parts may share each of these two."""

    PAD = "pad"
    BUTTON = "button"
    LAMP = "lamp"
    RESET = "reset"
    SWITCH = "switch"
    DISPLAY = "oled"
    SOUNDER = "sounder"
    POWER = "power button"


class Limit(Enum):
    """Something that parts of a kind can't do. The value continues a sentence about such a part."""

    ONE_CARD = "sees one card at a time: a second one beside it isn't seen"
    NO_STAMP = "doesn't say when it was pressed: presses are put in order as they arrive"
    NO_TAP_STAMP = (
        "doesn't say when a card came: where a card counts as a press, it ties with all presses shortly before"
    )
    NO_BOUND = "reports a press late, nobody knows how late: it ties with every press up to a quarter of a second away"

    @property
    def role(self) -> PartRole:
        """The role of the parts that have this limit."""
        return PartRole.PAD if self in (Limit.ONE_CARD, Limit.NO_TAP_STAMP) else PartRole.BUTTON


@dataclass(frozen=True, slots=True)
class Address:
    """A part's address, such as ``spi:0.1``: the kind of its driver, and a name that this driver understands."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a table: the key in ``table.toml`` that names it, its role, its address, its pad or seat if it has one,
    and the values of its driver's own keys."""

    key: Key
    role: PartRole
    address: Address
    pad: Pad | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def name(self) -> str:
        """The name that people use: ``button 2``, ``discard pad``, ``oled``."""
        return self.role.value if self.pad is None else part_name(self.role.value, self.pad)


class SystemRule(Enum):
    """A rule of the system that opens parts to somebody who isn't root: `DEVICES` is udev's, for devices, and `READERS`
    is polkit's, for readers that a service has."""

    DEVICES = "devices"
    READERS = "readers"


@dataclass(frozen=True, slots=True)
class ClosedPart:
    """A part that is plugged in and that the user of this process may not use, and the rule that would open it. `label`
    is its name for people, in English."""

    label: str
    rule: SystemRule


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A part that is plugged in, as `Driver.find` returns it. It has the roles in `roles`: a seat board is pad, button
    and lamp of one seat at one address.

    `device` names what it is plugged in with (a controller, a board, a bus), and `number` is its place among the parts
    of equal role there, from 1: the lamp with the number of a button of the same device belongs to that button.
    `product` is the same for all devices of a make, and `serial` is the device's serial number, "" if it has none: with
    these a device is found again that was plugged into another socket. `label` is its name for people, in English, such
    as *Buzz! controller, button 2*."""

    address: Address
    roles: frozenset[PartRole]
    label: str
    device: str
    number: int = 1
    product: str = ""
    serial: str = ""


class Hold(Enum):
    """States of holding the power button."""

    STARTED = auto()
    CANCELLED = auto()
    COMPLETED = auto()


def one_thread() -> Executor:
    """Return an executor with one thread, for a device of its own."""
    return ThreadPoolExecutor(max_workers=1)


@dataclass(frozen=True, slots=True)
class DeviceContext:
    """The services of the table for a driver: functions to call, and the list of all parts.

    `report(event)` takes a device event, on the loop's thread, and returns its outcome. `now_us()` returns the time of
    the table's clock. `identify(uid)` returns the card or member that a tag stands for; if it returns one, a driver
    reports the tag after one read. `last_committed(board, boot)` returns the highest number of a board's events in the
    journal, or 0. The driver of the power button calls `on_power_hold` with each state of a hold. `is_quiet()` returns
    whether a reader may be reset now without delaying anybody. `executor()` returns an executor with one thread, for
    blocking calls. `parts` are all parts of the table, including those of other drivers."""

    report: Callable[[DeviceEvent], Receipt]
    now_us: Callable[[], int]
    identify: Identify
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    executor: Callable[[], Executor] = one_thread
    last_committed: Callable[[str, int], int] = lambda _board, _boot: 0
    on_power_hold: Callable[[Hold], None] = lambda _hold: None
    is_quiet: Callable[[], bool] = lambda: True
    parts: Sequence[Part] = ()


OnEdge: TypeAlias = Callable[[int, bool, int, int], None]
"""Takes the seat, whether its contact closed, the table time of the edge in microseconds, and its uncertainty in
microseconds."""


class Sounder(Protocol):
    """A sounder that plays the tune of one sound at a time. It plays none while `muted`."""

    muted: bool

    def play(self, sound: Sound) -> None:
        """Play a sound, unless the one that is playing has a higher priority."""
        ...

    def tick_until(self, closes_at_us: int) -> None:
        """Tick until a table time, faster towards the end. The driver decides how fast; `cues.cueing` calls this when
        the end of a window changes."""
        ...

    def stop_ticking(self) -> None:
        """Stop ticking, because the window is over or the table waits."""
        ...


class Display(Protocol):
    """A display that shows pictures. Its methods block, must be called from one thread, and never raise."""

    retry_at_us: int | None
    """While the display fails: the table time at which to call `show` again. None while it works."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of its pictures."""
        ...

    def show(self, picture: Image, contrast: int | None = None) -> None:
        """Show a picture of mode ``1``, at a contrast from 0 to 255."""
        ...

    def probe(self) -> None:
        """Check whether a display that answered last still does."""
        ...

    def close(self) -> None:
        """Darken the display and release its bus."""
        ...

    def leave(self) -> None:
        """Release the bus and leave the picture on for as long as the display has power."""
        ...


class OpenedParts:
    """The parts of one driver at one table. `Driver.open` creates them, closed; `open` then opens them. A driver
    overrides the methods for which it has parts. All calls come on the table's loop."""

    sounder: Sounder | None = None
    deliver: Callable[[], None] | None = None
    """A function that reports at once all events that have settled by now. The session controller calls it before it
    takes another event, so that no event overtakes an earlier press."""

    def open(self) -> None:
        """Open all parts. Called once. Reports a part that is missing as `PartFailed`, and retries; never raises."""

    def close(self) -> Awaitable[None] | None:
        """Release all parts: lamps and fields off, silence. Reports nothing from then on. May be called before `open`,
        and more than once. Return what has to be awaited, if anything."""

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each reader of this driver, by its pad."""
        return {}

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """A function for each thread in which a call may hang, by the thread's name for people. The function returns a
        number that changes as long as the thread makes progress."""
        return {}

    @property
    def rings(self) -> Collection[Pad]:
        """The pads whose ring of lights this driver has."""
        return ()

    def watch_edges(self, on_edge: OnEdge) -> Collection[int]:
        """Call `on_edge` with every edge of a seat's button, bounces included. Return the seats for which this is
        possible."""
        del on_edge
        return ()

    def show_light(self, pad: Pad, light: SeatLights) -> None:
        """Show a light on a pad's ring and on the lamp of a button beside it. Does nothing if there is neither."""

    def show_lamp(self, seat: int, lamp: Lamp) -> None:
        """Show a pattern on a seat's lamp. Does nothing if there is none."""


class Driver:
    """A kind of hardware, with the functions that open its parts; the simulation passes others to the constructor.

    `kind` is the word before the colon in its addresses, `roles` are the roles that its parts may have. `accepts` says
    in error messages which addresses are valid (*it takes* ``"gpio:<number>"`` …), `short` says the same in a list of
    several kinds, and `where` says where its parts are (*on SPI*). `examples` has an example address for each key of
    ``table.toml`` that takes one, such as ``seats.pad``. `pad_keys` are the driver's own keys beside ``pad``, each with
    its setting, or with a `PartRole` if its value is the address of a part."""

    kind: ClassVar[str]
    roles: ClassVar[frozenset[PartRole]]
    rank: ClassVar[int] = 100
    """Its place in sentences that list the kinds, lowest first."""
    accepts: ClassVar[str]
    short: ClassVar[str]
    where: ClassVar[str]
    examples: ClassVar[Mapping[str, str]] = MappingProxyType({})
    pad_keys: ClassVar[Mapping[str, Setting | PartRole]] = MappingProxyType({})
    commands: ClassVar[Sequence[str]] = ()
    """The names of the commands of ``taptable`` that the driver's module `commands` adds."""
    limits: ClassVar[Collection[Limit]] = ()
    """The limits of all its parts, which the doctor and the log report for each part. A reader without a gain to set
    isn't listed: its driver has no key for it."""
    most_pads: ClassVar[int | None] = None
    """How many pads it can have; None for no limit."""
    is_whole_seat: ClassVar[bool] = False
    """Whether button and lamp of a seat share the address of its pad, and can be at no other address of the kind."""
    plugs_in: ClassVar[bool] = False
    """Whether its pads plug together with the Pi and are given to seats by touching. Before that, the table needs the
    Pi's lines for the address that `examples` has for ``seats.pad``, or nothing would be found there."""
    needs_pi: ClassVar[bool] = False
    """Whether its parts can only be on the header of a Raspberry Pi."""
    kernel_stamps: ClassVar[bool] = False
    """Whether the kernel stamps its buttons' edges, by this computer's clock, and hands them over at once."""

    def accepts_name(self, name: str) -> bool:
        """Return whether an address may have this `name` after the colon."""
        raise NotImplementedError

    def occupied(self, part: Part) -> Sequence[Part]:
        """Return the places that a part occupies, so that no other part is put there. Each place is a part with its
        address: the part itself, and for example the pins of its bus. Raises ValueError if the part's options are
        wrong."""
        return (part,)

    def bus_lines(self, parts: Sequence[Part]) -> Mapping[Address, str]:
        """Return the lines of the Pi's header that a bus occupies for these parts, with the bus's name for people."""
        del parts
        return {}

    def free(self, taken: Collection[Address]) -> Sequence[Address] | str:
        """Return the addresses that are still free, the best first, for a message about an address that is `taken`. If
        addresses don't run out, return a sentence that says so."""
        del taken
        return ()

    def find(self) -> Sequence[FoundPart]:
        """Look for parts of this kind that are plugged in and could be given to a seat. Blocks; never raises. Must not
        write to a device that may be another's, and leaves out parts that must be named by hand (a keyboard). May be
        called from another thread while parts of the kind are open, and must not disturb them."""
        return ()

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the parts of this kind that are plugged in and closed to the user of this process. Blocks; never
        raises, and opens nothing."""
        return ()

    def limits_of(self, part: Part) -> Collection[Limit]:
        """Return the limits of one part. Overridden where they depend on what is plugged in now. Never raises."""
        del part
        return self.limits

    def boot_lines(self, parts: Sequence[Part]) -> Iterable[str]:
        """Return the lines of the Pi's config.txt that these parts need."""
        del parts
        return ()

    def check(self, part: Part) -> None:
        """Raise ConfigError if the part's options are right but can't open anything."""

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the parts, still closed: `OpenedParts.open` opens them. Call it on the table's loop."""
        raise NotImplementedError

    def open_display(self, part: Part, report: Callable[[DeviceEvent], object], now_us: Callable[[], int]) -> Display:
        """Return a display, which opens itself at the first `show`. It calls `report` in the thread in which its
        methods are called."""
        raise NotImplementedError
