"""Exchanges one frame at a time over the MFRC522: sends it with a few transfers, polls for its answer when that can be
there, and tells a failing chip from silence. Knows the bus only by its methods; never waits, but returns how long there
is nothing to do."""

from tapshared import rc522
from tapshared.exchange import ANSWERED, COLLIDED, SENT, SILENCE, SILENT, Answer, Exchange, air_us, answer_us
from tapshared.iso14443a import WAKE_ALL
from tapshared.rc522_exchange import (
    FLUSH,
    IDLE,
    SEND_WAKE_ALL,
    SEND_WHOLE_BYTES,
    WAKE_ALL_US,
    Status,
    bit_framing,
    send_transfers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    class ChipBus(Protocol):
        """Transfers; each raises OSError where the bus fails."""

        def write(self, transfers: Sequence[bytes]) -> None:
            """Send transfers of two bytes, as `rc522.write_transfer` makes them."""
            ...

        def write_fifo(self, data: bytes) -> None:
            """Write several bytes into the FIFO, in one transfer."""
            ...

        def read(self, register: int) -> int:
            """Return the value of a register."""
            ...

        def read_all(self, addresses: bytes) -> bytes:
            """Return the values of several registers in one transfer: an address byte for each, and a 0 at the end."""
            ...

        def read_fifo(self, count: int) -> bytes:
            """Read `count` bytes from the FIFO, in one transfer."""
            ...

        def read_status(self) -> Sequence[int]:
            """Read the values that `Status.update` takes, in one transfer; valid until the next."""
            ...


_MAX_POLLS = 5  # of the status, the second after the time-out, before the chip counts as lost
_LOOK_AGAIN_US = 250


class LostChip(Exception):
    """The chip doesn't answer as it should; the text says how."""


class NoChip(LostChip):
    """No chip answers: `version` is the value that its version register reads as."""

    def __init__(self, version: int) -> None:
        super().__init__(f"no chip answers (version register 0x{version:02X})")
        self.version = version


class Talk:
    """Exchanges with the chip of this version. `answer` is None while it is awaited."""

    def __init__(self, bus: "ChipBus", version: int) -> None:
        self.answer: Answer | None = None
        self._bus = bus
        self._status = Status(version)
        self._exchange = WAKE_ALL
        self._fifo_is_clear = False
        self._polls = 0

    def send(self, exchange: Exchange) -> int:
        """Send a frame. Returns the µs after which its answer can be there."""
        bus = self._bus
        self._exchange = exchange
        self._polls = 0
        self.answer = None if exchange.answer_bits else SENT
        was_clear = self._fifo_is_clear
        self._fifo_is_clear = False
        if exchange is WAKE_ALL:
            bus.write(SEND_WAKE_ALL)
            return WAKE_ALL_US
        bus.write((IDLE,) if was_clear else (IDLE, FLUSH))
        if len(exchange.frame) == 1:
            bus.write((rc522.write_transfer(rc522.FIFO_DATA_REG, exchange.frame[0]),))
        else:
            bus.write_fifo(exchange.frame)
        bus.write(send_transfers(bit_framing(exchange)) if bit_framing(exchange) else SEND_WHOLE_BYTES)
        return air_us(exchange)

    def poll_answer(self) -> int:
        """Poll for the answer; return the µs until the next poll if it isn't there. LostChip if the chip reports
        neither an answer nor a time-out."""
        status = self._status
        values = self._bus.read_status()
        status.update(values)
        if status.outcome == SILENT:
            self.answer = SILENCE
            return 0
        if status.outcome == Status.WAITING:
            self._polls += 1
            if self._polls >= _MAX_POLLS:
                raise LostChip("the reader has stopped: no answer and no time-out")
            return _LOOK_AGAIN_US if self._polls > 1 else rc522.TIMER_US - answer_us(self._exchange)
        if status.outcome == Status.LOST:
            raise LostChip(f"the reader is lost: its registers read as {bytes(values).hex(' ')}")
        data = b""
        if status.outcome in (ANSWERED, COLLIDED):
            data = self._bus.read_fifo(status.waiting_bytes)
            self._fifo_is_clear = True
        self.answer = status.answer(data)
        return 0
