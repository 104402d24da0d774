"""What is plugged into the computer's USB, by the kernel's own list: Picos with MicroPython, and those that wait for
firmware. Opens no port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from taptable.doctor.computer import Computer
from taptable.edges.boards.port import find_port

BY_ID = "/dev/serial/by-id"
RASPBERRY_PI = "2e8a"
BOOTLOADERS: Mapping[str, str] = MappingProxyType({"0003": "RP2040", "000f": "RP2350"})
"""USB products of a Pico whose button BOOTSEL was held while it was plugged in."""


@dataclass(frozen=True, slots=True)
class UsbDevice:
    """One device: vendor and product in lower-case hex, and its serial number."""

    vendor: str
    product: str
    serial: str


def plugged_in(computer: Computer) -> list[UsbDevice]:
    """All that the kernel knows of, in the order of its ports."""
    folder = computer.at("/sys/bus/usb/devices")
    if not folder.is_dir():
        return []
    found = [
        UsbDevice(_word(device, "idVendor"), _word(device, "idProduct"), _word(device, "serial"))
        for device in sorted(folder.iterdir())
    ]
    return [device for device in found if device.vendor]


def port_of(computer: Computer, board: str) -> str | None:
    """The path by which the port of a board is opened, as this computer sees it; None if it isn't there."""
    links = computer.at(BY_ID)
    if not links.is_dir():
        return None
    found = find_port(board, links)
    return None if found is None else f"{BY_ID}/{Path(found).name}"


def _word(device: Path, name: str) -> str:
    try:
        return (device / name).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
