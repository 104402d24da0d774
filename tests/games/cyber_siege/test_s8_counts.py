"""S8: counts, corrections and take-back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from taptable.core.observations import Pad

from games.cyber_siege.table import Game, attacked, launching, manifest

# S8.1


def test_s8_1_with_no_red_card_left_a_hidden_one_cant_be_tapped():
    game = Game()
    game.tap("set-1")
    game.press()
    game.correct(1, red=1)
    game.lay("set-1", "1.1")
    game.tap("1.2", 1).refused("S8.1", "hand-used-up")
    game.tap("2.1", 1).refused("S4.2", "not-in-set")


def test_s8_1_a_draw_that_is_due_is_counted_in():
    game = Game()
    game.correct(1, red=0)
    game.discard("1.3").accepted()
    assert game.team(1)["red"] == 0


# S8.2


@pytest.mark.parametrize(
    ("card", "pad", "where"),
    [("1.3#1", 1, "discard pile"), ("set-1#1", 1, "seat 2"), ("set-1#1", "discard", "seat 2"), ("1.3#1", 3, "discard")],
)
def test_s8_2_the_place_of_an_open_card_is_reported(card: str, pad: Pad, where: str):
    game = Game(3)
    game.discard("1.3#1")
    game.lay("set-1#1", "1.1", "1.2", "1.3#2", "1.4")
    answer = game.tap(card, pad).refused("S8.2", "lies-elsewhere")
    assert where in answer.answer["say"]


# S8.3


def test_s8_3_a_correction_sets_new_counts_and_the_piles_change_the_other_way():
    game = Game()
    answer = game.correct(2, red=7, purple=1, one_points=4).accepted()
    assert answer.announcement("corrected") == {"seat": 2, "red": 7, "purple": 1, "one_points": 4}
    state = game.state
    assert (state["red_pile"], state["purple_pile"]) == (62, 17)
    assert state["teams"][1] == {"seats": [2], "points": 4, "one_points": 4, "sets": [], "red": 7, "purple": 1}


@pytest.mark.parametrize(("field", "most"), [("red", 69), ("purple", 17)])
def test_s8_3_no_pile_goes_below_0(field: str, most: int):
    Game().correct(1, **{field: most}).accepted()
    game = Game()
    game.correct(1, **{field: most + 1 + (field == "purple")}).refused("S8.3", "no-correction")


@pytest.mark.parametrize(
    "open_something",
    [
        lambda game: game.discard("1.1"),
        lambda game: game.attack("1.1"),
        lambda game: game.tap("set-1"),
    ],
)
def test_s8_3_only_with_no_window_and_nothing_pending(open_something: Callable[[Game], Any]):
    game = Game()
    open_something(game)
    game.correct(2, red=4).refused("S8.3", "no-correction")


def test_s8_3_a_correction_without_a_seat_or_a_whole_count_is_no_valid_line():
    seats: list[dict[str, object]] = [{}, {"seat": 1}, {"red": 3}]
    seats += ({"seat": seat, "red": 3} for seat in (3, 0, "1"))
    counts = (("red", -1), ("red", 2.5), ("red", True), ("red", None), ("one_points", "2"), ("points", 2))
    for fields in (*seats, *({"seat": 1, count: number} for count, number in counts)):
        assert Game().error({"control": "correct", **fields}), fields


def test_s8_4_the_piles_are_what_is_left_of_74_red_and_20_purple_cards():
    game = Game(2)
    game.correct(1, red=10, purple=5).accepted()
    red, purple = game.team(2)["red"], game.team(2)["purple"]
    assert (game.state["red_pile"], game.state["purple_pile"]) == (74 - 10 - red, 20 - 5 - purple)
    # and no card is gained or lost by any line of any other test: Game._check_counts


# S8.5


MOVES: list[tuple[Callable[[], Game], Callable[[Game], Any]]] = [
    (lambda: Game(starter=None), lambda game: game.press(2)),
    (Game, lambda game: game.tap("set-1")),
    (Game, lambda game: game.discard("1.3")),
    (Game, lambda game: game.correct(1, red=3)),
    (launching, lambda game: game.press(1)),
    (launching, lambda game: game.control("spare")),
    (Game, lambda game: game.control("end-game")),
    (attacked, lambda game: game.tap("1.3", 2)),
    (attacked, lambda game: game.press(2)),
]


def without_times(state: dict[str, Any]) -> dict[str, Any]:
    window = state["window"] and {key: value for key, value in state["window"].items() if not key.endswith("_at")}
    return {**state, "window": window, "launch_until": state["launch_until"] is not None}


@pytest.mark.parametrize(("begin", "move"), MOVES)
def test_s8_5_take_back_undoes_the_last_move(begin: Callable[[], Game], move: Callable[[Game], Any]):
    game = begin()
    before = game.state
    move(game).accepted()
    assert without_times(game.state) != without_times(before)
    game.control("take-back").accepted()
    assert without_times(game.state) == without_times(before)


def test_s8_5_a_reopened_window_restarts_with_its_full_time():
    game = attacked()
    game.until(40)
    game.control("take-back").accepted()
    assert (game.state["pending"], game.state["launch_until"]) == ("launch", 45)
    game.press(1, pressed_at=39.9).ignored("S3.5", "pressed-too-early")
    game.press(1).accepted()
    game.tap("1.3", 2).accepted()
    game.until(41)
    game.control("take-back")
    assert game.state["window"]["opened_at"] == 41
    assert game.state["window"]["closes_at"] == 51
    game.press(2, pressed_at=40.9).ignored("S3.5", "pressed-too-early")


def test_s8_5_never_a_reshuffle_or_anything_before_one():
    game = Game()
    game.drain(left=1)
    game.discard("1.3")
    game.control("reshuffle").accepted()
    game.control("take-back").ignored("R11", "nothing-to-take-back")
    game.discard("2.3")
    game.control("take-back").accepted()
    game.control("take-back").ignored("R11", "nothing-to-take-back")


def test_a_hold_means_nothing():
    game = Game()
    game.tap("set-1#1")
    game.hold("set-1#1", 1).ignored("S3.1", "nothing-to-hold")
    game.hold("5.5#1", 1).fault()


# what a check of the table has found


def test_a_check_puts_counts_sets_and_the_discard_pile_right():
    game = Game()
    game.discard("1.3#1")
    laid, counts = (("set-2#1", 1), ("4.4#1", "discard")), ((1, "red", 3), (2, "purple", 1))
    assert game.correct_table(*laid, gone=("1.3#1",), counts=counts).accepted().types == ["table-put-right"]
    state = game.state
    assert state["discard"] == ["4.4#1"]
    assert state["teams"][0] == {
        "seats": [1], "points": 4, "one_points": 0, "sets": ["set-2#1"], "red": 3, "purple": 2
    }  # fmt: skip
    assert (state["red_pile"], state["purple_pile"], state["teams"][1]["purple"]) == (65, 16, 1)
    game.control("take-back").ignored("R11", "nothing-to-take-back")


def test_a_check_that_cant_be_is_refused():
    for laid in (("set-1#1", "discard"), ("1.1#1", 1)):
        Game().correct_table(laid).refused("S1.5", "lies-in-no-row")
    for count in ((1, "red", 70), (1, "purple", 19)):
        Game().correct_table(counts=(count,)).refused("S8.3", "no-correction")


def test_a_check_of_unknown_cards_is_a_fault():
    Game().correct_table(("9.9#1", 1)).fault()
    Game().correct_table(gone=("9.9#1",)).fault()


def test_a_check_is_for_when_nothing_is_open():
    launching().correct_table(gone=("1.1#1",)).refused("S8.3", "no-correction")
    attacked().correct_table(gone=("1.1#1",)).refused("S8.3", "no-correction")


def test_a_check_may_end_the_game():
    game = Game(deck=manifest(), target_points=2)
    assert game.correct_table(("set-1#1", 2)).types == ["table-put-right", "game-over"]
