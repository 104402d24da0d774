"""Members' cards at a running table: the next tag at the discard pad becomes the card of the member who waits for one.
The game waits meanwhile, as it does for a deck. This module must not know the page, nor what a tap at a seat means."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from taptable.core.device_events import DeviceEvent, TagCame, TagUnreadable
from taptable.core.errors import MembersError
from taptable.core.observations import DISCARD_PAD
from taptable.core.settings import US_PER_S
from taptable.core.tag_notices import MemberCardAwaited, MemberCardSays, TagFeedback
from taptable.daemon.active_deck import ActiveDeck
from taptable.daemon.session_controller import SessionController
from taptable.memory.members import MAX_TAGS, MemberStore
from taptable.referee.taps import is_random

WAIT_TIMEOUT_S = 60
"""Seconds to wait for a card, from the request or from the last tap."""

_log = logging.getLogger(__name__)


class MemberCards:
    """Assigns cards to the members of one table. `waiting_for` is the member whose card is awaited ("": nobody); while
    it is set, this claims the discard pad. `last_message` is the message sent last."""

    def __init__(self, *, members: MemberStore, active_deck: ActiveDeck, controller: SessionController) -> None:
        self.waiting_for = ""
        self.last_message: MemberCardSays | None = None
        self._members = members
        self._active_deck = active_deck
        self._controller = controller
        self._replaces = False  # whether the card replaces all the old ones
        self._timeout: asyncio.TimerHandle | None = None
        if members.fault is not None:
            _log.error("Members not usable: %s", members.fault)

    def begin(self, member: str, *, replaces: bool) -> None:
        """Wait for a card of this member. Nothing else may be active at the discard pad."""
        if self._controller.session.table.has_moves:
            self._controller.pause(self._controller.now_us())
        self.waiting_for, self._replaces, self._controller.claim = member, replaces, self
        self._note_awaited()
        self._say("waiting")

    def claims(self, device_event: DeviceEvent) -> bool:
        """Return whether a tag comes to the discard pad. One that lies there already isn't meant."""
        match device_event:
            case TagCame(pad=pad, already_present=False) | TagUnreadable(pad=pad):
                return pad == DISCARD_PAD
            case _:
                return False

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Take the tag if it can become a member's card."""
        if isinstance(device_event, TagCame) and self.claims(device_event):
            self._handle_tag(device_event.uid)
        elif self.claims(device_event):
            self._say("unreadable", mood=TagFeedback.FAULT)

    def stop(self, key: str = "stopped", mood: TagFeedback = TagFeedback.NONE) -> None:
        """Stop waiting and say why. Nothing happens if no card is awaited."""
        if self.waiting_for:
            member, self.waiting_for, self._controller.claim = self.waiting_for, "", None
            self.close()
            self._note_awaited()
            self._tell(MemberCardSays(self._controller.now_us(), member, 0, key, mood=mood))

    def close(self) -> None:
        """Stop the timer because the table stops. The member has to ask again."""
        if self._timeout is not None:
            self._timeout.cancel()

    def _handle_tag(self, uid: str) -> None:
        """Make the tag the member's card, or say why it can't be."""
        in_deck, owner, member = (
            self._active_deck.decks.find(uid),
            self._members.find_by_tag(uid),
            self._members.find(self.waiting_for),
        )
        if is_random(uid):
            self._say("random-uid", mood=TagFeedback.FAULT)
        elif in_deck is not None:
            self._say("card-of-deck", {"deck": in_deck[0]}, TagFeedback.REFUSED)
        elif owner is not None:
            self._say("own-already" if owner == member else "others", {"other": owner.id}, TagFeedback.REFUSED)
        else:
            tags_before = () if member is None or self._replaces else member.tags
            try:
                self._members.change(self.waiting_for, tags=(*tags_before, uid)[-MAX_TAGS:])
            except MembersError as error:
                _log.error("Member's card not saved, tap it again: %s", error)
                self._say("not-kept", mood=TagFeedback.FAULT)
            else:
                self.stop("enrolled", TagFeedback.ACCEPTED)

    def _note_awaited(self) -> None:
        """Record in the journal whose card is awaited."""
        replaces = self._replaces if self.waiting_for else False
        self._controller.note(MemberCardAwaited(self._controller.now_us(), self.waiting_for, replaces))

    def _say(self, key: str, facts: Mapping[str, object] | None = None, mood: TagFeedback = TagFeedback.NONE) -> None:
        """Send a message and restart the timeout for the next tag."""
        self.close()
        self._timeout = self._controller.loop.call_later(WAIT_TIMEOUT_S, self.stop, "silence")
        now_us = self._controller.now_us()
        self._tell(MemberCardSays(now_us, self.waiting_for, now_us + WAIT_TIMEOUT_S * US_PER_S, key, facts or {}, mood))

    def _tell(self, message: MemberCardSays) -> None:
        self.last_message = message
        self._controller.publish_notice(message)
