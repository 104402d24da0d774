"""A simulated table as a maker would set it up: the pads, cards and control cards that its game has."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.core.controls import control_cards
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import CONTROLS, card_set_for, completeness
from taptable.memory.decks import Decks
from taptable.sim.setting_up import BUILDS, DECK, build_of, load_existing_table, set_up


@pytest.mark.parametrize("game", GAMES)
def test_its_deck_has_every_card_and_every_control_card_of_the_game(game: str, tmp_path: Path):
    config = set_up(tmp_path, game, GameOptions(3, find_game(game).editions[0], {}, None), "en")
    deck = Decks(config.table.decks).deck(DECK)
    assert completeness(deck, card_set_for(deck)).missing == ()
    assert sorted(deck.controls.values()) == sorted((*CONTROLS, *control_cards(find_game(game).controls)))


@pytest.mark.parametrize(
    ("build", "players", "pads"),
    [
        ("full", 4, [("demand", "spi:0.1")]),
        ("compact", 3, [("demand", "spi:1.2")]),
        ("compact", 4, []),
        ("ready", 6, [("demand", "i2c:1.0x71/1")]),
        ("usb", 6, [("demand", "pcsc:2-1")]),
    ],
)
def test_an_extra_pad_is_there_as_long_as_there_is_a_place_for_it(
    build: str, players: int, pads: list[tuple[str, str]], tmp_path: Path
):
    config = set_up(tmp_path, "xnet", GameOptions(players, "standard", {}, None), "en", build=build)
    assert [(name, str(extra.pad)) for name, extra in config.pads.items()] == pads


def test_a_game_without_one_has_none(tmp_path: Path):
    assert set_up(tmp_path, "online", GameOptions(4, "de", {}, None), "en").pads == {}


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("game", GAMES)
def test_what_was_set_up_last_in_a_folder_is_found_there(game: str, build: str, tmp_path: Path):
    assert load_existing_table(tmp_path) is None
    game_options = GameOptions(3, find_game(game).editions[0], {}, 2)
    config = set_up(tmp_path, game, game_options, "fr", build=build, seats=4)
    assert load_existing_table(tmp_path) == config
    assert (config.game.game_options, len(config.seats), build_of(config)) == (game_options, 4, build)


def test_what_was_changed_by_hand_in_a_folder_is_left_alone(tmp_path: Path):
    config = set_up(tmp_path, "online", GameOptions(2, "de", {}, None), "en")
    changed = config.file.read_text() + "# by hand\n"
    config.file.write_text(changed)
    with pytest.raises(ConfigError, match="or was changed by hand: name another folder"):
        load_existing_table(tmp_path)
    assert config.file.read_text() == changed


def test_each_game_in_a_folder_has_a_deck_of_its_own(tmp_path: Path):
    first, second, third = (
        set_up(tmp_path, game, GameOptions(3, find_game(game).editions[0], {}, None), "en")
        for game in ("xnet", "online", "xnet")
    )
    assert (first.table.deck, second.table.deck, third.table.deck) == (DECK, f"{DECK}-online", DECK)
    assert first.table.journal == second.table.journal
    assert {name: Decks(tmp_path / "decks").deck(name).game for name in Decks(tmp_path / "decks").names()} == {
        DECK: "xnet",
        f"{DECK}-online": "online",
    }
