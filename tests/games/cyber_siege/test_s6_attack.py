"""S6: attack and defence."""

from __future__ import annotations

from typing import Any

import pytest

from games.cyber_siege.table import Game, attacked, with_icon

# S6.1


@pytest.mark.parametrize(("players", "attacker", "defender"), [(2, 1, 2), (2, 2, 1), (3, 3, 1), (4, 2, 3)])
def test_s6_1_a_launched_attack_hits_the_next_player_clockwise(players: int, attacker: int, defender: int):
    game = Game(players, starter=attacker)
    game.until(10)
    game.discard("3.1#2")
    game.until(11)
    answer = game.press(attacker).accepted()
    opened = answer.announcement("window-opened")
    assert (opened["seat"], opened["defender"], opened["card"], opened["closes_at"]) == (
        attacker, defender, "3.1#2", 21
    )  # fmt: skip
    state = game.state
    assert state["window"] == {
        "attacker": attacker, "defender": defender, "card": "3.1#2", "opened_at": 11, "closes_at": 21
    }  # fmt: skip
    assert (state["turn"]["seat"], state["pending"], state["launch_until"]) == (attacker, None, None)


@pytest.mark.parametrize("seconds", [2, 7.5, 30])
def test_s6_1_it_closes_defence_s_later(seconds: float):
    game = attacked(defence_s=seconds)
    assert game.state["window"]["closes_at"] == 12 + seconds
    game.until(12 + seconds - 0.000001)
    assert game.state["window"] is not None
    game.wait(0.000001)
    assert game.state["window"] is None


@pytest.mark.parametrize(
    ("card", "pad"),
    [("1.3", 1), ("1.3", 3), ("1.3", "discard"), ("set-1", 1), ("admin", 1), ("1.1#1", 2), ("1.1#1", 1)],
)
def test_s6_1_every_tap_but_the_defence_is_refused(card: str, pad: int | str):
    attacked(3).tap(card, pad).refused("S6.1", "defence-awaited")


# S6.2


@pytest.mark.parametrize("card", ["1.3", "1.4", "admin"])
def test_s6_2_any_defence_of_the_attacks_set_or_an_admin(card: str):
    assert "defended" in attacked().tap(card, 2).accepted().types


@pytest.mark.parametrize("card", ["1.1", "1.2", "2.3", "4.4", "set-1"])
def test_s6_2_nothing_else(card: str):
    attacked().tap(card, 2).refused("S6.2", "no-defence")


# S6.3


def test_s6_3_defended():
    game = attacked(3)
    answer = game.tap("1.4#1", 2).accepted()
    assert answer.types == ["defended", "card-drawn", "turn-started"]
    assert answer.announcement("card-drawn") == {"seat": 2, "from": "red", "cards": 1}
    state = game.state
    assert (state["window"], state["discard"], state["red_pile"]) == (None, ["1.1#1", "1.4#1"], 57)
    assert state["turn"] == {"seat": 2, "draw": None, "used": ["1.4#1"]}
    assert [team["points"] for team in state["teams"]] == [0, 1, 0]
    assert (state["teams"][1]["red"], state["teams"][1]["one_points"]) == (5, 1)


# S6.4


def test_s6_4_not_defended_when_the_window_closes():
    game = attacked(3)
    answer = game.until(22)
    assert answer.types == ["hit", "turn-started"]
    assert answer.announcement("hit") == {
        "seat": 2, "attacker": 1, "card": "1.1#1", "effect": "none", "n": 0
    }  # fmt: skip
    state = game.state
    assert [team["points"] for team in state["teams"]] == [1, 0, 0]
    assert (state["turn"], state["window"]) == ({"seat": 2, "draw": None, "used": []}, None)


def test_s6_4_the_defender_may_take_the_hit():
    game = attacked(3)
    assert game.button_actions == (None, "take-hit", None)
    game.press(1).ignored("S5.4", "no-press-awaited")
    game.press(3).ignored("S5.4", "no-press-awaited")
    game.press(2, pressed_at=11.999999).ignored("S3.5", "pressed-too-early")
    assert game.press(2, pressed_at=12).accepted().types == ["hit", "turn-started"]
    assert game.team(1)["one_points"] == 1


# S6.5


def test_s6_5_a_defence_is_not_answered():
    game = attacked()
    game.tap("1.3", 2)
    assert (game.state["window"], game.state["pending"]) == (None, None)


# S6.6


def hit_by(icon: dict[str, Any], players: int = 2, **settings: object) -> Game:
    """Return a game in which seat 1 attacks with this icon and seat 2 takes the hit."""
    game = Game(players, deck=with_icon(icon), **settings)
    game.hit("1.1")
    return game


@pytest.mark.parametrize(("players", "next_"), [(2, 1), (3, 3), (4, 3)])
def test_s6_6_skip(players: int, next_: int):
    game = hit_by({"effect": "skip"}, players)
    assert game.state["turn"] == {"seat": next_, "draw": None, "used": []}
    assert game.team(1)["points"] == 1


@pytest.mark.parametrize("n", [1, 3])
def test_s6_6_draw_fewer(n: int):
    game = hit_by({"effect": "draw-fewer", "n": n})
    assert game.state["turn"] == {"seat": 2, "draw": "none", "used": []}
    game.tap("1.1#1", 2).refused("S3.2", "already-drawn")
    assert game.discard("1.3").types == ["card-discarded", "turn-started"]
    assert game.team(2)["red"] == 4


@pytest.mark.parametrize(("n", "left"), [(1, 2), (3, 0), (5, 0), (2**53 - 1, 0)])
def test_s6_6_lose_points(n: int, left: int):
    game = Game(deck=with_icon({"effect": "lose-points", "n": n}))
    game.stop()
    game.lay("set-2", "2.3", "2.3")
    game.stop()
    game.correct(2, one_points=3)
    game.hit("1.1")
    assert (game.team(2)["one_points"], game.team(2)["points"]) == (left, left + 2)
    assert game.team(2)["sets"] == ["set-2#1"]
    assert game.seat == 2


def test_s6_6_discard_before_the_draw():
    game = hit_by({"effect": "discard", "n": 2})
    state = game.state
    assert (state["pending"], state["owed"]) == ("discard", 2)
    assert (state["turn"]["draw"], state["turn"]["seat"]) == (None, 2)
    for card, pad in (("1.1", 2), ("set-1", 2), ("set-1", "discard"), ("1.1#1", 2), ("1.3", 1)):
        game.tap(card, pad).refused("S6.6", "discard-owed")
    game.press(2).ignored("S5.4", "no-press-awaited")
    assert game.discard("1.1#2").types == ["card-discarded"]
    assert (game.state["pending"], game.state["owed"], game.team(2)["red"]) == ("discard", 1, 4)
    game.discard("admin").accepted()
    state = game.state
    assert (state["pending"], state["owed"], state["teams"][1]["red"]) == (None, 0, 3)
    assert state["turn"] == {"seat": 2, "draw": None, "used": []}


def test_the_example_of_the_page():
    game = Game(2, starter=1)
    game.until(1)
    game.tap("1.1#1", "discard").accepted()
    state = game.state
    assert (state["pending"], state["launch_until"]) == ("launch", 6)
    assert (state["teams"][0]["red"], state["red_pile"]) == (5, 63)
    game.until(2)
    game.press(1).accepted()
    assert game.state["window"]["closes_at"] == 12
    game.tap("1.2#1", 2).refused("S6.2", "no-defence")
    game.tap("1.4#1", 2).accepted()
    state = game.state
    assert (state["teams"][1]["points"], state["teams"][1]["red"], state["red_pile"]) == (1, 5, 62)
    assert state["discard"] == ["1.1#1", "1.4#1"]
    assert state["turn"]["seat"] == 2
