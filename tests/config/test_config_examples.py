"""The examples that ship, and the page that lists every key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from table.rig import with_hat
from taptable.config import Config, InvalidConfig, load_config, read_config
from taptable.config.conflicts import boot_lines, occupied_places
from taptable.config.loading import SECTIONS
from taptable.drivers.gpio.header import CALLBACK_STAMP_US, KERNEL_STAMP_US
from taptable.drivers.header_lines import HEADER_PINS, SPI_LINES, SPI_SELECTS
from taptable.drivers.interface import Address

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def load_example(name: str) -> Config:
    return load_config(ROOT / "examples" / f"{name}.toml", lambda _game: [])


def test_the_full_build_has_six_seat_boards_with_everything_of_their_seats() -> None:
    config = load_example("full")
    assert len(config.pads_on("board")) == len(config.seats) == config.game.game_options.players == 6
    assert all(seat.pad.kind == "board" and seat.pad == seat.button == seat.lamp for seat in config.seats)
    assert config.discard.pad == Address("spi", "0.0")
    assert config.table.journal == ROOT / "examples" / "journal.sqlite"
    assert config.stop_reminder_us == 45_000_000


def test_the_compact_build_has_five_readers_on_spi_and_no_board() -> None:
    config = load_example("compact")
    readers = [*(seat.pad for seat in config.seats), config.discard.pad]
    assert sorted(map(str, readers)) == ["spi:0.0", "spi:0.1", "spi:1.0", "spi:1.1", "spi:1.2"]
    assert not config.pads_on("board")
    assert {pad.options["reset"] for pad in config.all_pads.values()} == {Address("gpio", "25")}


@pytest.mark.parametrize("name", ["full", "compact"])
def test_an_example_may_lose_its_last_seats(name: str) -> None:
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    head, *seats = text.split("[[seats]]")
    last, tail = re.split(r"(?=^\[discard\])", seats[-1], flags=re.MULTILINE)
    for count in range(2, len(seats) + 1):
        kept = [*seats[:-1], last][:count]
        config = read_config("[[seats]]".join([head, *kept]) + tail, Path("table.toml"), lambda _game: [])
        assert config.game.game_options.players == len(config.seats) == count


@pytest.mark.parametrize("name", ["full", "compact"])
def test_every_setting_that_an_example_only_mentions_would_do(name: str) -> None:
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    used = tomllib.loads(text)
    mentioned = re.sub(r"^# (?=\w+ = |\[[\w.]+\]$)", "", text, flags=re.MULTILINE)
    on_boards = r'^button = "board:.*\nlamp = "board:.*\n(?=(#.*\n)+button = "gpio:)'
    mentioned, instead = re.subn(on_boards, "", mentioned, flags=re.MULTILINE)
    assert instead == (name == "full")
    config = read_config(mentioned, Path("table.toml"), lambda _game: [])
    assert len(config.game.game_options.settings) >= 2
    assert config.speech is not None
    assert list(config.pads) == (["demand"] if name == "full" else [])
    assert not used["game"]["house_rules"]


def rows(section: str) -> Iterator[tuple[str, str]]:
    """Key and default, from the table under a section's heading."""
    heading = "[[seats]]" if section == "seats" else f"[{section}]"
    (part,) = re.findall(rf"^## `{re.escape(heading)}`\n(.*?)(?=^## |\Z)", PAGE, flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"^\| `(\w+)` \| (.*?) \|", part, flags=re.MULTILINE)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_page_lists_every_key_with_its_default(section: str) -> None:
    listed = dict(rows(section))
    assert list(listed) == list(SECTIONS[section])
    for name, key in SECTIONS[section].items():
        shown = listed[name]
        if key.needed:
            assert shown == "*needed*"
        elif key.default is not None:
            assert key.check(tomllib.loads(f"shown = {shown.strip('`')}")["shown"]) == key.default
        else:
            assert not shown.startswith(("`", "*"))


def test_the_page_has_no_section_that_there_is_not() -> None:
    headings = re.findall(r"^## `\[+(\w+)\]+`$", PAGE, flags=re.MULTILINE)
    assert headings == list(SECTIONS)


def test_the_page_s_example_of_a_mistake_is_what_the_table_says() -> None:
    text = "\n" * 11 + '[table]\ndeck = "family"\n[[seats]]\npad = "board:a"\nbutton = "gpio:17"\nlamp = "gpio:17"\n'
    text += '[[seats]]\npad = "board:b"\nbutton = "gpio:4"\n[discard]\npad = "spi:0.0"\n'
    with pytest.raises(InvalidConfig) as caught:
        read_config(text, Path("table.toml"), lambda _game: [])
    assert f"    {caught.value}\n" in PAGE


def test_the_page_gives_the_uncertainty_of_presses_as_it_is() -> None:
    text = " ".join(PAGE.split())
    assert f"kernel's time of an edge, good to {KERNEL_STAMP_US / 1000:g} ms" in text
    assert f"uncertain by {CALLBACK_STAMP_US // 1000} ms either way" in text
    assert f"closer than {2 * CALLBACK_STAMP_US // 1000} ms are a tie" in text


HAT = (ROOT / "examples" / "oled-hat.toml").read_text(encoding="utf-8")


def read_with_hat(name: str) -> Config:
    """The configuration of an example with the HAT. Raises InvalidConfig."""
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    return read_config(with_hat(text), Path("table.toml"), lambda _game: [])


def test_the_oled_hat_switches_spi_on_and_occupies_the_lines_that_its_example_names() -> None:
    config = read_with_hat("ready")
    assert boot_lines(config.parts) == ("dtparam=spi=on",)
    assert {str(place.address) for place in occupied_places(config.parts)} == {"spi:0.0", "gpio:24", "gpio:25"}
    words = " ".join(HAT.replace("\n#", "").split())
    assert "SPI0 CE0 (pins 19, 21, 23, 24) and the lines GPIO24 (DC) and GPIO25 (RST)" in words
    assert sorted(HEADER_PINS[bcm] for bcm in (*SPI_LINES[0], SPI_SELECTS[0][0])) == [19, 21, 23, 24]


def test_the_oled_hat_names_each_place_that_the_full_build_uses_too() -> None:
    with pytest.raises(InvalidConfig) as caught:
        read_with_hat("full")
    owners = {"spi:0.0": "[discard] pad", "gpio:24": "[power] button", "gpio:25": "[discard] reset"}
    for place, owner in owners.items():
        assert f'can\'t put the display on "{place}": {owner} is on it already' in str(caught.value)


@pytest.mark.parametrize(("name", "kind", "display"), [("ready", "i2c", True), ("ready-usb", "pcsc", False)])
def test_the_ready_builds_name_no_seats_and_show_how_to(name: str, kind: str, display: bool) -> None:
    config = load_example(name)
    assert not config.seats
    assert (config.scoreboard is not None and config.scoreboard.optional) is display
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    shown = re.sub(r"^# (?=\[\[seats\]\]$|\[discard\]$|(?:pad|button|lamp) = )", "", text, flags=re.MULTILINE)
    config = read_config(shown, Path("table.toml"), lambda _game: [])
    assert {pad.pad.kind for pad in config.all_pads.values()} == {kind}
    assert {(seat.button.kind, seat.lamp and seat.lamp.kind) for seat in config.seats} == {("input", "led")}
