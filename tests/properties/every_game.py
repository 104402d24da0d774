"""The games for the suite: those of the registry, and the tiny one as the model of the next; and the options possible
for each. A game whose cards people describe has small manifests in its folder of tests, in a module `manifests`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest
from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES, package_of
from taptable.referee.step import open_table
from tiny.registered import TINY

EVERY_GAME: dict[str, Game[Any]] = {**GAMES, TINY.name: TINY}

every_game = pytest.mark.parametrize("game", EVERY_GAME.values(), ids=list(EVERY_GAME))


@cache
def manifests_of(name: str) -> tuple[str, ...]:
    """Return the game's own cards ("") first, then the manifests of its tests."""
    folder = package_of(name).rpartition(".")[2] if name in GAMES else name
    module = f"games.{folder}.manifests"
    return ("", *(import_module(module).MANIFESTS if find_spec(f"games.{folder}") and find_spec(module) else ()))


@cache
def players_of(name: str, manifest: str = "") -> tuple[int, ...]:
    """Return the possible numbers of players with these cards."""
    game = EVERY_GAME[name]
    return tuple(
        players for players in range(1, 7) if can_be(game, GameOptions(players, game.editions[0], {}, None, manifest))
    )


def can_be(game: Game[Any], game_options: GameOptions) -> bool:
    """Return whether these options are possible for this game."""
    try:
        open_table(game, game_options)
    except ConfigError:
        return False
    return True
