"""Verdicts: the referee's answer to an observation, made by a game or by the referee's step. The sentences about them
are in the catalogues. Must not know a game or a language."""

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
    """The observation counts. `announcements` are its effects, after those of deadlines that passed before it."""

    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules forbid the observation now, and it has no effect. `rule` is the number of the rule, `code` a stable
    name of the reason, and `facts` are those of its sentence. `announcements` are the effects of deadlines that passed
    before it. If two cards came at once, they also say that the effect of the first card was undone."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignored:
    """The observation has no meaning now, and no effect, such as a press while the button has no action. The fields are
    as in `Refused`."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """The observation can't be judged, and has no effect: something is wrong at the table and not in the play, such as
    a tag that the deck in use doesn't have. The fields are as in `Refused`."""

    rule: str
    code: str
    facts: Facts = field(default_factory=_no_facts)
    announcements: tuple[Announcement, ...] = ()


Rejection: TypeAlias = Refused | Ignored | Fault
"""Any verdict but `Accepted`: the observation has no effect."""

Verdict: TypeAlias = Accepted | Rejection
