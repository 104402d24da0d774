"""Pads that a game has beside those of the seats and the discard pile: read, wired like all other parts, and known to
some game."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.config import Config, InvalidConfig, PadParts, read_config
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.game_options import check_game, extra_pads, game_options_at
from taptable.drivers.interface import Address
from taptable.drivers.registry import installed_drivers
from taptable.drivers.spi.pads import SpiPad, pads_at

HEAD = """\
[table]
deck = "family"

[game]
name = "xnet"
players = 3

[[seats]]
pad = "board:a"
button = "gpio:17"

[[seats]]
pad = "board:b"
button = "gpio:27"

[[seats]]
pad = "board:c"
button = "gpio:4"

[discard]
pad = "spi:0.0"
reset = "gpio:25"

"""


def config(rest: str) -> Config:
    return read_config(HEAD + rest, Path("table.toml"), check_game)


def sentences(rest: str) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        config(rest)
    return list(caught.value.sentences)


def test_a_pad_of_a_game_s_own_is_read_and_its_reader_is_opened_with_the_others() -> None:
    there = config('[pads.demand]\npad = "spi:0.1"\nreset = "gpio:25"')
    options = {"reset": Address("gpio", "25"), "gain_db": 33}
    assert there.pads == {"demand": PadParts(Address("spi", "0.1"), options)}
    assert [(place.part, place.device, place.pin_rst) for place in spi_pads(there)] == [
        ("discard pad", 0, 25),
        ("demand pad", 1, 25),
    ]


def spi_pads(config: Config) -> list[SpiPad]:
    return pads_at(config.parts_of(installed_drivers()["spi"]))


def test_all_pads_may_be_on_boards() -> None:
    text = HEAD.replace('pad = "spi:0.0"\nreset = "gpio:25"', 'pad = "board:d"')
    there = read_config(f'{text}[pads.demand]\npad = "board:e"', Path("table.toml"), check_game)
    boards = {pad: parts.pad.name for pad, parts in there.pads_on("board").items()}
    assert boards == {1: "a", 2: "b", 3: "c", DISCARD_PAD: "d", "demand": "e"}
    assert spi_pads(there) == []


def test_a_table_without_one_plays_all_the_same() -> None:
    there = config("")
    assert there.pads == {}
    assert [place.part for place in spi_pads(there)] == ["discard pad"]
    assert game_options_at(there).edition == "standard"


def test_the_pads_that_there_can_be_are_the_games_own() -> None:
    assert extra_pads() == ("demand",)
    assert sentences('[pads.demnad]\npad = "spi:0.1"') == [
        "table.toml:24: [pads] demnad doesn't fit the game. No game has a use for a pad 'demnad': there are demand."
    ]


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        (
            '[pads.demand]\npad = "spi:0.0"',
            '25: [pads.demand] pad can\'t be "spi:0.0": [discard] pad is on it already; '
            "spi:0.1, spi:1.0 and spi:1.1 are free.",
        ),
        (
            '[pads.demand]\npad = "spi:0.1"\nreset = "gpio:17"',
            '26: [pads.demand] reset can\'t be "gpio:17": seat 1, button is on it already; '
            "gpio:5, gpio:6 and gpio:12 are free.",
        ),
        (
            '[pads.demand]\npad = "spi:1.0"\n[sounder]\npin = "gpio:18"',
            '27: [sounder] pin can\'t be "gpio:18": SPI bus 1 needs that pin; gpio:5, gpio:6 and gpio:12 are free.',
        ),
        (
            '[pads.demand]\npad = "board:a"',
            '25: [pads.demand] pad can\'t be "board:a": seat 1, pad is on it already; each pad has a board of its own.',
        ),
        (
            '[pads.demand]\npad = "board:d"\nreset = "gpio:25"',
            '26: [pads.demand] reset is for a pad on SPI, and this one is "board:d": leave it out.',
        ),
        (
            "[pads.demand]",
            "24: [pads.demand] pad is missing: write, for example, "
            'pad = "board:e6616407e3496a28" or pad = "i2c:1.0x70/7" or pad = "pcsc:1-1.3" or pad = "spi:1.0".',
        ),
        (
            '[pads.demand]\npad = "spi:0.1"\nlamp = "gpio:5"',
            "26: [pads.demand] lamp is no setting: there are pad, reset and gain_db.",
        ),
        (
            '[pads]\ndemand = "spi:0.1"',
            '25: [pads] demand can\'t be "spi:0.1": it takes a section, which begins with a line [pads.demand].',
        ),
    ],
)
def test_its_mistake_is_reported(rest: str, sentence: str) -> None:
    assert sentences(rest) == [f"table.toml:{sentence}"]


def test_pads_that_are_no_sections() -> None:
    with pytest.raises(InvalidConfig) as caught:
        read_config(f"pads = 5\n{HEAD}", Path("table.toml"), check_game)
    (sentence,) = caught.value.sentences
    assert sentence == (
        "table.toml:1: [pads] can't be 5: each pad takes a section of its own, begun by a line [pads.<name>]."
    )


def test_another_game_s_edition_is_no_matter_of_this_one() -> None:
    with pytest.raises(InvalidConfig) as caught:
        read_config(HEAD.replace("players = 3", 'edition = "de"'), Path("table.toml"), check_game)
    assert "There is no edition 'de'" in str(caught.value)
