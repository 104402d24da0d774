"""The parts of a table that are on pins of the Pi."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from gpiozero import Factory

from taptable.core.cues import Lamp
from taptable.drivers.gpio.buttons import Buttons, PowerButton
from taptable.drivers.gpio.header import Header
from taptable.drivers.gpio.outputs import Lamps, PiezoSounder
from taptable.drivers.header_lines import bcm_of
from taptable.drivers.interface import DeviceContext, OnEdge, OpenedParts, Part, PartRole


class GpioParts(OpenedParts):
    """The buttons, lamps, sounder and power button of a table that are on pins."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part], open_factory: Callable[[], Factory]) -> None:
        header = Header(loop=context.loop, report=context.report, now_us=context.now_us, open_factory=open_factory)
        pins = {role: [part for part in parts if part.role is role] for role in PartRole}
        self.buttons = Buttons(header, _by_seat(pins[PartRole.BUTTON]))
        self.deliver = self.buttons.deliver if self.buttons.seats else None
        self._lamps = Lamps(header, _by_seat(pins[PartRole.LAMP]))
        self._power = [
            PowerButton(header, bcm_of(part.address), context.on_power_hold) for part in pins[PartRole.POWER]
        ]
        sounders = [
            PiezoSounder(header, bcm_of(part.address), muted=bool(part.options.get("mute")))
            for part in pins[PartRole.SOUNDER]
        ]
        self.sounder = next(iter(sounders), None)
        self._all = (self.buttons, self._lamps, *self._power, *sounders)

    def open(self) -> None:
        """Open the pins."""
        for part in self._all:
            part.open()

    def close(self) -> None:
        """Switch the lamps off, silence the sounder, and release the pins."""
        for part in reversed(self._all):
            part.close()

    def watch_edges(self, on_edge: OnEdge) -> Collection[int]:
        """Call `on_edge` with every edge of the buttons on pins."""
        self.buttons.on_raw_edge = on_edge
        return self.buttons.seats

    def show_lamp(self, seat: int, lamp: Lamp) -> None:
        """Show a pattern at the seat's lamp."""
        self._lamps.show(seat, lamp)


def _by_seat(parts: Sequence[Part]) -> dict[int, int]:
    """Return the BCM number of the part of each seat."""
    return {part.pad: bcm_of(part.address) for part in parts if isinstance(part.pad, int)}
