"""An enrolment at a discard pad, without a table: a test taps tags on it and reads its messages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taptable.core.device_events import TagCame, TagWent
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.enrolment_dialogue import Enrolling
from taptable.memory.deck import Deck
from taptable.memory.decks import Decks

S = 1_000_000


class EnrolmentRig:
    """The dialogue about one deck in a folder; `heard` are the keys of its messages, with their facts."""

    def __init__(self, folder: Path, deck: Deck, **more: Any) -> None:
        self.decks = Decks(folder)
        self.heard: list[tuple[str, Mapping[str, object]]] = []
        self.dialogue = Enrolling(self.decks, deck, self._hear, self._is_members, **more)
        self._now_us = 0

    def _hear(self, key: str, facts: Mapping[str, object]) -> None:
        self.heard.append((key, facts))

    def _is_members(self, uid: str) -> bool:
        return uid == "04adadadadad01"

    @property
    def requested(self) -> str:
        """The card or control that is wanted; "" for none."""
        return "" if self.dialogue.next_tag is None else self.dialogue.next_tag.target

    @property
    def saved(self) -> Deck:
        """The deck as another program finds it."""
        return Decks(self.decks.folder).deck(self.dialogue.deck.name)

    def tap(self, uid: str) -> tuple[str, Mapping[str, object]]:
        """Tap a tag, and return the first message about it."""
        before = len(self.heard)
        self._now_us += S
        self.dialogue.handle_device_event(TagCame(self._now_us, DISCARD_PAD, uid), self._now_us)
        self._now_us += S
        self.dialogue.handle_device_event(TagWent(self._now_us, DISCARD_PAD, uid), self._now_us)
        return self.heard[before]
