"""Transfers that make the MFRC522 send a frame, and its status of the exchange, read in one transfer. No bus is touched
here; the Pi's reader and a seat board's share it."""

from tapshared import rc522
from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENT, Answer, air_us
from tapshared.iso14443a import WAKE_ALL
from tapshared.rc522 import ALL_IRQS, FIFO_BYTES, RX_IRQ, TIMER_IRQ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapshared.exchange import Exchange

IDLE = rc522.write_transfer(rc522.COMMAND_REG, rc522.IDLE)
FLUSH = rc522.write_transfer(rc522.FIFO_LEVEL_REG, rc522.FLUSH_BUFFER)
_TRANSCEIVE = rc522.write_transfer(rc522.COMMAND_REG, rc522.TRANSCEIVE)
_CLEAR_IRQS = rc522.write_transfer(rc522.COM_IRQ_REG, rc522.ALL_IRQS)


def bit_framing(exchange: "Exchange") -> int:
    """Return the value of BitFramingReg for a frame."""
    return exchange.rx_align << 4 | exchange.last_bits


def send_transfers(bits: int) -> "tuple[bytes, ...]":
    """Return the transfers that send the frame in the FIFO, with this framing."""
    return (
        # StartSend goes off first, or the command would send at once, with the framing of the frame before.
        rc522.write_transfer(rc522.BIT_FRAMING_REG, bits),
        _TRANSCEIVE,
        # As late as possible: the timer may still run from a frame whose answer was not awaited.
        _CLEAR_IRQS,
        rc522.write_transfer(rc522.BIT_FRAMING_REG, rc522.START_SEND | bits),
    )


# The most frequent frame by far, made once.
SEND_WAKE_ALL = (IDLE, FLUSH, rc522.write_transfer(rc522.FIFO_DATA_REG, WAKE_ALL.frame[0]))
SEND_WAKE_ALL += send_transfers(bit_framing(WAKE_ALL))
SEND_WHOLE_BYTES = send_transfers(0)
WAKE_ALL_US = air_us(WAKE_ALL)

# One transfer reads the whole status of an exchange, and the version with it: a lost chip is noticed at once.
_STATUS_REGS = (
    rc522.COM_IRQ_REG,
    rc522.ERROR_REG,
    rc522.FIFO_LEVEL_REG,
    rc522.CONTROL_REG,
    rc522.COLL_REG,
    rc522.VERSION_REG,
)
STATUS_READ = bytes([rc522.read_address(register) for register in _STATUS_REGS] + [0])


class Status:
    """The status of an exchange, from a chip of this version. `outcome`: as in `exchange`, WAITING while it is under
    way, or LOST when this can't be the chip that was set up. `waiting_bytes` lie in the FIFO."""

    __slots__ = ("collision", "last_bits", "outcome", "version", "waiting_bytes")

    WAITING = -1
    LOST = -2

    def __init__(self, version: int) -> None:
        self.version = version
        self.outcome = self.WAITING
        self.waiting_bytes = 0
        self.last_bits = 0
        self.collision = -1

    def update(self, values: "Sequence[int]") -> None:
        """Take the values that STATUS_READ has read, in its order."""
        irq = values[0]
        if values[5] != self.version or values[2] > FIFO_BYTES or irq > ALL_IRQS:
            self.outcome = self.LOST
        elif irq & RX_IRQ:
            self._judge_answer(values)
        else:
            self.outcome = SILENT if irq & TIMER_IRQ else self.WAITING

    def answer(self, data: bytes = b"") -> Answer:
        """Return the answer, with the bytes read from the FIFO."""
        if self.outcome == COLLIDED:
            return Answer(COLLIDED, data, 0, self.collision)
        return Answer(self.outcome, data, self.last_bits)

    def _judge_answer(self, values: "Sequence[int]") -> None:
        """Determine the outcome of an exchange that has an answer."""
        error, coll = values[1], values[4]
        self.waiting_bytes = values[2]
        self.last_bits = values[3] & rc522.LAST_BITS
        self.collision = (coll & rc522.COLL_POS or 32) - 1  # counted in the FIFO, bits skipped for RxAlign included
        if error & rc522.COLL_ERR:
            self.outcome = COLLIDED
            if coll & rc522.COLL_POS_NOT_VALID:  # beyond the range of the register
                self.collision = 32
        else:
            self.outcome = GARBLED if error & rc522.RECEIVE_ERRORS else ANSWERED
