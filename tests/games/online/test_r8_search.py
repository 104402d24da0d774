"""R8: the search."""

from __future__ import annotations

import pytest

from games.online.table import EDITIONS, Game


def searching(edition: str = "de", *rows: str) -> Game:
    """Return a game in which seat 1, with these cards on its rows, has shown a search; the line of seat 2 is up."""
    game = Game(3, edition)
    game.lay(2, "online#13")
    if rows:
        game.lay(1, *rows)
    game.advance_to(1)
    game.play("search#1")
    return game


def test_r8_1_a_search_is_tapped_on_ones_own_pad():
    for pad in (1, 3):
        game = Game(4)
        game.tap("search", pad).accepted()
        assert game.state["pending"] == "search"
    for pad in (2, 4):
        Game(4).tap("search", pad).refused("R8.1")


def test_r8_1_it_counts_as_discarded():
    assert searching().state["discard"] == ["search#1"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_r8_1_de_onto_a_row_en_any_legal_play_fr_and_nl_also_the_discard_pile(edition: str):
    for card, pad, accepted_in in (
        ("turbo-line", 1, EDITIONS),
        ("email", 1, EDITIONS),
        ("extra-memory", 1, EDITIONS),
        ("virus", 2, EDITIONS),
        ("hacker", 1, ("en", "fr")),
        ("search", 1, ("en", "fr")),
        ("music", "discard", ("fr",)),
        ("hacker", "discard", ("fr",)),
        ("cyber-patrol", "discard", ("fr",)),
    ):
        game = searching(edition, "online#1")
        answer = game.tap(card, pad)
        if edition in accepted_in:
            answer.accepted()
            assert game.state["pending"] == ("search" if card == "search" else None)
            assert (game.state["window"] is not None) == (card == "hacker" and pad == 1)
        else:
            answer.refused("R8.1")
            assert game.state["pending"] == "search"


def test_r8_1_it_must_be_played_legally():
    game = searching("de", "online#1")
    for card, pad, rule in (
        ("online", 1, "R4.1"),
        ("antivirus", 1, "R4.4"),
        ("online", 2, "R6.2"),
        ("email", 2, "R5.1"),
        ("virus", 3, "R6.1"),
        ("virus", 1, "R6.1"),
        ("movie", 1, "R5.3"),
    ):
        game.tap(card, pad).refused(rule)
    assert game.state["pending"] == "search"


def test_r8_1_it_leaves_the_draw_pile_when_it_is_laid_and_not_the_hand():
    game = searching()
    pile, hand = game.state["draw_pile"], game.hand(1)
    game.play("extra-memory")
    assert (game.state["draw_pile"], game.hand(1)) == (pile - 1, hand)
    game.play("online")
    assert (game.state["draw_pile"], game.hand(1)) == (pile - 1, hand - 1)


def test_r8_1_with_an_empty_draw_pile_it_is_refused():
    game = Game(6)
    game.drain()
    game.play("search")
    game.tap("online").refused("R9.2")
    game.control("reshuffle").accepted()
    game.play("online")


def test_r8_2_the_search_may_be_waived_with_the_own_button_and_the_turn_goes_on():
    game = searching()
    pile = game.state["draw_pile"]
    game.press(2).ignored("R3.7")
    game.press(1).accepted()
    assert game.state["pending"] is None
    assert game.state["draw_pile"] == pile
    assert game.seat == 1
    game.play("online")
    game.stop()
    assert game.seat == 2


def test_r8_2_the_draw_pile_is_shuffled_afterwards_and_the_table_says_so():
    for edition, card, pad in (
        ("de", "turbo-line", 1),
        ("de", "virus", 2),
        ("en", "hacker", 1),
        ("en", "search", 1),
        ("fr", "music", "discard"),
    ):
        searching(edition).tap(card, pad).accepted().announcement("draw-pile-disturbed")
