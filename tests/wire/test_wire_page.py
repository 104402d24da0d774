"""The page of the wire says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tapshared import conversation, outbox
from tapshared.lights import RING_MOST_MA, RING_PATTERNS
from tapshared.sentences import MAX_SENTENCE_BYTES, Message, decode
from tapshared.verbs import BOARD, PI, VERBS
from taptable.drivers.board import clock, lights, link, port

PAGE = (Path(__file__).parents[2] / "docs" / "wire.md").read_text()
EXAMPLES = re.findall(r"^([<>]) (#.*)$", PAGE, re.MULTILINE)
SPEAKERS = {">": PI, "<": BOARD}


def fields_cell(fields: tuple) -> str:
    return ", ".join(f"`{name}` {spelled(kind)}" for name, kind in fields)


def spelled(kind: str | tuple[str, ...]) -> str:
    return kind if isinstance(kind, str) else " ".join(word or "–" for word in kind)


def test_every_verb_stands_in_the_table_with_its_fields() -> None:
    verbs = PAGE.partition("## Verbs")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:5]] for row in verbs.splitlines() if row.startswith("| `")]
    assert rows == [
        [f"`{verb}`", "Pi" if speaker == PI else "board", "from 1" if numbered else "0", fields_cell(fields)]
        for verb, (speaker, numbered, fields) in VERBS.items()
    ]


def test_every_type_is_explained() -> None:
    used = {kind if isinstance(kind, str) else "words" for _, _, fields in VERBS.values() for _, kind in fields}
    assert {kind for kind in used if f"| {kind} | " in PAGE} == used


@pytest.mark.parametrize(("arrow", "line"), EXAMPLES, ids=[line for _, line in EXAMPLES])
def test_every_example_is_a_sentence_of_its_speaker(arrow: str, line: str) -> None:
    message = decode(line.encode())
    assert isinstance(message, Message)
    assert VERBS[message.verb][0] == SPEAKERS[arrow]


def test_the_first_example_is_a_sentence() -> None:
    [line] = re.findall(r"^    (#.*)$", PAGE, re.MULTILINE)
    assert isinstance(decode(line.encode()), Message)


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("A board keeps {} events, of which the {} oldest", (outbox.CAPACITY, outbox.MAX_IN_FLIGHT)),
        ("after {} ms, 200 ms, 400 ms … up to every {} s", (outbox.FIRST_RETRY_US // 1000, outbox.MAX_RETRY_US / 1e6)),
        ("*boot* × {}00 000 + 1", (conversation.EVENTS_A_BOOT // 100_000,)),
        ("A started board sends `hello` every {} ms", (conversation.HELLO_EVERY_US // 1000,)),
        ("asks `hello?` every {} ms", (link.ASK_EVERY_US // 1000,)),
        ("If a board sends nothing for {} s it is missing", (link.SILENCE_TIMEOUT_US / 1e6,)),
        ("at once and four more times, {} ms apart", (conversation.URGENT_HEALTH_EVERY_US // 1000,)),
        ("Otherwise `health` comes every {} s", (conversation.HEALTH_EVERY_US // 1_000_000,)),
        ("after {} ms, then after 200, 400 and so on up to 1 s", (lights.FIRST_LIGHT_RETRY_US // 1000,)),
        ("by at most {} ppm", (clock.DRIFT_PPM,)),
        ("more than {} minutes old", (outbox.OLD_US // 60_000_000,)),
        ("of more than {} characters", (MAX_SENTENCE_BYTES,)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_numbers_on_the_page_are_those_of_the_code(sentence: str, values: tuple[float, ...]) -> None:
    assert sentence.format(*values) in " ".join(PAGE.split())


def test_what_the_page_says_in_words_is_so_in_the_code() -> None:
    assert conversation.URGENT_HEALTH_COUNT == 4
    assert link.PING_EVERY_US == lights.MAX_LIGHT_RETRY_US == port.RETRY_S * 1_000_000 == 1_000_000
    assert [name for name, pattern in RING_PATTERNS.items() if pattern.is_timed] == ["holding", "window", "claim"]


def test_every_pattern_of_a_ring_is_on_the_page_as_it_is_drawn() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]+ \| (#\w+) \| (\w+) \| (\w+) \| (\S+)(?: ms)? \|$", PAGE, re.MULTILINE)
    drawn = [
        (name, f"#{bytes(pattern.colour).hex()}", pattern.pixels, pattern.movement, str(pattern.period_ms or "–"))
        for name, pattern in RING_PATTERNS.items()
    ]
    assert rows == drawn
    assert f"at most {RING_MOST_MA} mA" in PAGE
