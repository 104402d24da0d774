"""The oracle itself: cases worked out by hand from the rules page, and its two formulations against each other."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from choosing import mostly_long

from .compare import compare
from .deck import CARDS
from .online import Oracle
from .play import script
from .state import No, Nothing


class Table:
    """Lines to an oracle, a second apart unless told."""

    def __init__(self, edition="de", players=2, starter=1, **settings):
        self.oracle = Oracle(edition, players, settings, starter)

    def line(self, at=None, **what):
        at = self.oracle.now / 1_000_000 + 1 if at is None else at
        answer = self.oracle.answer(json.dumps({"at": at, **what}))
        return (answer["verdict"], answer["rule"]) if "verdict" in answer else answer

    def tap(self, card, pad, at=None):
        return self.line(at, tap=card, pad=pad)

    def press(self, seat, at=None, **more):
        return self.line(at, press=seat, **more)

    def taps(self, *taps):
        for card, pad in taps:
            assert self.tap(card, pad)[0] == "accepted", (card, pad)

    def state(self):
        return self.oracle.answer('{"show": "state"}')

    def legal(self):
        return self.oracle.answer('{"show": "legal"}')["legal"]


def test_r2_2_seat_3_of_five_has_two_places():
    table = Table(players=5)
    seats = []
    for _ in range(7):
        seats.append(table.state()["turn"]["seat"])
        table.press(seats[-1])
    assert seats == [1, 2, 3, 4, 5, 3, 1]
    assert [team["seats"] for team in table.state()["teams"]] == [[1, 4], [2, 5], [3]]


def test_r10_5_the_game_is_ended_as_it_stands():
    table = Table(players=3)
    assert Table(starter=None).line(control="end-game") == ("refused", "R2.3")
    table.taps(("online#1", 1), ("email#1", 1), ("hacker#1", 1))
    table.line(control="pause")
    assert table.line(control="end-game")[0] == "accepted"
    outcome = table.state()["outcome"]
    assert (outcome["winner"], outcome["by"]) == ([1], "agreement")
    assert [team["place"] for team in outcome["ranking"]] == [1, 2, 2]
    assert table.state()["window"] is None
    assert table.line(control="end-game") == ("refused", "R10.1")
    assert table.line(control="take-back")[0] == "accepted"
    assert table.state()["outcome"] is None
    assert table.state()["window"]["hacker"] == 1


def test_r2_3_the_first_press_picks_the_youngest_and_can_be_taken_back():
    table = Table(players=3, starter=None)
    assert table.tap("online#1", 1) == ("refused", "R2.3")
    assert table.press(2) == ("accepted", "R2.3")
    assert table.state()["turn"]["seat"] == 2
    table.line(control="take-back")
    assert table.state()["turn"]["seat"] is None
    assert table.line(control="take-back")[0] == "ignored"


def test_r3_6_the_eighth_card_comes_with_the_first_play_and_an_exchange_is_drawn_at_stop():
    table = Table()
    assert table.state()["draw_pile"] == 98
    table.taps(("movie#1", "discard"))
    assert (table.state()["teams"][0]["hands"]["1"], table.state()["draw_pile"]) == (6, 98)
    table.taps(("online#1", 1))
    assert (table.state()["teams"][0]["hands"]["1"], table.state()["draw_pile"]) == (6, 97)
    assert table.tap("movie#2", "discard") == ("refused", "R3.3")
    table.press(1)
    table.taps(("movie#2", "discard"), ("movie#3", "discard"))
    assert table.state()["turn"]["mode"] == "exchange"
    assert table.tap("online#2", 2) == ("refused", "R3.3")
    table.press(2)
    # seat 2 drew two, seat 1 filled up from 6
    assert (table.state()["teams"][1]["hands"]["2"], table.state()["draw_pile"]) == (7, 94)


def test_r3_8_seven_in_an_exchange():
    table = Table()
    table.taps(*((f"email#{n}", "discard") for n in range(1, 8)))
    assert table.tap("email#8", "discard") == ("refused", "R3.8")
    assert table.legal() == []


def test_r4_r5_r6_rows_rates_attacks_and_the_reaction():
    table = Table(players=4)
    assert table.tap("email#1", 1) == ("refused", "R5.1")
    table.taps(("online#1", 3), ("email#1", 1))
    assert table.tap("email#2", 1) == ("refused", "R5.2")
    assert table.tap("game#1", 1) == ("refused", "R5.3")
    assert table.tap("online#2", 1) == ("refused", "R4.1")
    table.taps(("turbo-line#1", 1), ("email#2", 3))
    assert table.tap("virus#1", 2) == ("refused", "R6.1")
    assert table.tap("online#2", 2) == ("refused", "R6.2")
    table.press(1)
    table.taps(("virus#1", 3))
    assert table.tap("online#2", 1) == ("refused", "R4.1")
    assert table.tap("antivirus#1", 1) == ("accepted", "R6.2")
    assert table.tap("online#2", 3) == ("accepted", "R6.2")
    table.press(2)
    team = table.state()["teams"][0]
    assert team["connection"] == ["online#1", "turbo-line#1", "virus#1", "antivirus#1", "online#2"]
    # seat 1 laid four in its turn from 8 and reacted once; seat 3 reacted once and was filled up
    assert team["hands"] == {"1": 3, "3": 7}
    assert (team["mb"], team["line"], team["rate"]) == (50, "up", 1)


def test_r7_2_the_earlier_press_wins_though_it_arrived_later():
    table = Table(players=4, settle_s="0.25")
    table.tap("hacker#1", 1, at=10)
    table.press(3, at=11, pressed_at=10.9)
    table.press(2, at=11.2, pressed_at=10.8)
    assert table.state()["window"]["claim"] is None
    table.line(at=11.25)
    assert table.state()["window"]["claim"] == {"seat": 2, "until": 21.25}


def test_r7_2_a_tie_goes_clockwise_after_the_hacker_within_the_group_of_the_earliest():
    table = Table(players=6, starter=4, settle_s="0.25")
    table.tap("hacker#1", 4, at=10)
    table.press(3, at=11, pressed_at=10.9, uncertainty_s=0.002)
    table.press(2, at=11, pressed_at=10.903, uncertainty_s=0.002)
    # ties with seat 2, not with the earliest
    table.press(5, at=11, pressed_at=10.905, uncertainty_s=0.003)
    table.line(at=11.25)
    assert table.state()["window"]["claim"]["seat"] == 2


def test_r7_2_pressed_as_it_closes_is_too_late():
    table = Table(players=3)
    table.tap("hacker#1", 1, at=10)
    assert table.press(2, at=15, pressed_at=15) == ("ignored", "R7.2")
    assert table.press(3, at=15.029999, pressed_at=14.999999) == ("accepted", "R7.2")
    assert table.press(2, at=15.03, pressed_at=14) == ("ignored", "R7.2")
    table.line(at=15.06)
    assert table.state()["window"]["claim"] == {"seat": 3, "until": 25.059999}


def test_r7_3_the_patrol_takes_the_turn_and_the_hacker_misses_the_next():
    table = Table(players=3)
    table.tap("hacker#1", 1, at=10)
    table.press(3, at=11)
    assert table.tap("cyber-patrol#1", 3, at=12) == ("accepted", "R7.3")
    state = table.state()
    assert (state["turn"]["seat"], state["skips"], state["discard"]) == (3, [1], ["hacker#1", "cyber-patrol#1"])
    table.press(3)
    assert (table.state()["turn"]["seat"], table.state()["skips"]) == (2, [])


@pytest.mark.parametrize(("hacker", "after"), [(2, 4), (4, 1), (1, 4)])
def test_r7_3_seat_3_of_five_takes_its_next_place(hacker, after):
    table = Table(players=5, starter=hacker)
    table.tap("hacker#1", hacker, at=10)
    table.tap("cyber-patrol#1", 3, at=11)
    table.line(at=12)
    assert table.state()["turn"]["seat"] == 3
    table.press(3)
    assert table.state()["turn"]["seat"] == after


def test_r7_4_false_alarm_then_the_queue_then_the_hack():
    table = Table(players=3, claim_s="2")
    table.tap("hacker#1", 1, at=10)
    table.press(2, at=11)
    table.press(3, at=12)
    table.line(at=13.03)
    assert table.state()["window"]["claim"] == {"seat": 3, "until": 15.03}
    assert table.tap("cyber-patrol#1", 2, at=13.5) == ("refused", "R7.4")
    assert table.tap("online#1", 1) == ("refused", "R7.1")
    table.line(at=15.03)
    assert (table.state()["window"], table.state()["pending"]) == (None, "hack")


def test_r7_5_a_card_that_waits_is_played_at_the_naming():
    table = Table(players=3, claim_s="2")
    table.tap("hacker#1", 1, at=10)
    table.press(2, at=11)
    assert table.tap("cyber-patrol#1", 3, at=12) == ("accepted", "R7.5")
    assert table.state()["discard"] == ["hacker#1"]
    table.line(at=13.03)
    assert table.state()["turn"]["seat"] == 3


def test_r7_7_r7_9_stealing_by_edition():
    for edition, verdict in (("de", "accepted"), ("en", "refused"), ("fr", "accepted")):
        table = Table(edition, players=2)
        table.taps(("online#1", 1), ("email#1", 1))
        table.press(1)
        table.press(2)
        table.taps(("email#2", 1))
        table.press(1)
        table.taps(("turbo-line#1", 2), ("hacker#1", 2))
        table.line(at=60)
        lower = table.tap("email#1", 2)
        if edition == "fr":
            assert lower == ("accepted", "R7.9")
            assert table.state()["turn"]["downloads"] == 1
        else:
            assert lower == ("refused", "R7.8")
            assert table.tap("email#2", 2) == (verdict, "R7.9")


def test_r7_7_c_is_the_card_under_the_hacker_and_none_after_a_reshuffle():
    table = Table(players=2)
    table.taps(("online#1", "discard"), ("hacker#1", 1))
    table.line(at=60)
    assert ["online#1", "1"] in [[card, str(pad)] for card, pad in table.legal()]
    table.line(control="reshuffle")
    assert table.legal() == []
    assert table.tap("online#1", 1) == ("refused", "R7.7")
    assert table.press(1) == ("accepted", "R7.10")


def test_r8_1_by_edition():
    for edition, discarded, hacker in (
        ("de", ("refused", "R8.1"), ("refused", "R8.1")),
        ("en", ("refused", "R8.1"), ("accepted", "R8.1")),
        ("fr", ("accepted", "R8.1"), ("accepted", "R8.1")),
    ):
        table = Table(edition)
        table.taps(("search#1", 1))
        pile = table.state()["draw_pile"]
        assert table.tap("email#1", "discard") == discarded
        if discarded[0] == "accepted":
            assert table.state()["draw_pile"] == pile - 1
            table.line(control="take-back")
        assert table.tap("hacker#1", 1) == hacker


def test_r9_owed_cards_are_drawn_at_the_reshuffle():
    table = Table(players=6)
    for turn in range(10):
        seat = turn % 6 + 1
        table.taps(*((card, "discard") for card in CARDS[turn * 7 : turn * 7 + 7]))
        table.press(seat)
    state = table.state()
    assert (state["draw_pile"], state["turn"]["seat"]) == (0, 5)
    assert table.tap("hacker#1", 5)[0] == "accepted"
    # no 8th card could be drawn
    assert table.state()["teams"][1]["hands"]["5"] == 6
    table.line(control="reshuffle")
    assert table.state()["teams"][1]["hands"]["5"] == 7
    assert table.state()["draw_pile"] == 70


def test_r10_places_after_a_win_by_quotas_and_who_starts_next():
    for edition, starter in (("de", 1), ("en", 2), ("fr", 1)):
        table = Table(edition, players=3, quota_email="1", quota_music="0", quota_game="0", quota_movie="0")
        table.press(1)
        table.taps(("online#1", 2), ("music#1", 2))
        table.press(2)
        table.press(3)
        table.taps(("online#2", 1), ("email#1", 1))
        outcome = table.state()["outcome"]
        assert (outcome["winner"], outcome["by"]) == ([1], "quotas")
        assert [(one["seats"], one["place"]) for one in outcome["ranking"]] == [([1], 1), ([2], 2), ([3], 3)]
        assert table.tap("online#1", 2) == ("refused", "R10.1")
        table.line(control="new-game")
        assert table.state()["turn"]["seat"] == starter


def test_r10_3_the_turn_is_finished_and_a_first_place_shared():
    table = Table(players=4, teams="solo", time_limit_s="20")
    table.tap("online#1", 1, at=20)
    assert table.state()["outcome"] is None
    table.press(1)
    outcome = table.state()["outcome"]
    assert (outcome["winner"], outcome["by"], table.state()["turn"]["seat"]) == ([1, 2, 3, 4], "time", 1)
    assert {one["place"] for one in outcome["ranking"]} == {1}


def test_pause_moves_a_running_window():
    table = Table(players=2)
    table.tap("hacker#1", 1, at=10)
    table.line(at=12, control="pause")
    assert table.oracle.answer('{"at": 13, "press": 2}')["code"] == "paused"
    table.line(at=112, control="resume")
    window = table.state()["window"]
    assert (window["opened_at"], window["closes_at"]) == (110.0, 115.0)


def test_take_back_lets_past_deadlines_take_effect_at_once():
    table = Table(players=3, claim_s="120")
    table.tap("hacker#1", 1, at=10)
    table.press(2, at=11)
    table.line(at=30)
    assert table.state()["window"]["claim"]["seat"] == 2
    table.line(at=31, control="take-back")
    assert (table.state()["window"], table.state()["pending"]) == (None, "hack")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{}",
        "[1]",
        '{"at": NaN}',
        '{"at": -1}',
        '{"at": 1, "tap": "online#1", "pad": 3}',
        '{"at": 1, "press": 1, "x": 0}',
        '{"at": 1, "press": 1, "pressed_at": 2}',
        '{"at": 1, "control": "win"}',
        '{"show": "hands"}',
    ],
)
def test_malformed_lines_are_errors(line):
    oracle = Oracle("de", 2, {}, 1)
    oracle.answer('{"show": "state"}')
    assert oracle.answer(line)["line"] == 2


@pytest.mark.parametrize("seed", mostly_long(range(12), 3))
def test_legal_is_what_is_accepted_and_all_cards_add_up(seed):
    options, lines = script(seed, length=200)
    oracle = Oracle(**options)
    pads = [*range(1, options["players"] + 1), "discard"]
    for number, line in enumerate(lines):
        oracle.answer(line)
        game = oracle.game
        lying = len(game.discard) + sum(len(cards) for team in game.teams for cards in team.rows.values())
        assert sum(game.hands.values()) + game.pile + lying == 112
        if number % 40 != 39 or oracle.paused_at is not None:
            continue
        accepted = []
        for card in CARDS:
            for pad in pads:
                oracle.game = deepcopy(game)
                try:
                    oracle.tap(card, pad, oracle.now)
                except (No, Nothing):
                    continue
                accepted.append([card, pad])
        oracle.game = game
        assert oracle.legal() == sorted(accepted, key=lambda tap: (tap[0], str(tap[1])))


def test_scripts_are_the_same_for_the_same_seed():
    assert script(7, length=80) == script(7, length=80)
    assert script(7, length=80) != script(8, length=80)


def test_compare_tells_what_differs_and_lets_additions_pass():
    state = Oracle("de", 2, {}, 1).answer('{"show": "state"}')
    assert compare({**deepcopy(state), "more": 1}, state) is None
    assert compare({**deepcopy(state), "draw_pile": 97}, state) == "state.draw_pile: ours 97, oracle 98"
    refused = {"at": 1.0, "verdict": "refused", "rule": "R4.1"}
    assert compare({**refused, "code": "line-already-open", "say": "…"}, refused) is None
    assert compare({**refused, "rule": "R4.2"}, refused) is not None
    assert compare({"verdict": "accepted"}, {"verdict": "accepted", "rule": "R4.1"}) is None
    assert compare({"error": "x", "line": 3}, {"error": "y", "line": 3}) is None
    assert compare({"legal": [["a#1", 1]]}, {"legal": []}) is not None
