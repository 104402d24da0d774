"""The Pi's SPI and I2C: switched on in config.txt, there as devices, open to the table, and the I2C fast enough."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from taptable.config import Config, OnSpi
from taptable.config.wiring import BUS_SELECTS, read_display
from taptable.daemon.devices import spi_places
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok, skipped, warning
from taptable.doctor.site import Site, closed
from taptable.doctor.system import NO_PI, WRONG_PLACE
from taptable.drivers.oled.oled import read_display_options

FILE = "/boot/firmware/config.txt"
_OLD_FILE = "/boot/config.txt"

_MODELS: Mapping[str, tuple[str, ...]] = {
    "pi0": ("Pi Zero",),
    "pi0w": ("Pi Zero W", "Pi Zero 2 W"),
    "pi02": ("Pi Zero 2 W",),
    "pi3": ("Pi 3", "Compute Module 3"),
    "pi3+": ("Pi 3 Model A Plus", "Pi 3 Model B Plus"),
    "pi4": ("Pi 4", "Compute Module 4"),
    "pi5": ("Pi 5", "Compute Module 5"),
    "pi400": ("Pi 400",),
    "pi500": ("Pi 500",),
    "cm4": ("Compute Module 4",),
    "cm5": ("Compute Module 5",),
}
"""Sections for some models only, and what the names of these have in them."""

_ALIASES = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}


@dataclass(frozen=True, slots=True)
class BootConfig:
    """`params` are the dtparams by name, a bare one is ``on``; `overlays` the names of the dtoverlays."""

    params: Mapping[str, str]
    overlays: frozenset[str]

    def is_on(self, param: str) -> bool:
        """Is this switched on?"""
        return self.params.get(param, "off") in ("on", "true", "yes", "1", "y")


def read_boot(computer: Computer) -> BootConfig:
    """What stands in config.txt, nothing where there is none. Sections of conditions other than the model are left
    out."""
    params: dict[str, str] = {}
    overlays: set[str] = set()
    for key, value in _boot_settings(computer):
        if key == "dtoverlay":
            overlays.add(value.partition(",")[0])
        elif key == "dtparam":
            for setting in value.split(","):
                name, _, given = setting.partition("=")
                params[_ALIASES.get(name, name)] = given or "on"
    return BootConfig(params, frozenset(overlays))


def _boot_settings(computer: Computer) -> Iterator[tuple[str, str]]:
    text = computer.text(FILE) or computer.text(_OLD_FILE) or ""
    holds = True
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line.startswith("["):
            holds = _holds(line.strip("[]").lower(), computer.model or "")
        elif holds and "=" in line:
            key, _, value = line.partition("=")
            yield key.strip(), value.strip()


def _holds(section: str, model: str) -> bool:
    return section == "all" or any(name in model for name in _MODELS.get(section, ()))


FAST_HZ = 400_000
_USUAL_HZ = 100_000
_I2C_ON = "dtparam=i2c_arm=on"
_I2C_FAST = f"dtparam=i2c_arm_baudrate={FAST_HZ}"
_RESTART = "It is switched on in config.txt, so it comes with the next start: `sudo reboot`."


def examine_buses(site: Site) -> Iterator[Finding]:
    """Every device on SPI that the configuration names, and the display's I2C."""
    boot = read_boot(site.computer)
    for part, place in spi_parts(site.config):
        yield _spi_device(site, boot, part, place)
    port = i2c_port(site.config)
    if port is None:
        yield skipped("i2c", "oled", "the table has no display on I2C")
        return
    yield _i2c(site.computer, boot, port)
    yield _i2c_speed(site.computer, boot, port)


def boot_lines(config: Config) -> tuple[str, ...]:
    """The lines of config.txt that a table needs for its buses; for who writes them, too."""
    lines = tuple(_spi_line(config, bus) for bus in sorted({place.bus for _, place in spi_parts(config)}))
    return lines if i2c_port(config) is None else (*lines, _I2C_ON, _I2C_FAST)


def spi_parts(config: Config) -> list[tuple[str, OnSpi]]:
    """What is on the Pi's SPI, by the names of the parts."""
    parts = [(place.part, OnSpi(place.bus, place.device)) for place in spi_places(config)]
    if config.scoreboard is not None:
        display = read_display(config.scoreboard.options)
        parts += [("oled", display.spi)] if display.spi is not None else []
    return parts


def spi_node(place: OnSpi) -> str:
    """The device file of a place on SPI."""
    return f"/dev/spidev{place.bus}.{place.device}"


def i2c_port(config: Config) -> int | None:
    """The number of the bus that the display is on, None if it is on none."""
    if config.scoreboard is None:
        return None
    args = read_display_options(config.scoreboard.options)
    return int(args.i2c_port) if args.interface == "i2c" else None


def _spi_device(site: Site, boot: BootConfig, part: str, place: OnSpi) -> Finding:
    computer, node = site.computer, spi_node(place)
    if computer.has(node):
        return closed(computer, node, "spi", part) or ok("spi", part, f"{node} is there")
    if computer.model is None:
        return fault("spi", part, f"{node} isn't there: {NO_PI}", WRONG_PLACE)
    if place.bus == 0:
        is_on = boot.is_on("spi")
    else:
        is_on = any(f"spi1-{count}cs" in boot.overlays for count in range(place.device + 1, len(BUS_SELECTS[1]) + 1))
    return fault(
        "spi", part, f"{node} isn't there", _RESTART if is_on else _switch_on(_spi_line(site.config, place.bus))
    )


def _spi_line(config: Config, bus: int) -> str:
    """What switches a bus on, with as many select lines as the table uses."""
    last = max(place.device for _, place in spi_parts(config) if place.bus == bus)
    return "dtparam=spi=on" if bus == 0 else f"dtoverlay=spi{bus}-{last + 1}cs"


def _i2c(computer: Computer, boot: BootConfig, port: int) -> Finding:
    node = f"/dev/i2c-{port}"
    if computer.has(node):
        return closed(computer, node, "i2c", "oled") or ok("i2c", "oled", f"{node} is there")
    if computer.model is None:
        return fault("i2c", "oled", f"{node} isn't there: {NO_PI}", WRONG_PLACE)
    if boot.is_on("i2c_arm"):
        todo = "It is switched on in config.txt; its driver isn't loaded: `sudo modprobe i2c-dev`, or `sudo reboot`."
        return fault("i2c", "oled", f"{node} isn't there", todo)
    return fault("i2c", "oled", f"{node} isn't there", _switch_on(_I2C_ON))


def _i2c_speed(computer: Computer, boot: BootConfig, port: int) -> Finding:
    if computer.model is None:
        return skipped("i2c-speed", "oled", NO_PI)
    now_hz = _clock_hz(computer, port)
    asked = boot.params.get("i2c_arm_baudrate", "")
    asked_hz = int(asked) if asked.isdecimal() else _USUAL_HZ
    speed_hz = now_hz or asked_hz
    found = f"the display's bus runs at {speed_hz // 1000} kHz"
    if speed_hz >= FAST_HZ:
        return ok("i2c-speed", "oled", found)
    todo = _RESTART if asked_hz >= FAST_HZ else _switch_on(_I2C_FAST)
    return warning("i2c-speed", "oled", f"{found}: a whole picture takes {23 * FAST_HZ // speed_hz} ms, not 23", todo)


def _clock_hz(computer: Computer, port: int) -> int | None:
    """What the bus really runs at, from the device tree: four bytes, the highest first."""
    try:
        value = computer.at(f"/sys/bus/i2c/devices/i2c-{port}/of_node/clock-frequency").read_bytes()
    except OSError:
        return None
    return int.from_bytes(value[:4]) or None


def _switch_on(line: str) -> str:
    return f"Add the line {line} to {FILE}, then `sudo reboot`."
