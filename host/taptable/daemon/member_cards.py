"""Members' cards at a running table: the next tag at the discard pad becomes the card of whoever waits for one, while
the game waits too, as it does for a deck; and who leaves the list gets up from the table. Must not know the page, nor
what a tap at a seat means: that is the session's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from taptable.core.device_events import DeviceEvent, TagCame, TagUnreadable
from taptable.core.errors import MembersError
from taptable.core.notices import MemberCardAwaited, MemberCardSays, MemberSeen, MembersSeated
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.settings import US_PER_S
from taptable.daemon.playing_deck import PlayingDeck
from taptable.daemon.session_controller import SessionController
from taptable.memory.members import MOST_TAGS, Members
from taptable.referee.seating import seated
from taptable.referee.taps import is_random

WAITS_S = 60
"""So long a card is waited for, from when it was asked for or another was tapped."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Awaited:
    """Whose card is waited for, and whether it takes the place of all the old ones."""

    member: str
    replaces: bool


class MemberCards:
    """The members' cards of one table. While one is waited for, this claims the discard pad. `said` is what was said
    last of one."""

    def __init__(
        self,
        *,
        members: Members,
        playing: PlayingDeck,
        controller: SessionController,
    ) -> None:
        self.said: MemberCardSays | None = None
        self._members = members
        self._playing = playing
        self._controller = controller
        self._now_us = controller.now_us
        self._on: _Awaited | None = None
        self._ending: asyncio.TimerHandle | None = None
        if members.fault is not None:
            _log.error("%s", members.fault)

    @property
    def on(self) -> str:
        """Whose card is waited for; "" for nobody's."""
        return "" if self._on is None else self._on.member

    def begin(self, member: str, *, replaces: bool) -> None:
        """Wait for a card of this member. Nothing else may be on at the discard pad."""
        if self._controller.session.table.begun:
            self._controller.pause(self._now_us())
        self._on = _Awaited(member, replaces)
        self._controller.claim = self
        self._controller.note(MemberCardAwaited(self._now_us(), member, replaces))
        self._say("waiting")

    def claims(self, device_event: DeviceEvent) -> bool:
        """Whether a tag comes to the discard pad; one that lies there already isn't meant."""
        match device_event:
            case TagCame(pad=pad, lying=False) | TagUnreadable(pad=pad):
                return pad == DISCARD_PAD
            case _:
                return False

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Take the tag that comes, if it can be a member's card."""
        if self._on is None or not self.claims(device_event):
            return
        match device_event:
            case TagCame(uid=uid):
                self._take(self._on, uid)
            case _:
                self._say("unreadable", mood="fault")

    def stop(self, key: str = "stopped") -> None:
        """Wait no longer; nothing happens if nobody's card is waited for."""
        if self._on is not None:
            self._end(key)

    def close(self) -> None:
        """The table stops: whoever waited asks again."""
        if self._ending is not None:
            self._ending.cancel()

    def seat(self, member: str, seat: int | None) -> None:
        """Whoever this is sits there from now on, at no seat for None; a `member` "" is nobody."""
        pad = DISCARD_PAD if seat is None else seat
        if self._seat(member, pad) and member:
            self._controller.note(MemberSeen(self._now_us(), member, pad, "gets-up" if seat is None else "sits"))

    def play_on(self, member: str, seat: int) -> None:
        """Whoever this is plays at this seat too, and stays where else they sit; a `member` "" is nobody known."""
        session = self._controller.session
        now = dict(enumerate(session.members, 1))
        seats = range(1, session.table.game_options.players + 1)
        members = tuple(member if each == seat else now.get(each, "") for each in seats)
        if any((*members, *session.members)) and members != session.members:
            self._controller.note(MembersSeated(self._now_us(), members))

    def forget(self, member: str) -> None:
        """Delete a member, who gets up; `MembersError` if that can't be written down."""
        self._members.delete(member)
        if self.on == member:
            self.stop()
        self.get_up(member)

    def get_up(self, member: str) -> None:
        """Whoever is no longer known sits nowhere."""
        if member in self._controller.session.members:
            self._seat(member, DISCARD_PAD)

    def _seat(self, member: str, pad: Pad) -> bool:
        """Write down who sits where; False where that is nothing new."""
        session = self._controller.session
        members = seated(session.table, session.members, member, pad)
        if members == session.members or not any((*members, *session.members)):
            return False
        self._controller.note(MembersSeated(self._now_us(), members))
        return True

    def _take(self, on: _Awaited, uid: str) -> None:
        """A tag came: it is the member's card from now on, or it is said why not."""
        found, owner = self._playing.decks.find(uid), self._members.whose(uid)
        if is_random(uid):
            self._say("random-uid", mood="fault")
        elif found is not None:
            self._say("card-of-deck", {"deck": found[0]}, "refused")
        elif owner is not None:
            self._say("own-already" if owner.id == on.member else "others", {"other": owner.id}, "refused")
        else:
            member = self._members.find(on.member)
            had = () if member is None or on.replaces else member.tags
            try:
                self._members.change(on.member, tags=(*had, uid)[-MOST_TAGS:])
            except MembersError as error:
                _log.error("%s", error)
                self._say("not-kept", mood="fault")
            else:
                self._end("enrolled", "accepted")

    def _end(self, key: str, mood: str = "") -> None:
        member = self.on
        self._on = self._controller.claim = None
        if self._ending is not None:
            self._ending.cancel()
        self._controller.note(MemberCardAwaited(self._now_us(), "", replaces=False))
        self._tell(MemberCardSays(self._now_us(), member, 0, key, mood=mood))

    def _say(self, key: str, facts: Mapping[str, object] | None = None, mood: str = "") -> None:
        """Say something, and wait for the next tag, but not for ever."""
        if self._ending is not None:
            self._ending.cancel()
        self._ending = self._controller.loop.call_later(WAITS_S, self.stop, "silence")
        now_us = self._now_us()
        self._tell(MemberCardSays(now_us, self.on, now_us + WAITS_S * US_PER_S, key, facts or {}, mood))

    def _tell(self, said: MemberCardSays) -> None:
        self.said = said
        self._controller.tell(said)
