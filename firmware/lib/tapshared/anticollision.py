"""Selects one ISO 14443-A card out of those that are ready, for `iso14443a`: anticollision bit by bit, then SELECT with
its check bytes, on both cascade levels. Whether a UID continues on the next level is decided by the card's SAK alone,
not by its bytes. The functions are generators that yield an `Exchange` and are sent the `Answer`. Must not know a
chip."""

from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENT, Answer, Exchange, crc_a

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

_SELECT = (0x93, 0x95)  # cascade levels 1 and 2
_CASCADE_TAG = 0x88  # before the first three bytes of a UID that continues
_CASCADE_BIT = 0x04  # in a SAK: the UID continues on the next level
_UID_BITS = 32  # of one level, before its check byte


def select_known(uid: bytes) -> "Generator[Exchange, Answer, int]":
    """Select a card by its whole UID, without anticollision; ANSWERED if it is there."""
    parts = (uid,) if len(uid) == 4 else (bytes((_CASCADE_TAG,)) + uid[:3], uid[3:])
    for level, part in enumerate(parts):
        status, goes_on = yield from _select(_SELECT[level], part)
        if status == ANSWERED and goes_on != (level + 1 < len(parts)):
            return GARBLED
        if status != ANSWERED:
            return status
    return ANSWERED


def select_one(choice: int = 0) -> "Generator[Exchange, Answer, tuple[bytes, bytes]]":
    """Select one of the cards that are ready. Returns its UID, empty if it couldn't be read, and then the bytes that
    were resolved of it. Where cards differ for the nth time on a level, it continues with those that have a 1 there if
    bit n of `choice` is 0."""
    uid = part = b""
    for code in _SELECT:
        part = yield from _resolve(code, choice)
        if len(part) != 4:
            break
        status, goes_on = yield from _select(code, part)
        if status != ANSWERED or (goes_on and part[0] != _CASCADE_TAG):
            break
        if not goes_on:
            return uid + part, b""
        uid = part[1:]
    return b"", uid + part  # also where the UID has a third level: none of 10 bytes belongs to a card here


def _resolve(code: int, choice: int) -> "Generator[Exchange, Answer, bytes]":
    """Do anticollision on one level: return the four bytes of one card, five if its check byte is wrong, none if no
    card could be understood."""
    uid = bytearray(5)
    count = 0  # bits of uid known so far
    while count < _UID_BITS:
        whole, rest = count >> 3, count & 7
        frame = bytes((code, 0x20 + (whole << 4) + rest)) + bytes(uid[: whole + (1 if rest else 0)])
        answer = yield Exchange(frame, 40 - count, rest, rest)
        if answer.status == ANSWERED:
            if answer.last_bits or len(answer.data) != 5 - whole:
                return b""
            _merge(uid, count, answer.data, 40)
            if _check_byte(uid) == uid[4]:
                return bytes(uid[:4])
            # all others fall back to idle, and answer the next call without it
            yield Exchange(bytes((code, 0x60)) + bytes(uid[:4]), 8)
            return bytes(uid)
        fork = 8 * whole + answer.collision
        if answer.status != COLLIDED or fork < count or len(answer.data) <= answer.collision >> 3:
            return b""
        if fork >= _UID_BITS:  # one of them has a wrong check byte, and the other is selected by the right one
            _merge(uid, count, answer.data, _UID_BITS)
            break
        _merge(uid, count, answer.data, fork)
        uid[fork >> 3] |= (~choice & 1) << (fork & 7)
        choice >>= 1
        count = fork + 1
    return bytes(uid[:4])


def _merge(uid: bytearray, count: int, data: bytes, end: int) -> None:
    """Put the bits of an answer, from bit `count` up to before bit `end`, into the UID."""
    offset = count >> 3
    if not count & 7 and end == 40:  # as almost always: whole bytes
        uid[offset:] = data
        return
    for bit in range(count, end):
        mask = 1 << (bit & 7)
        if data[(bit >> 3) - offset] & mask:
            uid[bit >> 3] |= mask


def _select(code: int, part: bytes) -> "Generator[Exchange, Answer, tuple[int, bool]]":
    """SELECT the four bytes of one level. Returns its status, and whether the card's SAK, checked by its CRC, says that
    the UID continues."""
    frame = bytes((code, 0x70)) + part + bytes((_check_byte(part),))
    answer = yield Exchange(frame + crc_a(frame), 24)
    if answer.status == COLLIDED and answer.collision >= 8 and answer.data[0] & _CASCADE_BIT:
        return ANSWERED, True  # one of them has a wrong CRC, and the next level tells them apart
    if answer.status != ANSWERED:
        return (SILENT if answer.status == SILENT else GARBLED), False
    if answer.last_bits or len(answer.data) != 3 or crc_a(answer.data[:1]) != answer.data[1:]:
        return GARBLED, False
    return ANSWERED, bool(answer.data[0] & _CASCADE_BIT)


def _check_byte(part: "bytes | bytearray") -> int:
    """Return the check byte (BCC) of the four bytes of one level."""
    return part[0] ^ part[1] ^ part[2] ^ part[3]
