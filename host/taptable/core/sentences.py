"""A sentence in several languages that isn't in a catalogue, since people wrote it for their own cards. A game's
manifest has it, and announcements carry it. Must not know where it is shown."""

from __future__ import annotations

from dataclasses import dataclass

FALLBACK = "en"
"""The language that replaces a missing one."""


@dataclass(frozen=True, slots=True)
class Sentences:
    """A sentence in some languages, as pairs of language and sentence; English is always among them."""

    by_language: tuple[tuple[str, str], ...]

    def in_language(self, language: str) -> str:
        """Return the sentence in this language, or in English if there is none."""
        sentences = dict(self.by_language)
        return sentences.get(language, sentences[FALLBACK])
