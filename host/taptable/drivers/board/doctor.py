"""Examines the seat boards: whether they are plugged in, open and answer, with fitting firmware, in good health, and
with a synchronized clock; and finds boards that are plugged in and stand in no configuration. Calls each board as the
daemon does, for as long as that takes. Acknowledges no event: all stay on the board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from tapshared.rc522 import GAIN_DB, GAINS
from tapshared.verbs import PROTOCOL
from tapshared.version import FIRMWARE, GAIN_SINCE, OLDEST_SUPPORTED, READER_COUNTS_SINCE

from taptable.core.device_events import part_name
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.doctor.drivers import DriverDoctor, Look, Shares, Stamps, judge_counts
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.site import ExaminedTable, access_problem
from taptable.drivers.board.boards import Boards
from taptable.drivers.board.bus import BusClock, Socket, UsbBus
from taptable.drivers.board.call import BoardCall
from taptable.drivers.board.driver import BoardDriver
from taptable.drivers.board.gains import Measurement
from taptable.drivers.board.port import TwinBoards
from taptable.drivers.board.usb import BOOTLOADERS, RASPBERRY_PI, connected_devices, find_twins, port_of
from taptable.drivers.board.versions import Fit, firmware_fit, is_since
from taptable.drivers.interface import OpenedParts, Part, PartRole
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth

SCARCE_MEMORY_BYTES = 16_000
"""With less free memory than this, a board gets a warning."""
WIDE_BOUND_US = 8_000
"""A clock whose bound is wider than this gets a warning."""

_UF2 = "Copy MicroPython's .uf2 file for this Pico onto the drive that it shows"
_TWINS = (
    "Unplug one of them, and use another Pico in its place: the table can't distinguish two boards with one number."
)
_PLUG = "Plug it in with a cable that carries data, not only power, or try another socket of the hub."


class BoardDoctor(DriverDoctor[BoardDriver]):
    """Examines the boards of all pads."""

    def __init__(self, driver: BoardDriver) -> None:
        super().__init__(driver)
        checks = ("usb", "socket", "hello", "firmware", "gain", "board-reader", "counts", "health", "line", "clock")
        self.looks = (
            Look(70, "boards", checks, self.examine_boards),
            Look(72, "boards", ("twins", "bootsel", "unnamed"), _check_unassigned),
        )
        self._calls: Mapping[Pad, BoardCall] = {}
        self._bus = UsbBus(0, False)

    async def examine_boards(self, site: ExaminedTable) -> AsyncIterator[Finding]:
        """Examine the boards of all pads. Calls them at the same time."""
        loop = asyncio.get_running_loop()
        pads = {part.pad: part for part in site.parts_of(self.driver, PartRole.PAD) if part.pad is not None}
        with_button = {part.pad for part in site.parts_of(self.driver, PartRole.BUTTON)}
        self._bus = UsbBus(len(with_button), len(with_button) < len(site.config.seats))
        if not pads:
            yield skipped("usb", "boards", "the table has no seat boards")
        calls: dict[Pad, BoardCall] = {}
        findings: dict[Pad, Finding] = {}
        for pad, part in pads.items():
            findings[pad] = _check_usb(site, pad, part.address.name)
            if findings[pad].state == "ok" and site.held_by is None:
                calls[pad] = BoardCall(
                    part.address.name,
                    self.driver.open_port,
                    lambda: round(loop.time() * US_PER_S),
                    gain_db=part.options["gain_db"],
                    plug_in=partial(self._plug_in, pad) if pad in with_button else None,
                )
        await asyncio.gather(*(call.run() for call in calls.values()))
        self._calls = calls
        for pad, part in pads.items():
            yield findings[pad]
            if findings[pad].state == "ok":
                path = calls[pad].path if pad in calls else ""
                yield _check_socket(self.driver, pad, path or str(port_of(site.computer, part.address.name)))
            if pad in calls:
                for finding in _check_answers(pad, calls[pad], part.options["gain_db"]):
                    yield finding
            elif site.held_by is not None and findings[pad].state == "ok":
                yield unseen("hello", part_name("board", pad), f"in use by {site.held_by}", site.stop_advice)

    def contact(self, part: Part) -> str:
        """Return where the wires of a button go."""
        del part
        return "Check its wires: its pin on the seat board to NO of the switch, ground to COM."

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return the stamps of the boards that were called."""
        stamps: dict[int, Stamps] = {}
        for part in site.parts_of(self.driver, PartRole.BUTTON):
            call = self._calls.get(part.pad) if isinstance(part.pad, int) else None
            if call is not None and call.stamp is not None and isinstance(part.pad, int):
                ticks, arrived_us = call.stamp
                made = self._bus.place_press(part.pad, ticks, call.link.clock.moment(ticks, arrived_us), arrived_us)
                stamps[part.pad] = self._stamps(self._bus, part.pad, made.uncertainty_us)
        return stamps

    def stamps_of(self, opened: OpenedParts, seat: int, uncertainty_us: int) -> Stamps:
        """Return the stamps of a button on a board."""
        assert isinstance(opened, Boards)
        return self._stamps(opened.bus, seat, uncertainty_us)

    async def measure_gains(self, site: ExaminedTable) -> Mapping[Pad, Shares | str]:
        """Measure the gains of all boards at once. A text in place of shares says why there are none."""
        loop = asyncio.get_running_loop()
        calls = {
            part.pad: Measurement(
                part.address.name,
                self.driver.open_port,
                lambda: round(loop.time() * US_PER_S),
                part.options["gain_db"],
            )
            for part in site.parts_of(self.driver, PartRole.PAD)
            if part.pad is not None
        }
        await asyncio.gather(*(call.run() for call in calls.values()))
        return {
            pad: call.shares if len(call.shares) == len(GAINS) else _spell_missing_gains(call)
            for pad, call in calls.items()
        }

    def _plug_in(self, pad: Pad, path: str) -> BusClock | None:
        return self._bus.plug_in(pad, self.driver.socket_of(path))

    def _stamps(self, bus: UsbBus, seat: int, uncertainty_us: int) -> Stamps:
        by = "by the frames of the bus" if bus.can_order_presses else "by the round trip to a board"
        return BoardStamps(uncertainty_us, self.driver.where, _spell_wiring, by, bus.sockets.get(seat))


@dataclass(frozen=True, slots=True)
class BoardStamps(Stamps):
    """Stamps of a board, with its socket; None if that is unknown."""

    socket: Socket | None = None


def _spell_wiring(one: Stamps, other: Stamps) -> str:
    """Return how two boards are plugged in."""
    assert isinstance(one, BoardStamps)
    assert isinstance(other, BoardStamps)
    if one.socket is None or other.socket is None:
        return "on boards, one of them at an unknown hub"
    if one.socket.controller != other.socket.controller:
        return "on boards at two controllers"
    return "on boards behind one hub" if one.socket == other.socket else "on boards behind two hubs of one controller"


def _check_usb(site: ExaminedTable, pad: Pad, board: str) -> Finding:
    part = part_name("board", pad)
    try:
        path = port_of(site.computer, board)
    except TwinBoards:
        return fault("usb", part, f"two boards have the serial number {board}", _TWINS)
    if path is None:
        waiting = [device for device in connected_devices(site.computer) if device.product in BOOTLOADERS]
        todo = f"{_UF2}, then `taptable flash {pad}`." if waiting else _PLUG
        return fault("usb", part, f"no USB serial port has the serial number of board {board}", todo)
    return access_problem(site.computer, path, "usb", part) or ok("usb", part, f"{path} is there")


def _check_socket(driver: BoardDriver, pad: Pad, path: str) -> Finding:
    socket = driver.socket_of(path)
    if socket is None:
        return skipped("socket", part_name("board", pad), "the hub of its port is unknown")
    return ok("socket", part_name("board", pad), f"at hub {socket.hub_name} of controller {socket.controller_name}")


def _check_answers(pad: Pad, call: BoardCall, gain_db: int) -> Iterator[Finding]:
    part = part_name("board", pad)
    if not call.is_open and call.hello is None:
        todo = (
            "Close the program that uses the port (a serial terminal, mpremote, ModemManager), or unplug the board"
            " for a moment."
        )
        yield fault("hello", part, f"its port can't be opened: {call.trouble}", todo)
        return
    if call.hello is None:
        other_text = ", but other text" if call.link.skipped else ""
        todo = (
            f"Unplug it and plug it in again. If it still sends none, write the firmware to it: `taptable flash {pad}`."
        )
        yield fault("hello", part, f"it sends no hello{other_text}", todo)
        return
    fields = call.hello.fields
    if fields["protocol"] != PROTOCOL:
        todo = _flash(pad)
        yield fault("hello", part, f"it uses version {fields['protocol']} of the wire, not {PROTOCOL}", todo)
        return
    if fields["board"] != call.link.board:
        todo = f'Use that name in table.toml: pad = "board:{fields["board"]}".'
        yield fault("hello", part, f"its hello names board {fields['board']}, not {call.link.board}", todo)
        return
    yield ok("hello", part, f"it answers: boot {fields['boot']}, {fields['pixels']} pixels, {fields['buttons']} button")
    firmware = _check_firmware(part, pad, str(fields["firmware"]))
    figures = {"firmware": _version(str(fields["firmware"])), "pixels": int(fields["pixels"])}
    yield firmware.with_figures(figures)
    if firmware.state == "fault":
        return  # the table doesn't talk to it, nor does the doctor
    yield _check_gain(pad, call, gain_db)
    yield from _check_health(part, pad, call)
    yield _check_clock(part, call)


def _version(firmware: str) -> str:
    """Return a version for the report. A firmware of somebody's own may have anything in the place of a version."""
    return "its owner's" if firmware_fit(firmware) is Fit.UNKNOWN else firmware


def _check_firmware(part: str, pad: Pad, firmware: str) -> Finding:
    match firmware_fit(firmware):
        case Fit.TOO_OLD:
            found = f"firmware {firmware} is too old: the table needs {OLDEST_SUPPORTED} or later"
            return fault("firmware", part, found, _flash(pad))
        case Fit.OLDER:
            return warning("firmware", part, f"firmware {firmware} works, but this version has {FIRMWARE}", _flash(pad))
        case _:
            return ok("firmware", part, f"firmware {firmware}")


def _check_gain(pad: Pad, call: BoardCall, gain_db: int) -> Finding:
    part, firmware = part_name("pad", pad), call.firmware or ""
    if not is_since(GAIN_SINCE, firmware) and gain_db != GAIN_DB:
        found = f"its reader uses {GAIN_DB} dB, not {gain_db}: firmware {firmware} can't set the gain"
        return warning("gain", part, found, _flash(pad))
    if is_since(GAIN_SINCE, firmware) and call.link.gain_report is None:
        return skipped("gain", part, "its board doesn't report its reader's gain")
    return ok("gain", part, f"its reader uses {gain_db} dB")


def _check_health(part: str, pad: Pad, call: BoardCall) -> Iterator[Finding]:
    if call.health is None:
        yield warning(
            "health",
            part,
            "it doesn't report its health",
            f"Run the doctor again. If it still reports nothing: `taptable flash {pad}`.",
        )
        return
    fields = call.health.fields
    if fields["reader"] == "deaf":
        todo = "Check the wires between board and reader: 3V3, ground, SDA, SCK, MOSI, MISO, RST."
        yield fault("board-reader", part_name("pad", pad), "its reader doesn't answer the board", todo)
    else:
        found = f"its reader answers the board; misread looks so far: {fields['misread']}"
        figures = {"misread": int(fields["misread"])}
        yield ok("board-reader", part_name("pad", pad), found).with_figures(figures)
    yield _check_counts(pad, call, int(fields["misread"]))
    free = int(fields["free"])
    figures = {"lost_events": int(fields["lost"])} | ({"free_bytes": free} if free else {})
    if 0 < free < SCARCE_MEMORY_BYTES:
        todo = "Unplug it and plug it in again. If this happens again, report it, with the firmware's version."
        yield warning("health", part, f"{free} bytes of memory free", todo).with_figures(figures)
    elif fields["lost"]:
        todo = "Run the table while you tap cards: without one, a board keeps only 64 events."
        found = f"it had no room for {fields['lost']} events since its start"
        yield warning("health", part, found, todo).with_figures(figures)
    else:
        memory = f"{free} bytes of memory free" if free else "it doesn't report its free memory"
        yield ok("health", part, memory).with_figures(figures)
    damaged = int(fields["damaged"]) + call.link.damaged
    if damaged:
        todo = (
            "Use a shorter cable or a better hub, away from other wires. Nothing is lost: damaged sentences are sent"
            " again."
        )
        yield warning("line", part, f"{damaged} sentences were damaged on the line", todo)
    else:
        yield ok("line", part, "no sentence was damaged on the line")


def _check_counts(pad: Pad, call: BoardCall, misread: int) -> Finding:
    part, firmware, counts = part_name("pad", pad), call.firmware or "", call.counts
    if counts is not None:
        health = ReaderHealth(counts.set_ups, counts.wrong, counts.healed, counts.unread, misread)
        return judge_counts(part, health)
    if misread >= MANY_IN_ALL or is_since(READER_COUNTS_SINCE, firmware):
        return judge_counts(part, ReaderHealth(misread=misread))
    return skipped("counts", part, f"firmware {firmware} doesn't count how often its reader is set up")


def _check_clock(part: str, call: BoardCall) -> Finding:
    if call.bound_us is None:
        found = "it answers no ping, so the times of its presses are unknown"
        return warning("clock", part, found, "Unplug it for a moment.")
    found = f"its stamps are accurate to ± {call.bound_us / 1000:.1f} ms"
    if call.bound_us > WIDE_BOUND_US:
        todo = "Plug it into another hub, or stop other programs on the Pi, and run the doctor again."
        finding = warning("clock", part, found, todo)
    else:
        finding = ok("clock", part, found)
    return finding.with_figures(stated={"stamp_uncertainty_us": call.bound_us})


def _check_unassigned(site: ExaminedTable) -> Iterator[Finding]:
    """Yield boards that wait for firmware, and boards that no pad names."""
    named = {parts.pad.name for parts in site.config.pads_on("board").values()}
    twins = find_twins(site.computer)
    for board in twins:
        yield fault("twins", "USB", f"two boards have the serial number {board}", _TWINS)
    for device in connected_devices(site.computer):
        if device.vendor != RASPBERRY_PI:
            continue
        if device.product in BOOTLOADERS:
            chip = BOOTLOADERS[device.product]
            todo = f"{_UF2}, then `taptable flash`."
            yield warning("bootsel", "USB", f"a Pico with an {chip} waits for MicroPython (BOOTSEL)", todo)
        elif device.serial and device.serial not in {*named, *twins} and port_of(site.computer, device.serial):
            todo = f'To use it, write into the section of its pad, such as [[seats]]: pad = "board:{device.serial}".'
            yield warning("unnamed", "USB", f"board {device.serial} is plugged in, but no pad uses it", todo)


def _flash(pad: Pad) -> str:
    return f"Write this version's firmware to it: `taptable flash {pad}`."


def _spell_missing_gains(call: Measurement) -> str:
    if call.trouble or call.firmware is None:
        return call.trouble or "its board sends no hello"
    if not is_since(GAIN_SINCE, call.firmware):
        return f"its board has firmware {call.firmware}, which can't set the gain: `taptable flash`"
    return "its board doesn't report its reader's gain, or its reader doesn't answer"


DOCTOR = BoardDoctor
