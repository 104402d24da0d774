"""A call to one board, for as long as it takes to learn its state, for the doctor. It acknowledges no event: all stay
on the board. Must not judge what it learns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tapshared.lines import Lines
from tapshared.sentences import Message
from tapshared.verbs import BOARD
from tapshared.version import ANCHORS_SINCE, GAIN_SINCE, READER_COUNTS_SINCE

from taptable.drivers.board.bus import BusClock
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import BoardLost, LinkEvent, ReaderCounts
from taptable.drivers.board.port import BoardPort, OpenPort
from taptable.drivers.board.versions import is_since

HELLO_S = 3.0
"""A board sends hello at once when it is asked, and twice a second by itself."""
TALK_S = 6.0
"""The longest call to a board that has said hello."""
PONGS = 4
"""Answered pings after which the clock's bound doesn't improve any more on a calm line."""


class BoardCall:
    """One call. Create it on the loop that runs it. Its attributes hold what has been received; it raises nothing.
    `gain_db` is the gain that its reader shall use. `plug_in(path)` returns the clock for its anchors, for a board with
    a button; None for no anchors. `stamp` is the board's clock at the last anchor, or else pong, and when that
    arrived."""

    def __init__(
        self,
        board: str,
        open_port: OpenPort,
        now_us: Callable[[], int],
        *,
        gain_db: int | None = None,
        plug_in: Callable[[str], BusClock | None] | None = None,
    ) -> None:
        self.link = BoardLink(board, lambda _board, _boot: 0, gain_db=gain_db)
        self.hello: Message | None = None
        self.health: Message | None = None
        self.counts: ReaderCounts | None = None
        self.bound_us: int | None = None
        self.stamp: tuple[int, int] | None = None
        self._plug_in = plug_in
        self.is_open = False
        self.trouble = ""
        self._pongs = 0
        self._lines = Lines(BOARD)
        self._now_us = now_us
        self._port = BoardPort(board, open_port, self._port_opened, self._data_received, self._port_closed)
        self._received = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def path(self) -> str:
        """The path of its port, once it has been open."""
        return self._port.path

    @property
    def firmware(self) -> str | None:
        """The firmware version in its hello, which must be of this version of the wire."""
        return None if self.hello is None else str(self.hello.fields.get("firmware", ""))

    async def run(self) -> None:
        """Talk to the board, and close its port again."""
        self._port.open()
        try:
            if self.is_open and await self._wait_until(lambda: self.hello is not None, HELLO_S) and not self.trouble:
                await self._talk()
        finally:
            self._port.close()
            if self._timer is not None:
                self._timer.cancel()

    async def _talk(self) -> None:
        """Talk to a board that has sent hello."""
        await self._wait_until(self._is_complete, TALK_S)

    def _is_complete(self) -> bool:
        firmware = self.firmware or ""
        return (
            self.health is not None
            and self._pongs >= PONGS
            and (
                self.link.bus_clock is None
                or self.link.bus_clock.is_synchronized
                or not is_since(ANCHORS_SINCE, firmware)
            )
            and (self.link.gain_report is not None or not is_since(GAIN_SINCE, firmware))
            and (self.counts is not None or not is_since(READER_COUNTS_SINCE, firmware))
        )

    async def _wait_until(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Wait for a condition. Return False if it wasn't met in time or the port was lost."""
        try:
            async with asyncio.timeout(timeout_s):
                while not condition() and self.is_open:
                    self._received.clear()
                    await self._received.wait()
        except TimeoutError:
            return False
        return self.is_open

    def _port_opened(self) -> None:
        self.is_open = True
        if self._plug_in is not None:
            self.link.bus_clock = self._plug_in(self.path)
        self.link.port_opened(self._now_us())
        self._pump()

    def _port_closed(self, reason: str) -> None:
        self.is_open = False
        self.trouble = reason
        self._received.set()

    def _data_received(self, data: bytes) -> None:
        now_us = self._now_us()
        self._note(self.link.data_received(data, now_us))
        for message in self._lines.feed(data):
            match message.verb:
                case "hello":
                    self.hello = message
                case "health":
                    self.health = message
                case "pong" if self.link.clock.is_synchronized:
                    self._pongs += 1
                    self.bound_us = self.link.clock.moment(int(message.fields["ticks"]), now_us).uncertainty_us
                    if self.link.bus_clock is None or not self.link.bus_clock.is_synchronized:
                        self.stamp = int(message.fields["ticks"]), now_us
                case "anchor":
                    self.stamp = int(message.fields["by"]), now_us
                case _:
                    pass
        self._received.set()
        self._pump()

    def _tick(self) -> None:
        self._note(self.link.tick(self._now_us()))
        self._pump()

    def _note(self, events: list[LinkEvent]) -> None:
        for item in events:
            if isinstance(item, BoardLost):
                self.trouble = item.reason
            elif isinstance(item, ReaderCounts):
                self.counts = item

    def _pump(self) -> None:
        """Send what is due, and schedule the link's next tick."""
        if self._timer is not None:
            self._timer.cancel()
        self._port.write(self.link.take_outgoing())
        due_us = self.link.due_us
        if due_us is not None:
            self._timer = asyncio.get_running_loop().call_later((due_us - self._now_us()) / 1_000_000, self._tick)
