"""The connected board that `taptable flash` chooses, and what it prints if it can't know."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from taptable.core.errors import ConfigError, DeviceError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.doctor.computer import Computer
from taptable.drivers.board.flashing.choosing import Meant, choose, connected_boards, no_board_advice, unusable_boards
from taptable.drivers.board.usb import find_ids

from flashing.board import FakeComputer

ONE, TWO, NEW, NEWER = (f"e66118604b5c2f2{digit}" for digit in "abcd")
PADS: dict[Pad, str] = {1: ONE, 3: TWO}


def desk_with(root: Path, *boards: str) -> FakeComputer:
    desk = FakeComputer(root)
    for board in boards:
        desk.shows(board, "/dev/null")
    return desk


def chosen(desk: FakeComputer, meant: Meant) -> str:
    return choose(meant, PADS, Computer(desk.root)).name.split("_")[-1].removesuffix("-if00")


def refused(desk: FakeComputer, meant: Meant) -> str:
    with pytest.raises((ConfigError, DeviceError)) as error:
        choose(meant, PADS, Computer(desk.root))
    return str(error.value)


def test_a_board_is_meant_by_its_seat_by_its_id_or_by_its_port(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, ONE, TWO, NEW, NEWER)
    assert chosen(desk, Meant(pad=3)) == TWO
    assert chosen(desk, Meant(board=NEW)) == NEW
    assert choose(Meant(port=Path("/dev/ttyACM3")), PADS, Computer(tmp_path)) == Path("/dev/ttyACM3")


def test_the_only_board_or_the_only_new_one_needs_no_name(tmp_path: Path) -> None:
    assert chosen(desk_with(tmp_path / "a", TWO), Meant()) == TWO
    assert chosen(desk_with(tmp_path / "b", ONE, TWO, NEW), Meant()) == NEW


@pytest.mark.parametrize("boards", [(ONE, TWO), (NEW, NEWER), (ONE, NEW, NEWER)])
def test_of_several_it_is_asked_which(tmp_path: Path, boards: tuple[str, ...]) -> None:
    said = refused(desk_with(tmp_path, *boards), Meant())
    assert said.startswith("which of these is meant? Name its seat, or --board ID: ")
    assert all(board in said for board in boards)
    assert said.count("(new)") == len({*boards} & {NEW, NEWER})
    assert ("(seat 3)" in said) == (TWO in boards)


def test_a_seat_without_a_board_is_reported_with_those_that_have_one(tmp_path: Path) -> None:
    said = refused(desk_with(tmp_path, NEW), Meant(pad=2))
    assert said.startswith("the configuration names no board for seat 2 (with a board: 1, 3): flash it with --board")


def test_the_board_of_another_pad_is_meant_by_the_pad_s_name(tmp_path: Path) -> None:
    pads: dict[Pad, str] = {1: ONE, DISCARD_PAD: NEWER}
    computer = Computer(desk_with(tmp_path, ONE, NEW, NEWER).root)
    assert NEWER in choose(Meant(pad=DISCARD_PAD), pads, computer).name
    with pytest.raises(ConfigError, match=r"for the demand pad \(with a board: 1, discard\)"):
        choose(Meant(pad="demand"), pads, computer)
    with pytest.raises(DeviceError, match=rf"connected: .*{NEWER} \(the discard pad\)"):
        choose(Meant(board=TWO), pads, computer)


def test_a_board_that_is_not_connected_is_reported_with_those_that_are(tmp_path: Path) -> None:
    assert refused(desk_with(tmp_path / "a"), Meant(board=NEW)) == (
        f"board {NEW} isn't connected: plug it in with a cable that carries data"
    )
    assert refused(desk_with(tmp_path / "b", ONE, NEW), Meant(pad=3)) == (
        f"the board of seat 3 ({TWO}) isn't connected; connected: {ONE} (seat 1), {NEW} (new)."
        " If one of these takes its place, flash it with --board and name it at seat 3"
    )
    assert refused(desk_with(tmp_path / "c", ONE), Meant(board=NEW)) == (
        f"board {NEW} isn't connected; connected: {ONE} (seat 1)"
    )


def test_without_any_board_it_asks_to_plug_one_in(tmp_path: Path) -> None:
    said = "no board is connected: plug it in with a cable that carries data"
    assert refused(desk_with(tmp_path), Meant()) == said


@pytest.mark.parametrize(
    ("product", "drive", "build"), [("0003", "RPI-RP2", "RPI_PICO"), ("000f", "RP2350", "RPI_PICO2")]
)
@pytest.mark.parametrize("meant", [Meant(), Meant(pad=3), Meant(board=NEW)])
def test_for_a_pico_that_waits_for_micropython_it_prints_what_it_needs(
    tmp_path: Path, meant: Meant, product: str, drive: str, build: str
) -> None:
    desk = desk_with(tmp_path)
    desk.waits_for_micropython(product)
    said = refused(desk, meant)
    assert f"a Pico waits for MicroPython: copy the .uf2 file of {build}, version 1.23 or later" in said
    assert f"onto its drive {drive}; it then starts by itself and can be flashed" in said


def test_a_board_for_which_udev_made_no_link_is_found_by_the_kernel_s_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [SimpleNamespace(serial_number=NEW, device="/dev/ttyACM1")]
    monkeypatch.setattr("taptable.drivers.board.port.comports", lambda: listed)
    for others in ((), (ONE,)):
        desk = desk_with(tmp_path / str(len(others)), *others)
        desk.device(NEW, "0005")
        assert connected_boards(Computer(desk.root))[NEW] == desk.root / "dev" / "ttyACM1"
        assert choose(Meant(), PADS, Computer(desk.root)).name == "ttyACM1"


def test_two_boards_with_one_number_are_not_distinguished_by_chance(tmp_path: Path) -> None:
    twins = f"two boards have the serial number {ONE}, so they can't be told apart: unplug one of them."
    desk = desk_with(tmp_path, ONE)
    desk.device(ONE, "0005", place="1-1.4")
    for meant in (Meant(), Meant(board=ONE), Meant(pad=1)):
        assert refused(desk, meant).startswith(twins)
    assert no_board_advice(Computer(tmp_path)).startswith(twins)
    assert choose(Meant(port=Path("/dev/ttyACM3")), PADS, Computer(tmp_path)) == Path("/dev/ttyACM3")
    # another board is still found by its name, and isn't taken for the one that is meant
    desk.shows(NEW, "/dev/null")
    assert refused(desk, Meant()).startswith(twins)
    assert chosen(desk, Meant(board=NEW)) == NEW
    assert unusable_boards(Computer(tmp_path)) == {ONE: refused(desk, Meant(board=ONE))}


def test_a_board_without_a_port_is_reported(tmp_path: Path) -> None:
    desk = desk_with(tmp_path)
    desk.device(NEW, "0005")
    said = f"board {NEW} is plugged in, and has no serial port: unplug it and plug it in again"
    assert [refused(desk, meant) for meant in (Meant(), Meant(board=NEW))] == [said, said]


def test_other_devices_and_boards_without_a_port_yet_are_not_boards(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, ONE)
    desk.device("0001", "0005", vendor="1d6b")
    desk.device(NEW, "0005")  # its port isn't there yet
    assert chosen(desk, Meant()) == ONE


def test_boards_that_share_a_number_are_not_found_for_a_seat(tmp_path: Path) -> None:
    desk = desk_with(tmp_path, ONE, TWO)
    desk.waits_for_micropython("0003")
    desk.device(NEW, "0005", place="1-1")
    desk.device(NEW, "0005", place="1-2")
    assert sorted(find_ids(Computer(desk.root))) == [ONE, TWO]
