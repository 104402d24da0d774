"""The buttons of a table that are keys of event devices: opens each device once for all its keys, reports which button
is missing and why, looks for it until it is back, and turns the kernel's stamps into table time."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from taptable.core.device_events import PartFailed, PartReturned
from taptable.drivers.contacts import Contacts, middle
from taptable.drivers.input.evdev import EventDevice, EventsDropped, KernelAccess, KeyMoved
from taptable.drivers.input.nodes import BOUNCE_US, EventNode, EventNodes, Place, place_of
from taptable.drivers.interface import DeviceContext, OnEdge, OpenedParts, Part
from taptable.drivers.usb_ports import BUZZ, WIRELESS_BUZZ

RETRY_S = 1.0
"""The delay before missing buttons are looked for again."""

_log = logging.getLogger(__name__)


class Missing(Exception):
    """Raised with the reason why a button isn't there."""


class NoDriver(Missing):
    """The device is there, and the kernel's module for it isn't loaded."""


class NoKey(Missing):
    """The device is there, and doesn't have this key."""


def node_of(nodes: EventNodes, place: Place) -> EventNode:
    """Return the event device that has a key. Raises `Missing` with what is there instead. If several devices at the
    port have it, one that isn't a keyboard comes first."""
    device, there = nodes.device_at(place.port), nodes.at(place.port)
    if device is None:
        raise Missing(f"nothing is plugged in at USB port {place.port}")
    if not there:
        found = f"{device.spelled} has no keys that the kernel knows"
        if device.ids in _SONY:
            raise NoDriver(f"{found}: its driver, the module hid-sony, isn't loaded")
        raise Missing(found)
    having = [each for each in there if place.code in each.keys]
    if not having:
        raise NoKey(f"{device.spelled} has no such key")
    return min(having, key=lambda each: each.is_keyboard)


def uncertainty_of(node: EventNode) -> int:
    """Return the uncertainty of a press on a device, in µs."""
    return middle(0, node.press_late_us, node.uncertainty_us)[1]


_SONY = frozenset({BUZZ, WIRELESS_BUZZ})


@dataclass(slots=True)
class _OpenDevice:
    """An open device, and the seat of each of its keys that are buttons."""

    node: EventNode
    device: EventDevice
    seats: Mapping[int, int]


class InputParts(OpenedParts):
    """The buttons of a table that are keys. A press is reported once it has settled, like that of any contact: the
    firmware of a cheap encoder passes on every bounce that it sees."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part], access: KernelAccess) -> None:
        self.deliver = self._deliver
        self._context = context
        self._access = access
        self._nodes = EventNodes(access.root)
        self._places = {part.pad: place_of(part.address) for part in parts if isinstance(part.pad, int)}
        self._contacts = Contacts(context.loop, context.report, context.now_us, self._deliver)
        self._open: list[_OpenDevice] = []
        self._missing: set[int] = set()
        self._retry: asyncio.TimerHandle | None = None
        self._on_edge: OnEdge | None = None
        self._is_delivering = False

    def open(self) -> None:
        """Open the devices. A button that isn't there fails as *button N* and is looked for again. One that is down
        already has not been pressed: it fails until it is released."""
        self._look_for(self._places)

    def close(self) -> None:
        """Release the devices."""
        if self._retry is not None:
            self._retry.cancel()
        for each in self._open:
            self._shut(each)
        self._open.clear()
        self._contacts.close()

    def watch_edges(self, on_edge: OnEdge) -> Collection[int]:
        """Call `on_edge` with every report of a key, bounces included."""
        self._on_edge = on_edge
        return self._places.keys()

    def port_of(self, seat: int) -> str:
        """Return the USB port of a seat's button."""
        return self._places[seat].port

    # --- opening and losing ---

    def _look_for(self, seats: Collection[int]) -> None:
        """Open the devices of some seats' buttons, as far as they are there; look again for the others later."""
        self._retry = None
        for seat in list(seats):
            if any(seat in each.seats.values() for each in self._open):
                continue  # its device was opened with that of another seat
            try:
                self._open_device(node_of(self._nodes, self._places[seat]))
            except Missing as error:
                self._fail(seat, str(error))
            except OSError as error:
                self._fail(seat, spell_trouble(error, self._places[seat].port))
        if self._missing and self._retry is None:
            self._retry = self._context.loop.call_later(RETRY_S, self._look_for, self._missing)

    def _open_device(self, node: EventNode) -> None:
        """Open a device for all its keys that are buttons. Raises OSError if that isn't possible."""
        codes = {place.code: seat for seat, place in self._places.items() if self._belongs(node, place)}
        device = EventDevice(self._access, node.node.name, codes, grab=node.is_controller)
        try:
            if not self._nodes.is_still_there(node):
                raise OSError("it was just unplugged")
            down = device.keys_down()
        except OSError:
            device.close()
            raise
        if node.interval_us is None:
            _log.info("Presses of a controller come with no stated bound (USB port %s)", node.node.port)
        try:
            for code, seat in codes.items():
                if seat in self._missing:
                    self._missing.discard(seat)
                    self._context.report(PartReturned(self._context.now_us(), f"button {seat}"))
                self._contacts.watch(seat, code in down, node.late_us, BOUNCE_US)
        except BaseException:
            device.close()
            raise
        # only now, since a report may have all events delivered, and so lose a device that has just gone
        self._open.append(_OpenDevice(node, device, codes))
        self._context.loop.add_reader(device.descriptor, self._deliver)

    def _belongs(self, node: EventNode, place: Place) -> bool:
        """Return whether a device is the one that is opened for a key."""
        if node.node.port != place.port or place.code not in node.keys:
            return False
        return node_of(self._nodes, place) == node

    def _lose(self, lost: _OpenDevice, reason: str) -> None:
        self._open.remove(lost)
        self._shut(lost)
        for seat in lost.seats.values():
            if self._contacts.forget(seat):
                self._missing.add(seat)  # and it had failed already
            else:
                self._fail(seat, reason)
        if self._retry is None:
            self._retry = self._context.loop.call_later(RETRY_S, self._look_for, self._missing)

    def _fail(self, seat: int, reason: str) -> None:
        if seat not in self._missing:
            self._missing.add(seat)
            self._context.report(PartFailed(self._context.now_us(), f"button {seat}", reason))

    def _shut(self, each: _OpenDevice) -> None:
        self._context.loop.remove_reader(each.device.descriptor)
        each.device.close()

    # --- presses ---

    def _deliver(self) -> None:
        """Take what the kernel has of all devices, and report the presses and releases that have settled by now."""
        if self._is_delivering:
            return
        self._is_delivering = True
        try:
            for each in list(self._open):
                try:
                    self._take(each)
                except OSError as error:
                    self._contacts.report_settled()
                    self._lose(each, spell_trouble(error, each.node.node.port))
            self._contacts.report_settled()
        finally:
            self._is_delivering = False

    def _take(self, each: _OpenDevice) -> None:
        """Take what the kernel has of one device. All of it is converted alike, so that keys of one report have one
        time."""
        before_us = self._context.now_us()
        kernel_us = self._access.monotonic_us()
        after_us = self._context.now_us()
        ahead_us, uncertainty_us = (before_us + after_us) // 2 - kernel_us, (after_us - before_us + 1) // 2
        for event in each.device.read():
            match event:
                case KeyMoved(code, down, stamp_us):
                    self._add_edge(each.node, each.seats[code], down, stamp_us + ahead_us, uncertainty_us, 0)
                case EventsDropped(down, since_us, at_us):
                    lost_us = at_us - since_us
                    _log.warning(
                        "Events of a controller lost (USB port %s): the table came too late; what is down now counts as"
                        " pressed within the last %d ms",
                        each.node.node.port,
                        lost_us // 1_000,
                    )
                    for code, seat in each.seats.items():
                        if (code in down) is not self._contacts.is_closed(seat):
                            now_us = at_us + ahead_us
                            self._add_edge(each.node, seat, code in down, now_us, uncertainty_us, lost_us)

    def _add_edge(self, node: EventNode, seat: int, down: bool, at_us: int, uncertainty_us: int, lost_us: int) -> None:
        uncertainty_us += node.uncertainty_us
        if self._on_edge is not None:
            self._on_edge(seat, down, *middle(at_us, node.press_late_us + lost_us, uncertainty_us))
        self._contacts.add_edge(seat, down, at_us, uncertainty_us, lost_us)


def spell_trouble(error: OSError, port: str) -> str:
    """Spell why the device at a port can't be used."""
    match error.errno:
        case errno.EACCES | errno.EPERM:
            return f"the table has no right to use the device at USB port {port}: {os.strerror(error.errno)}"
        case errno.EBUSY:
            return f"another program has exclusive use of the device at USB port {port}"
        case errno.ENODEV | errno.ENOENT | None:
            return f"the device at USB port {port} was unplugged"
        case _:
            return f"the device at USB port {port} can't be used: {error.strerror}"
