"""The kind ``led``: lamps of controllers on USB, as far as the kernel has them as LEDs."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import MappingProxyType

from taptable.drivers.interface import (
    Address,
    ClosedPart,
    DeviceContext,
    Driver,
    FoundPart,
    OpenedParts,
    Part,
    PartRole,
    SystemRule,
)
from taptable.drivers.led.leds import LedParts, controller_leds, suffix_of
from taptable.drivers.usb_ports import UsbPorts, is_port, port_order

_SUFFIX = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
_NUMBER = re.compile(r"[1-9]\d?$")


class LedDriver(Driver):
    """LEDs below a root folder, which holds ``sys``."""

    kind = "led"
    roles = frozenset({PartRole.LAMP})
    rank = 45
    accepts = '"led:<USB port>/<name>", as in "led:1-1.3/buzz1"'
    short = 'a lamp of a controller on USB, "led:<USB port>/<name>"'
    where = "on a controller on USB"
    examples = MappingProxyType({"seats.lamp": "led:1-1.3/buzz1"})

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    @property
    def ports(self) -> UsbPorts:
        """The USB ports of this computer."""
        return UsbPorts(self.root)

    def accepts_name(self, name: str) -> bool:
        """Return whether this is the path of a USB port and the end of a LED's name."""
        port, _, suffix = name.partition("/")
        return is_port(port) and _SUFFIX.fullmatch(suffix) is not None

    def free(self, taken: Collection[Address]) -> str:
        """Return that each controller has lamps of its own."""
        del taken
        return "any lamp of a controller that is plugged in"

    def find(self) -> Sequence[FoundPart]:
        """Return the lamps of all controllers that are plugged in."""
        return sorted(self._find(), key=lambda part: (port_order(part.device), part.number))

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the controllers with lamps that this user may not write."""
        ports = self.ports
        closed: dict[str, ClosedPart] = {}
        for led in controller_leds(ports):
            device = ports.device_at(led.port)
            if device is not None and not os.access(led.folder / "brightness", os.W_OK, effective_ids=True):
                closed[led.port] = ClosedPart(f"the lamps of the {device.spelled}", SystemRule.DEVICES)
        return list(closed.values())

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the lamps."""
        return LedParts(context, parts, self.root)

    def _find(self) -> Iterator[FoundPart]:
        counts: dict[str, int] = {}
        ports = self.ports
        for led in controller_leds(ports):
            device = ports.device_at(led.port)
            if device is None:
                continue
            suffix = suffix_of(led)
            counts[led.port] = counts.get(led.port, 0) + 1
            found = _NUMBER.search(suffix)
            number = int(found[0]) if found else counts[led.port]
            label = f"{device.make[:1].upper()}{device.make[1:]}, lamp {number}"
            address = Address(self.kind, f"{led.port}/{suffix}")
            if self.accepts_name(address.name):
                yield FoundPart(address, self.roles, label, led.port, number, device.ids, device.serial)
