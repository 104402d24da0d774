"""What a driver offers, and what it gets of the table. A driver is one kind of reader, button, lamp or display: its
folder holds its addresses, its keys in ``table.toml``, how its parts are opened, and in modules of fixed names
(`doctor`, `stand_in`, `commands`) what others ask of it. Must not know which drivers there are.
"""

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

if TYPE_CHECKING:  # importing it takes as long as all the rest
    from PIL.Image import Image

HOLD_S = 3
"""How long the power button is held to mean it."""


class PartRole(Enum):
    """What a part is for. A `RESET` is a line of the Pi's header, by its BCM number, that resets a reader."""

    PAD = "pad"
    BUTTON = "button"
    LAMP = "lamp"
    RESET = "reset"
    DISPLAY = "oled"
    SOUNDER = "sounder"
    POWER = "power button"


class Limit(Enum):
    """Something that parts of a kind can't do, as a sentence about one of them goes on."""

    ONE_CARD = "sees one card at a time: a second one beside it isn't seen"
    NO_STAMP = "doesn't say when it was pressed: presses are put in order as they arrive"

    @property
    def role(self) -> PartRole:
        """What the parts are for that it is a limit of."""
        return PartRole.PAD if self is Limit.ONE_CARD else PartRole.BUTTON


@dataclass(frozen=True, slots=True)
class Address:
    """Where a part is, ``spi:0.1``: the kind of its driver, and a name that this driver knows."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a table: the key in ``table.toml`` that names it, what it is for, where it is, its pad or seat if it
    has one, and the values of its driver's own keys."""

    key: Key
    role: PartRole
    address: Address
    pad: Pad | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def name(self) -> str:
        """What people call it: ``button 2``, ``discard pad``, ``oled``."""
        return self.role.value if self.pad is None else part_name(self.role.value, self.pad)


class Hold(Enum):
    """What became of the power button."""

    STARTED = auto()
    CANCELLED = auto()
    COMPLETED = auto()


def one_thread() -> Executor:
    """Return a thread of its own for a device."""
    return ThreadPoolExecutor(max_workers=1)


@dataclass(frozen=True, slots=True)
class DeviceContext:
    """What drivers get of the table.

    `report(event)` takes a device event on the loop's thread and returns what became of it. `now_us` is the table's
    clock. `identify(uid)` says what a tag is, so that one read is enough for a card that is known. `taken(board, boot)`
    is the highest number of a board's event in the journal, or 0. `hold` hears of the power button. `is_quiet` says
    whether nothing is under way that a reader's reset would delay. `executor` makes one thread for calls that block.
    `parts` are all parts of the table, those of other drivers among them.
    """

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
"""Gets a seat, whether its contact closed, the table time of that, and by how many microseconds it may be off."""


class Sounder(Protocol):
    """A sounder that plays one tune at a time; `muted` it plays none."""

    muted: bool

    def play(self, sound: Sound) -> None:
        """Play a sound, in place of one that doesn't weigh more."""
        ...

    def tick_until(self, closes_at_us: int) -> None:
        """Tick until a table time, faster towards it."""
        ...

    def stop_ticking(self) -> None:
        """The window is over, or the table waits."""
        ...


class Display(Protocol):
    """A display that is given pictures. Its methods block and belong in one thread; none raises."""

    retry_at_us: int | None
    """While it fails: when `show` should be called again."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of its pictures."""
        ...

    def show(self, picture: Image, contrast: int | None = None) -> None:
        """Bring it to a picture of mode ``1``, and to a contrast from 0 to 255."""
        ...

    def probe(self) -> None:
        """Ask a display that answered last whether it still does."""
        ...

    def close(self) -> None:
        """Darken it and let its bus go."""
        ...

    def leave(self) -> None:
        """Let its bus go, and leave what it shows for as long as it has power."""
        ...


class OpenedParts:
    """The parts of one driver at a table. A driver overrides what its parts have; to be made on the table's loop."""

    sounder: Sounder | None = None
    deliver: Callable[[], None] | None = None
    """Reports at once what has settled by now, where a press may be known later than what the loop comes to first."""

    def open(self) -> None:
        """Open all parts, once. What isn't there is reported as `PartFailed`, and tried again; nothing is raised."""

    def close(self) -> Awaitable[None] | None:
        """Let all parts go: lamps and fields off, silence; nothing is reported from then on. It may be called before
        `open`, and more than once. Return what has to be awaited, if anything."""

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """What was counted of the reader of each pad that has one here."""
        return {}

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """For each thread in which calls may hang, by what people call it: a number that changes while it gets on."""
        return {}

    @property
    def rings(self) -> Collection[Pad]:
        """The pads that have a ring here."""
        return ()

    def watch_edges(self, on_edge: OnEdge) -> Collection[int]:
        """Call `on_edge` with every edge of a button, bounces included. Return the seats of which they are known."""
        del on_edge
        return ()

    def show_light(self, pad: Pad, light: SeatLights) -> None:
        """Show this at a pad's ring, and at the lamp of a button beside it; nothing where there is neither."""

    def show_lamp(self, seat: int, lamp: Lamp) -> None:
        """Show a pattern at a seat's lamp; nothing where there is none."""


class Driver:
    """One kind of part. An instance also holds how its parts are opened, which stand-ins replace.

    `kind` begins its addresses. `accepts` ends the sentence *it takes …* about a key, `short` is the same for who has
    to choose another kind, and `where` says where its parts are (*on SPI*). `examples` has an address for each key of
    ``table.toml`` that takes one (``seats.pad``). `pad_keys` are its own keys beside ``pad``: a `PartRole` where
    the value is the address of a part.
    """

    kind: ClassVar[str]
    roles: ClassVar[frozenset[PartRole]]
    rank: ClassVar[int] = 100
    """Its place in sentences that list the kinds."""
    accepts: ClassVar[str]
    short: ClassVar[str]
    where: ClassVar[str]
    examples: ClassVar[Mapping[str, str]] = MappingProxyType({})
    pad_keys: ClassVar[Mapping[str, Setting | PartRole]] = MappingProxyType({})
    commands: ClassVar[Sequence[str]] = ()
    """The commands of ``taptable`` that its module `commands` adds."""
    limits: ClassVar[Collection[Limit]] = ()
    """What its parts can't do. The doctor and the log say so of each; a gain is missing where no key sets it."""
    most_pads: ClassVar[int | None] = None
    """How many pads it has room for; None where that isn't limited."""
    is_whole_seat: ClassVar[bool] = False
    """Whether button and lamp of a seat share the address of its pad, and can be at no other address of the kind."""
    kernel_stamps: ClassVar[bool] = False
    """Whether the kernel stamps its buttons' edges by the clock of this computer."""

    def accepts_name(self, name: str) -> bool:
        """Whether there is such an address: `name` is what comes after the colon."""
        raise NotImplementedError

    def occupied(self, part: Part) -> Sequence[Part]:
        """Return the places that a part occupies, each as a part with its address; ValueError says what is wrong with
        the part's options."""
        return (part,)

    def bus_lines(self, parts: Sequence[Part]) -> Mapping[Address, str]:
        """Return the lines of the Pi's header that a bus takes for these parts, with what people call the bus."""
        del parts
        return {}

    def free(self, taken: Collection[Address]) -> Sequence[Address] | str:
        """Return addresses that could be used beside those taken, the best first; or a sentence where any could."""
        del taken
        return ()

    def boot_lines(self, parts: Sequence[Part]) -> Iterable[str]:
        """Return the lines of the Pi's config.txt that these parts need."""
        del parts
        return ()

    def check(self, part: Part) -> None:
        """Raise ConfigError if the part's options are right and yet nothing could be opened by them."""

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the parts, not opened yet. To be called on the table's loop."""
        raise NotImplementedError

    def open_display(self, part: Part, report: Callable[[DeviceEvent], object], now_us: Callable[[], int]) -> Display:
        """Return a display, which opens itself when it is shown something. It reports from the thread that calls it."""
        raise NotImplementedError
