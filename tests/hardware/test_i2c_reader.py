"""A reader on I2C: which chip it is, whether its lead carries every byte, and that it reads cards as they are."""

from __future__ import annotations

import statistics

import pytest
from tapshared.rc522 import GAIN_DB, GAINS
from taptable.drivers.rc522 import CHIPS

from hardware.conftest import Figures
from hardware.options import UID_BYTES
from hardware.spi_reader import ReaderUnderTest

EMPTY_LOOKS = 200
READS = 100
MISSED_READS = 5
"""Looks that may miss a UID or a part of it while the reads are counted."""


def test_the_chip_is_one_that_is_known(i2c_reader: ReaderUnderTest, figure: Figures) -> None:
    version = i2c_reader.reader.version
    figure("version register", f"0x{version:02X}")
    assert version in CHIPS, f"the version register reads as 0x{version:02X}: add this chip to taptable.drivers.rc522"


def test_no_card_is_found_on_an_empty_pad_at_any_gain(i2c_reader: ReaderUnderTest, figure: Figures) -> None:
    garbled, took_us = 0, list[int]()
    for gain_db in (*GAINS, GAIN_DB):
        i2c_reader.reader.set_gain(gain_db)
        i2c_reader.reader.field_on()
        for _ in range(EMPTY_LOOKS // len(GAINS)):
            begun_us = i2c_reader.now_us()
            uids, was_garbled = i2c_reader.look()
            took_us.append(i2c_reader.now_us() - begun_us)
            garbled += was_garbled
            assert uids == ()
    figure("empty pad: ms a look, median", f"{statistics.median(took_us) / 1000:.2f} ms")
    figure(f"empty pad: garbled looks of {len(took_us)}", f"{garbled}")


@pytest.mark.usefixtures("lays")
@pytest.mark.parametrize("uid_bytes", UID_BYTES)
def test_a_card_that_lies_still_is_read_a_hundred_times_alike_until_it_is_lifted(
    i2c_reader: ReaderUnderTest, uid_bytes: int, figure: Figures
) -> None:
    uid = i2c_reader.laid(uid_bytes)
    looks = [i2c_reader.look()[0] for _ in range(READS + MISSED_READS)]
    reads = [uids for uids in looks if uids]
    figure(f"card of {uid_bytes} bytes: missed of {len(looks)}", f"{len(looks) - len(reads)}")
    assert set(reads) == {(uid,)}
    assert len(reads) >= READS
    i2c_reader.reader.field_off()
    i2c_reader.reader.field_on()
    assert i2c_reader.look()[0] == (uid,)
    i2c_reader.hand.lift()
    i2c_reader.look_until_stable("nothing is found", lambda uids: not uids)
