"""`taptable flash` as it is typed, and the firmware that an installed taptable brings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
import taptable.drivers.board.commands
from tapshared.version import FIRMWARE
from taptable.cli import main
from taptable.core.errors import DeviceError
from taptable.doctor.computer import Computer
from taptable.drivers.board.flashing.bundle import bundled_firmware
from taptable.drivers.board.port import open_path
from taptable.memory.journal import WriterLock

from flashing.board import ROOT, FakeComputer, NoMicroPython, Pico, fake_computer, micropython_js

EXAMPLE = (ROOT / "examples" / "full.toml").read_text(encoding="utf-8")
SEAT_3, NEW = "e66164084f1d5d2c", "e66118604b5c2f2b"

Typed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FakeComputer]:
    with fake_computer(tmp_path) as desk:
        yield desk


@pytest.fixture
def typed(desk: FakeComputer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Typed:
    """The exit status and what was said, at the computer of the desk."""
    monkeypatch.setattr(taptable.drivers.board.commands, "Computer", lambda: Computer(desk.root))
    monkeypatch.chdir(desk.root)

    def typed(*words: str) -> tuple[int, str, str]:
        return main(["flash", *words]), *capsys.readouterr()

    return typed


def with_firmware(desk: FakeComputer, board: str) -> Pico:
    try:
        micropython_js()
    except NoMicroPython as none:
        pytest.skip(str(none))
    pico = Pico(desk.root, board)
    pico.put(bundled_firmware())
    return desk.plugs_in(pico)


def test_a_seats_board_is_flashed_and_its_seat_named(desk: FakeComputer, typed: Typed) -> None:
    (desk.root / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    with_firmware(desk, SEAT_3)
    status, said, _ = typed("3")
    assert status == 0
    assert said.splitlines()[1:] == [
        f"All {len(bundled_firmware())} files of firmware {FIRMWARE} are there already.",
        f"It answers: firmware {FIRMWARE}, 12 pixels.",
        "It is the board of seat 3.",
    ]


@pytest.mark.parametrize("words", [("3",), ("--all",), ("--board", NEW)])
def test_while_the_table_runs_no_board_is_opened(desk: FakeComputer, typed: Typed, words: tuple[str, ...]) -> None:
    (desk.root / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    desk.shows(NEW, "/dev/nothing")
    lock = WriterLock(desk.root / "journal.sqlite")
    status, said, wrong = typed(*words)
    lock.release()
    assert (status, said) == (2, "")
    assert f"the boards belong to the table while that runs (process {os.getpid()}): stop it first" in wrong


def test_a_new_board_is_flashed_before_there_is_a_configuration_with_advice_what_to_write_there(
    desk: FakeComputer, typed: Typed
) -> None:
    with_firmware(desk, NEW)
    status, said, _ = typed()
    assert status == 0
    assert said.splitlines()[-1].endswith(f'The seat or other pad it is for gets:  pad = "board:{NEW}"')
    assert f'pad = "board:{SEAT_3}"' in EXAMPLE


def test_all_boards_are_flashed_though_one_fails_and_need_seats(desk: FakeComputer, typed: Typed) -> None:
    with_firmware(desk, NEW)
    with_firmware(desk, SEAT_3)
    desk.shows("e66118604b5c0000", "/dev/nothing")
    status, said, wrong = typed("--all")
    assert status == 1
    assert wrong.startswith("taptable flash: board e66118604b5c0000: there is no port ")
    assert said.count(f"It answers: firmware {FIRMWARE}, 12 pixels.") == 2
    boards = ", ".join(sorted((NEW, SEAT_3)))
    assert said.splitlines()[-2:] == [
        "Boards that have their firmware: 2 of 3",
        f"Boards without a seat: {boards}. Run `taptable seats`: it asks for a press of each seat's button.",
    ]


def test_all_boards_that_the_configuration_knows_are_named_by_it_and_a_pico_without_micropython_is_reported(
    desk: FakeComputer, typed: Typed
) -> None:
    (desk.root / "table.toml").write_text(EXAMPLE, encoding="utf-8")
    with_firmware(desk, SEAT_3)
    desk.waits_for_micropython("0003")
    status, said, wrong = typed("--all")
    assert status == 1
    assert wrong.startswith("taptable flash: a Pico waits for MicroPython: copy the .uf2 file of RPI_PICO")
    assert said.splitlines()[-2:] == ["Boards that have their firmware: 1 of 1", f"Board {SEAT_3} is that of seat 3."]


def test_where_the_table_holds_all_ports_nothing_is_flashed_nor_asked(desk: FakeComputer, typed: Typed) -> None:
    port = os.openpty()
    desk.shows(NEW, os.ttyname(port[1]))
    with open_path(os.ttyname(port[1])):
        status, said, wrong = typed("--all")
    for end in port:
        os.close(end)
    assert (status, said) == (1, "Boards that have their firmware: 0 of 1\n")
    assert "is in use: stop the table first (sudo systemctl stop taptable)" in wrong


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("3",), "the configuration names no board for seat 3 (with a board: none)"),
        (("--config", "none.toml"), "none.toml"),
        (("--pixels", "40"), "--pixels 40: a ring has 8 to 16"),
        (("--board", NEW), f"board {NEW} isn't connected"),
        (("--port", "/dev/nothing"), "there is no port /dev/nothing"),
        ((), "no board is connected"),
        (("--all",), "no board is connected"),
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
    assert bundled_firmware() == lying
    assert list(bundled_firmware())[-2:] == ["/lib/tapshared/version.py", "/main.py"]


def test_an_installed_taptable_brings_the_same_firmware(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    ZipFile(wheel).extractall(tmp_path)
    assert bundled_firmware(tmp_path / "taptable") == bundled_firmware()
    assert [path.name for path in (tmp_path / "taptable" / "firmware").rglob("*") if path.suffix == ".pyc"] == []


def test_an_installation_without_firmware_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"this installation brings no firmware: there is no main\.py in "):
        bundled_firmware(tmp_path / "lib" / "taptable")
