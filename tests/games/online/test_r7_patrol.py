"""R7.3 to R7.6: Cyber Patrol, false alarms, and the seats that may use it."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError

from games.online.table import Game, window

# R7.3


def test_r7_3_the_winner_shows_a_patrol_and_is_on_turn_at_once():
    game = window()
    game.buzz(3, 12)
    game.until(13)
    game.tap("cyber-patrol", 3).accepted()
    state = game.state
    assert state["discard"] == ["hacker#1", "cyber-patrol#1"]
    assert state["turn"] == {"seat": 3, "downloads": 0, "mode": None}
    assert state["skips"] == [1]
    assert state["window"] is None
    assert state["pending"] is None
    assert game.hand(3) == 7


def test_r7_3_play_goes_on_clockwise_from_there_and_the_hackers_next_turn_is_skipped():
    game = window()
    game.buzz(3, 12)
    game.until(13)
    game.tap("cyber-patrol", 3).accepted()
    assert game.seats_on_turn(7) == [3, 4, 2, 3, 4, 1, 2]
    assert game.state["skips"] == []


def test_r7_3_within_the_claim_time_from_when_the_winner_is_named():
    for claim_s, seconds, in_time in ((10, 9.999999, True), (10, 10, False), (1, 0.9, True), (120, 119, True)):
        game = window(claim_s=claim_s)
        game.buzz(2, 14.9)
        game.until(14.93)
        assert game.state["window"]["claim"] == {"seat": 2, "until": 14.93 + claim_s}
        game.wait(seconds)
        answer = game.tap("cyber-patrol", 2)
        if in_time:
            answer.accepted()
            assert game.seat == 2
        else:
            answer.refused("R7.7")
            assert game.seat == 1


def test_r7_3_the_claim_time_is_from_1_to_120_seconds():
    for seconds in ("0.5", "121"):
        with pytest.raises(ConfigError):
            Game(claim_s=seconds)


def test_r7_3_five_players_seat_3_takes_its_next_place_in_the_order_after_the_hackers():
    for hacker, after in ((1, [3, 4, 5, 3]), (2, [3, 4, 5, 3]), (4, [3, 1, 2, 3]), (5, [3, 1, 2, 3])):
        game = Game(5, starter=hacker)
        game.show_hacker()
        game.tap("cyber-patrol", 3).accepted()
        game.wait(0.03)
        assert game.seats_on_turn(4) == after


def test_r7_3_skips_are_a_set_and_a_turn_won_by_a_patrol_does_not_use_up_a_skip():
    game = Game(2)
    game.show_hacker("hacker#1")
    game.tap("cyber-patrol#1", 2).accepted()
    game.wait(0.03)
    assert (game.seat, game.state["skips"]) == (2, [1])
    game.show_hacker("hacker#2")
    game.tap("cyber-patrol#2", 1).accepted()
    game.wait(0.03)
    assert (game.seat, game.state["skips"]) == (1, [1, 2])
    game.stop()
    assert (game.seat, game.state["skips"]) == (2, [])


# R7.4


def test_r7_4_no_card_in_time_is_a_false_alarm_and_the_next_press_gets_the_claim_at_that_moment():
    game = window()
    game.buzz(2, 12)
    game.buzz(4, 13, pressed_at=12.9)
    game.buzz(3, 13.1, pressed_at=12.8)
    game.until(22.03)
    assert game.state["window"]["claim"] == {"seat": 3, "until": 32.03}
    game.until(32.03)
    assert game.state["window"]["claim"] == {"seat": 4, "until": 42.03}


def test_r7_4_with_none_left_the_hack_proceeds():
    game = window()
    game.buzz(2, 14)
    answer = game.until(24.03)
    assert answer.types == ["claim-given", "claim-failed", "window-closed", "hack-began"]
    assert game.state["window"] is None
    assert game.state["pending"] == "hack"


def test_r7_4_that_player_is_locked_out_of_this_window_and_of_no_other():
    game = window(patrol_window_s=20, claim_s=2)
    game.buzz(2, 12)
    game.until(14.03)
    game.press(2).ignored("R3.7")
    game.tap("cyber-patrol", 2).refused("R7.4", "patrol-locked-out")
    game.until(30.03)
    game.press(1).accepted()
    game.show_hacker("hacker#2")
    game.press(2).accepted()


def test_r7_4_once_the_windows_time_is_over_no_new_press_counts():
    for pressed_at, claims in ((14.9, 3), (15, None)):
        game = window()
        game.buzz(2, 14)
        game.until(15.01)
        answer = game.press(3, pressed_at=pressed_at)
        if claims:
            answer.accepted()
        else:
            answer.ignored("R3.7")
        game.until(16)
        game.press(4).ignored("R3.7")
        game.tap("cyber-patrol", 4).refused("R7.4")
        game.until(24.03)
        assert game.claim == claims


# R7.5


def test_r7_5_a_patrol_tapped_without_a_buzz_counts_as_a_press_and_is_played_when_its_seat_gets_the_claim():
    game = window()
    game.until(12)
    game.tap("cyber-patrol", 3).accepted()
    assert game.state["discard"] == ["hacker#1"]
    assert game.seat == 1
    game.until(12.029999)
    assert game.seat == 1
    answer = game.until(12.03)
    assert answer.announcement("hacker-stopped")["seat"] == 3
    assert game.seat == 3


def test_r7_5_as_a_press_at_the_moment_of_the_tap():
    game = window()
    game.until(12)
    game.tap("cyber-patrol", 3).accepted()
    game.buzz(2, 12.01, pressed_at=11.99)
    game.until(12.03)
    assert game.claim == 2
    game.until(22.03)
    assert game.seat == 3


@pytest.mark.parametrize(("seat", "winner"), [(4, 3), (2, 2)])
@pytest.mark.parametrize("pressed_at", [11.76, 11.99])
def test_r7_5_a_patrol_at_a_reader_without_stamps_ties_with_the_presses_of_the_time_in_which_it_may_have_been_laid(
    pressed_at: float, seat: int, winner: int
):
    game = window(settle_s=0.25)
    game.buzz(seat, pressed_at)
    game.show_patrol(3, 12, 0.5).accepted()
    answer = game.until(pressed_at + 0.25)
    assert answer.announcement("claim-given")["seat"] == winner
    assert answer.announcement("claim-given")["tied"] == sorted((3, seat))
    assert (game.seat == 3) == (winner == 3)


def test_r7_5_no_ruling_waits_for_such_a_patrol_longer_than_for_a_press():
    game = window(settle_s=0.25)
    game.buzz(4, 11.75)
    game.show_patrol(3, 12, 0.5).accepted()
    assert game.claim == 4
    game.until(22)
    assert game.seat == 3  # it waited for its claim


def test_r7_5_and_neither_wins_nor_loses_against_what_is_certainly_before_or_after_that_time():
    game = window(settle_s=1)
    game.show_patrol(3, 12, 0.5).accepted()
    game.buzz(2, 12.1, pressed_at=11.499)
    given = game.until(13).announcement("claim-given")
    assert (given["seat"], given["tied"], given["margin_s"], given["uncertainty_s"]) == (2, [], 0.251, 0.25)
    game = window(settle_s=1)
    game.show_patrol(3, 12, 0.5).accepted()
    game.buzz(2, 12.1, pressed_at=12.001)
    given = game.until(13).announcement("claim-given")
    assert (given["seat"], given["tied"], given["margin_s"], given["uncertainty_s"]) == (3, [], 0.251, 0.25)
    assert game.seat == 3


def test_r7_5_such_a_patrol_counts_if_it_may_have_been_laid_in_time_and_is_known_before_the_end():
    for at, uncertainty, in_time in (
        (15.029, 0.03, True),
        (15.03, 0.5, False),
        (15.029, 0.029, False),
        (10, 0.5, True),
    ):
        game = window()
        answer = game.show_patrol(3, at, uncertainty)
        if in_time:
            answer.accepted()
            game.until(at + 0.03)
            assert game.seat == 3
        else:
            answer.refused("R7.4" if at < 15.03 else "R7.7")


def test_r7_5_a_seat_that_has_buzzed_is_as_certain_as_its_button_whatever_its_reader_is():
    game = window()
    game.buzz(4, 12)
    game.show_patrol(4, 12.01, 0.5).accepted()
    game.buzz(2, 12.02, pressed_at=12.001)
    given = game.until(12.03).announcement("claim-given")
    assert (given["seat"], given["tied"]) == (4, [])


def test_r7_5_a_seat_that_has_buzzed_and_is_not_named_yet_may_show_its_card():
    game = window()
    game.buzz(2, 14.99)
    game.until(15.01)
    game.tap("cyber-patrol", 2).accepted()
    assert "cyber-patrol#1" not in game.visible_cards
    game.until(15.02)
    assert game.seat == 2


def test_r7_5_a_tap_after_the_windows_time_without_a_buzz_is_too_late():
    game = window()
    game.until(15)
    game.tap("cyber-patrol", 2).refused("R7.4", "patrol-too-late")


# R7.6


def test_r7_6_and_by_a_player_whose_own_turn_is_to_be_skipped():
    game = window(3)
    game.tap("cyber-patrol#1", 2).accepted()
    game.wait(0.03)
    assert game.state["skips"] == [1]
    game.show_hacker("hacker#2")
    game.press(1).accepted()
    game.wait(0.03)
    game.tap("cyber-patrol#2", 1).accepted()
    assert game.seat == 1


def test_r7_6_at_any_other_time_it_may_only_be_discarded():
    game = Game(3)
    for pad in (1, 2, 3):
        game.tap("cyber-patrol", pad).refused("R7.6")
    game.discard("cyber-patrol").accepted()


def test_r7_6_a_team_mate_may_not_patrol_where_only_opponents_may():
    game = window(4, who_may_patrol="opponents")
    game.press(3).ignored("R3.7")
    game.tap("cyber-patrol", 3).refused("R7.2")
    game.tap("cyber-patrol", 4).accepted()


def test_r7_6_never_the_hacker():
    window().tap("cyber-patrol", 1).refused("R7.2", "patrol-by-hacker")
