"""The field of one reader: the cards in it, what each request brings into the air, what disturbs it, and the truth of
which card came and went when. The chip model sends its frames here. Runs in MicroPython too."""

from taptable.sim.air import REQUEST_DELAY, AirClock, Burst, answer_delay, merge_bursts, request_periods, to_bits
from taptable.sim.cards import HALT, NfcCard

CAME = "came"
LEFT = "left"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Truth = tuple[int, str, str, str]


class Exchanged:
    """One request in the air and what came of it, times in carrier periods. `number`: the how-manyth of this field,
    from 0. `spoilt`: the cards can't understand it. `burst`: the answer, if there is one."""

    def __init__(self, field: "Field", number: int, frame: bytes, bits: int, began_at: int) -> None:
        self.field = field
        self.number = number
        self.frame = frame
        self.bits = bits
        self.began_at = began_at
        self.ended_at = began_at + request_periods(bits)
        self.spoilt = False
        self.burst: Burst | None = None

    def answer_begins_at(self) -> int:
        """When the answer begins, if there is one."""
        return self.ended_at + answer_delay(to_bits(self.frame, self.bits)[-1])

    def answer_ends_at(self) -> int:
        """When all is over."""
        return self.answer_begins_at() + self.burst.periods() if self.burst else self.ended_at


class Disturbance:
    """What goes wrong in a field: the two places where an exchange can be disturbed, a request before the cards hear it
    and an answer before the reader does. Those that are on stand in `Field.disturbances`."""

    def on_request(self, exchanged: Exchanged) -> None:
        """A request is sent, and not heard yet."""

    def on_answer(self, exchanged: Exchanged) -> None:
        """An answer comes, or none."""


class Field:
    """The field of the reader `name`. `truth` may be shared by all fields of a table: (time in µs, reader, came
    or left, UID in hex). Where `exchange_log` is a list, all exchanges are kept in it."""

    def __init__(self, name: str, clock: AirClock, truth: "list[Truth] | None" = None) -> None:
        self.name = name
        self.clock = clock
        self.truth: list[Truth] = [] if truth is None else truth
        self.cards: list[NfcCard] = []
        self.disturbances: list[Disturbance] = []
        self.exchange_count = 0
        self.exchange_log: list[Exchanged] | None = None
        self.is_on = False
        self.gain_db = 0  # of the reader's receiver, once there is one

    def put(self, card: NfcCard) -> None:
        """A card comes."""
        self.clock.catch_up()
        self.enter(card)
        self.truth.append((self.clock.now_us(), self.name, CAME, card.uid.hex()))

    def lift(self, card: NfcCard) -> None:
        """A card goes."""
        if card in self.cards:
            self.clock.catch_up()
            self.truth.append((self.clock.now_us(), self.name, LEFT, card.uid.hex()))
            self.leave(card)

    def enter(self, card: NfcCard) -> None:
        """A card gets into the field; one that is not really there (see `CrossTalk`) leaves no truth."""
        self.cards.append(card)
        card.get_power(self.clock.now())

    def leave(self, card: NfcCard) -> None:
        """A card gets out of the field."""
        self.cards.remove(card)
        card.lose_power()

    def switch(self, on: bool) -> None:
        """The reader's antenna goes on or off."""
        if on == self.is_on:
            return
        self.is_on = on
        for card in self.cards:
            if on:
                card.get_power(self.clock.now())
            else:
                card.lose_power()

    def end_latches(self, cause: "str | int") -> None:
        """The reader was reset (by its ``pin`` or by a ``command``), or a register was written: end what lasts until
        then."""
        for disturbance in list(self.disturbances):
            if isinstance(disturbance, Latched) and cause in disturbance.cleared_by:
                self.disturbances.remove(disturbance)

    def exchange(self, frame: bytes, bits: int, began_at: int, spoilt: bool = False) -> Exchanged:
        """Send a frame of `bits` bits that began at `began`, `spoilt` where no card understands how it is sent;
        whatever answers is in what comes back."""
        exchanged = Exchanged(self, self.exchange_count, frame, bits, began_at)
        exchanged.spoilt = spoilt
        self.exchange_count += 1
        if self.exchange_log is not None:
            self.exchange_log.append(exchanged)
        for disturbance in list(self.disturbances):
            disturbance.on_request(exchanged)
        if self.is_on:
            exchanged.burst = self._answers(exchanged)
        for disturbance in list(self.disturbances):
            disturbance.on_answer(exchanged)
        for card in self.cards:
            card.pause(exchanged.answer_ends_at() + REQUEST_DELAY)
        return exchanged

    def _answers(self, exchanged: Exchanged) -> "Burst | None":
        """What the cards say together; the weaker are drowned."""
        answers: list[tuple[int, Burst]] = []
        for card in self.cards:
            burst = card.hear(exchanged.frame, exchanged.bits, exchanged.began_at, exchanged.spoilt)
            if burst is not None and card.min_gain_db <= self.gain_db:
                answers.append((card.strength, burst))
        if not answers:
            return None
        loudest = max(strength for strength, _ in answers)
        return merge_bursts([burst for strength, burst in answers if strength == loudest])


class Torn(Disturbance):
    """`card` is torn away in the exchange `number`: before it, or after `bits` bits of its answer."""

    def __init__(self, card: NfcCard, number: int, bits: int | None = None) -> None:
        self._card = card
        self._number = number
        self._bits = bits

    def on_request(self, exchanged: Exchanged) -> None:
        """The card is gone before it hears anything."""
        if exchanged.number == self._number and self._bits is None:
            exchanged.field.lift(self._card)

    def on_answer(self, exchanged: Exchanged) -> None:
        """The card is gone in the middle of its answer."""
        if exchanged.number == self._number and self._bits is not None:
            exchanged.field.lift(self._card)
            if exchanged.burst:
                exchanged.burst.cut(self._bits)


class TornInAnticollision(Disturbance):
    """`card` is torn away after `bits` bits of its next answer to a frame of anticollision, whenever that comes."""

    def __init__(self, card: NfcCard, bits: int) -> None:
        self._card = card
        self._bits = bits

    def on_answer(self, exchanged: Exchanged) -> None:
        """Cut the answer, if it is one of those."""
        frame = exchanged.frame
        if exchanged.burst and len(frame) > 1 and frame[0] != 0x50 and frame[1] != 0x70:
            exchanged.field.disturbances.remove(self)
            exchanged.field.lift(self._card)
            exchanged.burst.cut(self._bits)


class Flips(Disturbance):
    """In the exchange `number` these bits of the answer are turned over; where nothing answers, there is a crackle."""

    def __init__(self, number: int, positions: "Sequence[int]") -> None:
        self._number = number
        self._positions = positions

    def on_answer(self, exchanged: Exchanged) -> None:
        """Spoil the answer."""
        if exchanged.number == self._number:
            spoil(exchanged, self._positions)


class Deafened(Disturbance):
    """The request `number` reaches the cards spoilt."""

    def __init__(self, number: int) -> None:
        self._number = number

    def on_request(self, exchanged: Exchanged) -> None:
        """Spoil the request."""
        if exchanged.number == self._number:
            exchanged.spoilt = True


class Noise(Disturbance):
    """Noise: every request and every answer is spoilt with this chance (0 to 1; `random` gives such numbers)."""

    def __init__(self, chance: float, random: "Callable[[], float]") -> None:
        self.chance = chance
        self._random = random

    def on_request(self, exchanged: Exchanged) -> None:
        """Now and then spoil the request."""
        if self._random() < self.chance:
            exchanged.spoilt = True

    def on_answer(self, exchanged: Exchanged) -> None:
        """Now and then spoil the answer, in up to four bits."""
        if self._random() < self.chance:
            spoil(exchanged, [int(self._random() * 40) for _ in range(1 + int(self._random() * 4))])


def heard_share(gain_db: int, min_gain_db: int) -> float:
    """Of the answers of a card that needs this gain to be heard always, the share that is heard with that one. A model
    and no measurement: each dB that is missing costs 4 %."""
    return min(1.0, max(0.0, 1 - (min_gain_db - gain_db) / 25))


class Faint(Disturbance):
    """What answers needs a gain of `min_gain_db` to be heard always; with less, `heard_share` of its answers are heard,
    and nothing is of the others (`random` gives numbers from 0 to 1)."""

    def __init__(self, min_gain_db: int, random: "Callable[[], float]") -> None:
        self._min_gain_db = min_gain_db
        self._random = random

    def on_answer(self, exchanged: Exchanged) -> None:
        """Now and then hear nothing."""
        if self._random() >= heard_share(exchanged.field.gain_db, self._min_gain_db):
            exchanged.burst = None


class Latched(Disturbance):
    """The receiver hears nothing, or only nonsense where it is `garbling`, though all registers read well: until one of
    these is done to the chip, a reset by its ``pin``, one by ``command``, or a write to the register of that number."""

    def __init__(self, cleared_by: "tuple[str | int, ...]" = ("pin", "command"), garbling: bool = False) -> None:
        self.cleared_by = cleared_by
        self._garbling = garbling

    def on_answer(self, exchanged: Exchanged) -> None:
        """Hear nothing of it, or nothing right."""
        if not self._garbling:
            exchanged.burst = None
        elif exchanged.burst:
            exchanged.burst.broken = True


class CrossTalk(Disturbance):
    """A card that isn't there answers, check bytes and all, until it has been halted once."""

    def __init__(self, ghost: NfcCard) -> None:
        self._ghost = ghost

    def on_request(self, exchanged: Exchanged) -> None:
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
