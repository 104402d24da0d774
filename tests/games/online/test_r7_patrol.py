"""R7.1 to R7.6: the hacker's window, who was first, and Cyber Patrol."""

from __future__ import annotations

import pytest
from taptable.core.errors import ConfigError

from games.online.table import Game


def window(players: int = 4, **settings: object) -> Game:
    """Seat 1 has shown a hacker at 10 s; its window runs until 15 s, and 30 ms longer for what is under way."""
    game = Game(players, **settings)
    game.wait(10)
    game.show_hacker("hacker#1")
    return game


def claim(game: Game) -> int | None:
    """The seat that has the claim."""
    running = game.state["window"]
    return running["claim"]["seat"] if running and running["claim"] else None


def buzz(game: Game, seat: int, at: float, pressed_at: float | None = None, uncertainty: float = 0) -> None:
    """A press that counts."""
    game.until(at)
    game.press(seat, pressed_at, uncertainty).accepted()


# R7.1


def test_r7_1_a_hacker_on_ones_own_pad_opens_the_window():
    game = window()
    assert game.state["window"] == {"hacker": 1, "opened_at": 10, "closes_at": 15, "claim": None}
    assert game.state["discard"] == ["hacker#1"]
    assert game.state["pending"] is None


def test_r7_1_on_a_pad_of_a_team_mate_too():
    game = Game(4)
    game.tap("hacker", 3).accepted()
    assert game.state["window"]["hacker"] == 1


@pytest.mark.parametrize("pad", [2, 4])
def test_r7_1_not_on_an_opponents_pad(pad: int):
    Game(4).tap("hacker", pad).refused("R7.1")


@pytest.mark.parametrize(("seconds", "fits"), [("2", True), ("30", True), ("7.5", True), ("1.9", False), ("31", False)])
def test_r7_1_the_window_takes_2_to_30_seconds(seconds: str, fits: bool):
    if not fits:
        with pytest.raises(ConfigError):
            Game(patrol_window_s=seconds)
        return
    game = window(patrol_window_s=seconds)
    assert game.state["window"]["closes_at"] == 10 + float(seconds)


@pytest.mark.parametrize(
    ("card", "pad"), [("turbo-line", 1), ("email", 1), ("hacker", 1), ("search", 1), ("virus", 2), ("music", "discard")]
)
def test_r7_1_no_hidden_card_while_the_window_is_there(card: str, pad: int | str):
    game = Game(3)
    game.lay(1, "online")
    game.lay(2, "online")
    game.to(1)
    game.show_hacker()
    game.tap(card, pad).refused("R7.1")
    game.wait(5.029)
    game.tap(card, pad).refused("R7.1")
    game.wait(0.001)
    game.press().accepted()
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
    buzz(game, 2, 14)
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
    buzz(game, 2, 12.020, pressed_at=12.020)
    buzz(game, 3, 12.025, pressed_at=12.015)
    buzz(game, 4, 12.049, pressed_at=12.019)
    answer = game.until(12.05)
    assert claim(game) == 3
    given = answer.said("claim-given")
    assert given["tied"] == []
    assert given["margin_s"] == 0.004


@pytest.mark.parametrize(
    ("pressed_at", "counts"), [(9.999999, False), (10, True), (12, True), (14.999999, True), (15, False)]
)
def test_r7_2_a_press_counts_from_the_opening_to_just_before_the_closing(pressed_at: float, counts: bool):
    game = window(3)
    game.until(max(10.0, pressed_at))
    answer = game.press(2, pressed_at=pressed_at)
    if counts:
        answer.accepted()
    else:
        answer.ignored("R3.7")


@pytest.mark.parametrize(("at", "counts"), [(15.029999, True), (15.03, False)])
def test_r7_2_arrivals_are_waited_for_until_closes_plus_settle(at: float, counts: bool):
    game = window(3)
    game.until(at)
    answer = game.press(2, pressed_at=14.9)
    if counts:
        answer.accepted()
        game.wait(0.03)
        assert claim(game) == 2
    else:
        answer.ignored("R3.7")
        assert game.state["pending"] == "hack"


def test_r7_2_the_winner_is_named_settle_after_the_first_press_arrived():
    game = window(3, settle_s=0.25)
    buzz(game, 2, 12.1, pressed_at=12)
    game.until(12.349999)
    assert claim(game) is None
    game.until(12.35)
    assert claim(game) == 2


def test_r7_2_a_press_that_arrives_after_the_naming_never_displaces_it_it_queues():
    game = window(3)
    buzz(game, 2, 12.0)
    game.until(12.03)
    game.press(3, pressed_at=11.5).accepted()
    assert claim(game) == 2
    game.until(22.03)
    assert claim(game) == 3


def test_r7_2_with_a_settling_time_of_0_the_press_is_named_at_once():
    game = window(3, settle_s=0)
    assert game.press(2).accepted().said("claim-given")["seat"] == 2
    game.press(3, pressed_at=10).accepted()
    assert claim(game) == 2


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
        buzz(game, seat, 1.0, uncertainty=0.001)
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
    buzz(game, 3, 12.01, 12, uncertainties[0])
    buzz(game, 2, 12.02, round(12 + apart, 6), uncertainties[1])
    given = game.wait(1).said("claim-given")
    assert given["seat"] == winner
    assert given["tied"] == ([2, 3] if winner == 2 else [])


def test_r7_2_only_those_that_tie_with_the_earliest_form_the_group():
    game = window()
    game.until(12.01)
    buzz(game, 4, 12.01, 12.000, 0.001)
    buzz(game, 3, 12.01, 12.0015, 0.001)  # ties with seat 4
    buzz(game, 2, 12.01, 12.003, 0.001)  # ties with seat 3 only
    given = game.wait(1).said("claim-given")
    assert given["seat"] == 3
    assert given["tied"] == [3, 4]


# R7.3


def test_r7_3_the_winner_shows_a_patrol_and_is_on_turn_at_once():
    game = window()
    buzz(game, 3, 12)
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
    buzz(game, 3, 12)
    game.until(13)
    game.tap("cyber-patrol", 3).accepted()
    seen = []
    for _ in range(7):
        seen.append(game.seat)
        game.stop()
    assert seen == [3, 4, 2, 3, 4, 1, 2]
    assert game.state["skips"] == []


@pytest.mark.parametrize(("claim_s", "seconds", "in_time"), [(10, 9.999999, True), (10, 10, False), (1, 0.9, True)])
def test_r7_3_within_the_claim_time_from_when_the_winner_is_named(claim_s: int, seconds: float, in_time: bool):
    game = window(claim_s=claim_s)
    buzz(game, 2, 14.9)
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


@pytest.mark.parametrize(("seconds", "fits"), [("1", True), ("120", True), ("0.5", False), ("121", False)])
def test_r7_3_the_claim_time_can_be_set(seconds: str, fits: bool):
    if not fits:
        with pytest.raises(ConfigError):
            Game(claim_s=seconds)
        return
    game = window(claim_s=seconds)
    buzz(game, 2, 14)
    game.wait(0.03)
    assert game.state["window"]["claim"]["until"] == 14.03 + float(seconds)


@pytest.mark.parametrize("card", ["online", "email", "virus", "hacker"])
def test_r7_3_only_a_cyber_patrol_will_do(card: str):
    game = window()
    buzz(game, 2, 12)
    game.wait(0.03)
    game.tap(card, 2).refused("R7.1")
    game.tap("cyber-patrol", 2).accepted()


@pytest.mark.parametrize(
    ("hacker", "after"), [(1, [3, 4, 5, 3]), (2, [3, 4, 5, 3]), (4, [3, 1, 2, 3]), (5, [3, 1, 2, 3])]
)
def test_r7_3_five_players_seat_3_takes_its_next_place_in_the_order_after_the_hackers(hacker: int, after: list[int]):
    game = Game(5, starter=hacker)
    game.show_hacker()
    game.tap("cyber-patrol", 3).accepted()
    game.wait(0.03)
    seen = []
    for _ in range(4):
        seen.append(game.seat)
        game.stop()
    assert seen == after


def test_r7_3_five_players_seat_3_as_the_hacker_misses_its_next_place():
    game = Game(5, starter=3)
    game.show_hacker()
    game.tap("cyber-patrol", 4).accepted()
    game.wait(0.03)
    seen = []
    for _ in range(5):
        seen.append(game.seat)
        game.stop()
    assert seen == [4, 5, 1, 2, 3]


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


def test_r7_3_a_second_stop_of_the_same_hacker_adds_no_second_skip():
    game = Game(3)
    game.show_hacker("hacker#1")
    game.tap("cyber-patrol#1", 2).accepted()
    game.wait(0.03)
    game.show_hacker("hacker#2")
    game.tap("cyber-patrol#2", 1).accepted()
    game.wait(0.03)
    game.control("reshuffle").accepted()
    game.show_hacker("hacker#1")
    game.tap("cyber-patrol#1", 3).accepted()
    game.wait(0.03)
    assert (game.seat, game.state["skips"]) == (3, [1, 2])
    game.stop()
    assert (game.seat, game.state["skips"]) == (3, [])


# R7.4


def test_r7_4_no_card_in_time_is_a_false_alarm_and_the_next_press_gets_the_claim_at_that_moment():
    game = window()
    buzz(game, 2, 12)
    buzz(game, 4, 13, pressed_at=12.9)
    buzz(game, 3, 13.1, pressed_at=12.8)
    game.until(22.03)
    assert game.state["window"]["claim"] == {"seat": 3, "until": 32.03}
    game.until(32.03)
    assert game.state["window"]["claim"] == {"seat": 4, "until": 42.03}


def test_r7_4_the_queue_is_ruled_by_r7_2_again_with_its_ties():
    game = window()
    buzz(game, 4, 12)
    buzz(game, 3, 13, 12.900, 0.001)
    buzz(game, 2, 13, 12.901, 0.001)
    given = game.until(22.03).said("claim-given")
    assert (given["seat"], given["tied"]) == (2, [2, 3])


def test_r7_4_with_none_left_the_hack_proceeds():
    game = window()
    buzz(game, 2, 14)
    answer = game.until(24.03)
    assert answer.types == ["claim-given", "claim-failed", "window-closed", "hack-began"]
    assert game.state["window"] is None
    assert game.state["pending"] == "hack"


def test_r7_4_or_the_window_runs_on_if_its_time_is_not_over():
    game = window(patrol_window_s=20, claim_s=2)
    buzz(game, 2, 12)
    game.until(14.03)
    assert game.state["window"] == {"hacker": 1, "opened_at": 10, "closes_at": 30, "claim": None}
    buzz(game, 3, 20)
    game.wait(0.03)
    assert claim(game) == 3
    game.tap("cyber-patrol", 3).accepted()


def test_r7_4_that_player_is_locked_out_of_this_window_and_of_no_other():
    game = window(patrol_window_s=20, claim_s=2)
    buzz(game, 2, 12)
    game.until(14.03)
    game.press(2).ignored("R3.7")
    game.tap("cyber-patrol", 2).refused("R7.4")
    game.until(30.03)
    game.press(1).accepted()
    game.show_hacker("hacker#2")
    game.press(2).accepted()


@pytest.mark.parametrize(("pressed_at", "counts"), [(14.9, True), (15, False)])
def test_r7_4_once_the_windows_time_is_over_no_new_press_counts(pressed_at: float, counts: bool):
    game = window()
    buzz(game, 2, 14)
    game.until(15.01)
    answer = game.press(3, pressed_at=pressed_at)
    if counts:
        answer.accepted()
    else:
        answer.ignored("R3.7")
    game.until(16)
    game.press(4).ignored("R3.7")
    game.tap("cyber-patrol", 4).refused("R7.4")
    game.until(24.03)
    assert claim(game) == (3 if counts else None)


def test_r7_4_a_claim_that_fails_while_late_arrivals_are_waited_for_leaves_the_window_until_then():
    game = window(claim_s=1, settle_s=1, patrol_window_s=4)
    buzz(game, 2, 12.5)
    game.until(14.5)
    assert game.state["window"]["claim"] is None
    game.press(3, pressed_at=13.9).accepted()
    game.until(15.5)
    assert claim(game) == 3


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
    assert answer.said("hacker-stopped")["seat"] == 3
    assert game.seat == 3


def test_r7_5_as_a_press_at_the_moment_of_the_tap():
    game = window()
    game.until(12)
    game.tap("cyber-patrol", 3).accepted()
    buzz(game, 2, 12.01, pressed_at=11.99)
    game.until(12.03)
    assert claim(game) == 2
    game.until(22.03)
    assert game.seat == 3


def test_r7_5_also_while_another_seat_holds_the_claim():
    game = window()
    buzz(game, 2, 12)
    game.until(13)
    game.tap("cyber-patrol", 4).accepted()
    assert claim(game) == 2
    assert not game.lies("cyber-patrol#1")
    game.until(22.03)
    assert game.seat == 4


def test_r7_5_a_seat_that_has_buzzed_and_is_not_named_yet_may_show_its_card():
    game = window()
    buzz(game, 2, 14.99)
    game.until(15.01)
    game.tap("cyber-patrol", 2).accepted()
    assert not game.lies("cyber-patrol#1")
    game.until(15.02)
    assert game.seat == 2


def test_r7_5_a_seat_in_the_queue_may_show_its_card_after_the_windows_time():
    game = window()
    buzz(game, 2, 14)
    buzz(game, 3, 14.5)
    game.until(20)
    game.tap("cyber-patrol", 3).accepted()
    game.until(24.03)
    assert game.seat == 3


def test_r7_5_the_seat_with_the_claim_can_still_stop_it_first():
    game = window()
    buzz(game, 2, 12)
    game.until(13)
    game.tap("cyber-patrol#1", 4).accepted()
    game.tap("cyber-patrol#2", 2).accepted()
    assert game.seat == 2
    assert not game.lies("cyber-patrol#1")


def test_r7_5_a_tap_after_the_windows_time_without_a_buzz_is_too_late():
    game = window()
    game.until(15)
    game.tap("cyber-patrol", 2).refused("R7.4")


def test_r7_5_a_second_tap_is_ignored():
    game = window()
    game.tap("cyber-patrol", 2).accepted()
    game.tap("cyber-patrol", 2).ignored("R7.5")


# R7.6


def test_r7_6_a_patrol_may_be_played_while_blocked():
    game = Game()
    game.lay(2, "online", "virus")
    game.to(1)
    game.show_hacker()
    game.tap("cyber-patrol", 2).accepted()
    game.wait(0.03)
    assert game.seat == 2


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


@pytest.mark.parametrize("pad", [1, 2, 3])
def test_r7_6_at_any_other_time_it_may_only_be_discarded(pad: int):
    game = Game(3)
    game.tap("cyber-patrol", pad).refused("R7.6")
    game.discard("cyber-patrol").accepted()


def test_r7_6_after_the_window_it_is_an_ordinary_hidden_card():
    game = Game()
    game.hack()
    game.tap("cyber-patrol", 2).refused("R7.7")


@pytest.mark.parametrize(("who", "allowed"), [("anyone", True), ("opponents", False)])
def test_r7_6_who_may_patrol(who: str, allowed: bool):
    game = window(4, who_may_patrol=who)
    if allowed:
        game.press(3).accepted()
    else:
        game.press(3).ignored("R3.7")
        game.tap("cyber-patrol", 3).refused("R7.2")
    game.tap("cyber-patrol", 4).accepted()


def test_r7_6_a_team_mate_may_patrol_by_default():
    game = window(4)
    game.tap("cyber-patrol", 3).accepted()
    game.wait(0.03)
    assert game.seat == 3


def test_r7_6_never_the_hacker():
    window().tap("cyber-patrol", 1).refused("R7.2")
