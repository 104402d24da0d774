"""Puts Colours into the registry: the one place outside its folder that a new game touches."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from taptable.core.game import Game
from taptable.games.registry import GAMES

from tiny.game import Tiny

TINY = Tiny()


@contextmanager
def registered() -> Generator[Tiny]:
    """Keep the game in the registry during a `with` statement."""
    games = cast("dict[str, Game[Any]]", GAMES)
    games[TINY.name] = TINY
    try:
        yield TINY
    finally:
        del games[TINY.name]
