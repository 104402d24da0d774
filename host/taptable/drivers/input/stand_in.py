"""The controllers of a simulated table: models of contacts and of the kernel's event devices, below the driver."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from random import Random

from taptable.core.observations import Pad
from taptable.drivers.input.driver import InputDriver
from taptable.drivers.input.evdev import KernelAccess
from taptable.drivers.input.evdev_model import ControllerModel, EvdevModel, KeyPress
from taptable.drivers.input.keys import LETTERS, is_game_button
from taptable.drivers.input.nodes import BUZZ_KEYS, Place, place_of
from taptable.drivers.interface import Part
from taptable.sim.stand_in import HardwareStandIn, Surroundings
from taptable.sim.usb_tree import BUZZ_SET, ENCODER, KEYBOARD, DeviceKind, UsbTree

_ASKED_EVERY_S = 0.008
"""The kernel rounds an interval of 10 ms down to a power of two."""
_BUZZ_SET_KEYS = range(0x2C0, 0x2D4)
_ENCODER_KEYS = range(0x120, 0x12C)


class InputStandIn(HardwareStandIn):
    """A controller at each USB port that a part names: a Buzz! set if its domes are the buttons, a keyboard if one of
    its keys is, and else an encoder whose contacts bounce."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.evdev = EvdevModel(around.loop)
        self.input = InputDriver(KernelAccess(ioctl=self.evdev.ioctl, read=self.evdev.read))
        self.driver = self.input
        self._places: dict[Pad | None, Place] = {part.pad: place_of(part.address) for part in parts}
        self.kinds: dict[str, DeviceKind] = {}
        """The make of the device at each port; a test may plug in another."""
        self.controllers: dict[str, ControllerModel] = {}
        self.tree: UsbTree | None = None
        self._is_free = True
        random = Random(f"controllers {around.seed}")
        for port in dict.fromkeys(place.port for place in self._places.values()):
            codes = {place.code for place in self._places.values() if place.port == port}
            kind, keys = _make_of(codes)
            self.kinds[port] = kind
            self.controllers[port] = ControllerModel(
                around.loop, {*keys, *codes}, _ASKED_EVERY_S, random, bounces=kind is ENCODER
            )
        self.evdev.controllers = list(self.controllers.values())

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the controllers plugged in within this context."""
        if not self._places:
            yield
            return
        self.tree = UsbTree()
        self.input.access = KernelAccess(self.tree.root, self.evdev.ioctl, self.evdev.read, self.evdev.monotonic_us)
        for port in self.controllers:
            self._plug_in(port)
        try:
            yield
        finally:
            for port in self.controllers:
                self.controllers[port].pull_out()
            self.tree.remove()
            self.tree = None

    def let_go(self) -> None:
        """Detach the process: its nodes end, and it finds no others."""
        if self.tree is not None:
            for controller in self.controllers.values():
                controller.hang_up()
            self.tree.hide()

    def take_up(self) -> None:
        """Let the next process open the nodes."""
        if self.tree is not None:
            self.tree.show()

    def is_plugged(self, pad: Pad) -> bool | None:
        """Return whether the controller of a seat's button is plugged in."""
        return self.tree is not None and self.tree.is_plugged_in(self._places[pad].port)

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug the controller of a seat's button in, or pull it out, with all its buttons."""
        port = self._places[pad].port
        if plugged_in is not self.is_plugged(pad):
            (self._plug_in if plugged_in else self._pull_out)(port)

    def on_one_plug(self, pad: Pad) -> Sequence[Pad]:
        """Return the seats whose buttons are on the same controller."""
        port = self._places[pad].port
        return [each for each, place in self._places.items() if place.port == port and each is not None]

    def press(self, pad: Pad, hold_s: float, after_s: float = 0.0) -> None:
        """Press the button of a seat in `after_s`, and release it after `hold_s`."""
        self.controller(pad).press(self._places[pad].code, hold_s, after_s)

    def stick(self, seat: int) -> bool:
        """Press the button of a seat so that it stays down. Return whether it could."""
        return self.controller(seat).stick(self._places[seat].code)

    def unstick(self, seat: int) -> None:
        """Release a button that stuck."""
        self.controller(seat).unstick(self._places[seat].code)

    def spark(self, seat: int) -> bool:
        """Let static electricity hit the wire of a seat's button."""
        self.controller(seat).touch(self._places[seat].code)
        return True

    def presses(self, seat: int) -> list[KeyPress]:
        """Return every press of the button of a seat, in order."""
        return [press for press in self.controller(seat).truth if press.key == self._places[seat].code]

    def controller(self, pad: Pad) -> ControllerModel:
        """Return the controller of a seat's button."""
        return self.controllers[self._places[pad].port]

    def _plug_in(self, port: str) -> None:
        assert self.tree is not None
        controller = self.controllers[port]
        self.tree.plug_in(port, self.kinds[port])
        controller.plug_in(self.tree.add_event_node(port, controller.keys))

    def _pull_out(self, port: str) -> None:
        assert self.tree is not None
        self.controllers[port].pull_out()
        self.tree.pull_out(port)


def _make_of(codes: set[int]) -> tuple[DeviceKind, range]:
    """Return the make of a device that has these keys as buttons, and the span of all its keys."""
    if codes.issubset(BUZZ_KEYS):
        return BUZZ_SET, _BUZZ_SET_KEYS
    if not any(is_game_button(code) for code in codes):
        return KEYBOARD, LETTERS
    return ENCODER, _ENCODER_KEYS


STAND_IN = InputStandIn
