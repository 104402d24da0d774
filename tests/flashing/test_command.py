"""`taptable flash` as it is typed, and the firmware that an installed taptable brings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
import taptable.cli.flash
from tapshared.version import FIRMWARE
from taptable.cli import main
from taptable.core.errors import DeviceError
from taptable.doctor.computer import Computer
from taptable.flashing.bundle import bundled

from flashing.board import ROOT, Desk, NoMicroPython, Pico, a_desk, micropython_js

EXAMPLE = (ROOT / "examples" / "full.toml").read_text(encoding="utf-8")
SEAT_3, NEW = "e66164084f1d5d2c", "e66118604b5c2f2b"

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk(tmp_path) as desk:
        yield desk


@pytest.fixture
def typed(desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """The exit status and what was said, at the computer of the desk."""
    monkeypatch.setattr(taptable.cli.flash, "Computer", lambda: Computer(desk.root))
    monkeypatch.chdir(desk.root)

    def typed(*words: str) -> tuple[int, str, str]:
        return main(["flash", *words]), *capsys.readouterr()

    return typed


def with_firmware(desk: Desk, board: str) -> None:
    try:
        micropython_js()
    except NoMicroPython as none:
        pytest.skip(str(none))
    pico = Pico(desk.root, board)
    pico.put(bundled())
    desk.plugs_in(pico)


def test_a_seats_board_is_flashed_and_its_seat_named(desk: Desk, typed: Typed) -> None:
    (desk.root / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    with_firmware(desk, SEAT_3)
    status, said, _ = typed("3")
    assert status == 0
    assert said.splitlines()[1:] == [
        f"All {len(bundled())} files of firmware {FIRMWARE} are there already.",
        f"It answers: firmware {FIRMWARE}, 12 pixels.",
        "It is the board of seat 3.",
    ]


def test_a_new_board_is_flashed_before_there_is_a_configuration_and_told_what_to_write_there(
    desk: Desk, typed: Typed
) -> None:
    with_firmware(desk, NEW)
    status, said, _ = typed()
    assert status == 0
    assert said.splitlines()[-1].endswith(f'The seat or other pad it is for gets:  pad = "board:{NEW}"')
    assert f'pad = "board:{SEAT_3}"' in EXAMPLE


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("3",), "name the table's configuration with --config"),
        (("--config", "none.toml"), "none.toml"),
        (("--pixels", "40"), "--pixels 40: a ring has 8 to 16"),
        (("--board", NEW), f"board {NEW} isn't connected"),
        (("--port", "/dev/nothing"), "there is no port /dev/nothing"),
        ((), "no board is connected"),
    ],
)
def test_what_cant_be_done_is_a_sentence(typed: Typed, words: tuple[str, ...], sentence: str) -> None:
    status, said, wrong = typed(*words)
    assert (status, said) == (2, "")
    assert wrong.startswith("taptable flash: ")
    assert sentence in wrong
    assert "Traceback" not in wrong


def test_the_firmware_is_every_file_of_it_with_its_start_last() -> None:
    folder = ROOT / "firmware"
    lying = {f"/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*.py")}
    assert bundled() == lying
    assert list(bundled())[-2:] == ["/lib/tapshared/version.py", "/main.py"]


def test_an_installed_taptable_brings_the_same_firmware(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    ZipFile(wheel).extractall(tmp_path)
    assert bundled(tmp_path / "taptable") == bundled()
    assert [path.name for path in (tmp_path / "taptable" / "firmware").rglob("*") if path.suffix == ".pyc"] == []


def test_an_installation_without_firmware_is_told(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"this installation brings no firmware: there is no main\.py in "):
        bundled(tmp_path / "lib" / "taptable")
