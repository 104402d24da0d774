"""`taptable flash` puts the firmware on a board: with mpremote, at the prompt of a real MicroPython."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tapshared.version import FIRMWARE
from taptable.core.errors import DeviceError
from taptable.drivers.board.flashing import flash as flashing
from taptable.drivers.board.flashing.bundle import bundled_firmware, read_survey
from taptable.drivers.board.flashing.flash import flash
from taptable.drivers.board.port import open_path
from taptable.drivers.board.usb_model import Plug

from flashing.board import FakeComputer, NoMicroPython, Pico, fake_computer, micropython_js

BOARD = "e66118604b5c2f2b"
VERSION = bundled_firmware()["/lib/tapshared/version.py"]
SMALL = {
    "/lib/tapshared/__init__.py": b"",
    "/seatboard/ring.py": b"# every byte " + bytes(range(256)) * 3,
    "/lib/tapshared/version.py": VERSION,
    "/main.py": b"print('starts')\n",
}
"""As a firmware is, with less in it."""


DENIED = Path("/sys/kernel/uevent_seqnum")
"""The kernel lets nobody write here."""


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FakeComputer]:
    try:
        micropython_js()
    except NoMicroPython as none:
        pytest.skip(str(none))
    with fake_computer(tmp_path) as desk:
        yield desk


@pytest.fixture
def flashed() -> Callable[..., list[str]]:
    """The messages while a board is flashed."""

    def flashed(pico: Pico, firmware: dict[str, bytes], pixels: int | None = None) -> list[str]:
        said: list[str] = []
        # by this name mpremote knows that it does not have to wait between two looks at the port
        assert flash(pico.path, firmware, pixels, lambda _board: pico.path, said.append) == BOARD
        return said

    return flashed


def test_a_new_board_gets_every_file_byte_for_byte(desk: FakeComputer, flashed: Callable[..., list[str]]) -> None:
    pico = desk.plugs_in(Pico(desk.root, BOARD))
    assert flashed(pico, dict(bundled_firmware())) == [
        f"Board {BOARD} at {pico.path}: MicroPython 1.27.0",
        f"{len(bundled_firmware())} files copied; every file on the board verified.",
        f"It answers: firmware {FIRMWARE}, 12 pixels.",
    ]
    assert pico.files == bundled_firmware()


def test_a_second_flash_copies_nothing_and_the_board_runs_again(
    desk: FakeComputer, flashed: Callable[..., list[str]]
) -> None:
    pico = Pico(desk.root, BOARD)
    pico.put(SMALL)
    desk.plugs_in(pico)
    assert flashed(pico, SMALL)[1:] == [
        f"All 4 files of firmware {FIRMWARE} are there already.",
        f"It answers: firmware {FIRMWARE}, 12 pixels.",
    ]
    assert pico.resets == 1


@pytest.mark.long
def test_only_what_changed_is_copied_what_is_stale_goes_and_the_rest_stays(
    desk: FakeComputer, flashed: Callable[..., list[str]]
) -> None:
    pico = Pico(desk.root, BOARD)
    own = {"/boots": b"12", "/lib/mine.py": b"x = 1", "/notes.txt": b"", "/board.json": b'{"pixels": 16}'}
    stale = {"/seatboard/neopixels.py": b"old", "/lib/tapshared/old.mpy": b"M"}
    pico.put({**SMALL, **own, **stale, "/seatboard/ring.py": b"old"})
    desk.plugs_in(pico)
    said = flashed(pico, SMALL)
    assert said[1] == "1 file copied, 2 old removed; every file on the board verified."
    assert said[2] == f"It answers: firmware {FIRMWARE}, 16 pixels."
    assert pico.files == {**SMALL, **own}


@pytest.mark.long
def test_the_number_of_pixels_is_changed_and_else_kept(desk: FakeComputer, flashed: Callable[..., list[str]]) -> None:
    pico = Pico(desk.root, BOARD)
    pico.put({**SMALL, "/board.json": b'{"pixels": 8}'})
    desk.plugs_in(pico)
    for asked in (16, None):
        assert flashed(pico, SMALL, asked)[-1] == f"It answers: firmware {FIRMWARE}, 16 pixels."
    assert pico.files["/board.json"] == b'{"pixels": 16}'


@pytest.mark.long
def test_damage_on_the_way_is_noticed_and_the_board_not_reported_as_done(
    desk: FakeComputer, flashed: Callable[..., list[str]]
) -> None:
    pico = Pico(desk.root, BOARD, harm=lambda sent: sent.replace(b"every byte", b"every bite"))
    desk.plugs_in(pico)
    with pytest.raises(DeviceError, match=r"not everything arrived as it was sent \(/seatboard/ring.py\): .* flash it"):
        flashed(pico, SMALL)
    pico.harm = lambda sent: sent
    assert flashed(pico, SMALL)[1] == "1 file copied; every file on the board verified."


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ({"version": "1, 22, 2"}, "its MicroPython 1.22.2 is too old, 1.23 is needed: .*hold BOOTSEL"),
        ({"port": "esp32"}, "this board runs MicroPython for webassembly; seat boards are Picos"),
    ],
)
def test_a_board_that_cant_be_a_seat_board_is_left_as_it_is(
    desk: FakeComputer, flashed: Callable[..., list[str]], kind: dict[str, str], sentence: str
) -> None:
    pico = desk.plugs_in(Pico(desk.root, BOARD, **kind))
    with pytest.raises(DeviceError, match=sentence):
        flashed(pico, SMALL)
    assert pico.files == {}


@pytest.mark.long
def test_a_board_without_room_is_reported(desk: FakeComputer, flashed: Callable[..., list[str]]) -> None:
    full = Pico(desk.root, BOARD, harm=lambda sent: sent.replace(b"w(b'# every", b"raise OSError(28)#"))
    desk.plugs_in(full)
    with pytest.raises(DeviceError, match=f"there is no room left on the board at {full.path}"):
        flashed(full, SMALL)


@pytest.mark.long
def test_a_board_that_is_unplugged_meanwhile_is_reported(desk: FakeComputer, flashed: Callable[..., list[str]]) -> None:
    pico = desk.plugs_in(Pico(desk.root, BOARD, unplugged_at=b"w(b'# every"))
    with pytest.raises(DeviceError, match="went away: plug it in again, and flash it again"):
        flashed(pico, SMALL)


@pytest.mark.long
def test_a_board_that_answers_with_another_version_is_reported(
    desk: FakeComputer, flashed: Callable[..., list[str]]
) -> None:
    pico = desk.plugs_in(Pico(desk.root, BOARD))
    other = {**SMALL, "/lib/tapshared/version.py": b'FIRMWARE = "0.9.0"'}
    with pytest.raises(DeviceError, match=f"board {BOARD} answers with firmware 0.9.0, not {FIRMWARE}: flash it again"):
        flashed(pico, other)


def test_a_board_whose_firmware_fails_is_reported_with_what_it_said(
    desk: FakeComputer, flashed: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flashing, "START_S", 2.0)
    pico = Pico(desk.root, BOARD, breaks=b"ImportError: no module named 'seatboard.spi'\r\n")
    pico.put(SMALL)
    desk.plugs_in(pico)
    said = "doesn't say hello, but: ImportError: no module named 'seatboard.spi'; unplug it"
    with pytest.raises(DeviceError, match=re.escape(said)):
        flashed(pico, SMALL)


def test_a_port_that_is_in_use_or_gone_is_reported(desk: FakeComputer, flashed: Callable[..., list[str]]) -> None:
    pico = desk.plugs_in(Pico(desk.root, BOARD))
    with open_path(str(pico.path)), pytest.raises(DeviceError, match="is in use: stop the table first"):
        flashed(pico, SMALL)
    with pytest.raises(DeviceError, match="there is no port /dev/nothing"):
        flash(Path("/dev/nothing"), SMALL, None, lambda _board: None, print)


@pytest.mark.skipif(not DENIED.exists(), reason="no file here that even root may not write to")
def test_a_port_that_may_not_be_opened_is_reported() -> None:
    with pytest.raises(DeviceError, match="may not be opened: be root, or a member of the group dialout"):
        flash(DENIED, SMALL, None, lambda _board: None, print)


def test_where_mpremote_finds_no_prompt_that_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = CompletedProcess([], 1, "", "mpremote.transport.TransportError: could not enter raw repl\n")
    monkeypatch.setattr(flashing.subprocess, "run", lambda *_, **__: said)
    with pytest.raises(DeviceError, match="doesn't come to MicroPython's prompt: unplug it"):
        flashing.Remote(tmp_path).survey()


@pytest.mark.long  # for which mpremote takes 10 s
def test_something_that_never_comes_to_a_prompt_is_reported(tmp_path: Path) -> None:
    plug = Plug()
    link = tmp_path / "link"  # mpremote waits for ever for what is named as a pseudo-terminal
    link.symlink_to(plug.path)
    with pytest.raises(DeviceError, match="doesn't come to MicroPython's prompt: unplug it"):
        flash(link, SMALL, None, lambda _board: None, print)
    plug.close()


@pytest.mark.parametrize("said", ["", "Traceback:\nMemoryError: ", "[]", '{"port": "rp2"}', "null"])
def test_an_output_that_is_no_survey_is_reported(said: str) -> None:
    with pytest.raises(DeviceError, match="the board was asked for its files, and said: "):
        read_survey(said)
