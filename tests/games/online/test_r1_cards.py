"""R1: the 112 cards, where each lies, and what it is worth."""

from __future__ import annotations

import pytest
from taptable.games.registry import find_game

from games.online.table import DECK, Game, quotas


def test_r1_the_deck_has_112_cards_of_16_kinds():
    assert dict(find_game("online").pack("").counts) == DECK
    assert len(Game().cards) == 112


@pytest.mark.parametrize("kind", DECK)
def test_r1_each_physical_card_is_known_and_none_beyond_the_count(kind: str):
    game = Game()
    for number in range(1, DECK[kind] + 1):
        assert game.tap(f"{kind}#{number}").answer["verdict"] != "fault"
        game = Game()
    for number in ("0", str(DECK[kind] + 1), "01", "-1", "1 ", ""):
        game.tap(f"{kind}#{number}").fault()


@pytest.mark.parametrize("name", ["", "online#1x", "Online#1", "ONLINE#1", "joker#1", "04a2b3c4d5e680", "#1"])
def test_r1_a_card_of_no_deck_is_a_fault(name: str):
    Game().tap(name).fault()


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("online", "connection"),
        ("turbo-line", "connection"),
        ("extra-memory", "memory"),
        ("email", "email"),
        ("music", "music"),
        ("game", "game"),
        ("movie", "movie"),
    ],
)
def test_r1_the_kind_alone_decides_the_row_on_ones_own_pad(kind: str, row: str):
    game = Game()
    game.lay(1, "online#13", "extra-memory#5")
    if kind == "extra-memory":
        game.lay(1, "memory-full")
    card = game.find("turbo-line" if kind == "online" else kind)
    game.tap(card).accepted()
    team = game.team(1)
    assert {**team, **team["rows"]}[row][-1] == card


@pytest.mark.parametrize("kind", ["password-ok", "antivirus"])
def test_r1_cures_lie_in_the_connection_row(kind: str):
    game = Game()
    game.lay(1, "online", {"password-ok": "password-error", "antivirus": "virus"}[kind])
    game.play(kind)
    assert game.team(1)["connection"][-1] == f"{kind}#1"


@pytest.mark.parametrize("kind", ["virus", "password-error", "under-construction", "memory-full"])
def test_r1_attacks_lie_in_a_row_of_an_opponent(kind: str):
    game = Game()
    game.lay(2, "online", "extra-memory")
    game.to(1)
    game.tap(kind, 2).accepted()
    assert game.team(2)["memory" if kind == "memory-full" else "connection"][-1] == f"{kind}#1"


def test_r1_power_cards_go_to_the_discard_pile():
    game = Game()
    game.play("search#2")
    game.press().accepted()
    game.show_hacker("hacker#6")
    game.press(2).accepted()
    game.wait(1)
    game.tap("cyber-patrol#1", 2).accepted()
    assert game.state["discard"] == ["search#2", "hacker#6", "cyber-patrol#1"]


@pytest.mark.parametrize(("kind", "mb"), [("email", 25), ("music", 50), ("game", 100), ("movie", 200)])
def test_r1_megabytes_of_a_category_card(kind: str, mb: int):
    game = Game(**quotas(email=22))
    game.lay(1, "online", "extra-memory")
    game.play(kind)
    assert game.team(1)["mb"] == mb


def test_r1_each_card_is_an_individual():
    game = Game()
    game.lay(1, "online#7")
    game.tap("online#7").ignored("R11", "already-there")
    game.tap("online#8").refused("R4.1")
