"""Codes: the stable names of the reasons for which observations are refused or ignored or are faults, each with the
number of its rule. Their sentences are in the catalogues. Each game has its list, and the table itself has one in
`referee.codes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from taptable.core.announcements import Announcement
from taptable.core.verdicts import Facts, Fault, Ignored, Refused, Verdict

NO_FACTS: Facts = {}


@dataclass(frozen=True, slots=True)
class Codes:
    """All codes of a game, or of the table itself. For each kind of verdict a mapping has the rule of each code."""

    refusals: Mapping[str, str]
    ignored: Mapping[str, str]
    faults: Mapping[str, str]

    def __iter__(self) -> Iterator[tuple[str, str, type[Verdict]]]:
        """Yield each code, its rule, and the kind of its verdict."""
        kinds: tuple[tuple[type[Verdict], Mapping[str, str]], ...] = (
            (Fault, self.faults),
            (Refused, self.refusals),
            (Ignored, self.ignored),
        )
        for kind, rules in kinds:
            for code, rule in rules.items():
                yield code, rule, kind

    def refuse(self, code: str, facts: Facts = NO_FACTS, announcements: tuple[Announcement, ...] = ()) -> Refused:
        """Return a refusal with the code's rule; `announcements` are as in `Refused`."""
        return Refused(self.refusals[code], code, facts, announcements)

    def ignore(self, code: str, facts: Facts = NO_FACTS, announcements: tuple[Announcement, ...] = ()) -> Ignored:
        """Return the verdict on an observation that has no meaning now, with the code's rule."""
        return Ignored(self.ignored[code], code, facts, announcements)

    def fault(self, code: str, facts: Facts = NO_FACTS) -> Fault:
        """Return a fault with the code's rule."""
        return Fault(self.faults[code], code, facts)
