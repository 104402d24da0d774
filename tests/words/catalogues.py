"""The catalogues in the sources."""

from __future__ import annotations

from functools import cache
from importlib import resources

from babel.messages.pofile import read_po
from taptable.games.registry import GAMES, package_of

PACKAGES = ("taptable", *map(package_of, GAMES))
"""The package of the table's own catalogues, and that of each game's."""


@cache
def sentences(package: str, language: str) -> dict[tuple[str, str], str]:
    """Return every sentence by context and key."""
    with resources.files(package).joinpath(f"catalogues/{language}.po").open("rb") as file:
        return {
            (message.context or "", str(message.id)): str(message.string) for message in read_po(file) if message.id
        }
