"""The package's udev rules, applied by systemd's own udevd to controllers that are plugged into the kernel: each is
opened to the table and to nobody else, and a keyboard to neither."""

from __future__ import annotations

import grp
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.drivers.usb_ports import UsbPorts

from kernel.controllers import BUZZ, ENCODER, KEYBOARD, Controller
from kernel.machine import ROOT, find_kernel

pytestmark = pytest.mark.long
GROUP = "games"
"""Stands for the group ``taptable``, which this computer doesn't have."""


def udev_folder() -> Path:
    """The folder with udev's programs and rules, as Debian's package has them."""
    kernel = find_kernel()
    assert kernel is not None
    return next(folder for folder in (kernel / "udev", kernel / "udev/usr") if (folder / "bin/udevadm").exists())


@pytest.fixture
def udev() -> Iterator[None]:
    """Run systemd's udevd with its own rules and the package's."""
    rules = Path("/run/udev/rules.d")
    rules.mkdir(parents=True)
    for file in (udev_folder() / "lib/udev/rules.d").iterdir():
        (rules / file.name).write_bytes(file.read_bytes())
    text = (ROOT / "system/taptable.rules").read_text(encoding="utf-8").replace('"taptable"', f'"{GROUP}"')
    (rules / "60-taptable.rules").write_text(text.replace("chgrp taptable", f"chgrp {GROUP}"), encoding="utf-8")
    udevadm = udev_folder() / "bin/udevadm"
    daemon = subprocess.Popen(["systemd-udevd"], executable=udevadm, stderr=subprocess.PIPE, text=True)
    deadline_s = time.monotonic() + DEADLINE_S
    while not Path("/run/udev/control").exists():
        assert time.monotonic() < deadline_s, daemon.communicate(timeout=1)
        time.sleep(0.01)
    yield
    daemon.terminate()  # it ends its workers first
    daemon.communicate(timeout=DEADLINE_S)


def settle() -> None:
    """Wait until udev has dealt with all devices."""
    subprocess.run([udev_folder() / "bin/udevadm", "settle", f"--timeout={DEADLINE_S:.0f}"], check=True)


def rights(file: Path) -> tuple[str, int]:
    """The group and the mode of a file."""
    status = file.stat()
    return grp.getgrgid(status.st_gid).gr_name, status.st_mode & 0o777


@pytest.mark.usefixtures("udev")
def test_controllers_are_opened_to_the_table_with_their_lamps_and_a_keyboard_is_not() -> None:
    found: dict[str, tuple[str, int]] = {}
    for make in (BUZZ, ENCODER, KEYBOARD):
        controller = Controller(make, 0)
        controller.plug_in()
        settle()
        (node,) = (node for node in UsbPorts(Path("/")).nodes("input", "event") if node.port == controller.port)
        found[make.name] = rights(Path("/dev/input", node.name))
        for led in UsbPorts(Path("/")).nodes("leds"):
            found[led.name.rpartition(":")[2]] = rights(led.folder / "brightness")
        controller.remove()
    assert found.pop(KEYBOARD.name)[0] != GROUP
    assert found == {
        BUZZ.name: (GROUP, 0o660),
        **{f"buzz{number}": (GROUP, 0o664) for number in range(1, 5)},
        ENCODER.name: (GROUP, 0o660),
    }
