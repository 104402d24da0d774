"""How a test finds a control on a page, and where entries of the walk are offered."""

from __future__ import annotations

from page.pressing import opens, press
from page.walking import ONLINE, TABLE

AT_A_TABLE = frozenset({TABLE})
IN_ONLINE = frozenset({ONLINE})
SETTINGS = "[data-settings]"
DECK = '[data-deck="family"]'


def do(verb: str) -> str:
    return f'[data-do="{verb}"]'


def remedy(name: str) -> str:
    return f'[data-remedy="{name}"]'


TURNS_PAUSE = (opens("correct"), press(remedy("pause")))
"""Pause, or go on."""
