"""The oracles themselves: what comparing tells, and that a seed always gives the same script. That each of them judges
as the rules say is shown by the referee, which has a test of every rule and must agree with it line by line."""

from __future__ import annotations

from copy import deepcopy

import pytest

from oracle import compare as online_compare
from oracle.cyber_siege import compare as cyber_siege_compare
from oracle.cyber_siege.deck import read_deck, sample
from oracle.cyber_siege.play import script as cyber_siege_script
from oracle.cyber_siege.referee import Oracle as CyberSiegeOracle
from oracle.online import Oracle as OnlineOracle
from oracle.play import script as online_script
from oracle.xnet import compare as xnet_compare
from oracle.xnet.oracle import Oracle as XnetOracle
from oracle.xnet.play import script as xnet_script
from oracle.xnet.seeds import LONG

SCRIPTS = {"online": online_script, "cyber-siege": cyber_siege_script, "xnet": xnet_script}
ORACLES = {
    "online": (online_compare.compare, OnlineOracle("de", 2, {}, 1), "draw_pile"),
    "cyber-siege": (cyber_siege_compare.compare, CyberSiegeOracle(sample(), 2, {}, 1), "red_pile"),
    "xnet": (xnet_compare.compare, XnetOracle(3, {}, 1), "draw_pile"),
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=list(SCRIPTS))
def test_scripts_are_the_same_for_the_same_seed(script):
    assert script(7, length=80) == script(7, length=80)
    assert script(7, length=80) != script(8, length=80)


@pytest.mark.parametrize(("compare", "oracle", "pile"), ORACLES.values(), ids=list(ORACLES))
def test_compare_tells_what_differs_and_lets_sentences_pass(compare, oracle, pile):
    state = oracle.answer('{"show": "state"}')
    assert compare(deepcopy(state), state) is None
    assert f"{pile}: ours 7, oracle {state[pile]}" in compare({**deepcopy(state), pile: 7}, state)
    refused = {"at": 1.0, "verdict": "refused", "rule": "R4.1", "code": "no-such-topic", "announcements": []}
    assert compare({**refused, "say": "…"}, refused) is None
    assert compare({**refused, "code": "not-in-demand"}, refused) is not None
    assert compare({"error": "x", "line": 3}, {"error": "y", "line": 3}) is None
    assert compare({"legal": [["a#1", 1]]}, {"legal": []}) is not None


def test_compare_tells_rules_of_online_and_announcements_of_the_others():
    refused = {"at": 1.0, "verdict": "refused", "rule": "R4.1"}
    assert online_compare.compare({**refused, "rule": "R4.2"}, refused) is not None
    stopped = {"at": 1.0, "verdict": "accepted", "announcements": [{"type": "turn-started", "seat": 1}]}
    for compare in (cyber_siege_compare.compare, xnet_compare.compare):
        assert compare({**stopped, "announcements": []}, stopped) is not None
        assert compare(stopped, {**stopped, "announcements": [{"type": "turn-started"}]}) is None


def test_a_deck_with_too_few_set_cards_for_four():
    few = sample()
    few["sets"] = {"1": {"copies": 11, "cards": ["1.1"]}}
    assert len(read_deck(few, 3)) == 85
    with pytest.raises(ValueError, match="few"):
        read_deck(few, 4)


@pytest.mark.parametrize(("lines", "refusal"), list(zip(LONG, ("no-specialist-left", "largest-net"), strict=True)))
def test_long_evenings_of_xnet_come_to_what_is_rare(lines, refusal):
    seed, length = lines
    answered = xnet_script(seed, length=length)[1]
    assert refusal in {answer.get("code") for _, answer in answered}
