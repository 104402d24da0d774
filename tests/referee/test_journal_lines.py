"""The lines that only a journal has: a line that isn't one of them is rejected as such, and `taptable referee` accepts
none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.referee.lines import ARRANGEMENT_KEYS, observation_line, parse_recorded
from taptable.referee.values import LineError

from referee.test_lines import JSON, answer

PADS = (1, 2, 3, 4, "discard")
SET_UP: dict[str, Any] = {
    "game": "online",
    "players": 2,
    "edition": "de",
    "settings": {},
    "starter": None,
    "heir": True,
}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a seat that is not there": ({"vacate": 5}, "no pad or seat 5"),
    "no seat": ({"vacate": "discard"}, "vacate needs a seat"),
    "no card": ({"lost": 7}, "a card is a text, not 7"),
    "a card and more": ({"recovered": "online#1", "pad": 1}, 'unknown or extra key "pad"'),
    "no object": ({"set-up": "online"}, "what is set up is an object"),
    "something missing": ({"set-up": {"game": "online"}}, 'key "edition" is missing'),
    "players that are none": ({"set-up": {**SET_UP, "players": -1}}, "no count: -1"),
    "a starter that is none": ({"set-up": {**SET_UP, "starter": "2"}}, 'no count: "2"'),
    "a setting that is no text": ({"set-up": {**SET_UP, "settings": {"claim_s": 10}}}, "claim_s is a text, not 10"),
    "settings that are none": ({"set-up": {**SET_UP, "settings": []}}, "settings are an object of texts, not a list"),
    "an heir that is none": ({"set-up": {**SET_UP, "heir": 2}}, "heir is true or false, not 2"),
    "a correction that is none": ({"correct": []}, "a correction is an object"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_damaged_line_is_rejected(wrong: str):
    line, why = WRONG[wrong]
    with pytest.raises(LineError, match=why.replace("[", r"\[")):
        parse_recorded({"at": 11, **line}, PADS)


@pytest.mark.parametrize(
    "line", [{"vacate": 1}, {"lost": "online#1"}, {"recovered": "online#1"}, {"set-up": SET_UP}, {"correct": {}}]
)
def test_the_referee_in_lines_takes_none_of_them(line: dict[str, Any]):
    assert "error" in answer(json.dumps({"at": 11, **line}).encode())


@given(key=st.sampled_from(ARRANGEMENT_KEYS), value=JSON, inner=st.dictionaries(st.sampled_from([*SET_UP]), JSON))
def test_any_value_is_an_observation_or_an_error(key: str, value: object, inner: dict[str, Any]):
    for said in (value, {**SET_UP, **inner}):
        try:
            observation = parse_recorded({"at": 11, key: said}, PADS)
        except LineError:
            continue
        assert parse_recorded(json.loads(json.dumps(observation_line(observation))), PADS) == observation
