"""The kind ``gpio``: buttons, lamps, the sounder, the power button and readers' resets on lines of the Pi's header."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from taptable.drivers.header_lines import LINES, line_address
from taptable.drivers.interface import Address, DeviceContext, Driver, OpenedParts, Part, PartRole

if TYPE_CHECKING:
    from gpiozero import Factory

_LAST_CHOICE = (2, 3, 14, 15)
"""Pins with pull-ups of their own, and those of the serial console, which are never suggested."""


class GpioDriver(Driver):
    """Parts on lines of the header, over the pin factory that `open_factory` opens (None: gpiozero's own choice)."""

    kind = "gpio"
    roles = frozenset({PartRole.BUTTON, PartRole.LAMP, PartRole.RESET, PartRole.SOUNDER, PartRole.POWER})
    rank = 10
    accepts = f'"gpio:<number>" with a BCM number from {LINES[0]} to {LINES[-1]}'
    short = 'a pin, "gpio:<number>"'
    where = "on a pin"
    needs_pi = True
    examples = MappingProxyType({"seats.button": "gpio:17", "sounder.pin": "gpio:12", "power.button": "gpio:21"})
    kernel_stamps = True

    def __init__(self, open_factory: Callable[[], Factory] | None = None) -> None:
        self._open_factory = open_factory

    def open_factory(self) -> Factory:
        """Return the pin factory. Raises DeviceError with what was tried."""
        if self._open_factory is not None:
            return self._open_factory()
        from taptable.drivers.gpio.header import default_factory

        return default_factory()

    def accepts_name(self, name: str) -> bool:
        """Return whether there is such a line on the header."""
        return name in map(str, LINES)

    def free(self, taken: Collection[Address]) -> Sequence[Address]:
        """Return the lines that no part occupies."""
        return [line_address(bcm) for bcm in LINES if line_address(bcm) not in taken and bcm not in _LAST_CHOICE]

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the parts on pins."""
        from taptable.drivers.gpio.parts import GpioParts

        return GpioParts(context, parts, self.open_factory)
