"""The scoreboard's display, whether it answers at its address, and if not, who else does; and the table's voice,
whether its program speaks the table's language and the loudspeaker can be had, by saying nothing over it."""

from __future__ import annotations

import errno
from argparse import Namespace
from collections.abc import Iterator

import smbus2
from luma.core.cmdline import make_interface
from luma.core.error import Error as LumaError

from taptable.config import ScoreboardParts
from taptable.core.errors import DeviceError
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen
from taptable.doctor.site import Site, closed, pin
from taptable.drivers.oled.oled import open_display, read_display_options
from taptable.edges.cues.speech import PROGRAM, VOICES, command, trouble_in

_ADDRESSES = range(0x08, 0x78)
"""Those that a device may have; the others have meanings of their own."""
_NO_OPERATION = 0xE3
_I2C_PINS = {1: (2, 3)}
"""SDA and SCL of a bus, by BCM number."""


def examine_display(site: Site) -> Iterator[Finding]:
    """The display, if the table has one."""
    scoreboard = site.config.scoreboard
    if scoreboard is None:
        yield skipped("display", "oled", "the table has no scoreboard")
        return
    yield _display(site, scoreboard)


def _display(site: Site, scoreboard: ScoreboardParts) -> Finding:
    args = read_display_options(scoreboard.options)
    if args.interface == "i2c":
        node = f"/dev/i2c-{args.i2c_port}"
        if not site.computer.has(node):
            return unseen("display", "oled", f"{node} isn't there")
        return _on_i2c(args)
    if site.held_by is not None:
        return unseen("display", "oled", f"in use by {site.held_by}", site.stop_it)
    return _elsewhere(args)


def _on_i2c(args: Namespace) -> Finding:
    """An order to do nothing disturbs no table that is running."""
    port, address = int(args.i2c_port), int(args.i2c_address, 0)
    try:
        bus = make_interface(args).i2c()
        try:
            bus.command(_NO_OPERATION)
        finally:
            bus.cleanup()
    except (LumaError, OSError, ImportError) as error:
        return _silent(port, address, str(error).splitlines()[0])
    return ok("display", "oled", f"{args.display} answers at 0x{address:02X}")


def _silent(port: int, address: int, reason: str) -> Finding:
    sda, scl = (pin(bcm) for bcm in _I2C_PINS[port]) if port in _I2C_PINS else ("SDA", "SCL")
    others = _answering(port)
    if isinstance(others, OSError):
        return fault("display", "oled", f"its bus can't be used: {reason}", "See what stands above of i2c.")
    if not others:
        found = f"nothing answers at 0x{address:02X}, nor anywhere on its bus"
        todo = f"Look at its wires: VCC to 3.3 V, ground, SDA to {sda}, SCL to {scl}; and at its jumpers: I2C, not SPI."
        return fault("display", "oled", found, todo)
    there = ", ".join(f"0x{other:02X}" for other in others)
    todo = f'If one of these is the display, name it in [scoreboard] options: "--i2c-address", "0x{others[0]:02X}".'
    return fault("display", "oled", f"nothing answers at 0x{address:02X}, but something does at {there}", todo)


def _answering(port: int) -> list[int] | OSError:
    """The addresses at which a byte can be read, or why the bus can't be used."""
    try:
        bus = smbus2.SMBus(port)
    except OSError as error:
        return error
    try:
        return [address for address in _ADDRESSES if _answers(bus, address)]
    finally:
        bus.close()


def _answers(bus: smbus2.SMBus, address: int) -> bool:
    """Reading is the safest question: to some memories a write is an order."""
    try:
        bus.i2c_rdwr(smbus2.i2c_msg.read(address, 1))
    except OSError as error:
        # somebody holds that address in the kernel, so somebody is there
        return error.errno == errno.EBUSY
    return True


def _elsewhere(args: Namespace) -> Finding:
    """A display on SPI never answers; more than that luma can open it can't be told without eyes."""
    try:
        device = open_display(args)
        device.cleanup()
    except (LumaError, OSError, ImportError, DeviceError) as error:
        todo = "See what stands above of packages, SPI and pins; then at [scoreboard] options."
        return fault("display", "oled", f"{args.display} on {args.interface} can't be opened: {error}", todo)
    return ok("display", "oled", f"{args.display} on {args.interface} can be opened; only eyes can tell what it shows")


_SOUND = "/dev/snd"


def examine_speech(site: Site) -> Iterator[Finding]:
    """Program and loudspeaker, if the table speaks."""
    if site.config.speech is None:
        yield skipped("voice", "speech", "the table doesn't speak")
        return
    voice = VOICES[site.config.table.language]
    voices = site.computer.ask([PROGRAM, f"--voices={voice}"])
    if voices is None:
        todo = "Install the package taptable-speech: it brings the program, and opens the sound cards to the table."
        yield fault("voice", "speech", f"there is no {PROGRAM}", todo)
        return
    if f" {voice} " not in voices:
        todo = f"Its data are incomplete: `sudo apt install --reinstall {PROGRAM}-data`."
        yield fault("voice", "speech", f"{PROGRAM} has no voice for {voice}", todo)
        return
    yield ok("voice", "speech", f"{PROGRAM} has a voice for {voice}")
    yield _loudspeaker(site)


def _loudspeaker(site: Site) -> Finding:
    parts = site.config.speech
    assert parts is not None
    outputs = _outputs(site.computer)
    if not outputs:
        todo = "Plug a loudspeaker in (on USB, at the jack, in a screen): `aplay -l` lists what the system knows of."
        return fault("loudspeaker", "speech", f"there is no sound output in {_SOUND}", todo)
    if (refused := closed(site.computer, f"{_SOUND}/{outputs[0]}", "loudspeaker", "speech")) is not None:
        return refused
    if site.held_by is not None:
        return unseen("loudspeaker", "speech", f"in use by {site.held_by}", site.stop_it)
    trouble = say(site, "")
    device = "the system's own output" if parts.device is None else parts.device
    if trouble is not None:
        todo = "Name another in [speech] device: `aplay -L` lists them. See, too, whether another program has it."
        return fault("loudspeaker", "speech", f"{device} can't be had: {trouble}", todo)
    return ok("loudspeaker", "speech", f"{device} can be had; only ears can tell what it says")


def say(site: Site, sentence: str) -> str | None:
    """Have the table's voice say something; why it couldn't, if so. The table must have one."""
    parts = site.config.speech
    assert parts is not None
    ran = site.computer.run(command(site.config.table.language, parts), sentence)
    return "it doesn't come to an end" if ran is None else trouble_in(ran.status, ran.wrote)


def _outputs(computer: Computer) -> list[str]:
    """The device files for playing, `pcmC0D0p` and the like."""
    try:
        return sorted(name for name in computer.list_folder(computer.at(_SOUND)) if name.endswith("p"))
    except OSError:
        return []
