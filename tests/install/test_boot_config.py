"""What the installer writes into config.txt: only what is missing, once, and only that is ever changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "scripts" / "install"
LITE = "# of the distribution\n#dtparam=spi=on\ndtparam=audio=on\n\n[cm4]\notg_mode=1\n"
DEVICES = """
. "$1"
config=$2 boot_config=$3 venv=$4 yes=$5 reboot=''
have_devices
"""


@pytest.fixture
def boot(tmp_path: Path) -> Path:
    """A config.txt."""
    file = tmp_path / "config.txt"
    file.write_text(LITE)
    return file


def install(boot: Path, build: str = "full", *, yes: str = "yes") -> str:
    """Have the installer switch on the buses of a build in `boot`; what it says."""
    steps = boot.with_name("steps")
    steps.write_text(INSTALL.read_text().partition('\nread_options "$@"')[0])
    venv = boot.with_name("venv")
    if not venv.exists():
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(sys.executable)
        (venv / "pyvenv.cfg").write_text((Path(sys.prefix) / "pyvenv.cfg").read_text())
        (venv / "lib").symlink_to(Path(sys.prefix) / "lib")
    ran = subprocess.run(
        ["/bin/sh", "-eu", "-c", DEVICES, INSTALL, steps, ROOT / "examples" / f"{build}.toml", boot, venv, yes],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout


def written(boot: Path) -> list[str]:
    """The lines of the installer's block."""
    _, _, rest = boot.read_text().partition("the installer's, from here\n")
    return rest.partition("# taptable: to here")[0].splitlines()


def test_what_is_missing_is_written_for_every_model_and_the_rest_is_left(boot: Path) -> None:
    install(boot)
    assert boot.read_text().startswith(LITE)
    assert written(boot) == ["[all]", "dtparam=spi=on", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]
    assert boot.with_name("config.txt.before-taptable").read_text() == LITE


def test_a_second_time_nothing_is_written(boot: Path) -> None:
    install(boot)
    once = boot.read_text()
    assert "* " not in install(boot)
    assert boot.read_text() == once


@pytest.mark.long
def test_a_table_with_other_buses_changes_the_one_block(boot: Path) -> None:
    install(boot)
    install(boot, "compact")
    assert boot.read_text().count("# taptable: to here") == 1
    assert "dtoverlay=spi1-3cs" in written(boot)
    assert boot.with_name("config.txt.before-taptable").read_text() == LITE


@pytest.mark.long
def test_what_stands_there_for_every_model_is_not_written_again(boot: Path) -> None:
    boot.write_text("dtparam=spi=on\n" + LITE + "dtparam=i2c_arm=on\n")
    install(boot)
    assert written(boot) == ["[all]", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]


def test_without_a_yes_nothing_is_written(boot: Path) -> None:
    assert "so no" in install(boot, yes="")
    assert boot.read_text() == LITE
