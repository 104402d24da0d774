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
    part_at,
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
from taptable.daemon.enrolment_dialogue import KEPT_US, DeckCheck, Dialogue, Enrolling, Say
from taptable.daemon.playing_deck import ActiveDeck, choose, deal
from taptable.daemon.session_controller import SessionController
from taptable.memory.blotting import is_redacted
from taptable.memory.deck import Deck

SILENCE_S = 600.0
"""After so long without a tag or a word an enrolment is over: who comes to play finds the pad free."""

_log = logging.getLogger(__name__)

_PARTS = frozenset(part_at(kind, DISCARD_PAD) for kind in ("pad", "board", "firmware", "twins", "flood"))
"""What the discard pad can't be read without."""

_ACCEPTED = ("enrolled", "enrolled-control", "replaced", "complete", "whole", "seen", "seen-control", "all-here")
_REFUSED = ("double", "control", "foreign", "foreign-control", "not-wanted", "together", "lying", "members-card")
_MOODS: Mapping[str, TagFeedback] = {
    **dict.fromkeys(_ACCEPTED, TagFeedback.ACCEPTED),
    **dict.fromkeys((*_REFUSED, "seen-again", "stranger", "nothing-else", "nothing-to-undo"), TagFeedback.REFUSED),
    **dict.fromkeys(("random-uid", "unreadable", "reader-lost", "not-saved", "changed-elsewhere"), TagFeedback.FAULT),
    **dict.fromkeys(("undone", "undone-control", "stopped", "reader-back", "goes-on"), TagFeedback.NONE),
}
"""The sentences that are shown at the table and on the page; all others are for terminals."""


class EnrolmentSession:
    """The enrolments and checks of one table: what is `on`, what is `shown` of it or of the last one, and each sentence
    in its turn to `on_said`. A tag that `is_members` is no deck's. Until `settled_us` boards say what they kept from
    before the table."""

    def __init__(
        self,
        *,
        playing: ActiveDeck,
        controller: SessionController,
        is_members: Callable[[str], bool],
        settled_us: int = 0,
    ) -> None:
        self.on: EnrolmentBegan | None = None
        self.shown: EnrolmentFacts | None = None
        self.on_said: Say = lambda _key, _facts: None
        self._playing = playing
        self._controller = controller
        self._now_us = controller.now_us
        self._settled_us = settled_us
        self._is_members = is_members
        self._dialogue: Dialogue | None = None  # there is one while anything is on
        self._deck = facts_of_deck(Deck("", ""))  # as it was when that began
        self._heard: list[tuple[str, Mapping[str, object]]] = []
        self._silence: asyncio.TimerHandle | None = None

    def begin(
        self,
        deck: str,
        game: str,
        how: EnrolmentMode,
        by: str,
        *,
        kind: str = "",
        only: Sequence[str] = (),
        restarted: bool = False,
    ) -> None:
        """Begin an enrolment into a deck of this name, or its check, or go on after the table `restarted`; a new deck
        is for this game ("": the one at the table). `DeckError` says why it can't be. Nothing else may be on."""
        self._playing.look_again()
        decks, now_us = self._playing.decks, self._now_us()
        there = how is EnrolmentMode.CHECK or deck in decks.names()
        found = decks.deck(deck) if there else decks.begin(deck, game or self._playing.game)
        dialogue: Dialogue = DeckCheck(decks, found, self._say)
        if how is not EnrolmentMode.CHECK:
            dialogue = Enrolling(decks, found, self._say, self._is_members, only)
            if kind:
                dialogue.do_kind(kind, ask=False)
        self._dialogue, self._deck, self.shown = dialogue, facts_of_deck(found), None
        self.on = EnrolmentBegan(now_us, deck, how, kind, tuple(only), by)
        self._controller.claim = self
        self._controller.pause(now_us)
        self._controller.note(self.on)
        settled_us = now_us + KEPT_US if restarted else self._settled_us
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
        if self.on is not None and is_redacted(self.on.by, names):
            self._note_again(replace(self.on, by=PAGE))
        if self.shown is not None and is_redacted(self.shown.began.by, names):
            self.shown = replace_in(self.shown, began=replace(self.shown.began, by=PAGE))

    def stop(self, how: EnrolmentEnd = EnrolmentEnd.STOPPED) -> None:
        """Leave the rest for later; nothing happens if nothing is on."""
        if self._dialogue is not None:
            self._act(self._dialogue.stop, how)

    def close(self) -> None:
        """The table stops: what is on will be on again."""
        if self._silence is not None:
            self._silence.cancel()

    def _say(self, key: str, facts: Mapping[str, object]) -> None:
        """A sentence of the dialogue."""
        self.on_said(key, facts)
        key = "stranger" if key == "unknown" else key  # a terminal says it with the tag's number
        if key in _MOODS:
            self._heard.append((key, facts))

    def _act(self, act: Callable[[], None], how: EnrolmentEnd = EnrolmentEnd.NOTHING_LEFT) -> None:
        """Let the dialogue do something, and tell what came of it."""
        dialogue, on = self._dialogue, self.on
        assert dialogue is not None
        assert on is not None
        self._heard.clear()
        try:
            act()
        except DeckError as error:
            _log.error("%s", error)
            if isinstance(error.__cause__, OSError):
                self._say("not-saved", {"reason": error.__cause__.strerror})
            else:
                self._say("changed-elsewhere", {"deck": on.deck})
        said = None if self.shown is None else self.shown.said
        if self._heard or said is None or (said.wanted, said.have, said.need) != dialogue.progress:
            self._tell(dialogue, on)
        self._take_first(on)
        if self._silence is not None:
            self._silence.cancel()
        if dialogue.over:
            self._end(on, how)
            return
        self._silence = self._controller.loop.call_later(SILENCE_S, self.stop, EnrolmentEnd.SILENCE)
        if (now := dialogue.resumed(on)) != on:
            self._note_again(now)

    def _tell(self, dialogue: Dialogue, on: EnrolmentBegan) -> None:
        """Tell how far it is, with the sentence that matters most."""
        heard: list[tuple[str, Mapping[str, object]]] = [("", {}), *self._heard]
        key, facts = next((said for said in reversed(heard) if _MOODS.get(said[0])), heard[-1])
        said = EnrolmentSays(
            self._now_us(),
            on.deck,
            on.how,
            *dialogue.progress,
            key=key,
            facts=facts,
            mood=_MOODS.get(key, TagFeedback.NONE),
        )
        self.shown = EnrolmentFacts(
            self._deck, on, said, dialogue.lacks, bool(dialogue.steps), len(dialogue.strangers), over=False
        )
        self._controller.tell(said)

    def _note_again(self, on: EnrolmentBegan) -> None:
        """Have the journal know which kind was chosen, which cards are still to be replaced, and who asked."""
        self.on = replace(on, at_us=self._now_us())
        self._controller.note(self.on)

    def _take_first(self, on: EnrolmentBegan) -> None:
        """The first deck is played with from its first card on."""
        playing = self._playing
        first = playing.takes_first and not playing.in_use and on.deck in playing.decks.names()
        if first and playing.decks.deck(on.deck).game == playing.game:
            choose(playing, self._controller, on.deck, "")

    def _end(self, on: EnrolmentBegan, how: EnrolmentEnd) -> None:
        self._dialogue = self.on = self._controller.claim = None
        if self.shown is not None:
            self.shown = replace_in(self.shown, over=True, undoable=False)
        self._controller.note(EnrolmentEnded(self._now_us(), on.deck, how))
        deal(self._playing, self._controller, on.by)
