"""What the doctor says of one thing: what was found, and what to do about it. A value; knows no terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

State: TypeAlias = Literal["ok", "warning", "fault", "skipped"]
"""A warning is worth knowing and the table plays with it; a fault is what it can't play with, or not as configured."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`name` is the check's, `part` what it was made of (``pad 2``, ``board 3``, ``computer``); `todo` is a sentence,
    empty where nothing is to be done."""

    name: str
    part: str
    state: State
    found: str
    todo: str = ""


def ok(name: str, part: str, found: str) -> Finding:
    """It is as it should be."""
    return Finding(name, part, "ok", found)


def warning(name: str, part: str, found: str, todo: str = "") -> Finding:
    """The table plays, but should be looked after."""
    return Finding(name, part, "warning", found, todo)


def fault(name: str, part: str, found: str, todo: str) -> Finding:
    """A part of the table doesn't work, or the table can't start."""
    return Finding(name, part, "fault", found, todo)


def skipped(name: str, part: str, found: str, todo: str = "") -> Finding:
    """It couldn't be looked at, or needn't be: `found` says why."""
    return Finding(name, part, "skipped", found, todo)
