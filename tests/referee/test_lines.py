"""Invalid lines of input, and times to the microsecond: each line gets exactly one answer."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    TimePassed,
)
from taptable.games.registry import find_game
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.lines import SHARED_CONTROLS, observation_line, parse_recorded
from taptable.referee.step import open_table
from taptable.referee.values import LONGEST_S

PADS = (1, 2, 3, 4, "discard")


def front(starter: int | None = 1) -> JsonlReferee:
    table, _ = open_table(find_game("online"), GameOptions(4, "de", {}, starter))
    return JsonlReferee(table, lambda _: "")


def answer(line: bytes) -> dict[str, Any]:
    """The answer of a game that has begun, at 10 s."""
    fresh = front()
    fresh.answer(b'{"at": 10}')
    return json.loads(fresh.answer(line))


unhurried = settings(suppress_health_check=[HealthCheck.too_slow])
"""A busy machine is no failure."""

WRONG = {
    b"": "the line is blank",
    b" \t": "the line is blank",
    b"tap online#1 1": "not JSON",
    b"{": "not JSON",
    b'{"at": 11,}': "not JSON",
    b"{'at': 11}": "not JSON",
    b'{"at": 11} {"at": 12}': "not JSON",
    b'{"at": 011}': "not JSON",
    b'{"at": 11, "tap": "a\tb", "pad": 1}': "not JSON",
    b'\xef\xbb\xbf{"at": 11}': "not JSON",
    b'{"at": 11, "tap": "\xff", "pad": 1}': "not UTF-8",
    b'{"at": 11, "tap": "\xed\xa0\x80", "pad": 1}': "not UTF-8",
    b"[11]": "not a JSON object",
    b"null": "not a JSON object",
    b'"at"': "not a JSON object",
    b"{}": "the object is empty",
    b'{"tapped": "online#1"}': "no known key: tapped",
    b'{"at": 11, "tap": "online#1"}': 'key "pad" is missing',
    b'{"tap": "online#1", "pad": 1}': 'key "at" is missing',
    b'{"at": 11, "tap": "online#1", "pad": 1, "seat": 1}': 'unknown or extra key "seat"',
    b'{"at": 11, "tap": "online#1", "hold": "online#1", "pad": 1}': 'unknown or extra key "hold"',
    b'{"at": 11, "together": ["online#1", "virus#1"], "pad": 1}': 'unknown or extra key "together"',
    b'{"at": 11, "press": 1, "tap": "online#1"}': "unknown or extra key",
    b'{"at": 11, "at": 12}': "a key stands twice",
    b'{"at": 11, "tap": {"a": 1, "a": 2}, "pad": 1}': "a key stands twice",
    b'{"at": NaN}': "NaN is no number",
    b'{"at": Infinity}': "Infinity is no number",
    b'{"at": -Infinity}': "-Infinity is no number",
    b'{"at": "11"}': 'at is no number: "11"',
    b'{"at": true}': "at is no number: true",
    b'{"at": null}': "at is no number: null",
    b'{"at": [11]}': "at is no number: a list",
    b'{"at": 9}': "at falls",
    b'{"at": 9.999999}': "at falls",
    b'{"at": -11}': "at falls",
    b'{"at": 1e400}': "at is out of range",
    b'{"at": 1e99999999999999999999}': "number out of range",
    b'{"at": 1e-99999999999999999999}': "number out of range",
    b'{"at": ' + b"9" * 5000 + b"}": "number out of range",
    b'{"at": 11, "tap": 7, "pad": 1}': "a card is a text, not 7",
    b'{"at": 11, "tap": null, "pad": 1}': "a card is a text, not null",
    b'{"at": 11, "tap": "online#1", "pad": 0}': "no pad or seat 0",
    b'{"at": 11, "tap": "online#1", "pad": 5}': "no pad or seat 5",
    b'{"at": 11, "tap": "online#1", "pad": 1.0}': "no pad or seat 1.0",
    b'{"at": 11, "tap": "online#1", "pad": true}': "no pad or seat true",
    b'{"at": 11, "tap": "online#1", "pad": "1"}': 'no pad or seat "1"',
    b'{"at": 11, "tap": "online#1", "pad": "demand"}': 'no pad or seat "demand"',
    b'{"at": 11, "tap": "online#1", "pad": "\\ud800"}': "no pad or seat",
    b'{"at": 11, "press": "discard"}': "a press needs a seat",
    b'{"at": 11, "press": 9}': "no pad or seat 9",
    b'{"at": 11, "press": 1, "pressed_at": 11.000001}': "pressed_at is after at",
    b'{"at": 11, "press": 1, "pressed_at": null}': "pressed_at is no number: null",
    b'{"at": 11, "press": 1, "uncertainty_s": -0.001}': "uncertainty_s is negative",
    b'{"at": 11, "press": 1, "uncertainty_s": "none"}': "uncertainty_s is no number",
    b'{"at": 11, "tap": "online#1", "pad": 1, "uncertainty_s": -0.001}': "uncertainty_s is negative",
    b'{"at": 11, "tap": "online#1", "pad": 1, "pressed_at": 10}': 'unknown or extra key "pressed_at"',
    b'{"at": 11, "hold": "online#1", "pad": 1, "uncertainty_s": 0.5}': 'unknown or extra key "uncertainty_s"',
    b'{"at": 11, "control": "restart"}': 'unknown control "restart"',
    b'{"at": 11, "control": 1}': "unknown control 1",
    b'{"show": "hands"}': 'can\'t show "hands"',
    b'{"show": ["state"]}': "can't show a list",
    b'{"show": "state", "at": 11}': 'unknown or extra key "at"',
}


def test_a_line_that_is_not_valid_gets_an_error():
    for line, error in WRONG.items():
        told = answer(line)
        assert list(told) == ["error", "line"], line
        assert error in told["error"]
        assert told["line"] == 2, line


def test_a_line_in_error_moves_no_time_and_changes_nothing():
    for line in WRONG:
        game = front()
        game.answer(b'{"at": 10}')
        before = game.table
        game.answer(line)
        assert game.table is before, line
        assert json.loads(game.answer(b'{"at": 10}'))["verdict"] == "accepted", line


@pytest.mark.parametrize("key", ["at", "tap", "pad", "show", "other"])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_nesting_of_any_depth_is_an_error(key: str, brackets: tuple[str, str]):
    opening, closing = brackets
    for depth in (*range(1, 50, 7), *range(900, 1100, 3), 20_000):
        line = {"at": "11", "tap": '"online#1"', "pad": "1"}
        line[key] = opening * depth + "1" + closing * depth
        text = ", ".join(f'"{name}": {value}' for name, value in line.items())
        assert "error" in answer(f"{{{text}}}".encode())


def test_lines_count_from_1_and_questions_count_too():
    game = front()
    for line in (b'{"show": "state"}', b'{"show": "legal"}', b'{"at": 1}', b"?"):
        told = json.loads(game.answer(line))
    assert told["line"] == 4


def test_a_card_nobody_knows_is_no_error():
    for card in ("visa", "online#14", "", "\ud800", "ünï#1", "null", "e" * 100_000):
        line = json.dumps({"at": 11, "tap": card, "pad": "discard"}).encode()
        assert answer(line)["verdict"] == "fault"


@unhurried
@given(line=st.binary())
def test_any_bytes_get_one_answer(line: bytes):
    told = front().answer(line)
    assert "\n" not in told
    assert json.loads(told)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.sampled_from(["state", "online#1", 1, 2]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["at", "tap", "hold", "pad", "press", "pressed_at", "uncertainty_s", "control", "show", "x"])


@unhurried
@given(line=st.dictionaries(KEYS, JSON))
def test_any_object_gets_one_answer(line: dict[str, Any]):
    told = front().answer(json.dumps(line).encode())
    assert "\n" not in told
    assert set(json.loads(told)) & {"error", "verdict", "turn", "legal"}


@unhurried
@given(at_us=st.integers(0, LONGEST_S * 1_000_000))
def test_times_are_kept_in_whole_microseconds(at_us: int):
    line = f'{{"at": {at_us // 1_000_000}.{at_us % 1_000_000:06}}}'.encode()
    game = front()
    told = json.loads(game.answer(line), parse_float=Decimal)
    assert game.table.at_us == at_us
    assert round(told["at"] * 1_000_000) == at_us


def test_less_than_a_microsecond_is_rounded():
    game = front()
    for text, at_us in (("1.0000004", 1_000_000), ("1.0000006", 1_000_001), ("1.0000010000000000000000001", 1_000_001)):
        game.answer(f'{{"at": {text}}}'.encode())
        assert game.table.at_us == at_us


TIMES = st.integers(0, 10**12)
CARDS = st.text(max_size=5) | st.sampled_from(["online#1", "email#7"])
OBSERVATIONS: st.SearchStrategy[Observation] = st.one_of(
    st.builds(CardTapped, TIMES, CARDS, st.sampled_from(PADS), st.just(0) | TIMES),
    st.builds(CardHeld, TIMES, CARDS, st.sampled_from(PADS)),
    st.builds(CardsTogether, TIMES, st.tuples(CARDS, CARDS), st.sampled_from(PADS), TIMES),
    st.builds(ButtonPressed, TIMES.map(lambda at_us: at_us + 5), st.integers(1, 4), st.integers(-5, 5), TIMES),
    st.builds(TimePassed, TIMES),
    st.builds(ControlUsed, TIMES, st.sampled_from(SHARED_CONTROLS)),
)


def test_a_tap_without_an_uncertainty_has_the_line_that_it_always_had():
    assert observation_line(CardTapped(1_500_000, "online#1", 2)) == {"at": 1.5, "tap": "online#1", "pad": 2}
    uncertain = CardTapped(1_500_000, "online#1", 2, 500_000)
    assert observation_line(uncertain) == {"at": 1.5, "tap": "online#1", "pad": 2, "uncertainty_s": 0.5}


@unhurried
@given(observation=OBSERVATIONS)
def test_an_observation_comes_back_from_its_line(observation: Observation):
    line = json.loads(json.dumps(observation_line(observation)))
    assert parse_recorded(line, PADS) == observation
