"""The games there are. A new one is a folder and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.games.cyber_siege.game import CyberSiege
from taptable.games.online.game import Online
from taptable.games.xnet.game import Xnet

GAMES: Mapping[str, Game[Any, Any]] = {game.name: game for game in (Online(), CyberSiege(), Xnet())}


def find_game(name: str) -> Game[Any, Any]:
    """A game by its name; ConfigError names those there are."""
    if name not in GAMES:
        raise ConfigError(f"There is no game {name!r}: there are {', '.join(sorted(GAMES))}.")
    return GAMES[name]


def package_of(name: str) -> str:
    """The package of a game's folder, wherever that is: its catalogues, faces and icons lie there. ConfigError as from
    `find_game`."""
    return type(find_game(name)).__module__.rpartition(".")[0]
