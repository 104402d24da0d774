"""The table's own side of the wire, in a conversation with a board under test. It stores the board's messages, and does
not know whether the board is real."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PI
from taptable.core.cues import SeatLights
from taptable.core.settings import US_PER_S
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import BoardEvent, BoardLost, GainReport, LinkEvent
from taptable.drivers.board.port import BoardPort, OpenPort

DEADLINE_S = 20.0
"""Any board does and answers everything within this time."""


class Talk:
    """A conversation with the one board at a port. It acknowledges the board's events, since nobody needs them later.
    `bounds_us` are of the stamps in its pongs, `round_trips_us` from each ping to its pong."""

    def __init__(self, open_port: OpenPort) -> None:
        self.hellos: list[Message] = []
        self.healths: list[Message] = []
        self.events: list[BoardEvent] = []
        self.bounds_us: list[int] = []
        self.round_trips_us: list[int] = []
        self.shown = 0
        """The number of the light that the board's last pong names."""
        self._trouble = ""
        self._link: BoardLink | None = None
        self._light = 0
        self._sent_us: dict[int, int] = {}
        self._from_board, self._from_pi = Lines(BOARD), Lines(PI)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._heard = asyncio.Event()
        self._port = BoardPort("", open_port, self._opened, self._received, self._closed)

    async def __aenter__(self) -> Talk:
        self._port.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._port.close()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def link(self) -> BoardLink:
        """The table's side, once the board has identified itself."""
        assert self._link is not None, "the board hasn't said hello yet"
        return self._link

    @property
    def now_us(self) -> int:
        """The present time on the clock to which stamps are converted."""
        return round(self._loop.time() * US_PER_S)

    async def until(self, what: str, fits: Callable[[], Any], within_s: float = DEADLINE_S) -> None:
        """Wait until this is so; the test fails where it doesn't come about."""
        try:
            async with asyncio.timeout(within_s):
                while not fits():
                    self._heard.clear()
                    await self._heard.wait()
        except TimeoutError:
            pytest.fail(f"{what}: not within {within_s:.0f} s. {self._trouble}")

    async def wait_until_connected(self) -> Message:
        """The hello of a board that has answered pings as well."""
        await self.until("the board says hello", lambda: self.hellos)
        await self.until("it answers a ping", lambda: self.bounds_us)
        return self.hellos[-1]

    async def show(self, light: SeatLights) -> None:
        """Let the board show this, and wait until it confirms that."""
        self.link.show(light, self.now_us)
        self._pump()
        await self.until(f"it shows {light.pattern}", lambda: self.shown == self._light)

    async def set_gain(self, gain_db: int) -> GainReport:
        """Set the gain of the board's reader, and wait for its report."""
        self.link.set_gain(gain_db, self.now_us)
        self._pump()
        await self.until(f"it hears with {gain_db} dB", lambda: self.link.gain_report)
        assert self.link.gain_report is not None
        return self.link.gain_report

    def reset(self) -> None:
        """Restart the board."""
        self.link.reset()
        self._pump()

    def event_verbs(self) -> list[tuple[str, str]]:
        """The events: the verb of each, with `lying` or `again` if the message had it."""
        return [(event.message.verb, str(event.message.fields.get("how", ""))) for event in self.events]

    def _opened(self) -> None:
        self._from_board.drop_partial()
        if self._link is None:
            self._port.write(encode(Message("hello?", {})))
        else:
            self._link.port_opened(self.now_us)
            self._pump()

    def _closed(self, reason: str) -> None:
        self._trouble = reason
        if self._link is not None:
            self._note(self._link.port_closed(reason))
            self._pump()

    def _received(self, data: bytes) -> None:
        now_us = self.now_us
        messages = self._from_board.feed(data)
        greeting = next((message for message in messages if message.verb == "hello"), None)
        if self._link is None and greeting is not None:
            self._link = BoardLink(str(greeting.fields["board"]), lambda _board, _boot: 0)
            self._link.port_opened(now_us)
        if self._link is not None:
            self._note(self._link.data_received(data, now_us))
            while (event := self._link.next_event()) is not None:
                self.events.append(event)
                self._link.acknowledge(event.origin)
            self._keep(messages, now_us)
            self._pump()
        self._heard.set()

    def _keep(self, messages: list[Message], now_us: int) -> None:
        for message in messages:
            fields = message.fields
            match message.verb:
                case "hello":
                    self.hellos.append(message)
                case "health":
                    self.healths.append(message)
                case "pong" if self.link.clock.is_synchronized and int(fields["ping"]) in self._sent_us:
                    self.shown = int(fields["light"])
                    self.round_trips_us.append(now_us - self._sent_us.pop(int(fields["ping"])))
                    self.bounds_us.append(self.link.clock.moment(int(fields["ticks"]), now_us).uncertainty_us)
                case _:
                    pass

    def _tick(self) -> None:
        self._note(self.link.tick(self.now_us))
        self._pump()

    def _note(self, news: list[LinkEvent]) -> None:
        for item in news:
            if isinstance(item, BoardLost):
                self._trouble = f"It {item.reason}."

    def _pump(self) -> None:
        """Send what is due, and wake when the link needs it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        sentences = self.link.take_outgoing()
        for message in self._from_pi.feed(sentences):
            if message.verb == "ping":
                self._sent_us[message.number] = self.now_us
            elif message.verb == "light":
                self._light = message.number
        self._port.write(sentences)
        if self.link.due_us is not None:
            self._timer = self._loop.call_later((self.link.due_us - self.now_us) / US_PER_S, self._tick)
