"""Enrolments and checks at a table: while one is on, it claims the tags at the discard pad, and the game waits. One at
a time; it goes on without whoever began it, until it is stopped, or whole, or nobody has tapped a card for a while.
What is said goes the way of everything that is told at a table. Must not know the page."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from msgspec.structs import replace as replace_in

from taptable.api.facts import EnrolmentFacts, facts_of_deck
from taptable.core.device_events import (
    ButtonEdge,
    DeviceEvent,
    PartFailed,
    PartReturned,
    TagCame,
    TagUnreadable,
    part_name,
)
from taptable.core.errors import DeckError
from taptable.core.notices import PAGE
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartLost
from taptable.core.tag_notices import (
    EnrolmentBegan,
    EnrolmentEnd,
    EnrolmentEnded,
    EnrolmentMode,
    EnrolmentSays,
    TagFeedback,
)
from taptable.daemon.active_deck import ActiveDeck, select_deck, start_game_with_deck
from taptable.daemon.enrolment_dialogue import BACKLOG_US, DeckCheck, Dialogue, Enrolling, Say
from taptable.daemon.session_controller import SessionController
from taptable.memory.deck import Deck
from taptable.memory.redaction import is_to_redact

IDLE_TIMEOUT_S = 600.0
"""After so long without a tag or a word an enrolment is over: who comes to play finds the pad free."""

_log = logging.getLogger(__name__)

_PARTS = frozenset(part_name(kind, DISCARD_PAD) for kind in ("pad", "board", "firmware", "twins", "flood"))
"""What the discard pad can't be read without."""

_ACCEPTED = ("enrolled", "enrolled-control", "replaced", "complete", "whole", "seen", "seen-control", "all-here")
_REFUSED = ("double", "control", "foreign", "foreign-control", "not-wanted", "together", "lying", "members-card")
_FEEDBACK_OF_KEY: Mapping[str, TagFeedback] = {
    **dict.fromkeys(_ACCEPTED, TagFeedback.ACCEPTED),
    **dict.fromkeys((*_REFUSED, "seen-again", "stranger", "nothing-else", "nothing-to-undo"), TagFeedback.REFUSED),
    **dict.fromkeys(("random-uid", "unreadable", "reader-lost", "not-saved", "changed-elsewhere"), TagFeedback.FAULT),
    **dict.fromkeys(("undone", "undone-control", "stopped", "reader-back", "goes-on"), TagFeedback.NONE),
}
"""The sentences that are shown at the table and on the page; all others are for terminals."""


class EnrolmentSession:
    """The enrolments and checks of one table: what is `on`, what is `shown` of it or of the last one, and each sentence
    in its turn to `on_said`. A tag that `is_members` is no deck's. Until `backlog_until_us` boards say what they kept
    from before the table."""

    def __init__(
        self,
        *,
        active_deck: ActiveDeck,
        controller: SessionController,
        is_members: Callable[[str], bool],
        backlog_until_us: int = 0,
    ) -> None:
        self.active: EnrolmentBegan | None = None
        self.facts: EnrolmentFacts | None = None
        self.on_sentence: Say = lambda _key, _facts: None
        self._active_deck = active_deck
        self._controller = controller
        self._now_us = controller.now_us
        self._backlog_until_us = backlog_until_us
        self._is_members = is_members
        self._dialogue: Dialogue | None = None  # there is one while anything is on
        self._deck = facts_of_deck(Deck("", ""))  # as it was when that began
        self._sentences: list[tuple[str, Mapping[str, object]]] = []
        self._idle_timer: asyncio.TimerHandle | None = None

    def begin(
        self,
        deck: str,
        game: str,
        mode: EnrolmentMode,
        by: str,
        *,
        kind: str = "",
        only: Sequence[str] = (),
        restarted: bool = False,
    ) -> None:
        """Begin an enrolment into a deck of this name, or its check, or go on after the table `restarted`; a new deck
        is for this game ("": the one at the table). `DeckError` says why it can't be. Nothing else may be on."""
        self._active_deck.reload()
        decks, now_us = self._active_deck.decks, self._now_us()
        there = mode is EnrolmentMode.CHECK or deck in decks.names()
        found = decks.deck(deck) if there else decks.get_or_new(deck, game or self._active_deck.game)
        dialogue: Dialogue = DeckCheck(decks, found, self._say)
        if mode is not EnrolmentMode.CHECK:
            dialogue = Enrolling(decks, found, self._say, self._is_members, only)
            if kind:
                dialogue.put_kind_first(kind, ask=False)
        self._dialogue, self._deck, self.facts = dialogue, facts_of_deck(found), None
        self.active = EnrolmentBegan(now_us, deck, mode, kind, tuple(only), by)
        self._controller.claim = self
        self._controller.pause(now_us)
        self._controller.note(self.active)
        settled_us = now_us + BACKLOG_US if restarted else self._backlog_until_us
        self._act(lambda: dialogue.begin(now_us, settled_us, restarted=restarted))
        for part, lost in self._controller.alerts.items():
            if part in _PARTS and isinstance(lost, PartLost):
                self.handle_device_event(PartFailed(lost.at_us, part, lost.reason))

    def claims(self, device_event: DeviceEvent) -> bool:
        """Whether a tag comes to the discard pad. That one goes is not claimed: what lay there before is the game's."""
        return isinstance(device_event, TagCame | TagUnreadable) and device_event.pad == DISCARD_PAD

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Let the dialogue have what concerns the discard pad."""
        if isinstance(device_event, PartFailed | PartReturned):
            concerns = device_event.part in _PARTS
        else:
            concerns = device_event.pad == DISCARD_PAD and not isinstance(device_event, ButtonEdge)
        if concerns and (dialogue := self._dialogue) is not None:
            self._act(lambda: dialogue.handle_device_event(device_event, self._now_us()))

    def do(self, act: Callable[[Enrolling], None]) -> None:
        """Do something to the enrolment that is on, such as `Enrolling.undo`; nothing happens to a check."""
        if isinstance(self._dialogue, Enrolling):
            self._act(partial(act, self._dialogue))

    def redact(self, names: Collection[str] | None) -> None:
        """Forget that one of these, or anybody, asked for what is on, or was last."""
        if self.active is not None and is_to_redact(self.active.by, names):
            self._update_note(replace(self.active, by=PAGE))
        if self.facts is not None and is_to_redact(self.facts.began.by, names):
            self.facts = replace_in(self.facts, began=replace(self.facts.began, by=PAGE))

    def stop(self, reason: EnrolmentEnd = EnrolmentEnd.STOPPED) -> None:
        """Leave the rest for later; nothing happens if nothing is on."""
        if self._dialogue is not None:
            self._act(self._dialogue.stop, reason)

    def close(self) -> None:
        """The table stops: what is on will be on again."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()

    def _say(self, key: str, facts: Mapping[str, object]) -> None:
        """A sentence of the dialogue."""
        self.on_sentence(key, facts)
        key = "stranger" if key == "unknown" else key  # a terminal says it with the tag's number
        if key in _FEEDBACK_OF_KEY:
            self._sentences.append((key, facts))

    def _act(self, act: Callable[[], None], end_reason: EnrolmentEnd = EnrolmentEnd.NOTHING_LEFT) -> None:
        """Let the dialogue do something, and tell what came of it."""
        dialogue, on = self._dialogue, self.active
        assert dialogue is not None
        assert on is not None
        self._sentences.clear()
        try:
            act()
        except DeckError as error:
            _log.error("%s", error)
            if isinstance(error.__cause__, OSError):
                self._say("not-saved", {"reason": error.__cause__.strerror})
            else:
                self._say("changed-elsewhere", {"deck": on.deck})
        said = None if self.facts is None else self.facts.said
        if self._sentences or said is None or (said.wanted, said.have, said.need) != dialogue.progress:
            self._publish_progress(dialogue, on)
        self._select_first_deck(on)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if dialogue.over:
            self._end(on, end_reason)
            return
        self._idle_timer = self._controller.loop.call_later(IDLE_TIMEOUT_S, self.stop, EnrolmentEnd.SILENCE)
        if (now := dialogue.restart_notice(on)) != on:
            self._update_note(now)

    def _publish_progress(self, dialogue: Dialogue, on: EnrolmentBegan) -> None:
        """Tell how far it is, with the sentence that matters most."""
        heard: list[tuple[str, Mapping[str, object]]] = [("", {}), *self._sentences]
        key, facts = next((said for said in reversed(heard) if _FEEDBACK_OF_KEY.get(said[0])), heard[-1])
        said = EnrolmentSays(
            self._now_us(),
            on.deck,
            on.how,
            *dialogue.progress,
            key=key,
            facts=facts,
            mood=_FEEDBACK_OF_KEY.get(key, TagFeedback.NONE),
        )
        self.facts = EnrolmentFacts(
            self._deck, on, said, dialogue.missing_cards, bool(dialogue.steps), len(dialogue.foreign_tags), over=False
        )
        self._controller.publish_notice(said)

    def _update_note(self, on: EnrolmentBegan) -> None:
        """Have the journal know which kind was chosen, which cards are still to be replaced, and who asked."""
        self.active = replace(on, at_us=self._now_us())
        self._controller.note(self.active)

    def _select_first_deck(self, on: EnrolmentBegan) -> None:
        """The first deck is played with from its first card on."""
        playing = self._active_deck
        first = playing.selects_first_deck and not playing.deck_name and on.deck in playing.decks.names()
        if first and playing.decks.deck(on.deck).game == playing.game:
            select_deck(playing, self._controller, on.deck, "")

    def _end(self, on: EnrolmentBegan, reason: EnrolmentEnd) -> None:
        self._dialogue = self.active = self._controller.claim = None
        if self.facts is not None:
            self.facts = replace_in(self.facts, over=True, undoable=False)
        self._controller.note(EnrolmentEnded(self._now_us(), on.deck, reason))
        start_game_with_deck(self._active_deck, self._controller, on.by)
