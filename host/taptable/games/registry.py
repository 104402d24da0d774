"""The games there are. A new one is a folder and a line here; older rules of one are another line, for as long as
games that were begun by them are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.games.cyber_siege.game import CyberSiege
from taptable.games.online.earlier import EARLIER as EARLIER_ONLINE
from taptable.games.online.game import Online
from taptable.games.xnet.game import Xnet

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in (Online(), CyberSiege(), Xnet())}

EARLIER: tuple[Game[Any], ...] = EARLIER_ONLINE
"""By the rules that recorded games may have been begun with; no new game is."""


def find_game(name: str) -> Game[Any]:
    """A game by its name; ConfigError names those there are."""
    if name not in GAMES:
        raise ConfigError(f"There is no game {name!r}: there are {', '.join(sorted(GAMES))}.")
    return GAMES[name]


def find_game_version(name: str, rules_version: str) -> Game[Any] | None:
    """A game by the version of its rules that a recorded one names; None if nobody knows those. ConfigError as from
    `find_game`."""
    known = (find_game(name), *EARLIER)
    return next((game for game in known if (game.name, game.rules_version) == (name, rules_version)), None)


def package_of(name: str) -> str:
    """The package of a game's folder, wherever that is: its catalogues, faces and icons lie there. ConfigError as from
    `find_game`."""
    return type(find_game(name)).__module__.rpartition(".")[0]
