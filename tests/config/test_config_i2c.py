"""Pads on I2C in a configuration: how places are spelled, which can't be used together, and what the Pi needs for its
bus."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.config import InvalidConfig, read_config
from taptable.config.conflicts import boot_lines, occupied_places
from taptable.drivers.i2c_places import I2cPlace, i2c_address, parse_place

OLED = '[scoreboard]\noptions = ["--display", "sh1106", "--interface", "i2c"]\n'


def table(*pads: str, discard: str = "i2c:1.0x70/0", more: str = OLED, keys: str = "") -> str:
    seats = "".join(f'[[seats]]\npad = "{pad}"\n{keys}button = "gpio:{17 + place}"\n' for place, pad in enumerate(pads))
    return f'[table]\ndeck = "family"\n{seats}[discard]\npad = "{discard}"\n{more}'


def parts_of(text: str):
    return read_config(text, Path("table.toml"), lambda _game: []).parts


def sentences(text: str) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        parts_of(text)
    return [sentence.partition(": ")[2] for sentence in caught.value.sentences]


@pytest.mark.parametrize(
    ("name", "place", "short"),
    [
        ("1.0x28", I2cPlace(1, 0x28), "1.0x28"),
        ("0.0x03", I2cPlace(0, 0x03), "0.0x03"),
        ("99.0x77", I2cPlace(99, 0x77), "99.0x77"),
        ("1.0x70/3", I2cPlace(1, 0x28, 0x70, 3), "1.0x70/3"),
        ("1.0x77/7.0x2c", I2cPlace(1, 0x2C, 0x77, 7), "1.0x77/7.0x2c"),
        ("1.0x77/7.0x2C", I2cPlace(1, 0x2C, 0x77, 7), "1.0x77/7.0x2c"),
        ("1.0x70/0.0x28", I2cPlace(1, 0x28, 0x70, 0), "1.0x70/0"),
    ],
)
def test_a_place_is_spelled_in_one_way(name: str, place: I2cPlace, short: str) -> None:
    assert parse_place(name) == place
    assert str(place) == short
    assert parse_place(i2c_address(place).name) == place


WRONG = "28 0x28 1.28 1.0x2 1.0x028 1.0X28 1.0x02 1.0x78 01.0x28 100.0x28 -1.0x28 1.0x6f/0 1.0x78/0 1.0x70/8 1.0x70/-1"
WRONG += " 1.0x70/ 1.0x70/0. 1.0x70/0.28 1.0x70/0.0x70 1.0x70/0.0x02 1.0x70/0/1 1,0x28 1.0x2g"


@pytest.mark.parametrize("name", WRONG.split())
def test_what_is_no_place(name: str) -> None:
    assert parse_place(name) is None


def test_readers_behind_switches_beside_a_display_and_each_other_are_in_order() -> None:
    parts = parts_of(table("i2c:1.0x70/1", "i2c:1.0x71/1", "i2c:1.0x2c", "i2c:3.0x28", keys="gain_db = 38\n"))
    assert next(part.options for part in parts if part.role.value == "pad") == {"gain_db": 38}


FREE = 'two parts at one address need a switch between them, of which "i2c:1.0x70/0" is the first channel'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            table("i2c:1.0x28", "i2c:1.0x28", discard="spi:0.0"),
            f'seat 2, pad can\'t be "i2c:1.0x28": seat 1, pad is on it already; {FREE}.',
        ),
        (
            table("i2c:1.0x70/1", "i2c:1.0x70/1"),
            f'seat 2, pad can\'t be "i2c:1.0x70/1": seat 1, pad is on it already; {FREE}.',
        ),
        (
            table("i2c:1.0x70/1", "i2c:1.0x70/1.0x28"),
            f'seat 2, pad can\'t be "i2c:1.0x70/1": seat 1, pad is on it already; {FREE}.',
        ),
        (
            table("i2c:1.0x28", "spi:0.0", discard="i2c:1.0x70/0"),
            f'[discard] pad can\'t be behind a switch beside "i2c:1.0x28": seat 1, pad is on it already; {FREE}.',
        ),
        (
            table("i2c:1.0x70/0", "spi:0.0", discard="i2c:1.0x28"),
            f'[discard] pad can\'t be "i2c:1.0x28": seat 1, pad uses it through a switch; {FREE}.',
        ),
        (
            table("i2c:1.0x70/0", "spi:0.0", discard="i2c:1.0x70"),
            f'[discard] pad can\'t be "i2c:1.0x70": seat 1, pad uses it through a switch; {FREE}.',
        ),
        (
            table("i2c:1.0x3c", "spi:0.0", discard="spi:0.1"),
            f'[scoreboard] options can\'t put the display on "i2c:1.0x3c": seat 1, pad is on it already; {FREE}.',
        ),
        (
            table("i2c:1.0x70/1.0x3c", "spi:0.0", discard="spi:0.1"),
            '[scoreboard] options can\'t put the display on "i2c:1.0x3c": seat 1, pad uses it through a switch; '
            f"{FREE}.",
        ),
    ],
)
def test_two_parts_at_one_address(text: str, sentence: str) -> None:
    assert sentence in sentences(text)


def test_its_bus_needs_its_pins_also_without_a_display() -> None:
    text = table("i2c:1.0x70/1", "i2c:1.0x70/2", more='[sounder]\npin = "gpio:2"\n')
    assert any('can\'t be "gpio:2": I2C bus 1 needs that pin; ' in sentence for sentence in sentences(text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (table("i2c:1.0x70/1", "i2c:1.0x70/2"), ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=100000")),
        (table("i2c:1.0x70/1", "i2c:1.0x70/2", more=""), ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=100000")),
        (
            table("spi:0.1", "spi:0.0", discard="board:a"),
            ("dtparam=spi=on", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
        ),
        (table("i2c:0.0x28", "i2c:4.0x28", discard="i2c:7.0x28", more=""), ("dtparam=i2c_vc=on",)),
    ],
    ids=["beside a display", "without a display", "display alone", "other buses"],
)
def test_the_pi_s_bus_is_switched_on_once_at_the_speed_that_all_parts_bear(text: str, lines: tuple[str, ...]) -> None:
    assert boot_lines(parts_of(text)) == lines


def test_the_places_of_a_reader_behind_a_switch() -> None:
    places = occupied_places(parts_of(table("i2c:1.0x70/1", "spi:0.0", discard="spi:0.1", more="")))
    assert [(place.role.value, str(place.address)) for place in places if place.address.kind == "i2c"] == [
        ("pad", "i2c:1.0x70/1"),
        ("switch", "i2c:1.0x70"),
        ("switch", "i2c:1.0x28"),
    ]
