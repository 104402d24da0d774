"""Controllers in USB sockets of a kernel that is host and gadget at once: their firmware is here, and the kernel's own
drivers are at the other end."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from deadline import DEADLINE_S
from taptable.drivers.usb_ports import UsbPorts

from kernel.header import now_us

_GADGETS = Path("/sys/kernel/config/usb_gadget")


@dataclass(frozen=True, slots=True)
class Make:
    """A make of controller: its ids, how it calls itself, the descriptor of its reports and their length, and the bit
    of each key in a report."""

    ids: str
    name: str
    descriptor: bytes
    length: int
    bits: Mapping[str, int]
    idle: bytes


def _buttons(count: int, padding: int) -> bytes:
    """The descriptor's lines about so many buttons of a bit each."""
    return bytes.fromhex(
        f"75 01 95 {count:02x} 15 00 25 01 35 00 45 01 05 09 19 01 29 {count:02x} 81 02 75 01 95 {padding:02x} 81 01"
    )


BUZZ = Make(
    "054c:0002",
    "Logitech Buzz(tm) Controller V1",
    bytes.fromhex("05 01 09 04 A1 01 A1 02 75 08 95 02 15 00 26 FF 00 35 00 46 FF 00 09 30 09 31 81 02")
    + _buttons(20, 4)
    + bytes.fromhex("C0 A1 02 75 08 95 07 15 00 26 FF 00 46 FF 00 06 00 FF 09 02 91 02 C0 C0"),
    8,
    {f"BTN_TRIGGER_HAPPY{5 * dome + 1}": 16 + 5 * dome for dome in range(4)},
    bytes.fromhex("7f 7f 00 00 f0"),
)
ENCODER = Make(
    "0079:0006",
    "Generic   USB  Joystick  ",
    bytes.fromhex("05 01 09 04 A1 01") + _buttons(12, 4) + bytes.fromhex("C0"),
    2,
    {"BTN_TRIGGER": 0, "BTN_THUMB": 1, "BTN_THUMB2": 2},
    bytes(2),
)
KEYBOARD = Make(
    "046d:c31c",
    "USB Keyboard",
    bytes.fromhex("05 01 09 06 A1 01 05 07 19 04 29 2C 15 00 25 01 75 01 95 29 81 02 95 07 81 01 C0"),
    6,
    {"KEY_A": 0, "KEY_SPACE": 0x2C - 0x04},
    bytes(6),
)


@dataclass(slots=True)
class Controller:
    """A controller of a make, whose plug fits into the socket with this number. `port` is the path of that socket."""

    make: Make
    number: int
    down: set[str] = field(default_factory=set[str])
    _end: int = -1

    def __post_init__(self) -> None:
        vendor, product = self.make.ids.split(":")
        for folder in ("strings/0x409", "configs/c.1", f"functions/hid.{self.number}"):
            (self._gadget / folder).mkdir(parents=True)
        for file, text in (
            ("idVendor", f"0x{vendor}"),
            ("idProduct", f"0x{product}"),
            ("strings/0x409/product", self.make.name),
            (f"functions/hid.{self.number}/report_length", str(self.make.length)),
            (f"functions/hid.{self.number}/protocol", "0"),
            (f"functions/hid.{self.number}/subclass", "0"),
        ):
            (self._gadget / file).write_text(text, encoding="ascii")
        function = self._gadget / f"functions/hid.{self.number}"
        (function / "report_desc").write_bytes(self.make.descriptor)
        (self._gadget / f"configs/c.1/hid.{self.number}").symlink_to(function)

    @property
    def port(self) -> str:
        """The path of its USB port."""
        return f"{self.number + 1}-1"

    def plug_in(self) -> None:
        """Plug it in, and wait until the kernel has its keys."""
        self._connect(f"dummy_udc.{self.number}")
        _, minor = (self._gadget / f"functions/hid.{self.number}/dev").read_text(encoding="ascii").split(":")
        self._end = os.open(f"/dev/hidg{int(minor)}", os.O_RDWR)
        self._wait(True)

    def pull_out(self) -> None:
        """Pull it out, and wait until the kernel knows."""
        os.close(self._end)
        self._connect("")
        self._wait(False)

    def remove(self) -> None:
        """Pull it out for good, so that another one fits into the socket."""
        self.pull_out()
        (self._gadget / f"configs/c.1/hid.{self.number}").unlink()
        for folder in ("configs/c.1", f"functions/hid.{self.number}", "strings/0x409", "."):
            (self._gadget / folder).resolve().rmdir()

    def move(self, *keys: str, down: bool) -> tuple[int, int]:
        """Press or release keys, in one report. Return the times between which that happened."""
        after_us = now_us()
        (self.down.update if down else self.down.difference_update)(keys)
        report = int.from_bytes(self.make.idle, "little")
        for key in self.down:
            report |= 1 << self.make.bits[key]
        os.write(self._end, report.to_bytes(len(self.make.idle), "little"))
        return after_us, now_us()

    def lamp_reports(self, count: int) -> list[bytes]:
        """Return the next reports that the host has sent, about its lamps."""
        return [os.read(self._end, 64) for _ in range(count)]

    @property
    def _gadget(self) -> Path:
        return _GADGETS / f"controller{self.number}"

    def _connect(self, controller: str) -> None:
        (self._gadget / "UDC").write_text(f"{controller}\n", encoding="ascii")

    def _wait(self, there: bool) -> None:
        deadline_s = time.monotonic() + DEADLINE_S
        while bool(self._nodes()) is not there:
            assert time.monotonic() < deadline_s, f"the controller at {self.port} isn't {'there' if there else 'gone'}"
            time.sleep(0.01)

    def _nodes(self) -> Collection[str]:
        with suppress(OSError):
            return [node.name for node in UsbPorts(Path("/")).nodes("input", "event") if node.port == self.port]
        return []
