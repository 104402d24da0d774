"""The air between a reader and its cards, as ISO 14443-2 and -3 time it at 106 kbit/s: the model's clock,
frames in carrier periods, and bursts of bits that may collide or be disturbed. Runs in MicroPython too;
knows neither chip nor card."""

CARRIER_HZ = 13_560_000
BIT_PERIODS = 128  # carrier periods a bit
REQUEST_DELAY = 1172  # carrier periods a card needs after its answer before it hears again
COLLISION = 2  # a bit that is both 0 and 1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class AirClock:
    """The model's time in carrier periods: moved on by bits on the bus, by waiting, and by the table's clock
    where one is given (the model may run ahead of it within a poll, and never falls behind)."""

    def __init__(self, table_us: "Callable[[], int] | None" = None) -> None:
        self._table_us = table_us
        self._now = 0

    def catch_up(self) -> None:
        """Be as late as the table's clock: wanted wherever something comes to the model from outside."""
        if self._table_us:
            table = (self._table_us() * 1356 + 99) // 100
            if table > self._now:
                self._now = table

    def now(self) -> int:
        """The time in carrier periods."""
        return self._now

    def advance(self, by: int) -> int:
        """Let so many carrier periods pass. Returns the time then."""
        self._now += by
        return self._now

    def sleep_us(self, us: int) -> None:
        """Let `us` microseconds pass: what a driver is given in the place of a sleep."""
        self.advance(us_to_periods(us))

    def now_us(self) -> int:
        """The time in whole µs."""
        self.catch_up()
        return self.reached_us()

    def reached_us(self) -> int:
        """How far the model has got, in whole µs; the table may be later."""
        return self._now * 100 // 1356


def us_to_periods(us: int) -> int:
    """Microseconds in carrier periods, rounded up."""
    return (us * 1356 + 99) // 100


def request_periods(bits: int) -> int:
    """How long a reader's frame of `bits` data bits is in the air: start bit, data with a parity bit a whole
    byte, end bit."""
    return BIT_PERIODS * (1 + bits + bits // 8 + 1)


def answer_delay(last_bit: int) -> int:
    """Carrier periods between a request of anticollision and the answer: every card has the same, so that bits
    meet (ISO 14443-3, 6.2.1)."""
    return 1236 if last_bit else 1172


def odd_parity(bits: "Sequence[int]") -> int:
    """The parity bit that a card sends after these."""
    return 1 - sum(bits) % 2


class Burst:
    """What is in the air after a request: bits of one card or several, the parity bits that went with them, and
    whether it is no frame at all (`broken`). `align`: at which bit of a byte it begins, where it continues a
    byte the reader began."""

    def __init__(self, bits: list[int], align: int = 0) -> None:
        self.bits = bits
        self.align = align
        self.broken = False
        self.parity = [odd_parity(part) for part in self.whole_bytes()]

    def whole_bytes(self) -> list[list[int]]:
        """The bits in bytes, without an unfinished last one."""
        ends = range(8 - self.align, len(self.bits) + 1, 8)
        return [self.bits[max(0, end - 8) : end] for end in ends]

    def periods(self) -> int:
        """How long it is in the air."""
        return BIT_PERIODS * (1 + len(self.bits) + len(self.parity) + 1)

    def cut(self, length: int) -> None:
        """The card is torn away: only the first `length` bits arrive."""
        self.bits = self.bits[:length]
        self.parity = self.parity[: len(self.whole_bytes())]

    def flip(self, position: int) -> None:
        """A disturbance turns one bit over; its parity bit stays as it was sent."""
        bit = self.bits[position % len(self.bits)]
        self.bits[position % len(self.bits)] = COLLISION if bit == COLLISION else 1 - bit


def merge_bursts(bursts: list[Burst]) -> Burst:
    """Several cards that answer at once: where they differ, a reader sees both values."""
    longest = max(bursts, key=lambda burst: len(burst.bits))
    bits = list(longest.bits)
    for burst in bursts:
        for position, bit in enumerate(burst.bits):
            if bits[position] != bit:
                bits[position] = COLLISION
    merged = Burst(bits, longest.align)
    merged.parity = longest.parity
    return merged


def to_bits(data: "Sequence[int]", bits: int) -> list[int]:
    """The first `bits` bits of some bytes in the order of the air, least significant first."""
    return [data[position >> 3] >> (position & 7) & 1 for position in range(bits)]


def crc(data: "Sequence[int]", preset: int) -> int:
    """The CRC of ISO 13239 as a shift register makes it: polynomial x^16 + x^12 + x^5 + 1, least significant
    bit first."""
    register = preset
    for bit in to_bits(data, 8 * len(data)):
        feedback = (register & 1) ^ bit
        register = (register >> 1) ^ (0x8408 if feedback else 0)
    return register


CRC_A = 0x6363  # the preset of type A


def crc_bytes(data: "Sequence[int]", preset: int = CRC_A) -> bytes:
    """The check bytes of a frame, with the preset of type A or another."""
    value = crc(data, preset)
    return bytes((value & 0xFF, value >> 8))
