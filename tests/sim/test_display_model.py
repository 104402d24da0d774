"""The display model against the data sheet, byte by byte: addressing, windows, what the chip has no command for."""

from __future__ import annotations

import errno
from itertools import product

import pytest
import smbus2
from taptable.drivers.oled.display_model import SH1106, SSD1305, SSD1306, SSD1309, DisplayModel
from taptable.sim.i2c_bus import REMOTE_IO, i2c_wired

COMMANDS, DATA = 0x00, 0x40
UPRIGHT = (0xA1, 0xC8)
ON = 0xAF


def model(*commands, controller=SSD1309, size=(128, 64), first_column=0):
    """A display that is on, upright and empty, and has heard these commands."""
    display = DisplayModel(controller, size, first_column)
    display.write(bytes([COMMANDS, ON, *UPRIGHT, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7]))
    display.write(bytes([DATA]) + bytes(1024))
    display.write(bytes([COMMANDS, *commands]))
    assert display.illegal == []
    return display


def lit(display):
    image = display.image()
    return {(x, y) for y in range(image.height) for x in range(image.width) if image.getpixel((x, y))}


@pytest.mark.parametrize(
    ("commands", "data", "wanted"),
    [
        pytest.param((), (0b1000_0001,), {(0, 0), (0, 7)}, id="a byte is eight pixels of a column, the lowest on top"),
        pytest.param(
            (0x20, 0, 0x21, 3, 4, 0x22, 1, 2),
            (1, 1, 1, 1, 2),  # the fifth byte comes round to the window's start
            {(3, 9), (4, 8), (3, 16), (4, 16)},
            id="horizontal addressing goes along the window and to its next page",
        ),
        pytest.param(
            (0x20, 1, 0x21, 3, 4, 0x22, 1, 2),
            (1, 1, 1),
            {(3, 8), (3, 16), (4, 8)},
            id="vertical addressing goes down the window and to its next column",
        ),
        pytest.param(
            (0x20, 2, 0xB3, 0x0E, 0x17),
            (1, 1, 1),
            {(126, 24), (127, 24), (0, 24)},
            id="page addressing stays on its page",
        ),
        pytest.param((0xA0,), (1,), {(127, 0)}, id="columns from the right"),
        pytest.param((0xA0, 0xC0), (1,), {(127, 63)}, id="both ways round"),
        pytest.param((0x42,), (0b100,), {(0, 0)}, id="from another line"),
        pytest.param((0xD3, 62), (0b100,), {(0, 4)}, id="with an offset"),
        pytest.param((0xA8, 31, 0xA5), (), set(product(range(128), range(32))), id="rows beyond the multiplex ratio"),
    ],
)
def test_what_is_written_lights_pixels_by_the_addressing_and_the_directions(commands, data, wanted):
    display = model(*commands)
    display.write(bytes([DATA, *data]))
    assert lit(display) == wanted


def test_off_is_black_all_on_is_white_and_inverse_is_the_opposite():
    display = model()
    display.write(bytes([DATA, 1]))
    display.write(bytes([COMMANDS, 0xA7]))
    assert len(lit(display)) == 128 * 64 - 1
    display.write(bytes([COMMANDS, 0xA5]))
    assert len(lit(display)) == 128 * 64
    display.write(bytes([COMMANDS, 0xAE]))
    assert lit(display) == set()


def test_a_glass_shows_its_part_of_the_memory():
    display = model(0x8D, 0x14, size=(64, 48), first_column=32, controller=SSD1306)
    display.write(bytes([COMMANDS, 0x21, 32, 33, 0x22, 5, 5]))
    display.write(bytes([DATA, 0x80, 0x80]))
    assert lit(display) == {(0, 47), (1, 47)}


def test_a_byte_may_have_a_control_byte_of_its_own():
    display = model()
    display.write(bytes([0x80, 0x22, 0x80, 1, 0x80, 7, 0xC0, 1, DATA, 2]))
    assert lit(display) == {(0, 8), (1, 9)}


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ([0xBF], "command bf"),
        ([0x20, 3], "command 20 with [3]"),
        ([0x21, 0, 128], "command 21 with [0, 128]"),
        ([0x21, 5, 4], "command 21 with [5, 4]"),
        ([0x22, 0, 8], "command 22 with [0, 8]"),
        ([0xA8, 3], "command a8 with [3]"),
        ([0xFD, 0x12], "command fd"),
    ],
)
def test_a_command_that_the_chip_does_not_know_is_reported(commands, told):
    display = DisplayModel(SSD1306)
    display.write(bytes([COMMANDS, *commands]))
    assert display.illegal[0] == told


def test_each_chip_has_its_own_commands():
    for controller, strange in (
        (SSD1309, set()),
        (SSD1306, {0xFD}),
        (SSD1305, {0xFD, 0x8D}),
        (SH1106, {0x20, 0x21, 0x8D}),
    ):
        assert strange.isdisjoint(controller.arguments)


def test_a_wrong_control_byte_is_reported():
    display = DisplayModel()
    display.write(bytes([0x13, 0xAF]))
    assert display.illegal == ["control byte 13"]


def test_a_display_that_lost_its_power_has_forgotten_everything():
    display = model(0x81, 0x33, 0x21, 3, 4)
    display.unplug()
    with pytest.raises(OSError, match="Remote I/O") as caught:
        display.write(bytes([COMMANDS, ON]))
    assert caught.value.errno == REMOTE_IO
    display.plug()
    assert not display.lit
    assert display.contrast == 0x7F
    display.write(bytes([COMMANDS, ON]))
    assert lit(display), "its memory comes up with noise"


def test_a_display_can_go_in_the_middle_of_a_transaction():
    display = model()
    display.unplug(after_bytes=3, error=errno.EIO)
    with pytest.raises(OSError, match="I/O") as caught:
        display.write(bytes([DATA, 1, 1, 1, 1]))
    assert caught.value.errno == errno.EIO
    assert lit(display) == {(0, 0), (1, 0)}


def test_transactions_and_bytes_are_counted_without_addresses():
    display = DisplayModel()
    display.write(bytes([COMMANDS, ON]))
    display.write(bytes([DATA, 1, 2, 3]))
    assert (display.transactions, display.bytes_sent) == (2, 6)
    display.reset_counts()
    assert (display.transactions, display.bytes_sent) == (0, 0)


def test_smbus2_is_stood_in_for_and_put_back():
    real, display = smbus2.SMBus, DisplayModel()
    with i2c_wired({1: {0x3C: display}}):
        bus = smbus2.SMBus(1)
        bus.write_i2c_block_data(0x3C, COMMANDS, [ON])
        bus.i2c_rdwr(smbus2.i2c_msg.write(0x3C, [DATA, 1]), smbus2.i2c_msg.write(0x3C, [DATA, 2]))
        assert (display.lit, display.transactions) == (True, 3)
        with pytest.raises(OSError, match="Remote I/O"):
            bus.write_i2c_block_data(0x3D, COMMANDS, [ON])
        with pytest.raises(ValueError, match="32 bytes"):
            bus.write_i2c_block_data(0x3C, COMMANDS, [0] * 33)
        with pytest.raises(FileNotFoundError) as caught:
            smbus2.SMBus(7)
        assert caught.value.filename == "/dev/i2c-7"
        bus.close()
        with pytest.raises(OSError, match="Bad file descriptor"):
            bus.write_i2c_block_data(0x3C, COMMANDS, [ON])
    assert smbus2.SMBus is real


def test_the_name_of_linux_error_is_lent_where_the_system_has_none(monkeypatch):
    monkeypatch.delattr(errno, "EREMOTEIO")
    with i2c_wired({}):
        assert errno.EREMOTEIO == REMOTE_IO
    assert not hasattr(errno, "EREMOTEIO")
