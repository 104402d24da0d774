"""S2: players, the starter, and a new game."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game

from games.cyber_siege.table import Game


def test_s2_1_two_to_four_play_everybody_alone():
    for players in (2, 3, 4):
        assert [team["seats"] for team in Game(players).state["teams"]] == [[seat] for seat in range(1, players + 1)]
    for players in (1, 5):
        with pytest.raises(ConfigError, match="2 to 4"):
            Game(players)


def test_there_is_one_edition():
    game = find_game("cyber-siege")
    assert game.editions == ("standard",)
    for edition in ("de", ""):
        with pytest.raises(ConfigError, match="edition"):
            game.new_game(GameOptions(2, edition, {}, None), 0, None)


def test_house_rules_have_their_ranges():
    fit = {"launch_s": ("2", "30"), "defence_s": ("2",), "settle_s": ("0", "1"), "target_points": ("1", "99")}
    for key, values in fit.items():
        for value in values:
            Game(**{key: value})
    wrong = {
        "launch_s": ("1.9", "30.1"),
        "defence_s": ("31",),
        "settle_s": ("1.1",),
        "target_points": ("0", "100", "16.5"),
        "patrol_window_s": ("5",),
    }
    for key, values in wrong.items():
        for value in values:
            with pytest.raises(ConfigError, match=key):
                Game(**{key: value})


def test_a_starter_that_is_not_at_the_table_is_refused():
    with pytest.raises(ConfigError, match="Seat 3"):
        Game(2, starter=3)


def test_s2_2_else_the_first_press_whenever_it_was_made():
    game = Game(3, starter=None)
    game.until(5)
    game.tap("1.1", 1).refused("S2.2", "no-starter")
    assert game.legal == []
    answer = game.press(3, pressed_at=0).accepted()
    assert answer.types == ["turn-started"]
    assert game.seat == 3


def test_s2_2_a_new_game_puts_everything_back():
    game = Game(3, starter=None)
    start = game.state
    game.press(2).accepted()
    game.hit()
    game.control("new-game").accepted()
    assert game.state == start
    game.control("take-back").ignored("R11", "nothing-to-take-back")
    game.press(1).accepted()
    assert game.seat == 1


def test_s2_2_the_agreed_starter_begins_the_next_game_too_if_another_won():
    game = Game(2, starter=2, target_points=1)
    game.attack()
    game.tap("1.3", 1).accepted()
    assert game.state["outcome"]["winner"] == [1]
    game.control("new-game").accepted()
    assert game.seat == 2


@pytest.mark.parametrize(("players", "red_pile", "purple_pile"), [(2, 64, 16), (3, 59, 14), (4, 54, 12)])
def test_s2_3_five_red_cards_and_two_set_cards_each(players: int, red_pile: int, purple_pile: int):
    state = Game(players).state
    assert (state["red_pile"], state["purple_pile"]) == (red_pile, purple_pile)
    for seat, team in enumerate(state["teams"], 1):
        assert team == {"seats": [seat], "points": 0, "one_points": 0, "sets": [], "red": 5, "purple": 2}
