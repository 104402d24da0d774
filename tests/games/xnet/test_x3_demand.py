"""Chapter 3, the pyramid: new demands, replacing and swapping (X3.1–X3.4)."""

from __future__ import annotations

import pytest

from games.xnet.table import Game


def test_x3_1_a_new_demand_lies_on_the_lowest_free_place_of_its_level():
    game = Game()
    hand = game.hand(1)
    said = game.new_demand("travel-3#1", 1).announcement("demand-laid")
    assert (said["card"], said["level"], said["place"]) == ("travel-3#1", 1, 2)
    assert game.pyramid[1, 2] == "travel-3#1"
    assert (game.turn["new"], game.hand(1), game.pending) == (True, hand - 1, None)
    game.stop()
    game.new_demand("sports", 2)
    game.stop()
    game.new_demand("games", 1)
    assert set(game.pyramid) == {(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)}


def test_x3_1_once_a_turn():
    game = Game()
    game.new_demand("travel", 1)
    game.control("demand-new", level=1).refused("X3.1", "one-a-turn")
    game.control("demand-new", level=3).refused("X3.1", "one-a-turn")
    game.next_turn_of(1)
    game.new_demand("sports", 1)


def test_x3_1_a_level_without_an_empty_place_is_full_and_level_3_always():
    game = Game()
    game.control("demand-new", level=3).refused("X3.1", "level-full")
    game.new_demand("travel", 2)
    game.stop()
    game.control("demand-new", level=2).refused("X3.1", "level-full")
    game.control("demand-new", level=1).accepted()


@pytest.mark.parametrize("topic", ["art", "music", "news"])
def test_x3_3_a_new_demand_has_a_topic_of_its_own(topic: str):
    game = Game()
    game.control("demand-new", level=1).accepted()
    game.demand(topic).refused("X3.3", "topic-in-demand")
    game.demand("travel").accepted()


def replacing(topic: str = "music", *served: str, hand: int = 10) -> Game:
    """Return a game in which seat 1 has begun to replace a topic (music-5#1 lies on level 2), with these cards on its
    server."""
    game = Game()
    game.gather(1, hand)
    game.play(*served)
    game.control("demand-replace", topic=topic).accepted()
    return game


def test_x3_2_the_sum_must_be_larger_than_the_number_lying_there():
    game = replacing()
    assert game.pending == {
        "action": "demand-replace",
        "needs": None,
        "owed": None,
        "short": 6,
        "cards": [],
        "topic": "music",
    }
    game.demand("travel-2#1").accepted()
    assert game.pending["short"] == 4
    game.demand("travel-3#1").accepted()
    assert game.pending["short"] == 1
    assert game.pyramid[2, 1] == "music-5#1"
    game.demand("travel-1#1").accepted()
    assert game.pending is None
    assert game.pyramid[2, 1] == "travel-3#1"


def test_x3_2_the_highest_takes_the_place_the_old_card_and_the_others_go_to_the_discard_pile_in_this_order():
    game = replacing()
    hand = game.hand(1)
    for card in ("travel-2#1", "travel-1#2", "travel-3#1"):
        answer = game.demand(card).accepted()
    said = answer.announcement("demand-replaced")
    assert (said["card"], said["replaced"], said["level"], said["place"]) == ("travel-3#1", "music-5#1", 2, 1)
    assert game.state["discard"] == ["music-5#1", "travel-2#1", "travel-1#2"]
    assert (game.hand(1), game.turn["replaced"]) == (hand - 3, True)


def test_x3_2_nobody_can_replace_a_topic_with_an_x_until_it_leaves():
    game = replacing("art", "art")
    game.demand("art-9#1").accepted()
    game.stop()
    game.control("demand-replace", topic="art").refused("X3.2", "x-marked")
    game.control("demand-replace").accepted()
    game.demand("art-9#1").refused("X3.2", "x-marked")
    game.press().accepted()
    game.advance_to(1)
    game.control("demand-replace", topic="art").accepted()


def test_x3_3_the_topic_lies_on_no_other_place():
    game = replacing()
    game.demand("art-9#1").refused("X3.3", "topic-in-demand")
    game.demand("travel-1#1").accepted()
    game.demand("news-8#1").refused("X3.3", "topic-in-demand")


def test_x3_3_replacing_a_topic_by_itself_strengthens_the_demand():
    game = replacing("music", "music")
    game.demand("music-5#2").accepted()
    assert game.pending["short"] == 1
    game.demand("music-4#1").accepted()
    assert game.pyramid[2, 1] == "music-5#2"
    assert game.state["discard"] == ["music-5#1", "music-4#1"]
    assert game.turn["must_offer"] is None


def test_x3_2_a_topic_that_is_on_no_own_server_must_be_brought_in():
    game = replacing()
    game.demand("travel-6#1").accepted()
    assert game.turn["must_offer"] == "travel"
    game.press().refused("X3.2", "must-offer")
    game.play("travel")
    assert game.turn["must_offer"] == "travel"
    game.press().accepted()
    assert game.turn["must_offer"] is None


def test_x3_4_two_topics_of_neighbouring_levels_change_places():
    game = Game()
    hand = game.hand(1)
    said = game.buy("swap", "music", lower="music", upper="news").announcement("demand-swapped")
    assert (said["lower"], said["upper"]) == ("music", "news")
    assert game.pyramid == {(1, 1): "art-1#1", (2, 1): "news-9#1", (3, 1): "music-5#1"}
    assert (game.hand(1), game.state["discard"]) == (hand - 1, ["music-1#1"])


@pytest.mark.parametrize(
    ("lower", "upper", "code"),
    [
        ("travel", "music", "not-in-demand"),
        ("art", "travel", "not-in-demand"),
        ("news", "travel", "not-in-demand"),
        ("art", "news", "not-neighbours"),
        ("news", "music", "not-neighbours"),
        ("music", "art", "not-neighbours"),
        ("art", "art", "not-neighbours"),
    ],
)
def test_x3_4_the_lower_topic_then_the_upper_one_level_higher(lower: str, upper: str, code: str):
    Game().control("swap", lower=lower, upper=upper).refused("X3.4", code)


def test_x3_4_chosen_by_taps_the_lower_first():
    game = Game()
    game.control("swap").accepted()
    assert game.pending["needs"] == "lower"
    game.demand("news-9#1").refused("X3.4", "not-neighbours")
    said = game.demand("art-1#1").accepted().announcement("topic-chosen")
    assert (said["topic"], said["needs"]) == ("art", "upper")
    assert (game.pending["needs"], game.pending["lower"]) == ("upper", "art")
    game.demand("art-1#1").refused("X3.4", "not-neighbours")
    game.demand("news-9#1").refused("X3.4", "not-neighbours")
    game.demand("music-5#1").accepted()
    assert (game.pending["needs"], game.pending["upper"]) == (None, "music")
    game.discard("art").accepted()
    assert game.pyramid[1, 1] == "music-5#1"


def test_x3_2_all_cards_are_of_one_topic():
    game = replacing()
    game.demand("travel-2#1").accepted()
    game.demand("sports-9#1").refused("X3.2", "one-topic")
    game.demand("travel-9#1").accepted()


def test_x3_1_the_card_goes_onto_the_demand_pad():
    game = Game()
    game.control("demand-new", level=1).accepted()
    game.tap("travel", 1).refused("X5.3", "action-open")


def test_x3_4_the_price_is_a_card_of_the_lower_topic():
    game = Game()
    game.control("swap", lower="art", upper="music").accepted()
    game.discard("music").refused("X3.4", "wrong-topic")
    game.discard("travel").refused("X3.4", "wrong-topic")
    game.demand("art").refused("X5.3", "action-open")
    game.discard("art").accepted()
