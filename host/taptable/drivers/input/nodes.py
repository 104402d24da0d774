"""The event devices on this computer's USB, from sysfs alone: their ports, their keys, and how late their stamps may
be. Opens no device, so that anybody may look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from struct import calcsize

from taptable.drivers.input.keys import LETTERS, MOUSE_BUTTONS, is_game_button, key_code
from taptable.drivers.interface import Address
from taptable.drivers.usb_ports import BUZZ, WIRELESS_BUZZ, ClassNode, PluggedDevice, UsbPorts, port_order, read_text

BUZZ_KEYS = (0x2C0, 0x2C5, 0x2CA, 0x2CF)
"""The domes of the four buzzers of a Buzz! set, in their order."""
WIRELESS = frozenset({WIRELESS_BUZZ})
"""Devices whose presses come by radio, which may repeat them for an unknown time."""

HANDED_OVER_US = 1_000
"""The longest time from the transfer of a report to its stamp: the frame ends, and the kernel gets to it (assumed: the
kernel's own simulator took 0.2 ms)."""
BOUNCE_US = 6_000
"""The longest time for which a contact bounces. If the firmware looks at it while it does, it finds it closed only the
next time (typical for contacts; how a firmware looks at them is still to be measured)."""
LONGEST_INTERVAL_US = 100_000
"""With a longer interval a press may come after the winner was named, so nothing is stated about it."""
UNBOUNDED_US = 250_000
"""The uncertainty where nothing is known of how late a press comes: as long as a table waits for late presses."""

_INTERVAL = re.compile(r"(\d+)(us|ms)")
_LONG_BITS = calcsize("l") * 8
_JOYSTICK_POLL = "sys/module/usbhid/parameters/jspoll"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a button: the USB port of its device, and the key's code."""

    port: str
    code: int


def parse_place(name: str) -> Place | None:
    """Return the place that the name in an address stands for; None if it is none. Does not check the port."""
    port, slash, key = name.partition("/")
    code = key_code(key) if slash else None
    return None if code is None else Place(port, code)


def place_of(address: Address) -> Place:
    """Return the place of an address that the driver has accepted."""
    place = parse_place(address.name)
    assert place is not None, f"{address} isn't an address of a key"
    return place


@dataclass(frozen=True, slots=True)
class EventNode:
    """An event device: its node, its keys by their codes, and the longest time between two reports, in µs; None if that
    is unknown or the device is wireless."""

    node: ClassNode
    keys: frozenset[int]
    interval_us: int | None

    @property
    def late_us(self) -> int:
        """By how much the stamp of a change may be late, from when the firmware could see it."""
        return (self.interval_us or 0) + HANDED_OVER_US

    @property
    def press_late_us(self) -> int:
        """By how much the stamp of a press may be late."""
        return self.late_us + BOUNCE_US

    @property
    def uncertainty_us(self) -> int:
        """The uncertainty of a press beyond `press_late_us`."""
        return 0 if self.interval_us is not None else UNBOUNDED_US

    @property
    def is_keyboard(self) -> bool:
        """Whether somebody may type on it. An encoder that poses as a keyboard is one too."""
        return len(self.keys.intersection(LETTERS)) >= 10

    @property
    def is_controller(self) -> bool:
        """Whether it is a joystick, a gamepad, an encoder or a buzzer: nobody types on it or points with it."""
        return (
            any(is_game_button(code) for code in self.keys)
            and not self.is_keyboard
            and self.keys.isdisjoint(MOUSE_BUTTONS)
        )


class EventNodes:
    """The event devices below a root folder, which holds ``sys``."""

    def __init__(self, root: Path) -> None:
        self.ports = UsbPorts(root)
        self._root = root

    def all(self) -> Iterator[EventNode]:
        """Yield all event devices on USB that have keys, in the order of their numbers."""
        for node in self.ports.nodes("input", "event"):
            if (read := self._read(node)) is not None:
                yield read

    def at(self, port: str) -> list[EventNode]:
        """Return the event devices at a port that have keys; a device may have several."""
        there = [self._read(node) for node in self.ports.nodes("input", "event") if node.port == port]
        return [node for node in there if node is not None]

    def buttons(self) -> Iterator[tuple[PluggedDevice, int, int]]:
        """Yield the keys that could be buttons of seats, by their ports: their device, the number among its keys, and
        the code. Those of a Buzz! set are its four domes. No device that also is a keyboard or a mouse has any."""
        by_port: dict[str, list[EventNode]] = {}
        for node in self.all():
            by_port.setdefault(node.node.port, []).append(node)
        for port, nodes in sorted(by_port.items(), key=lambda each: port_order(each[0])):
            device = self.device_at(port)
            if device is None or not all(node.is_controller for node in nodes):
                continue
            keys = sorted({code for node in nodes for code in node.keys if is_game_button(code)})
            domes = [code for code in BUZZ_KEYS if code in keys]
            for number, code in enumerate(domes if device.ids in (BUZZ, WIRELESS_BUZZ) else keys, 1):
                yield device, number, code

    def is_still_there(self, node: EventNode) -> bool:
        """Return whether a node still belongs to the same device: its name is given to others after it is gone."""
        return self.ports.node("input", node.node.name) == node.node

    def device_at(self, port: str) -> PluggedDevice | None:
        """Return what is plugged in at a port."""
        return self.ports.device_at(port)

    def _read(self, node: ClassNode) -> EventNode | None:
        """Return an event device with its keys; None if it has none."""
        keys = _parse_keys(read_text(node.folder.parent / "capabilities/key"))
        return EventNode(node, keys, self._interval_us(node)) if keys else None

    def _interval_us(self, node: ClassNode) -> int | None:
        """Return the longest time between two reports of a device: what its endpoint states, or what the kernel was
        told instead."""
        device = self.device_at(node.port)
        if device is None or device.ids in WIRELESS:
            return None
        intervals_us = [
            int(found[1]) * (1 if found[2] == "us" else 1_000)
            for endpoint in node.interface.glob("ep_*")
            if read_text(endpoint / "direction") == "in"
            and (found := _INTERVAL.fullmatch(read_text(endpoint / "interval"))) is not None
        ]
        told = read_text(self._root / _JOYSTICK_POLL)
        longest_us = max(intervals_us, default=0)
        if longest_us and told.isdecimal():
            longest_us = max(longest_us, int(told) * 1_000)
        return longest_us if 0 < longest_us <= LONGEST_INTERVAL_US else None


def _parse_keys(bitmap: str) -> frozenset[int]:
    """Return the codes in a bitmap of sysfs: words in hexadecimal, the highest first, each as long as a C long."""
    try:
        words = [int(word, 16) for word in reversed(bitmap.split())]
    except ValueError:
        return frozenset()
    return frozenset(
        place * _LONG_BITS + bit for place, word in enumerate(words) for bit in range(_LONG_BITS) if word >> bit & 1
    )
