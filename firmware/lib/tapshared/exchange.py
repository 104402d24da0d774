"""One exchange with ISO 14443-A cards: a frame, the answer to it, their check bytes, and how long both are in the air.
`iso14443a` decides which frames are sent, and `rc522_talk` sends them with a chip. Must not know a chip."""

from array import array

# Outcomes of an exchange.
ANSWERED = 0
SILENT = 1  # a clean time-out: no answer at all
GARBLED = 2  # an answer that can't be trusted
COLLIDED = 3  # several cards answered at once; the bits before `Answer.collision` are good

NO_ANSWER_US = 1000  # a card answers after 0.09 ms or never; a reader listens this long

_CARD_DELAY_US = 92  # from a frame's last pause to the answer: 1236 periods of 13.56 MHz
_PAUSE_US = 87  # from an answer's end to the next frame, at least: 1172 periods


class Exchange:
    """A frame to send and the shape of its answer. `last_bits`: how many bits of the last byte are sent (0: all 8).
    `rx_align`: at which bit of its first byte the answer continues. `answer_bits`: how long it will be, 0 where none is
    awaited."""

    __slots__ = ("answer_bits", "frame", "last_bits", "rx_align")

    def __init__(self, frame: bytes, answer_bits: int, last_bits: int = 0, rx_align: int = 0) -> None:
        self.frame = frame
        self.answer_bits = answer_bits
        self.last_bits = last_bits
        self.rx_align = rx_align


class Answer:
    """The answer to a frame. `data` begins at bit `rx_align` of its first byte; `last_bits` of its last byte are valid
    (0: all 8); `collision` is the first bit in which cards differ, counted from bit 0 of the first byte."""

    __slots__ = ("collision", "data", "last_bits", "status")

    def __init__(self, status: int, data: bytes = b"", last_bits: int = 0, collision: int = -1) -> None:
        self.status = status
        self.data = data
        self.last_bits = last_bits
        self.collision = collision


SENT = Answer(ANSWERED)  # to a frame that awaits none
SILENCE = Answer(SILENT)


def _crc_of(byte: int) -> int:
    byte ^= byte << 4 & 0xFF
    return (byte << 8 ^ byte << 3 ^ byte >> 4) & 0xFFFF


_CRCS = array("H", [_crc_of(byte) for byte in range(256)])


def crc_a(data: bytes) -> bytes:
    """Return the two check bytes of a frame, as they are sent (ISO 14443-3, annex B)."""
    crc = 0x6363
    for byte in data:
        crc = crc >> 8 ^ _CRCS[(crc ^ byte) & 0xFF]
    return bytes((crc & 0xFF, crc >> 8))


def frame_us(exchange: Exchange) -> int:
    """Return how long the frame is in the air, in µs: start, bits with a parity bit a byte, end, at 106 kbit/s."""
    bits = 8 * len(exchange.frame) - (8 - exchange.last_bits if exchange.last_bits else 0)
    return _etu_us(2 + bits + bits // 8)


def answer_us(exchange: Exchange) -> int:
    """Return how long after a frame's end the next may follow, in µs: a card's delay, its answer, the pause after
    it."""
    bits = exchange.answer_bits
    return (_CARD_DELAY_US + _etu_us(2 + bits + (bits + 7) // 8) if bits else 0) + _PAUSE_US


def air_us(exchange: Exchange) -> int:
    """Return when the next frame may follow, in µs after the start of this one."""
    return frame_us(exchange) + answer_us(exchange)


def _etu_us(etus: int) -> int:
    """Convert bit times (128 periods of 13.56 MHz) to whole µs, rounded up."""
    return (etus * 12800 + 1355) // 1356
