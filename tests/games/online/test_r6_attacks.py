"""R6: attacks, and the reaction out of turn."""

from __future__ import annotations

from itertools import product

import pytest

from games.online.table import ATTACKS, MEMORY_ROADS, ROADS, Game


@pytest.mark.parametrize("attack", ["virus", "password-error", "under-construction"])
def test_r6_1_line_attacks_go_only_on_a_top_online_or_turbo_line(attack: str):
    for top, road in ROADS.items():
        game = Game()
        game.lay(2, *road)
        game.advance_to(1)
        card = game.find(attack)
        answer = game.tap(card, 2)
        if top in ("online", "turbo-line"):
            answer.accepted()
            assert (game.team(2)["connection"][-1], game.team(2)["line"]) == (card, "blocked")
        else:
            answer.refused("R6.1")


def test_r6_1_memory_full_goes_only_on_a_top_extra_memory():
    for top, road in MEMORY_ROADS.items():
        game = Game()
        game.lay(2, "online", *road)
        game.advance_to(1)
        answer = game.tap("memory-full", 2)
        if top == "extra-memory":
            answer.accepted()
        else:
            answer.refused("R6.1")


def test_r6_1_never_on_ones_own_team():
    game = Game(4)
    game.lay(1, "online", "extra-memory")
    for attack, pad in product(ATTACKS, (1, 3)):
        game.tap(attack, pad).refused("R6.1")


def attacked(attack: str = "virus", players: int = 4) -> Game:
    """Return a game in which seat 1 has just attacked the team of seat 2."""
    game = Game(players)
    game.lay(2, "online", "extra-memory")
    game.advance_to(1)
    game.tap(attack, 2).accepted()
    return game


@pytest.mark.parametrize(
    ("attack", "answers"),
    [
        ("virus", ("antivirus", "online")),
        ("virus", ("antivirus", "turbo-line")),
        ("password-error", ("password-ok", "online")),
        ("password-error", ("password-ok", "turbo-line")),
        ("under-construction", ("online",)),
        ("under-construction", ("turbo-line",)),
        ("memory-full", ("extra-memory",)),
    ],
)
def test_r6_2_any_member_of_the_team_may_lay_the_cure_and_then_the_line(attack: str, answers: tuple[str, ...]):
    for pad in (2, 4):
        game = attacked(attack)
        for card in answers:
            card = game.find(card)
            game.tap(card, pad).accepted()
            assert card in game.team(2)["connection"] + game.team(2)["memory"]
        assert game.seat == 1


def test_r6_2_only_on_the_row_that_was_attacked():
    for pad in (2, 4):
        attacked("virus").tap("extra-memory", pad).refused("R6.2", "row-not-attacked")
        for card in ("turbo-line", "online", "antivirus"):
            attacked("memory-full").tap(card, pad).refused("R6.2", "row-not-attacked")


def test_r6_2_only_until_the_line_is_up_again():
    for last, more in product(("online", "turbo-line"), ("online", "turbo-line", "antivirus")):
        game = attacked("virus")
        game.tap("antivirus", 2).accepted()
        game.tap(last, 4).accepted()
        game.tap(more, 2).refused("R6.2", "line-up-again")


def test_r6_2_a_row_that_was_put_right_and_then_hacked_is_not_announced_as_working_again():
    game = Game(4)
    game.lay(2, "online", "extra-memory")
    game.advance_to(1)
    game.tap("virus", 2).accepted()
    game.tap("memory-full", 2).accepted()
    for card in ("antivirus", "online#3", "extra-memory#3"):
        game.tap(card, 2).accepted()
    for stolen, of, code in (("online#3", "turbo-line", "line"), ("extra-memory#3", "extra-memory", "memory")):
        game.tap(of, 4).refused("R6.2", f"{code}-{'up' if code == 'line' else 'open'}-again")
        game.hack()
        game.tap(stolen, "discard").accepted()
        game.tap(of, 4).refused("R6.2", "put-right-already")
    # an attack opens the row again
    game.hack()
    assert game.team(2)["line"] == "cleared"


def test_r6_2_not_before_an_attack_lies_there():
    game = Game()
    game.lay(2, "online")
    game.advance_to(1)
    game.tap("online", 2).refused("R6.2", "access-on-other-pad")
    game.tap("under-construction", 2).accepted()
    game.tap("online", 2).accepted()


def test_r6_2_not_after_the_attackers_turn():
    game = attacked(players=3)
    game.stop()
    game.advance_to(3)
    game.tap("antivirus", 2).refused("R6.2")
    game.advance_to(2)
    game.play("antivirus")


def blocked() -> Game:
    """Return a game in which seat 1 is on turn with its line blocked; seat 2's is up."""
    game = Game()
    game.lay(2, "online#1")
    game.lay(1, "online#2", "under-construction")
    return game


def test_r6_3_a_blocked_team_may_still_attack_and_unblock_but_not_download():
    blocked().tap("virus", 2).accepted()
    blocked().tap("online").accepted()
    blocked().tap("email").refused("R5.1")
