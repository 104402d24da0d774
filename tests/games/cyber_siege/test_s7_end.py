"""S7: the end."""

from __future__ import annotations

import pytest

from games.cyber_siege.table import Game, attacked


def lay_set(game: Game, number: int, times: int = 1) -> None:
    """Lay whole sets of one number at the seat on turn."""
    for _ in range(times):
        game.lay(f"set-{number}", *(f"{number}.{index}" for index in range(1, 5)))


# S7.1


def test_s7_1_points_are_one_point_cards_and_the_sizes_of_sets():
    game = Game()
    lay_set(game, 1)
    game.correct(1, one_points=3)
    assert game.team(1)["points"] == 7


def test_s7_1_the_game_ends_when_somebody_has_16():
    game = Game()
    for number in (1, 2, 3):
        lay_set(game, number)
    assert game.team(1)["points"] == 12
    red_pile, red = game.state["red_pile"], game.team(1)["red"]
    answer = game.lay("set-4", "4.1", "4.2", "4.3", "4.4")
    assert answer.types == ["card-laid", "set-laid", "game-over"]
    state = game.state
    assert state["outcome"]["by"] == "points"
    assert (state["red_pile"], state["teams"][0]["red"]) == (red_pile, red - 4)
    assert (state["pending"], state["laying"], state["owed"], state["turn"]["seat"]) == (None, None, 0, 1)
    assert state["discard"][-4:] == ["4.1#1", "4.2#1", "4.3#1", "4.4#1"]


def test_s7_1_at_the_instant_of_a_defence():
    game = attacked(target_points=1)
    answer = game.tap("1.3#1", 2).accepted()
    assert answer.types == ["defended", "game-over"]
    state = game.state
    assert (state["window"], state["turn"]["seat"], state["red_pile"]) == (None, 1, 63)
    assert (state["teams"][1]["red"], state["discard"]) == (4, ["1.1#1", "1.3#1"])
    assert state["outcome"]["winner"] == [2]


@pytest.mark.parametrize("card", ["1.2", "2.2", "3.2", "4.2"])
def test_s7_1_at_the_instant_of_a_hit_whose_effect_is_left_out(card: str):
    game = Game(target_points=2)
    game.correct(1, one_points=1)
    game.correct(2, one_points=1)
    answer = game.hit(card)
    assert answer.types == ["hit", "game-over"]
    state = game.state
    assert (state["teams"][1]["one_points"], state["pending"], state["owed"]) == (1, None, 0)
    assert (state["turn"]["seat"], state["turn"]["draw"]) == (1, "red")


def test_s7_1_at_the_instant_of_a_correction():
    game = Game()
    assert game.correct(2, one_points=16).types == ["corrected", "game-over"]
    assert game.state["outcome"] == {
        "winner": [2],
        "by": "points",
        "ranking": [{"seats": [2], "points": 16, "place": 1}, {"seats": [1], "points": 0, "place": 2}],
    }


# S7.2


def test_s7_2_the_game_ends_when_the_last_set_card_is_drawn():
    game = Game(target_points=99)
    game.correct(2, purple=17)
    lay_set(game, 1, 2)
    assert game.state["outcome"] is not None
    assert game.state["outcome"]["by"] == "purple"
    assert (game.state["purple_pile"], game.team(1)["purple"], game.team(1)["sets"]) == (0, 1, ["set-1#1", "set-1#2"])


# S7.3


@pytest.mark.parametrize(
    ("points", "places", "winner"),
    [
        ((16, 3, 16), [(1, 1), (3, 1), (2, 3)], [1, 3]),
        ((3, 17, 3), [(2, 1), (1, 2), (3, 2)], [2]),
        ((16, 16, 16), [(1, 1), (2, 1), (3, 1)], [1, 2, 3]),
        ((1, 2, 16), [(3, 1), (2, 2), (1, 3)], [3]),
    ],
)
def test_s7_3_equal_points_share_the_place(points: tuple[int, ...], places: list[tuple[int, int]], winner: list[int]):
    game = Game(3, target_points=99)
    for seat, count in enumerate(points, 1):
        game.correct(seat, one_points=count)
    game.correct(1, purple=16)
    outcome = game.state["outcome"]
    assert outcome["winner"] == winner
    assert [(place["seats"][0], place["place"]) for place in outcome["ranking"]] == places
    assert game.front.table.game.scoreboard(game.front.table.state).over


# S7.4


def over() -> Game:
    """Return a game that seat 2 has won."""
    game = Game()
    game.discard("1.3#1")
    game.correct(2, one_points=16)
    return game


def test_s7_4_every_tap_is_refused_and_presses_are_ignored():
    game = over()
    for card, pad in (("1.1", 1), ("1.3#1", 2), ("1.3#1", "discard"), ("set-1", 2)):
        game.tap(card, pad).refused("S7.4", "game-over")
    game.tap("9.9#9", 1).fault()
    for seat in (1, 2):
        game.press(seat).ignored("S7.4", "game-is-over")
    assert (game.legal, game.controls, game.button_actions) == ([], [], (None, None))


def test_players_may_end_the_game_as_it_stands():
    game = Game(3)
    game.correct(2, one_points=3)
    answer = game.control("end-game").accepted()
    assert answer.types == ["game-over"]
    assert game.state["outcome"]["by"] == "agreement"
    assert game.state["outcome"]["winner"] == [2]
