"""The kind ``input``: buttons that are keys of controllers, encoders and gamepads on USB."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from taptable.drivers.input.keys import key_name
from taptable.drivers.input.nodes import EventNodes, parse_place, place_of
from taptable.drivers.interface import (
    Address,
    ClosedPart,
    DeviceContext,
    Driver,
    FoundPart,
    Limit,
    OpenedParts,
    Part,
    PartRole,
    SystemRule,
)
from taptable.drivers.usb_ports import is_port

if TYPE_CHECKING:
    from taptable.drivers.input.evdev import KernelAccess


class InputDriver(Driver):
    """Keys of event devices, over the kernel's files and requests that `access` has.

    The kernel stamps them by this computer's clock, but a report may take an interval of its USB endpoint, and a press
    counts only when no report within another interval has taken it back. So it isn't known within the 30 ms that a
    table with `kernel_stamps` waits."""

    kind = "input"
    roles = frozenset({PartRole.BUTTON})
    rank = 25
    accepts = '"input:<USB port>/<key>", as in "input:1-1.3/BTN_TRIGGER"'
    short = 'a key of a controller on USB, "input:<USB port>/<key>"'
    where = "on a controller on USB"
    examples = MappingProxyType({"seats.button": "input:1-1.3/BTN_TRIGGER_HAPPY1"})

    def __init__(self, access: KernelAccess | None = None) -> None:
        self._access = access

    @cached_property
    def access(self) -> KernelAccess:
        """The ways to the kernel."""
        # imported here: not every computer that prepares a card for the Pi has them
        from taptable.drivers.input.evdev import KernelAccess

        return self._access or KernelAccess()

    @property
    def nodes(self) -> EventNodes:
        """The event devices of this computer."""
        return EventNodes(self.access.root)

    def accepts_name(self, name: str) -> bool:
        """Return whether this is the path of a USB port and the name of a key."""
        place = parse_place(name)
        return place is not None and is_port(place.port)

    def free(self, taken: Collection[Address]) -> str:
        """Return that keys don't run out."""
        del taken
        return "any key of a controller that is plugged in"

    def find(self) -> Sequence[FoundPart]:
        """Return the buttons of all controllers, encoders and gamepads that are plugged in."""
        return [
            FoundPart(
                Address(self.kind, f"{device.port}/{key_name(code)}"),
                self.roles,
                f"{device.make[:1].upper()}{device.make[1:]}, button {number}",
                device.port,
                number,
                device.ids,
                device.serial,
            )
            for device, number, code in self.nodes.buttons()
        ]

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the controllers whose buttons this user may not read."""
        folder = self.access.root / "dev/input"
        closed: dict[str, ClosedPart] = {}
        for device in dict.fromkeys(device for device, _, _ in self.nodes.buttons()):
            files = [folder / node.node.name for node in self.nodes.at(device.port)]
            if any(file.exists() and not os.access(file, os.R_OK, effective_ids=True) for file in files):
                closed[device.port] = ClosedPart(device.spelled, SystemRule.DEVICES)
        return list(closed.values())

    def limits_of(self, part: Part) -> Collection[Limit]:
        """Return that nothing is known of how late presses are, if the device at the part's port is such a one."""
        place = place_of(part.address)
        having = [node for node in self.nodes.at(place.port) if place.code in node.keys]
        return (Limit.NO_BOUND,) if any(node.interval_us is None for node in having) else ()

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the buttons."""
        from taptable.drivers.input.parts import InputParts

        return InputParts(context, parts, self.access)
