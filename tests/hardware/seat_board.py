"""A seat board to be tested: a real one at its port, or the firmware in the VM; and the table's own side of the wire,
speaking with whichever it is. What the board says is kept."""

from __future__ import annotations

import asyncio
import termios
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

import pytest
import serial
from table.rig import in_given_time
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PI
from taptable.core.settings import US_PER_S
from taptable.daemon.clock import SteadyLoop
from taptable.edges.boards.link import Link
from taptable.edges.boards.news import Event, Light, Missed, News
from taptable.edges.boards.port import OpenPort, Port, open_path
from taptable.sim.given_time import GivenTimeLoop
from taptable.sim.usb import Sockets
from taptable.sim.vm.board import VmBoard
from taptable.sim.vm.flash import make_flash

DEADLINE_S = 20.0
"""Any board says and does everything it is asked in less."""
_MODEL_ID = "e6614103e7a2b3c4"
_MODEL_UIDS = {4: "5e21c0a7", 7: "04a2b3c4d5e680"}
_PRESS_S = 0.12


class Talk:
    """A conversation with the one board at a port. Its events are acknowledged, since nobody wants them later.
    `bounds_us` are of the stamps in its pongs, `round_trips_us` from each ping to its pong."""

    def __init__(self, open_port: OpenPort) -> None:
        self.hellos: list[Message] = []
        self.healths: list[Message] = []
        self.events: list[Event] = []
        self.bounds_us: list[int] = []
        self.round_trips_us: list[int] = []
        self.shown = 0
        """The number of the light that the board's last pong names."""
        self._trouble = ""
        self._link: Link | None = None
        self._light = 0
        self._sent_us: dict[int, int] = {}
        self._from_board, self._from_pi = Lines(BOARD), Lines(PI)
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._heard = asyncio.Event()
        self._port = Port("", open_port, self._opened, self._received, self._closed)

    async def __aenter__(self) -> Talk:
        self._port.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._port.close()
        if self._timer is not None:
            self._timer.cancel()

    @property
    def link(self) -> Link:
        """The table's side, once the board has said who it is."""
        assert self._link is not None, "the board hasn't said hello yet"
        return self._link

    @property
    def now_us(self) -> int:
        """The time in which stamps are told."""
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

    async def met(self) -> Message:
        """The hello of a board that has answered pings as well."""
        await self.until("the board says hello", lambda: self.hellos)
        await self.until("it answers a ping", lambda: self.bounds_us)
        return self.hellos[-1]

    async def show(self, light: Light) -> None:
        """Let it show this, and wait until it says that it does."""
        self.link.show(light, self.now_us)
        self._pump()
        await self.until(f"it shows {light.pattern}", lambda: self.shown == self._light)

    def reset(self) -> None:
        """Let it start anew."""
        self.link.reset()
        self._pump()

    def told(self) -> list[tuple[str, str]]:
        """The events: each one's verb, with `lying` or `again` where that was said."""
        return [(event.message.verb, str(event.message.fields.get("how", ""))) for event in self.events]

    def _opened(self) -> None:
        self._from_board.forget()
        if self._link is None:
            self._port.write(encode(Message("hello?", {})))
        else:
            self._link.opened(self.now_us)
            self._pump()

    def _closed(self, reason: str) -> None:
        self._trouble = reason
        if self._link is not None:
            self._note(self._link.closed(reason))
            self._pump()

    def _received(self, data: bytes) -> None:
        now_us = self.now_us
        messages = self._from_board.feed(data)
        greeting = next((message for message in messages if message.verb == "hello"), None)
        if self._link is None and greeting is not None:
            self._link = Link(str(greeting.fields["board"]), lambda _board, _boot: 0)
            self._link.opened(now_us)
        if self._link is not None:
            self._note(self._link.received(data, now_us))
            while (event := self._link.event()) is not None:
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
                case "pong" if self.link.clock.known and int(fields["ping"]) in self._sent_us:
                    self.shown = int(fields["light"])
                    self.round_trips_us.append(now_us - self._sent_us.pop(int(fields["ping"])))
                    self.bounds_us.append(self.link.clock.moment(int(fields["ticks"]), now_us).uncertainty_us)
                case _:
                    pass

    def _tick(self) -> None:
        self._note(self.link.tick(self.now_us))
        self._pump()

    def _note(self, news: list[News]) -> None:
        for item in news:
            if isinstance(item, Missed):
                self._trouble = f"It {item.reason}."

    def _pump(self) -> None:
        """Send what is to be sent, and wake when the link wants to."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        sentences = self.link.outgoing()
        for message in self._from_pi.feed(sentences):
            if message.verb == "ping":
                self._sent_us[message.number] = self.now_us
            elif message.verb == "light":
                self._light = message.number
        self._port.write(sentences)
        if self.link.due_us is not None:
            self._timer = self._loop.call_later((self.link.due_us - self.now_us) / US_PER_S, self._tick)


class Hand(Protocol):
    """Does what is to be done at a board."""

    def lay(self, uid_bytes: int) -> None:
        """Lay a card with a UID of so many bytes."""
        ...

    def lift(self) -> None:
        """Lift it."""
        ...

    def press(self) -> None:
        """Press the button and let it go."""
        ...


class SeatBoard(Protocol):
    """A board, its port, and the folder that names ports by boards' ids."""

    hand: Hand
    port: Path
    links: Path

    def talk(self, conversation: Callable[[Talk], Coroutine[Any, Any, None]]) -> None:
        """Run a conversation with it to its end."""
        ...


class RealSeatBoard:
    """At the end of a cable, in real time. The test fails where its port can't be opened."""

    links = Path("/dev/serial/by-id")

    def __init__(self, port: Path, hand: Hand) -> None:
        try:
            open_path(str(port)).close()
        except (OSError, termios.error) as error:
            pytest.fail(f"--seat-port: {error}. Is the board flashed and plugged in, and the table stopped?")
        self.port = port
        self.hand = hand

    def talk(self, conversation: Callable[[Talk], Coroutine[Any, Any, None]]) -> None:
        """See `SeatBoard`."""

        async def whole() -> None:
            async with Talk(lambda _: open_path(str(self.port))) as talk:
                await conversation(talk)

        with asyncio.Runner(loop_factory=SteadyLoop) as runner:
            runner.run(whole())


class ModelSeatBoard:
    """The firmware in the VM, in given time."""

    def __init__(self, program: Path, folder: Path) -> None:
        self.links = folder / "by-id"
        self.links.mkdir()
        self.port = self.links / f"usb-MicroPython_Board_in_FS_mode_{_MODEL_ID}-if00"
        self.hand: Hand = self
        self._program = program
        self._flash = make_flash(folder / "flash")
        self._sockets = Sockets()
        self._board: VmBoard | None = None
        self._lying = ""

    def talk(self, conversation: Callable[[Talk], Coroutine[Any, Any, None]]) -> None:
        """See `SeatBoard`."""

        async def whole() -> None:
            loop = asyncio.get_running_loop()
            assert isinstance(loop, GivenTimeLoop)
            self._board = VmBoard(_MODEL_ID, self._sockets, loop, self._program, self._flash)
            self._board.plug_in()
            try:
                async with Talk(self._open) as talk:
                    await conversation(talk)
            finally:
                print(self._board.printed())  # a traceback, if the firmware has ended by one
                self._board.pull_out()

        in_given_time(whole)

    @property
    def board(self) -> VmBoard:
        """It, while it is spoken with."""
        assert self._board is not None
        return self._board

    def lay(self, uid_bytes: int) -> None:
        """See `Hand`."""
        self._lying = _MODEL_UIDS[uid_bytes]
        self.board.put(self._lying)

    def lift(self) -> None:
        """See `Hand`."""
        self.board.lift(self._lying)

    def press(self) -> None:
        """See `Hand`."""
        self.board.press()
        asyncio.get_running_loop().call_later(_PRESS_S, self.board.release)

    def _open(self, _: str) -> serial.Serial:
        """What udev does when a board appears: its link leads to the port that it has now."""
        opened = self._sockets.open(_MODEL_ID)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(str(opened.port))
        return opened
