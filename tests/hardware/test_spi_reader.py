"""A reader on the Pi's SPI: which chip it is, what a look costs, and that it reads cards as they are."""

from __future__ import annotations

import statistics

import pytest
from tapshared.rc522 import GAIN_DB, GAINS, RF_CFG_REG
from taptable.drivers.rc522 import CHIPS

from hardware.conftest import Figures
from hardware.options import UID_BYTES
from hardware.spi_reader import SpiReaderUnderTest

EMPTY_TRANSFERS, EMPTY_BYTES = 9, 28
"""The costs of a look at an empty pad, as `scripts/bench-reader` counts them."""
EMPTY_LOOKS = 1000
RX_GAIN = 0x70
"""The bits of the gain in RFCfgReg."""
READS = 100
MISSED_READS = 5
"""Looks that may miss a UID or a part of it while the reads are counted."""


def test_the_chip_is_one_that_is_known(reader: SpiReaderUnderTest, figure: Figures) -> None:
    version = reader.reader.version
    figure("version register", f"0x{version:02X}")
    assert version in CHIPS, f"the version register reads as 0x{version:02X}: add this chip to taptable.drivers.rc522"


def test_the_chip_passes_its_self_test_where_its_result_is_known(reader: SpiReaderUnderTest, figure: Figures) -> None:
    passes = reader.reader.self_test()
    figure("self-test", {True: "passed", False: "failed", None: "not known"}[passes])
    assert passes is not False


def test_the_gain_that_it_is_given_is_in_its_register(reader: SpiReaderUnderTest) -> None:
    for gain_db in (*GAINS, GAIN_DB):
        reader.reader.set_gain(gain_db)
        reader.reader.field_on()
        assert reader.reader.Read_MFRC522(RF_CFG_REG) & RX_GAIN == GAINS[gain_db] & RX_GAIN


def test_a_look_at_an_empty_pad_takes_the_transfers_that_the_bench_counts(
    reader: SpiReaderUnderTest, figure: Figures
) -> None:
    costs = [reader.cost() for _ in range(READS)]
    figure("empty pad: ms a look, median", f"{statistics.median(us for _, _, us in costs) / 1000:.2f} ms")
    figure("empty pad: ms a look, longest of 100", f"{max(us for _, _, us in costs) / 1000:.2f} ms")
    moved = [(transfers, moved_bytes) for transfers, moved_bytes, _ in costs]
    most = statistics.mode(moved)
    figure("empty pad: transfers, bytes", f"{most[0]}, {most[1]}")
    figure("empty pad: looks of 100 that took others", f"{READS - moved.count(most)}")
    assert most == (EMPTY_TRANSFERS, EMPTY_BYTES)


def test_no_card_is_found_on_an_empty_pad_in_a_thousand_looks(reader: SpiReaderUnderTest, figure: Figures) -> None:
    looks = [reader.look() for _ in range(EMPTY_LOOKS)]
    figure("empty pad: garbled looks of 1000", f"{sum(garbled for _, garbled in looks)}")
    assert [uids for uids, _ in looks if uids] == []


@pytest.mark.usefixtures("lays")
@pytest.mark.parametrize("uid_bytes", UID_BYTES)
def test_a_card_that_lies_still_is_read_a_hundred_times_alike(
    reader: SpiReaderUnderTest, uid_bytes: int, figure: Figures
) -> None:
    uid = reader.laid(uid_bytes)
    first = [reader.cost() for _ in range(READS)]
    known = [reader.cost(uid) for _ in range(READS)]
    for what, costs in (("not known", first), ("known", known)):
        figure(f"card of {uid_bytes} bytes, {what}: transfers", f"{statistics.median(cost[0] for cost in costs):.0f}")
        figure(
            f"card of {uid_bytes} bytes, {what}: ms a look", f"{statistics.median(c[2] for c in costs) / 1000:.2f} ms"
        )
    looks = [reader.look()[0] for _ in range(READS + MISSED_READS)]
    reads = [uids for uids in looks if uids]
    figure(f"card of {uid_bytes} bytes: missed of {len(looks)}", f"{len(looks) - len(reads)}")
    assert set(reads) == {(uid,)}
    assert len(reads) >= READS


@pytest.mark.usefixtures("lays")
@pytest.mark.parametrize("uid_bytes", UID_BYTES)
def test_a_card_is_found_at_once_when_the_field_was_off_and_not_after_it_was_lifted(
    reader: SpiReaderUnderTest, uid_bytes: int
) -> None:
    uid = reader.laid(uid_bytes)
    reader.reader.field_off()
    reader.reader.field_on()
    assert reader.look()[0] == (uid,)
    reader.hand.lift()
    reader.look_until_stable("nothing is found", lambda uids: not uids)
