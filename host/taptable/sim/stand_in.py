"""What stands for the hardware of one driver in a simulated table, below the driver: a driver's folder has a module
``stand_in`` whose `STAND_IN` is a class. Must not know who moves cards and fingers."""

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

TORN_AFTER_BITS = 11
"""In the middle of the first answer that has some of the UID in it."""

CableListener: TypeAlias = Callable[[Pad, bytes, bool], None]
"""Gets a pad, a line on its cable, and whether it goes to the Pi."""


class NoSuchPart(Exception):
    """There is nothing here with which that could be done."""


class Surroundings:
    """What the parts of one table share: the loop, the seed of all chance, the time on the air, and the cards."""

    def __init__(self, seed: int) -> None:
        self.loop = asyncio.get_running_loop()
        self.seed = seed
        self.air_clock = AirClock(lambda: round(self.loop.time() * US_PER_S))
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
        """Whether it is there."""
        ...

    def plug(self) -> None:
        """It is there, and dark."""
        ...

    def unplug(self) -> None:
        """It vanishes."""
        ...

    def image(self) -> Image:
        """Return what stands on the glass."""
        ...


class HardwareStandIn:
    """The hardware below the parts of one driver. `driver` is that driver over it. What a kind of hardware hasn't got
    raises `NoSuchPart`."""

    driver: Driver

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        self.parts = parts
        self.around = around

    def powered(self) -> AbstractContextManager[None]:
        """While this lasts the hardware is there."""
        return nullcontext()

    def count_starts(self, starts: int) -> None:
        """The table was started so often before, as far as the hardware keeps count."""

    def let_go(self) -> None:
        """The process of the table is gone at once: nothing that it still does reaches any part, all of which stay as
        they are. Nothing can be opened until `take_up`."""

    def take_up(self) -> None:
        """The next process may have every part."""

    # --- pads ---

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        raise NoSuchPart

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        raise NoSuchPart

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        raise NoSuchPart

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """The reader of a pad answers no more, or answers again."""
        raise NoSuchPart

    def is_deaf(self, pad: Pad) -> bool:
        """Whether the reader of a pad doesn't answer."""
        raise NoSuchPart

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """The reader of a pad takes a neighbour's card for one of its own, a bit late."""
        raise NoSuchPart

    def tear(self, pad: Pad, uid: str) -> None:
        """A card is torn away from a pad before it has been read."""
        raise NoSuchPart

    # --- cables ---

    def is_plugged(self, pad: Pad) -> bool | None:
        """Whether what is at a pad is plugged in; None where it has no plug."""
        del pad
        return None

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug in what is at a pad, or pull it out."""
        raise NoSuchPart

    def restart(self, pad: Pad) -> None:
        """What is at a pad loses its power for a moment."""
        raise NoSuchPart

    def is_noisy(self, pad: Pad) -> bool:
        """Whether the cable of a pad damages what is said on it."""
        del pad
        return False

    def make_noise(self, pad: Pad, noisy: bool) -> None:
        """The cable of a pad damages what is said on it, or does so no more."""
        raise NoSuchPart

    def overhear(self, listener: CableListener | None) -> None:
        """Tell each line on a cable from now on; None: no more."""

    # --- buttons, lamps, rings, sounder, display ---

    def press(self, pad: Pad, hold_s: float) -> None:
        """A seat's button, or one at another pad, is pressed and let go after `hold_s`."""
        raise NoSuchPart

    def stick(self, seat: int) -> bool:
        """The button of a seat goes down and stays so; False where it is down already."""
        raise NoSuchPart

    def unstick(self, seat: int) -> None:
        """A button that stuck comes up."""
        raise NoSuchPart

    def spark(self, seat: int) -> bool:
        """Static electricity hits the wire of a seat's button; False where it is down already."""
        raise NoSuchPart

    def is_lit(self, seat: int) -> bool:
        """Whether a seat's lamp is lit now; one that blinks by itself counts as lit."""
        raise NoSuchPart

    def lamp_pattern(self, seat: int) -> str | None:
        """Return the pattern that the seat's own lamp was told to show; None where it is told each change."""
        del seat
        return None

    def ring(self, pad: Pad) -> tuple[str, float, int] | None:
        """Return the pattern of a pad's ring, when what it runs over ends (the loop's time, seconds), and over how many
        milliseconds it runs; None where there is no ring."""
        del pad
        return None

    def tone_hz(self) -> float | None:
        """Return what the sounder gives; None for silence."""
        return None

    def listen(self, on_tone: Callable[[float | None], None] | None) -> None:
        """Tell each tone from now on; None: no more."""

    @property
    def display(self) -> DisplayStandIn | None:
        """The display, where there is one here."""
        return None


class PadsInFields(HardwareStandIn):
    """Pads with a field of their own in which cards lie. `is_deaf` and `deafen` are left to the bus."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.fields: Mapping[Pad, Field] = {
            part.pad: Field(str(part.address), around.air_clock) for part in parts if part.pad is not None
        }

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        self.fields[pad].put(self.around.card(uid))

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        self.fields[pad].lift(self.around.card(uid))

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return [card.uid.hex() for card in self.fields[pad].cards]

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """The reader takes a neighbour's card for one of its own."""
        self.fields[pad].disturbances.append(CrossTalk(ntag213(uid)))

    def tear(self, pad: Pad, uid: str) -> None:
        """A card is torn away in the middle of its first answer."""
        field = self.fields[pad]
        self.put(uid, pad)
        field.disturbances.append(Torn(field.cards[-1], field.exchange_count + 1, TORN_AFTER_BITS))
