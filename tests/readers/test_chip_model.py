"""The model of the MFRC522 against its data sheet, and against the stock `mfrc522`, written for the real one."""

from __future__ import annotations

import pytest
from reader_rig import PIN_RST, UID_4, UID_7, card
from tapshared import rc522
from taptable.sim import mfrc522_chip, mfrc522_radio
from taptable.sim import spi_bus as spi
from taptable.sim.air import AirClock, crc_bytes, to_bits
from taptable.sim.field import Exchanged, Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

SPI_HZ = 1_000_000


class Bench:
    """A chip that is spoken to register by register."""

    def __init__(self) -> None:
        self.clock = AirClock()
        self.field = Field("bench", self.clock)
        self.field.exchange_log = self.log = []
        self.chip = Mfrc522Chip(self.field)
        self.clock.sleep_us(1000)

    def write(self, register: int, *values: int) -> None:
        self.chip.transfer([register << 1, *values], SPI_HZ)

    def read(self, *registers: int) -> list[int]:
        return self.chip.transfer([0x80 | register << 1 for register in registers] + [0], SPI_HZ)[1:]

    def set_up(self) -> None:
        for register, value in rc522.FIXED_SETUP:
            self.write(register, value)
        self.write(rc522.TX_CONTROL_REG, rc522.ANTENNA_ON)
        self.clock.sleep_us(rc522.SETTLE_US)

    def send(self, *frame: int, framing: int = 0) -> None:
        self.write(rc522.COMMAND_REG, rc522.IDLE)
        self.write(rc522.FIFO_LEVEL_REG, rc522.FLUSH_BUFFER)
        self.write(rc522.COM_IRQ_REG, rc522.ALL_IRQS)
        self.write(rc522.FIFO_DATA_REG, *frame)
        self.write(rc522.BIT_FRAMING_REG, framing)
        self.write(rc522.COMMAND_REG, rc522.TRANSCEIVE)
        self.write(rc522.BIT_FRAMING_REG, rc522.START_SEND | framing)

    def exchange(self, *frame: int, framing: int = 0) -> list[int]:
        self.send(*frame, framing=framing)
        self.clock.sleep_us(3000)
        (level,) = self.read(rc522.FIFO_LEVEL_REG)
        return self.read(*[rc522.FIFO_DATA_REG] * level) if level else []


@pytest.fixture
def bench() -> Bench:
    return Bench()


PACKAGE_NAMES = {
    "COM_IRQ_REG": "CommIrqReg",
    "TX_ASK_REG": "TxAutoReg",
    "RF_CFG_REG": "RFCfgReg",
    "COM_IEN_REG": "CommIEnReg",
}


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (module, name)
        for module in (rc522, mfrc522_chip, mfrc522_radio)
        for name in vars(module)
        if name.endswith(("_REG", "_REG_H", "_REG_L"))
    ],
)
def test_register_numbers_are_those_of_the_package(module: object, name: str) -> None:
    spi.install(spi.Wiring({}))
    from mfrc522 import MFRC522

    words = name.replace("CRC_RESULT_REG_H", "CRC_RESULT_REG_M").replace("T_COUNTER", "T_COUNTER_VALUE").split("_")
    guess = "".join(words).lower()
    numbers = {key.lower(): value for key, value in vars(MFRC522).items() if isinstance(value, int)}
    assert getattr(module, name) == numbers[PACKAGE_NAMES.get(name, guess).lower()]


@pytest.mark.parametrize(
    ("frame", "framing", "answer", "span_ms"),
    [
        ((0x52,), 7, [0x44, 0x00], 0.37),
        ((0x93, 0x20), 0, [0x88, 0x04, 0xA2, 0xB3, 0x9D], 0.72),
        ((0x93, 0x70, 0x88, 0x04, 0xA2, 0xB3, 0x9D), 0, [0x04, 0xDA, 0x17], 1.15),
    ],
)
def test_frames_take_the_times_measured_at_106_kbit_s(
    bench: Bench, frame: tuple[int, ...], framing: int, answer: list[int], span_ms: float
) -> None:
    bench.set_up()
    bench.field.put(card(UID_7))
    bench.clock.sleep_us(5000)
    bench.exchange(0x52, framing=7)
    if framing:
        bench.exchange(0x52, framing=7)  # this one only ends the first
    sent = [*frame, *crc_bytes(frame)] if len(frame) == 7 else frame
    assert bench.exchange(*sent, framing=framing) == answer
    exchanged: Exchanged = bench.log[-1]
    assert (exchanged.answer_ends_at() - exchanged.began_at) / 13_560 == pytest.approx(span_ms, abs=0.006)


def test_hlta_takes_0_36_ms_and_has_no_answer(bench: Bench) -> None:
    bench.set_up()
    assert bench.exchange(0x50, 0x00, 0x57, 0xCD) == []
    assert (bench.log[-1].ended_at - bench.log[-1].began_at) / 13_560 == pytest.approx(0.36, abs=0.006)


def test_spi_time_is_bits_over_the_clock(bench: Bench) -> None:
    for hz in (100_000, 1_000_000, 10_000_000):
        before_us = bench.clock.now_us()
        bench.chip.transfer([0x80 | rc522.VERSION_REG << 1] * 9 + [0], hz)
        assert bench.clock.now_us() - before_us == pytest.approx(80 * 1_000_000 / hz, abs=2)
    assert (bench.chip.transfers, bench.chip.moved_bytes) == (3, 30)


def test_one_transfer_writes_several_bytes_into_the_fifo_and_64_are_all(bench: Bench) -> None:
    bench.write(rc522.FIFO_DATA_REG, *range(65))
    assert bench.read(rc522.FIFO_LEVEL_REG, rc522.ERROR_REG) == [64, 0x10]
    assert bench.read(*[rc522.FIFO_DATA_REG] * 64) == list(range(64))
    bench.write(rc522.FIFO_DATA_REG, 1, 2, 3)
    bench.write(rc522.FIFO_LEVEL_REG, rc522.FLUSH_BUFFER)
    assert bench.read(rc522.FIFO_LEVEL_REG) == [0]


def test_irq_bits_are_cleared_or_set_by_the_marks(bench: Bench) -> None:
    bench.write(rc522.COM_IRQ_REG, 0x80 | 0x21)
    assert bench.read(rc522.COM_IRQ_REG)[0] & 0x21 == 0x21
    bench.write(rc522.COM_IRQ_REG, 0x20)
    assert bench.read(rc522.COM_IRQ_REG)[0] & 0x21 == 0x01


def test_read_only_registers_stay_as_they_are(bench: Bench) -> None:
    bench.write(rc522.VERSION_REG, 0x12)
    bench.write(rc522.ERROR_REG, 0xFF)
    assert bench.read(rc522.VERSION_REG, rc522.ERROR_REG) == [0x92, 0]


def test_after_a_reset_the_chip_sleeps_a_moment_with_its_antenna_off(bench: Bench) -> None:
    bench.set_up()
    assert bench.field.is_on
    bench.write(rc522.COMMAND_REG, rc522.SOFT_RESET)
    assert bench.read(rc522.COMMAND_REG)[0] & rc522.POWER_DOWN
    bench.write(rc522.RF_CFG_REG, 0x70)  # too early to have an effect
    bench.clock.sleep_us(rc522.WAKE_UP_US)
    assert bench.read(rc522.COMMAND_REG, rc522.RF_CFG_REG, rc522.T_MODE_REG) == [0x20, 0x48, 0]
    assert not bench.field.is_on


def test_the_timer_runs_out_1_ms_after_a_frame_that_nobody_answers(bench: Bench) -> None:
    bench.set_up()
    bench.send(0x52, framing=7)
    sent_us = bench.clock.now_us() + 85
    while not bench.read(rc522.COM_IRQ_REG)[0] & rc522.TIMER_IRQ:
        assert bench.clock.now_us() - sent_us < 1100
    assert bench.clock.now_us() - sent_us == pytest.approx(1025, abs=30)  # a look at it takes 24 µs


def test_the_timer_stops_with_the_fifth_bit_of_an_answer(bench: Bench) -> None:
    bench.set_up()
    bench.field.put(card(UID_4))
    bench.clock.sleep_us(5000)
    bench.send(0x52, framing=7)
    bench.clock.sleep_us(3000)
    assert bench.read(rc522.COM_IRQ_REG)[0] & (rc522.TIMER_IRQ | rc522.RX_IRQ) == rc522.RX_IRQ


def test_nothing_is_sent_without_an_antenna(bench: Bench) -> None:
    bench.set_up()
    bench.write(rc522.TX_CONTROL_REG, rc522.ANTENNA_OFF)
    bench.send(0x52, framing=7)
    bench.clock.sleep_us(3000)
    assert bench.read(rc522.COM_IRQ_REG)[0] & (rc522.TIMER_IRQ | rc522.RX_IRQ) == 0
    assert bench.log == []
    bench.write(rc522.TX_CONTROL_REG, rc522.ANTENNA_ON)
    bench.clock.sleep_us(3000)
    bench.read(rc522.COM_IRQ_REG)
    assert len(bench.log) == 1


def test_start_send_holds_until_it_is_cleared(bench: Bench) -> None:
    bench.set_up()
    bench.exchange(0x52, framing=7)
    bench.write(rc522.COMMAND_REG, rc522.IDLE)
    bench.write(rc522.FIFO_DATA_REG, 0x93, 0x20)
    bench.write(rc522.COMMAND_REG, rc522.TRANSCEIVE)
    bench.clock.sleep_us(3000)
    bench.read(rc522.COM_IRQ_REG)
    assert (bench.log[-1].frame, bench.log[-1].bits) == (b"\x93\x20", 15)  # at once, with the framing from before


def test_a_command_cuts_a_frame_short(bench: Bench) -> None:
    bench.set_up()
    bench.send(*range(60))
    bench.write(rc522.COMMAND_REG, rc522.IDLE)
    bench.clock.sleep_us(10_000)
    bench.read(rc522.COM_IRQ_REG)
    assert bench.log == []


@pytest.mark.parametrize(("data", "check"), [("0000", "a01e"), ("1234", "26cf"), ("5000", "57cd"), ("04", "da17")])
def test_the_crc_coprocessor_gives_the_check_bytes_of_the_standard(bench: Bench, data: str, check: str) -> None:
    bench.write(rc522.MODE_REG, 0x3D)
    bench.write(rc522.FIFO_DATA_REG, *bytes.fromhex(data))
    bench.write(rc522.COMMAND_REG, rc522.CALC_CRC)
    low, high, irq = bench.read(mfrc522_chip.CRC_RESULT_REG_L, mfrc522_chip.CRC_RESULT_REG_H, mfrc522_chip.DIV_IRQ_REG)
    assert bytes((low, high)).hex() == check
    assert irq & 0x04


def test_the_chip_appends_and_checks_the_crc_on_request(bench: Bench) -> None:
    bench.set_up()
    bench.field.put(card(UID_4))
    bench.clock.sleep_us(5000)
    bench.exchange(0x52, framing=7)
    part = [*UID_4, UID_4[0] ^ UID_4[1] ^ UID_4[2] ^ UID_4[3]]
    bench.write(rc522.TX_MODE_REG, 0x80)
    bench.write(rc522.RX_MODE_REG, 0x80)
    assert bench.exchange(0x93, 0x70, *part) == [0x08]
    assert bench.read(rc522.ERROR_REG) == [0]
    bench.write(rc522.TX_MODE_REG, 0)
    bench.exchange(0x52, framing=7)
    bench.exchange(0x52, framing=7)  # the one before only ended the selection; and an ATQA has no CRC
    assert bench.read(rc522.ERROR_REG) == [0x04]


@pytest.mark.parametrize("bit", range(32))
def test_a_collision_is_counted_from_1_and_bits_after_it_read_as_0(bench: Bench, bit: int) -> None:
    bench.set_up()
    other = (int.from_bytes(UID_4, "little") ^ 1 << bit).to_bytes(4, "little")
    bench.field.put(card(UID_4))
    bench.field.put(card(other))
    bench.clock.sleep_us(5000)
    bench.exchange(0x52, framing=7)
    data = bench.exchange(0x93, 0x20)
    assert bench.read(rc522.ERROR_REG, rc522.COLL_REG) == [rc522.COLL_ERR, (bit + 1) % 32]
    assert to_bits(data, 40)[:bit] == to_bits(UID_4, 32)[:bit]
    assert not any(to_bits(data, 40)[bit + 1 :])


def test_bits_skipped_by_rx_align_count_in_the_place_of_a_collision(bench: Bench) -> None:
    bench.set_up()
    for uid in (b"\x01\x02\x03\x04", b"\x03\x02\x03\x04", b"\x03\x02\x03\x05"):
        bench.field.put(card(uid))
    bench.clock.sleep_us(5000)
    bench.exchange(0x52, framing=7)
    bench.exchange(0x93, 0x20)
    assert bench.read(rc522.COLL_REG) == [2]
    bench.exchange(0x93, 0x22, 0x03, framing=0x22)
    assert bench.read(rc522.COLL_REG) == [25]


def test_a_wrong_rx_align_is_an_error(bench: Bench) -> None:
    bench.set_up()
    bench.field.put(card(UID_4))
    bench.clock.sleep_us(5000)
    bench.exchange(0x52, framing=7)
    bench.exchange(0x93, 0x20, framing=0x10)
    assert bench.read(rc522.ERROR_REG) == [0x02]


def test_the_self_test_needs_the_internal_buffer_cleared(bench: Bench) -> None:
    bench.write(rc522.FIFO_DATA_REG, *range(25))
    bench.write(rc522.COMMAND_REG, rc522.MEM)
    bench.write(rc522.COMMAND_REG, rc522.MEM)
    assert bench.read(*[rc522.FIFO_DATA_REG] * 25) == list(range(25))
    bench.write(rc522.AUTO_TEST_REG, 0x09)
    bench.write(rc522.COMMAND_REG, rc522.CALC_CRC)
    bench.clock.sleep_us(5000)
    assert bench.read(rc522.FIFO_LEVEL_REG, rc522.FIFO_DATA_REG) == [64, 0x2F]


def test_time_follows_the_tables_clock_and_never_falls_behind() -> None:
    table_us = [0]
    clock = AirClock(lambda: table_us[0])
    clock.sleep_us(500)
    assert clock.now_us() == 500
    table_us[0] = 300
    assert clock.now_us() == 500
    table_us[0] = 10_000
    assert clock.now_us() == 10_000
    clock.sleep_us(1)
    assert clock.now_us() == 10_001


def test_a_reset_pin_that_goes_up_resets_the_chips_on_it() -> None:
    bench = Bench()
    bench.set_up()
    wiring = spi.Wiring({"spi:0.0": bench.chip}, {PIN_RST: ("spi:0.0",)})
    wiring.set_output(PIN_RST, 0)
    assert bench.field.is_on
    wiring.set_output(PIN_RST, 1)
    assert not bench.field.is_on


def test_a_device_that_is_open_stays_on_its_wiring_when_another_is_installed() -> None:
    """A table that ends late must not switch off the field of the next one in its process."""
    first, second = Bench(), Bench()
    for bench in (first, second):
        bench.set_up()
    spi.install(spi.Wiring({"spi:0.0": first.chip}))
    device = spi.SpiDev()
    device.open(0, 0)
    spi.install(spi.Wiring({"spi:0.0": second.chip}))
    device.xfer2([rc522.TX_CONTROL_REG << 1, rc522.ANTENNA_OFF])
    assert first.read(rc522.TX_CONTROL_REG) == [rc522.ANTENNA_OFF]
    assert second.read(rc522.TX_CONTROL_REG) == [rc522.ANTENNA_ON]
