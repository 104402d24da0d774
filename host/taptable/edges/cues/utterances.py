"""What waits to be spoken: one sentence after the other, and never so many that the voice speaks of what is long over.
Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto


class Weight(Enum):
    """What becomes of a sentence when there are newer ones."""

    PASSING = auto()  # what has happened: may go unsaid
    LASTING = auto()  # what somebody is asked for, or has to know
    URGENT = auto()  # what can't wait: comes before all others


_MOST = {Weight.PASSING: 2, Weight.LASTING: 6, Weight.URGENT: 2}
"""How many of a kind wait; one more, and the oldest goes."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence."""

    text: str
    weight: Weight = Weight.LASTING


@dataclass(slots=True)
class Utterances:
    """The waiting ones, in the order in which they will be spoken."""

    _waiting: list[Utterance] = field(default_factory=list[Utterance])

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, new: Utterance) -> None:
        """One more; what is too much goes, the oldest first."""
        if new.weight is Weight.URGENT:
            # whatever happened before, this is what counts now
            self._waiting = [one for one in self._waiting if one.weight is not Weight.PASSING]
            self._waiting.insert(len(self._alike(new)), new)
        else:
            self._waiting.append(new)
        alike = self._alike(new)
        if len(alike) > _MOST[new.weight]:
            self._waiting.remove(alike[0])

    def take(self) -> Utterance:
        """The next to be spoken; there must be one."""
        return self._waiting.pop(0)

    def keep_latest(self) -> None:
        """Only the last of them still waits."""
        del self._waiting[:-1]

    def _alike(self, new: Utterance) -> list[Utterance]:
        return [one for one in self._waiting if one.weight is new.weight]
