"""Finds ISO 14443-A cards: frames out, answers in. A search is a generator that yields an `Exchange` and is sent the
`Answer`; `rc522_chip` runs it, on a seat board without waiting and on the Pi with a sleep. Must not know a chip or a
bus."""

from tapshared.anticollision import select_known, select_one
from tapshared.exchange import ANSWERED, SILENT, Answer, Exchange, crc_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    SearchResult = tuple[list[bytes], bool]
    OnCard = Callable[[bytes], None] | None
    OnUnread = Callable[[bytes], None] | None


# The two bytes that cards answer aren't needed, and several cards may collide in them.
WAKE_ALL = Exchange(b"\x52", 16, 7)  # WUPA
_WAKE_IDLE = Exchange(b"\x26", 16, 7)  # REQA: wakes no card that was halted
_HALT = Exchange(b"\x50\x00" + crc_a(b"\x50\x00"), 0)
_CHOICES = (0, -1, 1, 2)  # for each try to read a card in one look: of three cards every one is chosen


def find_cards(
    known: "Sequence[bytes]" = (), on_card: "OnCard" = None, on_unread: "OnUnread" = None, most: int = 3
) -> "Generator[Exchange, Answer, SearchResult]":
    """Look at a pad once. Returns up to `most` UIDs of 4 or 7 bytes, each selected with a right SAK and then halted,
    and whether any answer led to none. `known` are cards that lay there before: each is selected by its UID, which
    works even where a stronger card drowns it; then REQA, which they ignore, finds the others, and `on_card` is called
    with each of these at once. A card that is there, halted and not in `known` is only sure to be found after the field
    has been off. The first frame is WAKE_ALL; if it meets silence, the pad is empty.

    A card that answers and can't be selected hides no other: each further try takes another branch where cards differ,
    and meets the others alone where that card has fallen back to idle. `on_unread` gets the bytes that were resolved of
    it."""
    found: list[bytes] = []
    garbled = False
    for uid in known:
        if (yield WAKE_ALL).status == SILENT:
            return found, garbled
        status = yield from select_known(uid)
        if status == ANSWERED:
            found.append(uid)
            yield _HALT
        elif status != SILENT:
            garbled = True
    tries = silences = 0
    while len(found) < most and tries < len(_CHOICES):
        if (yield _WAKE_IDLE if found else WAKE_ALL).status == SILENT:
            silences += 1
            if silences > 1 or not tries:
                break
            continue  # a card that was left ready sleeps through one call, and answers the next
        uid, resolved = yield from select_one(_CHOICES[tries])
        if uid in found:
            return found, True
        if uid:
            found.append(uid)
            if on_card:
                on_card(uid)
            yield _HALT
        else:
            tries += 1
            if on_unread:
                on_unread(resolved)
    return found, garbled or tries > 0
