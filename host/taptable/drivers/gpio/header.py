"""The Pi's pin header, shared by buttons, lamps and sounder: opens gpiozero's pin factory and the devices on it,
reports which part is missing and why, retries it, and turns a pin's ticks into table time. Must not know what a part is
for."""

from __future__ import annotations

import asyncio
import logging
import os
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from gpiozero import Device, Factory

from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned
from taptable.core.errors import DeviceError

RETRY_S = 10.0
"""The delay before a missing part is retried."""

KERNEL_STAMP_US = 50
"""The kernel stamps an edge in its interrupt, tens of microseconds after it happened (still to be measured on a Pi)."""

CALLBACK_STAMP_US = 10_000
"""A factory that stamps in a Python thread waits for the interpreter first: 5 ms for each other thread that is busy."""

STAMP_UNCERTAINTY_US: Mapping[str, int] = MappingProxyType(
    {"LGPIOFactory": KERNEL_STAMP_US, "MockFactory": KERNEL_STAMP_US}
)
"""The uncertainty of an edge's time, by pin factory. All others have `CALLBACK_STAMP_US`."""

_OLDEST_EDGE_S = 60.0
_HEADER_CHIPS = frozenset({"raspberrypi,rp1-gpio", "brcm,bcm2711-gpio", "brcm,bcm2835-gpio"})

DeviceT = TypeVar("DeviceT", bound=Device)

_log = logging.getLogger(__name__)


def header_chip(chips: Path = Path("/sys/bus/gpio/devices")) -> int | None:
    """Return the number in /dev/gpiochip<number> of the chip behind the header, or None if no chip is known to be it.
    It doesn't follow from the model: on a Pi 5 it was 4, then 0, then neither, by the version of the kernel."""
    for chip in sorted(chips.glob("gpiochip*")):
        try:
            kinds = (chip / "of_node" / "compatible").read_text().split("\0")
        except OSError:
            continue
        if not _HEADER_CHIPS.isdisjoint(kinds):
            return int(chip.name.removeprefix("gpiochip"))
    return None


def default_factory(find_chip: Callable[[], int | None] = header_chip) -> Factory:
    """Return gpiozero's own choice (lgpio first, or the one that GPIOZERO_PIN_FACTORY names). Passes the number of the
    chip to lgpio, since gpiozero only knows 4 and 0. Raises DeviceError with all that was tried."""
    chip = find_chip()
    if Device.pin_factory is None and chip is not None and os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio") == "lgpio":
        with suppress(Exception):  # gpiozero tries it again, and reports what is wrong
            from gpiozero.pins.lgpio import LGPIOFactory

            Device.pin_factory = LGPIOFactory(chip)
    with warnings.catch_warnings(record=True) as fallbacks:
        warnings.simplefilter("always")
        try:
            Device.ensure_pin_factory()
        except Exception as error:  # each factory fails in its own way: ImportError, OSError, lgpio.error, PinUnknownPi
            tried = "; ".join([str(error), *(str(fallback.message) for fallback in fallbacks)])
            raise DeviceError(f"gpiozero can't use the pins: {tried}") from error
    for fallback in fallbacks:
        _log.warning("Pin factory not usable, gpiozero tries the next one: %s", fallback.message)
    assert Device.pin_factory is not None
    return Device.pin_factory


def stamp_uncertainty_us(factory: Factory) -> int:
    """Return how far the stamps of a pin factory may be from the edge."""
    kinds = (kind.__name__ for kind in type(factory).__mro__)
    return next((STAMP_UNCERTAINTY_US[kind] for kind in kinds if kind in STAMP_UNCERTAINTY_US), CALLBACK_STAMP_US)


class Header:
    """The pins of one Pi. Opens the pin factory with the first part and leaves it open; retries what fails."""

    def __init__(
        self,
        *,
        loop: asyncio.AbstractEventLoop,
        report: Callable[[DeviceEvent], object],
        now_us: Callable[[], int],
        open_factory: Callable[[], Factory] = default_factory,
    ) -> None:
        self.loop = loop
        self.report = report
        self.now_us = now_us
        self._open_factory = open_factory
        self._factory: Factory | None = None
        self._factory_fault: str | None = None
        self._missing: list[HeaderPart[Any]] = []
        self._retry: asyncio.TimerHandle | None = None

    def get_factory(self) -> Factory:
        """Return the pin factory. Raises DeviceError while there is none, after one attempt for all parts each
        `RETRY_S`."""
        if self._factory is None:
            if self._factory_fault is not None:
                raise DeviceError(self._factory_fault)
            try:
                self._factory = self._open_factory()
            except DeviceError as error:
                self._factory_fault = str(error)
                raise
        return self._factory

    def edge_time(self, ticks: float) -> tuple[int, int]:
        """Return the table time of an edge with the stamp `ticks`, however long ago that was, and its uncertainty, both
        in microseconds."""
        factory = self.get_factory()
        before_us = self.now_us()
        age_s = factory.ticks_diff(factory.ticks(), ticks)
        after_us = self.now_us()
        if not -0.001 <= age_s <= _OLDEST_EDGE_S:
            # kernels before 5.7 stamp by the calendar: such a stamp can't be compared with the ticks
            return after_us, CALLBACK_STAMP_US
        at_us = (before_us + after_us) // 2 - round(age_s * 1_000_000)
        return at_us, stamp_uncertainty_us(factory) + (after_us - before_us + 1) // 2

    def part_failed(self, part: HeaderPart[Any], reason: str) -> None:
        """Report once that a part can't be opened or has stopped working, and retry it later."""
        if part not in self._missing:
            self._missing.append(part)
            self.report(PartFailed(self.now_us(), part.name, reason))
        if self._retry is None:
            self._retry = self.loop.call_later(RETRY_S, self._try_again)

    def part_returned(self, part: HeaderPart[Any]) -> None:
        """Report that a part works, if it was missing."""
        if part in self._missing:
            self._missing.remove(part)
            self.report(PartReturned(self.now_us(), part.name))

    def forget(self, part: HeaderPart[Any]) -> None:
        """Stop retrying a part."""
        if part in self._missing:
            self._missing.remove(part)
        if not self._missing and self._retry is not None:
            self._retry.cancel()
            self._retry = None

    def _try_again(self) -> None:
        self._retry = None
        self._factory_fault = None
        for part in tuple(self._missing):
            part.open()


class HeaderPart(Generic[DeviceT]):
    """One device on the header, which may be missing. `build` opens it; `on_opened` is called each time that
    succeeded."""

    def __init__(
        self,
        name: str,
        header: Header,
        build: Callable[[Factory], DeviceT],
        on_opened: Callable[[DeviceT], None] | None = None,
    ) -> None:
        self.name = name
        self.device: DeviceT | None = None
        self._header = header
        self._build = build
        self._on_opened = on_opened

    def open(self) -> None:
        """Open the device. If that fails, report it and retry until `close`."""
        if self.device is not None:
            return
        try:
            self.device = self._build(self._header.get_factory())
        except Exception as error:  # each pin factory raises its own kinds: GPIOZeroError, OSError, lgpio.error
            self._header.part_failed(self, str(error) or type(error).__name__)
            return
        self._header.part_returned(self)
        if self._on_opened is not None:
            self._on_opened(self.device)

    def use(self, act: Callable[[DeviceT], None]) -> None:
        """Call `act` with the device if it is open. If that fails, the device is missing from then on."""
        if self.device is None:
            return
        try:
            act(self.device)
        except Exception as error:  # as in `open`
            self._shut()
            self._header.part_failed(self, str(error) or type(error).__name__)

    def close(self) -> None:
        """Release the pin. Reports nothing."""
        self._header.forget(self)
        self._shut()

    def _shut(self) -> None:
        device, self.device = self.device, None
        if device is None:
            return
        try:
            device.close()
        except Exception as error:  # the pin itself may have failed
            _log.warning("Closing a part on a pin failed (%s): %s. It counts as closed", self.name, error)
