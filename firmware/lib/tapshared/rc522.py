"""The parts of the MFRC522 reader chip that finding cards needs: register numbers, commands and bits (data sheet,
chapter 9), and its set-up. No bus is touched here; the Pi's reader, a seat board's and the chip model share it."""

from tapshared.exchange import NO_ANSWER_US

# Registers, by their names in the data sheet (table 20).
COMMAND_REG = 0x01
COM_IRQ_REG = 0x04
ERROR_REG = 0x06
STATUS_2_REG = 0x08
FIFO_DATA_REG = 0x09
FIFO_LEVEL_REG = 0x0A
CONTROL_REG = 0x0C
BIT_FRAMING_REG = 0x0D
COLL_REG = 0x0E
MODE_REG = 0x11
TX_MODE_REG = 0x12
RX_MODE_REG = 0x13
TX_CONTROL_REG = 0x14
TX_ASK_REG = 0x15
RF_CFG_REG = 0x26
T_MODE_REG = 0x2A
T_PRESCALER_REG = 0x2B
T_RELOAD_REG_H = 0x2C
T_RELOAD_REG_L = 0x2D
AUTO_TEST_REG = 0x36
VERSION_REG = 0x37

# Commands (table 149).
IDLE = 0x00
MEM = 0x01
CALC_CRC = 0x03
TRANSCEIVE = 0x0C
SOFT_RESET = 0x0F

POWER_DOWN = 0x10  # CommandReg: read as 1 until the chip has woken up
RX_IRQ = 0x20  # ComIrqReg
TIMER_IRQ = 0x01
ALL_IRQS = 0x7F
COLL_ERR = 0x08  # ErrorReg
RECEIVE_ERRORS = 0x17  # BufferOvfl, CRCErr, ParityErr, ProtocolErr
FLUSH_BUFFER = 0x80  # FIFOLevelReg
FIFO_BYTES = 64
LAST_BITS = 0x07  # ControlReg, and BitFramingReg for sending
START_SEND = 0x80  # BitFramingReg
COLL_POS_NOT_VALID = 0x20  # CollReg
COLL_POS = 0x1F
ANTENNA_ON = 0x83  # TxControlReg: Tx2RFEn, Tx1RFEn
ANTENNA_OFF = 0x80
ANTENNA_BITS = 0x03
CRYPTO_ON = 0x08  # Status2Reg, MFCrypto1On: frames and answers are enciphered

NO_CHIP = (0x00, 0xFF)  # values of VersionReg where nothing drives MISO
WAKE_UP_US = 1000  # after a reset; the data sheet's 37.74 µs and the start of the crystal (8.8.2)
SETTLE_US = 5000  # of field before the first request, so that a card has its power (ISO 14443-3, 5)

_TICK_US = 25
FIXED_SETUP = (  # registers and their values, whatever the gain
    (T_MODE_REG, 0x80),  # TAuto: the timer starts when a frame is sent, and stops with an answer's fifth bit
    (T_PRESCALER_REG, 0xA9),  # 2 * 169 + 1 periods of 13.56 MHz: 25 µs a tick
    (T_RELOAD_REG_H, 0),
    (T_RELOAD_REG_L, NO_ANSWER_US // _TICK_US),
    (TX_ASK_REG, 0x40),  # 100 % ASK, as type A needs it
    (MODE_REG, 0x3D),  # CRC preset 6363h
    (TX_MODE_REG, 0x00),  # 106 kbit/s, without the chip's own check bytes
    (RX_MODE_REG, 0x00),
    (COLL_REG, 0x00),  # bits after a collision read as 0
    (STATUS_2_REG, 0x00),
)
GAINS = {18: 0x08, 23: 0x18, 33: 0x48, 38: 0x58, 43: 0x68, 48: 0x78}  # of the receiver in dB: RFCfgReg (9.3.3.6)
GAIN_DB = 33  # the default: above it neighbouring readers disturb each other
TIMER_US = (NO_ANSWER_US // _TICK_US + 1) * _TICK_US  # the reload value is counted down through 0


def setup_values(gain_db: int) -> "tuple[tuple[int, int], ...]":
    """Return the registers and values that set up a chip with this gain, one of GAINS."""
    return FIXED_SETUP + ((RF_CFG_REG, GAINS[gain_db]),)  # noqa: RUF005 - the VM's


def write_address(register: int) -> int:
    """Return the address byte that writes a register (8.1.2.3); any number of bytes for it may follow."""
    return register << 1


def write_transfer(register: int, value: int) -> bytes:
    """Return the transfer that gives a register a value."""
    return bytes((write_address(register), value))


def read_address(register: int) -> int:
    """Return the address byte that reads a register; its value comes with the next byte, which may be an address
    again."""
    return 0x80 | register << 1
