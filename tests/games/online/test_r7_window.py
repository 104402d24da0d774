"""R7.1 and R7.2: the hacker's window, and who was first."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError

from games.online.table import Game, window

# R7.1


def test_r7_1_a_hacker_on_ones_own_pad_opens_the_window():
    game = window()
    assert game.state["window"] == {"hacker": 1, "opened_at": 10, "closes_at": 15, "claim": None}
    assert game.state["discard"] == ["hacker#1"]
    assert game.state["pending"] is None


def test_r7_1_on_a_pad_of_a_team_mate_too_but_of_no_opponent():
    game = Game(4)
    for pad in (2, 4):
        game.tap("hacker", pad).refused("R7.1")
    game.tap("hacker", 3).accepted()
    assert game.state["window"]["hacker"] == 1


def test_r7_1_the_window_takes_2_to_30_seconds():
    for seconds in ("2", "30", "7.5"):
        assert window(patrol_window_s=seconds).state["window"]["closes_at"] == 10 + float(seconds)
    for seconds in ("1.9", "31"):
        with pytest.raises(ConfigError):
            Game(patrol_window_s=seconds)


def test_r7_1_no_hidden_card_while_the_window_is_there():
    game = Game(3)
    game.lay(1, "online")
    game.lay(2, "online")
    game.to(1)
    game.show_hacker()
    taps = (("turbo-line", 1), ("email", 1), ("virus", 2), ("music", "discard"), ("search", 1), ("hacker", 1))
    for card, pad in taps:
        game.tap(card, pad).refused("R7.1")
    game.wait(5.029)
    for card, pad in taps:
        game.tap(card, pad).refused("R7.1")
    game.wait(0.001)
    game.press().accepted()
    for card, pad in taps[:5]:
        game.tap(card, pad).accepted()


def test_r7_1_nothing_of_the_hack_may_happen_before_the_window_closes():
    game = Game()
    game.lay(2, "online#1")
    game.to(1)
    game.show_hacker()
    game.tap("online#1", "discard").refused("R11")
    game.wait(5.03)
    game.tap("online#1", "discard").accepted()


def test_r7_1_while_a_claim_runs_beyond_the_window_too():
    game = window(3)
    game.buzz(2, 14)
    game.until(20)
    game.tap("online", 1).refused("R7.1")
    game.press(1).ignored("R3.7")


# R7.2


def test_r7_2_any_other_player_may_buzz():
    for seat in (2, 3, 4):
        game = window()
        game.press(seat).accepted()
    window().press(1).ignored("R3.7")


def test_r7_2_the_earliest_press_wins_by_the_time_it_was_pressed_not_by_the_time_it_arrived():
    game = window()
    game.buzz(2, 12.020, pressed_at=12.020)
    game.buzz(3, 12.025, pressed_at=12.015)
    game.buzz(4, 12.049, pressed_at=12.019)
    answer = game.until(12.05)
    assert game.claim == 3
    given = answer.said("claim-given")
    assert given["tied"] == []
    assert given["margin_s"] == 0.004


def test_r7_2_a_press_counts_from_the_opening_to_just_before_the_closing():
    for pressed_at in (10, 12, 14.999999):
        game = window(3)
        game.until(pressed_at)
        game.press(2, pressed_at=pressed_at).accepted()
    for pressed_at in (9.999999, 15):
        game = window(3)
        game.until(max(10.0, pressed_at))
        game.press(2, pressed_at=pressed_at).ignored("R3.7")


def test_r7_2_arrivals_are_waited_for_until_closes_plus_settle():
    game = window(3)
    game.until(15.029999)
    game.press(2, pressed_at=14.9).accepted()
    game.wait(0.03)
    assert game.claim == 2
    game = window(3)
    game.until(15.03)
    game.press(2, pressed_at=14.9).ignored("R3.7")
    assert game.state["pending"] == "hack"


def test_r7_2_the_winner_is_named_settle_after_the_first_press_arrived():
    game = window(3, settle_s=0.25)
    game.buzz(2, 12.1, pressed_at=12)
    game.until(12.349999)
    assert game.claim is None
    game.until(12.35)
    assert game.claim == 2


def test_r7_2_a_press_that_arrives_after_the_naming_never_displaces_it_it_queues():
    game = window(3)
    game.buzz(2, 12.0)
    game.until(12.03)
    game.press(3, pressed_at=11.5).accepted()
    assert game.claim == 2
    game.until(22.03)
    assert game.claim == 3


def test_r7_2_with_a_settling_time_of_0_the_press_is_named_at_once():
    game = window(3, settle_s=0)
    assert game.press(2).accepted().said("claim-given")["seat"] == 2
    game.press(3, pressed_at=10).accepted()
    assert game.claim == 2


@pytest.mark.parametrize(
    ("hacker", "seats", "winner"),
    [(1, (2, 3, 4), 2), (1, (4, 3), 3), (2, (1, 4), 4), (3, (1, 2), 1), (4, (3, 1), 1)],
)
def test_r7_2_a_tie_goes_to_the_seat_nearest_clockwise_after_the_hacker(
    hacker: int, seats: tuple[int, ...], winner: int
):
    game = Game(4, starter=hacker)
    game.show_hacker()
    for seat in seats:
        game.buzz(seat, 1.0, uncertainty=0.001)
    given = game.wait(1).said("claim-given")
    assert given["seat"] == winner
    assert given["tied"] == sorted(seats)


@pytest.mark.parametrize(
    ("apart", "uncertainties", "winner"),
    [
        (0.002, (0.001, 0.001), 3),  # as much as the sum is no tie
        (0.001999, (0.001, 0.001), 2),
        (0.001999, (0.002, 0), 2),
        (0.001999, (0, 0.002), 2),
        (0.000001, (0, 0), 3),
    ],
)
def test_r7_2_presses_that_differ_by_less_than_the_sum_of_their_uncertainties_tie(
    apart: float, uncertainties: tuple[float, float], winner: int
):
    game = window()
    game.until(12)
    game.buzz(3, 12.01, 12, uncertainties[0])
    game.buzz(2, 12.02, round(12 + apart, 6), uncertainties[1])
    given = game.wait(1).said("claim-given")
    assert given["seat"] == winner
    assert given["tied"] == ([2, 3] if winner == 2 else [])


def test_r7_2_only_those_that_tie_with_the_earliest_form_the_group():
    game = window()
    game.until(12.01)
    game.buzz(4, 12.01, 12.000, 0.001)
    game.buzz(3, 12.01, 12.0015, 0.001)  # ties with seat 4
    game.buzz(2, 12.01, 12.003, 0.001)  # ties with seat 3 only
    given = game.wait(1).said("claim-given")
    assert given["seat"] == 3
    assert given["tied"] == [3, 4]
