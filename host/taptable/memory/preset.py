"""What people agree on before a game, as a value and as JSON: a preset with its name, and what the configuration said
when it was last seen. Knows no file, and not what a game can be played with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, cast

from taptable.core.agreed import Agreed

LONGEST_NAME = 40
"""Letters of a preset's name."""
LONGEST_PLAYER = 24
"""Characters of a player's name."""
MOST_PLAYERS = 6
MOST_SETTINGS = 100
LONGEST_TEXT = 100
"""Letters of any other text."""

_UNSEEN = re.compile("[\u200c\u200d\U000e0020-\U000e007f]")
"""What joins characters that print into one, as in a family or a flag, and keeps apart what would be joined."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """All that is set up before a game. With `heir_kept` the rules of the game say who begins, else the agreed starter
    does, else the youngest. `names` are the players', seat 1 first, "" for one without; `deck` "" is whichever is in
    use."""

    game: str
    agreed: Agreed
    heir_kept: bool
    names: tuple[str, ...]
    deck: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A set-up that is kept by a name."""

    name: str
    set_up: SetUp


@dataclass(frozen=True, slots=True)
class Configured:
    """What the configuration says of a game, so that an edit of it is noticed."""

    game: str
    agreed: Agreed
    deck: str


def json_of_preset(preset: Preset) -> dict[str, Any]:
    """Ready for JSON; `preset_of` is the way back."""
    set_up = preset.set_up
    return {
        "name": preset.name,
        "game": set_up.game,
        **json_of_agreed(set_up.agreed),
        "heir_kept": set_up.heir_kept,
        "names": list(set_up.names),
        "deck": set_up.deck,
    }


def preset_of(value: Any) -> Preset:
    """The preset in a JSON value; ValueError if there is none."""
    match value:
        case {"name": name, "game": str(game), "heir_kept": bool(heir_kept), "names": names, "deck": str(deck)}:
            if not is_name(name, LONGEST_NAME):
                raise ValueError
            return Preset(name, SetUp(_text(game), agreed_of(value), heir_kept, _players(names), _text(deck)))
        case _:
            raise ValueError


def json_of_configured(configured: Configured) -> dict[str, Any]:
    """Ready for JSON; `configured_of` is the way back."""
    return {"game": configured.game, **json_of_agreed(configured.agreed), "deck": configured.deck}


def configured_of(value: Any) -> Configured:
    """What a JSON value says that the configuration said; ValueError if it says nothing of the kind."""
    match value:
        case {"game": str(game), "deck": str(deck)}:
            return Configured(_text(game), agreed_of(value), _text(deck))
        case _:
            raise ValueError


def json_of_agreed(agreed: Agreed) -> dict[str, Any]:
    """Ready for JSON; `agreed_of` is the way back."""
    return {
        "players": agreed.players,
        "edition": agreed.edition,
        "starter": agreed.starter,
        "settings": dict(agreed.settings),
    }


def agreed_of(value: Any) -> Agreed:
    """What is agreed by a JSON value; ValueError if nothing is."""
    match value:
        case {"players": players, "edition": str(edition), "starter": starter, "settings": settings}:
            if not _is_seat(players) or not (starter is None or _is_seat(starter)):
                raise ValueError
            return Agreed(players, _text(edition), _settings(settings), starter)
        case _:
            raise ValueError


def is_name(value: object, longest: int) -> TypeGuard[str]:
    """Is it a text that prints, not empty, without spaces around it, and not longer?"""
    if not isinstance(value, str) or not 0 < len(value) <= longest or value != value.strip():
        return False
    seen = _UNSEEN.sub("", value)
    return seen != "" and seen.isprintable()


def _players(value: object) -> tuple[str, ...]:
    names = cast("list[object]", value) if isinstance(value, list) else None
    if names is None or len(names) > MOST_PLAYERS:
        raise ValueError
    return tuple("" if name == "" else _player(name) for name in names)


def _player(name: object) -> str:
    if not is_name(name, LONGEST_PLAYER):
        raise ValueError
    return name


def _settings(value: object) -> Mapping[str, str]:
    settings = cast("dict[object, object]", value) if isinstance(value, dict) else None
    if settings is None or len(settings) > MOST_SETTINGS:
        raise ValueError
    return {_text(key): _text(text) for key, text in settings.items()}


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        raise ValueError
    return value


def _is_seat(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_PLAYERS
