"""One frame at a time over the MFRC522: sent with a few transfers, its answer looked for when it can be there, and a
chip that doesn't answer as it should told from silence. Knows the bus only by its verbs; never waits, but says for how
long there is nothing to do."""

from tapshared import rc522
from tapshared.exchange import ANSWERED, COLLIDED, SENT, Answer, Exchange, air_us, answer_us
from tapshared.iso14443a import WAKE_ALL
from tapshared.rc522_exchange import Status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class Bus(Protocol):
        """Transfers; each raises OSError where the bus fails."""

        def write(self, register: int, value: int) -> None:
            """Give a register a value."""
            ...

        def write_fifo(self, data: bytes) -> None:
            """Several bytes into the FIFO, in one transfer."""
            ...

        def read(self, register: int) -> int:
            """The value of a register."""
            ...

        def read_fifo(self, count: int) -> bytes:
            """So many bytes out of the FIFO, in one transfer."""
            ...

        def read_status(self) -> Sequence[int]:
            """What `Status` takes, read in one transfer; good until the next."""
            ...


_LOOKS = 5  # at the status, the second after the time-out, before the chip is taken for lost
_LOOK_AGAIN_US = 250


class LostChip(Exception):
    """The chip doesn't answer as it should; the text says how."""


class NoChip(LostChip):
    """Nothing like a chip answers: `version` is what its version register reads as."""

    def __init__(self, version: int) -> None:
        super().__init__(f"no chip answers (version register 0x{version:02X})")
        self.version = version


class Talk:
    """With the chip of this version. `answer` is None while it is awaited."""

    def __init__(self, bus: "Bus", version: int) -> None:
        self.answer: Answer | None = None
        self._bus = bus
        self._status = Status(version)
        self._exchange = WAKE_ALL
        self._fifo_is_clear = False
        self._looks = 0

    def send(self, exchange: Exchange) -> int:
        """Send a frame. Returns after how many µs its answer can be there."""
        bus = self._bus
        frame = exchange.frame
        framing = exchange.rx_align << 4 | exchange.last_bits
        bus.write(rc522.COMMAND_REG, rc522.IDLE)
        if not self._fifo_is_clear:
            bus.write(rc522.FIFO_LEVEL_REG, rc522.FLUSH_BUFFER)
        if len(frame) == 1:
            bus.write(rc522.FIFO_DATA_REG, frame[0])
        else:
            bus.write_fifo(frame)
        # StartSend goes off first, or the command would send at once, with the framing of the frame before.
        bus.write(rc522.BIT_FRAMING_REG, framing)
        bus.write(rc522.COMMAND_REG, rc522.TRANSCEIVE)
        # As late as can be: the timer may still run from a frame whose answer was not awaited.
        bus.write(rc522.COM_IRQ_REG, rc522.ALL_IRQS)
        bus.write(rc522.BIT_FRAMING_REG, rc522.START_SEND | framing)
        self._fifo_is_clear = False
        self._exchange = exchange
        self._looks = 0
        self.answer = None if exchange.answer_bits else SENT
        return air_us(exchange)

    def hear(self) -> int:
        """Look for the answer; the µs until the next look if it isn't there. LostChip if the chip neither hears one
        nor sees its time run out."""
        status = self._status
        values = self._bus.read_status()
        status.take(values)
        self._looks += 1
        if status.outcome == Status.LOST:
            raise LostChip(f"the reader is lost: its registers read as {bytes(values).hex(' ')}")
        if status.outcome == Status.WAITING:
            if self._looks >= _LOOKS:
                raise LostChip("the reader has stopped: no answer and no time-out")
            if self._looks > 1:
                return _LOOK_AGAIN_US
            return rc522.TIMER_US - answer_us(self._exchange)
        data = b""
        if status.outcome in (ANSWERED, COLLIDED):
            data = self._bus.read_fifo(status.waiting_bytes)
            self._fifo_is_clear = True
        self.answer = status.answer(data)
        return 0
