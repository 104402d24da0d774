"""R11: the table's answers to taps."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from games.online.table import Game


def game_with_rows() -> Game:
    """Return a game of four players; both teams have rows, one card is discarded, seat 1 is on turn."""
    game = Game(4)
    game.lay(2, "online#1", "email#1", "extra-memory#1")
    game.lay(1, "online#2", "music#1", "virus#1", "extra-memory#2")
    game.discard("movie#8").accepted()
    return game


MOMENTS: dict[str, Callable[[Game], object]] = {
    "turn": Game.play,
    "window": Game.show_hacker,
    "hack": Game.hack,
    "search": lambda game: game.play("search"),
    "off turn": Game.stop,
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_r11_a_card_where_it_already_is_is_ignored(moment: str):
    game = game_with_rows()
    MOMENTS[moment](game)
    here: dict[str, tuple[int | str, ...]] = {
        "online#1": (2, 4),
        "email#1": (4,),
        "extra-memory#1": (2,),
        "online#2": (1,),
        "music#1": (3,),
        "virus#1": (1,),
        "movie#8": ("discard",),
    }
    for card, pads in here.items():
        for pad in pads:
            game.tap(card, pad).ignored("R11", "already-there")


@pytest.mark.parametrize("moment", [moment for moment in MOMENTS if moment != "hack"])
def test_r11_a_card_elsewhere_with_no_hack_pending_is_refused(moment: str):
    game = game_with_rows()
    MOMENTS[moment](game)
    in_rows = (("online#1", 1), ("online#1", "discard"), ("email#1", 3), ("music#1", 2), ("virus#1", 4))
    for card, pad in (*in_rows, ("virus#1", "discard")):
        game.tap(card, pad).refused("R11", "belongs-in-row")
    for pad in (1, 2):
        game.tap("movie#8", pad).refused("R11", "belongs-on-discard-pile")


def test_r11_an_unknown_tag_is_a_fault_at_any_moment_and_the_state_is_untouched():
    before_the_start = Game(starter=None)
    at_a_window, at_a_hack = game_with_rows(), game_with_rows()
    at_a_window.show_hacker()
    at_a_hack.hack()
    for game in (before_the_start, at_a_window, at_a_hack, game_with_rows()):
        for card, pad in product(("04a2b3c4d5e680", "online#14", "neutron#1"), (1, 2, "discard")):
            game.tap(card, pad).fault()
