"""What taptable-buses writes into config.txt: only what is missing, once, and only that is ever changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from taptable.sdcard.boot_config import with_lines
from taptable.sdcard.buses import lines_for
from taptable.sdcard.settings import BUILDS, Settings

ROOT = Path(__file__).parents[2]
BUSES = ROOT / "system" / "taptable-buses"
LITE = "# of the distribution\n#dtparam=spi=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n"


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A config.txt."""
    file = tmp_path / "config.txt"
    file.write_text(LITE)
    return file


def buses(boot: Path, *options: str, config: Path = ROOT / "examples/full.toml", status: int = 0) -> str:
    """What taptable-buses says where nobody can be asked."""
    places = {"TAPTABLE_BOOT_CONFIG": str(boot), "TAPTABLE_PYTHON": sys.executable, "TAPTABLE_CONFIG": str(config)}
    ran = subprocess.run(
        [BUSES, *options],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **places},
    )
    assert ran.returncode == status, ran.stderr
    return ran.stdout + ran.stderr


def test_on_a_card_that_was_made_ready_there_is_nothing_to_write(boot: Path) -> None:
    for build in BUILDS:
        boot.write_text(with_lines(LITE, lines_for(Settings(build=build))))
        ready = boot.read_text()
        buses(boot, "--yes", config=ROOT / f"examples/{build}.toml")
        assert boot.read_text() == ready


def written(boot: Path) -> list[str]:
    """The lines of its block."""
    _, _, rest = boot.read_text().partition("the installer's, from here\n")
    return rest.partition("# taptable: to here")[0].splitlines()


def test_what_is_missing_is_written_for_every_model_and_the_rest_is_left(boot: Path) -> None:
    buses(boot, "--yes")
    assert boot.read_text().startswith(LITE)
    assert written(boot) == ["[all]", "dtparam=spi=on", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]
    assert boot.with_name("config.txt.before-taptable").read_text() == LITE


def test_a_second_time_nothing_is_written(boot: Path) -> None:
    buses(boot, "--yes")
    once = boot.read_text()
    assert "are on as the table needs them" in buses(boot, "--yes")
    assert boot.read_text() == once


def test_taken_away_it_is_as_it_was(boot: Path) -> None:
    assert "is from here" in buses(boot, "--off", "--yes")
    buses(boot, "--yes")
    assert "Nobody is here to be asked, so no" in buses(boot, "--off")
    assert written(boot)
    buses(boot, "--off", "--yes")
    assert boot.read_text() == LITE
    assert [file.name for file in boot.parent.iterdir()] == ["config.txt"]


@pytest.mark.long
def test_a_table_with_other_buses_changes_the_one_block(boot: Path) -> None:
    buses(boot, "--yes")
    buses(boot, "--yes", config=ROOT / "examples/compact.toml")
    assert boot.read_text().count("# taptable: to here") == 1
    assert "dtoverlay=spi1-3cs" in written(boot)
    assert boot.with_name("config.txt.before-taptable").read_text() == LITE


@pytest.mark.long
def test_what_stands_there_for_every_model_is_not_written_again(boot: Path) -> None:
    boot.write_text("dtparam=spi=on\n" + LITE + "dtparam=i2c_arm=on\n")
    buses(boot, "--yes")
    assert written(boot) == ["[all]", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]


def test_without_a_yes_nothing_is_written(boot: Path) -> None:
    assert "so no" in buses(boot)
    assert boot.read_text() == LITE


def test_a_configuration_with_a_mistake_is_said_and_nothing_is_written(boot: Path, tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("[nothing]\n")
    said = buses(boot, "--yes", config=config, status=1)
    assert "[nothing]" in said
    assert "once its configuration is in order" in said
    assert boot.read_text() == LITE
