"""Model of the air between a reader and its cards, timed as ISO 14443-2 and -3 require at 106 kbit/s: a clock and
frames in carrier periods, and bursts of bits that may collide or be disturbed. Runs in MicroPython too; knows neither
chip nor card."""

CARRIER_HZ = 13_560_000
BIT_PERIODS = 128  # carrier periods a bit
REQUEST_DELAY = 1172  # carrier periods a card needs after its answer before it receives again
COLLISION = 2  # a bit that is both 0 and 1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class AirClock:
    """The model's time in carrier periods. Bits on the bus and waiting advance it, and so does the table's clock where
    `table_us` is given (the model may run ahead of it within a poll, and never falls behind)."""

    def __init__(self, table_us: "Callable[[], int] | None" = None) -> None:
        self._table_us = table_us
        self._now = 0

    def catch_up(self) -> None:
        """Advance to the table's clock if that is later: needed wherever the model gets input from outside."""
        if self._table_us:
            table = (self._table_us() * 1356 + 99) // 100
            if table > self._now:
                self._now = table

    def now(self) -> int:
        """Return the time in carrier periods."""
        return self._now

    def advance(self, by: int) -> int:
        """Advance by this many carrier periods, and return the new time."""
        self._now += by
        return self._now

    def sleep_us(self, us: int) -> None:
        """Advance by `us` microseconds; drivers get this in place of a sleep."""
        self.advance(us_to_periods(us))

    def now_us(self) -> int:
        """Return the time in whole µs, after catching up with the table."""
        self.catch_up()
        return self.reached_us()

    def reached_us(self) -> int:
        """Return how far the model has got, in whole µs; the table may be later."""
        return self._now * 100 // 1356


def us_to_periods(us: int) -> int:
    """Convert microseconds to carrier periods, rounded up."""
    return (us * 1356 + 99) // 100


def request_periods(bits: int) -> int:
    """Return how long a reader's frame of `bits` data bits is in the air, in carrier periods: start bit, data with a
    parity bit for each whole byte, end bit."""
    return BIT_PERIODS * (1 + bits + bits // 8 + 1)


def answer_delay(last_bit: int) -> int:
    """Return the carrier periods between an anticollision request and its answer: the same for every card, so that the
    bits of several coincide (ISO 14443-3, 6.2.1)."""
    return 1236 if last_bit else 1172


def odd_parity(bits: "Sequence[int]") -> int:
    """Return the parity bit that a card sends after these bits."""
    return 1 - sum(bits) % 2


class Burst:
    """The answer in the air after a request: bits of one card or several, with their parity bits. `malformed` marks
    bits that are no frame at all. `align` is the bit of a byte at which it begins, where it continues a byte that the
    reader began."""

    def __init__(self, bits: list[int], align: int = 0) -> None:
        self.bits = bits
        self.align = align
        self.malformed = False
        self.parity = [odd_parity(part) for part in self.whole_bytes()]

    def whole_bytes(self) -> list[list[int]]:
        """Return the bits in bytes, without an unfinished last one."""
        ends = range(8 - self.align, len(self.bits) + 1, 8)
        return [self.bits[max(0, end - 8) : end] for end in ends]

    def periods(self) -> int:
        """Return how long it is in the air, in carrier periods."""
        return BIT_PERIODS * (1 + len(self.bits) + len(self.parity) + 1)

    def cut(self, length: int) -> None:
        """Keep only the first `length` bits, because the card was torn away."""
        self.bits = self.bits[:length]
        self.parity = self.parity[: len(self.whole_bytes())]

    def flip(self, position: int) -> None:
        """Invert one bit, as a disturbance does; its parity bit stays as it was sent."""
        bit = self.bits[position % len(self.bits)]
        self.bits[position % len(self.bits)] = COLLISION if bit == COLLISION else 1 - bit


def merge_bursts(bursts: list[Burst]) -> Burst:
    """Merge the answers of several cards: where they differ, a reader sees both values."""
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
    """Return the first `bits` bits of some bytes in the order of the air, least significant first."""
    return [data[position >> 3] >> (position & 7) & 1 for position in range(bits)]


def crc(data: "Sequence[int]", preset: int) -> int:
    """Return the CRC of ISO 13239 as a shift register computes it: polynomial x^16 + x^12 + x^5 + 1, least significant
    bit first."""
    register = preset
    for bit in to_bits(data, 8 * len(data)):
        feedback = (register & 1) ^ bit
        register = (register >> 1) ^ (0x8408 if feedback else 0)
    return register


CRC_A = 0x6363  # the preset of type A


def crc_bytes(data: "Sequence[int]", preset: int = CRC_A) -> bytes:
    """Return the check bytes of a frame, with the preset of type A or another."""
    value = crc(data, preset)
    return bytes((value & 0xFF, value >> 8))
