"""Take-back, as the rules page and the referee's interface say: every accepted tap, hold and press is a move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from games.online.table import Game, quotas
from games.table import Answer


def ready() -> Game:
    """Three players; seat 2 has a line, seat 1 has one e-mail it may back up, and is on turn at 10 s."""
    game = Game(3, quota_email=1)
    game.lay(2, "online#1", "music#1")
    game.lay(1, "online#2", "email#1")
    game.wait(10)
    return game


def assert_taken_back(game: Game, move: Callable[[], Answer]) -> None:
    """Something is accepted, and undone by a take-back."""
    before = game.state
    move().accepted()
    assert game.state != before
    assert "move-taken-back" in game.control("take-back").accepted().types
    assert game.state == before


def test_take_back_undoes_the_last_move():
    game = ready()
    for card, pad in (
        ("extra-memory", 1),
        ("music", 1),
        ("virus", 2),
        ("movie", "discard"),
        ("hacker", 1),
        ("search", 1),
    ):
        assert_taken_back(game, partial(game.tap, card, pad))
    assert_taken_back(game, lambda: game.hold("email#1"))
    assert_taken_back(game, game.press)


def test_take_back_undoes_a_reaction():
    game = ready()
    game.tap("virus", 2).accepted()
    assert_taken_back(game, lambda: game.tap("antivirus", 2))


def test_take_back_undoes_what_became_of_a_hack_or_a_search():
    game = ready()
    game.play("turbo-line", "search")
    for become in (lambda: game.tap("extra-memory"), game.press):
        assert_taken_back(game, become)
    game.press().accepted()
    game.hack()
    for become in (lambda: game.tap("music#1", 1), lambda: game.tap("online#1", "discard"), game.press):
        assert_taken_back(game, become)


def test_take_back_undoes_a_buzz():
    game = ready()
    game.show_hacker()
    game.press(2).accepted()
    game.control("take-back").accepted()
    game.wait(1)
    assert game.state["window"]["claim"] is None
    game.press(2).accepted()


def test_take_back_undoes_a_buzz_whose_claim_runs():
    game = ready()
    game.show_hacker()
    game.press(2).accepted()
    game.wait(1)
    assert game.state["window"]["claim"]["seat"] == 2
    game.control("take-back").accepted()
    assert game.state["window"]["claim"] is None
    game.wait(4.03)
    assert game.state["pending"] == "hack"


def test_take_back_undoes_a_patrol():
    game = ready()
    game.show_hacker()
    game.press(2).accepted()
    game.wait(1)
    assert_taken_back(game, lambda: game.tap("cyber-patrol", 2))
    assert (game.seat, game.state["skips"]) == (1, [])


def test_take_back_deadlines_are_not_moved():
    game = ready()
    game.show_hacker()
    game.press(2).accepted()
    game.wait(3)
    game.control("take-back").accepted()
    assert game.state["window"]["closes_at"] == 15


def test_take_back_deadlines_already_past_take_effect_at_once():
    game = ready()
    game.show_hacker()
    game.press(2).accepted()
    game.wait(8)
    assert game.state["window"]["claim"]["seat"] == 2
    answer = game.control("take-back").accepted()
    assert answer.types == ["move-taken-back", "window-closed", "hack-began"]
    assert game.state["pending"] == "hack"


def test_take_back_a_time_limit_already_past_takes_effect_at_once():
    game = Game(time_limit_s=10)
    game.discard("email").accepted()
    game.wait(5)
    game.stop()
    game.wait(7)
    game.stop().said("game-ended")
    assert game.control("take-back").accepted().types == ["move-taken-back"]
    assert (game.seat, game.state["outcome"]) == (2, None)
    assert "time-is-up" in game.control("take-back").accepted().types
    assert game.seat == 1
    game.stop().said("game-ended")


def test_take_back_goes_back_across_turns_to_the_start():
    game = Game(3)
    states = [game.state]
    for act in (
        lambda: game.tap("online"),
        lambda: game.tap("email"),
        game.press,
        lambda: game.tap("virus", 1),
        lambda: game.tap("antivirus", 1),
        game.press,
    ):
        act().accepted()
        states.append(game.state)
    for state in reversed(states[:-1]):
        game.control("take-back").accepted()
        assert game.state == state
    game.control("take-back").ignored("R11", "nothing-to-take-back")


def test_take_back_undoes_the_naming_of_the_starter():
    game = Game(starter=None)
    game.press(2).accepted()
    game.control("take-back").accepted()
    assert game.state["turn"]["seat"] is None
    game.press(1).accepted()
    assert game.seat == 1


def test_take_back_undoes_the_end():
    game = Game(**quotas(email=1))
    game.play("online", "email")
    game.control("take-back").accepted()
    assert game.state["outcome"] is None
    game.play("email")


def test_take_back_goes_no_further_than_the_start_a_new_game_or_a_reshuffle():
    game = Game()
    for last in ("start", "new-game", "reshuffle"):
        if last != "start":
            game.play("online")
            game.control(last).accepted()
        game.control("take-back").ignored("R11", "nothing-to-take-back")
        assert_taken_back(game, lambda: game.tap("extra-memory"))
        game.control("take-back").ignored("R11", "nothing-to-take-back")


def test_take_back_is_not_stopped_by_what_was_not_accepted():
    game = Game()
    before = game.state
    game.play("online#1")
    game.tap("online#1").ignored("R11")
    game.tap("online").refused("R4.1")
    game.tap("joker").fault()
    game.press(2).ignored("R3.7")
    game.control("resume").ignored("R11")
    game.control("take-back").accepted()
    assert game.state == before


def test_take_back_a_refused_reshuffle_forgets_nothing():
    game = Game(**quotas(email=1))
    game.play("online", "email")
    assert game.control("reshuffle").answer["verdict"] != "accepted"
    game.control("take-back").accepted()
    assert game.state["outcome"] is None


def test_take_back_time_passing_is_no_move():
    game = Game()
    before = game.state
    game.show_hacker()
    game.wait(6)
    assert game.state["pending"] == "hack"
    game.control("take-back").accepted()
    assert game.state == before
