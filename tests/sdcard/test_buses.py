"""The lines that taptable-buses writes into config.txt: only what is missing, once, and only those are ever changed."""

from __future__ import annotations

import os
import pty
import re
from pathlib import Path

import pytest
from taptable.sdcard.boot_config import BEGIN, END, block_in, with_lines
from taptable.sdcard.buses import lines_for, main
from taptable.sdcard.settings import BUILDS, Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
LITE = "# of the distribution\n#dtparam=spi=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n"
FULL = ("dtparam=spi=on", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000")


class Pi:
    """A Pi with a table whose build is an example's."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self.before = folder / "config.txt", folder / "config.txt.before-taptable"
        self._capsys = capsys
        self.file.write_text(LITE)

    def buses(self, *options: str, config: Path = EXAMPLES / "full.toml", status: int = 0) -> str:
        """Run taptable-buses and return its output."""
        assert main(options, config, self.file) == status
        return "".join(self._capsys.readouterr())

    @property
    def text(self) -> str:
        """The text of config.txt."""
        return self.file.read_text()

    @property
    def lines(self) -> list[str]:
        """The lines of our block in config.txt."""
        return block_in(self.text).splitlines()[1:-1]


@pytest.fixture
def pi(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Pi:
    return Pi(tmp_path, capsys)


def test_on_a_card_that_was_made_ready_there_is_nothing_to_write(pi: Pi) -> None:
    for build in BUILDS:
        ready = with_lines(LITE, lines_for(Settings(build=build)))
        pi.file.write_text(ready)
        assert "are on as the table needs them" in pi.buses("--yes", config=EXAMPLES / f"{build}.toml")
        assert pi.text == ready


def test_a_table_without_seats_and_display_gets_the_bus_on_which_its_readers_are_found(pi: Pi, tmp_path: Path) -> None:
    text = (EXAMPLES / "ready.toml").read_text(encoding="utf-8")
    bare = tmp_path / "table.toml"
    bare.write_text(re.sub(r"(?ms)^\[scoreboard\].*?(?=^\[)", "", text), encoding="utf-8")
    pi.buses("--yes", config=bare)
    assert pi.lines == ["[all]", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=100000"]


def test_what_is_missing_is_written_for_every_model_and_the_rest_is_left(pi: Pi) -> None:
    said = pi.buses("--yes")
    assert pi.text.startswith(LITE)
    assert pi.lines == ["[all]", *FULL]
    assert all(line in said.splitlines() for line in pi.lines)
    assert pi.before.read_text() == LITE


def test_a_second_time_nothing_is_written(pi: Pi) -> None:
    pi.buses("--yes")
    once = pi.text
    assert "are on as the table needs them" in pi.buses("--yes")
    assert pi.text == once


def test_taken_away_it_is_as_it_was(pi: Pi) -> None:
    assert "is from here" in pi.buses("--off", "--yes")
    pi.buses("--yes")
    assert "Nobody is here to be asked, so no" in pi.buses("--off")
    assert pi.lines
    pi.buses("--off", "--yes")
    assert pi.text == LITE
    assert not pi.before.exists()


def test_a_table_with_other_buses_changes_the_one_block(pi: Pi) -> None:
    pi.buses("--yes")
    pi.buses("--yes", config=EXAMPLES / "compact.toml")
    assert pi.text.count(END) == 1
    assert "dtoverlay=spi1-3cs" in pi.lines
    assert pi.before.read_text() == LITE


def test_what_stands_there_for_every_model_is_not_written_again(pi: Pi) -> None:
    pi.file.write_text("dtparam=spi=on\n" + LITE + "dtparam=i2c_arm=on\n")
    pi.buses("--yes")
    assert pi.lines == ["[all]", *FULL[1:]]


def test_the_rest_is_left_byte_by_byte_however_it_was_edited(pi: Pi) -> None:
    was = b"# K\xfcche\r\ndtparam=spi=on\r\n[pi4]\r\nover_voltage=2"
    pi.file.write_bytes(was)
    pi.buses("--yes")
    assert pi.file.read_bytes().startswith(was + b"\n# taptable: ")
    assert b"\ndtparam=spi=on\n" not in pi.file.read_bytes()
    pi.buses("--off", "--yes")
    assert pi.file.read_bytes() == was + b"\n"


def test_of_a_block_without_its_end_nothing_is_lost(pi: Pi) -> None:
    pi.buses("--yes")
    broken = pi.text.replace(f"{END}\n", "enable_uart=1\n").replace("dtparam=spi=on\ndtparam=i2c", "dtparam=i2c")
    pi.file.write_text(broken)
    for _ in range(2):
        pi.buses("--yes")
        assert pi.text == f"{broken}{BEGIN}\n[all]\ndtparam=spi=on\n{END}\n"
    pi.buses("--off", "--yes")
    assert pi.text == broken


@pytest.mark.parametrize(("answer", "is_written"), [("y", True), ("", False), ("nein", False), ("\x04", False)])
def test_at_a_terminal_it_is_asked(pi: Pi, monkeypatch: pytest.MonkeyPatch, answer: str, is_written: bool) -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as keyboard:
        monkeypatch.setattr("sys.stdin", keyboard)
        os.write(ours, f"{answer}\n".encode())
        said = pi.buses()
    os.close(ours)
    assert "Write that there? A copy of the file is kept. [y/N]" in said
    assert bool(pi.lines) == is_written
    assert pi.before.exists() == is_written


def test_without_a_yes_nothing_is_written(pi: Pi) -> None:
    assert "so no" in pi.buses()
    assert pi.text == LITE


def test_without_a_config_txt_there_is_nothing_to_do(pi: Pi) -> None:
    pi.file.unlink()
    assert "nothing to switch on" in pi.buses("--yes")
    assert not pi.file.exists()


def test_a_configuration_with_a_mistake_is_reported_and_nothing_is_written(pi: Pi, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[nothing]\n")
    said = pi.buses("--yes", config=config, status=1)
    assert "[nothing]" in said
    assert "once its configuration is in order" in said
    assert pi.text == LITE
    # what it needs is not asked where nothing is needed
    pi.file.write_text(with_lines(LITE, FULL))
    pi.buses("--off", "--yes", config=config)
    assert pi.text == LITE


def test_where_it_cannot_be_written_that_is_reported_and_it_is_as_it_was(pi: Pi, tmp_path: Path) -> None:
    (tmp_path / "config.txt.part").mkdir()
    assert "can't be written, and is as it was: Is a directory." in pi.buses("--yes", status=1)
    assert pi.text == LITE
