"""The codes of X.net: every refusal, ignored observation and fault, with its rule. A code may have several rules, so a
refusal may name another than the usual one. The sentences are in the catalogues. `play` and `actions` decide which code
is given."""

from __future__ import annotations

from taptable.core.codes import NO_FACTS, Codes
from taptable.core.verdicts import Facts, Refused

CODES = Codes(
    faults={
        "unknown-card": "X1.3",
    },
    refusals={
        "game-over": "X4.2",
        "no-starter": "X1.2",
        "lies-elsewhere": "X5.9",
        "reshuffle-due": "X2.5",
        "not-on-turn": "X2.1",
        "demand-first": "X1.4",
        "topic-in-demand": "X3.3",
        "hand-used-up": "X5.8",
        "choose-first": "X5.2",
        "action-open": "X5.3",
        "one-topic": "X3.2",
        "wrong-topic": "X3.4",
        "on-streamer": "X3.6",
        "not-in-demand": "X3.6",
        "servers-full": "X3.6",
        "needs-specialist": "X3.7",
        "one-a-turn": "X3.1",
        "level-full": "X3.1",
        "x-marked": "X3.2",
        "not-neighbours": "X3.4",
        "no-empty-streamer": "X3.5",
        "not-on-server": "X3.5",
        "net-full": "X3.8",
        "no-such-topic": "X3.8",
        "no-specialist-left": "X3.9",
        "has-specialist": "X3.9",
        "enough-servers": "X3.9",
        "has-streamer": "X3.9",
        "largest-net": "X3.9",
        "not-yours": "X3.10",
        "over-ten": "X3.10",
        "too-few-cards": "X5.8",
        "must-offer": "X3.2",
        "no-reshuffle-due": "X2.5",
        "demand-stays": "X1.4",
        "counts-too-high": "X5.10",
    },
    ignored={
        "already-there": "X5.9",
        "hold-without-meaning": "X5.6",
        "press-of-another": "X5.6",
        "press-before-demand": "X5.6",
        "press-before-reshuffle": "X5.6",
        "game-is-over": "X4.2",
    },
)

ignore, fault = CODES.ignore, CODES.fault


def refuse(code: str, facts: Facts = NO_FACTS, rule: str | None = None) -> Refused:
    """Return a refusal by the code's usual rule, or by this one."""
    return Refused(rule or CODES.refusals[code], code, facts)
