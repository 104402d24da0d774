"""S5: the discard and the launch."""

from __future__ import annotations

import pytest

from games.cyber_siege.table import Game, launching

# S5.1


@pytest.mark.parametrize("card", ["1.3", "4.4", "admin"])
def test_s5_1_a_defence_or_an_admin_ends_the_turn_at_once(card: str):
    game = Game()
    game.discard(card).accepted()
    assert (game.seat, game.state["pending"]) == (2, None)


def test_s5_1_never_a_set_card():
    Game().discard("set-1").refused("S5.1", "not-a-red-card")


# S5.2


def test_s5_2_an_attack_opens_the_launch():
    game = Game()
    game.until(10)
    answer = game.discard("1.1#1").accepted()
    assert answer.types == ["card-drawn", "card-discarded", "launch-offered"]
    assert answer.announcement("launch-offered") == {"seat": 1, "card": "1.1#1", "until": 15}
    state = game.state
    assert (state["pending"], state["launch_until"], state["discard"]) == ("launch", 15, ["1.1#1"])
    assert (state["turn"]["seat"], state["window"]) == (1, None)


def test_s5_2_the_own_button_launches_it():
    game = launching()
    assert game.button_actions == ("launch", None)
    game.until(12)
    game.press(2).ignored("S5.4", "no-press-awaited")
    assert game.press(1).types == ["window-opened"]
    assert (game.state["pending"], game.state["launch_until"]) == (None, None)
    assert game.state["window"]["card"] == "1.1#1"


def test_s5_2_time_spares_the_next_player():
    game = launching(launch_s=2, settle_s=0)
    answer = game.until(12)
    assert answer.types == ["spared", "turn-started"]
    state = game.state
    assert (state["pending"], state["launch_until"], state["turn"]["seat"]) == (None, None, 2)
    assert [team["points"] for team in state["teams"]] == [0, 0]


def test_s5_2_so_does_the_control():
    game = launching()
    assert game.controls == [{"control": "spare"}]
    answer = game.control("spare").accepted()
    assert answer.types == ["spared", "turn-started"]
    assert game.seat == 2
    assert game.controls == []


# S5.3


@pytest.mark.parametrize(
    ("pressed_at", "at", "code"),
    [
        (9.999999, 10, "pressed-too-early"),
        (10, 10, None),
        (14.999999, 14.999999, None),
        (15, 15, "pressed-too-late"),
        (14.999999, 15.029999, None),
        (15.01, 15.01, "pressed-too-late"),
        (10, 15.029999, None),
    ],
)
def test_s5_3_a_press_counts_by_when_it_was_pressed(pressed_at: float, at: float, code: str | None):
    game = launching()
    game.until(at)
    answer = game.press(1, pressed_at=pressed_at)
    if code is None:
        answer.accepted()
        assert game.state["window"] is not None
    else:
        answer.ignored("S3.5" if code == "pressed-too-early" else "S5.3", code)


def test_s5_3_until_then_taps_are_refused_and_the_control_is_accepted():
    game = launching()
    for moment in (10, 15, 15.029):
        game.until(moment)
        for card, pad in (("1.3", 2), ("1.3", "discard"), ("set-1", 1), ("1.1#1", 1), ("1.1#1", 2)):
            game.tap(card, pad).refused("S5.3", "launch-open")
        game.tap("1.1#1", "discard").ignored("S8.2", "already-there")
        assert game.legal == []
    game.control("spare").accepted()


def test_s5_3_with_the_time_over_the_button_means_nothing_any_more():
    game = launching()
    game.until(15)
    assert game.button_actions == (None, None)


# S5.4


def out_of_cards() -> Game:
    """Return a game in which seat 1 has drawn and holds no red card."""
    game = Game()
    game.until(1)
    game.tap("set-1")
    game.press()
    game.correct(1, red=0)
    return game


def test_s5_4_without_a_red_card_the_own_button_ends_the_turn():
    game = out_of_cards()
    assert game.button_actions == ("stop", None)
    game.discard("1.3").refused("S8.1", "hand-used-up")
    game.press(2).ignored("S5.4", "no-press-awaited")
    assert game.press(1, pressed_at=0).accepted().types == ["turn-started"]
    assert (game.seat, game.state["discard"]) == (2, [])


def test_s5_4_not_while_there_is_a_red_card():
    game = Game()
    game.tap("set-1")
    game.press()
    assert game.button_actions == (None, None)
    game.press(1).ignored("S5.4", "no-press-awaited")
