"""The Pi's SPI and I2C: switched on in config.txt, there as devices, open to the table, and the I2C fast enough."""

from __future__ import annotations

from collections.abc import Iterator

from taptable.config import OnSpi
from taptable.config.wiring import BUS_SELECTS
from taptable.doctor.boot import FILE, BootConfig, read_boot
from taptable.doctor.computer import Computer
from taptable.doctor.finding import Finding, fault, ok, skipped, warning
from taptable.doctor.permissions import closed
from taptable.doctor.site import Site
from taptable.doctor.system import NO_PI, WRONG_PLACE
from taptable.edges.cues.display_options import read_display_options

FAST_HZ = 400_000
_USUAL_HZ = 100_000
_RESTART = "It is switched on in config.txt, so it comes with the next start: `sudo reboot`."


def examine_buses(site: Site) -> Iterator[Finding]:
    """Every device on SPI that the configuration names, and the display's I2C."""
    boot = read_boot(site.computer)
    devices = {place.device for _, place in site.spi_parts if place.bus == 1}
    for part, place in site.spi_parts:
        yield _spi_device(site.computer, boot, part, place, max(devices, default=0))
    port = i2c_port(site)
    if port is None:
        yield skipped("i2c", "oled", "the table has no display on I2C")
        return
    yield _i2c(site.computer, boot, port)
    yield _i2c_speed(site.computer, boot, port)


def spi_node(place: OnSpi) -> str:
    """The device file of a place on SPI."""
    return f"/dev/spidev{place.bus}.{place.device}"


def i2c_port(site: Site) -> int | None:
    """The number of the bus that the display is on, None if it is on none."""
    if site.config.scoreboard is None:
        return None
    args = read_display_options(site.config.scoreboard.options).args
    return int(args.i2c_port) if args.interface == "i2c" else None


def _spi_device(computer: Computer, boot: BootConfig, part: str, place: OnSpi, last_on_bus_1: int) -> Finding:
    node = spi_node(place)
    if computer.has(node):
        return closed(computer, node, "spi", part) or ok("spi", part, f"{node} is there")
    if computer.model is None:
        return fault("spi", part, f"{node} isn't there: {NO_PI}", WRONG_PLACE)
    if place.bus == 0:
        line, is_on = "dtparam=spi=on", boot.is_on("spi")
    else:
        enough = [f"spi1-{count}cs" for count in range(last_on_bus_1 + 1, len(BUS_SELECTS[1]) + 1)]
        line, is_on = f"dtoverlay={enough[0]}", any(overlay in boot.overlays for overlay in enough)
    return fault("spi", part, f"{node} isn't there", _RESTART if is_on else _switch_on(line))


def _i2c(computer: Computer, boot: BootConfig, port: int) -> Finding:
    node = f"/dev/i2c-{port}"
    if computer.has(node):
        return closed(computer, node, "i2c", "oled") or ok("i2c", "oled", f"{node} is there")
    if computer.model is None:
        return fault("i2c", "oled", f"{node} isn't there: {NO_PI}", WRONG_PLACE)
    if boot.is_on("i2c_arm"):
        todo = "It is switched on in config.txt; its driver isn't loaded: `sudo modprobe i2c-dev`, or `sudo reboot`."
        return fault("i2c", "oled", f"{node} isn't there", todo)
    return fault("i2c", "oled", f"{node} isn't there", _switch_on("dtparam=i2c_arm=on"))


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
    todo = _RESTART if asked_hz >= FAST_HZ else _switch_on(f"dtparam=i2c_arm_baudrate={FAST_HZ}")
    return warning("i2c-speed", "oled", f"{found}: a whole picture takes {23 * FAST_HZ // speed_hz} ms, not 23", todo)


def _clock_hz(computer: Computer, port: int) -> int | None:
    """What the bus really runs at, from the device tree: four bytes, the highest first."""
    try:
        value = computer.at(f"/sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency").read_bytes()
    except OSError:
        return None
    return int.from_bytes(value[:4]) or None


def _switch_on(line: str) -> str:
    return f"Add the line {line} to {FILE}, then `sudo reboot`."
