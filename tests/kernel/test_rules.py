"""The package's udev rules, and those that `taptable seats` offers, applied by systemd's own udevd to controllers that
are plugged into the kernel: each is opened to the table or a person and to nobody else, and a keyboard to neither."""

from __future__ import annotations

import grp
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.doctor.computer import SystemUser
from taptable.doctor.rules import rule_file
from taptable.drivers.interface import SystemRule
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


SOMEBODY = SystemUser("somebody", 1234, frozenset())


def package_rule() -> str:
    """The package's rule, for a group that there is."""
    text = (ROOT / "system/taptable.rules").read_text(encoding="utf-8").replace('"taptable"', f'"{GROUP}"')
    return text.replace("chgrp taptable", f"chgrp {GROUP}")


@pytest.fixture
def udev(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run systemd's udevd with its own rules and the one of the test's parameter."""
    rules = Path("/run/udev/rules.d")
    rules.mkdir(parents=True)
    for file in (udev_folder() / "lib/udev/rules.d").iterdir():
        (rules / file.name).write_bytes(file.read_bytes())
    (rules / "60-taptable.rules").write_text(request.param(), encoding="utf-8")
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
@pytest.mark.parametrize("udev", [package_rule], indirect=True)
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


@pytest.mark.usefixtures("udev")
@pytest.mark.parametrize("udev", [lambda: rule_file(SystemRule.DEVICES, SOMEBODY).text], indirect=True)
def test_without_the_package_logind_opens_controllers_and_the_lamps_are_one_person_s() -> None:
    tagged: dict[str, bool] = {}
    for make in (BUZZ, ENCODER, KEYBOARD):
        controller = Controller(make, 0)
        controller.plug_in()
        settle()
        (node,) = (node for node in UsbPorts(Path("/")).nodes("input", "event") if node.port == controller.port)
        info = [udev_folder() / "bin/udevadm", "info", f"/dev/input/{node.name}"]
        shown = subprocess.run(info, capture_output=True, text=True, check=True).stdout
        tagged[make.name] = ":uaccess:" in shown
        assert rights(Path("/dev/input", node.name))[1] & 0o007 == 0
        for led in UsbPorts(Path("/")).nodes("leds"):
            status = (led.folder / "brightness").stat()
            assert (status.st_uid, status.st_mode & 0o777) == (SOMEBODY.uid, 0o644)
        controller.remove()
    assert tagged == {BUZZ.name: True, ENCODER.name: True, KEYBOARD.name: False}
