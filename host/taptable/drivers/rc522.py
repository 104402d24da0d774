"""The configuration key that all pads with an MFRC522 share, on any bus: the gain of the receiver."""

from __future__ import annotations

from tapshared.rc522 import GAIN_DB, GAINS

from taptable.schema import checks
from taptable.schema.keys import Setting

GAIN = {
    "gain_db": Setting(checks.one_number_of(tuple(GAINS), ", the gains in dB that the MFRC522 has"), default=GAIN_DB)
}
