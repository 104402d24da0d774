"""Turns the bytes that arrive on the wire, in any chunks, into messages (`sentences.decode`). A line that is no message
is counted, either as a damaged sentence or as other text, such as the output of a Python prompt on the same port. Holds
at most one unfinished line. Both sides of the wire use it. Must not know a port or the time, nor what a message
means."""

from binascii import crc32

from tapshared.fields import parse_count
from tapshared.sentences import MAX_SENTENCE_BYTES, Damage, Message, decode
from tapshared.verbs import VERBS

LONGEST_PING = len(b"#1073741823 ping*00000000\n")  # bytes of the longest ping, whose number is 2**30 - 1
# Of an unfinished line, only the last _TAIL bytes are kept: enough for the longest sentence, a carriage return, and one
# more byte, by which a line that is too long is still recognized.
_TAIL = MAX_SENTENCE_BYTES + 2


class Lines:
    """The reader of what one side of the wire sends, the `speaker`: ``PI`` or ``BOARD``. `damaged` counts sentences
    that were damaged on the wire, and `skipped` pieces of other text. A sentence that only the other side sends counts
    as other text: a Python prompt has echoed it."""

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
        """Return the number of the ping if `data` is one whole ping and nothing else. Otherwise return None; the caller
        then passes `data` to `feed`. For a ping this takes a third of the time of `feed`. That counts because pings are
        the most frequent sentences, and the sooner a board answers one, the more exactly the Pi knows its clock."""
        # A ping is "#", the number, " ping*", eight digits of the CRC, and the line's end. The CRC is that of all bytes
        # before the "*", which is the tenth from the end. 35 is the byte "#".
        words = data.rpartition(b" ping*")
        if not words[1] or self._rest or words[2] != b"%08x\n" % crc32(data[:-10]) or data[0] != 35:
            return None
        return parse_count(words[0][1:]) or None

    def drop_partial(self) -> None:
        """Drop the unfinished line, because the port was closed."""
        self._rest = b""

    def _decode_line(self, line: bytes) -> "Message | None":
        """Return the message in a line, None if it has none of the speaker's; count everything else in it."""
        if len(line) > _TAIL:
            line = line[-_TAIL:]
        if line.endswith(b"\r"):
            line = line[:-1]
        # A prompt, or a sentence that was cut off, may stand before a whole sentence on the same line. The whole one is
        # decoded, and what stands before it is counted.
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

    def _count(self, text: bytes) -> None:
        """Count text that is no message: as damaged if it begins or ends like a sentence, else as skipped."""
        has_start = any(part[:1].isdigit() for part in text.split(b"#")[1:])
        has_end = text[-9:-8] == b"*" and all(byte in b"0123456789abcdef" for byte in text[-8:])
        if has_start or has_end:
            self.damaged += 1
        elif text.strip():
            self.skipped += 1
