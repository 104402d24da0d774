"""Codec between messages and sentences of the wire, by the table of verbs. Runs on CPython and on MicroPython; knows no
port, no time and no card."""

from binascii import crc32

from tapshared.fields import PARSERS, parse_count
from tapshared.verbs import PROTOCOL, VERBS

MAX_SENTENCE_BYTES = 160  # bytes of a sentence, without the end of its line

# The table of verbs as formats for `%`, and by the bytes of a verb. Formats are bytes: on a board each new `str` is
# looked up among all names of the program, which takes much longer than to make it.
_ENCODERS = {}
_DECODERS = {}
for _verb, (_, _numbered, _fields) in VERBS.items():
    _names = [_field for _field, _ in _fields]
    _sentence = " ".join(["#%d", _verb] + ["%d" if PARSERS.get(_kind) is parse_count else "%s" for _, _kind in _fields])
    _ENCODERS[_verb] = _sentence.encode(), _names
    _reads = [
        {_word.encode(): _word for _word in _kind}.get if isinstance(_kind, tuple) else PARSERS[_kind]
        for _, _kind in _fields
    ]
    _DECODERS[_verb.encode()] = _verb, _numbered, _names, _reads


class Message:
    """A decoded sentence: its verb, its fields by name, and its number (0 where the verb isn't numbered)."""

    def __init__(self, verb: str, fields: dict[str, int | str], number: int = 0) -> None:
        self.verb = verb
        self.fields = fields
        self.number = number

    def __eq__(self, other: object) -> bool:
        mine = self.verb, self.fields, self.number
        return isinstance(other, Message) and mine == (other.verb, other.fields, other.number)

    def __repr__(self) -> str:
        return f"Message({self.verb!r}, {self.fields!r}, {self.number})"


class Damage:
    """A line that is no sentence: `reason` is ``length``, ``crc``, ``number``, ``verb`` or ``fields``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def encode(message: Message) -> bytes:
    """Return the sentence with the end of its line. A message that the table of verbs doesn't allow is the speaker's
    own mistake, and damage to the other side."""
    fields = message.fields
    values = [message.number]
    for name in _ENCODERS[message.verb][1]:
        values.append(fields[name])
    return encode_values(message.verb, tuple(values))


def encode_values(verb: str, values: "tuple[int | str, ...]") -> bytes:
    """Encode the number and the fields, in the order of the table."""
    data = _ENCODERS[verb][0] % values
    if data[-1] == 32:  # a space: the last field is left out
        data = data[:-1]
    return data + b"*%08x\n" % crc32(data)


try:
    _ = b"%s" % "a"  # MicroPython formats a `str` into bytes as it is
except TypeError:
    _encode_byte_values = encode_values

    def encode_values(verb: str, values: "tuple[int | str, ...]") -> bytes:
        """Encode as on a board."""
        return _encode_byte_values(verb, tuple([v.encode() if isinstance(v, str) else v for v in values]))


# On a board a function with more than eleven variables and values under way has to allocate memory for them, which
# takes longer than most of what these do: so several small ones.


def decode(line: bytes) -> Message | Damage:
    """Return the message of a line without its end, from either side; Damage where it is none."""
    if len(line) > MAX_SENTENCE_BYTES:
        return Damage("length")
    words = line.rpartition(b"*")
    if words[2] != b"%08x" % crc32(words[0]):
        return Damage("crc")
    words = words[0].split(b" ")
    number = parse_count(words[0][1:])
    if number is None or words[0][0] != 35:  # "#", which begins a sentence
        return Damage("number")
    entry = _DECODERS.get(words[1]) if len(words) > 1 else None
    if entry is None:
        return Damage("verb")
    if entry[1] != (number > 0):
        return Damage("number")
    if len(words) == 2 and not entry[2]:
        return Message(entry[0], {}, number)
    if entry[0] == "hello" and len(words) > 2 and parse_count(words[2]) not in (PROTOCOL, None):
        return Message("hello", {"protocol": parse_count(words[2])})  # another version: the rest isn't ours to read
    fields = _read(entry[2], entry[3], words)
    return Damage("fields") if fields is None else Message(entry[0], fields, number)


def _read(names, reads, words):
    # The fields that the words after the verb spell, or None. One that may be left out stands last, so its word is
    # either there or not.
    if len(words) - 2 > len(names) or b"" in words:
        return None
    words.append(b"")
    fields = {}
    place = 0
    while place < len(names):
        value = reads[place](words[place + 2]) if place + 2 < len(words) else None
        if value is None:
            return None
        fields[names[place]] = value
        place += 1
    return fields
