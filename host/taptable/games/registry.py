"""The list of games, and the only module that names them. A new game is a folder and a line here; its earlier rules are
another line, for as long as games that began under them are kept."""

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
"""The games by their names, each by its present rules."""
EARLIER: tuple[Game[Any], ...] = EARLIER_ONLINE
"""Games by earlier rules, for recorded games that began under them; new games never use these."""


def find_game(name: str) -> Game[Any]:
    """Return a game by its name. Raises ConfigError with the known names."""
    if name not in GAMES:
        raise ConfigError(f"There is no game {name!r}: there are {', '.join(sorted(GAMES))}.")
    return GAMES[name]


def find_game_version(name: str, rules_version: str) -> Game[Any] | None:
    """Return a game by the version of its rules in a recorded game; None if that version is unknown. Raises ConfigError
    as `find_game` does."""
    known = (find_game(name), *EARLIER)
    return next((game for game in known if (game.name, game.rules_version) == (name, rules_version)), None)


def package_of(name: str) -> str:
    """Return the package of a game's folder, which may be outside taptable: its catalogues, faces and icons are there.
    Raises ConfigError as `find_game` does."""
    return type(find_game(name)).__module__.rpartition(".")[0]
