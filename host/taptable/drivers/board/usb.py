"""Boards on the USB of a computer: those that run MicroPython, those that wait for it, and where their ports are."""

from __future__ import annotations

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
    """All that the kernel knows of, in the order of its ports."""
    return usb_devices(computer.at(_USB))


def port_of(computer: Computer, board: str) -> str | None:
    """The path by which the port of a board is opened, as this computer sees it; None if it isn't there. TwinBoards
    where two say that they are it."""
    links = computer.at(BY_ID)
    found = find_port(board, links, computer.at(_USB))
    if found is None:
        return None
    return f"{BY_ID}/{Path(found).name}" if Path(found).parent == links else found


def find_twins(computer: Computer) -> tuple[str, ...]:
    """The numbers that several boards with MicroPython have."""
    boards = Counter(each.serial for each in connected_devices(computer) if is_board(each))
    return tuple(serial for serial, count in boards.items() if serial and count > 1)


def is_board(device: UsbDevice) -> bool:
    """Whether a device is a Pico that runs MicroPython."""
    return (device.vendor, device.product) == (RASPBERRY_PI, MICROPYTHON)
