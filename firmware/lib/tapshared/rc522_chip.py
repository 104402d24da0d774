"""Operates the MFRC522: sets it up, tests it, looks with it. Every step is done at once and then yields how many µs to
leave the chip alone, so that the Pi's reader drives it with a sleep and a seat board from its loop. Knows the bus only
by its methods."""

from tapshared import rc522, rc522_self_test
from tapshared.exchange import SILENCE
from tapshared.iso14443a import WAKE_ALL, find_cards
from tapshared.rc522_registers import Registers
from tapshared.rc522_talk import LostChip, NoChip, Talk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tapshared.iso14443a import OnCard, OnUnread, SearchResult
    from tapshared.rc522_talk import ChipBus

    Search = Generator[int, None, SearchResult]

_RESET = rc522.write_transfer(rc522.COMMAND_REG, rc522.SOFT_RESET)
_FIELD_ON = rc522.write_transfer(rc522.TX_CONTROL_REG, rc522.ANTENNA_ON)
_FIELD_OFF = rc522.write_transfer(rc522.TX_CONTROL_REG, rc522.ANTENNA_OFF)


class Chip:
    """One MFRC522. `passes_self_test` is None if no right result is known; `gain_db`, one of `rc522.GAINS`, holds from
    the next `start` on; `starts` counts these. The generators raise LostChip, and may be abandoned halfway."""

    def __init__(self, bus: "ChipBus") -> None:
        self.gain_db, self.version, self.starts = rc522.GAIN_DB, 0, 0
        self.registers = Registers(bus)
        self.passes_self_test: bool | None = None
        self._bus = bus
        self._talk = Talk(bus, self.version)
        self._field_is_on = False

    def start(self) -> "Generator[int, None, None]":
        """Reset the chip, test that it is one, set it up for `look`, and read back what was written."""
        self.starts += 1
        yield from self._reset()
        self.version = self._bus.read(rc522.VERSION_REG)
        if self.version in rc522.NO_CHIP:
            raise NoChip(self.version)
        passes = yield from self.self_test()
        if self.passes_self_test and not passes:
            raise LostChip("the reader fails its self-test, which it passed before")
        self.passes_self_test = passes
        yield from self.registers.set_up(self.gain_db, self.version)
        self.check()
        self._talk = Talk(self._bus, self.version)

    def check(self) -> None:
        """Compare the registers with their set-up, between two looks; LostChip where one differs."""
        self.registers.check(self._field_is_on)

    def self_test(self) -> "Generator[int, None, bool | None]":
        """Return whether the chip passes its self-test (data sheet 16.1.1), None if that isn't known; reset it."""
        result = yield from rc522_self_test.run(self._bus)
        yield from self._reset()
        expected = rc522_self_test.EXPECTED.get(self.version)
        return None if expected is None else result == expected

    def field_on(self) -> "Generator[int, None, None]":
        """Switch the field on, and wait until cards have their power; does nothing if it is on."""
        if not self._field_is_on:
            self._bus.write((_FIELD_ON,))
            self._field_is_on = True
            yield rc522.SETTLE_US

    def field_off(self) -> None:
        """Switch the field off; every card returns to idle."""
        self._bus.write((_FIELD_OFF,))
        self._field_is_on = False

    def look(self, known: "Sequence[bytes]" = (), on_card: "OnCard" = None, on_unread: "OnUnread" = None) -> "Search":
        """Return the UIDs on the pad, and whether any answer led to none; the rest as in `find_cards`."""
        wait_us = self.wake()
        while wait_us:
            yield wait_us
            wait_us = self.poll_answer()
        if self.is_silent:
            return [], False
        return (yield from self.search(known, on_card, on_unread))

    def wake(self) -> int:
        """Begin a look: wake all cards. Returns the µs until `poll_answer`."""
        return self._talk.send(WAKE_ALL)

    def poll_answer(self) -> int:
        """Poll for an answer to `wake`. Returns the µs until the next poll, 0 when it `is_silent` or there is something
        to `search` for."""
        return self._talk.poll_answer()

    @property
    def is_silent(self) -> bool:
        """Whether nothing has answered."""
        return self._talk.answer is SILENCE

    def search(self, known: "Sequence[bytes]", on_card: "OnCard" = None, on_unread: "OnUnread" = None) -> "Search":
        """Do the rest of a look, if a card has answered; `on_card` and `on_unread` as in `find_cards`."""
        talk = self._talk
        search = find_cards(known, on_card, on_unread)
        next(search)  # the frame that `wake` has sent
        while True:
            try:
                exchange = search.send(talk.answer)
            except StopIteration as end:
                return end.value
            yield talk.send(exchange)
            while talk.answer is None:
                wait_us = talk.poll_answer()
                if wait_us:
                    yield wait_us

    def _reset(self) -> "Generator[int, None, None]":
        """Soft reset; all registers are as at power-up."""
        self._bus.write((_RESET,))
        self._field_is_on = False
        yield rc522.WAKE_UP_US
