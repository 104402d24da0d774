"""The oracle itself: the page's example and cases worked out by hand from it, and its two formulations of what is legal
against each other."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from .compare import compare
from .deck import read_deck, sample
from .judging import Tap, judge
from .play import script
from .referee import Oracle


class Table:
    """Lines to an oracle, a second apart unless told."""

    def __init__(self, players=2, starter=1, manifest=None, **settings):
        self.oracle = Oracle(manifest or sample(), players, settings, starter)

    def line(self, at=None, **what):
        at = self.oracle.now / 1_000_000 + 1 if at is None else at
        answer = self.oracle.answer(json.dumps({"at": at, **what}))
        return answer["verdict"] if answer["verdict"] == "accepted" else (answer["verdict"], answer.get("code"))

    def tap(self, card, pad, at=None):
        return self.line(at, tap=card, pad=pad)

    def press(self, seat, at=None, **more):
        return self.line(at, press=seat, **more)

    def correct(self, seat, **counts):
        return self.line(control="correct", seat=seat, **counts)

    def taps(self, *taps):
        for card, pad in taps:
            assert self.tap(card, pad) == "accepted", (card, pad)

    def state(self):
        return self.oracle.answer('{"show": "state"}')

    def team(self, seat):
        return self.state()["teams"][seat - 1]

    def said(self):
        return [one["type"] for one in self.oracle.said]


def test_the_example_of_the_page():
    table = Table()
    assert table.tap("1.1#1", "discard", at=1) == "accepted"
    state = table.state()
    assert (state["pending"], state["launch_until"], state["red_pile"]) == ("launch", 6.0, 63)
    assert state["teams"][0]["red"] == 5
    table.press(1, at=2)
    assert table.state()["window"]["closes_at"] == 12.0
    assert table.tap("1.2#1", 2) == ("refused", "no-defence")
    assert table.tap("1.4#1", 2) == "accepted"
    state = table.state()
    assert (state["teams"][1]["points"], state["teams"][1]["red"], state["red_pile"]) == (1, 5, 62)
    assert state["discard"] == ["1.1#1", "1.4#1"]
    assert state["turn"] == {"seat": 2, "draw": None, "used": ["1.4#1"]}
    assert table.tap("1.4#1", 2) == ("ignored", "already-there")
    assert table.tap("1.1#1", 2) == ("refused", "not-on-top")


def test_s2_the_sample_is_dealt_and_the_youngest_named():
    table = Table(players=4, starter=None)
    state = table.state()
    assert (state["red_pile"], state["purple_pile"], state["turn"]["seat"]) == (54, 12, None)
    assert table.tap("1.1#1", "discard") == ("refused", "no-starter")
    assert table.correct(1, red=4) == ("refused", "no-starter")
    assert table.press(3, pressed_at=0) == "accepted"
    assert table.state()["turn"]["seat"] == 3


def test_s3_2_the_top_of_the_discard_pile_once_and_before_anything_else():
    table = Table()
    table.taps(("1.3#1", "discard"), ("1.3#1", 2))
    assert table.team(2)["red"] == 6
    assert (table.state()["turn"]["draw"], table.state()["discard"]) == ("discard", [])
    table.taps(("1.3#1", "discard"), ("set-1#1", 1))
    assert table.tap("1.3#1", 1) == ("refused", "already-drawn")


def test_s4_a_set_with_admins_its_points_and_its_draws():
    table = Table()
    table.taps(("set-1#1", 1), ("1.4#1", 1), ("admin#1", 1), ("admin#2", 1))
    assert table.tap("1.4#2", 1) == ("refused", "not-in-set")
    assert table.tap("2.1#1", "discard") == ("refused", "set-open")
    assert table.team(1)["red"] == 3
    table.taps(("1.2#1", 1))
    state = table.state()
    assert state["teams"][0] == {"seats": [1], "points": 4, "one_points": 0, "sets": ["set-1#1"], "red": 6, "purple": 1}
    assert state["turn"]["used"] == state["discard"] == ["1.4#1", "admin#1", "admin#2", "1.2#1"]
    assert table.tap("admin#1", 1) == ("ignored", "already-there")


def test_s4_4_the_button_takes_an_open_set_back():
    table = Table()
    table.taps(("set-1#1", 1), ("1.4#1", 1))
    assert table.press(1, pressed_at=0.5) == ("ignored", None)
    assert table.press(1) == "accepted"
    assert table.said() == ["set-taken-back"]
    assert (table.team(1)["red"], table.team(1)["purple"], table.state()["turn"]["draw"]) == (6, 2, "red")


def test_s5_3_a_press_in_time_counts_when_it_is_heard_in_the_settling():
    table = Table(launch_s="5", settle_s="1")
    table.tap("1.1#1", "discard", at=1)
    assert table.press(1, at=6.5, pressed_at=6) == ("ignored", None)
    assert table.press(1, at=6.5, pressed_at=5.999999) == "accepted"
    assert table.state()["window"]["opened_at"] == 6.5


def test_s5_3_over_at_the_end_of_the_settling():
    table = Table(launch_s="5", settle_s="1")
    table.tap("1.1#1", "discard", at=1)
    assert table.press(1, at=7, pressed_at=5) == ("ignored", None)
    assert table.said() == ["spared", "turn-started"]


def test_s5_4_without_a_red_card_the_button_ends_the_turn():
    table = Table()
    table.taps(("set-1#1", 1))
    table.press(1)
    table.correct(1, red=0)
    assert table.tap("1.3#1", "discard") == ("refused", "hand-used-up")
    assert table.press(1) == "accepted"
    assert table.state()["turn"]["seat"] == 2


def icons(players=2, **icon):
    manifest = sample()
    manifest["red"]["1.1"]["icon"] = icon
    table = Table(players, manifest=manifest)
    table.taps(("1.1#1", "discard"))
    table.press(1, at=2)
    table.line(at=12)
    return table


def test_s6_6_the_effects():
    table = icons(effect="skip")
    assert (table.state()["turn"]["seat"], table.team(1)["points"]) == (1, 1)
    assert icons(players=3, effect="skip").state()["turn"]["seat"] == 3
    assert icons(effect="draw-fewer", n=2).state()["turn"]["draw"] == "none"
    table = icons(effect="discard", n=7)
    assert (table.state()["pending"], table.state()["owed"]) == ("discard", 5)
    for place in range(1, 6):
        assert table.tap(f"2.1#{place}", 2) == ("refused", "discard-owed")
        table.taps((f"2.1#{place}", "discard"))
    assert (table.state()["pending"], table.state()["owed"], table.team(2)["red"]) == (None, 0, 0)
    table.taps(("2.1#5", 2))
    assert icons(effect="text", say={"en": "Sing."}).said() == ["hit", "effect-text", "turn-started"]


def test_s3_4_what_a_replacement_owes_is_paid_by_the_reshuffle():
    table = Table()
    table.taps(("set-1#1", 1))
    table.press(1)
    table.correct(2, red=68)
    table.taps(("set-1#1", 1), ("1.1#1", 1), ("1.2#1", 1), ("1.3#1", 1), ("1.4#1", 1))
    state = table.state()
    assert (state["pending"], state["owed"], state["red_pile"], state["teams"][0]["red"]) == ("reshuffle", 4, 0, 2)
    assert table.tap("1.1#2", "discard") == ("refused", "reshuffle-due")
    assert table.line(control="reshuffle") == "accepted"
    state = table.state()
    assert (state["pending"], state["owed"], state["red_pile"], state["teams"][0]["red"]) == (None, 0, 0, 6)
    assert (state["discard"], state["turn"]["used"]) == ([], [])
    assert table.line(control="take-back") == ("ignored", "nothing-to-take-back")


def test_s3_3_both_piles_empty_while_a_draw_is_due():
    table = Table()
    table.correct(2, red=69)
    assert table.state()["turn"]["draw"] == "none"
    table.correct(2, red=60)
    assert table.state()["turn"]["draw"] == "none"


def test_s7_ends_by_points_and_by_purple_with_shared_places():
    table = Table(players=3, target_points="1")
    table.taps(("1.1#1", "discard"))
    table.press(1)
    table.taps(("1.3#1", 2))
    state = table.state()
    assert (state["turn"]["seat"], state["window"], state["red_pile"]) == (1, None, 58)
    assert [one["place"] for one in state["outcome"]["ranking"]] == [1, 2, 2]
    assert table.tap("1.3#2", 2) == ("refused", "game-over")
    table = Table(players=3)
    table.correct(3, purple=16)
    outcome = table.state()["outcome"]
    assert (outcome["winner"], outcome["by"]) == ([1, 2, 3], "purple")


def test_s3_5_the_clock_stands_in_a_pause():
    table = Table()
    table.tap("1.1#1", "discard", at=1)
    table.line(at=3, control="pause")
    assert table.press(1, at=20) == ("refused", "paused")
    table.line(at=103, control="resume")
    assert table.state()["launch_until"] == 106.0
    table.press(1, at=104)
    table.line(at=105, control="pause")
    table.line(at=200, control="take-back")
    assert table.state()["launch_until"] == 110.0
    table.line(at=205, control="resume")
    assert table.state()["launch_until"] == 210.0


def test_s8_5_what_is_open_again_begins_anew():
    table = Table()
    table.tap("1.1#1", "discard", at=1)
    table.press(1, at=2)
    table.tap("1.3#1", 2, at=3)
    table.line(at=50, control="take-back")
    assert table.state()["window"]["opened_at"] == 50.0
    assert table.state()["window"]["closes_at"] == 60.0
    table.line(at=60, control="take-back")
    assert table.state()["launch_until"] == 65.0
    assert table.press(1, at=61, pressed_at=59.9) == ("ignored", None)


def test_s8_5_what_changed_nothing_is_no_move():
    table = Table()
    table.correct(1, red=4)
    table.correct(1, red=4)
    table.line(control="take-back")
    assert table.team(1)["red"] == 5


@pytest.mark.parametrize("seed", range(10))
def test_legal_is_what_is_accepted_and_all_cards_add_up(seed):
    """S8.4."""
    options, answered = script(seed, length=200)
    oracle = Oracle(**options)
    sets = sum(card["kind"] == "set" for card in oracle.deck.values())
    for number, (line, _) in enumerate(answered):
        oracle.answer(line)
        game, teams = oracle.game, oracle.game["teams"].values()
        laid = [] if game["laying"] is None else game["laying"]["red"]
        red = game["red_pile"] + sum(team["red"] for team in teams) + len(game["discard"]) + len(laid)
        purple = game["purple_pile"] + sum(team["purple"] + len(team["sets"]) for team in teams)
        assert (red, purple + (game["laying"] is not None)) == (len(oracle.deck) - sets, sets)
        if number % 60 == 59 and oracle.paused_at is None:
            pads = [*range(1, options["players"] + 1), "discard"]
            taps = [[card, pad] for card in sorted(oracle.deck) for pad in pads]
            accepted = [tap for tap in taps if judge(Tap(oracle, *tap))[0] == "accepted"]
            assert oracle.show("legal")["legal"] == accepted


def test_scripts_are_the_same_for_the_same_seed():
    assert script(7, length=80) == script(7, length=80)
    assert script(7, length=80) != script(8, length=80)


def test_a_manifest_that_cannot_be():
    assert len(read_deck(sample(), 4)) == 94
    few = sample()
    few["sets"] = {"1": {"copies": 11, "cards": ["1.1"]}}
    assert len(read_deck(few, 3)) == 85
    with pytest.raises(ValueError, match="few"):
        read_deck(few, 4)


def test_compare_tells_what_differs_and_lets_additions_pass():
    oracle = Oracle(sample(), 2, {}, 1)
    state = oracle.answer('{"show": "state"}')
    assert compare({**deepcopy(state), "more": 1}, state) is None
    assert compare({**deepcopy(state), "red_pile": 63}, state) == "state.red_pile: ours 63, oracle 64"
    tapped = oracle.answer('{"at": 1, "tap": "1.3#1", "pad": "discard"}')
    said = tapped["announcements"]
    assert compare({**tapped, "say": "…", "announcements": [*said, {"type": "paused"}]}, tapped) is None
    assert compare({**tapped, "announcements": said[:-1]}, tapped) is not None
    assert compare({**tapped, "announcements": [{**said[0], "cards": 2}, *said[1:]]}, tapped) is not None
