"""What goes wrong in a reader's field: a card torn away, noise, a neighbour's card heard through. Put into
`Field.disturbances`; each may spoil a request before the cards hear it, and an answer before the reader does. Runs in
MicroPython too."""

from taptable.sim.air import Burst
from taptable.sim.cards import HALT, Card
from taptable.sim.field import Disturbance, Exchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Torn(Disturbance):
    """`card` is torn away in the exchange `number`: before it, or after `bits` bits of its answer."""

    def __init__(self, card: Card, number: int, bits: int | None = None) -> None:
        self._card = card
        self._number = number
        self._bits = bits

    def before(self, exchanged: Exchanged) -> None:
        """The card is gone before it hears anything."""
        if exchanged.number == self._number and self._bits is None:
            exchanged.field.take(self._card)

    def after(self, exchanged: Exchanged) -> None:
        """The card is gone in the middle of its answer."""
        if exchanged.number == self._number and self._bits is not None:
            exchanged.field.take(self._card)
            if exchanged.burst:
                exchanged.burst.cut(self._bits)


class TornInAnticollision(Disturbance):
    """`card` is torn away after `bits` bits of its next answer to a frame of anticollision, whenever that comes."""

    def __init__(self, card: Card, bits: int) -> None:
        self._card = card
        self._bits = bits

    def after(self, exchanged: Exchanged) -> None:
        """Cut the answer, if it is one of those."""
        frame = exchanged.frame
        if exchanged.burst and len(frame) > 1 and frame[0] != 0x50 and frame[1] != 0x70:
            exchanged.field.disturbances.remove(self)
            exchanged.field.take(self._card)
            exchanged.burst.cut(self._bits)


class Flips(Disturbance):
    """In the exchange `number` these bits of the answer are turned over; where nothing answers, there is a crackle."""

    def __init__(self, number: int, positions: "Sequence[int]") -> None:
        self._number = number
        self._positions = positions

    def after(self, exchanged: Exchanged) -> None:
        """Spoil the answer."""
        if exchanged.number == self._number:
            spoil(exchanged, self._positions)


class Deafened(Disturbance):
    """The request `number` reaches the cards spoilt."""

    def __init__(self, number: int) -> None:
        self._number = number

    def before(self, exchanged: Exchanged) -> None:
        """Spoil the request."""
        if exchanged.number == self._number:
            exchanged.spoilt = True


class Noise(Disturbance):
    """Noise: every request and every answer is spoilt with this chance (0 to 1; `random` gives such numbers)."""

    def __init__(self, chance: float, random: "Callable[[], float]") -> None:
        self.chance = chance
        self._random = random

    def before(self, exchanged: Exchanged) -> None:
        """Now and then spoil the request."""
        if self._random() < self.chance:
            exchanged.spoilt = True

    def after(self, exchanged: Exchanged) -> None:
        """Now and then spoil the answer, in up to four bits."""
        if self._random() < self.chance:
            spoil(exchanged, [int(self._random() * 40) for _ in range(1 + int(self._random() * 4))])


class CrossTalk(Disturbance):
    """A card that isn't there answers, check bytes and all, until it has been halted once."""

    def __init__(self, ghost: Card) -> None:
        self._ghost = ghost

    def before(self, exchanged: Exchanged) -> None:
        """The ghost appears, or is gone again."""
        field = exchanged.field
        if self._ghost.state == HALT:
            field.leave(self._ghost)
            field.disturbances.remove(self)
        elif self._ghost not in field.cards:
            field.enter(self._ghost)
            self._ghost.get_power(0)  # it lies in a field that has been on for long


def spoil(exchanged: Exchanged, positions: "Sequence[int]") -> None:
    """Turn bits of the answer over; where there is none, a few bits come that are no frame."""
    if exchanged.burst:
        for position in positions:
            exchanged.burst.flip(position)
    else:
        exchanged.burst = Burst([1, 0, 1])
        exchanged.burst.broken = True
