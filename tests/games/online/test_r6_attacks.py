"""R6: attacks, and the reaction out of turn."""

from __future__ import annotations

from itertools import product

import pytest

from games.online.table import ATTACKS, CATEGORIES, MEMORY_ROADS, ROADS, Game


@pytest.mark.parametrize("attack", ["virus", "password-error", "under-construction"])
def test_r6_1_line_attacks_go_only_on_a_top_online_or_turbo_line(attack: str):
    for top, road in ROADS.items():
        game = Game()
        game.lay(2, *road)
        game.to(1)
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
        game.to(1)
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


def test_r6_1_any_number_on_any_opponents():
    game = Game(3)
    for seat in (2, 3):
        game.lay(seat, "online", "extra-memory")
    game.to(1)
    for attack, pad in (("virus", 2), ("memory-full", 2), ("password-error", 3), ("memory-full", 3)):
        game.tap(attack, pad).accepted()
    assert [game.team(seat)["line"] for seat in (2, 3)] == ["blocked", "blocked"]


def attacked(attack: str = "virus", players: int = 4) -> Game:
    """Seat 1 has just attacked the team of seat 2."""
    game = Game(players)
    game.lay(2, "online", "extra-memory")
    game.to(1)
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


def test_r6_2_only_access_cards_that_r4_accepts():
    for attack, card, rule in (
        ("virus", "online", "R4.1"),
        ("virus", "turbo-line", "R4.2"),
        ("virus", "password-ok", "R4.4"),
        ("under-construction", "antivirus", "R4.4"),
    ):
        attacked(attack).tap(card, 2).refused(rule)


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


def test_r6_2_only_until_the_memory_is_open_again():
    game = attacked("memory-full")
    game.tap("extra-memory", 2).accepted()
    game.tap("extra-memory", 2).refused("R6.2", "memory-open-again")


def test_r6_2_a_row_that_is_attacked_again_may_be_put_right_again():
    game = attacked("under-construction")
    game.tap("online", 2).accepted()
    game.tap("virus", 2).accepted()
    game.tap("antivirus", 4).accepted()
    game.tap("turbo-line", 4).accepted()
    game.tap("turbo-line", 4).refused("R6.2", "line-up-again")


def test_r6_2_of_two_attacked_rows_each_is_put_right_by_itself():
    game = attacked("virus")
    game.tap("memory-full", 2).accepted()
    game.tap("extra-memory", 2).accepted()
    game.tap("extra-memory", 2).refused("R6.2", "memory-open-again")
    game.tap("antivirus", 2).accepted()


def test_r6_2_a_line_that_a_hack_has_put_up_again_needs_no_reaction():
    game = attacked("virus")
    game.hack()
    game.tap("virus#1", "discard").accepted()
    assert game.team(2)["line"] == "up"
    game.tap("turbo-line", 2).refused("R6.2", "line-up-again")


def test_r6_2_a_line_that_was_up_again_and_is_taken_down_by_a_hack_waits_for_its_own_turn():
    game = attacked("under-construction")
    game.tap("online#2", 2).accepted()
    game.hack()
    game.tap("online#2", "discard").accepted()
    game.tap("online", 2).refused("R6.2", "line-up-again")


def test_r6_2_a_reaction_that_is_taken_back_may_be_laid_again():
    game = attacked("under-construction")
    game.tap("online", 2).accepted()
    game.control("take-back").accepted()
    game.tap("turbo-line", 2).accepted()


def test_r6_2_no_downloads_in_a_reaction():
    game = attacked("under-construction")
    game.tap("online", 2).accepted()
    for kind in CATEGORIES:
        game.tap(kind, 2).refused("R5.1")


def test_r6_2_not_before_an_attack_lies_there():
    game = Game()
    game.lay(2, "online")
    game.to(1)
    game.tap("online", 2).refused("R6.2", "access-on-other-pad")
    game.tap("under-construction", 2).accepted()
    game.tap("online", 2).accepted()


def test_r6_2_not_after_the_attackers_turn():
    game = attacked(players=3)
    game.stop()
    game.to(3)
    game.tap("antivirus", 2).refused("R6.2")
    game.to(2)
    game.play("antivirus")


def test_r6_2_not_after_a_patrol_ended_the_attackers_turn():
    game = attacked(players=3)
    game.show_hacker()
    game.press(3).accepted()
    game.wait(1)
    game.tap("cyber-patrol", 3).accepted()
    game.tap("antivirus", 2).refused("R6.2")


def test_r6_2_only_the_attacked_team():
    game = attacked(players=3)
    game.tap("online", 3).refused("R6.2")
    game.tap("extra-memory", 3).refused("R6.2")


def test_r6_2_after_a_searched_attack_too():
    game = Game()
    game.lay(2, "online")
    game.to(1)
    game.play("search")
    game.tap("virus", 2).accepted()
    game.tap("antivirus", 2).accepted()


def test_r6_2_after_a_hacked_attack_too():
    game = Game()
    game.lay(2, "online")
    game.lay(1, "online", "virus")
    game.hack()
    game.tap("virus#1", 2).accepted()
    game.tap("antivirus", 2).accepted()


def test_r6_2_while_a_window_runs_too():
    game = attacked()
    game.show_hacker()
    game.tap("antivirus", 2).accepted()
    game.tap("email", 2).refused("R7.1")


def test_r6_2_while_a_hack_or_search_is_pending_too():
    for way, pending in ((Game.hack, "hack"), (lambda game: game.play("search"), "search")):
        game = attacked()
        way(game)
        game.tap("antivirus", 4).accepted()
        assert game.state["pending"] == pending


def test_r6_2_an_exchange_cannot_have_attacked():
    game = Game()
    game.lay(2, "online")
    game.to(1)
    for _ in range(2):
        game.discard("email").accepted()
    game.tap("virus", 2).refused("R3.3")
    game.tap("extra-memory", 2).refused("R3.3")


def blocked() -> Game:
    """Seat 1 is on turn, its line blocked; seat 2's is up."""
    game = Game()
    game.lay(2, "online#1")
    game.lay(1, "online#2", "under-construction")
    return game


def test_r6_3_a_blocked_team_may_still_attack_and_unblock_but_not_download():
    blocked().tap("virus", 2).accepted()
    blocked().tap("online").accepted()
    blocked().tap("email").refused("R5.1")


def test_r6_3_a_blocked_team_may_still_hack_and_search():
    game = blocked()
    game.hack()
    game.tap("online#1", "discard").accepted()
    game.play("search", "turbo-line")


def test_r6_3_a_blocked_team_may_still_patrol():
    game = blocked()
    game.to(2)
    game.show_hacker()
    game.tap("cyber-patrol", 1).accepted()
    game.wait(1)
    assert game.seat == 1
