"""The lamps in the seat buttons: each shows a pattern by name until it is told another. Must not know
when a lamp should show what."""

from __future__ import annotations

from collections.abc import Mapping

from gpiozero import LED, Factory

from taptable.edges.cues.steps import StepPlayer
from taptable.edges.gpio import Header, HeaderPart
from taptable.narration.lamps import PATTERNS, Lamp


class Lamps:
    """The lamps of all seats that have one: `pins` gives the BCM number of each seat's. Seats without a lamp may be
    told to show something as well."""

    def __init__(self, header: Header, pins: Mapping[int, int]) -> None:
        self._lamps = {seat: _SeatLamp(header, seat, pin) for seat, pin in pins.items()}

    def open(self) -> None:
        """Take the pins. A lamp that can't be had is reported as *lamp N* and tried again; it then shows what it
        should."""
        for lamp in self._lamps.values():
            lamp.part.open()

    def show(self, seat: int, name: Lamp) -> None:
        """Show a pattern at a seat; what it shows already goes on undisturbed."""
        if seat in self._lamps:
            self._lamps[seat].show(name)

    def shown(self, seat: int) -> Lamp:
        """The lasting pattern of a seat."""
        return self._lamps[seat].lasting if seat in self._lamps else Lamp.OFF

    def close(self) -> None:
        """All lamps off, and the pins let go."""
        for lamp in self._lamps.values():
            lamp.close()


class _SeatLamp:
    """One lamp, and what it shows whether the device is there or not."""

    def __init__(self, header: Header, seat: int, pin: int) -> None:
        def build(factory: Factory) -> LED:
            return LED(pin, pin_factory=factory)

        self.part = HeaderPart(f"lamp {seat}", header, build, lambda _: self._light(self._lit))
        self.lasting = Lamp.OFF
        self._lit = False
        self._player = StepPlayer[bool](header.loop, self._light)

    def show(self, name: Lamp) -> None:
        pattern = PATTERNS[name]
        if pattern.passing:
            self._player.play(pattern.steps, done=self._last)
        elif name is not self.lasting:
            self.lasting = name
            self._last()

    def close(self) -> None:
        self._player.stop()
        self.part.close()

    def _last(self) -> None:
        """Show the lasting pattern."""
        steps = PATTERNS[self.lasting].steps
        if len(steps) == 1:
            self._player.stop()
            self._light(steps[0][0])
        else:
            self._player.play(steps, again=True)

    def _light(self, lit: bool) -> None:
        def write(led: LED) -> None:
            led.value = lit

        self._lit = lit
        self.part.use(write)
