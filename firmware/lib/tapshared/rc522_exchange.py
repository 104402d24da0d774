"""How the MFRC522 says what became of a frame: its status, read in one transfer. No bus is touched here; the Pi's
reader and a seat board's share it."""

from tapshared import rc522
from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENCE, SILENT, Answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# One transfer reads all that tells how an exchange went, and the version with it: a lost chip is noticed at once.
_STATUS_REGS = (
    rc522.COM_IRQ_REG,
    rc522.ERROR_REG,
    rc522.FIFO_LEVEL_REG,
    rc522.CONTROL_REG,
    rc522.COLL_REG,
    rc522.VERSION_REG,
)
STATUS_READ = bytes([rc522.reading(register) for register in _STATUS_REGS] + [0])


class Status:
    """What a chip of this version says of an exchange. `outcome`: as in `exchange`, WAITING while it goes on, or LOST
    when this can't be the chip that was set up. `waiting_bytes` lie in the FIFO."""

    __slots__ = ("collision", "last_bits", "outcome", "version", "waiting_bytes")

    WAITING = -1
    LOST = -2

    def __init__(self, version: int) -> None:
        self.version = version
        self.outcome = self.WAITING
        self.waiting_bytes = 0
        self.last_bits = 0
        self.collision = -1

    def take(self, values: "Sequence[int]") -> None:
        """Take what STATUS_READ has read, in its order."""
        irq, error, level, control, coll, version = values
        self.waiting_bytes = level
        self.last_bits = control & rc522.LAST_BITS
        self.collision = (coll & rc522.COLL_POS or 32) - 1  # counted in the FIFO, bits skipped for RxAlign included
        if version != self.version or level > rc522.FIFO_BYTES or irq & ~rc522.ALL_IRQS:
            self.outcome = self.LOST
        elif irq & rc522.RX_IRQ:
            self.outcome = self._heard(error, coll)
        else:
            self.outcome = SILENT if irq & rc522.TIMER_IRQ else self.WAITING

    def answer(self, data: bytes = b"") -> Answer:
        """The answer, with what was read from the FIFO."""
        if self.outcome == SILENT:
            return SILENCE
        if self.outcome == COLLIDED:
            return Answer(COLLIDED, data, 0, self.collision)
        return Answer(self.outcome, data, self.last_bits)

    def _heard(self, error: int, coll: int) -> int:
        """What an answer is worth."""
        if error & rc522.COLL_ERR:
            return GARBLED if coll & rc522.COLL_POS_NOT_VALID else COLLIDED
        return GARBLED if error & rc522.RECEIVE_ERRORS else ANSWERED
