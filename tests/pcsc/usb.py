"""The USB of a computer on which readers are plugged in and pulled out, as Debian's pcscd sees it: the files of sysfs,
and udev's messages. pcscd finds its driver by the ids of a reader (`write_driver`), and names the reader by itself."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from taptable.drivers.usb_ports import port_order
from taptable.sim.usb_tree import DeviceKind, UsbTree

MOST_READERS = 16
"""The most readers, each of their interfaces counted, that pcscd before 2.5.0 has."""
_NETLINK_UEVENTS, _UDEV_GROUP = 15, 2
_HASHES = 0x0577C5E5, 0xB1024765
"""MurmurHash2 of *usb* and *usb_interface*, by which a receiver of udev's messages chooses."""
_MAGIC = 0xFEEDCAFE


@dataclass(frozen=True, slots=True)
class Make:
    """A make of reader: its ids, its name in the list of pcscd's driver, and the names of its interfaces. pcscd makes a
    reader of each interface."""

    ids: str
    name: str
    interfaces: Sequence[str]


UTRUST = Make("04e6:5790", "Identiv uTrust 3700 F CL Reader", ("uTrust 3700 F CL Reader",))
ACR1252U = Make("072f:223b", "ACS ACR1252 Dual Reader", ("ACR1252 Dual Reader PICC", "ACR1252 Dual Reader SAM"))
MAKES = (UTRUST, ACR1252U)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader. Its name, for tests, is the address at which the table has it: its serial number, or its port."""

    name: str
    make: Make = UTRUST
    serial: str = ""


class Usb:
    """The ports and the readers in them. Must be made, and used, in the network in which pcscd is to be told."""

    def __init__(self) -> None:
        self.tree = UsbTree()
        self.ports: dict[str, Reader] = {}
        self.numbers: dict[str, int] = {}
        """The number of the device at each port, which is new each time."""
        self._counted = count(1)

    def plug_in(self, port: str, reader: Reader) -> None:
        """Plug a reader into a port, as the kernel and udev report it."""
        number = self.numbers[port] = next(self._counted)
        self.ports[port] = reader
        product = reader.make.interfaces[0]
        self.tree.plug_in(port, DeviceKind(reader.make.ids, product, "16ms"), reader.serial, number=number)
        for folder, kind, more in self._folders(port):
            folder.mkdir(exist_ok=True)
            files = {"uevent": f"DEVTYPE={kind}\n", **more}
            for name, text in files.items():
                (folder / name).write_text(text, encoding="ascii")
            bus = self.tree.root / "sys/bus/usb"
            up = len(folder.relative_to(self.tree.root / "sys").parts)
            (folder / "subsystem").symlink_to(f"{'../' * up}bus/usb")
            if not (bus / "devices" / folder.name).is_symlink():
                (bus / "devices" / folder.name).symlink_to(f"../../../{folder.relative_to(self.tree.root / 'sys')}")
        self._tell("add", port)

    def pull_out(self, port: str) -> None:
        """Pull the reader at a port out."""
        self._tell("remove", port)
        for folder, _, _ in self._folders(port):
            (self.tree.root / "sys/bus/usb/devices" / folder.name).unlink()
        self.tree.pull_out(port)
        del self.ports[port]

    def _folders(self, port: str) -> Iterator[tuple[Path, str, dict[str, str]]]:
        """Yield the folders of the device at a port and of its interfaces, with their kinds and files."""
        device = (self.tree.root / "sys/bus/usb/devices" / port).resolve()
        bus, number = port_order(port)[0], self.numbers[port]
        name = f"DEVTYPE=usb_device\nDEVNAME=bus/usb/{bus:03}/{number:03}\n"
        yield device, "usb_device", {"uevent": name}
        for place, interface in enumerate(self.ports[port].make.interfaces):
            files = {"bInterfaceNumber": f"{place:02}\n", "interface": f"{interface}\n"}
            yield device / f"{port}:1.{place}", "usb_interface", files

    def _tell(self, action: str, port: str) -> None:
        for folder, kind, _ in self._folders(port):
            if kind != "usb_interface":
                continue
            path = folder.relative_to(self.tree.root / "sys")
            texts = (f"ACTION={action}", f"DEVPATH=/{path}", "SUBSYSTEM=usb", f"DEVTYPE={kind}", "SEQNUM=1")
            properties = "".join(f"{text}\0" for text in texts).encode()
            head = (
                struct.pack("=8s", b"libudev\0")
                + struct.pack(">I", _MAGIC)
                + struct.pack("=III", 40, 40, len(properties))
            )
            message = head + struct.pack(">IIII", *_HASHES, 0, 0) + properties
            udev = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_UEVENTS)
            with udev, suppress(ConnectionRefusedError):  # nobody listens: the service doesn't run
                udev.sendto(message, (0, _UDEV_GROUP))


def write_driver(folder: Path, library: bytes) -> None:
    """Write a driver of pcscd, for readers of all makes, into its folder of drivers."""
    contents = folder / "readers.bundle/Contents"
    (contents / "Linux").mkdir(parents=True)
    (contents / "Linux/reader.so").write_bytes(library)
    lists = {
        "ifdVendorID": [f"0x{make.ids[:4].upper()}" for make in MAKES],
        "ifdProductID": [f"0x{make.ids[5:].upper()}" for make in MAKES],
        "ifdFriendlyName": [make.name for make in MAKES],
    }
    lines = ["<key>CFBundleExecutable</key>", "<string>reader.so</string>"]
    for key, values in lists.items():
        lines += [f"<key>{key}</key>", "<array>", *(f"<string>{value}</string>" for value in values), "</array>"]
    text = "\n".join(['<?xml version="1.0"?>', '<plist version="1.0">', "<dict>", *lines, "</dict>", "</plist>", ""])
    (contents / "Info.plist").write_text(text, encoding="ascii")  # pcscd reads an element from each line
