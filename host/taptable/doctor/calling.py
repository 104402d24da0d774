"""A call to one seat board: its port is opened as the daemon does it, the wire is spoken for as long as it takes to
hear who is there, how it is, and how well its clock can be told. Events of the board stay with it: none is
acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tapshared.lines import Lines
from tapshared.sentences import Message
from tapshared.verbs import BOARD

from taptable.edges.boards.link import Link, Missed, News
from taptable.edges.boards.port import OpenPort, Port

HELLO_S = 3.0
"""A board says hello at once when it is asked, and twice a second of its own accord."""
TALK_S = 6.0
PONGS = 4
"""Answered pings, after which the bound of the clock is as good as it gets on a calm line."""


class Call:
    """To be made on the loop that runs it. What was heard so far stands in its attributes; nothing is raised."""

    def __init__(self, board: str, open_port: OpenPort, now_us: Callable[[], int]) -> None:
        self.link = Link(board, lambda _board, _boot: 0)
        self.hello: Message | None = None
        self.health: Message | None = None
        self.bound_us: int | None = None
        self.is_open = False
        self.trouble = ""
        self._pongs = 0
        self._lines = Lines(BOARD)
        self._now_us = now_us
        self._port = Port(board, open_port, self._opened, self._received, self._closed)
        self._heard = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    async def make(self) -> None:
        """Speak with the board, and close its port again."""
        self._port.open()
        try:
            if self.is_open and await self._hears(lambda: self.hello is not None, HELLO_S) and not self.trouble:
                await self._hears(lambda: self.health is not None and self._pongs >= PONGS, TALK_S)
        finally:
            self._port.close()
            if self._timer is not None:
                self._timer.cancel()

    async def _hears(self, enough: Callable[[], bool], within_s: float) -> bool:
        """Wait for it; False if it didn't come in time or the port was lost."""
        try:
            async with asyncio.timeout(within_s):
                while not enough() and self.is_open:
                    self._heard.clear()
                    await self._heard.wait()
        except TimeoutError:
            return False
        return self.is_open

    def _opened(self) -> None:
        self.is_open = True
        self.link.opened(self._now_us())
        self._pump()

    def _closed(self, reason: str) -> None:
        self.is_open = False
        self.trouble = reason
        self._heard.set()

    def _received(self, data: bytes) -> None:
        now_us = self._now_us()
        self._note(self.link.received(data, now_us))
        for message in self._lines.feed(data):
            match message.verb:
                case "hello":
                    self.hello = message
                case "health":
                    self.health = message
                case "pong" if self.link.clock.known:
                    self._pongs += 1
                    self.bound_us = self.link.clock.moment(int(message.fields["ticks"]), now_us).uncertainty_us
                case _:
                    pass
        self._heard.set()
        self._pump()

    def _tick(self) -> None:
        self._note(self.link.tick(self._now_us()))
        self._pump()

    def _note(self, news: list[News]) -> None:
        for item in news:
            if isinstance(item, Missed):
                self.trouble = item.reason

    def _pump(self) -> None:
        """Send what is to be sent, and wake when the link wants to."""
        if self._timer is not None:
            self._timer.cancel()
        self._port.write(self.link.outgoing())
        due_us = self.link.due_us
        if due_us is not None:
            self._timer = asyncio.get_running_loop().call_later((due_us - self._now_us()) / 1_000_000, self._tick)
