"""S4: sets."""

from __future__ import annotations

import pytest

from games.cyber_siege.table import Game, manifest

SET_1 = ("1.1#1", "1.2#1", "1.3#1", "1.4#1")

# S4.1


def test_s4_1_a_set_card_on_the_own_pad_then_its_red_cards_in_any_order():
    game = Game()
    assert game.tap("set-1#2").announcement("card-laid") == {"seat": 1, "card": "set-1#2"}
    state = game.state
    assert (state["pending"], state["laying"]) == ("set", {"card": "set-1#2", "red": []})
    assert state["teams"][0]["purple"] == 1
    for card in ("1.4#1", "1.1#2", "1.3#3"):
        game.tap(card).accepted()
    assert game.state["laying"] == {"card": "set-1#2", "red": ["1.4#1", "1.1#2", "1.3#3"]}
    assert game.team(1)["red"] == 3


@pytest.mark.parametrize("card", ["1.1", "1.3", "admin"])
def test_s4_1_a_red_card_without_a_set_card_is_refused(card: str):
    game = Game()
    game.tap(card, 1).refused("S4.1", "set-card-first")
    game.lay("set-1", *SET_1)
    game.tap(card, 1).refused("S4.1", "set-card-first")


# S4.2


@pytest.mark.parametrize("card", ["2.1", "1.1", "4.4"])
def test_s4_2_a_red_card_must_be_one_that_the_set_still_misses(card: str):
    game = Game()
    game.lay("set-1", "1.1")
    game.tap(card, 1).refused("S4.2", "not-in-set")


def test_s4_2_a_name_that_is_listed_twice_is_needed_twice():
    game = Game(deck=manifest())
    game.lay("set-2", "2.3")
    game.tap("1.1", 1).refused("S4.2", "not-in-set")
    game.tap("2.3").accepted()
    assert game.team(1)["points"] == 2


# S4.3


def test_s4_3_any_number_of_admins_each_for_any_missing_card():
    game = Game()
    answer = game.lay("set-1", "admin#1", "admin#2", "admin#3", "admin#4")
    assert answer.announcement("set-laid") == {"seat": 1, "card": "set-1#1", "points": 4}
    assert game.team(1)["points"] == 4


# S4.4


@pytest.mark.parametrize(("card", "pad"), [("set-2", 1), ("set-1", 1), ("1.2", "discard"), ("set-2", "discard")])
def test_s4_4_until_it_is_full_only_its_cards_are_accepted(card: str, pad: int | str):
    game = Game()
    game.lay("set-1", "1.1")
    game.tap(card, pad).refused("S4.4", "set-open")


def test_s4_4_the_own_button_breaks_it_off():
    game = Game()
    game.lay("set-1#1", "1.4#1", "admin#1")
    assert game.button_actions == ("break-off", None)
    game.press(2).ignored("S5.4", "no-press-awaited")
    answer = game.press(1).accepted()
    assert answer.types == ["set-taken-back"]
    assert answer.announcement("set-taken-back")["cards"] == ["set-1#1", "1.4#1", "admin#1"]
    state = game.state
    assert (state["pending"], state["laying"], state["turn"]["draw"]) == (None, None, "red")
    assert (state["teams"][0]["red"], state["teams"][0]["purple"]) == (6, 2)
    game.discard("1.4#1").accepted()


# S4.5


def test_s4_5_a_full_set():
    game = Game()
    answer = game.lay("set-1#3", "1.4#1", "1.2#1", "1.3#1", "1.1#1")
    assert answer.types == ["card-laid", "set-laid", "card-drawn"]
    assert answer.announcement("card-drawn") == {"seat": 1, "from": "red", "cards": 4}
    state = game.state
    assert state["discard"] == state["turn"]["used"] == ["1.4#1", "1.2#1", "1.3#1", "1.1#1"]
    assert state["teams"][0] == {
        "seats": [1], "points": 4, "one_points": 0, "sets": ["set-1#3"], "red": 6, "purple": 1
    }  # fmt: skip
    assert (state["red_pile"], state["purple_pile"], state["pending"], state["laying"]) == (59, 16, None, None)
