"""Verdicts: the referee's answer to an observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from taptable.core.announcements import Announcement

Facts: TypeAlias = Mapping[str, str | int | float | tuple[int | str, ...]]
"""The facts for a sentence about a verdict: the card, the pad, a number."""


def _no_facts() -> Facts:
    return {}


@dataclass(frozen=True, slots=True)
class Accepted:
    """The observation counts."""

    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules forbid it now: the number of the rule, a stable code, and the facts for its sentence. The state is
    unchanged."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignored:
    """It has no meaning at this moment. The state is unchanged."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something is wrong at the table, not in the play, such as a tag that no deck knows."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


Rejection: TypeAlias = Refused | Ignored | Fault

Verdict: TypeAlias = Accepted | Rejection
