"""The vectors of the wire, which the firmware's tests read too, and what of the table of verbs they cover."""

from __future__ import annotations

import json
from binascii import crc32
from pathlib import Path

import pytest
from tapshared.lights import LAMPS, RING_PATTERNS
from tapshared.lines import Lines
from tapshared.sentences import MAX_SENTENCE_BYTES, Damage, Message, decode, encode
from tapshared.verbs import PI, VERBS

VECTORS = [json.loads(line) for line in Path(__file__).with_name("vectors.jsonl").read_text().splitlines()]
WHOLE = [  # one sentence and nothing else, of our version
    vector
    for vector in VECTORS
    if len(vector["messages"]) == vector["said"].count("\n") == 1
    and not vector["damaged"] + vector["skipped"]
    and "\r" not in vector["said"]
    and vector["messages"][0]["fields"].get("protocol") != 2
]


def said(vector: dict) -> bytes:
    return vector["said"].encode("latin-1")


def messages(vector: dict) -> list[Message]:
    return [Message(row["verb"], row["fields"], row["number"]) for row in vector["messages"]]


def read(vector: dict, size: int) -> tuple[list[Message], int, int]:
    lines = Lines(vector["speaker"])
    found = []
    for begin in range(0, len(said(vector)), size):
        found += lines.feed(said(vector)[begin : begin + size])
    return found, lines.damaged, lines.skipped


def test_what_was_said_is_read_as_the_vectors_say_in_chunks_of_every_size() -> None:
    for vector in VECTORS:
        expected = messages(vector), vector["damaged"], vector["skipped"]
        for size in range(1, len(said(vector)) + 1):
            assert read(vector, size) == expected, (vector, size)


def test_damage_says_what_is_wrong() -> None:
    for vector in VECTORS:
        if "reason" in vector:
            damage = decode(said(vector).rstrip(b"\n"))
            assert isinstance(damage, Damage), vector
            assert damage.reason == vector["reason"], vector


def test_a_message_has_one_sentence() -> None:
    for vector in WHOLE:
        [message] = messages(vector)
        assert encode(message) == said(vector)


def with_check(sentence: bytes) -> bytes:
    return b"%s*%08x\n" % (sentence, crc32(sentence))


PINGS = [
    *map(
        with_check, (b"#1 ping", b"#1073741823 ping", b"#1073741824 ping", b"#0 ping", b"#01 ping", b"# ping", b" ping")
    ),
    *map(with_check, (b"1 ping", b"##1 ping", b">>> #1 ping", b"#1 1 ping", b"#1 ping ping", b"#1 pong", b"#-1 ping")),
    with_check(b"#1 ping").replace(b"1", b"2"),
    with_check(b"#1 ping")[:-1],
    with_check(b"#1 ping")[:-1] + b"\r\n",
    2 * with_check(b"#1 ping"),
    with_check(b"#7 ping").upper(),
]


def test_a_ping_by_itself_is_known_by_its_bytes_and_nothing_else_is() -> None:
    for line in (*PINGS, *map(said, VECTORS)):
        heard = Lines(PI).feed(line)
        is_alone = len(heard) == 1 and heard[0].verb == "ping" and with_check(b"#%d ping" % heard[0].number) == line
        assert Lines(PI).parse_ping(line) == (heard[0].number if is_alone else None), line


def test_the_end_of_a_line_is_no_ping_by_itself() -> None:
    lines = Lines(PI)
    lines.feed(b"#1 ")
    assert lines.parse_ping(with_check(b"#1 ping")) is None


def test_every_verb_and_every_word_has_a_vector() -> None:
    covered = {
        (row["verb"], name, value) for v in VECTORS for row in v["messages"] for name, value in row["fields"].items()
    }
    assert {row["verb"] for v in VECTORS for row in v["messages"]} == set(VERBS)
    for verb, (_, _, fields) in VERBS.items():
        for name, kind in fields:
            words = kind if isinstance(kind, tuple) else ()
            assert {word for word in words if (verb, name, word) not in covered} == set()


def test_every_reason_for_damage_has_a_vector() -> None:
    assert {vector.get("reason") for vector in VECTORS} == {None, "length", "crc", "number", "verb", "fields"}


@pytest.mark.parametrize(
    "message",
    [
        Message("tag", {"uid": "04A2B3C4", "ticks": 5, "how": ""}, 1),
        Message("tag", {"uid": "04a2b3c4", "ticks": 1 << 30, "how": ""}, 1),
        Message("tag", {"uid": "04a2b3c4", "ticks": 5, "how": ""}, 0),
        Message("pong", {"ping": 1, "ticks": 5, "light": 0}, 1),
        Message("light", {"pattern": "disco", "left_ms": 0, "whole_ms": 0, "lamp": "off"}, 1),
    ],
    ids=repr,
)
def test_what_the_table_of_verbs_does_not_allow_is_damage_to_every_receiver(message: Message) -> None:
    assert isinstance(decode(encode(message).rstrip(b"\n")), Damage)


def test_a_field_that_is_missing_is_not_left_out() -> None:
    with pytest.raises(KeyError):
        encode(Message("tag", {"uid": "04a2b3c4", "ticks": 5}, 1))


def test_the_longest_sentence_fits_in_a_line() -> None:
    longest = {"count": (1 << 30) - 1, "ticks": (1 << 30) - 1, "uid": "f" * 20, "name": "n" * 32}
    for verb, (_, numbered, kinds) in VERBS.items():
        fields = {name: max(kind, key=len) if isinstance(kind, tuple) else longest[kind] for name, kind in kinds}
        if verb == "hello":
            fields["protocol"] = 1
        message = Message(verb, fields, (1 << 30) - 1 if numbered else 0)
        assert decode(encode(message).rstrip(b"\n")) == message


def test_no_more_than_a_line_is_kept_of_what_never_ends() -> None:
    lines = Lines("board")
    for _ in range(100):
        assert lines.feed(b"x" * 1000) == []
    assert max(len(value) for value in vars(lines).values() if isinstance(value, bytes)) <= MAX_SENTENCE_BYTES + 2


def test_patterns_and_lamps_are_plain_words() -> None:
    assert all(word.replace("-", "").isalpha() for word in (*RING_PATTERNS, *LAMPS))
