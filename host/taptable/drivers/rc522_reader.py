"""One MFRC522 on a bus of this computer, whatever the bus: set up, looked with, checked and closed, with sleeps between
the chip's steps. A subclass opens its bus and has the access to the registers. Finds cards; knows no pad and no table
time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol, TypeVar

from tapshared.rc522_chip import Chip
from tapshared.rc522_talk import LostChip, NoChip

from taptable.core.errors import DeviceError

if TYPE_CHECKING:
    from tapshared.rc522_talk import ChipBus

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class NoReader(DeviceError):
    """Nothing like a reader answers on the bus. `version` is the value read from the version register, None if nothing
    answered at all. `todo` says where to look."""

    def __init__(self, name: str, version: int | None, todo: str, found: str = "") -> None:
        found = found or f"no reader answers (version register 0x{version or 0:02X})"
        super().__init__(f"{name}: {found}: {todo}")
        self.version = version
        self.found = found


class FailingReader(DeviceError):
    """A reader answers wrongly: it stops, fails its self-test, or a register differs from the value written."""


class PadReader(Protocol):
    """The reader of a pad; see `Rc522Reader`. Each member raises DeviceError or OSError."""

    @property
    def version(self) -> int:
        """The value of its version register, which tells the chip."""
        ...

    @property
    def passes_self_test(self) -> bool | None:
        """Whether it passed its self-test when it was set up; None for a chip whose right result is unknown."""
        ...

    @property
    def set_ups(self) -> int:
        """How often the chip was set up."""
        ...

    @property
    def wrong_registers(self) -> int:
        """How many registers `check` found wrong."""
        ...

    @property
    def unread(self) -> Sequence[bytes]:
        """The bytes resolved by the last look of each card that answered and couldn't be selected."""
        ...

    def restart(self) -> None:
        """Reset the chip and set it up."""
        ...

    def check(self) -> None:
        """Compare the chip's registers with the values of its set-up."""
        ...

    def set_gain(self, gain_db: int) -> None:
        """Set the chip up again, with this gain from now on."""
        ...

    def field_on(self) -> None:
        """Switch the field on, unless it is on."""
        ...

    def field_off(self) -> None:
        """Switch the field off."""
        ...

    def look(self, known: Sequence[bytes]) -> tuple[list[bytes], bool]:
        """Return the UIDs on the pad, and whether an answer was received that gave no UID."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


def sleep_us(us: int) -> None:
    """Sleep for some microseconds."""
    time.sleep(us / 1_000_000)


class Rc522Reader:
    """The reader at the address `name`. The subclass's constructor calls `start`; it and all methods raise DeviceError
    if the chip doesn't answer as it should, and OSError if the bus fails.

    `gain_db` is the receiver's gain, one of `rc522.GAINS`. `sleep_us` waits. `wires` says where to look if nothing
    answers."""

    def __init__(
        self, name: str, bus: ChipBus, *, gain_db: int, sleep_us: Callable[[int], None], wires: str = ""
    ) -> None:
        self.name = name
        self.unread: list[bytes] = []
        self._sleep_us = sleep_us
        self._wires = wires
        self._chip = Chip(bus)
        self._chip.gain_db = gain_db
        self._is_closed = False

    def start(self) -> None:
        """Open the reader for the first time; close it if that fails."""
        try:
            self.restart()
        except (DeviceError, OSError):
            self.close()
            raise

    def restart(self) -> None:
        """Open the bus, reset the chip, and set it up."""
        self._open()
        self._run(self._chip.start())
        if self._chip.passes_self_test is False:
            _log.warning(
                "Reader self-test failed (%s), as on some copies of the MFRC522: it is used all the same; replace it if"
                " it misses cards",
                self.name,
            )

    def close(self) -> None:
        """Switch the field off, and release the bus."""
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(OSError, DeviceError):  # the bus itself may have failed
            self.field_off()
        self._release()

    def _open(self) -> None:
        """Open the bus, again if it is open, and reset the chip by its pin if it has one."""
        raise NotImplementedError

    def _release(self) -> None:
        """Release the bus. May be called before `_open`."""
        raise NotImplementedError

    @property
    def version(self) -> int:
        """The value of the chip's version register at set-up."""
        return self._chip.version

    @property
    def passes_self_test(self) -> bool | None:
        """Whether the chip passed its self-test when it was set up; None for one whose right result is unknown."""
        return self._chip.passes_self_test

    def set_gain(self, gain_db: int) -> None:
        """Set the chip up again, with this gain from now on."""
        self._chip.gain_db = gain_db
        self.restart()

    def field_on(self) -> None:
        """Switch the field on, and wait until cards have power. Does nothing if it is on."""
        self._run(self._chip.field_on())

    def field_off(self) -> None:
        """Switch the field off, which resets every card in it."""
        self._chip.field_off()

    def look(self, known: Sequence[bytes] = ()) -> tuple[list[bytes], bool]:
        """Return the UIDs on the pad, and whether an answer was received that gave no UID. `known` are the UIDs of the
        last look. Sets `unread` to the bytes resolved of each card that couldn't be selected."""
        self.unread = []
        return self._run(self._chip.look(known, None, self.unread.append))

    def check(self) -> None:
        """Compare the chip's registers with the values of its set-up. Raises DeviceError with the one that differs."""
        try:
            self._chip.check()
        except LostChip as lost:
            raise FailingReader(f"{self.name}: {lost}") from lost

    @property
    def set_ups(self) -> int:
        """How often the chip was set up."""
        return self._chip.starts

    @property
    def wrong_registers(self) -> int:
        """How many registers were found wrong."""
        return self._chip.registers.mismatches

    def self_test(self) -> bool | None:
        """Run the chip's self-test (data sheet 16.1.1), which resets it. Return whether it passed, or None if the right
        result is unknown."""
        return self._run(self._chip.self_test())

    def _run(self, steps: Generator[int, None, _Result]) -> _Result:
        """Run a sequence of steps of the chip to its end, with sleeps in between."""
        try:
            while True:
                self._sleep_us(next(steps))
        except StopIteration as end:
            return end.value
        except NoChip as none:
            raise NoReader(self.name, none.version, self._wires) from none
        except LostChip as lost:
            raise FailingReader(f"{self.name}: {lost}") from lost
