"""Seat boards on a USB of the kernel's: pyserial on a real /dev/ttyACM. At the other end is the Python model of a
board, with the code that the firmware shares: this kernel runs no programs of 32 bits, as the VM in the tests is."""

from __future__ import annotations

import asyncio
import itertools
import os
import time

import pytest
import serial
from deadline import DEADLINE_S
from hardware.talk import Talk
from taptable.core.cues import SeatLights
from taptable.core.errors import DeviceError
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.bus import usb_socket
from taptable.drivers.board.port import PENDING_BYTES, BoardPort, find_port, open_by_identity, open_path

from kernel.sockets import GadgetSockets, Socket

pytestmark = pytest.mark.long
BOARD = "e6614103e7a2b3c4"
OTHER = "e6614103e7a2b3c5"
UID = "04a2b3c4d5e680"


async def test_the_table_finds_its_board_speaks_with_it_and_takes_it_back_after_the_plug_was_out() -> None:
    loop = asyncio.get_running_loop()
    board = VirtualBoard(BOARD, GadgetSockets({BOARD: 0}), loop)
    board.plug_in()
    async with Talk(lambda _: open_by_identity(BOARD)) as talk:
        assert (await talk.wait_until_connected()).fields["board"] == BOARD
        await talk.show(SeatLights("your-turn", "on"))
        await talk.until("the board's ring shows it", lambda: board.ring.pattern == "your-turn")
        board.press()
        board.put(UID)
        await talk.until(
            "press and card are told", lambda: {verb for verb, _ in talk.event_verbs()} >= {"press", "tag"}
        )
        board.release()
        await talk.until("the release is told", lambda: talk.event_verbs()[-1][0] == "release")
        boot = board.boot
        board.pull_out()
        board.plug_in()
        await talk.until("it says hello again", lambda: talk.hellos[-1].fields["boot"] == boot + 1)
        board.press()
        await talk.until("another press is told", lambda: [verb for verb, _ in talk.event_verbs()].count("press") == 2)
    board.pull_out()


def test_boards_are_distinguished_by_their_numbers_with_and_without_udev_s_names() -> None:
    for number, board in enumerate((BOARD, OTHER)):
        Socket(number, board).plug_in(named=False)
    ports = {board: find_port(board) for board in (BOARD, OTHER)}
    assert set(ports.values()) == {"/dev/ttyACM0", "/dev/ttyACM1"}
    assert find_port("e6614103e7a2b3c6") is None
    for port in ports.values():
        place = usb_socket(str(port))
        assert place is not None


def test_who_has_the_port_has_it_alone() -> None:
    socket = Socket(0, BOARD)
    with pytest.raises(DeviceError, match=f"no USB serial port has the serial number of board {BOARD}"):
        open_by_identity(BOARD)
    path = socket.plug_in()
    with open_path(path), pytest.raises(serial.SerialException, match="exclusively lock"):
        open_path(path)
    with open_by_identity(BOARD) as port:
        os.write(socket.descriptor, b"hello\n")
        port.timeout = DEADLINE_S
        assert port.read(6) == b"hello\n"


async def test_a_board_that_doesn_t_read_holds_nobody_up_and_gets_whole_sentences_afterwards() -> None:
    socket = Socket(0, BOARD)
    socket.plug_in()
    closed: list[str] = []
    port = BoardPort(BOARD, open_by_identity, lambda: None, lambda _: None, closed.append)
    port.open()
    began_s = time.monotonic()
    sentences = [b"%06d %s\n" % (number, b"x" * 80) for number in range(2000)]
    for sentence in sentences:
        port.write(sentence)
    assert time.monotonic() - began_s < 2
    await asyncio.sleep(0.2)
    got = b""
    while read := await all_of(socket.descriptor):
        got += read
    lines = got.splitlines(keepends=True)
    assert set(lines) <= set(sentences)
    assert lines == sorted(lines)
    assert PENDING_BYTES < len(got) < sum(map(len, sentences))
    assert closed == []
    port.close()


async def all_of(descriptor: int) -> bytes:
    """The bytes that come within a moment."""
    await asyncio.sleep(0.1)
    try:
        return os.read(descriptor, 65536)
    except BlockingIOError:
        return b""


def say(descriptor: int, words: bytes) -> int:
    """Write to the port, and return how many bytes it accepts now."""
    try:
        return os.write(descriptor, words)
    except BlockingIOError:
        return 0


async def test_a_port_that_nobody_reads_holds_up_no_board_and_is_open_afterwards() -> None:
    socket = Socket(0, BOARD)
    path = socket.plug_in()
    with open_path(path):
        said = itertools.takewhile(bool, (say(socket.descriptor, b"y" * 64) for _ in itertools.count()))
        assert sum(said) > 4096
    received: list[bytes] = []
    port = BoardPort(BOARD, open_by_identity, lambda: None, received.append, received.append)
    port.open()
    await asyncio.sleep(0.2)
    os.write(socket.descriptor, b"z\n")
    async with asyncio.timeout(DEADLINE_S):
        while not b"".join(received).endswith(b"z\n"):
            await asyncio.sleep(0.01)
    port.close()
