"""The codes with which the table itself refuses or ignores an observation, in any game, and their rules. `step` gives
them; each game has codes of its own in its `rules.py`."""

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
