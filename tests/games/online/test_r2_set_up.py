"""R2.6 of docs/referee.md: a new game with other options."""

from __future__ import annotations

from taptable.core.game_options import GameOptions
from taptable.core.observations import GameSetUp

from games.online.table import Game, quotas


def test_r2_6_players_edition_and_house_rules_are_as_agreed_now():
    game = Game(2)
    game.play("online")
    game.set_up(4, edition="en", starter=3, patrol_window_s=9).accepted()
    assert [team["seats"] for team in game.state["teams"]] == [[1, 3], [2, 4]]
    assert (game.seat, game.state["draw_pile"], game.team(1)["connection"]) == (3, 84, [])
    game.show_hacker()
    assert game.state["window"]["closes_at"] == 9.0
    game.until(10)
    game.press(3).accepted()
    game.tap("email", 3).refused("R5.1")


def test_r2_6_what_cant_be_agreed_on_is_refused_and_the_game_goes_on():
    game = Game(2)
    game.play("online")
    for refused in (
        game.set_up(7),
        game.set_up(4, edition="es"),
        game.set_up(4, teams="solo"),
        game.set_up(2, starter=3),
        game.set_up(2, claim_s=0),
        game.set_up(2, **quotas()),
        game.tell(lambda at_us: GameSetUp(at_us, "solitaire", GameOptions(2, "de", {}, None), keep_next_starter=True)),
    ):
        refused.refused("R2.6", "cant-be-agreed")
    game.tap("email", 1).accepted()
    game.control("take-back").accepted()


def test_r2_6_the_winner_begins_if_the_players_say_so():
    for heir_kept, starter, begins in ((True, 1, 2), (False, 1, 1), (False, None, None)):
        game = Game(3, starter=2, **quotas(email=1))
        game.play("online", "email")
        assert game.set_up(3, starter=starter, keep_next_starter=heir_kept).announcement("game-began")["seat"] == begins


def test_r2_6_a_winner_whose_seat_isnt_played_begins_nothing():
    for players, begins in ((3, 3), (2, None)):
        game = Game(3, starter=3, **quotas(email=1))
        game.play("online", "email")
        assert game.set_up(players, keep_next_starter=True).announcement("game-began")["seat"] == begins


def test_r2_6_the_next_new_game_is_agreed_on_as_this_one():
    game = Game(2)
    game.set_up(5, starter=4).accepted()
    game.control("new-game").accepted()
    assert (game.players, game.seat) == (5, 4)


def test_r2_6_nothing_before_it_is_taken_back():
    game = Game(2)
    game.play("online")
    game.set_up(3, starter=1).accepted()
    game.control("take-back").ignored("R11", "nothing-to-take-back")


def test_r2_6_a_pause_stays_a_pause():
    game = Game(2)
    game.control("pause").accepted()
    game.wait(10)
    game.set_up(3, starter=1, time_limit_s=60).accepted()
    assert game.state["paused"]
    game.wait(100)
    game.control("resume").accepted()
    assert "time-is-up" not in game.wait(59).types
    assert "time-is-up" in game.wait(1).types
