"""Examines the readers on the Pi's SPI: which chip answers, whether it passes its self-test, and whether it can look
for cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from taptable.config.conflicts import occupied_places
from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.doctor.buses import REBOOT_ADVICE, BootConfig, boot_line_advice, read_boot
from taptable.doctor.drivers import DriverDoctor, Look, Shares
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen
from taptable.doctor.readers import examine_reader, measure_readers
from taptable.doctor.site import ExaminedTable, access_problem
from taptable.drivers.header_lines import SPI_LINES, SPI_SELECTS, bus_and_device, spell_pin
from taptable.drivers.interface import Part
from taptable.drivers.rc522_reader import FailingReader, NoReader
from taptable.drivers.spi.driver import SpiDriver, boot_line
from taptable.drivers.spi.pads import OpenSpiReader, SpiPad, pads_at


class SpiDoctor(DriverDoctor[SpiDriver]):
    """Examines the readers on SPI, and their buses."""

    def __init__(self, driver: SpiDriver) -> None:
        super().__init__(driver)
        self.looks = (
            Look(50, "buses", ("spi",), self.examine_buses),
            Look(60, "readers", ("reader", "self-test", "field", "shared-wires"), self.examine_readers),
        )

    def examine_buses(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every device on SPI that the configuration names."""
        boot = read_boot(site.computer)
        places = [place for place in occupied_places(site.config.parts) if place.address.kind == self.driver.kind]
        for place in places:
            yield _check_spi_device(site, boot, place, places)

    def examine_readers(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every reader on SPI, each with its field on for one look."""
        readers = pads_at(site.parts_of(self.driver))
        if not readers:
            yield skipped("reader", "readers", "the table has no readers on the Pi's SPI")
        silent: dict[int, dict[str, int]] = defaultdict(dict)
        for place in readers:
            node = spi_node(place.bus, place.device)
            if site.held_by is not None:
                yield unseen("reader", place.part, f"in use by {site.held_by}", site.stop_advice)
            elif not site.computer.has(node):
                yield unseen("reader", place.part, f"{node} isn't there")
            else:
                yield from _check_reader(self.driver.open_reader, place, silent[place.bus])
        for bus, versions in silent.items():
            on_bus = [place.part for place in readers if place.bus == bus]
            if len(on_bus) > 1 and list(versions) == on_bus and len(set(versions.values())) == 1:
                found = f"all {len(on_bus)} readers of SPI bus {bus} are silent in the same way"
                todo = (
                    f"Check first what they share: power, ground, {_shared_wires(bus)}. Then unplug one reader after"
                    " the other: one that never releases MISO silences them all."
                )
                yield fault("shared-wires", f"SPI bus {bus}", found, todo)

    async def measure_gains(self, site: ExaminedTable) -> Mapping[Pad, Shares | str]:
        """Measure the gains of all readers on SPI."""
        places = pads_at(site.parts_of(self.driver))
        return await measure_readers(site, {place.pad: partial(self.driver.open_reader, place) for place in places})


def spi_node(bus: int, device: int) -> str:
    """Return the path of the device file of a place on SPI."""
    return f"/dev/spidev{bus}.{device}"


def _check_spi_device(site: ExaminedTable, boot: BootConfig, place: Part, places: Sequence[Part]) -> Finding:
    computer, part = site.computer, place.name
    bus, device = bus_and_device(place.address)
    node = spi_node(bus, device)
    if computer.has(node):
        return access_problem(computer, node, "spi", part) or ok("spi", part, f"{node} is there")
    if bus == 0:
        is_on = boot.is_on("spi")
    else:
        is_on = any(f"spi1-{count}cs" in boot.overlays for count in range(device + 1, len(SPI_SELECTS[1]) + 1))
    return fault(
        "spi", part, f"{node} isn't there", REBOOT_ADVICE if is_on else boot_line_advice(boot_line(places, bus))
    )


def _reader_wires(bus: int, device: int) -> str:
    """Return the wires from a reader to its SPI bus, by the names printed on its board."""
    return f"SDA to {spell_pin(SPI_SELECTS[bus][device])}, {_shared_wires(bus)}"


def _shared_wires(bus: int) -> str:
    """Return the wires that all readers of a bus share."""
    miso, mosi, sck = SPI_LINES[bus]
    return f"SCK to {spell_pin(sck)}, MOSI to {spell_pin(mosi)}, MISO to {spell_pin(miso)}"


def _check_reader(open_reader: OpenSpiReader, place: SpiPad, silent: dict[str, int]) -> Iterator[Finding]:
    wires = _reader_wires(place.bus, place.device)
    reset = "RST to 3V3" if place.pin_rst is None else f"RST to {spell_pin(place.pin_rst)}"
    try:
        reader = open_reader(place)
    except NoReader as error:
        silent[place.part] = error.version or 0
        level = "low" if error.version == 0 else "high"
        found = f"no reader answers (version register 0x{error.version:02X}: MISO stays {level})"
        yield fault("reader", place.part, found, f"Check its wires: 3.3 V, ground, {wires}, {reset}.")
        return
    except FailingReader as error:
        todo = (
            f"Check its wires, and shorten them to 30 cm: {wires}, {reset}. If that doesn't help, replace the reader."
        )
        yield fault("reader", place.part, str(error), todo)
        return
    except (DeviceError, OSError) as error:
        todo = "Follow the advice above, in the groups pins and buses; if another program uses the reader, stop it."
        yield fault("reader", place.part, str(error), todo)
        return
    where = f"at spi:{place.bus}.{place.device}"
    unknown = "If it reads cards well, ignore this. Otherwise another device on this bus may hold MISO."
    todo = f"Check its wires, and shorten them to 30 cm: {wires}, {reset}."
    yield from examine_reader(place.part, where, reader, unknown, todo)


DOCTOR = SpiDoctor
