"""The pins of a simulated table: gpiozero's mock pins with contacts that bounce."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from gpiozero import Factory

from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.drivers.gpio.driver import GpioDriver
from taptable.drivers.gpio.pin_model import SimulatedPins
from taptable.drivers.header_lines import bcm_of
from taptable.drivers.interface import Part, PartRole
from taptable.sim.stand_in import HardwareStandIn, Surroundings


class GpioStandIn(HardwareStandIn):
    """Buttons, lamps and the sounder on pins."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.pins = SimulatedPins(around.loop, around.seed)
        self.driver = GpioDriver(self._open)
        self._buttons = {part.pad: bcm_of(part.address) for part in parts if part.role is PartRole.BUTTON}
        self._lamps = {part.pad: bcm_of(part.address) for part in parts if part.role is PartRole.LAMP}
        self._sounder = next((bcm_of(part.address) for part in parts if part.role is PartRole.SOUNDER), None)
        self._is_free = True

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the pins available within this context."""
        try:
            yield
        finally:
            self.pins.close()

    def let_go(self) -> None:
        """Detach the process: nothing reaches a pin any more."""
        self._is_free = False
        self.pins.let_go()

    def take_up(self) -> None:
        """Let the next process open the pins."""
        self._is_free = True

    def press(self, pad: Pad, hold_s: float) -> None:
        """Press the button of a seat, and release it after `hold_s`."""
        self.pins.press(self._buttons[pad], hold_s)

    def stick(self, seat: int) -> bool:
        """Press the button of a seat so that it stays down. Return whether it could."""
        return self.pins.stick(self._buttons[seat]) is not None

    def unstick(self, seat: int) -> None:
        """Release a button that stuck."""
        self.pins.release(self._buttons[seat])

    def spark(self, seat: int) -> bool:
        """Let static electricity hit the wire of a seat's button. Return whether it could."""
        return self.pins.spark(self._buttons[seat]) is not None

    def is_lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is lit now."""
        return self.pins.is_lit(self._lamps[seat])

    def tone_hz(self) -> float | None:
        """Return the sounder's tone in Hz, None for silence."""
        return None if self._sounder is None else self.pins.tone_hz(self._sounder)

    def listen(self, on_tone: Callable[[float | None], None] | None) -> None:
        """Call `on_tone` with each tone of the sounder from now on; None to stop."""

        def on_pin_tone(pin: int, tone_hz: float | None) -> None:
            if on_tone is not None and pin == self._sounder:
                on_tone(tone_hz)

        self.pins.on_tone = None if on_tone is None else on_pin_tone

    def _open(self) -> Factory:
        if not self._is_free:
            raise DeviceError("this process is gone")
        return self.pins.factory


STAND_IN = GpioStandIn
