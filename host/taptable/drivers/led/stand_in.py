"""The lamps of the controllers of a simulated table: files like those of the kernel, below the driver."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.drivers.led.driver import LedDriver
from taptable.sim.stand_in import HardwareStandIn, Surroundings
from taptable.sim.usb_tree import BUZZ_SET, UsbTree


class LedStandIn(HardwareStandIn):
    """A controller at each USB port that a part names, with the lamps that are named there."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self._led = LedDriver()
        self.driver = self._led
        self.tree: UsbTree | None = None
        self._places: dict[Pad | None, tuple[str, str]] = {}
        self._suffixes: dict[str, list[str]] = {}
        for part in parts:
            port, _, suffix = part.address.name.partition("/")
            self._places[part.pad] = port, suffix
            self._suffixes.setdefault(port, []).append(suffix)

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the controllers plugged in within this context."""
        if not self._places:
            yield
            return
        self.tree = UsbTree()
        for port in self._suffixes:
            self._plug_in(port)
        self._led.root = self.tree.root
        try:
            yield
        finally:
            self.tree.remove()
            self.tree = None

    def let_go(self) -> None:
        """Detach the process: it finds no lamp any more, and all of them stay as they are."""
        if self.tree is not None:
            self.tree.hide()

    def take_up(self) -> None:
        """Let the next process find the lamps."""
        if self.tree is not None:
            self.tree.show()

    def is_plugged(self, pad: Pad) -> bool | None:
        """Return whether the controller of a seat's lamp is plugged in."""
        return self.tree is not None and self.tree.is_plugged_in(self._places[pad][0])

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug the controller of a seat's lamp in, with all lamps dark, or pull it out."""
        assert self.tree is not None
        port = self._places[pad][0]
        if plugged_in is not self.is_plugged(pad):
            (self._plug_in if plugged_in else self.tree.pull_out)(port)

    def is_lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is lit now."""
        return self.tree is not None and self.tree.brightness(*self._places[seat]) > 0

    def _plug_in(self, port: str) -> None:
        assert self.tree is not None
        self.tree.plug_in(port, BUZZ_SET)
        self.tree.add_leds(port, self._suffixes[port])


STAND_IN = LedStandIn
