"""Models of cards of type A as ISO 14443-3 describes them: IDLE, READY, ACTIVE, HALT, anticollision bit by bit, three
cascade levels; and of cards that break its rules. They receive frames and answer with bits; they know no reader. Runs
in MicroPython too."""

from taptable.sim.air import Burst, crc_bytes, to_bits, us_to_periods

IDLE = "idle"
READY = "ready"
ACTIVE = "active"
HALT = "halt"

_REQA = 0x26
_WUPA = 0x52
_CASCADE_TAG = 0x88
_LEVELS = (0x93, 0x95, 0x97)
_INCOMPLETE_SAK = 0x04

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class NfcCard:
    """One card. Of several answers, a reader receives those with the highest `strength`, and collisions among equals.
    The card receives nothing until it has been in a field for `wake_up_us`. A reader with a gain below `min_gain_db`
    receives nothing from it."""

    def __init__(
        self, uid: bytes, atqa: bytes, sak: int, strength: int = 1, wake_up_us: int = 1000, min_gain_db: int = 18
    ) -> None:
        self.uid = uid
        self.strength = strength
        self.min_gain_db = min_gain_db
        self.wake_periods = us_to_periods(wake_up_us)
        self.state = IDLE
        self._atqa = atqa
        self._sak = sak
        self._level = 0
        self._was_halted = False  # goes back to HALT and not to IDLE: the states with a star in ISO 14443-3
        self._hears_from = 0

    def get_power(self, now: int) -> None:
        """Handle a field that went on, or that the card entered, at `now` (carrier periods)."""
        self._hears_from = now + self.wake_periods

    def lose_power(self) -> None:
        """Handle the loss of the field: it went off, or the card left it."""
        self.state = IDLE
        self._was_halted = False

    def is_awake(self, now: int) -> bool:
        """Return whether the card would receive a frame that begins now."""
        return now >= self._hears_from

    def pause(self, until: int) -> None:
        """Ignore frames that begin before `until`, too soon after a frame and its answer."""
        self._hears_from = max(self._hears_from, until)

    def hear(self, frame: bytes, bits: int, began_at: int, garbled: bool) -> "Burst | None":
        """Receive a frame of `bits` bits that began at `began_at`; return the answer, if there is one."""
        if garbled or not self.is_awake(began_at):
            return self._mishear()
        if bits == 7:
            return self._answer_wake_up(frame[0])
        if self.state == READY:
            return self._answer_ready(frame, bits)
        if self.state == ACTIVE and bits == 32 and frame[:2] == b"\x50\x00" and _has_valid_crc(frame):
            self.state = HALT
            return None
        return self._mishear()

    def _mishear(self) -> None:
        """Handle a garbled frame, or one that means nothing in this state: a selection under way ends, and there is no
        answer."""
        if self.state in (READY, ACTIVE):
            self.state = HALT if self._was_halted else IDLE

    def _answer_wake_up(self, command: int) -> "Burst | None":
        """Answer REQA or WUPA."""
        if (self.state == IDLE and command in (_REQA, _WUPA)) or (self.state == HALT and command == _WUPA):
            self._was_halted = self.state == HALT
            self.state = READY
            self._level = 0
            return Burst(to_bits(self._atqa, 16))
        return self._mishear()

    def _answer_ready(self, frame: bytes, bits: int) -> "Burst | None":
        """Handle a frame of anticollision or SELECT, for this level and this UID or not."""
        if bits < 16 or frame[0] != _LEVELS[self._level]:
            return self._mishear()
        part, complete = self._part()
        if frame[1] == 0x70:
            if bits == 72 and frame[2:7] == part and _has_valid_crc(frame):
                return self._answer_select(complete)
            return self._mishear()
        known = 8 * ((frame[1] >> 4) - 2) + (frame[1] & 7)
        if known != bits - 16 or to_bits(frame[2:], known) != to_bits(part, known):
            return self._mishear()
        return Burst(to_bits(part, 40)[known:], known & 7)

    def _answer_select(self, complete: bool) -> Burst:
        """Answer a SELECT of this card."""
        sak = self._sak if complete else _INCOMPLETE_SAK
        if complete:
            self.state = ACTIVE
        else:
            self._level += 1
        answer = bytes((sak,)) + crc_bytes((sak,))
        return Burst(to_bits(answer, 24))

    def _part(self) -> tuple[bytes, bool]:
        """Return the five bytes of this cascade level, and whether they end the UID."""
        start = 3 * self._level
        complete = len(self.uid) == start + 4
        part = self.uid[start:] if complete else bytes((_CASCADE_TAG,)) + self.uid[start : start + 3]
        return part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)), complete


def ntag213(uid: bytes, strength: int = 1) -> NfcCard:
    """Make an NTAG213 sticker, with a UID of 7 bytes."""
    return NfcCard(uid, b"\x44\x00", 0x00, strength)


def mifare_classic(uid: bytes, strength: int = 1) -> NfcCard:
    """Make a MIFARE Classic 1K, with a UID of 4 bytes."""
    return NfcCard(uid, b"\x04\x00", 0x08, strength)


class Phone(NfcCard):
    """A phone or bank card. Its UID is 08 and three bytes that `three_bytes` draws again each time it gets power."""

    def __init__(self, three_bytes: "Callable[[], bytes]") -> None:
        self._three_bytes = three_bytes
        NfcCard.__init__(self, b"\x08" + three_bytes(), b"\x04\x00", 0x20)

    def lose_power(self) -> None:
        """Handle the loss of the field; the next UID differs."""
        NfcCard.lose_power(self)
        self.uid = b"\x08" + self._three_bytes()


class Unselectable(NfcCard):
    """A card that answers and can't be selected because of its `fault`: ``bcc``, its check byte is wrong; ``crc``, that
    of its SAK is; ``nonsense``, all its answers are bits that are no frame. One with a UID of 10 bytes needs no
    fault."""

    def __init__(self, uid: bytes, fault: str, strength: int = 1) -> None:
        NfcCard.__init__(self, uid, b"\x44\x00", 0x00, strength)
        self._fault = fault

    def hear(self, frame: bytes, bits: int, began_at: int, garbled: bool) -> "Burst | None":
        """Answer like any card, or with nonsense."""
        answer = NfcCard.hear(self, frame, bits, began_at, garbled)
        if self._fault != "nonsense" or answer is None:
            return answer
        nonsense = Burst([1, 0, 0, 1, 1, 0, 1])
        nonsense.malformed = True
        return nonsense

    def _answer_select(self, complete: bool) -> Burst:
        answer = NfcCard._answer_select(self, complete)
        if self._fault == "crc":
            answer.bits[-1] = 1 - answer.bits[-1]
            answer = Burst(answer.bits)
        return answer

    def _part(self) -> tuple[bytes, bool]:
        part, complete = NfcCard._part(self)
        return (part[:4] + bytes((part[4] ^ 0x55,)) if self._fault == "bcc" else part), complete


def shift_uid(uid: bytes) -> bytes:
    """Return a UID as a reader may receive it through its neighbour's field: one bit late, with check bytes that are
    right for it."""
    number = int.from_bytes(uid, "little") << 1
    late = bytearray((number & ((1 << 8 * len(uid)) - 1)).to_bytes(len(uid), "little"))
    for place in (0, 3) if len(uid) == 7 else (0,):
        if late[place] == _CASCADE_TAG:
            late[place] ^= 0x01
    return bytes(late)


def _has_valid_crc(frame: bytes) -> bool:
    return crc_bytes(frame[:-2]) == frame[-2:]
