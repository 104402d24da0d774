"""The oracles themselves: what comparing tells, and that a seed always gives the same script. That each of them judges
as the rules say is shown by the referee, which has a test of every rule and must agree with it line by line."""

from __future__ import annotations

from copy import deepcopy

import pytest

from oracle.compare import CYBER_SIEGE, XNET, compare
from oracle.cyber_siege.deck import read_deck, sample
from oracle.online import Oracle
from oracle.seeds import SEEDS
from oracle.xnet.play import script


@pytest.mark.parametrize("game", SEEDS)
def test_scripts_are_the_same_for_the_same_seed(game: str):
    write = SEEDS[game].play.script
    assert write(7, length=80) == write(7, length=80)
    assert write(7, length=80) != write(8, length=80)


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


@pytest.mark.parametrize("named", [CYBER_SIEGE, XNET])
def test_compare_tells_announcements_of_the_page(named: tuple[str, ...]):
    said = {"type": "turn-started", "seat": 1}
    stopped = {"at": 1.0, "verdict": "accepted", "announcements": [said]}
    assert compare({**stopped, "announcements": [said, {"type": "paused"}]}, stopped, named) is None
    assert compare({**stopped, "announcements": []}, stopped, named) is not None
    assert compare({**stopped, "announcements": [{**said, "seat": 2}]}, stopped, named) is not None
    assert compare(stopped, {**stopped, "announcements": [{"type": "turn-started"}]}, named) is None
    asked = {**stopped, "announcements": [said, {"type": "payment-owed"}, {"type": "reshuffle-due"}]}
    assert compare(stopped, asked, named) is not None


def test_a_deck_with_too_few_set_cards_for_four():
    few = sample()
    few["sets"] = {"1": {"copies": 11, "cards": ["1.1"]}}
    assert len(read_deck(few, 3)) == 85
    with pytest.raises(ValueError, match="few"):
        read_deck(few, 4)


@pytest.mark.parametrize(
    ("lines", "refusal"), list(zip(SEEDS["xnet"].long, ("no-specialist-left", "largest-net"), strict=True))
)
def test_long_evenings_of_xnet_come_to_what_is_rare(lines: tuple[int, int], refusal: str):
    seed, length = lines
    assert refusal in {answer.get("code") for _, answer in script(seed, length=length)[1]}
