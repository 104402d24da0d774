"""The registers of an MFRC522 on which sending and receiving depend: written at each set-up, read back, and compared
from time to time, since some faults of the chip change one and leave everything else as it was."""

from tapshared import rc522
from tapshared.rc522_talk import LostChip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from tapshared.rc522_talk import ChipBus

# Bits that read as they were written, of the registers of `rc522.setup_values` in their order; others are reserved.
_SET_UP_BITS = bytes((0xFF, 0xFF, 0xFF, 0xFF, 0x40, 0xA3, 0xF0, 0xFC, 0x80, rc522.CRYPTO_ON, 0x70))
# TxSelReg, RxSelReg, RxThresholdReg, DemodReg, MfTxReg, MfRxReg, ModWidthReg, GsNReg, CWGsPReg, ModGsPReg: they must
# keep their values after a reset, which differ between makers.
_AS_RESET = bytes((0x16, 0x17, 0x18, 0x19, 0x1C, 0x1D, 0x24, 0x27, 0x28, 0x29))

_ALL = bytes([register for register, _ in rc522.setup_values(rc522.GAIN_DB)]) + _AS_RESET
_ALL += bytes((rc522.TX_CONTROL_REG, rc522.VERSION_REG))
_BITS = _SET_UP_BITS + b"\xff" * len(_AS_RESET) + bytes((rc522.ANTENNA_BITS, 0xFF))
_READ_AS_RESET = bytes([rc522.read_address(register) for register in _AS_RESET] + [0])
_READ_ALL = bytes([rc522.read_address(register) for register in _ALL] + [0])


class Registers:
    """Sets up and compares the registers of the chip on `bus`. `mismatches` counts those that a check found wrong."""

    def __init__(self, bus: "ChipBus") -> None:
        self.mismatches = 0
        self._bus = bus
        self._expected = bytearray(len(_ALL))

    def set_up(self, gain_db: int, version: int) -> "Generator[int, None, None]":
        """Write all of them, after a reset: also those that need no other value, since some faults last until then."""
        set_up, as_reset = rc522.setup_values(gain_db), self._bus.read_all(_READ_AS_RESET)
        self._expected = bytearray([value for _, value in set_up]) + as_reset + bytes((0, version))
        self._bus.write([rc522.write_transfer(_AS_RESET[place], value) for place, value in enumerate(as_reset)])
        yield 0
        self._bus.write([rc522.write_transfer(register, value) for register, value in set_up])
        yield 0

    def check(self, field_is_on: bool) -> None:
        """Compare them with what was written. LostChip names the first that differs."""
        read, expected = self._bus.read_all(_READ_ALL), self._expected
        expected[-2] = rc522.ANTENNA_BITS if field_is_on else 0
        if read[-1] != expected[-1]:
            raise LostChip("the reader is lost: its version register reads as 0x%02X" % read[-1])  # noqa: UP031
        wrong = [place for place, bits in enumerate(_BITS) if (read[place] ^ expected[place]) & bits]
        if wrong:
            self.mismatches += len(wrong)
            first = wrong[0]
            named = _ALL[first], read[first], expected[first]
            raise LostChip("register 0x%02X of the reader reads as 0x%02X, not 0x%02X" % named)  # noqa: UP031
