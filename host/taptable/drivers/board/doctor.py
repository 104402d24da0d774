"""The seat boards: plugged in, open, answering, with firmware that fits, in good health, and with a clock that can be
told; and boards that are plugged in and stand in no configuration. Each is called as the daemon does it, for as long as
it takes to hear all that; events stay with it: none is acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import partial

from tapshared.lines import Lines
from tapshared.sentences import Message
from tapshared.verbs import BOARD, PROTOCOL
from tapshared.version import COUNTS_READER, FIRMWARE, OLDEST, TAKES_GAIN, TELLS_ANCHORS

from taptable.config import OnGpio
from taptable.config.model import GAIN_DB
from taptable.core.device_events import part_at
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.devices import seats_that_buzz
from taptable.doctor.computer import BOOTLOADERS, RASPBERRY_PI, plugged_in, port_of, twins_in
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.order import Stamps, examine_order
from taptable.doctor.site import Site, closed
from taptable.drivers.board.bus import Bus, BusClock
from taptable.drivers.board.link import Link
from taptable.drivers.board.link_events import BoardLost, LinkEvent, ReaderCounts
from taptable.drivers.board.port import OpenPort, Port, TwinBoards
from taptable.drivers.board.versions import Fit, is_since, verdict_on
from taptable.drivers.gpio.doctor import open_factory
from taptable.drivers.gpio.header import stamp_uncertainty_us
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth
from taptable.drivers.spi.doctor import judge_counts

HELLO_S = 3.0
"""A board says hello at once when it is asked, and twice a second of its own accord."""
TALK_S = 6.0
PONGS = 4
"""Answered pings, after which the bound of the clock is as good as it gets on a calm line."""


class Call:
    """To be made on the loop that runs it. What was heard so far stands in its attributes; nothing is raised.
    `gain_db`: what its reader is to hear with. `plug_in(path)`: what its anchors go to, as of a board whose button may
    buzz; None where that isn't so. `stamp`: its clock at the last anchor, or else pong, and when that arrived."""

    def __init__(
        self,
        board: str,
        open_port: OpenPort,
        now_us: Callable[[], int],
        *,
        gain_db: int | None = None,
        plug_in: Callable[[str], BusClock | None] | None = None,
    ) -> None:
        self.link = Link(board, lambda _board, _boot: 0, gain_db=gain_db)
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
        self._port = Port(board, open_port, self._opened, self._received, self._closed)
        self._heard = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def path(self) -> str:
        """Of its port, once it was open."""
        return self._port.path

    @property
    def firmware(self) -> str | None:
        """What it says that it has, in this version of the wire."""
        return None if self.hello is None else str(self.hello.fields.get("firmware", ""))

    async def make(self) -> None:
        """Speak with the board, and close its port again."""
        self._port.open()
        try:
            if self.is_open and await self._hears(lambda: self.hello is not None, HELLO_S) and not self.trouble:
                await self._talk()
        finally:
            self._port.close()
            if self._timer is not None:
                self._timer.cancel()

    async def _talk(self) -> None:
        """With a board that has said hello."""
        await self._hears(self._has_heard_all, TALK_S)

    def _has_heard_all(self) -> bool:
        firmware = self.firmware or ""
        return (
            self.health is not None
            and self._pongs >= PONGS
            and (self.link.bus_clock is None or self.link.bus_clock.known or not is_since(TELLS_ANCHORS, firmware))
            and (self.link.gain_report is not None or not is_since(TAKES_GAIN, firmware))
            and (self.counts is not None or not is_since(COUNTS_READER, firmware))
        )

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
        if self._plug_in is not None:
            self.link.bus_clock = self._plug_in(self.path)
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
                    if self.link.bus_clock is None or not self.link.bus_clock.known:
                        self.stamp = int(message.fields["ticks"]), now_us
                case "anchor":
                    self.stamp = int(message.fields["by"]), now_us
                case _:
                    pass
        self._heard.set()
        self._pump()

    def _tick(self) -> None:
        self._note(self.link.tick(self._now_us()))
        self._pump()

    def _note(self, news: list[LinkEvent]) -> None:
        for item in news:
            if isinstance(item, BoardLost):
                self.trouble = item.reason
            elif isinstance(item, ReaderCounts):
                self.counts = item

    def _pump(self) -> None:
        """Send what is to be sent, and wake when the link wants to."""
        if self._timer is not None:
            self._timer.cancel()
        self._port.write(self.link.outgoing())
        due_us = self.link.due_us
        if due_us is not None:
            self._timer = asyncio.get_running_loop().call_later((due_us - self._now_us()) / 1_000_000, self._tick)


SCARCE_MEMORY_BYTES = 16_000
WIDE_BOUND_US = 8_000

_UF2 = "Copy MicroPython's .uf2 file for this Pico onto the drive that it shows"
_TWINS = (
    "Unplug one of them: they can't be told apart, so a table takes only one. Another Pico takes the other's place."
)
_PLUG = "Plug it in, with a cable that carries data and not only power; try another socket of the hub."


async def examine_boards(site: Site) -> AsyncIterator[Finding]:
    """The boards of all pads, which are called at the same time, and then those nobody named."""
    loop = asyncio.get_running_loop()
    boards = site.config.boards
    buzzing = seats_that_buzz(site.config)
    bus = Bus(len(buzzing), len(buzzing) < len(site.config.seats))
    if not boards:
        yield skipped("usb", "boards", "the table has no seat boards")
    there: dict[Pad, Call] = {}
    findings: dict[Pad, list[Finding]] = {}
    for pad, board in boards.items():
        findings[pad] = [_usb(site, pad, board)]
        if findings[pad][0].state == "ok" and site.held_by is None:
            there[pad] = Call(
                board,
                site.openers.port,
                lambda: round(loop.time() * US_PER_S),
                gain_db=site.config.all_pads[pad].gain_db,
                plug_in=partial(_plug_in, site, bus, pad) if pad in buzzing else None,
            )
    await asyncio.gather(*(call.make() for call in there.values()))
    for pad, board in boards.items():
        for finding in findings[pad]:
            yield finding
        if findings[pad][0].state == "ok":
            path = there[pad].path if pad in there else ""
            yield _socket(site, pad, path or str(port_of(site.computer, board)))
        if pad in there:
            for finding in _answers(pad, there[pad], site.config.all_pads[pad].gain_db):
                yield finding
        elif site.held_by is not None and findings[pad][0].state == "ok":
            yield unseen("hello", part_at("board", pad), f"in use by {site.held_by}", site.stop_it)
    for finding in _order(site, there, bus):
        yield finding
    for finding in _strangers(site):
        yield finding


def _plug_in(site: Site, bus: Bus, seat: int, path: str) -> BusClock | None:
    return bus.plug_in(seat, site.openers.socket_of(path))


def _order(site: Site, calls: Mapping[Pad, Call], bus: Bus) -> Iterator[Finding]:
    """How close two presses may be, as they would be placed now."""
    if site.held_by is not None:
        yield unseen("order", "buttons", f"in use by {site.held_by}", site.stop_it)
        return
    factory = open_factory(site) if site.buttons else None
    buttons: dict[int, Stamps] = {}
    for seat, parts in enumerate(site.config.seats, 1):
        call = calls.get(seat)
        if isinstance(parts.button, OnGpio):
            if factory is not None:
                buttons[seat] = Stamps(parts.button, None, stamp_uncertainty_us(factory))
        elif call is not None and call.stamp is not None:
            ticks, arrived_us = call.stamp
            made = bus.press(seat, ticks, call.link.clock.moment(ticks, arrived_us), arrived_us)
            buttons[seat] = Stamps(parts.button, bus.sockets.get(seat), made.uncertainty_us)
    yield from examine_order(buttons, by_bus=bus.orders)


def _usb(site: Site, pad: Pad, board: str) -> Finding:
    part = part_at("board", pad)
    try:
        path = port_of(site.computer, board)
    except TwinBoards:
        return fault("usb", part, f"two boards say that they are {board}", _TWINS)
    if path is None:
        waiting = [device for device in plugged_in(site.computer) if device.product in BOOTLOADERS]
        todo = f"{_UF2}, then `taptable flash {pad}`." if waiting else _PLUG
        return fault("usb", part, f"no USB serial port says that it is board {board}", todo)
    return closed(site.computer, path, "usb", part) or ok("usb", part, f"{path} is there")


def _socket(site: Site, pad: Pad, path: str) -> Finding:
    socket = site.openers.socket_of(path)
    if socket is None:
        return skipped("socket", part_at("board", pad), "it can't be told to which hub its port belongs")
    return ok("socket", part_at("board", pad), f"at hub {socket.hub_name} of controller {socket.controller_name}")


def _answers(pad: Pad, call: Call, gain_db: int) -> Iterator[Finding]:
    part = part_at("board", pad)
    if not call.is_open and call.hello is None:
        todo = "Close whatever has the port (a serial terminal, mpremote, ModemManager), or unplug it for a moment."
        yield fault("hello", part, f"its port can't be opened: {call.trouble}", todo)
        return
    if call.hello is None:
        said = " but other text" if call.link.skipped else ""
        todo = f"Unplug it and plug it in again. If it stays silent, put the firmware on it: `taptable flash {pad}`."
        yield fault("hello", part, f"it says no hello{said}", todo)
        return
    fields = call.hello.fields
    if fields["protocol"] != PROTOCOL:
        todo = _flash(pad)
        yield fault("hello", part, f"it speaks version {fields['protocol']} of the wire, not {PROTOCOL}", todo)
        return
    if fields["board"] != call.link.board:
        todo = f'Name it in table.toml as it calls itself: pad = "board:{fields["board"]}".'
        yield fault("hello", part, f"it calls itself board {fields['board']}, not {call.link.board}", todo)
        return
    yield ok("hello", part, f"it answers: boot {fields['boot']}, {fields['pixels']} pixels, {fields['buttons']} button")
    firmware = _firmware(part, pad, str(fields["firmware"]))
    yield firmware
    if firmware.state == "fault":
        return  # the table doesn't talk to it, nor does the doctor
    yield _gain(pad, call, gain_db)
    yield from _health(part, pad, call)
    yield _clock(part, call)


def _firmware(part: str, pad: Pad, firmware: str) -> Finding:
    match verdict_on(firmware):
        case Fit.TOO_OLD:
            found = f"firmware {firmware} is too old: the table takes {OLDEST} or later"
            return fault("firmware", part, found, _flash(pad))
        case Fit.OLDER:
            return warning("firmware", part, f"firmware {firmware} works, and {FIRMWARE} is here", _flash(pad))
        case _:
            return ok("firmware", part, f"firmware {firmware}")


def _gain(pad: Pad, call: Call, gain_db: int) -> Finding:
    part, firmware = part_at("pad", pad), call.firmware or ""
    if not is_since(TAKES_GAIN, firmware) and gain_db != GAIN_DB:
        found = f"its reader hears with {GAIN_DB} dB, not with {gain_db}: firmware {firmware} takes no gain"
        return warning("gain", part, found, _flash(pad))
    if is_since(TAKES_GAIN, firmware) and call.link.gain_report is None:
        return skipped("gain", part, "its board doesn't say with which gain its reader hears")
    return ok("gain", part, f"its reader hears with {gain_db} dB")


def _health(part: str, pad: Pad, call: Call) -> Iterator[Finding]:
    if call.health is None:
        yield warning("health", part, "it doesn't say how it is", f"Ask again; if it stays so, `taptable flash {pad}`.")
        return
    fields = call.health.fields
    if fields["reader"] == "deaf":
        todo = "Look at the wires between board and reader: 3V3, ground, SDA, SCK, MOSI, MISO, RST."
        yield fault("board-reader", part_at("pad", pad), "its reader doesn't answer the board", todo)
    else:
        found = f"its reader answers the board; misread so far: {fields['misread']}"
        yield ok("board-reader", part_at("pad", pad), found)
    yield _counts(pad, call, int(fields["misread"]))
    free = int(fields["free"])
    if 0 < free < SCARCE_MEMORY_BYTES:
        todo = "Unplug it and plug it in again. If it comes back, tell us, with the firmware's version."
        yield warning("health", part, f"{free} bytes of memory free", todo)
    elif fields["lost"]:
        todo = "Let the table run while cards are tapped: a board keeps 64 events for a table that doesn't listen."
        yield warning("health", part, f"it had no room for {fields['lost']} events since its start", todo)
    else:
        memory = f"{free} bytes of memory free" if free else "it doesn't say how much memory is free"
        yield ok("health", part, memory)
    damaged = int(fields["damaged"]) + call.link.damaged
    if damaged:
        todo = "Take a shorter cable or a better hub, away from other wires. Nothing is lost by it: all is said again."
        yield warning("line", part, f"{damaged} sentences came to harm on the line", todo)
    else:
        yield ok("line", part, "no sentence came to harm on the line")


def _counts(pad: Pad, call: Call, misread: int) -> Finding:
    part, firmware, counts = part_at("pad", pad), call.firmware or "", call.counts
    if counts is not None:
        health = ReaderHealth(counts.set_ups, counts.wrong, counts.healed, counts.unread, misread)
        return judge_counts(part, health)
    if misread >= MANY_IN_ALL or is_since(COUNTS_READER, firmware):
        return judge_counts(part, ReaderHealth(misread=misread))
    return skipped("counts", part, f"firmware {firmware} doesn't count how often its reader is set up")


def _clock(part: str, call: Call) -> Finding:
    if call.bound_us is None:
        found = "it answers no ping, so its presses can't be placed in time"
        return warning("clock", part, found, "Unplug it for a moment.")
    found = f"its stamps are good to ± {call.bound_us / 1000:.1f} ms"
    if call.bound_us > WIDE_BOUND_US:
        return warning("clock", part, found, "Take it off a crowded hub, or give the Pi less to do, and ask again.")
    return ok("clock", part, found)


def _strangers(site: Site) -> Iterator[Finding]:
    """Boards that wait for firmware, and boards that no pad names."""
    named = set(site.config.boards.values())
    twins = twins_in(site.computer)
    for board in twins:
        yield fault("twins", "USB", f"two boards say that they are {board}", _TWINS)
    for device in plugged_in(site.computer):
        if device.vendor != RASPBERRY_PI:
            continue
        if device.product in BOOTLOADERS:
            chip = BOOTLOADERS[device.product]
            todo = f"{_UF2}, then `taptable flash`."
            yield warning("bootsel", "USB", f"a Pico with an {chip} waits for MicroPython (BOOTSEL)", todo)
        elif device.serial and device.serial not in {*named, *twins} and port_of(site.computer, device.serial):
            todo = f'To use it, write into the section of its pad, such as [[seats]]: pad = "board:{device.serial}".'
            yield warning("unnamed", "USB", f"board {device.serial} is plugged in, and no pad has it", todo)


def _flash(pad: Pad) -> str:
    return f"Put the firmware of this version on it: `taptable flash {pad}`."
