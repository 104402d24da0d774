"""S3: turns, draws, the empty red pile, and times."""

from __future__ import annotations

import pytest

from games.cyber_siege.table import Game, attacked, launching

# S3.1


@pytest.mark.parametrize(("card", "pad"), [("set-1", 2), ("1.1", 2), ("1.3", 3), ("admin", 3)])
def test_s3_1_only_the_own_pad_and_the_discard_pad_count(card: str, pad: int):
    Game(3).tap(card, pad).refused("S3.1", "not-on-turn")


def test_s3_1_a_red_card_on_the_discard_pad_ends_the_turn():
    game = Game()
    answer = game.discard("1.3#1").accepted()
    assert answer.types == ["card-drawn", "card-discarded", "turn-started"]
    assert answer.announcement("card-discarded") == {"seat": 1, "card": "1.3#1"}
    assert answer.announcement("turn-started") == {"seat": 2}
    assert game.state["turn"] == {"seat": 2, "draw": None, "used": []}


# S3.2


def test_s3_2_the_top_of_the_discard_pile_goes_to_the_hand():
    game = Game()
    game.discard("1.3#1")
    answer = game.tap("1.3#1", 2).accepted()
    assert answer.announcement("card-drawn") == {"seat": 2, "from": "discard", "cards": 1}
    assert answer.types == ["card-drawn"]
    state = game.state
    assert (state["discard"], state["red_pile"], state["teams"][1]["red"]) == ([], 63, 6)
    assert state["turn"]["draw"] == "discard"


def test_s3_2_only_once_a_turn_and_before_anything_else():
    game = Game()
    for card in ("1.3#1", "1.3#2"):
        game.discard(card)
    game.tap("1.3#2", 1).accepted()
    game.tap("1.3#1", 1).refused("S3.2", "already-drawn")
    game = Game()
    game.discard("1.3#1")
    game.tap("set-1")
    game.press()
    game.tap("1.3#1", 2).refused("S3.2", "already-drawn")


def test_s3_2_what_the_own_set_has_used_lies_on_the_pad_until_the_turn_ends():
    game = Game()
    game.lay("set-1", "1.1#1", "1.2#1", "1.3#1", "1.4#1")
    game.lay("set-1", "1.4#2", "1.3#2", "1.2#2", "admin#1")
    used = ["1.1#1", "1.2#1", "1.3#1", "1.4#1", "1.4#2", "1.3#2", "1.2#2", "admin#1"]
    assert game.state["turn"]["used"] == game.state["discard"] == used
    for card in used:
        game.tap(card, 1).ignored("S8.2", "already-there")
        game.tap(card, "discard").ignored("S8.2", "already-there")
    game.stop()
    assert game.state["turn"]["used"] == []
    game.tap("admin#1", 1).refused("S8.2", "lies-elsewhere")


def test_s3_2_nobody_draws_back_the_card_just_defended_with():
    game = attacked()
    game.tap("1.3#1", 2).accepted()
    assert game.state["turn"] == {"seat": 2, "draw": None, "used": ["1.3#1"]}
    game.tap("1.3#1", 2).ignored("S8.2", "already-there")
    game.tap("1.1#1", 2).refused("S3.2", "not-on-top")
    game.stop()
    game.advance_to(2)
    assert game.state["turn"]["used"] == []


# S3.3


def test_s3_3_the_draw_is_inferred_with_the_first_accepted_tap():
    game = Game()
    assert game.state["turn"]["draw"] is None
    game.tap("1.1", 1).refused("S4.1", "set-card-first")
    assert game.state["turn"]["draw"] is None
    answer = game.tap("set-1").accepted()
    assert answer.announcement("card-drawn") == {"seat": 1, "from": "red", "cards": 1}
    assert answer.types == ["card-drawn", "card-laid"]
    state = game.state
    assert (state["turn"]["draw"], state["red_pile"], state["teams"][0]["red"]) == ("red", 63, 6)
    assert "card-drawn" not in game.tap("1.1").types


def test_s3_3_none_while_both_piles_are_empty_and_for_the_rest_of_the_turn():
    game = Game()
    game.drain()
    assert game.state["turn"]["draw"] == "none"
    game.correct(2, red=60)
    assert game.state["turn"]["draw"] == "none"
    game.discard("1.3")
    assert game.team(1)["red"] == 4
    assert game.state["turn"] == {"seat": 2, "draw": None, "used": []}


# S3.4


def empty_pile(discarded: str = "1.3#1") -> Game:
    """Return a game with an empty red pile, one discarded card, and seat 2's draw due."""
    game = Game()
    game.drain(left=1)
    game.discard(discarded)
    assert (game.state["red_pile"], game.state["discard"], game.seat) == (0, [discarded], 2)
    return game


def test_s3_4_an_empty_red_pile_asks_to_turn_the_discard_pile_over():
    game = Game()
    game.drain(left=1)
    assert game.discard("1.3").types == ["card-drawn", "reshuffle-due", "card-discarded", "turn-started"]
    assert game.controls == [{"control": "reshuffle"}]
    answer = game.control("reshuffle").accepted()
    assert answer.announcement("reshuffled")["red_pile"] == 1
    state = game.state
    assert (state["red_pile"], state["discard"], state["pending"]) == (1, [], None)


def test_s3_4_with_a_draw_due_only_the_top_of_the_discard_pile_or_the_reshuffle_is_open():
    game = empty_pile()
    for card, pad in (("2.3", "discard"), ("set-1", 2), ("1.1", 2), ("set-1", "discard")):
        game.tap(card, pad).refused("S3.4", "reshuffle-due")
    assert game.legal == [["1.3#1", 2]]
    game.tap("1.3#1", 2).accepted()
    game.discard("2.3").accepted()


def test_s3_4_no_reshuffle_in_a_launch_a_window_or_a_set():
    for open_something in (
        lambda game: game.discard("1.1"),
        lambda game: game.attack("1.1"),
        lambda game: game.tap("set-1"),
    ):
        game = Game()
        game.stop()
        game.tap("2.3#1", 2)
        game.stop()
        game.drain(left=1)
        open_something(game)
        assert game.state["red_pile"] == 0
        game.control("reshuffle").refused("S3.4", "no-reshuffle-due")


def owing() -> Game:
    """Return a game in which seat 1 has laid a set of four with two red cards left in the pile."""
    game = Game()
    game.tap("set-1")
    game.press()
    game.drain(left=2)
    game.lay("set-1", "1.1#1", "1.2#1", "1.3#1", "1.4#1")
    return game


def test_s3_4_a_replacement_takes_what_is_there_and_the_rest_is_owed():
    game = owing()
    state = game.state
    assert (state["pending"], state["owed"], state["red_pile"], state["teams"][0]["red"]) == ("reshuffle", 2, 0, 4)
    for card, pad in (("2.3", "discard"), ("set-1", 1), ("set-1", 2), ("1.4#1", 2)):
        game.tap(card, pad).refused("S3.4", "reshuffle-due")
    assert game.legal == []
    assert game.controls == [{"control": "reshuffle"}]
    game.press().ignored("S5.4", "no-press-awaited")


def test_s3_4_the_reshuffle_pays_what_is_owed_at_once():
    game = owing()
    answer = game.control("reshuffle").accepted()
    assert answer.types == ["reshuffled", "card-drawn"]
    assert answer.announcement("card-drawn") == {"seat": 1, "from": "red", "cards": 2}
    state = game.state
    assert (state["pending"], state["owed"], state["red_pile"], state["teams"][0]["red"]) == (None, 0, 2, 6)
    assert (state["discard"], state["turn"]) == ([], {"seat": 1, "draw": "red", "used": []})


# S3.5


@pytest.mark.parametrize(("at", "open_"), [(15.029999, True), (15.03, False)])
def test_s3_5_a_line_at_the_very_deadline_comes_after_it(at: float, open_: bool):
    game = launching()
    game.until(at)
    assert (game.state["pending"] == "launch") == open_


def test_s3_5_what_time_ends_has_ended_at_the_deadline_not_at_the_line():
    game = launching(settle_s=0)
    game.correct(2, red=0).refused("S8.3", "no-correction")
    answer = game.until(100)
    assert answer.types == ["spared", "turn-started"]
    game.tap("set-1")
    game.press(2)
    game.correct(2, red=0)
    game.press(2, pressed_at=14.999999).ignored("S3.5", "pressed-too-early")
    game.press(2, pressed_at=15).accepted()


def test_s3_5_while_paused_the_clock_stands():
    game = launching()
    game.until(12)
    game.control("pause").accepted()
    game.until(100)
    game.tap("1.1", 2).refused("R11", "paused")
    game.press(1).refused("R11", "paused")
    assert game.state["pending"] == "launch"
    assert game.legal == []
    assert game.controls == [{"control": "spare"}]
    game.control("resume").accepted()
    assert game.state["launch_until"] == 103
    game.until(102.9)
    game.press(1, pressed_at=97.9).ignored("S3.5", "pressed-too-early")
    game.press(1, pressed_at=98).accepted()


def test_s3_5_what_a_control_does_in_a_pause_is_done_when_the_pause_began():
    game = launching(defence_s=10)
    game.until(12)
    game.control("pause")
    game.until(50)
    game.control("spare").accepted()
    game.tap("2.3", "discard").refused("R11", "paused")
    game.until(60)
    game.control("resume")
    game.tap("set-1")
    game.press()
    game.correct(2, red=0)
    game.press(2, pressed_at=59.999999).ignored("S3.5", "pressed-too-early")
    game.press(2, pressed_at=60).accepted()


def test_s3_5_a_pause_moves_the_beginning_of_a_set_and_of_a_turn_too():
    game = Game()
    game.until(3)
    game.tap("set-1")
    game.control("pause")
    game.until(50)
    game.control("resume")
    game.press(1, pressed_at=49.999999).ignored("S3.5", "pressed-too-early")
    game.press(1, pressed_at=50).accepted()
    game.correct(1, red=0)
    game.press(1, pressed_at=46.999999).ignored("S3.5", "pressed-too-early")
    game.press(1, pressed_at=47).accepted()


def test_s3_5_uncertainty_plays_no_part():
    game = launching()
    game.until(15.01)
    answer = game.line({"at": 15.01, "press": 1, "pressed_at": 15, "uncertainty_s": 0.5})
    assert answer["verdict"] == "ignored"
