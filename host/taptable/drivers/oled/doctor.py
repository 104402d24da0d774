"""Examines the scoreboard's display, for `taptable doctor`. On I2C it examines the bus, whether the display answers at
its address, and if not, which other devices do. On any other interface it examines whether the display can be opened.
Must not write anything that would change a picture on I2C, since the table may run."""

from __future__ import annotations

import errno
from argparse import Namespace
from collections.abc import Iterator

import smbus2
from luma.core.cmdline import make_interface
from luma.core.error import Error as LumaError

from taptable.config import ScoreboardParts
from taptable.core.errors import DeviceError
from taptable.doctor.buses import REBOOT_ADVICE, BootConfig, boot_line_advice, read_boot
from taptable.doctor.drivers import DriverDoctor, Look
from taptable.doctor.findings import Figures, Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.i2c import check_node, i2c_node, speeds_hz
from taptable.doctor.site import ExaminedTable
from taptable.doctor.system import NO_PI
from taptable.drivers.header_lines import I2C_LINES, spell_pin
from taptable.drivers.i2c_places import FAST_HZ, I2C_FAST, KIND, place_of
from taptable.drivers.interface import Part
from taptable.drivers.oled.driver import OledDriver, i2c_port
from taptable.drivers.oled.oled import open_display, read_display_options, size_of

_ADDRESSES = range(0x08, 0x78)
"""The addresses at which a display is looked for: all that the I2C standard doesn't reserve. [scoreboard] options also
take 0x03 to 0x07, which some devices use all the same; they are reserved for other protocols, so they aren't tried."""
_NO_OPERATION = 0xE3
"""A command that changes nothing, by which a display shows that it answers."""


class OledDoctor(DriverDoctor[OledDriver]):
    """Examines the display, and its I2C."""

    def __init__(self, driver: OledDriver) -> None:
        super().__init__(driver)
        # the numbers order the doctor's steps: I2C directly after the SPI buses (50), the display after readers and
        # boards (60 to 72)
        self.looks = (
            Look(51, "buses", ("i2c", "i2c-speed"), self.examine_bus),
            Look(80, "display", ("display",), self.examine_display),
        )

    def describe(self, part: Part) -> Figures:
        """Return the display's type, size, turns by 90 degrees and interface, as its options or luma name them."""
        args = read_display_options(part.options["options"])
        columns, rows = size_of(args)
        facts = {"display": args.display, "interface": args.interface, "columns": columns, "rows": rows}
        return facts | {"rotate": args.rotate} | ({"i2c_address": args.i2c_address} if args.interface == "i2c" else {})

    def examine_bus(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine the display's I2C: switched on, present, open to the table, and fast enough."""
        boot = read_boot(site.computer)
        port = next((i2c_port(part) for part in site.parts_of(self.driver)), None)
        if port is None:
            yield skipped("i2c", "oled", "the table has no display on I2C")
            return
        yield check_node(site.computer, boot, port, "oled")
        yield _check_i2c_speed(site, boot, port)

    def examine_display(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine the display, if the table has one."""
        scoreboard = site.config.scoreboard
        if scoreboard is None:
            yield skipped("display", "oled", "the table has no scoreboard")
            return
        finding = _check_display(site, scoreboard)
        if scoreboard.optional and finding.state == "fault":
            yield skipped("display", "oled", f"{finding.found}: the table plays without a display")
        else:
            yield finding


def _check_display(site: ExaminedTable, scoreboard: ScoreboardParts) -> Finding:
    args = read_display_options(scoreboard.options)
    if args.interface == "i2c":
        node = i2c_node(int(args.i2c_port))
        if not site.computer.has(node):
            return unseen("display", "oled", f"{node} isn't there")
        return _check_on_i2c(args)
    if site.held_by is not None:
        return unseen("display", "oled", f"in use by {site.held_by}", site.stop_advice)
    return _check_by_opening(args)


def _check_on_i2c(args: Namespace) -> Finding:
    """Check whether a display on I2C answers, by a command without effect: a running table isn't disturbed."""
    port, address = int(args.i2c_port), int(args.i2c_address, 0)
    try:
        bus = make_interface(args).i2c()
        try:
            bus.command(_NO_OPERATION)
        finally:
            bus.cleanup()
    except (LumaError, OSError, ImportError) as error:
        return _no_answer(port, address, str(error).splitlines()[0])
    return ok("display", "oled", f"{args.display} answers at 0x{address:02X}")


def _no_answer(port: int, address: int, reason: str) -> Finding:
    """Return the finding about a display on I2C that doesn't answer: a fault of its bus, of its wires, or of the
    address in the configuration."""
    # bus 0 is on the pins of a HAT's memory, which no table uses; the pins of others depend on the overlay
    sda, scl = (spell_pin(bcm) for bcm in I2C_LINES[port]) if port == 1 else ("SDA", "SCL")
    others = answering_addresses(port)
    if isinstance(others, OSError):
        return fault(
            "display", "oled", f"its bus can't be used: {reason}", "Follow the advice above, in the group buses."
        )
    if not others:
        found = f"nothing answers at 0x{address:02X}, nor anywhere on its bus"
        todo = (
            f"Check its wires: VCC to 3.3 V, ground, SDA to {sda}, SCL to {scl}; and check its jumpers: I2C, not SPI."
        )
        return fault("display", "oled", found, todo)
    addresses = ", ".join(f"0x{other:02X}" for other in others)
    todo = f'If one of these is the display, name it in [scoreboard] options: "--i2c-address", "0x{others[0]:02X}".'
    return fault("display", "oled", f"nothing answers at 0x{address:02X}, but something answers at {addresses}", todo)


def answering_addresses(port: int) -> list[int] | OSError:
    """Return the addresses at which a byte can be read, or why the bus can't be used."""
    try:
        bus = smbus2.SMBus(port)
    except OSError as error:
        return error
    try:
        return [address for address in _ADDRESSES if _does_answer(bus, address)]
    except TimeoutError as error:  # a line is held low: each further address would take a second, too
        return error
    finally:
        bus.close()


def _does_answer(bus: smbus2.SMBus, address: int) -> bool:
    """Return whether a device answers a read. A write could change something: some memories take it as a command.
    Raises TimeoutError if the bus hangs."""
    try:
        # selects the address first (I2C_SLAVE), which the kernel refuses where a driver of its own has the device;
        # `i2c_rdwr` (I2C_RDWR) would read from that device behind the driver's back
        bus.read_byte(address)
    except TimeoutError:
        raise
    except OSError as error:
        return error.errno == errno.EBUSY
    return True


def _check_by_opening(args: Namespace) -> Finding:
    """Check whether luma can open a display that isn't directly on I2C: one on SPI, or behind an expander such as
    pcf8574. Nothing can be read from it, so only eyes can tell whether it shows anything."""
    try:
        device = open_display(args)
        device.cleanup()
    except (LumaError, OSError, ImportError, DeviceError) as error:
        todo = "Follow the advice above, in the groups pins and buses; then check [scoreboard] options."
        return fault("display", "oled", f"{args.display} on {args.interface} can't be opened: {error}", todo)
    return ok(
        "display", "oled", f"{args.display} on {args.interface} can be opened; only a person can see what it shows"
    )


def _check_i2c_speed(site: ExaminedTable, boot: BootConfig, port: int) -> Finding:
    if site.computer.model is None:
        return skipped("i2c-speed", "oled", NO_PI)
    speed_hz, configured_hz = speeds_hz(site.computer, boot, port)
    found = f"the display's bus runs at {speed_hz // 1000} kHz"
    figures = {"bus_khz": speed_hz // 1000}
    if speed_hz >= FAST_HZ:
        return ok("i2c-speed", "oled", found).with_figures(stated=figures)
    # 128×64 pixels are 1,024 bytes of 9 bits each: 23 ms at `FAST_HZ`
    slow = f"{found}: a whole picture takes {23 * FAST_HZ // speed_hz} ms, not 23"
    if any(part.address.kind == KIND and place_of(part.address).bus == port for part in site.config.parts):
        found = f"{slow}, and the leads of the readers beside it may be long"
        return ok("i2c-speed", "oled", found).with_figures(stated=figures)
    todo = REBOOT_ADVICE if configured_hz >= FAST_HZ else boot_line_advice(I2C_FAST)
    return warning("i2c-speed", "oled", slow, todo).with_figures(stated=figures)


DOCTOR = OledDoctor
