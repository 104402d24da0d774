"""A sentence that isn't in a catalogue, since people wrote it for their own cards: by language."""

from __future__ import annotations

from dataclasses import dataclass

FALLBACK = "en"


@dataclass(frozen=True, slots=True)
class Sentences:
    """A sentence in some languages, as pairs of language and sentence; English is always there."""

    by_language: tuple[tuple[str, str], ...]

    def in_language(self, language: str) -> str:
        """The sentence; in English where there is none in this language."""
        sentences = dict(self.by_language)
        return sentences.get(language, sentences[FALLBACK])
