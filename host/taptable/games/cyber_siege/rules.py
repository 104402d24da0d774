"""The codes of Cyber Siege: every refusal, ignored observation and fault, with its rule. The sentences are in the
catalogues. `play` decides which of them is given."""

from __future__ import annotations

from taptable.core.codes import Codes

CODES = Codes(
    faults={
        "unknown-card": "S1.1",
    },
    refusals={
        "game-over": "S7.4",
        "no-starter": "S2.2",
        "launch-open": "S5.3",
        "defence-awaited": "S6.1",
        "no-defence": "S6.2",
        "hand-used-up": "S8.1",
        "discard-owed": "S6.6",
        "already-drawn": "S3.2",
        "not-on-top": "S3.2",
        "lies-elsewhere": "S8.2",
        "not-on-turn": "S3.1",
        "reshuffle-due": "S3.4",
        "set-open": "S4.4",
        "not-a-red-card": "S5.1",
        "set-card-first": "S4.1",
        "not-in-set": "S4.2",
        "no-reshuffle-due": "S3.4",
        "nothing-to-spare": "S5.2",
        "no-correction": "S8.3",
        "lies-in-no-row": "S1.5",
    },
    ignored={
        "already-there": "S8.2",
        "nothing-to-hold": "S3.1",
        "game-is-over": "S7.4",
        "no-press-awaited": "S5.4",
        "pressed-too-early": "S3.5",
        "pressed-too-late": "S5.3",
    },
)

refuse, ignore, fault = CODES.refuse, CODES.ignore, CODES.fault
