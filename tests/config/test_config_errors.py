"""Every possible mistake in a configuration, with the whole sentence that reports it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from taptable.config import (
    Account,
    InvalidConfig,
    MqttSettings,
    PageSettings,
    UplinkSettings,
    load_config,
    read_config,
)
from taptable.config.model import GameSettings
from taptable.config.passwords import read_password
from taptable.core.errors import ConfigError
from taptable.daemon.game_options import check_game

ROOT = Path(__file__).parents[2]

GOOD = """\
[table]
deck = "family"

[game]

[[seats]]
pad = "board:a"
button = "gpio:17"

[[seats]]
pad = "board:b"
button = "gpio:27"

[discard]
pad = "spi:0.0"
"""


def sentences(text: str, check_game: object = lambda _game: []) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        read_config(text, Path("table.toml"), check_game)  # pyright: ignore[reportArgumentType]
    return list(caught.value.sentences)


def changed(old: str, new: str) -> list[str]:
    assert GOOD.count(old) == 1, old
    return sentences(GOOD.replace(old, new))


def with_seats(*seats: str, discard: str = 'pad = "spi:0.0"', rest: str = "") -> str:
    sections = "".join(f"[[seats]]\n{seat}\n" for seat in seats)
    return f'[table]\ndeck = "family"\n{sections}[discard]\n{discard}\n{rest}'


def test_what_is_right_is_read() -> None:
    config = read_config(GOOD, Path("home/table.toml"), lambda _game: [])
    assert config.file == Path("home/table.toml")
    assert config.table.decks == Path("home/decks")
    assert config.scoreboard is config.sounder is None
    assert config.seats[0].lamp is None


# the file


def test_a_file_that_isn_t_there(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    with pytest.raises(ConfigError) as caught:
        load_config(path, lambda _game: [])
    assert str(caught.value) == f"{path} isn't there: copy examples/full.toml or examples/compact.toml to it."


def test_a_file_that_can_t_be_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig) as caught:
        load_config(tmp_path, lambda _game: [])
    assert str(caught.value) == f"{tmp_path} can't be read: Is a directory."


def test_a_file_that_isn_t_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes('[table]\n\nname = "Küche"\n'.encode("latin-1"))
    with pytest.raises(InvalidConfig) as caught:
        load_config(path, lambda _game: [])
    assert str(caught.value) == f"{path}:3: byte 0xfc is no UTF-8: save the file as UTF-8 in the editor."


def test_a_file_from_an_editor_that_marks_utf_8_and_ends_lines_its_own_way(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert len(load_config(path, lambda _game: []).seats) == 2
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").replace("gpio:27", "gpio:99").encode())
    with pytest.raises(InvalidConfig, match=r"table.toml:12: seat 2, button can't be"):
        load_config(path, lambda _game: [])


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'deck = "family"',
            "deck = family",
            "table.toml:2: column 8: this is no TOML (Invalid value): a text stands in quotes, a list in [ ], "
            "and yes and no are true and false.",
        ),
        (
            'deck = "family"',
            'deck "family"',
            "table.toml:2: column 6: this is no TOML (Expected '=' after a key in a key/value pair): "
            "write key = value.",
        ),
        (
            'deck = "family"',
            'deck = "family"\ndeck = "other"',
            "table.toml:3: column 15: this is no TOML (Cannot overwrite a value): that key is there already: "
            "leave one of the two out.",
        ),
        (
            "[game]",
            "[table]",
            "table.toml:4: column 7: this is no TOML (Cannot declare ('table',) twice): that section is there already: "
            "put the two together.",
        ),
        (
            'deck = "family"',
            'deck = "family',
            "table.toml:2: column 15: this is no TOML (Illegal character '\\n'): a text ends on its line, "
            "with the quote it began with.",
        ),
        (
            'deck = "family"',
            'deck = "my "family""',
            "table.toml:2: column 13: this is no TOML (Expected newline or end of document after a statement): "
            "one key = value on a line, and a text in one pair of quotes.",
        ),
        (
            "[game]",
            "?",
            "table.toml:4: column 1: this is no TOML (Invalid statement): a line is key = value, [section] "
            "or # a remark.",
        ),
    ],
)
def test_what_isn_t_toml(old: str, new: str, sentence: str) -> None:
    assert changed(old, new) == [sentence]


def test_what_isn_t_toml_at_the_very_end() -> None:
    assert sentences('deck = "fam') == [
        "table.toml: this is no TOML (Unterminated string): a text ends with the quote it began with."
    ]


def test_what_is_nested_too_deeply_for_the_parser() -> None:
    (sentence,) = sentences("deck = " + "[" * 5000)
    assert sentence.startswith("table.toml: this is no TOML (maximum recursion depth exceeded")


# sections


def test_an_empty_file_lacks_its_sections() -> None:
    assert sentences("") == [
        'table.toml: [table] is missing: write, for example, a line [table] and below it deck = "family".',
    ]


def test_a_section_that_there_is_not() -> None:
    assert changed("[game]", "[gane]") == ["table.toml:4: [gane] is no section: did you mean [game]?"]
    assert changed("[game]", "[seat]") == ["table.toml:4: [seat] is no section: did you mean [[seats]]?"]
    assert changed("[game]", "[xyz]") == [
        "table.toml:4: [xyz] is no section: there are [table], [game], [[seats]], [discard], [pads.<name>], "
        "[scoreboard], [sounder], "
        "[reminder], [page], [speech], [power], [mqtt], [league] and [updates]."
    ]


def test_a_value_where_a_section_belongs() -> None:
    assert sentences(f"reminder = 45\n{GOOD}") == [
        "table.toml:1: [reminder] can't be 45: it takes a section, which begins with a line [reminder]."
    ]
    assert changed("[game]", "[game]\nhouse_rules = []") == [
        "table.toml:5: [game] house_rules can't be a list: it takes a section, which begins with a line "
        "[game.house_rules]."
    ]
    assert sentences('seats = ["a", "b"]\n[table]\ndeck = "x"\n[discard]\npad = "spi:0.0"') == [
        'table.toml:1: seat 1 can\'t be "a": it takes a section, which begins with a line [[seats]].',
        'table.toml:1: seat 2 can\'t be "b": it takes a section, which begins with a line [[seats]].',
    ]


def test_seats_in_single_brackets() -> None:
    assert sentences('[table]\ndeck = "x"\n[seats]\npad = "board:a"\n[discard]\npad = "spi:0.0"') == [
        "table.toml:3: [[seats]] can't be a section: each seat takes a section of its own, begun by a line [[seats]]."
    ]


def test_too_few_and_too_many_seats() -> None:
    assert sentences(with_seats('pad = "board:a"\nbutton = "gpio:4"')) == [
        "table.toml:3: [[seats]] can't be 1 of them: a table has 2 to 6 seats."
    ]
    seven = [f'pad = "board:{index}"\nbutton = "gpio:{12 + index}"' for index in range(7)]
    assert sentences(with_seats(*seven)) == ["table.toml:3: [[seats]] can't be 7 of them: a table has 2 to 6 seats."]


# keys


def test_a_setting_that_there_is_not() -> None:
    assert changed('deck = "family"', 'deck = "family"\nlangua_ge = "de"') == [
        "table.toml:3: [table] langua_ge is no setting: did you mean language?"
    ]
    assert changed('pad = "board:b"', 'pad = "board:b"\ncolour = "red"') == [
        "table.toml:12: seat 2, colour is no setting: there are pad, reset, gain_db, button and lamp."
    ]


def test_a_setting_that_is_missing() -> None:
    assert changed('deck = "family"', "") == [
        'table.toml:1: [table] deck is missing: write, for example, deck = "family".'
    ]
    assert changed('pad = "board:b"\n', "") == [
        "table.toml:10: seat 2, pad is missing: write, for example, "
        'pad = "board:e6616407e3496a28" or pad = "i2c:1.0x70/1" or pad = "pcsc:1-1.1" or pad = "spi:0.1".'
    ]
    assert changed('button = "gpio:17"', "") == [
        "table.toml:6: seat 1, button is missing: write, for example, "
        'button = "board:e6616407e3496a28" or button = "gpio:17" or button = "input:1-1.3/BTN_TRIGGER_HAPPY1".'
    ]
    assert changed('pad = "spi:0.0"', "") == [
        "table.toml:14: [discard] pad is missing: write, for example, "
        'pad = "board:e6616407e3496a28" or pad = "i2c:1.0x70/0" or pad = "pcsc:1-1.4" or pad = "spi:0.0".'
    ]
    assert sentences(f"{GOOD}[sounder]\n") == [
        'table.toml:16: [sounder] pin is missing: write, for example, pin = "gpio:12".'
    ]


# values


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"family"', '""', '2: [table] deck can\'t be "": it takes a text in quotes.'),
        (
            '"family"',
            r'"\u001b[2J"',
            r"""2: [table] deck can't be "\u001b[2J": it takes a text in one line, without control characters.""",
        ),
        (
            '"family"',
            '"family"\nname = "a\\u0007"',
            r"""3: [table] name can't be "a\u0007": it takes a text in one line, without control characters.""",
        ),
        (
            '"family"',
            '"family"\nname = "\\u3164"',
            r"""3: [table] name can't be "\u3164": it takes a name in which something is seen and nothing is hidden.""",
        ),
        ('"family"', "5", "2: [table] deck can't be 5: it takes a text in quotes."),
        ('"family"', "1979-05-27", "2: [table] deck can't be 1979-05-27: it takes a text in quotes."),
        (
            '"family"',
            '"family"\nlanguage = "german"',
            '3: [table] language can\'t be "german": it takes "de", "en", "fr" or "nl".',
        ),
        ("[game]", "[game]\nplayers = 7", "5: [game] players can't be 7: it takes a whole number from 2 to 6."),
        ("[game]", "[game]\nplayers = true", "5: [game] players can't be true: it takes a whole number from 2 to 6."),
        ("[game]", "[game]\nplayers = 2.0", "5: [game] players can't be 2.0: it takes a whole number from 2 to 6."),
        ("[game]", "[game]\nstarter = 0", "5: [game] starter can't be 0: it takes a whole number from 1 to 6."),
        (
            "[game]",
            "[game.house_rules]\nclaim_s = false",
            "5: [game.house_rules] claim_s can't be false: it takes a number, or a text in quotes.",
        ),
        (
            "[game]",
            "[reminder]\nstop_s = 2",
            "5: [reminder] stop_s can't be 2: it takes seconds from 5 to 3600, or 0 for never.",
        ),
        (
            "[game]",
            "[reminder]\nstop_s = nan",
            "5: [reminder] stop_s can't be nan: it takes seconds from 5 to 3600, or 0 for never.",
        ),
        (
            "[game]",
            '[sounder]\npin = "gpio:12"\nmute = "no"',
            '6: [sounder] mute can\'t be "no": it takes true or false, without quotes.',
        ),
        (
            'pad = "board:b"',
            'pad = "board:b"\ngain_db = 40',
            "12: seat 2, gain_db can't be 40: it takes 18, 23, 33, 38, 43 or 48, the gains in dB that the MFRC522 has.",
        ),
        (
            'pad = "spi:0.0"',
            'pad = "spi:0.0"\ngain_db = 33.0',
            "16: [discard] gain_db can't be 33.0: it takes 18, 23, 33, 38, 43 or 48, the gains in dB that the MFRC522"
            " has.",
        ),
        (
            "[game]",
            "[speech]\nwords_per_minute = 20",
            "5: [speech] words_per_minute can't be 20: it takes a whole number from 80 to 400.",
        ),
        (
            "[game]",
            '[page]\nnetwork = true\nproxy = "nginx"\nhttps = "taptable.local"',
            '6: [page] proxy can\'t be "nginx": it takes an address of IPv4, such as "127.0.0.1".',
        ),
        (
            "[game]",
            '[page]\nnetwork = true\nproxy = "*"\nhttps = "taptable.local"',
            '6: [page] proxy can\'t be "*": it takes an address of IPv4, such as "127.0.0.1".',
        ),
        (
            "[game]",
            '[page]\nnetwork = true\nproxy = "127.0.0.1"\nhttps = "https://taptable.local/"',
            '7: [page] https can\'t be "https://taptable.local/": it takes a name, with a port or without, such as '
            '"taptable.local" or "taptable.local:8443".',
        ),
        (
            "[game]",
            "[sounder]\npin = 12",
            '5: [sounder] pin can\'t be 12: it takes "gpio:<number>" with a BCM number from 2 to 27.',
        ),
        (
            '"gpio:27"',
            '"gpio:28"',
            '12: seat 2, button can\'t be "gpio:28": it takes "gpio:<number>" with a BCM number from 2 to 27, or '
            '"board:<id>" with up to 32 letters, digits, dots, hyphens and underscores, or '
            '"input:<USB port>/<key>", as in "input:1-1.3/BTN_TRIGGER".',
        ),
        (
            '"board:b"',
            '"spi:0.2"',
            '11: seat 2, pad can\'t be "spi:0.2": it takes "board:<id>" with up to 32 letters, digits, dots, hyphens '
            'and underscores, or "spi:0.0", "spi:0.1", "spi:1.0", "spi:1.1" or "spi:1.2", '
            'or "i2c:1.0x28", or behind a switch "i2c:1.0x70/0" to "i2c:1.0x77/7", '
            'or "pcsc:<serial number>" or "pcsc:<USB port>", as in "pcsc:1-1.3".',
        ),
        (
            '"spi:0.0"',
            '"gpio:8"',
            '15: [discard] pad can\'t be "gpio:8": it takes "board:<id>" with up to 32 letters, digits, dots, hyphens '
            'and underscores, or "spi:0.0", "spi:0.1", "spi:1.0", "spi:1.1" or "spi:1.2", '
            'or "i2c:1.0x28", or behind a switch "i2c:1.0x70/0" to "i2c:1.0x77/7", '
            'or "pcsc:<serial number>" or "pcsc:<USB port>", as in "pcsc:1-1.3".',
        ),
        (
            "[game]",
            '[scoreboard]\noptions = "--display ssd1309"',
            '5: [scoreboard] options can\'t be "--display ssd1309": it takes a list of texts, '
            'such as ["--display", "ssd1309"].',
        ),
        (
            "[game]",
            '[scoreboard]\noptions = ["--display", 5]',
            '5: [scoreboard] options can\'t be a list: it takes a list of texts, such as ["--display", "ssd1309"].',
        ),
    ],
)
def test_a_value_that_a_setting_can_t_have(old: str, new: str, sentence: str) -> None:
    assert changed(old, new) == [f"table.toml:{sentence}"]


def test_a_long_value_is_cut_in_the_sentence() -> None:
    (sentence,) = changed('"gpio:27"', f'"{"x" * 200}"')
    assert sentence.startswith(f'table.toml:12: seat 2, button can\'t be "{"x" * 37}…": it takes "gpio:<number>"')


def test_the_line_of_a_value_over_several_lines_is_its_first() -> None:
    wrong = '[scoreboard]\n\n# the display\noptions = [\n  "--display",\n  5,\n]\n'
    (sentence,) = changed("[game]\n", wrong)
    assert sentence.startswith("table.toml:7: [scoreboard] options can't be a list")


def test_options_that_make_no_display() -> None:
    (sentence,) = changed("[game]", '[scoreboard]\noptions = ["--display", "ssd1308"]')
    assert sentence.startswith(
        "table.toml:5: [scoreboard] options can't make a display: argument --display/-d: invalid choice"
    )
    assert "ssd1309" in sentence
    for option in ("--help", "-h", "--widht=128"):
        assert changed("[game]", f'[scoreboard]\noptions = ["{option}"]') == [
            f"table.toml:5: [scoreboard] options can't make a display: unrecognized arguments: {option}."
        ]


def test_an_address_that_no_display_has() -> None:
    for address in ("60", "0x3c3", "zero"):
        options = f'["--display", "ssd1309", "--interface", "i2c", "--i2c-address", "{address}"]'
        assert changed("[game]", f"[scoreboard]\noptions = {options}") == [
            "table.toml:5: [scoreboard] options can't make a display: argument --i2c-address: it takes 0x03 to 0x77, "
            f"not '{address}'."
        ]


def test_numbers_larger_than_toml_has_them() -> None:
    huge = "0x" + "f" * 5000
    assert changed("[game]", f"[game]\nplayers = {huge}") == [
        "table.toml:5: [game] players can't be so large a number: it takes a whole number from 2 to 6."
    ]
    assert changed("[game]", f"[game.house_rules]\nclaim_s = {huge}") == [
        "table.toml:5: [game.house_rules] claim_s can't be so large a number: it takes a number, or a text in quotes."
    ]
    assert changed("[game]", f"[reminder]\nstop_s = {huge}") == [
        "table.toml:5: [reminder] stop_s can't be so large a number: it takes seconds from 5 to 3600, or 0 for never."
    ]
    assert sentences(f"[table]\nname = {'9' * 5000}")[0].startswith("table.toml: this is no TOML (Exceeds the limit")


# what doesn't fit together


def test_a_pin_used_twice() -> None:
    assert changed('"gpio:27"', '"gpio:17"') == [
        'table.toml:12: seat 2, button can\'t be "gpio:17": seat 1, button is on it already; '
        "gpio:4, gpio:5 and gpio:6 are free."
    ]
    assert changed("[game]", '[sounder]\npin = "gpio:27"') == [
        'table.toml:5: [sounder] pin can\'t be "gpio:27": seat 2, button is on it already; '
        "gpio:4, gpio:5 and gpio:6 are free."
    ]


def test_a_pin_of_a_bus_in_use() -> None:
    assert changed('"gpio:27"', '"gpio:9"') == [
        'table.toml:12: seat 2, button can\'t be "gpio:9": SPI bus 0 needs that pin; '
        "gpio:4, gpio:5 and gpio:6 are free."
    ]
    assert changed("[game]", '[scoreboard]\n[sounder]\npin = "gpio:3"') == [
        "table.toml:6: [sounder] pin can't be \"gpio:3\": the display's I2C needs that pin; "
        "gpio:4, gpio:5 and gpio:6 are free."
    ]
    seats = ('pad = "spi:1.1"\nbutton = "gpio:16"', 'pad = "board:b"\nbutton = "gpio:17"')
    assert sentences(with_seats(*seats)) == [
        'table.toml:8: seat 2, button can\'t be "gpio:17": SPI bus 1 needs that pin; '
        "gpio:4, gpio:5 and gpio:6 are free."
    ]


def test_pins_of_buses_that_aren_t_used_are_free() -> None:
    seats = ('pad = "board:a"\nbutton = "gpio:2"\nlamp = "gpio:19"', 'pad = "board:b"\nbutton = "gpio:16"')
    assert len(read_config(with_seats(*seats), Path("table.toml"), lambda _game: []).seats) == 2


def test_an_spi_device_used_twice() -> None:
    seats = ('pad = "spi:0.0"\nbutton = "gpio:4"', 'pad = "spi:0.1"\nbutton = "gpio:5"')
    assert sentences(with_seats(*seats)) == [
        'table.toml:10: [discard] pad can\'t be "spi:0.0": seat 1, pad is on it already; '
        "spi:1.0, spi:1.1 and spi:1.2 are free."
    ]


def test_a_display_on_spi_takes_its_device_and_its_pins() -> None:
    seats = ('pad = "spi:0.1"\nbutton = "gpio:24"', 'pad = "board:b"\nbutton = "gpio:5"')
    rest = '[scoreboard]\noptions = ["--display", "ssd1309", "--interface", "spi"]'
    assert sentences(with_seats(*seats, rest=rest)) == [
        'table.toml:12: [scoreboard] options can\'t put the display on "spi:0.0": [discard] pad is on it already; '
        "spi:1.0, spi:1.1 and spi:1.2 are free.",
        'table.toml:12: [scoreboard] options can\'t put the display on "gpio:24": seat 1, button is on it already; '
        "gpio:4, gpio:6 and gpio:12 are free.",
    ]


def test_a_board_used_twice() -> None:
    assert changed('"board:b"', '"board:a"') == [
        'table.toml:11: seat 2, pad can\'t be "board:a": seat 1, pad is on it already; each pad has a board of its own.'
    ]


def test_nothing_left_to_suggest() -> None:
    seats = [
        f'pad = "spi:{spi}"\nbutton = "gpio:{pin}"' for spi, pin in (("0.1", 4), ("1.0", 5), ("1.1", 6), ("1.2", 12))
    ]
    last = 'pad = "spi:1.2"\nbutton = "gpio:13"'
    assert sentences(with_seats(*seats, last)) == [
        "table.toml:16: seat 5, pad can't be on SPI: there is room for 4 seats; it takes a seat board, "
        '"board:<id>", or a reader on I2C, "i2c:<bus>.<address>" or "i2c:<bus>.<switch>/<channel>", '
        'or a reader on USB, "pcsc:<serial number>" or "pcsc:<USB port>".',
        'table.toml:16: seat 5, pad can\'t be "spi:1.2": seat 4, pad is on it already; '
        "and nothing of the kind is free.",
    ]
    # with the discard pad on a board its place is free, too
    assert sentences(with_seats(*seats, last, discard='pad = "board:d"')) == [
        'table.toml:16: seat 5, pad can\'t be "spi:1.2": seat 4, pad is on it already; spi:0.0 is free.'
    ]


def test_the_discard_pad_has_a_board_of_its_own() -> None:
    assert changed('"spi:0.0"', '"board:a"') == [
        'table.toml:15: [discard] pad can\'t be "board:a": seat 1, pad is on it already; '
        "each pad has a board of its own."
    ]
    assert changed('pad = "spi:0.0"', 'pad = "board:d"\nreset = "gpio:5"') == [
        'table.toml:16: [discard] reset is for a pad on SPI, and this one is "board:d": leave it out.'
    ]
    assert changed('"gpio:27"', '"board:d"') == [
        'table.toml:12: seat 2, button can\'t be "board:d": it takes "board:b", where the pad is, or a pin, '
        '"gpio:<number>", or a key of a controller on USB, "input:<USB port>/<key>".'
    ]


def test_a_button_on_the_board_of_another_seat() -> None:
    assert changed('"gpio:27"', '"board:a"') == [
        'table.toml:12: seat 2, button can\'t be "board:a": it takes "board:b", where the pad is, or a pin, '
        '"gpio:<number>", or a key of a controller on USB, "input:<USB port>/<key>".'
    ]
    seats = ('pad = "spi:0.1"\nbutton = "board:c"', 'pad = "board:b"\nbutton = "board:b"\nlamp = "board:b"')
    assert sentences(with_seats(*seats)) == [
        'table.toml:5: seat 1, button can\'t be "board:c": it takes a pin, "gpio:<number>", or a key of a '
        'controller on USB, "input:<USB port>/<key>".'
    ]


def test_a_button_on_a_board_doesn_t_share_the_pi_s_clock() -> None:
    seats = ('pad = "spi:0.1"\nbutton = "gpio:4"', 'pad = "board:b"\nbutton = "board:b"\nlamp = "board:b"')
    assert not read_config(with_seats(*seats), Path("table.toml"), lambda _game: []).buttons_share_a_clock


def test_a_reset_for_a_pad_on_a_board() -> None:
    assert changed('pad = "board:b"', 'pad = "board:b"\nreset = "gpio:5"') == [
        'table.toml:12: seat 2, reset is for a pad on SPI, and this one is "board:b": leave it out.'
    ]


def test_readers_may_share_a_reset_but_nothing_else_may() -> None:
    seats = ('pad = "spi:0.1"\nreset = "gpio:25"\nbutton = "gpio:4"', 'pad = "board:b"\nbutton = "gpio:5"')
    discard = 'pad = "spi:0.0"\nreset = "gpio:25"'
    assert read_config(with_seats(*seats, discard=discard), Path("table.toml"), lambda _game: [])
    assert sentences(with_seats(*seats, discard=discard, rest='[sounder]\npin = "gpio:25"')) == [
        'table.toml:14: [sounder] pin can\'t be "gpio:25": seat 1, reset is on it already; '
        "gpio:6, gpio:12 and gpio:13 are free."
    ]


def test_more_players_than_seats_and_a_starter_who_doesn_t_play() -> None:
    assert changed("[game]", "[game]\nplayers = 3") == [
        "table.toml:5: [game] players can't be 3 at 2 [[seats]]: it takes at most one for each seat."
    ]
    assert changed("[game]", "[game]\nstarter = 3") == [
        "table.toml:5: [game] starter can't be 3: it takes a seat from 1 to 2."
    ]


def test_half_a_proxy() -> None:
    assert changed("[game]", '[page]\nnetwork = true\nproxy = "127.0.0.1"') == [
        'table.toml:6: [page] https is missing beside proxy: write, for example, https = "taptable.local".'
    ]
    assert changed("[game]", '[page]\nnetwork = true\nhttps = "taptable.local"') == [
        'table.toml:6: [page] proxy is missing beside https: write, for example, proxy = "127.0.0.1".'
    ]


def test_a_proxy_before_a_page_that_nobody_is_paired_with() -> None:
    for network in ("", "network = false"):
        (sentence,) = changed("[game]", f'[page]\nproxy = "127.0.0.1"\nhttps = "taptable.local"\n{network}')
        assert sentence == (
            "table.toml:5: [page] proxy is for a page that is open to the network: it takes network = true, "
            "or nobody would be paired."
        )


def test_the_name_of_a_proxy_is_kept_as_browsers_say_it() -> None:
    page = '[page]\nnetwork = true\nproxy = "127.0.0.1"\nhttps = "Table.Example:443"\n'
    config = read_config(GOOD.replace("[game]", f"{page}[game]"), Path("table.toml"), lambda _game: [])
    assert config.page == PageSettings(8137, True, "127.0.0.1", "table.example")


# the game


def test_the_game_is_asked_with_what_the_command_line_would_say() -> None:
    asked: list[GameSettings] = []

    def check_game(game: GameSettings) -> list[str]:
        asked.append(game)
        return []

    rules = '[game.house_rules]\nclaim_s = 8\nsettle_s = 0.03\nteams = "two"'
    read_config(GOOD.replace("[game]", f'[game]\nedition = "fr"\nstarter = 2\n{rules}'), Path("t.toml"), check_game)
    (game,) = asked
    assert (game.name, game.game_options.edition, game.game_options.players, game.game_options.starter) == (
        "online",
        "fr",
        2,
        2,
    )
    assert game.game_options.settings == {"claim_s": "8", "settle_s": "0.03", "teams": "two"}


def test_what_the_game_says_is_put_to_the_key_it_speaks_of() -> None:
    says = [
        "The setting claim_s can't be '500': it takes seconds from 1 to 120.",
        "There is no edition 'xx': there are de, en.",
        "All four quotas are 0.",
        "There is no setting 'clam_s': did you mean claim_s?",
    ]
    text = GOOD.replace("[game]", '[game]\nedition = "xx"\n[game.house_rules]\nclaim_s = 500\nclam_s = 1')
    assert sentences(text, lambda _game: says) == [
        "table.toml:4: [game] doesn't fit the game. All four quotas are 0.",
        "table.toml:5: [game] edition doesn't fit the game. There is no edition 'xx': there are de, en.",
        "table.toml:7: [game.house_rules] claim_s doesn't fit the game. The setting claim_s can't be '500': "
        "it takes seconds from 1 to 120.",
        "table.toml:8: [game.house_rules] clam_s doesn't fit the game. "
        "There is no setting 'clam_s': did you mean claim_s?",
    ]


def test_all_mistakes_are_named_at_once_in_the_order_of_the_file() -> None:
    text = GOOD.replace('"family"', "5").replace('"gpio:27"', '"gpio:17"').replace("[game]", "[game]\nplayer = 2")
    text = text.replace('"spi:0.0"', '"spi:9.9"') + "[reminders]\n"
    assert [sentence.split(" ")[0] for sentence in sentences(text, lambda _game: ["never asked"])] == [
        "table.toml:2:",
        "table.toml:5:",
        "table.toml:13:",
        "table.toml:16:",
        "table.toml:17:",
    ]
    assert "[game] doesn't fit the game. Too late." in " ".join(
        sentences(GOOD.replace('"family"', "5"), lambda _game: ["Too late."])
    )


def test_house_rules_are_judged_too_where_the_rest_of_the_game_is_wrong() -> None:
    rules = "[game.house_rules]\nclaim_s = 500\nfoo = 3\npatrol_window_s = 9"
    wrong = ("[game]\nplayers = 'x'", "[game]\nname = 'online'\nedition = 7", "[game]\nstarter = 99")
    for game, more in product(wrong, ("", "gpio:17")):
        text = GOOD.replace("[game]", f"{game}\n{rules}")
        text = text.replace('"gpio:27"', f'"{more}"') if more else text
        said = sentences(text, check_game)
        assert [each.split(" ")[2] for each in said if "[game.house_rules]" in each] == ["claim_s", "foo"], said
        assert all(each.startswith("table.toml:") for each in said)
    assert not any("house_rules]" in each for each in sentences(GOOD.replace("[game]", f"[game]\nname = 7\n{rules}")))


def test_a_game_names_players_and_edition_at_once_each_with_a_line() -> None:
    """As where another game's name is put into an example: its number of players is that of the seats."""
    example = (ROOT / "examples" / "full.toml").read_text(encoding="utf-8")
    said = sentences(example.replace('name = "online"', 'name = "cyber-siege"'), check_game)
    lines = example.splitlines()
    name, edition = (lines.index(line) + 1 for line in ('name = "online"', 'edition = "en"'))
    assert said == [
        f"table.toml:{name}: [game] players doesn't fit the game. Cyber Siege is played by 2 to 4 players, not by 6.",
        f"table.toml:{edition}: [game] edition doesn't fit the game. There is no edition 'en': there is standard.",
    ]


# brokers


def test_a_broker_has_its_usual_port_and_files_from_the_folder_of_the_configuration() -> None:
    text = '[mqtt]\nhost = "Localhost"\nuser = "table"\npassword_file = "mqtt.password"\n[league]\nhost = "::1"\n'
    text += 'table = "ab12"\nkey_file = "/etc/league.key"\n'
    config = read_config(GOOD + text, Path("home/table.toml"), lambda _game: [])
    assert config.mqtt == MqttSettings(
        Account("localhost", 1883, user="table", password_file=Path("home/mqtt.password"))
    )
    account = Account("::1", 8883, tls=True, user="ab12", password_file=Path("/etc/league.key"))
    assert config.league == UplinkSettings(account, "ab12")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", '16: [mqtt] host is missing: write, for example, host = "localhost".'),
        (
            'host = "mqtt://localhost"',
            '17: [mqtt] host can\'t be "mqtt://localhost": it takes a name or an address without a port, such as '
            '"broker.local" or "192.168.1.20".',
        ),
        (
            'host = "a"\nbase = "home/+"',
            '18: [mqtt] base can\'t be "home/+": it takes up to four words of letters, digits, ".", "_" and "-", with '
            "a slash between them.",
        ),
        (
            'host = "a"\npassword_file = "x"',
            '18: [mqtt] user is missing beside password_file: write, for example, user = "table".',
        ),
        ('host = "a"\nca = "x"', "18: [mqtt] ca is for a broker that speaks TLS: it takes tls = true."),
        (
            'host = "a"\ncommands = "yes"',
            '18: [mqtt] commands can\'t be "yes": it takes true or false, without quotes.',
        ),
        (
            'host = "a"\n[league]\nhost = "b"\ntable = "a/b"\nkey_file = "k"',
            '20: [league] table can\'t be "a/b": it takes a word of letters, digits, ".", "_" and "-".',
        ),
        (
            'host = "a"\n[league]\nhost = "b"\ntable = "a"',
            '18: [league] key_file is missing: write, for example, key_file = "league.key".',
        ),
        (
            'host = "a"\n[league]\nhost = "b"\ntable = "a"\nkey_file = "k"\ntls = false\nca = "x"',
            "23: [league] ca is for a broker that speaks TLS: it takes tls = true.",
        ),
    ],
)
def test_a_broker_that_can_t_be(lines: str, said: str) -> None:
    assert sentences(f"{GOOD}[mqtt]\n{lines}\n") == [f"table.toml:{said}"]


def a_password(tmp_path: Path, content: bytes, mode: int = 0o640) -> Path:
    path = tmp_path / "mqtt.password"
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_a_password_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    assert read_password(a_password(tmp_path, b"open sesame\r\nof the table\n")) == "open sesame"


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604, 0o642])
def test_a_password_that_others_can_read_or_write_isn_t_one(tmp_path: Path, mode: int) -> None:
    path = a_password(tmp_path, b"open sesame\n", mode)
    with pytest.raises(ConfigError) as caught:
        read_password(path)
    assert str(caught.value) == f"{path} is open to others, and holds a password: `chmod o=,g-w {path}`."


@pytest.mark.parametrize("content", [b"", b"\n", b"  \nsecret\n", b"\xff\xfe\n"])
def test_a_file_without_a_password(tmp_path: Path, content: bytes) -> None:
    path = a_password(tmp_path, content)
    with pytest.raises(ConfigError) as caught:
        read_password(path)
    assert str(caught.value) == f"{path} holds no password: it takes one line of text in UTF-8."


def test_a_password_whose_file_isn_t_there_or_can_t_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="isn't there: write the password into it, in a line"):
        read_password(tmp_path / "none")
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        read_password(tmp_path)
