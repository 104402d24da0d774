"""Compares docs/adding-a-game.md with the code that it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from taptable.core.game import Game
from taptable.core.player import Players

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
LISTINGS = re.findall(r"```python\n# (\S+)\n(.*?)\n```", PAGE, re.DOTALL)


def verbs(protocol: type) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def test_it_has_listings():
    assert len(LISTINGS) >= 8
    assert PAGE.count("```python") == len(LISTINGS)


@pytest.mark.parametrize(("file", "listing"), LISTINGS, ids=range(len(LISTINGS)))
def test_every_listing_stands_in_the_file_it_names(file: str, listing: str):
    assert listing in (ROOT / file).read_text("utf-8")


def test_every_verb_is_described():
    assert [verb for verb in (*verbs(Game), *verbs(Players)) if f"`{verb}`" not in PAGE] == []


def test_the_line_of_the_registry_is_the_registry_s():
    """The list of games grows, so the line is compared up to it."""
    line = next(line for line in PAGE.splitlines() if line.startswith("    GAMES"))
    registry = (ROOT / "host" / "taptable" / "games" / "registry.py").read_text("utf-8")
    assert line.strip().partition("Xnet()")[0] in registry
