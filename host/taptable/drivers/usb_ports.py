"""The USB ports of this computer, as sysfs shows them: which device is plugged in where, and which of the kernel's
nodes (an event device, a LED) belong to it. A port's path, such as ``1-1.3``, stays the same however often something is
plugged in there. Looks at files alone, and must not know what the devices are for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_PORT = re.compile(r"[1-9]\d*-[1-9]\d*(\.[1-9]\d*)*")
_LONGEST_PORT = 32

BUZZ, WIRELESS_BUZZ = "054c:0002", "054c:1000"
_MAKES: Mapping[str, str] = MappingProxyType({BUZZ: "Buzz! controller", WIRELESS_BUZZ: "wireless Buzz! controller"})
"""Names for people of devices that call themselves otherwise."""


def is_port(text: str) -> bool:
    """Return whether this is the path of a USB port, as sysfs spells it: ``1-1.3``."""
    return len(text) <= _LONGEST_PORT and text.isascii() and _PORT.fullmatch(text) is not None


def port_order(port: str) -> tuple[int, ...]:
    """Return a key that sorts the paths of ports by their numbers."""
    return tuple(map(int, re.split("[-.]", port)))


@dataclass(frozen=True, slots=True)
class PluggedDevice:
    """The device in a USB port: its ids as ``vendor:product`` in lower-case hex, its product's name, its serial number,
    and its version, as its maker counts: ``2.14``. The last three are "" if it has none."""

    port: str
    ids: str
    name: str
    serial: str
    version: str = ""

    @property
    def make(self) -> str:
        """The make of the device, for people."""
        return _MAKES.get(self.ids, self.name or f"device {self.ids}")

    @property
    def spelled(self) -> str:
        """The device and its port, for people: *Generic USB Joystick (0079:0006) at USB port 1-1.3*."""
        return f"{self.make} ({self.ids}) at USB port {self.port}"

    @property
    def figures(self) -> Mapping[str, str]:
        """The device's ids and the name of its product, for the doctor's report. They are the same for all devices of
        one make."""
        vendor, _, product = self.ids.partition(":")
        named = {"product": self.name} if self.name else {}
        return {"usb_vendor": f"0x{vendor}", "usb_product": f"0x{product}", **named}


@dataclass(frozen=True, slots=True)
class ClassNode:
    """A node of a class of the kernel's (``event3`` of *input*): the USB port of its device, and the folder of the
    device's interface in sysfs."""

    name: str
    folder: Path
    port: str
    interface: Path


class UsbPorts:
    """The USB ports below a root folder, which holds ``sys``."""

    def __init__(self, root: Path) -> None:
        self._sys = root / "sys"

    def device_at(self, port: str) -> PluggedDevice | None:
        """Return what is plugged in at a port; None if nothing is, or it is just going."""
        folder = self._sys / "bus/usb/devices" / port
        vendor, product = read_text(folder / "idVendor"), read_text(folder / "idProduct")
        if not vendor or not product:
            return None
        return PluggedDevice(
            port,
            f"{vendor}:{product}",
            _printable(read_text(folder / "product")),
            _printable(read_text(folder / "serial")),
            _version(read_text(folder / "bcdDevice")),
        )

    def devices(self, bus: int | None = None) -> Iterator[PluggedDevice]:
        """Yield what is plugged in, or only on one bus, in the order of the ports."""
        folder = self._sys / "bus/usb/devices"
        names = [path.name for path in folder.glob("*" if bus is None else f"{bus}-*") if is_port(path.name)]
        for name in sorted(names, key=port_order):
            if (device := self.device_at(name)) is not None:
                yield device

    def device_number(self, bus: int, number: int) -> PluggedDevice | None:
        """Return the device with this number on a bus, which it gets when it is plugged in; None if there is none."""
        folder = self._sys / "bus/usb/devices"
        found = (each for each in self.devices(bus) if read_text(folder / each.port / "devnum") == str(number))
        return next(found, None)

    def nodes(self, kind: str, prefix: str = "") -> Iterator[ClassNode]:
        """Yield the nodes of a class (``input``, ``leds``) that belong to a device on USB, in the order of their
        numbers."""
        folder = self._sys / "class" / kind
        try:
            names = [path.name for path in folder.iterdir() if path.name.startswith(prefix)]
        except OSError:
            return
        for name in sorted(names, key=lambda each: (len(each), each)):
            if (node := self.node(kind, name)) is not None:
                yield node

    def node(self, kind: str, name: str) -> ClassNode | None:
        """Return a node of a class by its name; None if it isn't there, or isn't on USB."""
        folder = self._sys / "class" / kind
        try:
            path = Path(os.path.normpath(folder / (folder / name).readlink()))
        except OSError:
            return None
        places = [place for place, part in enumerate(path.parts[:-1]) if is_port(part)]
        if not places:
            return None
        port = path.parts[places[-1]]
        return ClassNode(name, path, port, Path(*path.parts[: places[-1] + 2]))


def read_text(path: Path) -> str:
    """Return the text of a file of sysfs without white space around it; "" if it can't be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _version(text: str) -> str:
    """Spell a version of four binary-coded decimals (``0214``) as makers do (``2.14``)."""
    return f"{int(text[:2])}.{text[2:]}" if len(text) == 4 and text.isascii() and text.isdecimal() else ""


def _printable(text: str) -> str:
    """Return a text that a device may have chosen, without what can't be printed."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())[:80].strip()
