"""The computer itself: its model, its system, its power supply, and the doctor's user. Must not know a table."""

from __future__ import annotations

import platform
from collections.abc import Iterator

from taptable import __version__
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok, skipped, warning

NO_PI = "not a Raspberry Pi"
WRONG_PLACE = "Run the table on a Raspberry Pi: this part is on the Pi's own pins."
"""The finding and the advice, also of drivers, for a computer that isn't a Raspberry Pi."""

_PART = "computer"
_TRIED = ("bookworm", "trixie")
"""The releases of Raspberry Pi OS on which taptable was tried."""
_LOW_NOW, _LOW_SINCE_START = 1 << 0, 1 << 16
_SLOWED = 0xE | 0xE << 16
"""Bits of ``vcgencmd get_throttled``. Bits 0 to 3 are about now: low voltage (0), the clock capped (1), throttled (2),
and the soft limit of temperature (3). Bits 16 to 19 say the same about the time since the start."""
_SUPPLY_TODO = "Use a separate power supply with 5.1 V and the current that this model needs, and a short, thick cable."


def examine_system(computer: Computer) -> Iterator[Finding]:
    """Examine the computer."""
    yield _model(computer)
    yield _bits(computer)
    yield _release(computer)
    yield ok("version", _PART, f"taptable {__version__}")
    yield ok("python", _PART, f"Python {platform.python_version()}")
    if computer.model is not None:
        yield _supply(computer)
    yield _user(computer)


def _model(computer: Computer) -> Finding:
    if computer.model is None:
        return skipped("model", _PART, f"{NO_PI}: pins, SPI, I2C and a power button are left out")
    return ok("model", _PART, computer.model)


def _bits(computer: Computer) -> Finding:
    if computer.bits != 64:
        todo = "Install the 64-bit Raspberry Pi OS: some packages don't exist for 32 bits."
        return fault("bits", _PART, f"a {computer.bits}-bit system", todo)
    return ok("bits", _PART, "a 64-bit system")


def _release(computer: Computer) -> Finding:
    lines = (line.partition("=") for line in (computer.text("/etc/os-release") or "").splitlines())
    facts = {key: value.strip("\"'") for key, _, value in lines}
    name = facts.get("PRETTY_NAME", "an unnamed system")
    if facts.get("VERSION_CODENAME") in _TRIED:
        return ok("release", _PART, name)
    system = "Debian" if computer.model is None else "Raspberry Pi OS"
    todo = f"If something doesn't work, use {system} {' or '.join(_TRIED)}: taptable was tested on these."
    return warning("release", _PART, f"{name}, on which taptable was never tested", todo)


def _supply(computer: Computer) -> Finding:
    """Judge the supply by the firmware's bits: low voltage, and what the firmware did about it."""
    output = computer.read_output(["vcgencmd", "get_throttled"])
    number = (output or "").strip().removeprefix("throttled=")
    try:
        bits = int(number, 16)
    except ValueError:
        return _supply_now(computer)
    if bits & _LOW_NOW:
        return fault("supply", _PART, f"the voltage is too low now ({number})", _SUPPLY_TODO)
    if bits & _LOW_SINCE_START:
        return warning("supply", _PART, f"the voltage has been too low since the start ({number})", _SUPPLY_TODO)
    if bits & _SLOWED:
        return warning(
            "supply",
            _PART,
            f"the Pi was slowed down by heat ({number})",
            "Improve its cooling: more air, or a heat sink.",
        )
    return ok("supply", _PART, "the voltage has never been too low since the start")


def _supply_now(computer: Computer) -> Finding:
    """Judge the supply by the kernel's sensor instead: vcgencmd is for root and the group video, to which the service's
    user doesn't belong."""
    for sensor in sorted(computer.at("/sys/class/hwmon").glob("hwmon*")):
        if computer.text(f"/sys/class/hwmon/{sensor.name}/name") != "rpi_volt":
            continue
        if computer.text(f"/sys/class/hwmon/{sensor.name}/in0_lcrit_alarm") == "1":
            return fault("supply", _PART, "the voltage is too low now (rpi_volt)", _SUPPLY_TODO)
        return ok(
            "supply",
            _PART,
            "the voltage isn't too low now; `sudo vcgencmd get_throttled` shows whether it was earlier (0x0: never)",
        )
    return skipped("supply", _PART, "neither vcgencmd nor the kernel reports the voltage")


def _user(computer: Computer) -> Finding:
    me, user = computer.current_user, computer.table_user
    if me.uid in (0, user.uid):
        return ok("user", _PART, f"the doctor runs as {me.name}, the table as {user.name}")
    todo = (
        f"Run the doctor as that user: the same command after `sudo -u {user.name}`, in a folder that is writable"
        " for it, such as"
        f" /var/lib/{user.name}."
    )
    found = f"the doctor runs as {me.name}, but the table as {user.name}: you may have no access to its files"
    return warning("user", _PART, found, todo)
