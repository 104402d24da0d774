"""Examines an opened reader with an MFRC522, on any bus: its chip, its self-test, a look with its field on, and how
often it reads a card at each gain. Must not know the bus."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping

from tapshared.rc522 import GAINS

from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.doctor.drivers import LooksRead, Shares
from taptable.doctor.findings import Finding, fault, ok, skipped, warning
from taptable.doctor.site import ExaminedTable
from taptable.drivers.rc522 import CHIPS
from taptable.drivers.rc522_reader import PadReader

LOOKS_PER_GAIN = 100
"""The number of looks with each gain, which take one to two seconds."""


def examine_reader(part: str, where: str, reader: PadReader, unknown: str, todo: str) -> Iterator[Finding]:
    """Examine an opened reader and close it. `unknown` is the advice about a chip of unknown version, `todo` that about
    a reader that can't look for cards."""
    try:
        chip = _check_chip(part, where, reader.version, unknown)
        yield chip.with_figures(measured={"version_register": f"0x{reader.version:02X}"})
        yield _check_self_test(part, reader)
        yield _check_field(part, reader, todo)
    finally:
        reader.close()


def _check_chip(part: str, where: str, version: int, unknown: str) -> Finding:
    chip = CHIPS.get(version)
    if chip is None:
        return warning("reader", part, f"an unknown chip {where} (version register 0x{version:02X})", unknown)
    return ok("reader", part, f"{chip} {where}")


def _check_self_test(part: str, reader: PadReader) -> Finding:
    match reader.passes_self_test:
        case True:
            return ok("self-test", part, "it passes its self-test")
        case None:
            return skipped("self-test", part, "the right result of this chip's self-test is unknown")
        case False:
            todo = "Some copies fail it and read cards well. If this one doesn't, replace it."
            return warning("self-test", part, "it fails its self-test", todo)


def _check_field(part: str, reader: PadReader, todo: str) -> Finding:
    """Check with the field on whether a look finds a card or ends in a clean timeout."""
    try:
        reader.field_on()
        uids, garbled = reader.look(())
        reader.field_off()
    except (DeviceError, OSError) as error:
        return fault("field", part, f"it can't look for cards: {error}", todo)
    if uids:
        return ok("field", part, f"it reads {', '.join(uid.hex() for uid in uids)}")
    if garbled:
        return warning(
            "field",
            part,
            "it receives a signal that is no card's answer",
            "Take everything off the pad, and run the doctor again.",
        )
    return ok("field", part, "its field is on, and no card is there")


async def measure_readers(
    site: ExaminedTable, readers: Mapping[Pad, Callable[[], PadReader]]
) -> Mapping[Pad, Shares | str]:
    """Measure the gains of readers, given by how each is opened, one after the other. A text in place of shares says
    why there are none."""
    loop = asyncio.get_running_loop()
    measured: dict[Pad, Shares | str] = {}
    executor = site.drivers.executor()
    for pad, open_reader in readers.items():
        try:
            measured[pad] = await loop.run_in_executor(executor, _measure_reader, open_reader)
        except (DeviceError, OSError) as error:
            measured[pad] = str(error)
    executor.shutdown(wait=False)
    return measured


def _measure_reader(open_reader: Callable[[], PadReader]) -> Shares:
    """Measure a reader at each gain. Blocks for some seconds. Raises DeviceError or OSError if the reader doesn't
    answer."""
    reader = open_reader()
    shares: dict[int, LooksRead] = {}
    try:
        for gain_db in GAINS:
            reader.set_gain(gain_db)
            read = 0
            began_s = time.perf_counter()
            for _ in range(LOOKS_PER_GAIN):
                reader.field_on()
                uids, _ = reader.look(())
                read += bool(uids)
                reader.field_off()
            shares[gain_db] = LooksRead(LOOKS_PER_GAIN, read, time.perf_counter() - began_s)
    finally:
        reader.close()
    return shares
