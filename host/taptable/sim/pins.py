"""The Pi's pins without a Pi, below gpiozero: its mock factory, with contacts that bounce as real ones do, static
that is no press, and buttons that stick. Keeps the truth of what was done to each contact; reads back lamps and the
sounder. Time is the loop's."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
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
    first, `ended_s` is None while it is closed. It is a press unless it is static."""

    pin: int
    began_s: float
    bounced_s: float
    ended_s: float | None = None
    static: bool = False


class ContactPin(MockPWMPin):
    """A mock pin with a contact to ground beside its pull-up, which opening the pin doesn't lift."""

    def __init__(self, factory: MockFactory, info: object) -> None:
        self._grounded = False
        super().__init__(factory, info)

    def ground(self, closed: bool) -> None:
        """Close or open the contact; on an output that makes no difference."""
        self._grounded = closed
        if self.function == "input":
            if closed:
                self.drive_low()
            elif self.pull == "up":
                self.drive_high()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._grounded:
            self.drive_low()


class SimulatedPins:
    """The header of a simulated Pi. `factory` goes to the edges; everything that happens follows from `seed`.

    Stamps are the times at which a contact really moved, even if the loop comes late: so are the kernel's.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, seed: int = 0, *, long_bounce_chance: float = 0.001) -> None:
        self.factory = MockFactory(pin_class=ContactPin)
        self._loop = loop
        self._random = Random(seed)
        self._long_bounce_chance = long_bounce_chance
        self._moved_s: float | None = None
        self._closings: list[Closing] = []
        self._closed: dict[int, Closing] = {}
        self._still_from_s: dict[int, float] = {}
        self._over = False
        self._clock_before = gpiozero.pins.mock.monotonic
        gpiozero.pins.mock.monotonic = self._monotonic

    @property
    def truth(self) -> tuple[Closing, ...]:
        """Every closing of a contact so far."""
        return tuple(self._closings)

    def press(self, pin: int, hold_s: float = 0.12) -> Closing | None:
        """Press a button and let it go after `hold_s`; None if it is down or still bouncing, which nobody would
        feel."""
        closing = self._close_contact(pin, min(self._bounce_s(), hold_s))
        if closing is not None:
            self._let_go(closing, hold_s)
        return closing

    def stick(self, pin: int) -> Closing | None:
        """Press a button that stays down until `free`; None if it is down already."""
        return self._close_contact(pin, self._bounce_s())

    def free(self, pin: int) -> None:
        """Let go of a button, stuck or not."""
        if pin in self._closed:
            self._open_contact(self._closed[pin], self._loop.time())

    def static(self, pin: int, width_s: float = 0.001) -> Closing | None:
        """A spike as long fingers and nylon make it, shorter than `SPIKE_S`; None if the contact is closed anyway."""
        if not 0 < width_s < SPIKE_S:
            raise ValueError(f"static lasts less than {SPIKE_S} s, not {width_s} s")
        closing = self._close_contact(pin, 0.0)
        if closing is not None:
            closing.static = True
            self._let_go(closing, width_s)
        return closing

    def down(self, pin: int) -> bool:
        """Whether a button is held down."""
        return pin in self._closed

    def lit(self, pin: int) -> bool:
        """Whether a lamp is lit."""
        device = self._pin(pin)
        return device.function == "output" and bool(device.state)

    def tone_hz(self, pin: int) -> float | None:
        """The tone the sounder gives, None in silence."""
        device = self._pin(pin)
        return device.frequency if device.function == "output" and device.state else None

    def close(self) -> None:
        """End all movement and give gpiozero its clock back."""
        self._over = True
        gpiozero.pins.mock.monotonic = self._clock_before

    def _let_go(self, closing: Closing, after_s: float) -> None:
        ended_s = closing.began_s + after_s
        self._loop.call_at(ended_s, self._open_contact, closing, ended_s)

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
        if self._closed.get(closing.pin) is not closing:
            return
        del self._closed[closing.pin]
        closing.ended_s = moved_s
        bounced_s = 0.0 if closing.static else self._bounce_s()
        self._still_from_s[closing.pin] = moved_s + bounced_s
        self._chatter(closing.pin, False, moved_s, bounced_s)

    def _bounce_s(self) -> float:
        """How long a contact bounces: 1.6 ms in the mean, 6 ms at worst, and once in a long while up to 157 ms."""
        if self._random.random() < self._long_bounce_chance:
            return self._random.uniform(WORST_BOUNCE_S, LONGEST_BOUNCE_S)
        return WORST_BOUNCE_S * self._random.betavariate(1.2, 1.2 * (WORST_BOUNCE_S / MEAN_BOUNCE_S - 1))

    def _chatter(self, pin: int, closed: bool, began_s: float, bounced_s: float) -> None:
        """The edges of one movement: the contact closes (or opens) at once, chatters, and ends as it began."""
        self._move(pin, closed, began_s, closed)
        longest_s = max(0.0005, bounced_s / 12)
        at_s = began_s
        while True:
            undone_s = at_s + self._random.uniform(0.00002, longest_s)
            at_s = undone_s + self._random.uniform(0.00002, longest_s)
            if at_s > began_s + bounced_s:
                return
            self._loop.call_at(undone_s, self._move, pin, not closed, undone_s, closed)
            self._loop.call_at(at_s, self._move, pin, closed, at_s, closed)

    def _move(self, pin: int, closed: bool, moved_s: float, settling: bool) -> None:
        if self._over or (pin in self._closed) is not settling:  # moved the other way before it had settled
            return
        self._moved_s = moved_s
        try:
            self._pin(pin).ground(closed)
        finally:
            self._moved_s = None

    def _pin(self, pin: int) -> ContactPin:
        found = self.factory.pin(pin)
        assert isinstance(found, ContactPin)
        return found

    def _monotonic(self) -> float:
        return self._loop.time() if self._moved_s is None else self._moved_s
