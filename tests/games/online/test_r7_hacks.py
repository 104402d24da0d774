"""R7.7: the single action of a hacker with a card that lies on the table."""

from __future__ import annotations

from itertools import product

import pytest

from games.online.table import ATTACKS, EDITIONS, ROADS, Game, three


def test_r7_7_a_the_top_attack_card_of_an_own_row_goes_to_an_opponent():
    for attack in ATTACKS:
        game = three(seat1=("online", "extra-memory", f"{attack}#1"), seat3=("online", "extra-memory"))
        game.hack()
        game.tap(f"{attack}#1", 3).accepted()
        assert f"{attack}#1" in game.team(3)["connection"] + game.team(3)["memory"]
        assert f"{attack}#1" not in game.team(1)["connection"] + game.team(1)["memory"]
        assert game.state["pending"] is None


def test_r7_7_a_or_to_the_discard_pile_and_the_row_is_open_again():
    for attack in ATTACKS:
        game = three(seat1=("online", "extra-memory", f"{attack}#1"))
        hacker = game.hack()
        game.tap(f"{attack}#1", "discard").accepted()
        assert game.state["discard"] == [hacker, f"{attack}#1"]
        game.play("movie")


@pytest.mark.parametrize("edition", EDITIONS)
def test_r7_7_a_no_other_card_of_an_own_row(edition: str):
    for card, rows in (
        ("online#1", ("online#1",)),
        ("antivirus#1", ("online", "virus", "antivirus#1")),
        ("virus#1", ("online", "virus#1", "antivirus")),
        ("online#1", ("online#1", "virus")),
        ("extra-memory#1", ("extra-memory#1",)),
        ("email#1", ("online", "email#1")),
    ):
        game = three(edition, seat1=rows)
        game.hack()
        game.tap(card, "discard").refused("R7.7")


def test_r7_7_b_a_card_of_another_teams_row_goes_to_the_discard_pile():
    for rows in (
        ("online#1",),
        ("turbo-line#1",),
        ("extra-memory#1",),
        ("online", "virus#1"),
        ("extra-memory", "memory-full#1"),
        ("online", "virus", "antivirus#1"),
        ("online", "email#1"),
        ("online", "extra-memory", "movie#1"),
    ):
        game = three(seat2=rows)
        hacker = game.hack()
        game.tap(rows[-1], "discard").accepted()
        assert game.state["discard"] == [hacker, rows[-1]]
        assert not any(rows[-1] in row for row in (game.team(2)["connection"], game.team(2)["memory"]))


def test_r7_7_b_or_to_an_own_row_or_another_opponents():
    for card, pad in product(("turbo-line#1", "extra-memory#1"), (1, 3)):
        game = three(seat2=(card,))
        game.hack()
        game.tap(card, pad).accepted()
        assert card in game.team(pad)["connection"] + game.team(pad)["memory"]


def test_r7_7_b_an_access_card_must_be_legal_where_it_lands():
    for top, road in ROADS.items():
        game = three(seat2=("turbo-line#3",), seat3=road)
        game.hack()
        answer = game.tap("turbo-line#3", 3)
        if top in ("empty", "online", "under-construction", "password-ok", "antivirus"):
            answer.accepted()
        else:
            answer.refused("R4.2")


def test_r7_7_c_the_card_directly_under_the_hacker_is_played_at_once():
    game = Game(3)
    game.discard("turbo-line#1").accepted()
    hacker = game.hack()
    game.tap("turbo-line#1", 1).accepted()
    assert game.team(1)["connection"] == ["turbo-line#1"]
    assert game.state["discard"] == [hacker]


@pytest.mark.parametrize(
    ("card", "pad", "rule"),
    [
        ("online#5", 3, None),
        ("extra-memory#1", 2, None),
        ("virus#1", 2, None),
        ("email#1", 2, None),
        ("email#1", 1, None),
        ("online#5", 2, "R4.1"),
        ("antivirus#1", 1, "R4.4"),
        ("virus#1", 3, "R6.1"),
        ("virus#1", 1, "R6.1"),
        ("movie#1", 1, "R5.3"),
    ],
)
def test_r7_7_c_on_own_or_others_rows_where_it_must_be_legal(card: str, pad: int, rule: str | None):
    game = three(seat2=("online#1",), seat1=("online#2",))
    game.discard(card).accepted()
    game.hack()
    answer = game.tap(card, pad)
    if rule:
        answer.refused(rule)
    else:
        answer.accepted()


def test_r7_7_c_no_other_card_of_the_discard_pile():
    game = Game()
    game.discard("online#1").accepted()
    game.stop()
    game.discard("online#2").accepted()
    game.stop()
    game.hack("hacker#1")
    game.tap("online#1", 1).refused("R7.7")
    game.tap("hacker#1", 1).refused("R7.7")
    game.tap("online#2", 1).accepted()


def test_r7_7_c_none_after_a_reshuffle():
    game = Game()
    game.discard("online#1").accepted()
    game.show_hacker("hacker#1")
    game.control("reshuffle").accepted()
    game.wait(6)
    assert game.state["pending"] == "hack"
    game.tap("online#1", 1).refused("R7.7")
    game.press().accepted()
    game.tap("online#1", 1).accepted()


def test_r7_7_c_a_hacker_with_its_effect_moves_to_the_top_of_the_pile():
    game = Game()
    game.discard("hacker#1").accepted()
    game.hack("hacker#2")
    game.tap("hacker#1", 2).refused("R7.1")
    game.tap("hacker#1", 1).accepted()
    assert game.state["discard"] == ["hacker#2", "hacker#1"]
    assert game.state["window"]["hacker"] == 1
    assert game.state["pending"] is None
    game.wait(6)
    assert game.state["pending"] == "hack"


def test_r7_7_c_a_search_with_its_effect_moves_to_the_top_of_the_pile():
    game = Game()
    game.discard("search#1").accepted()
    game.hack("hacker#2")
    game.tap("search#1", 2).refused("R8.1")
    game.tap("search#1", 1).accepted()
    assert game.state["discard"] == ["hacker#2", "search#1"]
    assert game.state["pending"] == "search"
    game.play("online")


def test_r7_7_until_then_no_hidden_card_may_be_tapped():
    game = Game()
    game.hack()
    for card, pad in (("online", 1), ("email", "discard"), ("hacker", 1), ("virus", 2), ("cyber-patrol", 2)):
        game.tap(card, pad).refused("R7.7")
    game.press().accepted()
