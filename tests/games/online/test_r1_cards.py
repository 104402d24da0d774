"""R1: the 112 cards, the row and the worth of each."""

from __future__ import annotations

from taptable.games.registry import find_game

from games.online.table import CATEGORIES, DECK, Game


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


def test_r1_the_kind_alone_decides_the_row_on_ones_own_pad():
    game = Game()
    rows = {"extra-memory": "memory", "online": "connection", "turbo-line": "connection"}
    for kind, row in (rows | {kind: kind for kind in CATEGORIES}).items():
        card = game.find(kind)
        game.tap(card).accepted()
        team = game.team(1)
        assert {**team, **team["rows"]}[row][-1] == card
        game.next_turn_of(1)


def test_r1_megabytes_of_a_category_card():
    for kind, mb in zip(CATEGORIES, (25, 50, 100, 200), strict=True):
        game = Game()
        game.lay(1, "online", "extra-memory", kind)
        assert game.team(1)["mb"] == mb
