"""Upkeep of one reader: decides when its chip is reset, since a receiver that gets nothing any more leaves no other
sign, and recognizes cards that answer and can't be selected. Pure; shared by the Pi's pads and the seat boards."""

from tapshared.presence import ABSENCE_US
from tapshared.ticks import PERIOD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tapshared.rc522_chip import Chip

CHECK_US = 10_000_000  # from one comparison of the registers to the next
CHECKS_WITHOUT_CARD = 12  # in a row without a card read: then the chip is reset, 2 minutes after the last card

_UNREAD_LOOKS = 8  # minimum number of looks, none of them clear, and …
_UNREAD_US = 1_000_000  # … minimum time, until a card of which something could be resolved counts as unreadable, …
_NONSENSE_US = 2_000_000  # … or one of which nothing could
_MOST = 4  # different beginnings of UIDs at a time; more of them are noise


class Upkeep:
    """Decides when to reset a reader. A card that was read proves that the reader receives. `healed` counts the resets
    after which the first look read a card, which the reader hadn't received before."""

    def __init__(self) -> None:
        self.healed = 0
        self._checks_without_card = 0

    def should_reset(self, is_quiet: bool) -> bool:
        """Count a check, which is due every CHECK_US. Returns whether to reset the chip now, which waits until the
        table is quiet."""
        self._checks_without_card += 1
        if self._checks_without_card < CHECKS_WITHOUT_CARD or not is_quiet:
            return False
        self._checks_without_card = 0
        return True

    def reader_counts(self, chip: "Chip", unread: "Unread") -> "tuple[int, int, int, int, str]":
        """Return the values of ``reader``: how often this chip was set up again, how many of its registers were found
        wrong, `healed`, the number of cards that couldn't be selected, and whether one lies there now."""
        again = max(0, chip.starts - 1) % PERIOD
        return (
            again,
            chip.registers.mismatches % PERIOD,
            self.healed,
            unread.count,
            "unread" if unread.is_present else "",
        )

    def record_card(self, is_first: bool) -> None:
        """Count a card that was read; `is_first`: in the first look after such a reset."""
        self._checks_without_card = 0
        self.healed += is_first


class Unread:
    """Recognizes a card on one pad that answers and can't be selected: looks fail in the same way, over some time.
    `count` is the number of such cards since the start, `is_present` whether one lies there now. `needs_look`: call
    `look` with the next look too, even if that finds nothing. `minus` is as for `Presence`."""

    def __init__(self, minus: "Callable[[int, int], int] | None" = None) -> None:
        self.count: int = 0
        self.is_present: bool = False
        self.needs_look = False
        self._minus = minus or (lambda later, earlier: later - earlier)
        self._candidates: dict[bytes, list[int]] = {}  # by the resolved bytes: first time, looks since
        self._clear_us: int | None = None

    def look(self, at_us: int, read: "Sequence[bytes]", unread: "Sequence[bytes]", garbled: bool) -> bool:
        """Take one look: the UIDs that were read, and the bytes resolved of the cards that couldn't be selected.
        Returns whether a card counts as unreadable from now on."""
        if not garbled:
            self._clear(at_us)
            return False
        self.needs_look = True
        self._clear_us = None
        if not unread or len(self._candidates) > _MOST:
            self._candidates.clear()
        for uid in read:  # a card that is read now was only misread before
            for resolved in list(self._candidates):
                if resolved and (uid.startswith(resolved) or (b"\x88" + uid).startswith(resolved)):
                    del self._candidates[resolved]
        is_new = False
        for resolved in set(unread):
            is_new = self._count(at_us, resolved) or is_new
        return is_new

    def _count(self, at_us: int, resolved: bytes) -> bool:
        candidate = self._candidates.setdefault(resolved, [at_us, 0])
        candidate[1] += 1
        if self.is_present or candidate[1] < _UNREAD_LOOKS:
            return False
        self.is_present = self._minus(at_us, candidate[0]) >= (_UNREAD_US if resolved else _NONSENSE_US)
        self.count += self.is_present
        return self.is_present

    def _clear(self, at_us: int) -> None:
        """Take a look in which every answer was understood."""
        self._candidates.clear()
        if self._clear_us is None:
            self._clear_us = at_us
        self.is_present = self.is_present and self._minus(at_us, self._clear_us) < ABSENCE_US
        self.needs_look = self.is_present
