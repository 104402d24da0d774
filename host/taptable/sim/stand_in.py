"""The interface of the stand-ins for hardware: in a simulated table one stands below each driver. A driver's folder has
a module ``stand_in`` whose `STAND_IN` is such a class; `table` creates them. Must not know who moves cards and
fingers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeAlias

from PIL.Image import Image

from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.drivers.interface import Driver, Part
from taptable.sim.air import AirClock
from taptable.sim.cards import NfcCard, mifare_classic, ntag213
from taptable.sim.field import CrossTalk, Field, Torn
from taptable.sim.i2c_bus import I2cWires
from taptable.sim.spi_bus import Wiring

TORN_AFTER_BITS = 11
"""After how many bits of its answer a card is torn away: in the middle of the first answer that has a part of the
UID."""

CableListener: TypeAlias = Callable[[Pad, bytes, bool], None]
"""Callback that takes a pad, a line on its cable, and whether the line goes to the Pi."""


class NoSuchPart(Exception):
    """The hardware has no part that could do this."""


class Surroundings:
    """Shared by the parts of one table: the loop, the seed of all chance, the buses of I2C and SPI, and the cards."""

    def __init__(self, seed: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.seed = seed
        self.i2c = I2cWires()
        self.spi = Wiring({})
        self._cards: dict[str, NfcCard] = {}

    def card(self, uid: str) -> NfcCard:
        """Return the card with this UID: there is one of each."""
        if uid not in self._cards:
            number = bytes.fromhex(uid)
            self._cards[uid] = ntag213(number) if len(number) == 7 else mifare_classic(number)
        return self._cards[uid]


class DisplayStandIn(Protocol):
    """The glass of a display, from the bytes that its driver sent."""

    size: tuple[int, int]
    bytes_sent: int
    contrast: int

    @property
    def plugged(self) -> bool:
        """Whether it is plugged in."""
        ...

    def plug(self) -> None:
        """Plug it in, dark."""
        ...

    def unplug(self) -> None:
        """Pull it out."""
        ...

    def image(self) -> Image:
        """Return the picture on the glass."""
        ...


class HardwareStandIn:
    """The hardware below the parts of one driver. `driver` is that driver, running on this hardware. A method for a
    part that this hardware doesn't have raises `NoSuchPart`."""

    driver: Driver

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        self.parts = parts
        self.around = around

    def powered(self) -> AbstractContextManager[None]:
        """Return a context in which the hardware is present."""
        return nullcontext()

    def count_starts(self, starts: int) -> None:
        """Set how often the table was started before, if the hardware counts that."""

    def let_go(self) -> None:
        """Cut the hardware off from the table's process, as if it was killed: nothing that the process still does
        reaches any part, and all parts stay as they are. Nothing can be opened until `take_up`."""

    def take_up(self) -> None:
        """Make every part available to the next process."""

    # --- pads ---

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        raise NoSuchPart

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        raise NoSuchPart

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        raise NoSuchPart

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Stop the reader of a pad from answering, or let it answer again."""
        raise NoSuchPart

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the reader of a pad doesn't answer."""
        raise NoSuchPart

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """Let the reader of a pad receive a neighbour's card, one bit late, as one of its own."""
        raise NoSuchPart

    def tear(self, pad: Pad, uid: str) -> None:
        """Tear a card away from a pad before it has been read."""
        raise NoSuchPart

    # --- cables ---

    def is_plugged(self, pad: Pad) -> bool | None:
        """Return whether the device at a pad is plugged in; None if it has no plug."""
        del pad
        return None

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug the device at a pad in, or pull it out."""
        raise NoSuchPart

    def on_one_plug(self, pad: Pad) -> Sequence[Pad]:
        """Return the pads whose parts have one plug in common with that at this pad, itself among them."""
        return [pad]

    def hangs(self, pad: Pad) -> bool | None:
        """Return whether the switch in front of a pad's reader hangs; None if there is no switch."""
        del pad
        return None

    def behind_switch(self, pad: Pad) -> Sequence[Pad]:
        """Return the pads whose readers are behind the same switch as that of this pad, itself among them."""
        raise NoSuchPart

    def hang_switch(self, pad: Pad, hung: bool) -> None:
        """Let the switch in front of a pad's reader hang, or restart it."""
        raise NoSuchPart

    def restart(self, pad: Pad) -> None:
        """Interrupt the power of the device at a pad for a moment."""
        raise NoSuchPart

    def is_noisy(self, pad: Pad) -> bool:
        """Return whether the cable of a pad corrupts its lines."""
        del pad
        return False

    def make_noise(self, pad: Pad, noisy: bool) -> None:
        """Let the cable of a pad corrupt its lines, or stop that."""
        raise NoSuchPart

    def overhear(self, listener: CableListener | None) -> None:
        """Pass each line on a cable to `listener` from now on; None stops that."""

    # --- buttons, lamps, rings, sounder, display ---

    def press(self, pad: Pad, hold_s: float) -> None:
        """Press a seat's button, or one at another pad, and release it after `hold_s`."""
        raise NoSuchPart

    def stick(self, seat: int) -> bool:
        """Make the button of a seat stick down; return False if it is down already."""
        raise NoSuchPart

    def unstick(self, seat: int) -> None:
        """Release a button that stuck."""
        raise NoSuchPart

    def spark(self, seat: int) -> bool:
        """Let static electricity hit the wire of a seat's button; return False if it is down already."""
        raise NoSuchPart

    def is_lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is lit now; one that blinks by itself counts as lit."""
        raise NoSuchPart

    def lamp_pattern(self, seat: int) -> str | None:
        """Return the pattern that the seat's own lamp shows; None if the lamp gets each change instead of a pattern."""
        del seat
        return None

    def ring(self, pad: Pad) -> tuple[str, float, int] | None:
        """Return the pattern of a pad's ring, the end of its time span (the loop's time, seconds), and the length of
        that span in milliseconds; None where there is no ring."""
        del pad
        return None

    def tone_hz(self) -> float | None:
        """Return the frequency of the sounder's tone; None for silence."""
        return None

    def listen(self, on_tone: Callable[[float | None], None] | None) -> None:
        """Call `on_tone` with each tone from now on; None stops that."""

    @property
    def display(self) -> DisplayStandIn | None:
        """The display, if this hardware has one."""
        return None


class PadsInFields(HardwareStandIn):
    """Pads with a field of their own in which cards lie. A subclass for the bus has `is_deaf` and `deafen`. Its fields
    share a clock, and other drivers' fields don't: looking at pads on a slow bus takes no time at those elsewhere."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.air_clock = AirClock(lambda: round(around.loop.time() * US_PER_S))
        self.fields: Mapping[Pad, Field] = {
            part.pad: Field(str(part.address), self.air_clock) for part in parts if part.pad is not None
        }

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        self.fields[pad].put(self.around.card(uid))

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        self.fields[pad].lift(self.around.card(uid))

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return [card.uid.hex() for card in self.fields[pad].cards]

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """Let the reader receive a neighbour's card as one of its own."""
        self.fields[pad].disturbances.append(CrossTalk(ntag213(uid)))

    def tear(self, pad: Pad, uid: str) -> None:
        """Tear a card away in the middle of its first answer."""
        field = self.fields[pad]
        self.put(uid, pad)
        field.disturbances.append(Torn(field.cards[-1], field.exchange_count + 1, TORN_AFTER_BITS))
