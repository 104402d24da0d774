"""The Pi's pins without a Pi, below gpiozero: its mock factory, with contacts that bounce like real ones, static that
is no press, and buttons that stick. Records the truth of each contact's closings; reads back lamps and the sounder, and
reports each tone as it begins. Uses the loop's time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from itertools import count
from random import Random

import gpiozero.pins.mock
from gpiozero.pins.mock import MockFactory, MockPWMPin

WORST_BOUNCE_S = 0.006
MEAN_BOUNCE_S = 0.0016
LONGEST_BOUNCE_S = 0.157
SPIKE_S = 0.003
"""A closing shorter than this is static, not a press."""


@dataclass(slots=True)
class Closing:
    """The truth about one closing of a contact, in seconds of the loop's clock: `bounced_s` is how long it bounced at
    first, `ended_s` is None while it is closed. It is a press unless `is_static`. While `stuck`, no finger releases
    it."""

    pin: int
    began_s: float
    bounced_s: float
    ended_s: float | None = None
    is_static: bool = False
    stuck: bool = False


class ContactPin(MockPWMPin):
    """A mock pin with a contact to ground beside its pull-up. Opening the pin doesn't open the contact."""

    def __init__(self, factory: MockFactory, info: object) -> None:
        self._grounded = False
        super().__init__(factory, info)

    def ground(self, closed: bool) -> None:
        """Close or open the contact. Has no effect on an output."""
        self._grounded = closed
        if self.function == "input":
            if closed:
                self.drive_low()
            elif self.pull == "up":
                self.drive_high()

    def _get_state(self) -> float:
        if self.function == "input" and isinstance(self.factory, ContactFactory):
            self.factory.move_on()
        return super()._get_state()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._grounded:
            self.drive_low()

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        self.clear_states()  # they would be kept for as long as the pin is
        self._report_driven()
        return changed

    def _set_frequency(self, value: float | None) -> None:
        super()._set_frequency(value)
        self._report_driven()

    def _report_driven(self) -> None:
        if isinstance(self.factory, ContactFactory):
            self.factory.on_driven(self)


class ContactFactory(MockFactory):
    """Makes such pins. Calls `on_driven` with each pin that is driven, and `move_on` before a pin is read, so that
    contacts can move."""

    def __init__(
        self,
        on_driven: Callable[[ContactPin], None],
        move_on: Callable[[], None],
        pin_class: type[MockPWMPin] = ContactPin,
    ) -> None:
        super().__init__(pin_class=pin_class)
        self.on_driven = on_driven
        self.move_on = move_on


class SimulatedPins:
    """The header of a simulated Pi. Drivers use `factory`; everything random follows from `seed`.

    Stamps are the times at which a contact really moved, even if the loop comes late: so are the kernel's. `on_tone`,
    if it is set, is called with a pin's BCM number and its tone from now on, in Hz, None for silence."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seed: int = 0, *, long_bounce_chance: float = 0.001) -> None:
        self.on_tone: Callable[[int, float | None], None] | None = None
        self.factory = ContactFactory(self._on_driven, self.move_on)
        self._tones: dict[int, float] = {}
        self._loop = loop
        self._random = Random(seed)
        self._long_bounce_chance = long_bounce_chance
        self._moved_s: float | None = None
        self._closings: list[Closing] = []
        self._closed: dict[int, Closing] = {}
        self._still_from_s: dict[int, float] = {}
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._is_closed = False
        self._clock_before = gpiozero.pins.mock.monotonic
        gpiozero.pins.mock.monotonic = self._monotonic

    @property
    def truth(self) -> tuple[Closing, ...]:
        """Every closing of a contact up to now."""
        return tuple(self._closings)

    def forget(self) -> None:
        """Drop the truth of all closings that are over."""
        self._closings = list(self._closed.values())

    def press(self, pin: int, hold_s: float = 0.12) -> Closing | None:
        """Press a button and release it after `hold_s`. Return None if it is down or still bouncing, so that the finger
        would feel nothing."""
        closing = self._close_contact(pin, min(self._bounce_s(), hold_s))
        if closing is not None:
            self._let_go(closing, hold_s)
        return closing

    def stick(self, pin: int) -> Closing | None:
        """Hold a button down until `release`, even if a finger was about to release it, or static to end. Return None
        while it bounces."""
        closing = self._closed.get(pin) or self._close_contact(pin, self._bounce_s())
        if closing is not None:
            closing.stuck, closing.is_static = True, False
        return closing

    def release(self, pin: int) -> None:
        """Release a button, stuck or not."""
        if pin in self._closed:
            self._closed[pin].stuck = False
            self._open_contact(self._closed[pin], self._loop.time())

    def spark(self, pin: int, width_s: float = 0.001) -> Closing | None:
        """Make a spike like those of long fingers and nylon, shorter than `SPIKE_S`. Return None if the contact is
        closed anyway."""
        if not 0 < width_s < SPIKE_S:
            raise ValueError(f"static lasts less than {SPIKE_S} s, not {width_s} s")
        closing = self._close_contact(pin, 0.0)
        if closing is not None:
            closing.is_static = True
            self._let_go(closing, width_s)
        return closing

    def is_down(self, pin: int) -> bool:
        """Return whether a button is held down."""
        return pin in self._closed

    def is_lit(self, pin: int) -> bool:
        """Return whether a lamp is lit."""
        device = self._pin(pin)
        return device.function == "output" and bool(device.state)

    def tone_hz(self, pin: int) -> float | None:
        """Return the sounder's tone in Hz, None for silence."""
        device = self._pin(pin)
        return device.frequency if device.function == "output" and device.state else None

    def let_go(self) -> None:
        """Take the pins from the process at once, as the kernel does when a process is killed: lamps are dark, the
        sounder is silent, and the next process may have the pins. Contacts stay as they are."""
        self.factory.on_driven = _ignore_pin
        for pin in list(self._tones):
            self._sound(pin, None)
        self.factory = ContactFactory(self._on_driven, self.move_on, self.factory.pin_class)
        for pin in self._closed:
            self._pin(pin).ground(True)

    def close(self) -> None:
        """End all movement and restore gpiozero's clock."""
        self._is_closed = True
        gpiozero.pins.mock.monotonic = self._clock_before

    def _let_go(self, closing: Closing, after_s: float) -> None:
        ended_s = closing.began_s + after_s
        self._plan(ended_s, self._open_contact, closing, ended_s)

    def _plan(self, at_s: float, move: Callable[..., None], *facts: object) -> None:
        """Schedule a movement of contacts for a time. It happens at the latest before a later read of a pin."""
        heappush(self._planned, (at_s, next(self._numbers), partial(move, *facts)))
        self._loop.call_at(at_s, self._move_until, at_s)

    def move_on(self) -> None:
        """Make all movements up to now."""
        self._move_until(self._loop.time())

    def _move_until(self, now_s: float) -> None:
        """Make all movements up to a time, each reported before the next. A timer may be early by the clock's
        resolution."""
        while self._moved_s is None and self._planned and self._planned[0][0] <= now_s:
            heappop(self._planned)[-1]()

    def _close_contact(self, pin: int, bounced_s: float) -> Closing | None:
        now_s = self._loop.time()
        if pin in self._closed or now_s < self._still_from_s.get(pin, now_s):
            return None
        closing = Closing(pin, now_s, bounced_s)
        self._closings.append(closing)
        self._closed[pin] = closing
        self._chatter(pin, True, now_s, bounced_s)
        return closing

    def _open_contact(self, closing: Closing, moved_s: float) -> None:
        if self._closed.get(closing.pin) is not closing or closing.stuck:
            return
        del self._closed[closing.pin]
        closing.ended_s = moved_s
        bounced_s = 0.0 if closing.is_static else self._bounce_s()
        self._still_from_s[closing.pin] = moved_s + bounced_s
        self._chatter(closing.pin, False, moved_s, bounced_s)

    def _bounce_s(self) -> float:
        """Return how long a contact bounces: 1.6 ms in the mean, 6 ms at worst, and rarely up to 157 ms."""
        if self._random.random() < self._long_bounce_chance:
            return self._random.uniform(WORST_BOUNCE_S, LONGEST_BOUNCE_S)
        return WORST_BOUNCE_S * self._random.betavariate(1.2, 1.2 * (WORST_BOUNCE_S / MEAN_BOUNCE_S - 1))

    def _chatter(self, pin: int, closed: bool, began_s: float, bounced_s: float) -> None:
        """Schedule the edges of one movement: the contact closes (or opens) at once, chatters, and ends as it began."""
        self._move(pin, closed, began_s, closed)
        longest_s = max(0.0005, bounced_s / 12)
        at_s = began_s
        while True:
            undone_s = at_s + self._random.uniform(0.00002, longest_s)
            at_s = undone_s + self._random.uniform(0.00002, longest_s)
            if at_s > began_s + bounced_s:
                return
            self._plan(undone_s, self._move, pin, not closed, undone_s, closed)
            self._plan(at_s, self._move, pin, closed, at_s, closed)

    def _move(self, pin: int, closed: bool, moved_s: float, settling: bool) -> None:
        if self._is_closed or (pin in self._closed) is not settling:  # moved the other way before it had settled
            return
        self._moved_s = moved_s
        try:
            self._pin(pin).ground(closed)
        finally:
            self._moved_s = None

    def _on_driven(self, pin: ContactPin) -> None:
        """Report a tone that begins or ends because a pin was driven in pulses."""
        tone_hz = pin.frequency if pin.function == "output" and pin.state else None
        number = self._number(pin)
        if tone_hz != self._tones.get(number):
            self._sound(number, tone_hz)

    def _sound(self, pin: int, tone_hz: float | None) -> None:
        if tone_hz is None:
            self._tones.pop(pin, None)
        else:
            self._tones[pin] = tone_hz
        if self.on_tone is not None:
            self.on_tone(pin, tone_hz)

    @staticmethod
    def _number(pin: ContactPin) -> int:
        return int(pin.info.name.removeprefix("GPIO"))

    def _pin(self, pin: int) -> ContactPin:
        found = self.factory.pin(pin)
        assert isinstance(found, ContactPin)
        return found

    def _monotonic(self) -> float:
        return self._loop.time() if self._moved_s is None else self._moved_s


def _ignore_pin(_: ContactPin) -> None:
    """Ignore pins that no process has any more."""
