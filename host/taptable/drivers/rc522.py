"""Facts of the MFRC522 that all its drivers share, on any bus: the configuration key for the gain of the receiver, and
the chips that are known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tapshared.rc522 import GAIN_DB, GAINS

from taptable.schema import checks
from taptable.schema.keys import Setting

GAIN = {
    "gain_db": Setting(checks.one_number_of(tuple(GAINS), ", the gains in dB that the MFRC522 has"), default=GAIN_DB)
}
"""The key of a pad for the gain of its receiver."""

CHIPS: Mapping[int, str] = MappingProxyType(
    {
        0x90: "MFRC522 version 0.0",
        0x91: "MFRC522 version 1",
        0x92: "MFRC522 version 2",
        0x88: "FM17522, a copy that works",
        0x89: "FM17522E, a copy that works",
        0xB2: "FM17522, a copy that works",
        0x15: "WS1850S, a copy with the same registers",
    }
)
"""Chips by the value of their version register. Others report 0x15 of the WS1850S; no one here has tried one."""
