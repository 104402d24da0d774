"""Examines the readers on I2C: their buses and speed, their switches and addresses, which chip answers, and whether it
can look for cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from tapshared.rc522 import VERSION_REG

from taptable.config.conflicts import occupied_places
from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.doctor.buses import REBOOT_ADVICE, BootConfig, boot_line_advice, read_boot
from taptable.doctor.drivers import DriverDoctor, Look, Shares
from taptable.doctor.findings import Figures, Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.i2c import check_node, i2c_node, speeds_hz
from taptable.doctor.readers import examine_reader, measure_readers
from taptable.doctor.site import ExaminedTable
from taptable.drivers.i2c.bus import HangingBus, SharedBus, SilentSwitch
from taptable.drivers.i2c.driver import I2cDriver
from taptable.drivers.i2c.finding import readers_on, switches_on
from taptable.drivers.i2c.pads import I2cPad, buses_of, pads_at
from taptable.drivers.i2c_places import I2C_SLOW, KIND, LONG_LEADS_HZ, I2cPlace, i2c_address, place_of
from taptable.drivers.interface import Part
from taptable.drivers.rc522_reader import FailingReader, NoReader

_USER = "doctor"
_ADDRESSES = range(0x08, 0x78)
"""The addresses that the I2C standard doesn't reserve."""
_LEAD_READS = 200
"""The number of reads of a register that try a lead: 80 ms at 100 kHz."""


class I2cDoctor(DriverDoctor[I2cDriver]):
    """Examines the readers on I2C, and their buses."""

    def __init__(self, driver: I2cDriver) -> None:
        super().__init__(driver)
        # steps: after those of SPI, before the display's (51, 80) and the boards' (70)
        self.looks = (
            Look(51, "buses", ("i2c", "i2c-speed", "addresses"), self.examine_buses),
            Look(62, "readers", ("switch", "reader", "lead", "self-test", "field"), self.examine_readers),
        )

    def describe(self, part: Part) -> Figures:
        """Return the address of a reader, and whether it is behind a switch, with its gain."""
        place = place_of(part.address)
        there = {"i2c_address": f"0x{place.address:02x}", "behind_switch": place.switch is not None}
        return {**super().describe(part), **there}

    def examine_buses(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every bus that the configuration names for a pad, and list what answers there or beside a display."""
        boot = read_boot(site.computer)
        for number, pads in _by_bus(pads_at(site.parts_of(self.driver))).items():
            yield check_node(site.computer, boot, number, pads[0].part)
            yield _check_speed(site, boot, number)
        places = [place_of(part.address) for part in occupied_places(site.config.parts) if part.address.kind == KIND]
        for number in sorted({place.bus for place in places}):
            if site.computer.has(i2c_node(number)):
                yield _list_addresses(site, number)

    def examine_readers(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every reader on I2C, each with its field on for one look."""
        for number, pads in _by_bus(pads_at(site.parts_of(self.driver))).items():
            for pad in pads:
                if site.held_by is not None:
                    yield unseen("reader", pad.part, f"in use by {site.held_by}", site.stop_advice)
                elif not site.computer.has(i2c_node(number)):
                    yield unseen("reader", pad.part, f"{i2c_node(number)} isn't there")
            if site.held_by is None and site.computer.has(i2c_node(number)):
                yield from self._examine_bus(buses_of(pads)[number], pads)

    def _examine_bus(self, bus: SharedBus, pads: Sequence[I2cPad]) -> Iterator[Finding]:
        name = f"I²C bus {bus.number}"
        try:
            bus.open(_USER)
        except DeviceError as error:
            yield fault("reader", name, str(error), "See the finding i2c above; stop the other program, if any.")
            return
        try:
            yield from _check_switches(bus)
            strangers = [place for place, _ in readers_on(bus) if place not in bus.places]
            for pad in pads:
                yield from self._examine_pad(bus, pad, strangers)
        except HangingBus as error:
            todo = "Unplug one part of this bus after the other, the display too: the last one held the line."
            yield fault("reader", name, str(error), todo)
        finally:
            bus.release(_USER)

    def _examine_pad(self, bus: SharedBus, pad: I2cPad, strangers: Sequence[I2cPlace]) -> Iterator[Finding]:
        place, todo = pad.place, "Use a shorter lead, away from other wires. If that doesn't help, replace the reader."
        bus.begin_round()
        try:
            if place.switch is not None and _answers_before_a_switch(bus, place):
                found = f"a part on the bus itself answers at 0x{place.address:02x} together with it"
                yield fault("reader", pad.part, found, "Plug that part into a channel of the switch, too.")
                return
            reader = self.driver.open_reader(pad, bus)
        except SilentSwitch as error:
            yield unseen("reader", pad.part, str(error))
        except NoReader as error:
            yield fault("reader", pad.part, error.found, _advice(place, error, strangers))
        except FailingReader as error:
            yield fault("reader", pad.part, str(error), todo)
        except HangingBus:
            raise
        except DeviceError as error:
            yield fault("reader", pad.part, str(error), "See the finding i2c above; stop the other program, if any.")
        else:
            yield _try_lead(bus, pad, reader.version)
            unknown = "If it reads cards well, ignore this. Otherwise another device may be at this address."
            yield from examine_reader(pad.part, f"on {place.spell()}", reader, unknown, todo)

    async def measure_gains(self, site: ExaminedTable) -> Mapping[Pad, Shares | str]:
        """Measure the gains of all readers on I2C."""
        pads = pads_at(site.parts_of(self.driver))
        buses = buses_of(pads)
        readers = {pad.pad: partial(self.driver.open_reader, pad, buses[pad.place.bus]) for pad in pads}
        return await measure_readers(site, readers)


def _by_bus(pads: Sequence[I2cPad]) -> Mapping[int, Sequence[I2cPad]]:
    return {bus: [pad for pad in pads if pad.place.bus == bus] for bus in sorted({pad.place.bus for pad in pads})}


def _check_speed(site: ExaminedTable, boot: BootConfig, bus: int) -> Finding:
    part = f"I²C bus {bus}"
    if site.computer.model is None or bus != 1:
        return skipped("i2c-speed", part, "its speed isn't known")
    speed_hz, configured_hz = speeds_hz(site.computer, boot, bus)
    found = f"the readers' bus runs at {speed_hz // 1000} kHz"
    figures = {"bus_khz": speed_hz // 1000}
    if speed_hz <= LONG_LEADS_HZ:
        return ok("i2c-speed", part, found).with_figures(stated=figures)
    todo = REBOOT_ADVICE if configured_hz <= LONG_LEADS_HZ else boot_line_advice(I2C_SLOW)
    found = f"{found}, and leads of 1 m need {LONG_LEADS_HZ // 1000}"
    return warning("i2c-speed", part, found, todo).with_figures(stated=figures)


def _list_addresses(site: ExaminedTable, number: int) -> Finding:
    """List the addresses at which something answers, without writing to anything."""
    part = f"I²C bus {number}"
    if site.held_by is not None:
        return unseen("addresses", part, f"in use by {site.held_by}", site.stop_advice)
    bus = SharedBus(number)
    try:
        bus.open(_USER)
        answering = [f"0x{address:02x}" for address in _ADDRESSES if bus.read_byte(address) is not None]
    except DeviceError as error:
        return unseen("addresses", part, str(error))
    finally:
        bus.release(_USER)
    if not answering:
        return skipped("addresses", part, "nothing answers anywhere on it")
    return ok("addresses", part, f"something answers at {', '.join(answering)}")


def _check_switches(bus: SharedBus) -> Iterator[Finding]:
    """Examine every switch that pads are behind; where one is silent, look for others."""
    named = sorted(bus.switches)
    answering: list[int] = []
    for switch in named:
        if bus.read_byte(switch) is not None:
            answering.append(switch)
            yield ok("switch", _switch_name(bus, switch), "it answers")
    others = [switch for switch in switches_on(bus) if switch not in named]
    for switch in named:
        if switch not in answering:
            todo = "Check its lead, its power and its address jumpers."
            if others:
                other = ", ".join(f"0x{other:02x}" for other in others)
                todo = f"A switch answers at {other}: change its address jumpers, or the addresses in table.toml."
            yield fault("switch", _switch_name(bus, switch), "it doesn't answer", todo)


def _switch_name(bus: SharedBus, switch: int) -> str:
    return str(i2c_address(I2cPlace(bus.number, switch)))


def _answers_before_a_switch(bus: SharedBus, place: I2cPlace) -> bool:
    """Return whether something answers at the address of a place while no channel is connected."""
    bus.connect(I2cPlace(place.bus, place.address))
    return bus.read_byte(place.address) is not None


def _advice(place: I2cPlace, error: NoReader, strangers: Sequence[I2cPlace]) -> str:
    """Return the advice about a reader that doesn't answer, or isn't one."""
    if strangers:
        answering = " and ".join(f'"{i2c_address(stranger)}"' for stranger in strangers)
        return f"No pad has the reader at {answering}: if it is this one, write that address in table.toml."
    if error.version is not None:
        return "Another device is at this address: unplug it, or give it another address."
    if place.switch is not None:
        return f"The switch answers: check the lead in its channel {place.channel}, and the reader's plug."
    return "Check its lead and its plugs, and its address: 0x28 or 0x2c, printed on it or set by a jumper."


def _try_lead(bus: SharedBus, pad: I2cPad, version: int) -> Finding:
    """Read one register again and again, of which every value is known: nothing on the bus has check bytes."""
    wrong = 0
    for _ in range(_LEAD_READS):
        try:
            wrong += bus.read(pad.place, VERSION_REG, 1)[0] != version
        except NoReader:
            wrong += 1
    figures = {"reads": _LEAD_READS, "wrong_reads": wrong}
    if wrong:
        todo = "Use shorter leads, away from other wires; check its plugs, and the speed of the bus (i2c-speed)."
        finding = fault("lead", pad.part, f"{wrong} of {_LEAD_READS} reads of one register were wrong", todo)
    else:
        finding = ok("lead", pad.part, f"{_LEAD_READS} of {_LEAD_READS} reads of one register were right")
    return finding.with_figures(measured=figures)


DOCTOR = I2cDoctor
