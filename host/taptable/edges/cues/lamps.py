"""The lamps in the seat buttons: each shows a pattern by name until it is told another. The patterns are data. Must
not know when a lamp should show what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from gpiozero import LED, Factory

from taptable.edges.cues.steps import StepPlayer
from taptable.edges.gpio import Header, HeaderPart


class Lamp(StrEnum):
    """What a lamp can say."""

    OFF = "off"
    ON_TURN = "on-turn"  # this seat's turn
    MAY_BUZZ = "may-buzz"  # a window is open to this seat
    FIRST = "first"  # this seat's press was the first to be heard
    CLAIM = "claim"  # this seat must show its card now
    ASKED = "asked"  # another seat asks to take back: a press grants it
    REMINDED = "reminded"  # Stop seems to have been forgotten
    NOTICED = "noticed"  # a press without a meaning was seen all the same
    GRANTED = "granted"  # the press has granted what was asked, or a card is enrolled
    TURNED_DOWN = "turned-down"  # a card isn't enrolled


@dataclass(frozen=True, slots=True)
class Pattern:
    """Steps of (lit, milliseconds). A lasting pattern goes round and round, one of a single step is steady; a passing
    one is shown once, and then the lasting one again."""

    steps: tuple[tuple[bool, int], ...]
    passing: bool = False


PATTERNS: Mapping[Lamp, Pattern] = MappingProxyType(
    {
        Lamp.OFF: Pattern(((False, 0),)),
        Lamp.ON_TURN: Pattern(((True, 0),)),
        Lamp.MAY_BUZZ: Pattern(((True, 250), (False, 250))),
        Lamp.FIRST: Pattern(((True, 0),)),
        Lamp.CLAIM: Pattern(((True, 100), (False, 100))),
        Lamp.ASKED: Pattern(((True, 600), (False, 400))),
        Lamp.REMINDED: Pattern(((True, 120), (False, 120), (True, 120), (False, 1140))),
        # these begin and end dark, to be seen on a lamp that is lit too
        Lamp.NOTICED: Pattern(((False, 60), (True, 60), (False, 60)), passing=True),
        Lamp.GRANTED: Pattern(((False, 80), (True, 160), (False, 80), (True, 160), (False, 80)), passing=True),
        Lamp.TURNED_DOWN: Pattern(((False, 60), *((True, 60), (False, 60)) * 4), passing=True),
    }
)


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
