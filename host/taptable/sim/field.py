"""Model of one reader's field: the cards in it, the answers to each request, disturbances, and the ground truth of
which card came and went when. The chip model sends its frames here. Runs in MicroPython too. Must not know the chip or
its bus."""

from taptable.sim.air import REQUEST_DELAY, AirClock, Burst, answer_delay, merge_bursts, request_periods, to_bits
from taptable.sim.cards import HALT, NfcCard

CAME = "came"
LEFT = "left"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Truth = tuple[int, str, str, str]


class Exchanged:
    """One request in the air and its answer, times in carrier periods. `number` counts the requests of this field from
    0. `spoilt`: no card understands the request. `burst`: the answer, if there is one."""

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
        """Return when the answer begins, if there is one."""
        return self.ended_at + answer_delay(to_bits(self.frame, self.bits)[-1])

    def answer_ends_at(self) -> int:
        """Return when the answer ends, or the request if there is no answer."""
        return self.answer_begins_at() + self.burst.periods() if self.burst else self.ended_at


class Disturbance:
    """Base of what goes wrong in a field. It may disturb an exchange at two points: the request before the cards
    receive it, and the answer before the reader does. `Field.disturbances` holds those that are active."""

    def on_request(self, exchanged: Exchanged) -> None:
        """Handle a request that was sent and not yet received."""

    def on_answer(self, exchanged: Exchanged) -> None:
        """Handle the answer, or its absence."""


class Field:
    """The field of the reader `name`. `truth` may be shared by all fields of a table: (time in µs, reader, came or
    left, UID in hex). If `exchange_log` is a list, all exchanges are appended to it."""

    def __init__(self, name: str, clock: AirClock, truth: "list[Truth] | None" = None) -> None:
        self.name = name
        self.clock = clock
        self.truth: list[Truth] = [] if truth is None else truth
        self.cards: list[NfcCard] = []
        self.disturbances: list[Disturbance] = []
        self.exchange_count = 0
        self.exchange_log: list[Exchanged] | None = None
        self.is_on = False
        self.gain_db = 0  # of the reader's receiver; the chip model sets it

    def put(self, card: NfcCard) -> None:
        """Put a card into the field, and record it in `truth`."""
        self.clock.catch_up()
        self.enter(card)
        self.truth.append((self.clock.now_us(), self.name, CAME, card.uid.hex()))

    def lift(self, card: NfcCard) -> None:
        """Take a card out of the field, and record it in `truth`."""
        if card in self.cards:
            self.clock.catch_up()
            self.truth.append((self.clock.now_us(), self.name, LEFT, card.uid.hex()))
            self.leave(card)

    def enter(self, card: NfcCard) -> None:
        """Add a card to the field without recording it, as for one that isn't really there (see `CrossTalk`)."""
        self.cards.append(card)
        card.get_power(self.clock.now())

    def leave(self, card: NfcCard) -> None:
        """Remove a card from the field without recording it."""
        self.cards.remove(card)
        card.lose_power()

    def switch(self, on: bool) -> None:
        """Switch the reader's antenna on or off."""
        if on == self.is_on:
            return
        self.is_on = on
        for card in self.cards:
            if on:
                card.get_power(self.clock.now())
            else:
                card.lose_power()

    def end_latches(self, cause: "str | int") -> None:
        """End the disturbances that last until the reader is reset (by its ``pin`` or by a ``command``) or until a
        register is written; `cause` is one of these words or the register's number."""
        for disturbance in list(self.disturbances):
            if isinstance(disturbance, Latched) and cause in disturbance.cleared_by:
                self.disturbances.remove(disturbance)

    def exchange(self, frame: bytes, bits: int, began_at: int, spoilt: bool = False) -> Exchanged:
        """Send a frame of `bits` bits that began at `began_at`, and return the exchange with its answer. `spoilt`: the
        frame is sent in a way that no card understands."""
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
        """Return the merged answers of the cards; those of weaker cards are drowned."""
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
    """Tears `card` away in the exchange `number`: before it, or after `bits` bits of its answer."""

    def __init__(self, card: NfcCard, number: int, bits: int | None = None) -> None:
        self._card = card
        self._number = number
        self._bits = bits

    def on_request(self, exchanged: Exchanged) -> None:
        """Lift the card before it receives the request."""
        if exchanged.number == self._number and self._bits is None:
            exchanged.field.lift(self._card)

    def on_answer(self, exchanged: Exchanged) -> None:
        """Lift the card in the middle of its answer."""
        if exchanged.number == self._number and self._bits is not None:
            exchanged.field.lift(self._card)
            if exchanged.burst:
                exchanged.burst.cut(self._bits)


class TornInAnticollision(Disturbance):
    """Tears `card` away after `bits` bits of its next answer to a frame of anticollision."""

    def __init__(self, card: NfcCard, bits: int) -> None:
        self._card = card
        self._bits = bits

    def on_answer(self, exchanged: Exchanged) -> None:
        """Cut the answer, if it is to a frame of anticollision."""
        frame = exchanged.frame
        if exchanged.burst and len(frame) > 1 and frame[0] != 0x50 and frame[1] != 0x70:
            exchanged.field.disturbances.remove(self)
            exchanged.field.lift(self._card)
            exchanged.burst.cut(self._bits)


class Flips(Disturbance):
    """Inverts these bits of the answer in the exchange `number`; where nothing answers, a crackle is received."""

    def __init__(self, number: int, positions: "Sequence[int]") -> None:
        self._number = number
        self._positions = positions

    def on_answer(self, exchanged: Exchanged) -> None:
        """Corrupt the answer."""
        if exchanged.number == self._number:
            spoil(exchanged, self._positions)


class Deafened(Disturbance):
    """Corrupts the request `number` before it reaches the cards."""

    def __init__(self, number: int) -> None:
        self._number = number

    def on_request(self, exchanged: Exchanged) -> None:
        """Corrupt the request."""
        if exchanged.number == self._number:
            exchanged.spoilt = True


class Noise(Disturbance):
    """Noise that corrupts each request and each answer with this chance (0 to 1; `random` returns such numbers)."""

    def __init__(self, chance: float, random: "Callable[[], float]") -> None:
        self.chance = chance
        self._random = random

    def on_request(self, exchanged: Exchanged) -> None:
        """Corrupt the request at random."""
        if self._random() < self.chance:
            exchanged.spoilt = True

    def on_answer(self, exchanged: Exchanged) -> None:
        """Corrupt up to four bits of the answer at random."""
        if self._random() < self.chance:
            spoil(exchanged, [int(self._random() * 40) for _ in range(1 + int(self._random() * 4))])


def heard_share(gain_db: int, min_gain_db: int) -> float:
    """Return which share of a card's answers is received with a gain of `gain_db`, if the card needs `min_gain_db` for
    all of them. A model and no measurement: each missing dB costs 4 %."""
    return min(1.0, max(0.0, 1 - (min_gain_db - gain_db) / 25))


class Faint(Disturbance):
    """A weak signal: cards need a gain of `min_gain_db` for all their answers to be received; with less, `heard_share`
    of them are, and nothing of the others (`random` returns numbers from 0 to 1)."""

    def __init__(self, min_gain_db: int, random: "Callable[[], float]") -> None:
        self._min_gain_db = min_gain_db
        self._random = random

    def on_answer(self, exchanged: Exchanged) -> None:
        """Drop the answer at random."""
        if self._random() >= heard_share(exchanged.field.gain_db, self._min_gain_db):
            exchanged.burst = None


class Latched(Disturbance):
    """A receiver that gets nothing, or only nonsense if `garbling`, though all registers read well. It lasts until one
    of `cleared_by` happens to the chip: a reset by its ``pin``, one by ``command``, or a write to the register of that
    number."""

    def __init__(self, cleared_by: "tuple[str | int, ...]" = ("pin", "command"), garbling: bool = False) -> None:
        self.cleared_by = cleared_by
        self._garbling = garbling

    def on_answer(self, exchanged: Exchanged) -> None:
        """Drop the answer, or break it."""
        if not self._garbling:
            exchanged.burst = None
        elif exchanged.burst:
            exchanged.burst.broken = True


class CrossTalk(Disturbance):
    """A card that isn't in the field answers, check bytes and all, until it has been halted once."""

    def __init__(self, ghost: NfcCard) -> None:
        self._ghost = ghost

    def on_request(self, exchanged: Exchanged) -> None:
        """Add the ghost card, or remove it once it was halted."""
        field = exchanged.field
        if self._ghost.state == HALT:
            field.leave(self._ghost)
            field.disturbances.remove(self)
        elif self._ghost not in field.cards:
            field.enter(self._ghost)
            self._ghost.get_power(0)  # it lies in a field that has been on for a long time


def spoil(exchanged: Exchanged, positions: "Sequence[int]") -> None:
    """Invert bits of the answer; where there is none, make a few bits that are no frame."""
    if exchanged.burst:
        for position in positions:
            exchanged.burst.flip(position)
    else:
        exchanged.burst = Burst([1, 0, 1])
        exchanged.burst.broken = True
