"""Verdicts: what the referee says of an observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from taptable.core.announcements import Announcement

Facts: TypeAlias = Mapping[str, str | int | float | tuple[int | str, ...]]
"""What a sentence about a verdict may need: the card, the pad, a number."""


def _no_facts() -> Facts:
    return {}


@dataclass(frozen=True, slots=True)
class Accepted:
    """It counts."""

    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """It may not be done now: which rule says so, a stable code, and the facts its sentence needs. Nothing changed
    by it."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignored:
    """It has no meaning at this moment; nothing changed by it."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something is wrong at the table, not in the play: a tag that no deck knows."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


Rejection: TypeAlias = Refused | Ignored | Fault

Verdict: TypeAlias = Accepted | Rejection
