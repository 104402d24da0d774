"""Turns the bytes of the wire, in any chunks, into messages. Counts what is no sentence: damage apart from foreign
text, such as the output of a Python prompt on the same port. Keeps at most one line; knows no port and no time."""

from binascii import crc32

from tapshared.fields import parse_count
from tapshared.sentences import MAX_SENTENCE_BYTES, Damage, Message, decode
from tapshared.verbs import VERBS

LONGEST_PING = len(b"#1073741823 ping*00000000\n")
# The number of bytes of a line that are kept, its last ones: a sentence, a carriage return, and one more byte. By that
# byte a line that was too long is recognized.
_TAIL = MAX_SENTENCE_BYTES + 2


class Lines:
    """Reads the sentences of one side of the wire, the `speaker`: ``PI`` or ``BOARD``. `damaged` counts sentences that
    were corrupted on the wire, `skipped` pieces of other text. Sentences of the other side count as other text too: a
    Python prompt echoes them."""

    def __init__(self, speaker: str) -> None:
        self.damaged = 0
        self.skipped = 0
        self._speaker = speaker
        self._rest = b""

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that `data` completes, in order."""
        lines = (self._rest + data if self._rest else data).split(b"\n")
        self._rest = lines.pop()[-_TAIL:]
        messages = []
        for line in lines:
            message = self._decode_line(line) if line.strip() else None
            if message is not None:
                messages.append(message)
        return messages

    def parse_ping(self, data: bytes) -> int | None:
        """Return the number of the ping if `data` is one whole ping and nothing else. Otherwise return None: then pass
        `data` to `feed`. This is three times as fast as `feed`. Pings are the most frequent sentences, and the time of
        a press is known as exactly as a ping is answered quickly."""
        # 35 is the "#" that begins a sentence. The last ten bytes are "*", eight digits of the CRC, and the line's end.
        words = data.rpartition(b" ping*")
        if not words[1] or self._rest or words[2] != b"%08x\n" % crc32(data[:-10]) or data[0] != 35:
            return None
        return parse_count(words[0][1:]) or None

    def drop_partial(self) -> None:
        """Drop the unfinished line, because the port was closed."""
        self._rest = b""

    def _decode_line(self, line):
        if len(line) > _TAIL:
            line = line[-_TAIL:]
        if line.endswith(b"\r"):
            line = line[:-1]
        # A prompt or a cut sentence may stand before a whole one, which is good all the same.
        begins = line.rfind(b"#")
        message = decode(line[begins:] if begins > 0 else line)
        if isinstance(message, Damage):
            self._count(line)
            return None
        if begins > 0:
            self._count(line[:begins])
        if VERBS[message.verb][0] != self._speaker:
            self.skipped += 1
            return None
        return message

    def _count(self, text):
        has_start = any(part[:1].isdigit() for part in text.split(b"#")[1:])
        has_end = text[-9:-8] == b"*" and all(byte in b"0123456789abcdef" for byte in text[-8:])
        if has_start or has_end:
            self.damaged += 1
        elif text.strip():
            self.skipped += 1
