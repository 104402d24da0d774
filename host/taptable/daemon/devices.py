"""The devices of one table, made from its configuration. The openers are handed in: on a Pi they open what is
there, in the simulator they open the same drivers over stand-ins."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field

from gpiozero import Factory

from taptable.config import Config, OnBoard, OnGpio, OnSpi
from taptable.core.device_events import DeviceEvent, Identify, Receipt
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.daemon.supervision import Sign
from taptable.edges.boards.boards import Boards
from taptable.edges.boards.bus import Socket, usb_socket
from taptable.edges.boards.port import OpenPort, open_by_identity
from taptable.edges.buttons import Buttons, Hold, PowerButton
from taptable.edges.cues.oled import Oled
from taptable.edges.cues.outputs import Lamps, Sounder
from taptable.edges.cues.presenter import Presenter
from taptable.edges.cues.prompts import Code
from taptable.edges.cues.speech import Speech
from taptable.edges.cues.text import Look
from taptable.edges.gpio import Header, default_factory
from taptable.edges.reader_health import ReaderHealth
from taptable.edges.readers.pad import OpenReader, SpiPad
from taptable.edges.readers.poller import Rest, SpiPads, open_on_bus

_log = logging.getLogger(__name__)


def one_thread() -> Executor:
    """A thread of its own for a device."""
    return ThreadPoolExecutor(max_workers=1)


@dataclass(frozen=True, slots=True)
class Openers:
    """How devices are opened, what makes the executors in which they may block (one for the readers, one for the
    display), and how the readers rest between two rounds of looks."""

    factory: Callable[[], Factory] = default_factory
    port: OpenPort = field(default=open_by_identity)
    socket_of: Callable[[str], Socket | None] = field(default=usb_socket)
    reader: OpenReader = field(default=open_on_bus)
    executor: Callable[[], Executor] = one_thread
    rest: Rest = asyncio.sleep


@dataclass(frozen=True, slots=True)
class Reporting:
    """What devices report, and what they ask: who takes their device events, the time, what is known of a tag or an
    event, who is told of the power button, and whether nothing is under way that a reader's reset would delay."""

    report: Callable[[DeviceEvent], Receipt]
    now_us: Callable[[], int]
    identify: Identify
    taken: Callable[[str, int], int]
    hold: Callable[[Hold], None]
    is_quiet: Callable[[], bool] = lambda: True


class Devices:
    """Everything the configuration names. To be made on the loop that runs it."""

    def __init__(
        self,
        config: Config,
        openers: Openers,
        reporting: Reporting,
        look: Look,
    ) -> None:
        loop = asyncio.get_running_loop()
        self._page_address: str | None = None
        header = Header(loop=loop, report=reporting.report, now_us=reporting.now_us, open_factory=openers.factory)
        self.boards = Boards(
            config.boards,
            report=reporting.report,
            now_us=reporting.now_us,
            taken=reporting.taken,
            identify=reporting.identify,
            open_port=openers.port,
            socket_of=openers.socket_of,
            gains={pad: parts.gain_db for pad, parts in config.all_pads.items()},
            buzzing=seats_that_buzz(config),
            others_buzz=any(isinstance(parts.button, OnGpio) for parts in config.seats),
        )
        self.buttons = Buttons(
            header,
            {seat: parts.button.bcm for seat, parts in enumerate(config.seats, 1) if isinstance(parts.button, OnGpio)},
        )
        self.lamps = Lamps(
            header,
            {seat: parts.lamp.bcm for seat, parts in enumerate(config.seats, 1) if isinstance(parts.lamp, OnGpio)},
        )
        self.sounder = (
            Sounder(header, config.sounder.pin.bcm, muted=config.sounder.mute) if config.sounder is not None else None
        )
        self._power = PowerButton(header, config.power.button.bcm, reporting.hold) if config.power is not None else None
        self._reading, self._drawing = openers.executor(), openers.executor()
        self.presenter: Presenter | None = None
        if config.scoreboard is not None:
            # the display reports from the thread it blocks in
            oled = Oled(
                config.scoreboard.options,
                lambda device_event: loop.call_soon_threadsafe(reporting.report, device_event) and None,
                reporting.now_us,
            )
            network = config.page is not None and config.page.network
            find_address = (lambda: self._page_address) if network else None
            self.presenter = Presenter(oled, look, reporting.now_us, self._drawing, find_address)
        self.speech = Speech(config.speech, look.words, reporting.report, reporting.now_us) if config.speech else None
        self._spi_pads: SpiPads | None = None
        if places := spi_places(config):
            self._spi_pads = SpiPads(
                places,
                report=reporting.report,
                now_us=reporting.now_us,
                identify=reporting.identify,
                open_reader=openers.reader,
                rest=openers.rest,
                is_quiet=reporting.is_quiet,
            )
        self._polling: asyncio.Task[None] | None = None
        parts = (self.presenter, self.buttons, self.lamps, self._power, self.sounder, self.speech, self.boards)
        self._parts = [part for part in parts if part is not None]

    @property
    def sources(self) -> Sequence[Callable[[], None]]:
        """Those that may have something older to report than what the loop comes to first."""
        return (self.buttons.deliver,) if self.buttons.seats else ()

    @property
    def signs(self) -> Mapping[str, Sign]:
        """The signs of progress of those that are talked to in a thread, which may hang in it."""
        signs: dict[str, Sign] = {}
        if (pads := self._spi_pads) is not None:
            signs["the readers"] = lambda: pads.rounds
        if (presenter := self.presenter) is not None:
            signs["the display"] = lambda: presenter.drawing
        return signs

    @property
    def reader_health(self) -> Mapping[Pad, ReaderHealth]:
        """What was counted of each pad's reader."""
        return {**self.boards.health, **(self._spi_pads.health if self._spi_pads is not None else {})}

    def show_code(self, code: Code | None) -> str:
        """Show the page's code to those at the table, or take it away; gives where they find it. It stands in the log
        only where there is no other way to see it."""
        if self.presenter is not None:
            self.presenter.show_code(code)
        if self.speech is not None:
            self.speech.show_code(code)
        if self.presenter is not None and self.presenter.answers:
            return "display"
        if code is not None:
            _log.info("code for the page: %s", code.digits)
        return "log" if self.speech is None else "voice"

    def invite(self) -> bool:
        """Show where the page is, to who comes later; False where nobody would see it."""
        return self.presenter is not None and self.presenter.answers and self.presenter.invite()

    def page_at(self, address: str | None) -> None:
        """Where the page is from now on."""
        self._page_address = address

    def open(self) -> None:
        """Open all of them; what isn't there is reported and tried again."""
        for part in self._parts:
            part.open()
        if self._spi_pads is not None:
            self._polling = asyncio.create_task(self._spi_pads.run(self._reading), name="readers on SPI")

    async def close(self) -> None:
        """Let go of all of them; lamps off, fields off, silence."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait([self._polling])
        for part in reversed(self._parts):
            closing = part.close()
            if closing is not None:
                await closing
        self._reading.shutdown(wait=False)
        self._drawing.shutdown(wait=False)


def seats_that_buzz(config: Config) -> list[int]:
    """The seats whose button is on their board."""
    return [seat for seat, parts in enumerate(config.seats, 1) if isinstance(parts.button, OnBoard)]


def spi_places(config: Config) -> list[SpiPad]:
    """Every pad whose reader is on the Pi's own SPI, the discard pad first."""
    places = [
        SpiPad(
            pad,
            parts.pad.bus,
            parts.pad.device,
            pin_rst=parts.reset.bcm if parts.reset is not None else None,
            gain_db=parts.gain_db,
        )
        for pad, parts in config.all_pads.items()
        if isinstance(parts.pad, OnSpi)
    ]
    return sorted(places, key=lambda place: place.pad != DISCARD_PAD)
