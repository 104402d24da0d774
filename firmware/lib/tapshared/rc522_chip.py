"""What the MFRC522 is told and how long each thing takes: set up, tested, looked with. Every step is done at once and
then yields how many µs to leave the chip alone, so that the Pi's reader drives it with a sleep and a seat board from
its loop. Knows the bus only by four verbs."""

from tapshared import rc522, rc522_self_test
from tapshared.exchange import ANSWERED, COLLIDED, Answer, Exchange, air_us, sent_us
from tapshared.iso14443a import find_cards
from tapshared.rc522_exchange import Status, sending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Protocol

    class Bus(Protocol):
        """Register accesses; each raises OSError where the bus fails."""

        def write(self, register: int, data: bytes) -> None:
            """One byte, or several to the FIFO."""
            ...

        def read(self, register: int) -> int:
            """The value of a register."""
            ...

        def read_fifo(self, count: int) -> bytes:
            """So many bytes out of the FIFO."""
            ...

        def read_status(self) -> bytes:
            """What `Status` is made of, in one transfer."""
            ...


_LOOKS = 4  # at the status after the time-out, before the chip is taken for lost
_LOOK_AGAIN_US = 250
_SELF_TEST_US = 1000  # the data sheet doesn't say how long it takes
_SELF_TEST_LOOKS = 20


class LostChip(Exception):
    """The chip doesn't answer as it should; the text says how."""


class Chip:
    """One MFRC522. `passes_self_test` is None where no right result is known for its version. What yields raises
    LostChip, and may be given up between two steps; `start` then begins anew."""

    def __init__(self, bus: "Bus") -> None:
        self.version = 0
        self.passes_self_test: bool | None = None
        self._bus = bus
        self._field_is_on = False
        self._fifo_is_clear = False

    def start(self) -> "Generator[int, None, None]":
        """Reset the chip, see that it is one, and set it up for `look`."""
        yield from self._reset()
        self.version = self._bus.read(rc522.VERSION_REG)
        if self.version in rc522.NO_CHIP:
            raise LostChip(f"no reader answers (version register 0x{self.version:02X})")
        passes = yield from self.self_test()
        if self.passes_self_test and not passes:
            raise LostChip("the reader fails its self-test, which it passed before")
        self.passes_self_test = passes
        for register, value in rc522.SET_UP:
            self._bus.write(register, bytes((value,)))

    def self_test(self) -> "Generator[int, None, bool | None]":
        """Whether the chip passes its own test (data sheet 16.1.1); None where no right result is known. Resets it."""
        for register, data in rc522_self_test.WRITES:
            self._bus.write(register, data)
        level = 0
        for _ in range(_SELF_TEST_LOOKS):
            level = self._bus.read(rc522.FIFO_LEVEL_REG)
            if level >= rc522.FIFO_BYTES:
                break
            yield _SELF_TEST_US
        result = self._bus.read_fifo(min(level, rc522.FIFO_BYTES))
        yield from self._reset()
        expected = rc522_self_test.EXPECTED.get(self.version)
        return None if expected is None else result == expected

    def field_on(self) -> "Generator[int, None, None]":
        """Switch the field on, and wait until cards have their power; nothing if it is on."""
        if not self._field_is_on:
            self._bus.write(rc522.TX_CONTROL_REG, bytes((rc522.ANTENNA_ON,)))
            self._field_is_on = True
            yield rc522.SETTLE_US

    def field_off(self) -> None:
        """Switch the field off; every card forgets what it was told."""
        self._bus.write(rc522.TX_CONTROL_REG, bytes((rc522.ANTENNA_OFF,)))
        self._field_is_on = False

    def look(self, known: "Sequence[bytes]" = ()) -> "Generator[int, None, tuple[list[bytes], bool]]":
        """The UIDs on the pad, and whether something was heard that led to none; `known` were there the last time."""
        steps = find_cards(known)
        try:
            step = next(steps)
            while True:
                step = steps.send((yield from self._exchange(step)))
        except StopIteration as end:
            return end.value

    def _reset(self) -> "Generator[int, None, None]":
        """Soft reset; all registers are as at power-up."""
        self._bus.write(rc522.COMMAND_REG, bytes((rc522.SOFT_RESET,)))
        self._field_is_on = False
        self._fifo_is_clear = True
        yield rc522.WAKE_UP_US

    def _exchange(self, exchange: Exchange) -> "Generator[int, None, Answer]":
        """Send a frame and wait for its answer; LostChip if the chip neither hears one nor sees its time run out."""
        for register, data in sending(exchange, not self._fifo_is_clear):
            self._bus.write(register, data)
        self._fifo_is_clear = False
        waited_us = air_us(exchange)
        yield waited_us
        if not exchange.answer_bits:
            return Answer(ANSWERED)
        status = self._status()
        if status.outcome == Status.WAITING:
            yield max(0, sent_us(exchange) + rc522.TIMER_US - waited_us)
            status = self._status()
        for _ in range(_LOOKS - 1):
            if status.outcome != Status.WAITING:
                break
            yield _LOOK_AGAIN_US
            status = self._status()
        if status.outcome == Status.WAITING:
            raise LostChip("the reader has stopped: no answer and no time-out")
        if status.outcome == Status.LOST:
            raise LostChip(f"the reader is lost: its registers read as {status.values.hex(' ')}")
        if status.outcome not in (ANSWERED, COLLIDED):
            return status.answer()
        self._fifo_is_clear = True
        return status.answer(self._bus.read_fifo(status.waiting_bytes))

    def _status(self) -> Status:
        return Status(self._bus.read_status(), self.version)
