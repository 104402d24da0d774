"""The presets of a table, as values, as JSON, and in one file beside its journal, each change on the disk before it
counts. With them stands what the configuration said when it was last seen, and the deck that was chosen since. A
damaged file is kept aside and named, and whatever of it can still be read stays. Knows no game."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard, cast

from taptable.core.errors import PresetsError
from taptable.core.game_options import GameOptions
from taptable.core.json_text import NotJson, parse_json
from taptable.core.spelling import is_visible
from taptable.memory.blotting import is_redacted
from taptable.memory.durable import name_aside, why_not, write_and_adopt, write_atomically

LONGEST_NAME = 40
"""Letters of a preset's name."""
LONGEST_PLAYER = 24
"""Characters of a player's name."""
MOST_PLAYERS = 6
MOST_SETTINGS = 100
LONGEST_TEXT = 100
"""Letters of any other text."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """All that is set up before a game. With `heir_kept` the rules of the game say who begins, else the agreed starter
    does, else the youngest. `names` are the players', seat 1 first, "" for one without; `deck` "" is whichever is in
    use."""

    game: str
    game_options: GameOptions
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
    game_options: GameOptions
    deck: str


def json_of_preset(preset: Preset) -> dict[str, Any]:
    """Ready for JSON; `preset_of` is the way back."""
    set_up = preset.set_up
    return {
        "name": preset.name,
        "game": set_up.game,
        **json_of_game_options(set_up.game_options),
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
            return Preset(name, SetUp(_text(game), game_options_of(value), heir_kept, _players(names), _text(deck)))
        case _:
            raise ValueError


def json_of_configured(configured: Configured) -> dict[str, Any]:
    """Ready for JSON; `configured_of` is the way back."""
    return {"game": configured.game, **json_of_game_options(configured.game_options), "deck": configured.deck}


def configured_of(value: Any) -> Configured:
    """What a JSON value says that the configuration said; ValueError if it says nothing of the kind."""
    match value:
        case {"game": str(game), "deck": str(deck)}:
            return Configured(_text(game), game_options_of(value), _text(deck))
        case _:
            raise ValueError


def json_of_game_options(game_options: GameOptions) -> dict[str, Any]:
    """Ready for JSON; `game_options_of` is the way back."""
    return {
        "players": game_options.players,
        "edition": game_options.edition,
        "starter": game_options.starter,
        "settings": dict(game_options.settings),
    }


def game_options_of(value: Any) -> GameOptions:
    """What is agreed by a JSON value; ValueError if nothing is."""
    match value:
        case {"players": players, "edition": str(edition), "starter": starter, "settings": settings}:
            if not _is_seat(players) or not (starter is None or _is_seat(starter)):
                raise ValueError
            return GameOptions(players, _text(edition), _settings(settings), starter)
        case _:
            raise ValueError


def is_name(value: object, longest: int) -> TypeGuard[str]:
    """Is it a text in which something is seen, without spaces around it, and not longer?"""
    if not isinstance(value, str) or not 0 < len(value) <= longest or value != value.strip():
        return False
    return is_visible(value)


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


FORMAT = 1
"""The version of the format, under the key ``taptable-presets``."""
MOST_PRESETS = 24

_LONGEST = 1_000_000  # bytes

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What the file holds. `configured` and `deck` are None where nothing is known."""

    presets: tuple[Preset, ...] = ()
    configured: Configured | None = None
    deck: str | None = None


def presets_of(journal: Path) -> Path:
    """Where the presets of the table with this journal are."""
    return journal.with_name("presets.json")


class Presets:
    """The presets in the file at `path`. `damaged` says that it couldn't be read as a whole when it was opened; with
    `look_only` it is left where it is then."""

    def __init__(self, path: Path, *, look_only: bool = False) -> None:
        self.path = path
        self.damaged = False
        self._look_only = look_only
        self._unreadable: str | None = None
        self._unsure = False  # whether the last write failed: the file may be gone after a loss of power
        self._kept = self._load()

    @property
    def presets(self) -> tuple[Preset, ...]:
        """All of them, in the order in which their names were first saved."""
        return self._kept.presets

    @property
    def configured(self) -> Configured | None:
        """What the configuration said when it was last seen; None if that isn't known."""
        return self._kept.configured

    @property
    def deck(self) -> str | None:
        """The deck that was chosen since then; None if none was."""
        return self._kept.deck

    def save(self, preset: Preset) -> None:
        """Keep a preset, in place of one with the same name. After a PresetsError of the disk this is as the file has
        it, and the same once more is right."""
        there = [each.name for each in self.presets]
        if preset.name in there:
            presets = tuple(preset if each.name == preset.name else each for each in self.presets)
        elif len(there) >= MOST_PRESETS:
            raise PresetsError(f"presets {self.path}: {MOST_PRESETS} are the most; delete one first")
        else:
            presets = (*self.presets, preset)
        self._write(replace(self._kept, presets=presets))

    def delete(self, name: str) -> None:
        """Forget a preset, if it is there; PresetsError as from `save`."""
        self._write(replace(self._kept, presets=tuple(each for each in self.presets if each.name != name)))

    def redact(self, names: Collection[str] | None) -> int:
        """Take these names of players, or all, out of every preset; returns out of how many. PresetsError as from
        `save`."""
        before, left = self.presets, tuple(_without(each, names) for each in self.presets)
        self._write(replace(self._kept, presets=left))
        return sum(after != before for after, before in zip(left, before, strict=True))

    def choose_deck(self, deck: str) -> None:
        """Keep which deck was chosen; PresetsError as from `save`."""
        self._write(replace(self._kept, deck=deck))

    def see(self, configured: Configured) -> None:
        """Keep what the configuration says; the deck that was chosen is forgotten if it says otherwise now.
        PresetsError as from `save`."""
        if configured != self.configured:
            self._write(replace(self._kept, configured=configured, deck=None))

    def forget_agreed(self) -> None:
        """Forget what the configuration said and which deck was chosen, so that the configuration holds; PresetsError
        as from `save`."""
        self._write(replace(self._kept, configured=None, deck=None))

    def _write(self, kept: Kept) -> None:
        if kept == self._kept and not self._unsure:
            return
        if self._unreadable is not None:
            raise PresetsError(self._unreadable)
        content = text_of(kept).encode()
        try:
            write_and_adopt(self.path, content, lambda: self._adopt(kept))
        except OSError as error:
            self._unsure = True
            raise PresetsError(f"presets {self.path} can't be written: {why_not(self.path, error)}") from error
        self._unsure = False

    def _adopt(self, kept: Kept) -> None:
        self._kept = kept

    def _load(self) -> Kept:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return Kept()
        except OSError as error:
            # what is in there is somebody's: it isn't written over
            self._unreadable = f"presets {self.path} can't be read: {error.strerror}"
            _log.error("%s", self._unreadable)
            self.damaged = True
            return Kept()
        kept, troubles = kept_of(data)
        self.damaged = bool(troubles)
        if troubles and not self._look_only:
            self._put_aside(kept, troubles)
        return kept

    def _put_aside(self, kept: Kept, troubles: list[str]) -> None:
        """Keep the damaged file under another name, and what could be read in its place."""
        said = f"presets {self.path} are damaged ({'; '.join(troubles)})"
        aside = name_aside(self.path, "damaged")
        try:
            self.path.replace(aside)
        except OSError as error:
            self._unreadable = f"{said}, and can't be kept aside: {why_not(self.path, error)}"
            _log.error("%s", self._unreadable)
            return
        _log.error("%s: the file was kept as %s; presets that could be read: %d", said, aside, len(kept.presets))
        try:
            write_atomically(self.path, text_of(kept).encode())
        except OSError as error:  # what could be read is still known, and written with the next change
            _log.error("presets %s can't be written: %s", self.path, why_not(self.path, error))


def _without(preset: Preset, names: Collection[str] | None) -> Preset:
    """The preset without these names of players; None: without any."""
    left = tuple("" if is_redacted(name, names) else name for name in preset.set_up.names)
    return replace(preset, set_up=replace(preset.set_up, names=left))


def text_of(kept: Kept) -> str:
    """As it stands in the file; `kept_of` is the way back."""
    whole = {
        "taptable-presets": FORMAT,
        "configured": None if kept.configured is None else json_of_configured(kept.configured),
        "deck": kept.deck,
        "presets": [json_of_preset(preset) for preset in kept.presets],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def kept_of(data: bytes) -> tuple[Kept, list[str]]:
    """What is in a file's bytes, as far as it can be read, and what is wrong with it."""
    if len(data) > _LONGEST:
        return Kept(), [f"{len(data)} bytes are too many"]
    try:
        value: Any = parse_json(data)
    except NotJson as error:
        return Kept(), [f"this is no JSON: {error}"]
    if not isinstance(value, dict):
        return Kept(), ["presets are a JSON object {…}"]
    return _kept(cast("dict[str, Any]", value))


def _kept(whole: dict[str, Any]) -> tuple[Kept, list[str]]:
    troubles = [] if whole.get("taptable-presets") == FORMAT else [f"the format must be {FORMAT}"]
    configured = None
    try:
        configured = None if whole.get("configured") is None else configured_of(whole["configured"])
    except ValueError:
        troubles.append("configured")
    deck: Any = whole.get("deck")
    if not isinstance(deck, str | None):
        troubles.append("deck")
        deck = None
    listed: Any = whole.get("presets")
    if not isinstance(listed, list):
        return Kept((), configured, deck), [*troubles, "there is no list of presets"]
    found: dict[str, Preset] = {}
    for number, value in enumerate(cast("Iterable[Any]", listed), 1):
        try:
            preset = preset_of(value)
        except ValueError:
            troubles.append(f"preset {number}")
            continue
        if preset.name in found or len(found) == MOST_PRESETS:
            troubles.append(f"preset {number} is one too many")
        else:
            found[preset.name] = preset
    return Kept(tuple(found.values()), configured, deck), troubles
