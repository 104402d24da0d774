"""The help: the rules of the game in short, and the keys. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.scoreboard import Mark
from taptable.core.settings import Whole
from taptable.games.registry import find_game
from taptable.sim.demo.lines import Line, line, wrapped
from taptable.sim.demo.views import Show
from taptable.words import Words

KEYS = (
    ("1-9 ←→ ↑↓", "help-card"),
    ("Enter", "help-enter"),
    ("d", "help-discard"),
    ("b", "help-hold"),
    ("space", "help-space"),
    ("x", "help-draw"),
    ("e", "help-extra-pad"),
    ("m", "help-menu"),
    ("h", "help-hint"),
    ("t p r n c", "help-controls"),
    ("+ -", "help-speed"),
)
"""Of some keys only the words of a game speak that has a use for them."""
KEY_COLUMNS = 11


def help_lines(show: Show, marks: Sequence[Mark], words: Words, columns: int, rows: int) -> list[Line]:
    """What the help shows; `marks` and the house rules say what it takes to win."""
    agreed = {key: show.agreed.settings.get(key, usual) for key, usual in _usual(show.game).items()}
    quotas = {**agreed, **{mark.name: mark.need for mark in marks}}
    lines = [line(("class:title", words.text("demo", "help-title", {"game": words.text("simulate", "game")}))), ()]
    number = 1
    while words.message("demo", f"rule-{number}") is not None:
        lines += wrapped(words.text("demo", f"rule-{number}", quotas), columns - 1, after="  ")
        number += 1
    lines.append(())
    for key, what in KEYS:
        if words.message("demo", what) is None:
            continue
        name = words.text("demo", "space") if key == "space" else key
        first, *more = wrapped(words.text("demo", what), columns - KEY_COLUMNS - 1)
        lines += [
            line(("class:key", f"{name:<{KEY_COLUMNS}}"), *first),
            *(line(" " * KEY_COLUMNS, *each) for each in more),
        ]
    foot = line(("class:faint", words.text("demo", "help-leave")))
    return [*lines[: rows - 1], *[()] * (rows - 1 - len(lines)), foot]


def _usual(game: str) -> dict[str, str]:
    """The usual house rules that are whole numbers."""
    settings = find_game(game).settings
    return {key: str(setting.default) for key, setting in settings.items() if isinstance(setting, Whole)}
