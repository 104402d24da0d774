"""R4: the rows that each access card may be laid on."""

from __future__ import annotations

from itertools import product

import pytest

from games.online.table import MEMORY_ROADS, ROADS, Game

ACCEPTED = {
    "online": {"empty", "under-construction", "password-ok", "antivirus"},
    "turbo-line": {"empty", "under-construction", "password-ok", "antivirus", "online"},
    "password-ok": {"password-error"},
    "antivirus": {"virus"},
}
RULE = {"online": "R4.1", "turbo-line": "R4.2", "password-ok": "R4.4", "antivirus": "R4.4"}
LINES = {
    "empty": ("offline", 0),
    "online": ("up", 1),
    "turbo-line": ("up", 2),
    "virus": ("blocked", 0),
    "password-error": ("blocked", 0),
    "under-construction": ("blocked", 0),
    "password-ok": ("cleared", 0),
    "antivirus": ("cleared", 0),
}


def test_r4_the_top_of_the_connection_row_says_how_the_line_is():
    for top, road in ROADS.items():
        game = Game()
        game.lay(1, *road)
        assert (game.team(1)["line"], game.team(1)["rate"]) == LINES[top]


@pytest.mark.parametrize(
    "card",
    [
        pytest.param("online", id="r4_1_online"),
        pytest.param("turbo-line", id="r4_2_turbo_line"),
        pytest.param("password-ok", id="r4_4_password_ok"),
        pytest.param("antivirus", id="r4_4_antivirus"),
    ],
)
def test_r4_1_r4_2_r4_4_access_cards_onto_the_connection_row(card: str):
    for top, road in ROADS.items():
        game = Game()
        game.lay(1, *road)
        before = game.team(1)["connection"]
        card_id = game.find(card)
        answer = game.tap(card_id)
        if top in ACCEPTED[card]:
            answer.accepted()
            assert game.team(1)["connection"] == [*before, card_id]
        else:
            answer.refused(RULE[card])


def test_r4_3_extra_memory_goes_on_an_empty_row_or_on_memory_full_and_needs_no_connection():
    for (top, road), line in product(MEMORY_ROADS.items(), ("empty", "virus", "online")):
        game = Game()
        game.lay(1, *ROADS[line], *road)
        answer = game.tap("extra-memory")
        if top == "extra-memory":
            answer.refused("R4.3")
        else:
            answer.accepted()
            assert game.team(1)["memory"][-1].startswith("extra-memory#")


def blocked_twice() -> Game:
    """Return a game in which seat 1 is on turn, with a virus and a full memory."""
    game = Game()
    game.lay(1, "online", "extra-memory", "virus", "memory-full")
    return game


def test_r4_5_any_number_of_rows_may_be_unblocked_in_a_turn_in_any_order():
    for order in (
        ("antivirus", "online", "extra-memory"),
        ("extra-memory", "antivirus", "online"),
        ("antivirus", "extra-memory", "turbo-line"),
    ):
        game = blocked_twice()
        game.play(*order, "movie")
        assert game.team(1)["line"] == "up"
