"""What is said of the counts of a pad's reader, whoever counted."""

from __future__ import annotations

from taptable.doctor.findings import Finding, ok, warning
from taptable.drivers.reader_health import MANY_IN_ALL, ReaderHealth


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
