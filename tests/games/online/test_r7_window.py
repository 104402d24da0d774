"""R7.1 and R7.2: the hacker's window, and the first press."""

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
    game.advance_to(1)
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
    given = answer.announcement("claim-given")
    assert given["tied"] == []
    assert given["margin_s"] == 0.004


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
    given = game.wait(1).announcement("claim-given")
    assert given["seat"] == winner
    assert given["tied"] == sorted(seats)


def test_r7_2_a_seat_that_another_has_certainly_beaten_never_wins():
    game = window(players=6)
    game.until(10.505)
    for seat, at, uncertainty in ((4, 10.500, 0.0001), (3, 10.500, 0.004), (2, 10.502, 0.0001)):
        game.press(seat, at, uncertainty).accepted()
    given = game.wait(1).announcement("claim-given")
    assert given == {"seat": 3, "until": 20.535, "tied": [3, 4], "margin_s": None, "uncertainty_s": 0.004}


def test_r7_4_the_same_goes_for_the_claim_that_follows_a_false_alarm():
    game = window(players=6, claim_s=1)
    game.buzz(5, 10.1)
    game.until(10.505)
    for seat, at, uncertainty in ((4, 10.500, 0.0001), (3, 10.500, 0.004), (2, 10.502, 0.0001)):
        game.press(seat, at, uncertainty).accepted()
    assert game.claim == 5
    assert game.wait(1).announcement("claim-given")["tied"] == [3, 4]
    assert game.claim == 3
    # of what is left seat 4 stands alone before seat 2
    given = game.wait(1).announcement("claim-given")
    assert (given["seat"], given["tied"], given["margin_s"], given["uncertainty_s"]) == (4, [], 0.002, 0.0002)
