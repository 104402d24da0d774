"""R1: the 112 cards, where each lies, and what it is worth."""

from __future__ import annotations

from taptable.games.registry import find_game

from games.online.table import ATTACKS, CATEGORIES, DECK, Game


def test_r1_the_deck_has_112_cards_of_16_kinds():
    assert dict(find_game("online").pack("").counts) == DECK
    assert len(Game().cards) == 112


def test_r1_each_physical_card_is_known_and_none_beyond_the_count():
    game = Game()
    for kind, count in DECK.items():
        for number in range(1, count + 1):
            assert game.hold(f"{kind}#{number}").answer["verdict"] == "ignored"
        for number in ("0", str(count + 1), "01", "-1", "1 ", ""):
            game.tap(f"{kind}#{number}").fault()


def test_r1_a_card_of_no_deck_is_a_fault():
    for name in ("", "online#1x", "Online#1", "ONLINE#1", "joker#1", "04a2b3c4d5e680", "#1"):
        Game().tap(name).fault()


def test_r1_the_kind_alone_decides_the_row_on_ones_own_pad():
    game = Game()
    rows = {"extra-memory": "memory", "online": "connection", "turbo-line": "connection"}
    for kind, row in (rows | {kind: kind for kind in CATEGORIES}).items():
        card = game.find(kind)
        game.tap(card).accepted()
        team = game.team(1)
        assert {**team, **team["rows"]}[row][-1] == card
        game.next_turn_of(1)


def test_r1_cures_lie_in_the_connection_row():
    for attack, cure in (("password-error", "password-ok"), ("virus", "antivirus")):
        game = Game()
        game.lay(1, "online", attack)
        game.play(cure)
        assert game.team(1)["connection"][-1] == f"{cure}#1"


def test_r1_attacks_lie_in_a_row_of_an_opponent():
    for kind in ATTACKS:
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


def test_r1_megabytes_of_a_category_card():
    for kind, mb in zip(CATEGORIES, (25, 50, 100, 200), strict=True):
        game = Game()
        game.lay(1, "online", "extra-memory", kind)
        assert game.team(1)["mb"] == mb


def test_r1_each_card_is_an_individual():
    game = Game()
    game.lay(1, "online#7")
    game.tap("online#7").ignored("R11", "already-there")
    game.tap("online#8").refused("R4.1")
