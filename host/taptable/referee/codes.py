"""Codes that the table itself refuses or ignores with, in any game, and their rules."""

from __future__ import annotations

from taptable.core.codes import Codes

TABLE_CODES = Codes(
    refusals={
        "paused": "R11",
        "one-at-a-time": "R11",
        "cant-be-agreed": "R2.6",
        "not-in-this-game": "R11",
    },
    ignored={
        "nothing-to-take-back": "R11",
        "paused-already": "R11",
        "not-paused": "R11",
    },
    faults={},
)
