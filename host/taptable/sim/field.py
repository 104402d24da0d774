"""Model of the field of one RFID reader: the cards in it, and their answers to each request that the reader's chip
sends. `Disturbance` objects model what goes wrong on the way. The model of the chip (`mfrc522_radio`) calls `Field`
with each frame that it sends. Tests compare what a driver reports with `Field.truth`, the record of which card really
came and went, and when. Runs in MicroPython too. Must not know the chip, its bus or its driver."""

from taptable.sim.air import REQUEST_DELAY, AirClock, Burst, answer_delay, merge_bursts, request_periods, to_bits
from taptable.sim.cards import HALT, NfcCard

CAME = "came"  # in `Field.truth`: a card was put into the field
LEFT = "left"  # in `Field.truth`: a card was taken out of the field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Truth = tuple[int, str, str, str]  # time in µs, name of the reader, CAME or LEFT, UID in hex


class Exchanged:
    """One request in the air and its answer; times are in carrier periods. `number` counts the requests of this field
    from 0. If `request_garbled`, no card understands the request. `burst` is the answer, None if there is none."""

    def __init__(self, field: "Field", number: int, frame: bytes, bits: int, began_at: int) -> None:
        self.field = field
        self.number = number
        self.frame = frame
        self.bits = bits
        self.began_at = began_at
        self.ended_at = began_at + request_periods(bits)
        self.request_garbled = False
        self.burst: Burst | None = None

    def answer_begins_at(self) -> int:
        """Return when the answer begins, if there is one."""
        return self.ended_at + answer_delay(to_bits(self.frame, self.bits)[-1])

    def answer_ends_at(self) -> int:
        """Return when the answer ends, or the request if there is no answer."""
        return self.answer_begins_at() + self.burst.periods() if self.burst else self.ended_at


class Disturbance:
    """Something that goes wrong in a field; the base of the classes below. It can act on an exchange at two points: on
    the request before the cards receive it, and on the answer before the reader receives it. `Field.disturbances` holds
    the disturbances that are active."""

    def on_request(self, exchanged: Exchanged) -> None:
        """Handle a request that was sent and not yet received."""

    def on_answer(self, exchanged: Exchanged) -> None:
        """Handle the cards' answer before the reader receives it; without an answer `burst` is None."""


class Field:
    """The field of the reader `name`. `truth` is the list to which arrivals and departures are appended; the fields of
    a table may share one. If `exchange_log` is a list, all exchanges are appended to it."""

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
        """End each `Latched` disturbance that this cause clears: ``pin`` for a reset of the chip by its pin,
        ``command`` for one by a command, or the number of a register that is written."""
        for disturbance in list(self.disturbances):
            if isinstance(disturbance, Latched) and cause in disturbance.cleared_by:
                self.disturbances.remove(disturbance)

    def exchange(self, frame: bytes, bits: int, began_at: int, garbled: bool = False) -> Exchanged:
        """Send a frame of `bits` bits that began at `began_at`, and return the exchange with its answer. If `garbled`,
        the chip sends the frame in such a way that no card understands it."""
        exchanged = Exchanged(self, self.exchange_count, frame, bits, began_at)
        exchanged.request_garbled = garbled
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
            burst = card.hear(exchanged.frame, exchanged.bits, exchanged.began_at, exchanged.request_garbled)
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
    """Inverts the bits at `positions` of the answer in the exchange `number`. If nothing answers, the reader receives a
    few bits that are no frame."""

    def __init__(self, number: int, positions: "Sequence[int]") -> None:
        self._number = number
        self._positions = positions

    def on_answer(self, exchanged: Exchanged) -> None:
        """Garble the answer."""
        if exchanged.number == self._number:
            garble_answer(exchanged, self._positions)


class GarbledRequest(Disturbance):
    """Garbles the request `number` before it reaches the cards, so none of them understands it."""

    def __init__(self, number: int) -> None:
        self._number = number

    def on_request(self, exchanged: Exchanged) -> None:
        """Garble the request."""
        if exchanged.number == self._number:
            exchanged.request_garbled = True


class Noise(Disturbance):
    """Garbles each request and each answer with this chance (0 to 1); `random` returns random numbers from 0 to 1."""

    def __init__(self, chance: float, random: "Callable[[], float]") -> None:
        self.chance = chance
        self._random = random

    def on_request(self, exchanged: Exchanged) -> None:
        """Garble the request at random."""
        if self._random() < self.chance:
            exchanged.request_garbled = True

    def on_answer(self, exchanged: Exchanged) -> None:
        """Invert up to four bits of the answer at random."""
        if self._random() < self.chance:
            garble_answer(exchanged, [int(self._random() * 40) for _ in range(1 + int(self._random() * 4))])


def heard_share(gain_db: int, needs_db: int) -> float:
    """Return the share (0 to 1) of a card's answers that a reader with this gain receives, if it takes a gain of
    `needs_db` to receive all of them. A model and no measurement: each missing dB costs 4 %."""
    return min(1.0, max(0.0, 1 - (needs_db - gain_db) / 25))


class Faint(Disturbance):
    """A weak signal from all cards. It takes a gain of `needs_db` to receive all of their answers; with less, the
    reader receives a `heard_share` of them, and nothing of the others. `NfcCard.min_gain_db` is another limit: below it
    the reader receives nothing of that one card. `random` returns random numbers from 0 to 1."""

    def __init__(self, needs_db: int, random: "Callable[[], float]") -> None:
        self._needs_db = needs_db
        self._random = random

    def on_answer(self, exchanged: Exchanged) -> None:
        """Drop the answer at random."""
        if self._random() >= heard_share(exchanged.field.gain_db, self._needs_db):
            exchanged.burst = None


class Latched(Disturbance):
    """The chip's receiver hangs: it receives nothing, or if `garbling` only bits that are no frame, although all
    registers have the right values. This lasts until one of `cleared_by` happens to the chip: a reset by its ``pin``, a
    reset by ``command``, or a write to the register of that number."""

    def __init__(self, cleared_by: "tuple[str | int, ...]" = ("pin", "command"), garbling: bool = False) -> None:
        self.cleared_by = cleared_by
        self._garbling = garbling

    def on_answer(self, exchanged: Exchanged) -> None:
        """Drop the answer, or make it malformed."""
        if not self._garbling:
            exchanged.burst = None
        elif exchanged.burst:
            exchanged.burst.malformed = True


class CrossTalk(Disturbance):
    """A card that lies at another reader answers here too, with right check bytes, until it has been halted once."""

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


def garble_answer(exchanged: Exchanged, positions: "Sequence[int]") -> None:
    """Invert the bits at `positions` of the answer. If there is no answer, make one of a few bits that are no frame."""
    if exchanged.burst:
        for position in positions:
            exchanged.burst.flip(position)
    else:
        exchanged.burst = Burst([1, 0, 1])
        exchanged.burst.malformed = True
