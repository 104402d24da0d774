"""How the MFRC522 sends a frame and says what became of it: the register writes of an exchange, and its status read in
one transfer. No bus is touched here; the Pi's reader and a seat board's share it."""

from tapshared import rc522
from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENT, Answer, Exchange

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


def sending(exchange: Exchange, flush: bool) -> "list[tuple[int, bytes]]":
    """The register writes that send a frame, in order. `flush`: the FIFO may hold something from before."""
    framing = exchange.rx_align << 4 | exchange.last_bits
    writes = [(rc522.COMMAND_REG, bytes((rc522.IDLE,)))]
    if flush:
        writes.append((rc522.FIFO_LEVEL_REG, bytes((rc522.FLUSH_BUFFER,))))
    writes.append((rc522.FIFO_DATA_REG, exchange.frame))
    # StartSend goes off first, or the command would send at once, with the framing of the frame before.
    writes.append((rc522.BIT_FRAMING_REG, bytes((framing,))))
    writes.append((rc522.COMMAND_REG, bytes((rc522.TRANSCEIVE,))))
    # As late as can be: the timer may still run from a frame whose answer was not awaited.
    writes.append((rc522.COM_IRQ_REG, bytes((rc522.ALL_IRQS,))))
    writes.append((rc522.BIT_FRAMING_REG, bytes((rc522.START_SEND | framing,))))
    return writes


class Status:
    """What the chip says of an exchange. `outcome`: as in `exchange`, WAITING while it goes on, or LOST when
    this can't be the chip that was set up. `waiting_bytes` lie in the FIFO."""

    __slots__ = ("collision", "last_bits", "outcome", "values", "waiting_bytes")

    WAITING = -1
    LOST = -2

    def __init__(self, values: bytes, version: int) -> None:
        irq, error, level, control, coll, now_version = values
        self.values = values
        self.waiting_bytes = level
        self.last_bits = control & rc522.LAST_BITS
        self.collision = (coll & rc522.COLL_POS or 32) - 1  # counted in the FIFO, bits skipped for RxAlign included
        if now_version != version or level > rc522.FIFO_BYTES or irq & ~rc522.ALL_IRQS:
            self.outcome = self.LOST
        elif irq & rc522.RX_IRQ:
            self.outcome = self._heard(error, coll)
        else:
            self.outcome = SILENT if irq & rc522.TIMER_IRQ else self.WAITING

    def _heard(self, error: int, coll: int) -> int:
        """What an answer is worth."""
        if error & rc522.COLL_ERR:
            return GARBLED if coll & rc522.COLL_POS_NOT_VALID else COLLIDED
        return GARBLED if error & rc522.RECEIVE_ERRORS else ANSWERED

    def answer(self, data: bytes = b"") -> Answer:
        """The answer, with what was read from the FIFO."""
        if self.outcome == COLLIDED:
            return Answer(COLLIDED, data, 0, self.collision)
        return Answer(self.outcome, data, self.last_bits)
