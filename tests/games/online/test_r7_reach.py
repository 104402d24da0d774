"""R7.8 to R7.11: the reach of a hack, category cards for oneself and for others, and the waiver."""

from __future__ import annotations

import pytest

from games.online.table import EDITIONS, MEMORY_ROADS, ROADS, Game, three

LINES = ("empty", "online", "turbo-line", "virus", "antivirus")
"""Tops of a row with which a line is offline, up, blocked and cleared."""


# R7.8


@pytest.mark.parametrize("edition", EDITIONS)
def test_r7_8_reach_de_and_en_the_top_of_a_row_fr_and_nl_any_card(edition: str):
    for card, rows in (
        ("online#1", ("online#1", "virus")),
        ("extra-memory#1", ("extra-memory#1", "memory-full")),
        ("email#1", ("online", "email#1", "email#2")),
    ):
        game = three(edition, seat2=rows)
        game.hack()
        answer = game.tap(card, "discard")
        if edition == "fr":
            answer.accepted()
            assert card not in str(game.team(2))
        else:
            answer.refused("R7.8")


@pytest.mark.parametrize("edition", EDITIONS)
def test_r7_8_a_house_rule_comes_before_the_edition(edition: str):
    for reach in ("top", "any"):
        game = three(edition, seat2=("online", "email#1", "email#2"), hack_reach=reach)
        game.hack()
        answer = game.tap("email#1", "discard")
        if reach == "any":
            answer.accepted()
        else:
            answer.refused("R7.8")


# R7.9


def hacking_email(edition: str, source: str, **rows: tuple[str, ...]) -> Game:
    """Return a game with a hack pending; `email#1` lies on a row of seat 2, or under the hacker."""
    game = three(edition, seat2=("online#13", "email#1") if source == "row" else (), **rows)
    if source == "pile":
        game.discard("email#1").accepted()
    game.hack()
    return game


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("source", ["row", "pile"])
def test_r7_9_a_category_card_for_oneself_en_never_the_others_with_the_line_up(edition: str, source: str):
    for line in LINES:
        game = hacking_email(edition, source, seat1=ROADS[line])
        answer = game.tap("email#1", 1)
        if edition == "en" or line not in ("online", "turbo-line"):
            answer.refused("R7.9")
        else:
            answer.accepted()
            assert (game.team(1)["mb"], game.team(2)["mb"], game.state["turn"]["downloads"]) == (25, 0, 1)


@pytest.mark.parametrize("kind", ["game", "movie"])
def test_r7_9_big_ones_need_open_memory(kind: str):
    for memory in MEMORY_ROADS:
        game = three(seat2=("online", "extra-memory", f"{kind}#1"), seat1=("online", *MEMORY_ROADS[memory]))
        game.hack()
        answer = game.tap(f"{kind}#1", 1)
        if memory == "extra-memory":
            answer.accepted()
        else:
            answer.refused("R5.3")


def test_r7_9_it_counts_against_the_rate():
    game = three(seat2=("online", "email#1"), seat1=("online",))
    game.play("music")
    game.hack()
    game.tap("email#1", 1).refused("R5.2")
    game.press().accepted()
    game.next_turn_of(1)
    game.hack()
    game.tap("email#1", 1).accepted()
    game.tap("music").refused("R5.2")


# R7.10


def test_r7_10_the_hack_may_be_waived_with_the_own_button_and_the_turn_goes_on():
    game = three(seat2=("online#1",))
    game.hack("hacker#1")
    game.press(2).ignored("R3.7")
    game.press(1).accepted()
    assert game.state["pending"] is None
    assert game.seat == 1
    game.tap("online#1", "discard").refused("R11")
    game.play("online")
    game.press(1).accepted()
    assert game.seat == 2


# R7.11


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("source", ["row", "pile"])
def test_r7_11_a_gift_needs_that_teams_line_up_and_en_allows_it(edition: str, source: str):
    for line in LINES:
        game = hacking_email(edition, source, seat3=ROADS[line])
        answer = game.tap("email#1", 3)
        if line in ("online", "turbo-line"):
            answer.accepted()
            assert (game.team(3)["mb"], game.state["turn"]["downloads"]) == (25, 0)
        else:
            answer.refused("R7.11")


def test_r7_11_no_rate_applies():
    game = three(seat2=("turbo-line", "email#1", "email#2"), seat3=("online",), seat1=("online",))
    game.play("music")
    for card in ("email#2", "email#1"):
        game.hack()
        game.tap(card, 3).accepted()
    assert game.team(3)["mb"] == 50
