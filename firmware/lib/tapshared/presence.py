"""Decides which cards lie on one pad: turns the results of single looks (`iso14443a.find_cards`) into cards that came
and cards that went. Pure: looks come with their time in µs; on a board, whose ticks wrap, `minus` is `ticks_diff`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ABSENCE_US = 300_000  # of clean time-outs in a row, after which a card is gone; `referee.taps` has it too, for holds
MAX_GARBLED_US = 1_000_000  # while looks are garbled, a card counts as still there this long after it was last read

CAME = "came"
WENT = "went"


class PresenceChange:
    """A card CAME or WENT. `at_us`: its first read, or when it was found to be gone. `already_there`: it was there at
    the first look. `reads`: how often it has been read by now."""

    __slots__ = ("already_there", "at_us", "kind", "reads", "uid")

    def __init__(self, kind: str, uid: bytes, at_us: int, already_there: bool, reads: int) -> None:
        self.kind = kind
        self.uid = uid
        self.at_us = at_us
        self.already_there = already_there
        self.reads = reads


class _Card:
    """A card that was read and is not gone yet. `reported_reads`: its reads at its last report, 0 if never."""

    __slots__ = ("absent_us", "already_there", "came_us", "reads", "reported_reads", "seen_us", "uid")

    def __init__(self, uid: bytes, at_us: int, already_there: bool) -> None:
        self.uid = uid
        self.came_us = at_us
        self.seen_us = at_us
        self.absent_us: int | None = None  # the first of the clean time-outs in a row
        self.already_there = already_there
        self.reads = 0
        self.reported_reads = 0


class Presence:
    """The cards of one pad since the first look. `report_after(uid)` returns after which of its clean reads a card is
    reported. One read is enough for an enrolled card. Any other card needs a second one, since a reader next to another
    can deliver a shifted UID with a right CRC. The Pi knows the enrolled cards and uses (1,) or (2,). A board doesn't
    know them, and reports both reads, with their count."""

    def __init__(
        self,
        report_after: "Callable[[bytes], Sequence[int]] | None" = None,
        minus: "Callable[[int, int], int] | None" = None,
    ) -> None:
        self._report_after = report_after or (lambda _uid: (1, 2))
        self._minus = minus or (lambda later, earlier: later - earlier)
        self._cards: dict[bytes, _Card] = {}
        self._began_us: int | None = None
        self._is_starting = True  # until the first look that isn't garbled, or for MAX_GARBLED_US
        self._added_early: list[bytes] = []  # cards that `add_card` has taken of the look under way

    def known_uids(self) -> list[bytes]:
        """Return the UIDs to look for first, reported or not."""
        return [card.uid for card in self._cards.values()]

    def resume(self, at_us: int) -> None:
        """Continue after an interruption: the cards that were there before count as seen now."""
        for card in self._cards.values():
            card.seen_us = at_us
            card.absent_us = None

    def add_card(self, at_us: int, uid: bytes) -> "Sequence[PresenceChange]":
        """Take one card of a look before its end, which then doesn't count it again."""
        changes: list[PresenceChange] = []
        self._record_read(at_us, uid, changes)
        self._added_early.append(uid)
        return changes

    def look(self, at_us: int, uids: "Sequence[bytes]", garbled: bool) -> "Sequence[PresenceChange]":
        """Take one look: the UIDs that were read cleanly, and whether another answer was not understood."""
        # the most frequent case must cost least
        return self._look(at_us, uids, garbled) if uids or garbled or self._cards or self._is_starting else ()

    def _look(self, at_us: int, uids: "Sequence[bytes]", garbled: bool) -> list[PresenceChange]:
        if self._began_us is None:
            self._began_us = at_us
        if self._minus(at_us, self._began_us) >= MAX_GARBLED_US:
            self._is_starting = False
        changes: list[PresenceChange] = []
        for uid in uids:
            self._record_read(at_us, uid, changes)
        for key, card in list(self._cards.items()):
            if card.seen_us != at_us and self._is_gone(card, at_us, garbled):
                del self._cards[key]
                if card.reported_reads:
                    changes.append(PresenceChange(WENT, card.uid, at_us, card.already_there, card.reads))
        self._is_starting = self._is_starting and garbled
        self._added_early.clear()
        return changes

    def _record_read(self, at_us: int, uid: bytes, changes: list[PresenceChange]) -> None:
        # a phone or bank card (4 bytes, the first 08) makes up a new UID in each field
        key = uid[:1] if len(uid) == 4 and uid[0] == 0x08 else uid
        card = self._cards.setdefault(key, _Card(uid, at_us, self._is_starting))
        card.seen_us = at_us
        card.absent_us = None
        card.reads += uid not in self._added_early
        if any(card.reported_reads < reads <= card.reads for reads in self._report_after(card.uid)):
            card.reported_reads = card.reads
            changes.append(PresenceChange(CAME, card.uid, card.came_us, card.already_there, card.reads))

    def _is_gone(self, card: _Card, at_us: int, garbled: bool) -> bool:
        """Return whether a card that was not read now is gone, by ABSENCE_US or MAX_GARBLED_US."""
        if garbled:
            card.absent_us = None
            return self._minus(at_us, card.seen_us) >= MAX_GARBLED_US
        if card.absent_us is None:
            card.absent_us = at_us
        return self._minus(at_us, card.absent_us) >= ABSENCE_US
