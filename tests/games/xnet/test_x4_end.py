"""Chapter 4: the end, also of a game that the players end themselves."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError
from taptable.games.xnet.turns import outcome_by_points

from games.xnet.table import Game


def near_the_end(target: int = 12, players: int = 4) -> Game:
    """Return a game with news (level 3) and 4 users: seat 1 scores 12 at its next turn, then 24."""
    game = Game(players, target_points=target)
    game.play("news")
    for _ in range(2):
        game.buy("buy-users", "news", "news", users=2)
    return game


def test_x4_1_who_reaches_the_target_at_a_score_has_won_at_once():
    game = near_the_end()
    game.advance_to(4)
    pile, hand = game.state["draw_pile"], game.hand(1)
    answer = game.stop()
    assert answer.types == ["turn-started", "scored", "game-over"]
    assert answer.announcement("game-over") == {"winner": [1], "by": "points"}
    assert (game.state["draw_pile"], game.hand(1), game.seat) == (pile, hand, 1)
    assert game.state["outcome"] == {
        "winner": [1],
        "by": "points",
        "ranking": [
            {"seats": [1], "points": 12, "place": 1},
            {"seats": [2], "points": 0, "place": 2},
            {"seats": [3], "points": 0, "place": 2},
            {"seats": [4], "points": 0, "place": 2},
        ],
    }


def test_x4_1_120_points_win_unless_agreed_otherwise():
    assert Game().front.table.state.options.target_points == 120


@pytest.mark.parametrize("points", [9, 1000])
def test_x4_1_the_target_is_a_whole_number_from_10_to_999(points: int):
    with pytest.raises(ConfigError, match="from 10 to 999"):
        Game(target_points=points)


def test_x4_1_the_others_are_placed_by_points_and_equal_ones_share_the_place():
    game = Game(5, target_points=999)
    for seat, users in ((2, 1), (4, 1), (5, 2)):
        game.advance_to(seat)
        game.play("news")
        game.buy("buy-users", "news", "news", users=users)
    game.next_turn_of(1)
    while game.team(5)["points"] == 0:
        game.stop()
    outcome = outcome_by_points(game.front.table.state, 2)
    assert outcome.winners == (2,)
    assert outcome.ranking == ((2, 1), (5, 2), (4, 3), (1, 4), (3, 4))


@pytest.fixture
def over() -> Game:
    game = near_the_end()
    game.next_turn_of(1)
    return game


def test_x4_2_from_then_on_every_tap_and_action_is_refused(over: Game):
    over.tap("music", 1).refused("X4.2", "game-over")
    over.demand("news-9#1").refused("X4.2", "game-over")
    over.control("buy-server").refused("X4.2", "game-over")
    over.control("demand-new", level=1).refused("X4.2", "game-over")
    assert (over.legal, over.controls) == ([], [])


def test_players_may_end_a_running_game_by_points():
    game = near_the_end(target=999)
    game.next_turn_of(1)
    game.control("buy-server").accepted()
    game.discard("travel").accepted()
    answer = game.control("end-game").accepted()
    assert answer.announcement("game-over") == {"winner": [1], "by": "agreement"}
    assert game.state["outcome"]["ranking"][0] == {"seats": [1], "points": 12, "place": 1}
    assert (game.pending, game.state["discard"][-1][:4]) == (None, "news")


def test_there_is_nothing_to_end_before_the_start_or_twice():
    Game(starter=None, opening=()).control("end-game").refused("X1.2", "no-starter")
    game = Game()
    game.control("end-game").accepted()
    game.control("end-game").refused("X4.2", "game-over")
