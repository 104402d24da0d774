"""Chapter 5: at the table."""

from __future__ import annotations

import pytest

from games.xnet.table import OPENING, Game


def test_x5_1_laying_on_a_server_needs_no_choice_first():
    Game().tap("music", 1).accepted()


@pytest.mark.parametrize("pad", ["demand", "discard"])
def test_x5_1_there_are_no_plain_discards(pad: str):
    Game().tap("travel", pad).refused("X5.1", "choose-first")


def test_x5_2_a_control_without_its_topic_says_what_is_wanted():
    game = Game()
    game.play("music")
    said = game.control("hire-specialist").accepted().announcement("action-begun")
    assert (said["control"], said["needs"]) == ("hire-specialist", "topic")
    assert game.pending == {
        "action": "hire-specialist",
        "needs": "topic",
        "owed": 1,
        "short": None,
        "cards": [],
    }
    game.tap("music-1#1", 1).accepted()
    assert game.pending == {
        "action": "hire-specialist",
        "needs": None,
        "owed": 1,
        "short": None,
        "cards": [],
        "topic": "music",
    }


def test_x5_3_one_action_at_a_time():
    game = Game()
    game.play("music")
    game.control("buy-server").accepted()
    for name, fields in (("buy-server", {}), ("to-hand", {"topic": "music"}), ("demand-new", {"level": 3})):
        game.control(name, **fields).refused("X5.3", "action-open")
    game.tap("travel", 1).refused("X5.3", "action-open")
    game.demand("travel").refused("X5.3", "action-open")
    game.discard("travel").accepted()
    assert game.controls == []


def test_x5_4_a_table_without_a_demand_pad_uses_the_discard_pad():
    game = Game(opening=())
    for card in ("art-1#1", "music-5#1", "news-9#1"):
        game.discard(card).accepted()
    game.control("demand-new", level=1).accepted()
    game.discard("travel").accepted()
    game.play("music")
    game.control("demand-replace").accepted()
    game.discard("music-5#1").accepted()
    game.discard("music-3#1").accepted()
    game.discard("music-4#1").accepted()
    assert game.pyramid[2, 1] == "music-4#1"
    game.control("swap").accepted()
    game.discard("art-1#1").accepted()
    game.discard("music-4#1").accepted()
    game.discard("art").accepted()
    assert game.pyramid[1, 1] == "music-4#1"


def test_x5_5_nothing_is_spent_until_the_price_is_whole():
    game = Game()
    hand = game.hand(1)
    assert game.control("buy-streamer").accepted().announcement("payment-owed")["owed"] == 3
    assert game.discard("art-2#1").accepted().announcement("payment-owed")["owed"] == 2
    assert game.discard("news-4#2").accepted().announcement("payment-owed")["owed"] == 1
    assert game.pending == {
        "action": "buy-streamer",
        "needs": None,
        "owed": 1,
        "short": None,
        "cards": ["art-2#1", "news-4#2"],
    }
    assert (game.state["discard"], game.team(1)["streamers"], game.hand(1)) == ([], 0, hand - 2)
    answer = game.discard("music-9#1").accepted()
    assert "payment-owed" not in answer.types
    assert game.state["discard"] == ["art-2#1", "news-4#2", "music-9#1"]
    assert (game.pending, game.team(1)["streamers"], game.hand(1)) == (None, 1, hand - 3)


def test_x5_6_the_own_button_breaks_an_action_off():
    game = Game()
    before = game.state
    game.control("buy-streamer").accepted()
    game.pay("art-2#1", "news-4#2")
    said = game.press().accepted().announcement("action-broken-off")
    assert said["cards"] == ["art-2#1", "news-4#2"]
    assert game.state == before


def test_x5_6_other_presses_are_ignored():
    game = Game(opening=())
    game.press(1).ignored("X5.6")
    game.press(2).ignored("X5.6")
    game.play(*OPENING, pad="demand")
    game.press(2).ignored("X5.6")
    game.control("buy-server").accepted()
    game.press(3).ignored("X5.6")


@pytest.mark.parametrize("pad", [1, 2, "discard", "demand"])
def test_x5_6_a_hold_means_nothing_and_is_a_fault_if_not_in_the_deck(pad: int | str):
    game = Game()
    game.play("music")
    game.hold("music-1#1", pad).ignored("X5.6")
    game.hold("travel-1#1", pad).ignored("X5.6")
    game.hold("04a2b3c4", pad).fault()


def test_x5_7_take_back_undoes_a_payment_one_card_at_a_time():
    game = Game()
    states = [game.state]
    game.control("buy-streamer").accepted()
    for card in ("art-2#1", "news-4#2", "music-9#1"):
        states.append(game.state)
        game.discard(card).accepted()
    for state in reversed(states):
        game.control("take-back").accepted()
        assert game.state == state


def test_x5_7_across_turns_with_score_draw_and_x():
    game = Game()
    game.play("news", "art")
    game.buy("buy-users", "news", "news", users=2)
    game.control("demand-replace", topic="art").accepted()
    game.demand("art-9#1").accepted()
    game.advance_to(3)
    before = game.state
    game.stop()
    assert game.team(1)["points"] == 8
    game.control("take-back").accepted()
    assert game.state == before


def test_x5_11_in_a_pause_taps_presses_and_holds_are_refused_and_controls_judged_as_ever():
    game = Game()
    game.control("pause").accepted()
    game.tap("music", 1).refused("R11", "paused")
    game.tap("no such card", 1).refused("R11", "paused")
    game.hold("music-1#1", 1).refused("R11", "paused")
    game.press(1).refused("R11", "paused")
    assert game.legal == []
    assert {"control": "buy-server"} in game.controls
    game.control("demand-new", level=3).refused("X3.1", "level-full")
    game.control("buy-server").accepted()
    game.control("resume").accepted()
    game.discard("travel").accepted()


def test_x5_2_before_the_choice_nothing_is_paid():
    game = Game()
    game.play("music")
    game.control("hire-specialist").accepted()
    game.discard("travel").refused("X5.2", "choose-first")
    game.tap("travel", 1).refused("X5.2", "choose-first")
    game.demand("travel").refused("X5.2", "choose-first")
    game = Game()
    game.control("swap").accepted()
    for lower_then_upper in ("art-1#1", "music-5#1"):
        game.discard("travel").refused("X5.2", "choose-first")
        game.demand(lower_then_upper).accepted()


def test_x5_4_only_then():
    game = Game()
    game.play("music")
    game.discard("art-1#1").refused("X5.9", "lies-elsewhere")
    game.control("swap", lower="art", upper="music").accepted()
    game.discard("art-1#1").refused("X5.9", "lies-elsewhere")
    game.discard("art").accepted()
    game.control("buy-users", users=1).accepted()
    game.demand("music").refused("X5.3", "action-open")
