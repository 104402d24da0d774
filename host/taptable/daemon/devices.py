"""The devices of one table, created from its configuration by the drivers passed in. On a Pi these drivers open real
hardware; in the simulator the same drivers open the same parts over stand-ins. Must not know the kinds of drivers, nor
what an event of a device means."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from taptable.config import Config
from taptable.core.observations import Pad
from taptable.cues.presenter import Presenter
from taptable.cues.prompts import Code
from taptable.cues.speech import Speech
from taptable.cues.text import ScreenStyle
from taptable.daemon.supervision import ProgressCounter
from taptable.drivers.interface import DeviceContext, OpenedParts, PartRole
from taptable.drivers.reader_health import ReaderHealth
from taptable.drivers.registry import Drivers

_log = logging.getLogger(__name__)


class TableDevices:
    """All devices that the configuration names. Create it on the loop that runs it. `context` gets the drivers'
    executor and the configuration's parts added."""

    def __init__(self, config: Config, drivers: Drivers, context: DeviceContext, style: ScreenStyle) -> None:
        self._page_address: str | None = None
        context = replace(context, executor=drivers.executor, parts=config.parts)
        self.parts_by_kind: Mapping[str, OpenedParts] = {
            driver.kind: driver.open(context, parts)
            for driver in drivers
            if PartRole.DISPLAY not in driver.roles and (parts := config.parts_of(driver))
        }
        """The parts that each driver has opened, by the driver's kind."""
        self._limits = drivers.limits_of(config.parts)
        self.ring_parts = {pad: parts for parts in self.parts_by_kind.values() for pad in parts.rings}
        """The parts that show the ring of each pad that has one, and the lamp of the button beside it."""
        lamps = [
            part for part in config.parts if part.role is PartRole.LAMP and not drivers[part.address.kind].is_whole_seat
        ]
        self.lamp_parts = {part.pad: self.parts_by_kind[part.address.kind] for part in lamps if part.pad is not None}
        """The parts that show the lamp of each seat whose lamp is separate from its ring."""
        self._drawing_executor = drivers.executor()
        self.sounder = next((parts.sounder for parts in self.parts_by_kind.values() if parts.sounder is not None), None)
        self.presenter: Presenter | None = None
        for part in (part for part in config.parts if part.role is PartRole.DISPLAY):
            # a configuration has one display at most; it reports from the thread in which its driver blocks
            report = partial(context.loop.call_soon_threadsafe, context.report)
            display = drivers[part.address.kind].open_display(part, report, context.now_us)
            network = config.page is not None and config.page.network
            find_address = (lambda: self._page_address) if network else None
            self.presenter = Presenter(display, style, context.now_us, self._drawing_executor, find_address)
        self.speech = Speech(config.speech, style.words, context.report, context.now_us) if config.speech else None
        self._parts = [part for part in (self.presenter, *self.parts_by_kind.values(), self.speech) if part is not None]

    @property
    def event_sources(self) -> Sequence[Callable[[], None]]:
        """A function of each driver that has events to deliver. It reports those that are older than what the loop
        handles next."""
        return [parts.deliver for parts in self.parts_by_kind.values() if parts.deliver is not None]

    @property
    def progress_counters(self) -> Mapping[str, ProgressCounter]:
        """The progress counters of the parts that are driven from a thread, which may hang."""
        counters: dict[str, ProgressCounter] = {}
        for parts in self.parts_by_kind.values():
            counters |= parts.progress
        if (presenter := self.presenter) is not None:
            counters["the display"] = lambda: presenter.drawing_number
        return counters

    @property
    def reader_health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of each pad's reader."""
        return {pad: health for parts in self.parts_by_kind.values() for pad, health in parts.health.items()}

    @property
    def has_display(self) -> bool:
        """Whether the table has a display that answers."""
        return self.presenter is not None and self.presenter.is_responding

    @property
    def code_place(self) -> str:
        """Where people at the table find the page's code: "display", "voice", or "" if they don't."""
        if self.has_display:
            return "display"
        return "voice" if self.speech is not None and self.speech.is_working else ""

    def show_code(self, code: Code | None) -> None:
        """Show the page's code to the people at the table; None removes it. The log has it, too, if no display
        works."""
        if self.presenter is not None:
            self.presenter.show_code(code)
        if self.speech is not None:
            self.speech.show_code(code)
        if code is not None and self.code_place != "display":
            _log.info("Code for the page: %s", code.digits)

    def show_address(self) -> bool:
        """Show the page's address to people who join later; False if nobody would see it."""
        return self.presenter is not None and self.has_display and self.presenter.show_address()

    def set_page_address(self, address: str | None) -> None:
        """Set the page's address, or None if there is no page now."""
        self._page_address = address

    def open(self) -> None:
        """Open all devices. A missing one is reported and retried. Log the limits of the parts in use."""
        for limit, parts in self._limits.items():
            _log.info("Parts with a limit (%s): each %s", ", ".join(part.name for part in parts), limit.value)
        for part in self._parts:
            part.open()

    async def close(self) -> None:
        """Close all devices: lamps, fields and sounds are off afterwards."""
        for part in reversed(self._parts):
            closing = part.close()
            if closing is not None:
                await closing
        self._drawing_executor.shutdown(wait=False)
