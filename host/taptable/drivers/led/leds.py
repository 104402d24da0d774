"""Lamps that are LEDs of the kernel's: finds each through the USB port of its device, since the kernel's names change
at each plugging, writes its brightness, and notices when it is gone and back. Must not know what a lamp says."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from taptable.core.cues import Lamp
from taptable.core.device_events import PartFailed, PartReturned
from taptable.drivers.interface import Address, DeviceContext, OpenedParts, Part
from taptable.drivers.patterns import LampPlayer
from taptable.drivers.usb_ports import ClassNode, UsbPorts, read_text

LOOK_S = 1.0
"""The time between two looks at the LEDs: a lamp that doesn't change isn't written, so nothing else notices that it has
gone."""

_HID = re.compile(r"[0-9A-F]{4}:[0-9A-F]{4}:[0-9A-F]{4}\.[0-9A-F]{4}")


def suffix_of(led: ClassNode) -> str:
    """Return the part of a LED's name that stays the same: what follows the last colon."""
    return led.name.rpartition(":")[2]


def find_led(ports: UsbPorts, address: Address) -> ClassNode | None:
    """Return the LED at an address; None if there is none."""
    port, _, suffix = address.name.partition("/")
    return next((led for led in ports.nodes("leds") if led.port == port and suffix_of(led) == suffix), None)


def controller_leds(ports: UsbPorts) -> Sequence[ClassNode]:
    """Return the LEDs of controllers: not those of keyboards, network adapters or drives."""
    return [
        led
        for led in ports.nodes("leds")
        if any(_HID.fullmatch(part) for part in led.folder.parts) and not led.name.startswith("input")
    ]


def spell_missing(ports: UsbPorts, address: Address) -> str:
    """Spell why there is no LED at an address."""
    port, _, suffix = address.name.partition("/")
    device = ports.device_at(port)
    if device is None:
        return f"nothing is plugged in at USB port {port}"
    there = ", ".join(suffix_of(led) for led in ports.nodes("leds") if led.port == port)
    return f"{device.spelled} has {f'no lamp {suffix}, but {there}' if there else 'no lamps that the kernel knows'}"


class LedParts(OpenedParts):
    """The lamps of a table that are LEDs."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part], root: Path) -> None:
        self._loop = context.loop
        self._lamps = {part.pad: _SeatLed(context, part, UsbPorts(root)) for part in parts}
        self._looking: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Look for the LEDs now and from time to time. One that isn't there fails as *lamp N*; it shows its pattern
        once it is there."""
        for lamp in self._lamps.values():
            lamp.look()
        self._looking = self._loop.call_later(LOOK_S, self.open)

    def close(self) -> None:
        """Switch all lamps off."""
        if self._looking is not None:
            self._looking.cancel()
        for lamp in self._lamps.values():
            lamp.close()

    def show_lamp(self, seat: int, lamp: Lamp) -> None:
        """Show a pattern on a seat's lamp."""
        if seat in self._lamps:
            self._lamps[seat].player.show(lamp)


class _SeatLed:
    """One lamp, and its pattern, whether its LED is there or not."""

    def __init__(self, context: DeviceContext, part: Part, ports: UsbPorts) -> None:
        self.player = LampPlayer(context.loop, self._light)
        self._context = context
        self._part = part
        self._ports = ports
        self._led: ClassNode | None = None
        self._bright = b"1"
        self._is_missing = False

    def look(self) -> None:
        """Look whether the LED is there."""
        if self._led is not None and self._ports.node("leds", self._led.name) == self._led:
            return
        led = find_led(self._ports, self._part.address)
        if led is None:
            self._lose(spell_missing(self._ports, self._part.address))
            return
        if self._led is not None:
            self._lose("it was unplugged and plugged in again")
        self._bright = read_text(led.folder / "max_brightness").encode() or b"1"
        try:
            self._write(led, self.player.is_lit)
        except OSError as error:
            self._lose(self._spell(error))
            return
        self._led = led
        if self._is_missing:
            self._is_missing = False
            self._context.report(PartReturned(self._context.now_us(), self._part.name))

    def close(self) -> None:
        """Switch it off."""
        self.player.stop()
        led, self._led = self._led, None
        if led is not None:
            with suppress(OSError):
                self._write(led, False)

    def _light(self, lit: bool) -> None:
        if self._led is None:
            return
        try:
            self._write(self._led, lit)
        except OSError as error:
            self._lose(self._spell(error))

    def _write(self, led: ClassNode, lit: bool) -> None:
        descriptor = os.open(led.folder / "brightness", os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
        try:
            os.write(descriptor, self._bright if lit else b"0")
        finally:
            os.close(descriptor)

    def _lose(self, reason: str) -> None:
        self._led = None
        if not self._is_missing:
            self._is_missing = True
            self._context.report(PartFailed(self._context.now_us(), self._part.name, reason))

    def _spell(self, error: OSError) -> str:
        port = self._part.address.name.partition("/")[0]
        if isinstance(error, PermissionError):
            return f"the table has no right to switch the lamp at USB port {port}: {error.strerror}"
        return f"the lamp at USB port {port} can't be switched: {error.strerror}"
