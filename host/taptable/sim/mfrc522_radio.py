"""The contactless half of the MFRC522 model: sends the FIFO's bytes into the field, receives the answer, and runs the
timer that starts after sending. Works on the registers that it shares with the chip; knows no SPI. Runs in MicroPython
too."""

from tapshared import rc522

from taptable.sim.air import BIT_PERIODS, COLLISION, Burst, crc_bytes, odd_parity, request_periods
from taptable.sim.field import Exchanged, Field

_TX_IRQ = 0x40  # ComIrqReg
_ERR_IRQ = 0x02
_BUFFER_OVFL = 0x10  # ErrorReg
_CRC_ERR = 0x04
_PARITY_ERR = 0x02
_PROTOCOL_ERR = 0x01
_CRC_EN = 0x80  # TxModeReg, RxModeReg
_TX_WAIT_RF = 0x20  # ModeReg: sends nothing before there is a field
_T_AUTO = 0x80  # TModeReg
_T_STOP_NOW = 0x80  # ControlReg
_T_START_NOW = 0x40
_COMMAND = 0x0F  # CommandReg
_RCV_OFF = 0x20
_VALUES_AFTER_COLL = 0x80  # CollReg
_SPEED = 0x70  # TxModeReg, RxModeReg: 0 is 106 kbit/s
_FORCE_100_ASK = 0x40  # TxASKReg
_PRESETS = (0x0000, 0x6363, 0xA671, 0xFFFF)  # ModeReg, CRCPreset
_KEYSTREAM = (1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0)  # stands for any


def crc_preset(registers: bytearray) -> int:
    """Return the initial value of the chip's CRC."""
    return _PRESETS[registers[rc522.MODE_REG] & 3]


class Radio:
    """Sends and receives frames for the chip that owns these registers and this FIFO."""

    def __init__(self, field: Field, registers: bytearray, fifo: list[int]) -> None:
        self._field = field
        self._registers = registers
        self._fifo = fifo
        self._frame = b""
        self._bits = 0
        self._began_at = 0
        self._sent_at: int | None = None
        self._receiving: Exchanged | None = None
        self._timer_at: int | None = None

    def stop(self) -> None:
        """End sending and receiving, as another command does; no card understands a frame that was cut short. The timer
        runs on."""
        self._sent_at = None
        self._receiving = None

    def reset(self) -> None:
        """Reset the radio: the registers are as at power-up."""
        self.stop()
        self._timer_at = None
        self._field.switch(False)

    def push(self, value: int) -> None:
        """Append a byte to the FIFO, or set the overflow flag if it is full."""
        if len(self._fifo) < rc522.FIFO_BYTES:
            self._fifo.append(value)
        else:
            self._registers[rc522.ERROR_REG] |= _BUFFER_OVFL

    def control(self, value: int) -> None:
        """Handle a write to ControlReg: stop or start the timer."""
        if value & _T_STOP_NOW:
            self._timer_at = None
        if value & _T_START_NOW:
            self._timer_at = self._field.clock.now() + self._timer_periods()

    def start(self) -> None:
        """Send, if a Transceive is under way, StartSend is set, and there is a field or no need to wait for one."""
        framing = self._registers[rc522.BIT_FRAMING_REG]
        if self._registers[rc522.COMMAND_REG] & _COMMAND != rc522.TRANSCEIVE or not framing & rc522.START_SEND:
            return
        if self._sent_at is not None or not self._fifo:
            return
        if self._registers[rc522.MODE_REG] & _TX_WAIT_RF and not self._field.is_on:
            return
        self._frame = bytes(self._fifo)
        if self._registers[rc522.TX_MODE_REG] & _CRC_EN:
            self._frame += crc_bytes(self._frame, crc_preset(self._registers))
        self._fifo.clear()
        last_bits = framing & rc522.LAST_BITS
        self._bits = 8 * len(self._frame) - (8 - last_bits if last_bits else 0)
        self._began_at = self._field.clock.now()
        self._sent_at = self._began_at + request_periods(self._bits)

    def advance_to(self, now: int) -> None:
        """Process everything that happens by `now`: the frame is sent, the answer received, the timer expires."""
        if self._sent_at is None and self._receiving is None and self._timer_at is None:
            return
        if self._sent_at is not None and now >= self._sent_at:
            self._on_frame_sent(self._sent_at)
        exchanged = self._receiving
        if exchanged and exchanged.burst:
            fifth_bit_at = exchanged.answer_begins_at() + 5 * BIT_PERIODS
            if self._timer_at is not None and fifth_bit_at <= min(now, self._timer_at):
                self._timer_at = None
            if now >= exchanged.answer_ends_at():
                self._receiving = None
                self._on_answer_received(exchanged.burst)
        if self._timer_at is not None and now >= self._timer_at:
            self._timer_at = None
            self._registers[rc522.COM_IRQ_REG] |= rc522.TIMER_IRQ

    def _on_frame_sent(self, at: int) -> None:
        """Handle the end of the frame at the antenna."""
        self._sent_at = None
        self._registers[rc522.COM_IRQ_REG] |= _TX_IRQ
        if self._registers[rc522.T_MODE_REG] & _T_AUTO:
            self._timer_at = at + self._timer_periods()
        exchanged = self._field.exchange(self._frame, self._bits, self._began_at, self._is_unintelligible())
        if exchanged.burst:
            self._decipher(exchanged.burst)
        if not self._registers[rc522.COMMAND_REG] & _RCV_OFF:
            self._receiving = exchanged

    def _is_unintelligible(self) -> bool:
        """Return whether no card understands the frame, by the way it is sent. An enciphered frame is understood only
        if it is as short as REQA or WUPA."""
        registers = self._registers
        enciphered = registers[rc522.STATUS_2_REG] & rc522.CRYPTO_ON and self._bits > 7
        return bool(
            not registers[rc522.TX_ASK_REG] & _FORCE_100_ASK or registers[rc522.TX_MODE_REG] & _SPEED or enciphered
        )

    def _decipher(self, burst: Burst) -> None:
        """Corrupt the answer where the receiver expects another rate, or deciphers bits that aren't enciphered."""
        if self._registers[rc522.RX_MODE_REG] & _SPEED:
            burst.malformed = True
        if self._registers[rc522.STATUS_2_REG] & rc522.CRYPTO_ON:
            for place in range(len(burst.bits)):
                if _KEYSTREAM[place % len(_KEYSTREAM)]:
                    burst.flip(place)

    def _timer_periods(self) -> int:
        """Return how long the timer runs, in carrier periods (8.5)."""
        prescaler = (self._registers[rc522.T_MODE_REG] & 0x0F) << 8 | self._registers[rc522.T_PRESCALER_REG]
        reload = self._registers[rc522.T_RELOAD_REG_H] << 8 | self._registers[rc522.T_RELOAD_REG_L]
        return (2 * prescaler + 1) * (reload + 1)

    def _on_answer_received(self, burst: Burst) -> None:
        """Handle a complete answer: put its bytes into the FIFO, and its errors into the registers."""
        align = self._registers[rc522.BIT_FRAMING_REG] >> 4 & 7
        error = _PROTOCOL_ERR if burst.malformed else 0
        bits = list(burst.bits)
        if COLLISION in bits:
            error |= rc522.COLL_ERR
            self._record_collision(bits, align)
        else:
            self._registers[rc522.COLL_REG] = self._registers[rc522.COLL_REG] & 0x80 | rc522.COLL_POS_NOT_VALID
            if not _parity_holds(burst, align):
                error |= _PARITY_ERR
        data = [0] * ((align + len(bits) + 7) // 8)
        for place, bit in enumerate(bits):
            data[align + place >> 3] |= bit << (align + place & 7)
        if self._registers[rc522.RX_MODE_REG] & _CRC_EN:
            if len(data) < 3 or crc_bytes(data[:-2], crc_preset(self._registers)) != bytes(data[-2:]):
                error |= _CRC_ERR
            data = data[:-2]
        for value in data:
            self.push(value)
        control = self._registers[rc522.CONTROL_REG]
        self._registers[rc522.CONTROL_REG] = control & ~rc522.LAST_BITS | (align + len(bits)) & rc522.LAST_BITS
        self._registers[rc522.ERROR_REG] |= error
        self._registers[rc522.COM_IRQ_REG] |= rc522.RX_IRQ | (_ERR_IRQ if error else 0)

    def _record_collision(self, bits: list[int], align: int) -> None:
        """Record the position of the first collision (bits skipped for RxAlign count), and the values that bits read as
        from there on."""
        first = bits.index(COLLISION)
        keep = self._registers[rc522.COLL_REG] & _VALUES_AFTER_COLL
        for place in range(first, len(bits)):
            bits[place] = int(place == first or bool(keep and bits[place]))
        position = align + first + 1
        self._registers[rc522.COLL_REG] = keep | (
            rc522.COLL_POS_NOT_VALID if position > 32 else position & rc522.COLL_POS
        )


def _parity_holds(burst: Burst, align: int) -> bool:
    """Return whether every byte has its odd parity. A byte that the reader began can't be checked, and a wrong RxAlign
    shifts all."""
    if align != burst.align:
        return False
    parity = [odd_parity(bits) for bits in burst.whole_bytes()]
    return parity[1:] == burst.parity[1:] if align else parity == burst.parity
