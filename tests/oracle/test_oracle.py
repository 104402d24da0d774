"""The oracle itself: what comparing tells, and that a seed gives the same script each time. That it judges by the rules
is shown by the referee, which has a test of every rule and must agree with it line by line."""

from __future__ import annotations

from copy import deepcopy

from oracle.compare import compare
from oracle.online import Oracle
from oracle.play import script


def test_scripts_are_the_same_for_the_same_seed():
    assert script(7, length=80) == script(7, length=80)
    assert script(7, length=80) != script(8, length=80)


def test_compare_tells_what_differs_and_lets_additions_pass():
    state = Oracle("de", 2, {}, 1).answer('{"show": "state"}')
    assert compare({**deepcopy(state), "more": 1}, state) is None
    assert compare({**deepcopy(state), "draw_pile": 97}, state) == "shown.draw_pile: ours 97, oracle 98"
    refused = {"at": 1.0, "verdict": "refused", "rule": "R4.1"}
    assert compare({**refused, "code": "line-already-open", "say": "…"}, refused) is None
    assert compare({**refused, "rule": "R4.2"}, refused) is not None
    assert compare({**refused, "code": "no-such-topic"}, {**refused, "code": "not-in-demand"}) is not None
    assert compare({"verdict": "accepted"}, {"verdict": "accepted", "rule": "R4.1"}) is None
    assert compare({"error": "x", "line": 3}, {"error": "y", "line": 3}) is None
    assert compare({"error": "x", "line": 3}, refused) is not None
    assert compare({"legal": [["a#1", 1]]}, {"legal": []}) is not None
    assert compare({"legal": [["a#1", 1], ["a#2", 1]]}, {"legal": [["a#2", 1], ["a#1", 1]]}) is not None
