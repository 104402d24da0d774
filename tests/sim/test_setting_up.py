"""A simulated table as a maker would set it up: the pads, cards and control cards that its game has."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.core.controls import cards_of
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import CONTROLS, cards_for, completeness
from taptable.memory.decks import Decks
from taptable.sim.setting_up import DECK, set_up


@pytest.mark.parametrize("game", GAMES)
def test_its_deck_has_every_card_and_every_control_card_of_the_game(game: str, tmp_path: Path):
    config = set_up(tmp_path, game, GameOptions(3, find_game(game).editions[0], {}, None), "en")
    deck = Decks(config.table.decks).deck(DECK)
    assert completeness(deck, cards_for(deck)).missing == ()
    assert sorted(deck.controls.values()) == sorted((*CONTROLS, *cards_of(find_game(game).controls)))


@pytest.mark.parametrize(
    ("compact", "players", "pads"),
    [(False, 4, [("demand", "spi:0.1")]), (True, 3, [("demand", "spi:1.2")]), (True, 4, [])],
)
def test_an_extra_pad_is_there_as_long_as_there_is_a_place_for_it(
    compact: bool, players: int, pads: list[tuple[str, str]], tmp_path: Path
):
    config = set_up(tmp_path, "xnet", GameOptions(players, "standard", {}, None), "en", compact=compact)
    assert [(extra.name, str(extra.pad)) for extra in config.pads] == pads


def test_a_game_without_one_has_none(tmp_path: Path):
    assert set_up(tmp_path, "online", GameOptions(4, "de", {}, None), "en").pads == ()
