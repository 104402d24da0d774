"""Pause and resume: every tap, hold and press is refused, deadlines stand still, and controls are accepted."""

from __future__ import annotations

from itertools import product

from games.online.table import Game, quotas


def paused(**settings: object) -> Game:
    """Seat 1 has shown a hacker at 10 s; paused at 12 s, with 3 s of the window left."""
    game = Game(3, **settings)
    game.play("online#1")
    game.wait(10)
    game.show_hacker()
    game.wait(2)
    game.control("pause").accepted()
    assert game.state["paused"]
    return game


def test_pause_every_tap_is_refused():
    game = paused()
    for card, pad in product(("online", "cyber-patrol", "online#1", "email"), (1, 2, "discard")):
        game.tap(card, pad).refused("R11", "paused")
    assert game.legal == []


def test_pause_every_hold_and_press_is_refused():
    game = paused()
    game.hold("online#1", 1).refused("R11", "paused")
    for seat in (1, 2, 3):
        game.press(seat).refused("R11", "paused")


def test_pause_at_any_time():
    over = Game(**quotas(email=1))
    over.play("online", "email")
    for game, rule in ((Game(starter=None), "R2.3"), (over, "R10.1")):
        game.control("pause").accepted()
        game.tap("online", 1).refused("R11", "paused")
        game.press(1).refused("R11", "paused")
        game.control("resume").accepted()
        game.tap("online", 1).refused(rule)


def test_pause_deadlines_stand_still():
    game = paused()
    assert game.wait(1000).types == []
    assert game.state["window"]["closes_at"] == 15


def test_pause_on_resuming_the_times_of_a_running_window_move_later():
    game = paused()
    game.wait(100)
    resumed = game.control("resume").accepted().said("resumed")
    assert resumed["paused_s"] == 100
    assert game.state["window"] == {"hacker": 1, "opened_at": 110, "closes_at": 115, "claim": None}
    game.wait(2.9)
    game.press(2).accepted()
    game.wait(0.03)
    assert game.state["window"]["claim"]["seat"] == 2


def test_pause_a_claim_moves_later():
    game = Game(3)
    game.show_hacker()
    game.press(2).accepted()
    game.wait(1)
    game.control("pause").accepted()
    game.wait(50)
    game.control("resume").accepted()
    assert game.state["window"]["claim"] == {"seat": 2, "until": 60.03}


def test_pause_a_naming_moves_later():
    game = Game(3, settle_s=0.5)
    game.show_hacker()
    game.wait(1)
    game.press(2).accepted()
    game.wait(0.2)
    game.control("pause").accepted()
    game.wait(50)
    game.control("resume").accepted()
    game.wait(0.299999)
    assert game.state["window"]["claim"] is None
    game.wait(0.000001)
    assert game.state["window"]["claim"]["seat"] == 2


def test_pause_a_time_limit_moves_later():
    game = Game(time_limit_s=60)
    game.wait(59)
    game.control("pause").accepted()
    game.wait(500)
    game.control("resume").accepted()
    assert game.wait(0.999999).types == []
    assert game.wait(0.000001).types == ["time-is-up"]


def test_pause_a_deadline_that_falls_on_it_has_passed_before():
    game = Game()
    game.show_hacker()
    game.now = 5.03
    assert game.control("pause").answer["announcements"][-1] == {"type": "paused"}
    assert game.state["pending"] == "hack"


def test_pause_a_second_one_is_ignored_and_a_resume_without_one():
    game = Game()
    game.control("resume").ignored("R11")
    game.control("pause").accepted()
    game.wait(3)
    game.control("pause").ignored("R11")
    game.wait(4)
    assert game.control("resume").accepted().said("resumed")["paused_s"] == 7
    game.control("resume").ignored("R11")


def test_pause_several_add_up():
    game = Game()
    game.show_hacker()
    for _ in range(3):
        game.wait(1)
        game.control("pause").accepted()
        game.wait(10)
        game.control("resume").accepted()
    assert game.state["window"]["closes_at"] == 35


def test_pause_time_never_falls_in_it():
    assert "at falls" in paused().error({"at": 11, "tap": "online#2", "pad": 1})


def test_pause_a_new_game_leaves_it_a_pause_and_begins_when_it_ends():
    game = Game(3, time_limit_s=60)
    game.play("online")
    game.wait(5)
    game.control("pause").accepted()
    game.wait(10)
    game.control("new-game").accepted()
    assert game.state["paused"]
    assert game.team(1)["connection"] == []
    game.tap("online", 1).refused("R11", "paused")
    game.wait(10)
    game.control("resume").accepted()
    assert game.wait(59.999999).types == []
    assert game.wait(0.000001).types == ["time-is-up"]


def test_pause_a_take_back_in_it():
    """The interface says *in a pause it leaves the pause*; as X.net's page (X5.7) puts it: it stays a pause."""
    game = paused()
    game.wait(50)
    game.control("take-back").accepted()
    assert game.state["paused"]
    assert game.state["window"] is None
    game.tap("email", 1).refused("R11", "paused")
    game.control("resume").accepted()
    game.tap("email", 1).accepted()


def test_pause_a_take_back_finds_the_window_as_far_as_it_had_run():
    game = Game(3)
    game.show_hacker()
    game.wait(1)
    game.press(2).accepted()
    game.wait(1)
    game.control("pause").accepted()
    game.wait(100)
    game.control("take-back").accepted()
    assert game.state["window"] == {"hacker": 1, "opened_at": 0, "closes_at": 5, "claim": None}
    game.wait(100)
    game.control("resume").accepted()
    assert game.state["window"] == {"hacker": 1, "opened_at": 200, "closes_at": 205, "claim": None}


def test_pause_a_take_back_across_it_finds_the_window_later_by_the_pause():
    game = Game(3)
    game.show_hacker()
    game.wait(1)
    game.press(2).accepted()
    game.control("pause").accepted()
    game.wait(100)
    game.control("resume").accepted()
    game.wait(1)
    game.control("take-back").accepted()
    assert game.state["window"] == {"hacker": 1, "opened_at": 100, "closes_at": 105, "claim": None}


def test_pause_with_nothing_to_take_back_it_stays():
    game = Game()
    game.control("pause").accepted()
    game.control("take-back").ignored("R11", "nothing-to-take-back")
    assert game.state["paused"]
