"""One pad with a reader of PC/SC: turns the states that pcscd reports into device events, and reads the number of each
card that comes. Such a reader knows one card at a time, and says by a counter how often cards came and went. Must not
know how the table waits for a change, nor the other pads."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from tapshared.presence import ABSENCE_US, CAME, MAX_GARBLED_US, Presence, PresenceChange
from tapshared.upkeep import Unread

from taptable.core.device_events import (
    Clock,
    DeviceEvent,
    PartFailed,
    PartReturned,
    TagCame,
    TagUnreadable,
    TagWent,
)
from taptable.drivers.interface import DeviceContext, Part
from taptable.drivers.pcsc.readers import PcscReader, channel_of
from taptable.drivers.pcsc.winscard import (
    REFUSED,
    REFUSED_BY_POLKIT,
    SERVICE_LOST,
    SHARE_SHARED,
    STATE_EMPTY,
    STATE_EXCLUSIVE,
    STATE_MUTE,
    STATE_PRESENT,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    PcscCode,
    PcscError,
    WinscardCalls,
)
from taptable.drivers.reader_health import ReaderHealth

RETRY_US, UNUSABLE_RETRY_US = 250_000, 500_000
"""Time from one attempt to read a card until the next, and from one to use a reader."""

UNCERTAINTY_US = 500_000
"""The whole uncertainty of a tap: the reader looks every 250 ms at best, and pcscd asks some drivers every 400 ms."""
SETTLING_US = 1_000_000
"""Time from when a reader can be used until it has looked: a card that it finds by then lay there before."""

GET_UID = bytes.fromhex("FFCA000000")
_DONE = b"\x90\x00"
_UID_LENGTHS = (4, 7, 10)
_UNREADABLE = _NOTHING = b""
_GONE = frozenset({PcscCode.NO_SMARTCARD, PcscCode.REMOVED_CARD, PcscCode.UNKNOWN_READER, PcscCode.READER_UNAVAILABLE})


class PadUnusable(Exception):
    """A reader can't be used now, for the reason in the message."""


class ReaderReplaced(Exception):
    """The name of a reader belongs to another one now, or to the same one that was pulled out and has come back."""


class PcscPad:
    """A pad of the table. `reader` is its reader, as long as that is plugged in."""

    def __init__(self, part: Part, context: DeviceContext, calls: WinscardCalls) -> None:
        assert part.pad is not None
        self.part = part
        self.pad = part.pad
        self.reader: PcscReader | None = None
        self.state = 0
        """The state of the reader as pcscd reported it last; 0 if it hasn't yet."""
        self.recheck_us: int | None = None
        """When the pad has to be looked at again, although its reader reports nothing."""
        self.retry_us = 0
        """When a reader that couldn't be used is tried again."""
        self._calls = calls
        self._context = context
        self._reason: str | None = None
        self._with_first_card = b""
        self._uid: bytes | None = None  # the number of the card that lies there, since `_counter`
        self._counter = -1
        self._set_ups = self._unreadable_reads = self._settled_us = 0
        self._reset()

    @property
    def health(self) -> ReaderHealth:
        """The counters of its reader: cards that couldn't be read, and reads that failed."""
        return ReaderHealth(max(0, self._set_ups - 1), 0, 0, self._unread.count, self._unreadable_reads)

    @property
    def has_failed(self) -> bool:
        """Whether it is reported as failed now."""
        return self._reason is not None

    def use(self, reader: PcscReader, with_first_card: bytes = b"") -> None:
        """Use a reader from now on, whose state isn't known yet. `with_first_card` is a command that it takes only with
        a card."""
        self.reader, self.state, self._with_first_card = reader, 0, with_first_card
        self._set_ups += 1
        self._settled_us = self._context.now_us() + SETTLING_US
        self._reset()

    def fail(self, reason: str) -> list[DeviceEvent]:
        """Take that the reader is not there, or of no use. Its tags have gone: nobody knows what lies there."""
        self.reader, self.state, self.recheck_us = None, 0, None
        if self._reason is not None:
            return []
        self._reason = reason
        gone = [
            TagWent(there_us, self.pad, uid, clock=Clock.TABLE) for uid, there_us in sorted(self._last_there_us.items())
        ]
        self._reset()
        return [*gone, PartFailed(self._context.now_us(), self.part.name, reason)]

    def look(self, context: int, before_us: int) -> list[DeviceEvent]:
        """Take the state that the reader has now. It had the previous one at `before_us`. Raises PcscError if pcscd has
        ended, and PadUnusable if the reader can't be used."""
        state, self.recheck_us = self.state, None
        if state & (STATE_UNKNOWN | STATE_UNAVAILABLE) or self.reader is None:
            raise PadUnusable("its reader doesn't answer pcscd")
        if not state & (STATE_EMPTY | STATE_PRESENT):
            return []
        if state & STATE_EXCLUSIVE:
            raise PadUnusable("another program has its reader for itself")
        events: list[DeviceEvent] = []
        if self._reason is not None:
            self._reason = None
            events.append(PartReturned(self._context.now_us(), self.part.name))
        events += self._still_there(before_us)
        return events + (self._look_at_card(context, before_us) if state & STATE_PRESENT else self._look_at_nothing())

    # --- one look ---

    def _look_at_card(self, context: int, before_us: int) -> list[DeviceEvent]:
        counter = self.state >> 16
        events: list[DeviceEvent] = []
        if self._uid is not None and counter != self._counter:
            # it was lifted and laid again between two states, or another one was: nobody knows when
            events += self._take(self._presence.look(before_us + 1, (), False))
            events += self._look_at_nothing()
        if self._uid is not None:
            events += self._still_there(self._context.now_us())
            self._await_absence()
            return events
        uid = None if self.state & STATE_MUTE else self._read_uid(context)
        now_us = self._context.now_us()
        if uid == _NOTHING:
            self.recheck_us = now_us + RETRY_US
            return events
        is_unread = self._unread.look(now_us, [uid] if uid else [], [_UNREADABLE], uid is None)
        if uid is None:
            self.recheck_us = now_us + RETRY_US
            self._unreadable_reads += 1
            events += self._take(self._presence.look(now_us, (), True))
            return [*events, TagUnreadable(now_us, self.pad)] if is_unread else events
        self._uid, self._counter = uid, counter
        # a second look for an unknown tag: `_read_uid` has read its number twice
        for reads in (1,) if self._is_known(uid) else (1, 2):
            events += self._take(self._presence.look(now_us + reads - 1, [uid], False))
        self._await_absence()
        return events

    def _look_at_nothing(self) -> list[DeviceEvent]:
        now_us = self._context.now_us()
        self._uid = None
        self._unread.look(now_us, (), (), False)
        events = self._take(self._presence.look(now_us, (), now_us < self._settled_us))
        self._await_absence()
        return events

    def _still_there(self, at_us: int) -> list[DeviceEvent]:
        """Take that the card which lies there, if one does, did so at this time too."""
        if self._uid is None:
            return []
        if self._uid.hex() in self._last_there_us:
            self._last_there_us[self._uid.hex()] = at_us
        return self._take(self._presence.look(at_us, [self._uid], False))

    def _await_absence(self) -> None:
        """Look again when a card that isn't seen any more will have been gone for long enough."""
        lying = [] if self._uid is None else [self._uid]
        if self._presence.known_uids() != lying or self._unread.is_present:
            self.recheck_us = self._context.now_us() + ABSENCE_US
        elif self._context.now_us() < self._settled_us:
            self.recheck_us = self._settled_us

    def _read_uid(self, context: int) -> bytes | None:
        """Read the number of the card that lies there, twice if it isn't a known one. Return `_NOTHING` if it has gone
        meanwhile, and None if it can't be read. Raises PcscError if pcscd has ended."""
        assert self.reader is not None
        try:
            card, protocol = self._calls.connect(context, self.reader.name, SHARE_SHARED)
            try:
                if self.reader.channel and channel_of(self._calls, card) not in (0, self.reader.channel):
                    raise ReaderReplaced
                uid = self._uid_of(self._calls.transmit(card, protocol, GET_UID))
                if uid is not None and not self._is_known(uid):
                    again = self._uid_of(self._calls.transmit(card, protocol, GET_UID))
                    uid = uid if again == uid else None
                if self._with_first_card:
                    command, self._with_first_card = self._with_first_card, b""
                    with suppress(PcscError):
                        self._calls.transmit(card, protocol, command)
                return uid
            finally:
                with suppress(PcscError):
                    self._calls.disconnect(card)
        except PcscError as error:
            if error.code in SERVICE_LOST:
                raise
            if error.code in REFUSED:
                raise PadUnusable(REFUSED_BY_POLKIT) from error
            if error.code == PcscCode.SHARING_VIOLATION:
                raise PadUnusable("another program has its reader for itself") from error
            return _NOTHING if error.code in _GONE else None

    def _uid_of(self, answer: bytes) -> bytes | None:
        uid, status = answer[:-2], answer[-2:]
        return uid if status == _DONE and len(uid) in _UID_LENGTHS else None

    # --- tags ---

    def _reset(self) -> None:
        self._presence = Presence(lambda uid: (1,) if self._is_known(uid) else (2,))
        self._unread = Unread()
        self._last_there_us: dict[str, int] = {}  # the tags that were reported and haven't gone
        self._uid, self._counter = None, -1

    def _is_known(self, uid: bytes) -> bool:
        return self._context.identify(uid.hex()) is not None

    def _take(self, changes: Sequence[PresenceChange]) -> list[DeviceEvent]:
        return [self._device_event(change) for change in changes]

    def _device_event(self, change: PresenceChange) -> DeviceEvent:
        uid = change.uid.hex()
        if change.kind == CAME:
            self._last_there_us[uid] = self._context.now_us()
            identity = self._context.identify(uid)
            return TagCame(
                change.at_us,
                self.pad,
                uid,
                change.already_there,
                identity=identity,
                clock=Clock.TABLE,
                uncertainty_us=UNCERTAINTY_US,
            )
        at_us = min(change.at_us, self._last_there_us.pop(uid) + MAX_GARBLED_US + ABSENCE_US)
        return TagWent(at_us, self.pad, uid, clock=Clock.TABLE)
