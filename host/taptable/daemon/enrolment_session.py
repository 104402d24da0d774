"""Enrolments and checks at a table. While one is active it claims the tags at the discard pad, and the game waits.
There is one at a time. It continues without the person who began it, until it is stopped or complete, or nothing has
happened for `IDLE_TIMEOUT_S`. Its messages go to the table's subscribers like all others. This module must not know the
page; `PAGE` is only the name for a requester who is not named."""

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
"""Seconds after which an enrolment ends in which nothing happens, so that people who come to play find the pad free.
Every request and every event of the discard pad restarts them: a tag that comes or goes, a part that fails or
returns."""

_log = logging.getLogger(__name__)

_PARTS = frozenset(part_name(kind, DISCARD_PAD) for kind in ("pad", "board", "firmware", "twins", "flood"))
"""The names of alerts that tell why the discard pad can't be read: its reader, its board, or a fault of that board."""

_ACCEPTED = ("enrolled", "enrolled-control", "replaced", "complete", "whole", "seen", "seen-control", "all-here")
# refusals of a tag during an enrolment; `_FEEDBACK_OF_KEY` adds those of a check and of a key that can't be used
_REFUSED = ("double", "control", "foreign", "foreign-control", "not-wanted", "together", "lying", "members-card")
_FEEDBACK_OF_KEY: Mapping[str, TagFeedback] = {
    **dict.fromkeys(_ACCEPTED, TagFeedback.ACCEPTED),
    **dict.fromkeys((*_REFUSED, "seen-again", "stranger", "nothing-else", "nothing-to-undo"), TagFeedback.REFUSED),
    **dict.fromkeys(("random-uid", "unreadable", "reader-lost", "not-saved", "changed-elsewhere"), TagFeedback.FAULT),
    **dict.fromkeys(("undone", "undone-control", "stopped", "reader-back", "goes-on"), TagFeedback.NONE),
}
"""The feedback that each sentence gives at the table. It also selects: the table and the page show only these
sentences, and all others are for terminals."""


class EnrolmentSession:
    """The enrolments and checks of one table.

    `active` is the enrolment or check under way; `facts` describes that one, or after its end the previous one.
    `on_sentence` is called with each sentence of the dialogue. `is_members` says whether a tag is a member's card,
    which can't be enrolled into a deck. Until `backlog_until_us` boards may send events that they had stored before the
    table's start; the dialogue doesn't take those for taps."""

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
        self._dialogue: Dialogue | None = None  # set while anything is active
        self._deck = facts_of_deck(Deck("", ""))  # as it was when the dialogue began
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
        """Begin an enrolment into this deck, or a check of it; `restarted` resumes the one that was active before the
        table's restart. If there is no such deck, an enrolment makes one for `game` ("": the table's). `kind` is asked
        for first, and `only` names the cards to replace. The caller makes sure that nothing else is active. Raises
        `DeckError` with the reason if it can't begin."""
        self._active_deck.reload()
        decks, now_us = self._active_deck.decks, self._now_us()
        exists = mode is EnrolmentMode.CHECK or deck in decks.names()
        deck_before = decks.deck(deck) if exists else decks.get_or_new(deck, game or self._active_deck.game)
        dialogue: Dialogue = DeckCheck(decks, deck_before, self._say)
        if mode is not EnrolmentMode.CHECK:
            dialogue = Enrolling(decks, deck_before, self._say, self._is_members, only)
            if kind:
                dialogue.put_kind_first(kind, ask=False)
        self._dialogue, self._deck, self.facts = dialogue, facts_of_deck(deck_before), None
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
        """Return whether the event is a tag that comes to the discard pad. A tag that leaves is not claimed: it may be
        a card that came before the enrolment, and the session must learn that it is gone."""
        return isinstance(device_event, TagCame | TagUnreadable) and device_event.pad == DISCARD_PAD

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Pass events that concern the discard pad to the dialogue."""
        if isinstance(device_event, PartFailed | PartReturned):
            concerns = device_event.part in _PARTS
        else:
            concerns = device_event.pad == DISCARD_PAD and not isinstance(device_event, ButtonEdge)
        if concerns and (dialogue := self._dialogue) is not None:
            self._act(lambda: dialogue.handle_device_event(device_event, self._now_us()))

    def do(self, act: Callable[[Enrolling], None]) -> None:
        """Apply a function such as `Enrolling.undo` to the active enrolment. A check ignores it."""
        if isinstance(self._dialogue, Enrolling):
            self._act(partial(act, self._dialogue))

    def redact(self, names: Collection[str] | None) -> None:
        """Remove the requester's name from the active and the previous enrolment if it is among `names`. None removes
        every name."""
        if self.active is not None and is_to_redact(self.active.by, names):
            self._update_note(replace(self.active, by=PAGE))
        if self.facts is not None and is_to_redact(self.facts.began.by, names):
            self.facts = replace_in(self.facts, began=replace(self.facts.began, by=PAGE))

    def stop(self, reason: EnrolmentEnd = EnrolmentEnd.STOPPED) -> None:
        """Stop the active enrolment or check, if there is one. The remaining cards can be enrolled later."""
        if self._dialogue is not None:
            self._act(self._dialogue.stop, reason)

    def close(self) -> None:
        """Stop the timer because the table stops. What is active will be resumed after the start."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()

    def _say(self, key: str, facts: Mapping[str, object]) -> None:
        """Send a sentence of the dialogue to `on_sentence`, and keep it for the table if the table shows it."""
        self.on_sentence(key, facts)
        key = "stranger" if key == "unknown" else key  # the same message: only a terminal adds the tag's number
        if key in _FEEDBACK_OF_KEY:
            self._sentences.append((key, facts))

    def _act(self, act: Callable[[], None], end_reason: EnrolmentEnd = EnrolmentEnd.NOTHING_LEFT) -> None:
        """Run a step of the dialogue and publish its result."""
        dialogue, active = self._dialogue, self.active
        assert dialogue is not None
        assert active is not None
        self._sentences.clear()
        try:
            act()
        except DeckError as error:
            _log.error("Enrolment step failed, the deck is as in its file: %s", error)
            if isinstance(error.__cause__, OSError):
                self._say("not-saved", {"reason": error.__cause__.strerror})
            else:
                self._say("changed-elsewhere", {"deck": active.deck})
        last_message = None if self.facts is None else self.facts.said
        if (
            self._sentences
            or last_message is None
            or (last_message.wanted, last_message.have, last_message.need) != dialogue.progress
        ):
            self._publish_progress(dialogue, active)
        self._select_first_deck(active)
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        if dialogue.over:
            self._end(active, end_reason)
            return
        self._idle_timer = self._controller.loop.call_later(IDLE_TIMEOUT_S, self.stop, EnrolmentEnd.SILENCE)
        if (notice := dialogue.restart_notice(active)) != active:
            self._update_note(notice)

    def _publish_progress(self, dialogue: Dialogue, active: EnrolmentBegan) -> None:
        """Publish the progress with one sentence of this step: the latest that gives feedback, else the latest."""
        sentences: list[tuple[str, Mapping[str, object]]] = [("", {}), *self._sentences]
        key, facts = next(
            (message for message in reversed(sentences) if _FEEDBACK_OF_KEY.get(message[0])), sentences[-1]
        )
        message = EnrolmentSays(
            self._now_us(),
            active.deck,
            active.how,
            *dialogue.progress,
            key=key,
            facts=facts,
            mood=_FEEDBACK_OF_KEY.get(key, TagFeedback.NONE),
        )
        self.facts = EnrolmentFacts(
            self._deck,
            active,
            message,
            dialogue.missing_cards,
            bool(dialogue.steps),
            len(dialogue.foreign_tags),
            over=False,
        )
        self._controller.publish_notice(message)

    def _update_note(self, notice: EnrolmentBegan) -> None:
        """Make this the active enrolment, at the present time, and write it into the journal, from which a restarted
        table resumes it: with the kind that was chosen, the cards still to be replaced, and the requester."""
        self.active = replace(notice, at_us=self._now_us())
        self._controller.note(self.active)

    def _select_first_deck(self, active: EnrolmentBegan) -> None:
        """Use the first deck from its first card on."""
        active_deck = self._active_deck
        first = (
            active_deck.selects_first_deck and not active_deck.deck_name and active.deck in active_deck.decks.names()
        )
        if first and active_deck.decks.deck(active.deck).game == active_deck.game:
            select_deck(active_deck, self._controller, active.deck, "")

    def _end(self, ended: EnrolmentBegan, reason: EnrolmentEnd) -> None:
        self._dialogue = self.active = self._controller.claim = None
        if self.facts is not None:
            self.facts = replace_in(self.facts, over=True, undoable=False)
        self._controller.note(EnrolmentEnded(self._now_us(), ended.deck, reason))
        start_game_with_deck(self._active_deck, self._controller, ended.by)
