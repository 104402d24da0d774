"""The files of sysfs and /dev about the USB devices of a simulated computer, in a folder of its own.
Devices come and go, and get other names each time, as from the kernel. Must not know what a device does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

_WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class DeviceKind:
    """A make of device: its ids, how it calls itself, its endpoint's interval as sysfs spells it, and its version in
    binary-coded decimals."""

    ids: str
    name: str
    interval: str
    version: str = "0100"


BUZZ_SET = DeviceKind("054c:0002", "Logitech Buzz(tm) Controller V1", "10ms")
WIRELESS_BUZZ_SET = DeviceKind("054c:1000", "Sony Wireless Buzz Receiver", "10ms")
ENCODER = DeviceKind("0079:0006", "Generic   USB  Joystick  ", "10ms")
KEYBOARD = DeviceKind("046d:c31c", "USB Keyboard", "10ms")


class UsbTree:
    """The tree, below `root`."""

    def __init__(self) -> None:
        self._home = Path(mkdtemp(prefix="taptable-usb-"))
        self._hidden = self._home / "hidden"
        self._nodes = count(3)
        self.root = self._home / "root"
        for folder in ("sys/bus/usb/devices", "sys/class/input", "sys/class/leds", "dev/input"):
            (self.root / folder).mkdir(parents=True)

    def hide(self) -> None:
        """Hide the tree from the process that has it."""
        if self.root.exists():
            self.root.rename(self._hidden)

    def show(self) -> None:
        """Put the tree back where processes look for it."""
        if self._hidden.exists():
            self._hidden.rename(self.root)

    def remove(self) -> None:
        """Remove all files."""
        shutil.rmtree(self._home, ignore_errors=True)

    def plug_in(self, port: str, kind: DeviceKind, serial: str = "", number: int = 0) -> None:
        """Plug a device in at a port. `number` is that of the device on its bus, which the kernel gives it."""
        device = self._device(port)
        endpoint = self._interface(port) / "ep_81"
        endpoint.mkdir(parents=True)
        (endpoint / "direction").write_text("in\n")
        (endpoint / "interval").write_text(f"{kind.interval}\n")
        vendor, product = kind.ids.split(":")
        files = {"idVendor": vendor, "idProduct": product, "product": kind.name, "serial": serial}
        for file, text in {**files, "bcdDevice": kind.version, "devnum": str(number or "")}.items():
            if text:
                (device / file).write_text(f"{text}\n")
        self._link(self._now_at / "sys/bus/usb/devices" / port, device)

    def pull_out(self, port: str) -> None:
        """Pull the device at a port out, with all its nodes."""
        for folder in ("sys/class/input", "sys/class/leds"):
            for link in (self._now_at / folder).iterdir():
                if f"/{port}/" in str(link.readlink()):
                    link.unlink()
                    (self._now_at / "dev/input" / link.name).unlink(missing_ok=True)
        (self._now_at / "sys/bus/usb/devices" / port).unlink(missing_ok=True)
        shutil.rmtree(self._device(port), ignore_errors=True)

    def is_plugged_in(self, port: str) -> bool:
        """Return whether there is a device at a port."""
        return self._device(port).exists()

    def add_event_node(self, port: str, keys: Collection[int]) -> Path:
        """Give the device at a port an event device with these keys, and return where its node in /dev has to be."""
        number = next(self._nodes)
        folder = self._hid(port) / f"input/input{number}" / f"event{number}"
        folder.mkdir(parents=True)
        (folder.parent / "capabilities").mkdir()
        (folder.parent / "capabilities/key").write_text(f"{spell_bitmap(keys)}\n")
        self._link(self._now_at / "sys/class/input" / folder.name, folder)
        return self._now_at / "dev/input" / folder.name

    def add_leds(self, port: str, suffixes: Sequence[str]) -> None:
        """Give the device at a port these LEDs, dark."""
        hid = self._hid(port)
        for suffix in suffixes:
            folder = hid / "leds" / f"{hid.name}::{suffix}"
            folder.mkdir(parents=True)
            (folder / "brightness").write_text("0\n")
            (folder / "max_brightness").write_text("1\n")
            self._link(self._now_at / "sys/class/leds" / folder.name, folder)

    def add_keyboard_leds(self, port: str, names: Sequence[str]) -> None:
        """Give the device at a port the LEDs of a keyboard."""
        number = next(self._nodes)
        for name in names:
            folder = self._hid(port) / f"input/input{number}" / f"input{number}::{name}"
            folder.mkdir(parents=True)
            self._link(self._now_at / "sys/class/leds" / folder.name, folder)

    def brightness(self, port: str, suffix: str) -> int:
        """Return the brightness of a LED; 0 if it isn't there."""
        for file in self._interface(port).glob(f"*/leds/*::{suffix}/brightness"):
            return int(file.read_text().strip() or "0")
        return 0

    @property
    def _now_at(self) -> Path:
        return self.root if self.root.exists() else self._hidden

    def _hid(self, port: str) -> Path:
        """Return the folder of the HID device at a port. The kernel numbers them as they come."""
        there = list(self._interface(port).glob("0003:*"))
        if there:
            return there[0]
        device = self._device(port)
        vendor, product = ((device / file).read_text().strip().upper() for file in ("idVendor", "idProduct"))
        return self._interface(port) / f"0003:{vendor}:{product}.{next(self._nodes):04X}"

    def _device(self, port: str) -> Path:
        bus, _, places = port.partition("-")
        hubs = places.split(".")
        above = [f"{bus}-{'.'.join(hubs[:depth])}" for depth in range(1, len(hubs) + 1)]
        return self._now_at.joinpath("sys/devices/platform/usb", f"usb{bus}", *above)

    def _interface(self, port: str) -> Path:
        return self._device(port) / f"{port}:1.0"

    def _link(self, link: Path, target: Path) -> None:
        link.symlink_to(os.path.relpath(target, link.parent))


def spell_bitmap(bits: Collection[int]) -> str:
    """Spell a set of bits as sysfs does: words in hexadecimal, the highest first."""
    words = [0] * (max(bits, default=0) // _WORD_BITS + 1)
    for bit in bits:
        words[bit // _WORD_BITS] |= 1 << bit % _WORD_BITS
    return " ".join(f"{word:x}" for word in reversed(words))
