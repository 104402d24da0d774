"""Chapter 1: setup."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.games.xnet.game import Xnet

from games.xnet.table import OPENING, Game

EXTRA = {3: [0, 0, 1], 4: [0, 0, 1, 2], 5: [0, 0, 1, 1, 2], 6: [0, 0, 1, 1, 2, 2]}


@pytest.mark.parametrize("players", EXTRA)
def test_x1_1_a_team_of_one_seat_each_with_one_server_the_net_for_4_no_users_and_5_cards(players: int):
    game = Game(players, starter=None, opening=())
    assert game.state["teams"] == [
        {"seats": [seat], "points": 0, "users": 0, "net": 4, "servers": 1, "streamers": 0, "topics": [], "hand": 5}
        for seat in range(1, players + 1)
    ]
    assert game.state["draw_pile"] == 216 - 5 * players
    assert game.state["specialists"] == 16


@pytest.mark.parametrize("players", EXTRA)
@pytest.mark.parametrize("starter", [1, 3])
def test_x1_1_extra_cards_by_place_in_turn_order_once_the_starter_is_known(players: int, starter: int):
    game = Game(players, starter=None, opening=())
    game.press(starter).accepted()
    hands = [game.hand((starter - 1 + place) % players + 1) - 5 for place in range(players)]
    assert hands == EXTRA[players]
    assert game.state["draw_pile"] == 216 - 5 * players - sum(EXTRA[players])


@pytest.mark.parametrize("players", [1, 2, 7])
def test_x1_1_it_is_played_by_3_to_6(players: int):
    with pytest.raises(ConfigError, match="3 to 6"):
        Game(players)


def test_x1_2_the_starter_may_be_agreed():
    game = Game(4, starter=3, opening=())
    assert game.turn == {
        "seat": 3,
        "phase": "setup",
        "new": False,
        "replaced": False,
        "must_offer": None,
        "owed": 0,
    }
    assert [game.hand(seat) for seat in (1, 2, 3, 4)] == [6, 7, 5, 5]


def test_x1_2_else_the_first_press_names_the_starter_and_play_goes_clockwise_from_there():
    game = Game(3, starter=None, opening=())
    assert (game.turn["seat"], game.turn["phase"]) == (None, "setup")
    game.press(2).accepted()
    game.play(*OPENING, pad="demand")
    seats = [game.seat]
    for _ in range(3):
        game.stop()
        seats.append(game.seat)
    assert seats == [2, 3, 1, 2]


@pytest.mark.parametrize("pad", [1, 2, "discard", "demand"])
def test_x1_2_until_then_every_tap_is_refused(pad: int | str):
    Game(3, starter=None, opening=()).tap("art-1#1", pad).refused("X1.2", "no-starter")


@pytest.mark.parametrize("starter", [None, 2])
def test_x1_2_a_new_game_puts_everything_back_the_naming_of_the_starter_included(starter: int | None):
    game = Game(3, starter=starter, opening=())
    beginning = game.state
    if starter is None:
        game.press(3).accepted()
    game.play(*OPENING, pad="demand")
    game.new_demand("travel", 1)
    game.control("new-game").accepted()
    assert game.state == beginning


def test_x1_3_only_topic_cards_are_in_the_deck():
    assert Game().tap("server#1", 1).fault()


def test_x1_4_three_cards_of_the_draw_pile_fill_the_first_places_from_below():
    game = Game(3, opening=())
    for level, card in enumerate(OPENING, 1):
        pile, hands = game.state["draw_pile"], [game.hand(seat) for seat in (1, 2, 3)]
        said = game.demand(card).accepted().announcement("demand-laid")
        assert (said["card"], said["level"], said["place"]) == (card, level, 1)
        if level < 3:
            assert game.state["draw_pile"] == pile - 1
            assert [game.hand(seat) for seat in (1, 2, 3)] == hands
    assert game.state["demand"] == [
        {"level": level, "place": 1, "card": card, "x": None} for level, card in enumerate(OPENING, 1)
    ]


def test_x1_4_a_topic_that_is_already_there_is_refused_and_another_card_comes():
    game = Game(3, opening=("art-1#1",))
    game.demand("art-2#1").refused("X1.4", "topic-in-demand")
    game.demand("music-5#1").accepted()
    game.demand("music-5#2").refused("X1.4", "topic-in-demand")


def test_x1_4_with_the_third_the_starter_s_turn_begins():
    game = Game(3, opening=OPENING[:2])
    answer = game.demand(OPENING[2]).accepted()
    assert answer.types == ["demand-laid", "turn-started", "scored", "cards-drawn"]
    assert (game.turn["seat"], game.turn["phase"], game.hand(1)) == (1, "actions", 10)


def test_there_is_one_edition():
    assert Xnet().editions == ("standard",)
    with pytest.raises(ConfigError, match="no edition 'de'"):
        Xnet().new_game(GameOptions(3, "de", {}, None), 0, None)


@pytest.mark.parametrize("starter", [0, 4])
def test_the_starter_sits_at_the_table(starter: int):
    with pytest.raises(ConfigError, match="the seats are 1 to 3"):
        Game(3, starter=starter)


def test_who_won_the_last_game_of_another_kind_doesn_t_begin_this_one():
    state, _ = Xnet().new_game(GameOptions(3, "standard", {}, None), 0, next_starter=2)
    assert state.turn is None
    assert Xnet().next_starter(state) is None


def test_x1_4_other_pads_wait_for_the_pyramid():
    game = Game(3, starter=2, opening=("art-1#1",))
    game.tap("music-5#1", 2).refused("X1.4", "demand-first")
    game.tap("music-5#1", 1).refused("X2.1", "not-on-turn")
