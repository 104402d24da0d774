"""The sentences people read, in their language, from gettext catalogues. A message is found by its context and a
stable key; the catalogues of the table and of each game hold the words, English included. Knows no rule and no
device."""

from __future__ import annotations

import gettext
from collections.abc import Mapping
from dataclasses import fields
from importlib import resources
from typing import cast

from taptable.core.announcements import Announcement, type_name
from taptable.core.observations import Pad
from taptable.core.verdicts import Accepted, Verdict

LANGUAGES = ("de", "en", "fr", "nl")


class Words:
    """The words of one language: the table's own catalogue and those of the given games' packages."""

    def __init__(self, language: str, packages: tuple[str, ...] = ()) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no words in language {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self._catalogues = [_load(package, language) for package in ("taptable", *packages)]

    def message(self, context: str, key: str) -> str | None:
        """The sentence with its ``{fields}`` still open, or None where no catalogue has it."""
        for catalogue in self._catalogues:
            found = catalogue.pgettext(context, key)
            if found != key:
                return found
        return None

    def text(self, context: str, key: str, facts: Mapping[str, object] | None = None) -> str:
        """The sentence for `key` with `facts` filled in, cards and pads by their names; the key itself where words
        are missing."""
        sentence = self.message(context, key)
        if sentence is None:
            return key
        return sentence.format_map({name: self._spell(name, value) for name, value in (facts or {}).items()})

    def announcement(self, announcement: Announcement) -> str:
        """An announcement as a sentence."""
        facts = {field.name: getattr(announcement, field.name) for field in fields(announcement)}
        return self.text("announcement", type_name(type(announcement)), facts)

    def verdict(self, verdict: Verdict) -> str:
        """A verdict as sentences: what was announced, and why it was refused, ignored or a fault."""
        sentences = [self.announcement(announcement) for announcement in verdict.announcements]
        if not isinstance(verdict, Accepted):
            sentences.append(self.text("verdict", verdict.code, verdict.facts))
        return " ".join(sentence for sentence in sentences if sentence)

    def card(self, card: str) -> str:
        """A card by its name: ``email#7`` is *E-Mail 7*."""
        kind, _, number = card.partition("#")
        name = self.message("card", kind) or kind
        return f"{name} {number}".strip()

    def pad(self, pad: Pad) -> str:
        """A pad by its name: *seat 3*, *discard pile*."""
        if isinstance(pad, int):
            return self.text("pad", "seat", {"number": pad})
        return self.text("pad", pad)

    def _spell(self, name: str, value: object) -> object:
        """What stands for a fact in a sentence, chosen by the fact's name."""
        if name == "card" and isinstance(value, str):
            return self.card(value)
        if isinstance(value, tuple):
            items = cast("tuple[object, ...]", value)
            return ", ".join(self.card(str(item)) if name == "cards" else str(item) for item in items)
        if name in {"pad", "onto"} and isinstance(value, (int, str)):
            return self.pad(value)
        if name.endswith("_us") and isinstance(value, int):
            return f"{value / 1_000_000:.1f}"
        return value


def _load(package: str, language: str) -> gettext.NullTranslations:
    """The compiled catalogue of a package; one without words for the language gives none."""
    path = resources.files(package).joinpath("catalogues", f"{language}.mo")
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)  # pyright: ignore[reportArgumentType]
