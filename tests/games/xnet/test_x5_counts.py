"""Chapter 5, what the table counts: hands that are inferred, and where a card lies (X5.8, X5.9)."""

from __future__ import annotations

import pytest

from games.xnet.table import Game


def test_x5_8_at_0_no_hidden_card_can_be_tapped():
    game = Game()
    game.play("music", "music", "art", "art")
    game.buy("buy-streamer", "travel", "travel", "travel")
    game.buy("buy-users", "music", "music", users=2)
    game.buy("hire-specialist", "travel", topic="music")
    assert game.hand(1) == 0
    game.tap("music", 1).refused("X5.8", "hand-used-up")
    game.demand("travel").refused("X5.8", "hand-used-up")
    game.discard("travel").refused("X5.8", "hand-used-up")
    game.tap("music", 2).refused("X2.1", "not-on-turn")
    game.tap("music-1#1", 1).ignored("X5.9", "already-there")
    game.control("to-streamer").accepted()
    game.tap("music-1#1", 1).accepted()


def test_x5_8_pending_cards_are_off_the_hand():
    game = Game()
    game.control("buy-net").accepted()
    game.pay(*["travel"] * 6)
    assert game.hand(1) == 4


COSTS = [
    ("demand-new", {"level": 1}, 1),
    ("demand-replace", {"topic": "art"}, 1),
    ("demand-replace", {}, 1),
    ("swap", {"lower": "art", "upper": "music"}, 1),
    ("swap", {}, 1),
    ("buy-users", {"users": 1}, 2),
    ("buy-users", {"users": 2}, 2),
    ("hire-specialist", {"topic": "art"}, 1),
    ("hire-specialist", {}, 1),
    ("buy-server", {}, 5),
    ("buy-streamer", {}, 3),
    ("buy-net", {}, 7),
]


def holding(cards: int) -> Game:
    """Seat 1 has so many cards in hand, up to 8, and art and music on its server."""
    game = Game()
    game.play("art", "music")
    count = game.hand(1)
    if count - cards >= 5:
        game.buy("buy-server", *["travel"] * 5)
        count -= 5
    if count - cards >= 1:
        game.play("music")
        count -= 1
    if count - cards >= 1:
        game.play("art")
        count -= 1
    if count - cards >= 1:
        game.play("news")
        count -= 1
    assert game.hand(1) == cards
    return game


@pytest.mark.parametrize(("control", "fields", "cost"), COSTS)
def test_x5_8_an_action_that_costs_more_cards_than_the_hand_has_is_refused_at_once(
    control: str, fields: dict[str, object], cost: int
):
    if control == "buy-server":
        game = Game()
        game.play("art", "music", "music")
        game.buy("buy-streamer", "travel", "travel", "travel")
        assert game.hand(1) == 4
        game.control(control, **fields).refused("X5.8", "too-few-cards")
        game.control("to-hand", topic="art").accepted()
        game.control(control, **fields).accepted()
        return
    holding(cost - 1).control(control, **fields).refused("X5.8", "too-few-cards")
    holding(cost).control(control, **fields).accepted()


def test_x5_8_comes_after_what_is_said_of_the_topic():
    game = holding(0)
    game.control("hire-specialist", topic="travel").refused("X3.9", "not-on-server")
    game.control("demand-new", level=3).refused("X3.1", "level-full")
    game.control("swap", lower="art", upper="news").refused("X3.4", "not-neighbours")


def test_x5_9_a_card_tapped_where_it_lies_is_ignored_elsewhere_refused():
    game = Game()
    game.play("music")
    game.buy("buy-users", "travel-1#1", "music", users=1)
    for card, at in (("art-1#1", "demand"), ("music-1#1", 1), ("travel-1#1", "discard")):
        for pad in (1, 2, 3, "discard", "demand"):
            answer = game.tap(card, pad)
            if pad == at:
                answer.ignored("X5.9", "already-there")
            else:
                answer.refused("X5.9", "lies-elsewhere")


def test_x5_9_pending_cards_lie_on_the_pad_they_were_tapped_on():
    game = Game()
    game.play("music")
    game.control("buy-server").accepted()
    game.discard("travel-1#1").accepted()
    game.discard("travel-1#1").ignored("X5.9", "already-there")
    game.demand("travel-1#1").refused("X5.9", "lies-elsewhere")
    game.tap("travel-1#1", 1).refused("X5.9", "lies-elsewhere")
    game.press().accepted()
    game.control("demand-replace", topic="music").accepted()
    game.demand("travel-1#1").accepted()
    game.demand("travel-1#1").ignored("X5.9", "already-there")
    game.discard("travel-1#1").ignored("X5.9", "already-there")
    game.tap("travel-1#1", 1).refused("X5.9", "lies-elsewhere")


def test_x5_9_back_in_a_hand_a_card_is_hidden_again():
    game = Game()
    game.play("music-1#1")
    game.control("to-hand", topic="music").accepted()
    game.tap("music-1#1", 1).accepted()


def test_x5_9_a_card_that_lies_somewhere_is_told_so_before_whose_turn_it_is():
    game = Game()
    game.play("music-1#1")
    game.tap("music-1#1", 2).refused("X5.9", "lies-elsewhere")
    game.stop()
    game.tap("music-1#1", 1).ignored("X5.9", "already-there")
