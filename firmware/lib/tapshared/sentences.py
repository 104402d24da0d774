"""How a message becomes a sentence of the wire and a sentence a message, both by the table of verbs. Runs on CPython
and on MicroPython; knows no port, no time and no card."""

from binascii import crc32

from tapshared.ticks import PERIOD
from tapshared.verbs import COUNT, NAME, PROTOCOL, TICKS, UID, VERBS

LONGEST = 160  # bytes of a sentence, without the end of its line

# `strip` leaves nothing of what consists of these alone, and is many times as fast on a board as a loop.
_DIGITS = "0123456789"
_HEX_DIGITS = "0123456789abcdef"
_PRINTABLE = bytes(range(32, 127))
_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"


class Message:
    """A decoded sentence: its verb, its fields by name, and its number (0 where the verb isn't numbered)."""

    def __init__(self, verb: str, fields: dict[str, int | str], number: int = 0) -> None:
        self.verb = verb
        self.fields = fields
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and _parts(self) == _parts(other)

    def __repr__(self) -> str:
        return f"Message({self.verb!r}, {self.fields!r}, {self.number})"


class Damage:
    """A line that is no sentence: `reason` is ``length``, ``crc``, ``number``, ``verb`` or ``fields``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def encode(message: Message) -> bytes:
    """The sentence with the end of its line. ValueError for what the table of verbs doesn't allow: the speaker's own
    mistake.
    """
    _, numbered, kinds = VERBS[message.verb]
    if numbered != (message.number > 0) or len(message.fields) != len(kinds):
        raise ValueError(f"not a message of the wire: {message!r}")
    said = f"#{message.number} {message.verb}"
    for name, kind in kinds:
        value = message.fields[name]
        if _read(kind, str(value)) != value:
            raise ValueError(f"{value!r} is no {name} of {message.verb}")
        if value != "":
            said += f" {value}"
    return f"{said}*{_check(said.encode())}\n".encode()


def decode(line: bytes) -> Message | Damage:
    """The message of a line without its end, whoever said it; Damage where it is none."""
    if len(line) > LONGEST:
        return Damage("length")
    said, _, check = line.rpartition(b"*")
    if check != _check(said).encode():
        return Damage("crc")
    if said.strip(_PRINTABLE):
        return Damage("fields")
    words = said.decode().split(" ")
    number = _read(COUNT, words[0][1:])
    if words[0][:1] != "#" or number is None:
        return Damage("number")
    if len(words) < 2 or words[1] not in VERBS:
        return Damage("verb")
    _, numbered, kinds = VERBS[words[1]]
    if numbered != (number > 0):
        return Damage("number")
    if words[1] == "hello" and len(words) > 2 and words[2] != str(PROTOCOL) and _read(COUNT, words[2]) is not None:
        return Message("hello", {"protocol": int(words[2])})  # another version: the rest isn't ours to read
    fields = _fields(kinds, words[2:])
    return Damage("fields") if fields is None else Message(words[1], fields, number)


def _fields(kinds, words):
    # The fields that the words spell, or None. A field that may be left out stands last, so its word is either there
    # or not.
    if len(words) > len(kinds) or "" in words:
        return None
    fields = {}
    for place, (name, kind) in enumerate(kinds):
        value = _read(kind, words[place] if place < len(words) else "")
        if value is None:
            return None
        fields[name] = value
    return fields


def _read(kind, text):
    # The value `text` spells in a field of this kind, or None where it spells none. Each value has one spelling.
    if kind in (COUNT, TICKS):
        plain = 0 < len(text) <= 10 and not text.strip(_DIGITS)
        return int(text) if plain and str(int(text)) == text and int(text) < PERIOD else None
    if kind == UID:
        return text if len(text) in (8, 14, 20) and not text.strip(_HEX_DIGITS) else None
    if kind == NAME:
        return text if 0 < len(text) <= 32 and not text.strip(_NAME_CHARACTERS) else None
    return text if text in kind else None


def _check(said):
    return f"{crc32(said) & 0xFFFFFFFF:08x}"


def _parts(message):
    return message.verb, message.fields, message.number
