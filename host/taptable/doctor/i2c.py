"""Examines an I2C bus for the parts on it: whether it is switched on, present and open to the table, and how fast it
is. Must not know what is on it."""

from __future__ import annotations

from taptable.doctor.buses import BootConfig, boot_line_advice
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok
from taptable.doctor.site import access_problem
from taptable.doctor.system import NO_PI, WRONG_PLACE

_PARAMS = {0: "i2c_vc", 1: "i2c_arm"}
"""The settings of config.txt that switch on the buses of the Pi's header."""
_USUAL_HZ = 100_000
"""The clock of an I2C bus whose speed isn't configured."""


def i2c_node(bus: int) -> str:
    """Return the path of the device file of a bus."""
    return f"/dev/i2c-{bus}"


def check_node(computer: Computer, boot: BootConfig, bus: int, part: str) -> Finding:
    """Examine the device file of a bus, for one of the parts on it."""
    node = i2c_node(bus)
    if computer.has(node):
        return access_problem(computer, node, "i2c", part) or ok("i2c", part, f"{node} is there")
    if bus not in _PARAMS:
        todo = "Plug its adapter in; or, on a Pi, add the overlay of this bus to config.txt. `ls /dev/i2c-*` lists all."
        return fault("i2c", part, f"{node} isn't there", todo)
    if computer.model is None:
        return fault("i2c", part, f"{node} isn't there: {NO_PI}", WRONG_PLACE)
    if boot.is_on(_PARAMS[bus]):
        todo = "It is switched on in config.txt; its driver isn't loaded: `sudo modprobe i2c-dev`, or `sudo reboot`."
        return fault("i2c", part, f"{node} isn't there", todo)
    return fault("i2c", part, f"{node} isn't there", boot_line_advice(f"dtparam={_PARAMS[bus]}=on"))


def speeds_hz(computer: Computer, boot: BootConfig, bus: int) -> tuple[int, int]:
    """Return the speed of a bus now, and after the next start by config.txt."""
    configured = boot.params.get("i2c_arm_baudrate", "")
    configured_hz = int(configured) if configured.isdecimal() else _USUAL_HZ
    return _clock_hz(computer, bus) or configured_hz, configured_hz


def _clock_hz(computer: Computer, bus: int) -> int | None:
    """Return the clock in Hz that the running kernel uses for the bus, from the device tree: four bytes, the highest
    first. Return None if the tree doesn't have it."""
    try:
        value = computer.at(f"/sys/bus/i2c/devices/i2c-{bus}/of_node/clock-frequency").read_bytes()
    except OSError:
        return None
    return int.from_bytes(value[:4]) or None
