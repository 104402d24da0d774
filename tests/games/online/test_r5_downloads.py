"""R5: downloads, the rate, memory for big cards, and backups."""

from __future__ import annotations

from itertools import product

import pytest

from games.online.table import CATEGORIES, EDITIONS, MEMORY_ROADS, ROADS, Game, quotas

MB = {"email": 25, "music": 50, "game": 100, "movie": 200}


def test_r5_1_only_with_the_line_up():
    for top, road in ROADS.items():
        game = Game()
        game.lay(1, *road)
        answer = game.tap("email")
        if top in ("online", "turbo-line"):
            answer.accepted()
            assert game.team(1)["rows"]["email"] == ["email#1"]
        else:
            answer.refused("R5.1")


def test_r5_1_only_onto_ones_own_pad():
    game = Game()
    game.lay(2, "online", "extra-memory")
    game.lay(1, "online", "extra-memory")
    for kind in CATEGORIES:
        game.tap(kind, 2).refused("R5.1")
        game.tap(kind, 1).accepted()
        game.next_turn_of(1)


def test_r5_2_at_most_rate_category_cards_a_turn():
    for line, rate in (("online", 1), ("turbo-line", 2)):
        game = Game()
        game.lay(1, line)
        for _ in range(2):
            for downloads in range(rate):
                assert game.state["turn"]["downloads"] == downloads
                game.tap("email").accepted()
            game.tap("email").refused("R5.2")
            game.tap("music").refused("R5.2")
            game.next_turn_of(1)


def test_r5_2_by_the_rate_in_force_at_the_moment_of_the_download():
    game = Game()
    game.play("online", "email")
    game.tap("email").refused("R5.2")
    game.play("turbo-line", "email")
    game.tap("email").refused("R5.2")


def test_r5_3_game_and_movie_also_need_the_memory_row_open():
    for (memory, road), kind in product(MEMORY_ROADS.items(), CATEGORIES):
        game = Game()
        game.lay(1, "online", *road)
        answer = game.tap(kind)
        if kind in ("game", "movie") and memory != "extra-memory":
            answer.refused("R5.3")
        else:
            answer.accepted()


def test_r5_4_more_than_required_is_allowed_and_counts_until_that_row_is_backed_up():
    for kind in CATEGORIES:
        game = Game(**quotas(email=1, music=1, game=1, movie=1))
        game.lay(1, "online", "extra-memory", kind, kind, kind)
        assert game.team(1)["mb"] == 3 * MB[kind]
        game.hold(f"{kind}#2").accepted()
        game.tap(kind).refused("R5.5")
        game.play("music" if kind == "email" else "email")


def test_r5_5_any_card_of_the_row_is_held_to_back_it_up():
    for card in ("email#1", "email#2"):
        game = Game(quota_email=2)
        game.lay(1, "online", "email", "email")
        game.hold(card).accepted()
        assert game.team(1)["backed_up"] == ["email"]
        assert game.team(1)["rows"]["email"] == ["email#1", "email#2"]


def test_r5_5_a_row_with_less_than_its_number_cannot_be_backed_up():
    game = Game(quota_email=3)
    game.lay(1, "online", "email", "email")
    game.hold("email#1").ignored("R5.5")
    game.play("email")
    game.hold("email#1").accepted()


def test_r5_5_only_on_ones_own_turn():
    game = Game(quota_email=1)
    game.lay(1, "online", "email")
    game.advance_to(2)
    game.hold("email#1", 1).ignored("R5.5")
    game.hold("email#1", 2).ignored("R5.5")
    game.advance_to(1)
    game.hold("email#1", 2).ignored("R5.5")
    game.hold("email#1", "discard").ignored("R5.5")
    game.hold("email#1", 1).accepted()


@pytest.mark.parametrize("edition", EDITIONS)
def test_r5_5_a_backed_up_row_is_immune_to_hackers(edition: str):
    game = Game(3, edition, quota_email=1)
    game.lay(2, "online", "email", "music")
    game.hold("email#1").accepted()
    game.lay(3, "online")
    game.lay(1, "online")
    game.hack()
    for pad in (1, 3, "discard"):
        game.tap("email#1", pad).refused("R7.7")
    game.tap("music#1", "discard").accepted()
