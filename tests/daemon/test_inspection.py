"""A table reports what prevents it from running before it runs, and changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.daemon.recovery import inspect
from taptable.games.registry import find_game
from taptable.memory.deck import card_set_of, validated_manifest
from taptable.memory.decks import Decks
from taptable.sim.setting_up import DECK, set_up, tagged_deck


def test_a_deck_of_too_few_cards_for_the_players_is_reported(tmp_path: Path) -> None:
    config = set_up(tmp_path, "xnet", GameOptions(6, "standard", {}, None), "en")
    inspect(config)
    small = {**json.loads(find_game("xnet").sample), "name": "small"}
    small["topics"] = {topic: {"1": 15} for topic in list(small["topics"])[:6]}
    manifest = validated_manifest("xnet", json.dumps(small))
    Decks(config.table.decks).save(tagged_deck(DECK, card_set_of("xnet", manifest), 1, manifest))
    with pytest.raises(ConfigError, match=f"deck {DECK} can't be played with: "):
        inspect(config)
    inspect(replace(config, game=replace(config.game, game_options=replace(config.game.game_options, players=4))))
    assert not config.table.journal.exists()
