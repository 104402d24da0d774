"""The cards that are played with, as a part of the page: which face each kind has, what is drawn on it, and what it is
called in the language of who looks. It changes only with the game or its manifest. Pure; knows no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taptable.core.pack import Pack
from taptable.words import Words


@dataclass(frozen=True)
class PackPart:
    """The part for a pack."""

    pack: Pack

    def __call__(self, words: Words) -> dict[str, Any]:
        """Ready for JSON: ``{"name", "sample", "kinds"}``, the kinds in their order."""
        kinds = [
            {"id": kind.id, "count": kind.count, "face": kind.face, "label": kind.label, "name": words.kind(kind.id)}
            for kind in self.pack.kinds
        ]
        return {"name": self.pack.name, "sample": self.pack.sample, "kinds": kinds}
