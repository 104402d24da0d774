"""The field of one reader: the cards in it, what each request brings into the air, what disturbs it, and the truth of
which card came and went when. The chip model sends its frames here. Runs in MicroPython too."""

from taptable.sim.air import REQUEST_DELAY, AirClock, Burst, answer_delay, request_periods, to_bits, together
from taptable.sim.cards import Card

CAME = "came"
LEFT = "left"

TYPE_CHECKING = False
if TYPE_CHECKING:
    Truth = tuple[int, str, str, str]


class Exchanged:
    """One request in the air and what came of it, times in carrier periods. `number`: the how-manyth of this field,
    from 0. `spoilt`: the cards can't understand it. `burst`: the answer, if there is one."""

    def __init__(self, field: "Field", number: int, frame: bytes, bits: int, began: int) -> None:
        self.field = field
        self.number = number
        self.frame = frame
        self.bits = bits
        self.began = began
        self.ended = began + request_periods(bits)
        self.spoilt = False
        self.burst: Burst | None = None

    def answer_began(self) -> int:
        """When the answer begins, if there is one."""
        return self.ended + answer_delay(to_bits(self.frame, self.bits)[-1])

    def answer_ended(self) -> int:
        """When all is over."""
        return self.answer_began() + self.burst.periods() if self.burst else self.ended


class Disturbance:
    """The two places where an exchange can be disturbed."""

    def before(self, exchanged: Exchanged) -> None:
        """A request is sent, and not heard yet."""

    def after(self, exchanged: Exchanged) -> None:
        """An answer comes, or none."""


class Field:
    """The field of the reader `name`. `truth` may be shared by all fields of a table: (time in µs, reader, came
    or left, UID in hex). Where `log` is a list, all exchanges are kept in it."""

    def __init__(self, name: str, clock: AirClock, truth: "list[Truth] | None" = None) -> None:
        self.name = name
        self.clock = clock
        self.truth: list[Truth] = [] if truth is None else truth
        self.cards: list[Card] = []
        self.disturbances: list[Disturbance] = []
        self.exchanges = 0
        self.log: list[Exchanged] | None = None
        self.on = False

    def put(self, card: Card) -> None:
        """A card comes."""
        self.clock.catch_up()
        self.enter(card)
        self.truth.append((self.clock.now_us(), self.name, CAME, card.uid.hex()))

    def take(self, card: Card) -> None:
        """A card goes."""
        if card in self.cards:
            self.clock.catch_up()
            self.truth.append((self.clock.now_us(), self.name, LEFT, card.uid.hex()))
            self.leave(card)

    def enter(self, card: Card) -> None:
        """A card gets into the field; one that is not really there (see `disturbances`) leaves no truth."""
        self.cards.append(card)
        card.get_power(self.clock.now())

    def leave(self, card: Card) -> None:
        """A card gets out of the field."""
        self.cards.remove(card)
        card.lose_power()

    def switch(self, on: bool) -> None:
        """The reader's antenna goes on or off."""
        if on == self.on:
            return
        self.on = on
        for card in self.cards:
            if on:
                card.get_power(self.clock.now())
            else:
                card.lose_power()

    def exchange(self, frame: bytes, bits: int, began: int) -> Exchanged:
        """Send a frame of `bits` bits that began at `began`; whatever answers is in what comes back."""
        exchanged = Exchanged(self, self.exchanges, frame, bits, began)
        self.exchanges += 1
        if self.log is not None:
            self.log.append(exchanged)
        for disturbance in list(self.disturbances):
            disturbance.before(exchanged)
        if self.on:
            exchanged.burst = self._answers(exchanged)
        for disturbance in list(self.disturbances):
            disturbance.after(exchanged)
        for card in self.cards:
            card.pause(exchanged.answer_ended() + REQUEST_DELAY)
        return exchanged

    def _answers(self, exchanged: Exchanged) -> "Burst | None":
        """What the cards say together; the weaker are drowned."""
        answers: list[tuple[int, Burst]] = []
        for card in self.cards:
            burst = card.hear(exchanged.frame, exchanged.bits, exchanged.began, exchanged.spoilt)
            if burst is not None:
                answers.append((card.strength, burst))
        if not answers:
            return None
        loudest = max(strength for strength, _ in answers)
        return together([burst for strength, burst in answers if strength == loudest])
