"""Finding cards without a chip: which frames `iso14443a` sends for which answers, as tables."""

from __future__ import annotations

from collections.abc import Callable, Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tapshared.exchange import ANSWERED, COLLIDED, GARBLED, SILENT, Answer, Exchange, air_us, crc_a, frame_us
from tapshared.iso14443a import WAKE_ALL, find_cards
from taptable.sim.air import crc_bytes

ATQA = Answer(ANSWERED, b"\x44\x00")
NOBODY = Answer(SILENT)
HALTED = Answer(ANSWERED)
NOISE = Answer(GARBLED)
SAK_GOES_ON = Answer(ANSWERED, b"\x04\xda\x17")
SAK_COMPLETE = Answer(ANSWERED, b"\x00\xfe\x51")


def heard(text: str) -> Answer:
    return Answer(ANSWERED, bytes.fromhex(text))


def collided(text: str, bit: int) -> Answer:
    return Answer(COLLIDED, bytes.fromhex(text), 0, bit)


SEVEN = bytes.fromhex("04a2b3c4d5e680")
FOUR = bytes.fromhex("5e21c0a7")
SELECT_1 = "93708804a2b39d" + crc_bytes(bytes.fromhex("93708804a2b39d")).hex()
SELECT_2 = "9570c4d5e68077" + crc_bytes(bytes.fromhex("9570c4d5e68077")).hex()
SELECT_4 = "93705e21c0a718" + crc_bytes(bytes.fromhex("93705e21c0a718")).hex()
SELECT_88 = "957088d5e6803b" + crc_bytes(bytes.fromhex("957088d5e6803b")).hex()
HALT = "500057cd"
TWICE_SILENT = [("52/7", NOBODY), ("52/7", NOBODY)]
"""A card that could not be read is called once more, and then once more, since it may have slept through the first
call."""

# The known cards, then frames in hex (with the bits of the last byte and the alignment of the answer) and what is
# answered; then what is found, and whether something was garbled.
TRANSCRIPTS: dict[str, tuple[list[bytes], list[tuple[str, Answer]], list[bytes], bool]] = {
    "nobody": ([], [("52/7", NOBODY)], [], False),
    "nobody of those known": ([SEVEN, FOUR], [("52/7", NOBODY)], [], False),
    "four bytes": (
        [],
        [
            ("52/7", ATQA),
            ("9320", heard("5e21c0a718")),
            (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdd")),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [FOUR],
        False,
    ),
    "seven bytes": (
        [],
        [
            ("52/7", ATQA),
            ("9320", heard("8804a2b39d")),
            (SELECT_1, SAK_GOES_ON),
            ("9520", heard("c4d5e68077")),
            (SELECT_2, SAK_COMPLETE),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [SEVEN],
        False,
    ),
    "seven bytes, known": (
        [SEVEN],
        [("52/7", ATQA), (SELECT_1, SAK_GOES_ON), (SELECT_2, SAK_COMPLETE), (HALT, HALTED), ("26/7", NOBODY)],
        [SEVEN],
        False,
    ),
    "a collision in the middle of a byte goes on with its first bits": (
        [],
        [
            ("52/7", ATQA),
            ("9320", collided("5e01000000", 13)),
            ("93365e21/6/6", heard("00c0a718")),
            (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdd")),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [FOUR],
        False,
    ),
    "a second collision, and one at a byte's end": (
        [],
        [
            ("52/7", ATQA),
            ("9320", collided("1e00000000", 6)),
            ("93275e/7/7", collided("0021c02700", 31)),
            (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdd")),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [FOUR],
        False,
    ),
    "ATQAs that collide are an answer": (
        [],
        [("52/7", collided("4400", 6)), ("9320", NOBODY), *TWICE_SILENT],
        [],
        True,
    ),
    "a wrong check byte": (
        [],
        [("52/7", ATQA), ("9320", heard("5e21c0a719")), ("93605e21c0a7", heard("19")), *TWICE_SILENT],
        [],
        True,
    ),
    "a byte too few": ([], [("52/7", ATQA), ("9320", heard("5e21c0a7")), *TWICE_SILENT], [], True),
    "a bit too few": (
        [],
        [("52/7", ATQA), ("9320", Answer(ANSWERED, bytes.fromhex("5e21c0a718"), 7)), *TWICE_SILENT],
        [],
        True,
    ),
    "a SAK with a wrong CRC": (
        [],
        [("52/7", ATQA), ("9320", heard("5e21c0a718")), (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdc")), *TWICE_SILENT],
        [],
        True,
    ),
    "a SAK without its CRC": (
        [],
        [("52/7", ATQA), ("9320", heard("5e21c0a718")), (SELECT_4, Answer(ANSWERED, b"\x08")), *TWICE_SILENT],
        [],
        True,
    ),
    "a SAK that goes on where the UID ends": (
        [],
        [("52/7", ATQA), ("9320", heard("5e21c0a718")), (SELECT_4, SAK_GOES_ON), *TWICE_SILENT],
        [],
        True,
    ),
    "four bytes that begin like a UID of seven": (
        [],
        [("52/7", ATQA), ("9320", heard("8804a2b39d")), (SELECT_1, SAK_COMPLETE), (HALT, HALTED), ("26/7", NOBODY)],
        [bytes.fromhex("8804a2b3")],
        False,
    ),
    "seven bytes with 88 in the middle": (
        [],
        [
            ("52/7", ATQA),
            ("9320", heard("8804a2b39d")),
            (SELECT_1, SAK_GOES_ON),
            ("9520", heard("88d5e6803b")),
            (SELECT_88, SAK_COMPLETE),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [bytes.fromhex("04a2b388d5e680")],
        False,
    ),
    "a known card whose SAK says another length": (
        [FOUR],
        [("52/7", ATQA), (SELECT_4, SAK_GOES_ON), ("52/7", NOBODY)],
        [],
        True,
    ),
    "a collision before the bits that were sent": (
        [],
        [
            ("52/7", ATQA),
            ("9320", collided("5e01000000", 13)),
            ("93365e21/6/6", collided("00000000", 3)),
            *TWICE_SILENT,
        ],
        [],
        True,
    ),
    "a collision in the check byte": (
        [],
        [
            ("52/7", ATQA),
            ("9320", collided("5e21c0a700", 35)),
            (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdd")),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [FOUR],
        False,
    ),
    "a collision beyond what was heard": ([], [("52/7", ATQA), ("9320", collided("5e", 13)), *TWICE_SILENT], [], True),
    "noise instead of a UID": ([], [("52/7", ATQA), ("9320", NOISE), *TWICE_SILENT], [], True),
    "noise instead of an ATQA, then a card": (
        [],
        [
            ("52/7", NOISE),
            ("9320", heard("5e21c0a718")),
            (SELECT_4, Answer(ANSWERED, b"\x08\xb6\xdd")),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [FOUR],
        False,
    ),
    "one known card is gone, the other is there": (
        [FOUR, SEVEN],
        [
            ("52/7", ATQA),
            (SELECT_4, NOBODY),
            ("52/7", ATQA),
            (SELECT_1, SAK_GOES_ON),
            (SELECT_2, SAK_COMPLETE),
            (HALT, HALTED),
            ("26/7", NOBODY),
        ],
        [SEVEN],
        False,
    ),
    "a known card can't be read, and is asked again among all": (
        [FOUR],
        [("52/7", ATQA), (SELECT_4, NOISE), ("52/7", NOBODY)],
        [],
        True,
    ),
    "a UID of ten bytes is none of ours": (
        [],
        [
            ("52/7", ATQA),
            ("9320", heard("8804a2b39d")),
            (SELECT_1, SAK_GOES_ON),
            ("9520", heard("88010203" + "88")),
            ("95708801020388" + crc_bytes(bytes.fromhex("95708801020388")).hex(), SAK_GOES_ON),
            *TWICE_SILENT,
        ],
        [],
        True,
    ),
}


def spelt(exchange: Exchange) -> str:
    """A frame as the table above has it."""
    text = exchange.frame.hex()
    if exchange.last_bits:
        text += f"/{exchange.last_bits}"
    if exchange.rx_align:
        text += f"/{exchange.rx_align}"
    return text


def drive(
    search: Generator[Exchange, Answer, tuple[list[bytes], bool]], exchange: Callable[[Exchange], Answer]
) -> tuple[list[bytes], bool]:
    """Run a search to its end."""
    try:
        step = next(search)
        while True:
            step = search.send(exchange(step))
    except StopIteration as end:
        return end.value


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_frames_follow_from_answers(name: str) -> None:
    known, transcript, found, garbled = TRANSCRIPTS[name]
    left = list(transcript)

    def exchange(step: Exchange) -> Answer:
        assert left, f"one frame too many: {spelt(step)}"
        frame, answer = left.pop(0)
        assert spelt(step) == frame
        return answer

    assert drive(find_cards(known), exchange) == (found, garbled)
    assert left == []


@pytest.mark.parametrize("known", [(), (SEVEN,), (SEVEN, FOUR)])
def test_a_search_begins_by_waking_all_and_is_over_if_nobody_answers(known: tuple[bytes, ...]) -> None:
    heard_of: list[Exchange] = []

    def nobody(exchange: Exchange) -> Answer:
        heard_of.append(exchange)
        return NOBODY

    assert drive(find_cards(known), nobody) == ([], False)
    assert heard_of == [WAKE_ALL]


@given(st.binary(max_size=20))
def test_check_bytes_are_those_of_the_shift_register(data: bytes) -> None:
    assert crc_a(data) == crc_bytes(data)


@pytest.mark.parametrize(
    ("exchange", "sent", "whole"),
    [
        (Exchange(b"\x52", 16, 7), 85, 452),
        (Exchange(b"\x93\x20", 40), 189, 811),
        (Exchange(bytes(9), 24), 784, 1236),
        (Exchange(bytes(4), 0), 359, 446),
        (Exchange(b"\x93\x36\x5e\x21", 26, 6, 6), 331, 813),
    ],
)
def test_air_times_follow_from_the_bits(exchange: Exchange, sent: int, whole: int) -> None:
    assert frame_us(exchange) == sent
    assert air_us(exchange) == pytest.approx(whole, abs=2)
