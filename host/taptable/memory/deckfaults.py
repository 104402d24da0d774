"""What is wrong with a deck, as values: all of it at once, each with its place in the text, to be told in any language.
To people at a terminal with the numbers of tags, which stand in their file, to others without. Knows no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from taptable.core.errors import DeckError
from taptable.core.sightings import is_tag_number
from taptable.words import Words

CONTEXT = "deck-file"
"""Of the catalogues."""

MOST = 20
"""Faults that are named; more help nobody."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, by the key of a sentence and its facts, at a `line` (None: nowhere in the text) and
    under a `key` of the text ("": the text as a whole)."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    line: int | None = None
    key: str = ""

    def told(self, words: Words, *, numbers: bool) -> str:
        """Where it is, and what; with the `numbers` of tags or without."""
        facts = {name: fact if numbers or not _is_number(fact) else None for name, fact in self.facts.items()}
        sentence = words.text(CONTEXT, self.code, facts)
        line = "" if self.line is None else words.text(CONTEXT, "line", {"number": self.line})
        places = (line, self.key if numbers or not is_tag_number(self.key) else "")
        place = ", ".join(each for each in places if each)
        return f"{place}: {sentence}" if place else sentence


class DeckFaults(DeckError):
    """A deck that can't be used, and all that is wrong with it; its text is English."""

    def __init__(self, which: str, faults: Sequence[Fault], count: int | None = None) -> None:
        self.faults = tuple(faults[:MOST])
        self.count = len(faults) if count is None else count
        super().__init__(f"{which}: {self.told(Words('en'), numbers=True)}")

    def told(self, words: Words, *, numbers: bool = False) -> str:
        """The faults, and how many more there are."""
        told = [fault.told(words, numbers=numbers) for fault in self.faults]
        if more := self.count - len(self.faults):
            told.append(words.text(CONTEXT, "more", {"count": more}))
        return "; ".join(told)


def _is_number(fact: object) -> bool:
    return isinstance(fact, str) and is_tag_number(fact)
