"""The readers on the Pi's SPI: which chip answers, whether it passes its self-test, and whether it can look for
cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from taptable.config import OnSpi
from taptable.core.errors import DeviceError
from taptable.doctor.buses import spi_node
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.site import Site, pin, reader_wires, shared_wires
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth
from taptable.drivers.spi.pad import FailingReader, NoReader, PadReader, SpiPad

CHIPS: Mapping[int, str] = MappingProxyType(
    {
        0x90: "MFRC522 version 0.0",
        0x91: "MFRC522 version 1",
        0x92: "MFRC522 version 2",
        0x88: "FM17522, a copy that works",
        0x89: "FM17522E, a copy that works",
        0xB2: "FM17522, a copy that works",
    }
)
"""Chips by what their version register reads as."""


def examine_readers(site: Site) -> Iterator[Finding]:
    """Every reader on SPI, each with its field on for one look."""
    if not site.readers:
        yield skipped("reader", "readers", "the table has no readers on the Pi's SPI")
    silent: dict[int, dict[str, int]] = defaultdict(dict)
    for place in site.readers:
        node = spi_node(OnSpi(place.bus, place.device))
        if site.held_by is not None:
            yield unseen("reader", place.part, f"in use by {site.held_by}", site.stop_it)
        elif not site.computer.has(node):
            yield unseen("reader", place.part, f"{node} isn't there")
        else:
            yield from _reader(site, place, silent[place.bus])
    for bus, versions in silent.items():
        on_bus = [place.part for place in site.readers if place.bus == bus]
        if len(on_bus) > 1 and list(versions) == on_bus and len(set(versions.values())) == 1:
            found = f"all {len(on_bus)} readers of SPI bus {bus} are silent in the same way"
            todo = (
                f"Look at what they share first: power, ground, {shared_wires(bus)}. Then unplug one reader after"
                " another: one that never lets go of MISO silences them all."
            )
            yield fault("shared-wires", f"SPI bus {bus}", found, todo)


def _reader(site: Site, place: SpiPad, silent: dict[str, int]) -> Iterator[Finding]:
    wires = reader_wires(place.bus, place.device)
    reset = "RST to 3V3" if place.pin_rst is None else f"RST to {pin(place.pin_rst)}"
    try:
        reader = site.openers.reader(place)
    except NoReader as error:
        silent[place.part] = error.version
        level = "low" if error.version == 0 else "high"
        found = f"no reader answers (version register 0x{error.version:02X}: MISO stays {level})"
        yield fault("reader", place.part, found, f"Look at its wires: 3.3 V, ground, {wires}, {reset}.")
        return
    except FailingReader as error:
        todo = (
            f"Look at its wires, and shorten them to 30 cm: {wires}, {reset}. If it stays so, put another in its place."
        )
        yield fault("reader", place.part, str(error), todo)
        return
    except (DeviceError, OSError) as error:
        todo = "See what stands above of packages and pins; if another program has the reader, stop that."
        yield fault("reader", place.part, str(error), todo)
        return
    try:
        yield _chip(place, reader)
        yield _self_test(place, reader)
        yield _look(place, reader, f"Look at its wires, and shorten them to 30 cm: {wires}, {reset}.")
    finally:
        reader.close()


def judge_counts(part: str, health: ReaderHealth) -> Finding:
    """What a table that runs, or a board, has counted of its reader: what heals by itself may be failing."""
    found = (
        f"its reader was set up again {health.set_ups} times; registers found wrong: {health.wrong}, resets that let it"
        f" hear again: {health.healed}, cards that couldn't be read: {health.unread}, looks misread: {health.misread}"
    )
    if health.wrong or health.healed:
        todo = "It was put right each time. If that goes on, look at its power and wires, or put another in its place."
        return warning("counts", part, found, todo)
    if health.misread >= MANY_IN_ALL:
        todo = "Take everything off the pad, metal too; if the count goes on growing, put another reader in its place."
        return warning("counts", part, found, todo)
    return ok("counts", part, found)


def _chip(place: SpiPad, reader: PadReader) -> Finding:
    known = CHIPS.get(reader.version)
    where = f"at spi:{place.bus}.{place.device}"
    if known is None:
        todo = "If cards are read well, all is well. If not: MISO may be held by something else on this bus."
        return warning("reader", place.part, f"an unknown chip {where} (version register 0x{reader.version:02X})", todo)
    return ok("reader", place.part, f"{known} {where}")


def _self_test(place: SpiPad, reader: PadReader) -> Finding:
    match reader.passes_self_test:
        case True:
            return ok("self-test", place.part, "it passes its self-test")
        case None:
            return skipped("self-test", place.part, "what the self-test of this chip should give isn't known")
        case False:
            todo = "Some copies do and read cards well; if this one doesn't, put another in its place."
            return warning("self-test", place.part, "it fails its self-test", todo)


def _look(place: SpiPad, reader: PadReader, todo: str) -> Finding:
    """With the field on: is there an answer or a clean time-out?"""
    try:
        reader.field_on()
        uids, garbled = reader.look(())
        reader.field_off()
    except (DeviceError, OSError) as error:
        return fault("field", place.part, f"it can't look for cards: {error}", todo)
    if uids:
        return ok("field", place.part, f"it reads {', '.join(uid.hex() for uid in uids)}")
    if garbled:
        return warning(
            "field",
            place.part,
            "it hears something that is no card's answer",
            "Take everything off the pad, and ask again.",
        )
    return ok("field", place.part, "its field is on, and no card is there")
