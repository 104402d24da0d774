"""Finds the boards on the USB of a computer: those that run MicroPython, those that wait for it, and their ports. The
doctor and `taptable flash` use it. Must not open a port."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from taptable.doctor.computer import Computer
from taptable.drivers.board.port import UsbDevice, find_port, usb_devices

BY_ID = "/dev/serial/by-id"
_USB = "/sys/bus/usb/devices"
RASPBERRY_PI = "2e8a"
MICROPYTHON = "0005"
"""The USB product of a Pico that runs MicroPython."""
BOOTLOADERS: Mapping[str, str] = MappingProxyType({"0003": "RP2040", "000f": "RP2350"})
"""USB products of a Pico whose button BOOTSEL was held while it was plugged in."""


def connected_devices(computer: Computer) -> list[UsbDevice]:
    """Return all devices that the kernel knows, in the order of its ports."""
    return usb_devices(computer.at(_USB))


def port_of(computer: Computer, board: str) -> str | None:
    """Return the path that opens the port of a board, as this computer sees it; None if it isn't connected. Raises
    TwinBoards if two have its id."""
    links = computer.at(BY_ID)
    found = find_port(board, links, computer.at(_USB))
    if found is None:
        return None
    return f"{BY_ID}/{Path(found).name}" if Path(found).parent == links else found


def find_twins(computer: Computer) -> tuple[str, ...]:
    """Return the serial numbers that several boards with MicroPython share."""
    boards = Counter(each.serial for each in connected_devices(computer) if is_board(each))
    return tuple(serial for serial, count in boards.items() if serial and count > 1)


def find_ids(computer: Computer | None = None) -> list[str]:
    """Return the ids of a computer's boards (None: this one's), without those that several boards share."""
    computer = computer or Computer()
    twins = find_twins(computer)
    return [each.serial for each in connected_devices(computer) if is_board(each) and each.serial not in twins]


def closed_boards(computer: Computer | None = None) -> list[str]:
    """Return the ids of the boards whose port the user of this process may not read and write."""
    computer = computer or Computer()
    ports = {board: port_of(computer, board) for board in find_ids(computer)}
    return [
        board
        for board, port in ports.items()
        if port is not None and not os.access(computer.at(port), os.R_OK | os.W_OK, effective_ids=True)
    ]


def is_board(device: UsbDevice) -> bool:
    """Return whether a device is a Pico that runs MicroPython."""
    return (device.vendor, device.product) == (RASPBERRY_PI, MICROPYTHON)
