"""Turns the looks at a board's pad into events of the wire. The firmware and the virtual boards share it; knows no
reader and no number of an event."""

from tapshared.presence import CAME, Presence
from tapshared.ticks import ticks_diff
from tapshared.upkeep import Unread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tapshared.presence import PresenceChange

    WireEvent = tuple[str, tuple[int | str, ...]]

# From the beginning of one look at the pad to that of the next. A board looks less often while only known cards lie on
# its pad: `seatboard.reader.KNOWN_CARDS_REST_US`.
LOOK_EVERY_US = 4_000


class Pad:
    """The cards on one pad; times are the board's ticks. An event is a verb with its fields, as in the table of verbs.
    `unread` recognizes cards that can't be selected."""

    def __init__(self) -> None:
        self.unread = Unread(minus=ticks_diff)
        self._presence = Presence(minus=ticks_diff)
        self._reads: dict[bytes, int] = {}  # of the tags that were reported

    def known_uids(self) -> list[bytes]:
        """Return the UIDs to look for first."""
        return self._presence.known_uids()

    def resume(self, ticks: int) -> None:
        """Continue after the reader answers again; the cards that were there before count as seen now."""
        self._presence.resume(ticks)

    def look(
        self, ticks: int, uids: "Sequence[bytes]", garbled: bool, unread: "Sequence[bytes]" = ()
    ) -> "Sequence[WireEvent]":
        """Take one look, with the bytes resolved of cards that couldn't be selected; return the events to report."""
        if garbled or self.unread.needs_look:
            self.unread.look(ticks, uids, unread, garbled)
        changes = self._presence.look(ticks, uids, garbled)
        return [self._to_event(change) for change in changes] if changes else ()

    def add_card(self, ticks: int, uid: bytes) -> "Sequence[WireEvent]":
        """Take one card of a look before its end; return the events to report."""
        return [self._to_event(change) for change in self._presence.add_card(ticks, uid)]

    def initial_events(self, ticks: int) -> "list[WireEvent]":
        """Return the events for a Pi that has just connected: the tags that lie there."""
        return [
            _tag_event(uid, ticks, count, True) for uid, reads in self._reads.items() for count in range(1, reads + 1)
        ]

    def _to_event(self, change: "PresenceChange") -> "WireEvent":
        if change.kind != CAME:
            del self._reads[change.uid]
            return "gone", (change.uid.hex(), change.at_us)
        self._reads[change.uid] = change.reads
        return _tag_event(change.uid, change.at_us, change.reads, change.already_there)


def is_first_read(verb: str, values: "tuple[int | str, ...]") -> bool:
    """Return whether this event is the first about its tag: the pad then shows that it is being read."""
    return verb == "tag" and values[2] != "again"


def _tag_event(uid: bytes, ticks: int, reads: int, already_there: bool) -> "WireEvent":
    kind = "again" if reads > 1 else "lying" if already_there else ""
    return "tag", (uid.hex(), ticks, kind)
