"""The gain of a board's reader, from the Pi's side: which board is sent it, how long it is repeated, and what a bad
line does to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tapshared.lines import Lines
from tapshared.rc522 import GAIN_DB
from tapshared.sentences import Message, encode
from tapshared.verbs import PI
from tapshared.version import FIRMWARE, GAIN_SINCE
from taptable.core.device_events import DeviceEvent, Receipt, TagCame
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.boards import Boards
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import GainReport
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise, UsbSockets
from taptable.drivers.board.versions import is_since
from taptable.drivers.interface import DeviceContext
from taptable.sim.loops import GivenTimeLoop

SECOND_US = 1_000_000
CARD = "04a2b3c4d5e680"


class Pi:
    """A link whose board is this test."""

    def __init__(self, gain_db: int | None = 48) -> None:
        self.link = BoardLink("b1", lambda _board, _boot: 0, gain_db=gain_db)
        self.link.port_opened(0)
        self._lines = Lines(PI)

    def hear_hello(self, firmware: str = FIRMWARE, boot: int = 6) -> None:
        about: dict[str, int | str] = {"protocol": 1, "board": "b1", "boot": boot, "firmware": firmware, "oldest": 1}
        self.hear("hello", **about, pads=1, pixels=12, buttons=1)

    def hear(self, verb: str, **fields: int | str) -> None:
        self.link.data_received(encode(Message(verb, dict(fields))), 0)

    def gains(self) -> list[int | str]:
        """The reports of it since the last call."""
        said = self._lines.feed(self.link.take_outgoing())
        return [message.fields["db"] for message in said if message.verb == "gain"]

    def gains_while_pinging(self, until_us: int) -> int:
        """How often the gain is sent by then, if nothing is answered."""
        count = 0
        while self.link.due_us is not None and self.link.due_us <= until_us:
            self.link.tick(self.link.due_us)
            count += len(self.gains())
        return count


def test_a_board_gets_it_when_it_is_met_and_with_each_ping_until_it_answers() -> None:
    pi = Pi()
    pi.hear_hello()
    assert pi.gains() == ["48"]
    assert pi.gains_while_pinging(SECOND_US) == 10
    pi.hear("hears", db="48", looks=0, read=0)
    assert pi.link.gain_report == GainReport(48, 0, 0)
    assert pi.gains_while_pinging(2 * SECOND_US) == 0


@pytest.mark.parametrize("firmware", ["1.0.0", "1.1.0", "virtual"])
def test_one_whose_firmware_takes_none_gets_nothing_it_would_not_understand(firmware: str) -> None:
    pi = Pi()
    pi.hear_hello(firmware)
    assert pi.gains() == []
    assert pi.gains_while_pinging(SECOND_US) == 0
    assert not is_since(GAIN_SINCE, firmware)
    assert is_since(GAIN_SINCE, GAIN_SINCE)


def test_who_wants_none_says_none() -> None:
    pi = Pi(None)
    pi.hear_hello()
    assert pi.gains() == []


def test_an_answer_to_an_earlier_gain_is_none() -> None:
    pi = Pi()
    pi.hear_hello()
    pi.link.set_gain(23, 0)
    pi.hear("hears", db="48", looks=9, read=9)
    assert pi.link.gain_report is None
    pi.hear("hears", db="23", looks=0, read=0)
    assert pi.link.gain_report == GainReport(23, 0, 0)
    pi.gains()
    pi.link.set_gain(23, 0)
    assert pi.link.gain_report is None
    assert pi.gains() == ["23"]


class Table:
    """A virtual board on a line, under the daemon's connection to it."""

    def __init__(self, loop: GivenTimeLoop, noise: CableNoise = NO_NOISE, firmware: str = FIRMWARE) -> None:
        sockets = UsbSockets()
        self.reported: list[DeviceEvent] = []
        self.board = VirtualBoard("b1", sockets, loop, noise=noise)
        self.board.firmware = firmware
        self.board.plug_in()
        self._open_port = sockets.open
        self._loop = loop

    def open(self, gains: dict[int, int]) -> Boards:
        """The daemon starts with these gains."""

        async def opened() -> Boards:
            boards = Boards(
                {1: "b1"},
                DeviceContext(self._report, lambda: int(self._loop.time() * SECOND_US), lambda uid: uid),
                self._open_port,
                gains=gains,
            )
            boards.open()
            return boards

        return self._loop.run_until_complete(opened())

    def _report(self, device_event: DeviceEvent) -> Receipt:
        self.reported.append(device_event)
        return Receipt.COMMITTED

    def close(self, boards: Boards) -> None:
        """All is over."""
        boards.close()
        self.board.pull_out()


@pytest.fixture
def loop() -> Iterator[GivenTimeLoop]:
    loop = GivenTimeLoop()
    yield loop
    loop.close()


def test_a_board_that_takes_none_is_named_in_the_log_where_another_is_wanted(
    loop: GivenTimeLoop, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(loop, firmware="1.1.0")
    boards = table.open({1: GAIN_DB})
    loop.pass_time(2.0)
    assert "Reader gain not set" not in caplog.text
    boards.close()
    boards = table.open({1: 48})
    loop.pass_time(2.0)
    assert (
        "Reader gain not set (pad 1): 33 dB, not 48, since firmware 1.1.0 can't set it: taptable flash 1"
        in caplog.messages
    )
    assert table.board.line.plugged
    table.board.put(CARD)
    loop.pass_time(1.0)
    assert {event.uid for event in table.reported if isinstance(event, TagCame)} == {CARD}
    table.close(boards)
