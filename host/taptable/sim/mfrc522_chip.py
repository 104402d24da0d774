"""Model of the MFRC522 reader chip at its registers, as its data sheet describes it; its input is the transfers over
SPI, or single registers from the model of an I2C bus, and its time that of the field's clock. It is as strict as the
real chip may be: StartSend holds until it is cleared, a command runs until another is written, and a chip that isn't
present answers nothing. Runs in MicroPython too. Must not know which driver uses it."""

from tapshared import rc522, rc522_self_test

from taptable.sim.air import CARRIER_HZ, crc, us_to_periods
from taptable.sim.field import Field
from taptable.sim.mfrc522_radio import Radio, crc_preset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Registers and bits that no driver here needs.
COM_IEN_REG = 0x02
DIV_IRQ_REG = 0x05
STATUS1_REG = 0x07
WATER_LEVEL_REG = 0x0B
CRC_RESULT_REG_H = 0x21
CRC_RESULT_REG_L = 0x22
_READ_ONLY = (rc522.ERROR_REG, STATUS1_REG, CRC_RESULT_REG_H, CRC_RESULT_REG_L, rc522.VERSION_REG)
_SET = 0x80  # ComIrqReg, DivIrqReg: the marked bits are set, not cleared
_HI_ALERT_IRQ = 0x08
_LO_ALERT_IRQ = 0x04
_CRC_IRQ = 0x04  # DivIrqReg
_NO_COMMAND_CHANGE = 0x07
_COMMAND = 0x0F
_RCV_OFF = 0x20  # CommandReg
_RF_EN = 0x03  # TxControlReg
_SELF_TEST = 0x09  # AutoTestReg
_GAINS_DB = (18, 23, 18, 23, 33, 38, 43, 48)  # RFCfgReg, RxGain (table 98)
_BYTE_KHZ = 8 * CARRIER_HZ // 1000  # carrier periods of 8 bits at 1 kHz: small enough for a MicroPython of 32 bits
_WAKE_PERIODS = us_to_periods(38)  # from a reset until the registers can be used (8.8.2)
_SELF_TEST_PERIODS = us_to_periods(500)  # the data sheet doesn't say how long the self-test takes

_RESET_VALUES = (
    (rc522.COMMAND_REG, _RCV_OFF),
    (COM_IEN_REG, 0x80),
    (rc522.COM_IRQ_REG, 0x14),
    (STATUS1_REG, 0x21),
    (WATER_LEVEL_REG, 0x08),
    (rc522.CONTROL_REG, 0x10),
    (rc522.COLL_REG, 0xA0),
    (rc522.MODE_REG, 0x3F),
    (rc522.TX_CONTROL_REG, rc522.ANTENNA_OFF),
    (0x16, 0x10),  # TxSelReg
    (0x17, 0x84),  # RxSelReg
    (0x18, 0x84),  # RxThresholdReg
    (0x19, 0x4D),  # DemodReg
    (0x1C, 0x62),  # MfTxReg
    (0x1F, 0xEB),  # SerialSpeedReg
    (CRC_RESULT_REG_H, 0xFF),
    (CRC_RESULT_REG_L, 0xFF),
    (0x24, 0x26),  # ModWidthReg
    (rc522.RF_CFG_REG, 0x48),
    (0x27, 0x88),  # GsNReg
    (0x28, 0x20),  # CWGsPReg
    (0x29, 0x20),  # ModGsPReg
    (rc522.AUTO_TEST_REG, 0x40),
)


class Mfrc522Chip:
    """One chip with its antenna's field. `miso_stuck_at`: the constant value of MISO, None while it works;
    `is_present`: whether there is a chip at all; `passes_self_test`: the result of its self-test. `transfers` and
    `moved_bytes` count the traffic over SPI. `stuck_registers` keep these values despite writes and resets."""

    def __init__(self, field: Field, version: int = 0x92) -> None:
        self.field = field
        self.version = version
        self.miso_stuck_at: int | None = None
        self.is_present = True
        self.passes_self_test = True
        self.transfers = 0
        self.moved_bytes = 0
        self.stuck_registers: dict[int, int] = {}
        self._clock = field.clock
        self.registers = bytearray(64)
        self.fifo: list[int] = []
        self._buffer = bytes(25)
        self._radio = Radio(field, self.registers, self.fifo)
        self.reset()

    def transfer(self, sent: "Sequence[int]", hz: int) -> list[int]:
        """Do one transfer with the chip selected (8.1.2): an address byte, then data to write; or addresses to read,
        each value coming with the next byte. Takes 8 bits a byte at `hz`."""
        self.transfers += 1
        self.moved_bytes += len(sent)
        clock = self._clock
        clock.catch_up()
        khz = hz // 1000
        address, is_read = sent[0] >> 1 & 0x3F, sent[0] & 0x80
        passed = _BYTE_KHZ // khz
        now = clock.advance(passed)
        read = [0]
        for place in range(1, len(sent)):
            # a value that is read comes with the byte after its address, and is the value from before that byte
            value = self.read_register(sent[place - 1] >> 1 & 0x3F, now) if is_read and self.is_present else 0
            read.append(value)
            by_now = (place + 1) * _BYTE_KHZ // khz
            now = clock.advance(by_now - passed)
            passed = by_now
            if self.is_present and not is_read:
                self.write_register(address, sent[place], now)
        if self.miso_stuck_at is not None:
            return [self.miso_stuck_at] * len(sent)
        return read if self.is_present else [0xFF] * len(sent)

    @property
    def gain_db(self) -> int:
        """The gain of its receiver, in dB."""
        return _GAINS_DB[self.registers[rc522.RF_CFG_REG] >> 4 & 7]

    def pull_reset(self) -> None:
        """Pull the reset pin low and high."""
        self.reset()
        self.field.end_latches("pin")

    def reset(self) -> None:
        """Reset the chip by its pin or by SoftReset: all registers as at power-up, the antenna off."""
        for register in range(64):
            self.registers[register] = 0
        for register, value in _RESET_VALUES:
            self.registers[register] = value
        self.registers[rc522.VERSION_REG] = self.version
        self._apply_stuck_registers()
        self.field.gain_db = self.gain_db
        self.fifo.clear()
        self._radio.reset()
        self._clock.catch_up()
        self._awake_at = self._clock.now() + _WAKE_PERIODS
        self._tested_at: int | None = None

    def _advance_to(self, now: int) -> bool:
        """Catch up with the time, and return whether the chip is awake."""
        if now < self._awake_at:
            return False
        if self._tested_at is not None and now >= self._tested_at:
            self._tested_at = None
            result = rc522_self_test.EXPECTED.get(self.version, bytes(64))
            self.fifo[:] = list(result if self.passes_self_test and self._buffer == bytes(25) else reversed(result))
        self._radio.advance_to(now)
        return True

    def read_register(self, register: int, now: int) -> int:
        """Read a register at the time `now`, in carrier periods."""
        if not self._advance_to(now):
            return rc522.POWER_DOWN if register == rc522.COMMAND_REG else 0
        if register == rc522.FIFO_DATA_REG:
            value = self.fifo.pop(0) if self.fifo else 0
            self._alert()
            return value
        if register == rc522.FIFO_LEVEL_REG:
            return len(self.fifo)
        return self.registers[register]

    def stick_register(self, register: int, value: int) -> None:
        """Give a register this value until it is removed from `stuck_registers`."""
        self.stuck_registers[register] = value
        self._apply_stuck_registers()

    def _apply_stuck_registers(self) -> None:
        for register, value in self.stuck_registers.items():
            self.registers[register] = value

    def write_register(self, register: int, value: int, now: int) -> None:
        """Write a register at the time `now`, in carrier periods."""
        if not self._advance_to(now) or register in _READ_ONLY:
            return
        if self.field.disturbances:
            self.field.end_latches(register)
        if register == rc522.COMMAND_REG:
            self._command(value)
        elif register in (rc522.COM_IRQ_REG, DIV_IRQ_REG):
            marked = value & ~_SET
            old = self.registers[register]
            self.registers[register] = old | marked if value & _SET else old & ~marked
        elif register == rc522.FIFO_DATA_REG:
            self._radio.push(value)
            self._alert()
        elif register == rc522.FIFO_LEVEL_REG:
            if value & rc522.FLUSH_BUFFER:
                self.fifo.clear()
                self._alert()
        elif register == rc522.CONTROL_REG:
            self._radio.control(value)
        elif register == rc522.COLL_REG:
            self.registers[register] = value & 0x80 | self.registers[register] & 0x7F
        else:
            self.registers[register] = value
            if self.stuck_registers:
                self._apply_stuck_registers()
            if register == rc522.TX_CONTROL_REG:
                self.field.switch(bool(self.registers[register] & _RF_EN))
            elif register == rc522.RF_CFG_REG:
                self.field.gain_db = self.gain_db
            self._radio.start()

    def _alert(self) -> None:
        """Set the alerts after a change of the FIFO, if it is nearly full or nearly empty."""
        level, water = len(self.fifo), self.registers[WATER_LEVEL_REG]
        if level <= water:
            self.registers[rc522.COM_IRQ_REG] |= _LO_ALERT_IRQ
        if rc522.FIFO_BYTES - level <= water:
            self.registers[rc522.COM_IRQ_REG] |= _HI_ALERT_IRQ

    def _command(self, value: int) -> None:
        """Start a command; the one before ends."""
        command = value & _COMMAND
        if command == _NO_COMMAND_CHANGE:
            return
        self._radio.stop()
        self.registers[rc522.COMMAND_REG] = value & (_RCV_OFF | _COMMAND)
        if command == rc522.IDLE:
            return
        self.registers[rc522.ERROR_REG] = 0
        if command == rc522.SOFT_RESET:
            self.reset()
            self.field.end_latches("command")
        elif command == rc522.MEM:
            self._mem()
        elif command == rc522.CALC_CRC:
            self._calculate()
        self._radio.start()

    def _mem(self) -> None:
        """Execute Mem: move 25 bytes into the internal buffer, or out of it if the FIFO is empty."""
        if self.fifo:
            self._buffer = (bytes(self.fifo) + bytes(25))[:25]
            self.fifo.clear()
        else:
            self.fifo[:] = list(self._buffer)

    def _calculate(self) -> None:
        """Execute CalcCRC over the FIFO, or the self-test. The model leaves out the few carrier periods that a byte
        takes."""
        if self.registers[rc522.AUTO_TEST_REG] & _COMMAND == _SELF_TEST:
            self.fifo.clear()
            self._tested_at = self._clock.now() + _SELF_TEST_PERIODS
            return
        result = crc(self.fifo, crc_preset(self.registers))
        self.fifo.clear()
        self.registers[CRC_RESULT_REG_H] = result >> 8
        self.registers[CRC_RESULT_REG_L] = result & 0xFF
        self.registers[DIV_IRQ_REG] |= _CRC_IRQ
