"""*Which refusal, if several fit* (R11): for neighbours in that order, a tap that both would refuse."""

from __future__ import annotations

import pytest

from games.online.table import Game

# fault, R10.1, R2.3, a table card


# a table card with a hack pending: R7.7, R7.8, R7.9 (then R5.3, R5.5, R5.2)


def stolen(edition: str, card: str, *own: str, **settings: object) -> Game:
    """Return a game with a hack pending; seat 2 has this category card on top of its row, seat 1 has these cards."""
    game = Game(3, edition, **settings)
    game.lay(2, "online#13", "extra-memory#5", card)
    if own:
        game.lay(1, *own)
    game.advance_to(1)
    return game


def test_precedence_r7_7_which_card_before_where_it_lands():
    game = stolen("de", "email#1")
    game.discard("online#5").accepted()
    game.stop()
    game.advance_to(1)
    game.discard("music#5").accepted()
    game.hack()
    game.tap("online#5", 2).refused("R7.7")
    game.tap("hacker#1", 2).refused("R7.7")


def test_precedence_r7_7_a_backup_before_r7_8():
    game = stolen("de", "email#1", quota_email=1)
    game.lay(2, "email#2")
    game.hold("email#2").accepted()
    game.advance_to(1)
    game.hack()
    game.tap("email#1", "discard").refused("R7.7")


def test_precedence_r7_7_a_backup_before_r7_9():
    game = stolen("en", "email#1", quota_email=1)
    game.advance_to(2)
    game.hold("email#1").accepted()
    game.advance_to(1)
    game.hack()
    game.tap("email#1", 1).refused("R7.7")


def test_precedence_r7_8_before_r7_9_and_r7_11():
    for edition in ("de", "en"):
        game = stolen(edition, "email#1")
        game.lay(2, "email#2")
        game.advance_to(1)
        game.hack()
        for pad in (1, 3):
            game.tap("email#1", pad).refused("R7.8")


def test_precedence_r7_9_by_edition_before_r5_3():
    game = stolen("en", "movie#1", "online")
    game.hack()
    game.tap("movie#1", 1).refused("R7.9")


def test_precedence_r7_9_by_line_before_r5_3():
    game = stolen("de", "movie#1")
    game.hack()
    game.tap("movie#1", 1).refused("R7.9")


def test_precedence_r5_3_before_r5_5_for_a_hacked_card():
    game = stolen("de", "game#1", "online", "extra-memory", "game#2", quota_game=1)
    game.hold("game#2").accepted()
    game.lay(1, "memory-full")
    game.hack()
    game.tap("game#1", 1).refused("R5.3")


def test_precedence_r5_3_before_r5_2_for_a_hacked_card():
    game = stolen("de", "movie#1", "online")
    game.play("email")
    game.hack()
    game.tap("movie#1", 1).refused("R5.3")


def test_precedence_r5_5_before_r5_2_for_a_hacked_card():
    game = stolen("de", "email#1", "online", "email#2", quota_email=1)
    game.hold("email#2").accepted()
    game.play("music")
    game.hack()
    game.tap("email#1", 1).refused("R5.5")


# a patrol tap in the window, the reaction, R7.1, R7.7, R8.1


def test_precedence_r7_4_before_r3_8():
    game = Game(2, patrol_window_s=20, claim_s=2)
    game.waste_hand(leave=0)
    game.stop()
    game.control("reshuffle").accepted()
    game.show_hacker("hacker#1")
    game.press(1).accepted()
    game.wait(3)
    game.tap("cyber-patrol", 1).refused("R7.4")


def test_precedence_r7_2_before_r3_8():
    game = Game(2)
    game.waste_hand(leave=1)
    game.control("reshuffle").accepted()
    game.show_hacker("hacker#1")
    assert game.hand(1) == 0
    game.tap("cyber-patrol", 1).refused("R7.2")


def reacting(then: str) -> Game:
    """Return a game in which seat 2 was attacked with a virus and then something is open that allows no hidden card."""
    game = Game(3)
    game.lay(2, "online#1")
    game.advance_to(1)
    game.tap("virus", 2).accepted()
    if then == "window":
        game.show_hacker()
    elif then == "hack":
        game.hack()
    elif then == "search":
        game.play("search")
    return game


@pytest.mark.parametrize("then", ["window", "hack", "search", "nothing"])
def test_precedence_the_reaction_before_r7_1_r7_7_r8_1_and_r6_2(then: str):
    game = reacting(then)
    for card, rule in (("online", "R4.1"), ("turbo-line", "R4.2"), ("password-ok", "R4.4")):
        game.tap(card, 2).refused(rule)


def test_precedence_r3_8_before_r4_in_a_reaction():
    game = Game(3)
    game.waste_hand(leave=0)
    game.stop()
    game.tap("virus", 1).accepted()
    game.tap("online", 1).refused("R3.8")


def test_precedence_r7_7_before_r3_3_r3_8_and_wrong_pads():
    game = Game()
    game.waste_hand(leave=1)
    game.hack()
    assert game.hand(1) == 0
    game.discard("email").refused("R7.7")
    game.tap("email").refused("R7.7")
    game.tap("turbo-line", 2).refused("R7.7")
    game.tap("cyber-patrol").refused("R7.7")


# R3.3, R3.8, wrong pads, rows


WRONG_PADS = (("online", 2), ("email", 2), ("hacker", 2), ("search", 2), ("cyber-patrol", 1), ("virus", 1))


def test_precedence_r3_8_before_wrong_pads_and_rows():
    game = Game()
    game.waste_hand(leave=0)
    for card, pad in (*WRONG_PADS, ("online", 1)):
        if card != "hacker":  # they lie on the discard pile
            game.tap(card, pad).refused("R3.8")


def test_precedence_r5_1_before_r5_5():
    game = Game(quota_email=1)
    game.lay(1, "online", "email")
    game.hold("email#1").accepted()
    game.lay(1, "virus")
    game.tap("email").refused("R5.1")


def test_precedence_r5_3_before_r5_5():
    game = Game(quota_game=1)
    game.lay(1, "online", "extra-memory", "game")
    game.hold("game#1").accepted()
    game.lay(1, "memory-full")
    game.tap("game").refused("R5.3")


def test_precedence_r5_3_before_r5_2():
    game = Game()
    game.lay(1, "online")
    game.play("email")
    game.tap("game").refused("R5.3")


def test_precedence_r5_5_before_r5_2():
    game = Game(quota_email=1)
    game.lay(1, "online", "email")
    game.hold("email#1").accepted()
    game.play("music")
    game.tap("email").refused("R5.5")
    game.tap("music").refused("R5.2")
