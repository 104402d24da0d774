"""The presets of a table, as values, as JSON, and in one file beside its journal, each change on the disk before it
counts. With them stands what the configuration said when it was last seen, and the deck that was chosen since. A
damaged file is kept aside and named, and whatever of it can still be read stays. Knows no game."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypeGuard, cast

import msgspec
from msgspec import Meta

from taptable.core.errors import PresetsError
from taptable.core.game_options import GameOptions
from taptable.core.json_text import NotJson, parse_json
from taptable.core.spelling import is_visible
from taptable.memory.json_store import JsonStore
from taptable.memory.redaction import is_to_redact

LONGEST_NAME = 40
"""Letters of a preset's name."""
LONGEST_PLAYER = 24
"""Characters of a player's name."""
MOST_PLAYERS = 6
MOST_SETTINGS = 100
LONGEST_TEXT = 100
"""Letters of any other text."""


@dataclass(frozen=True, slots=True)
class GameSetup:
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
    set_up: GameSetup


@dataclass(frozen=True, slots=True)
class Configured:
    """What the configuration says of a game, so that an edit of it is noticed."""

    game: str
    game_options: GameOptions
    deck: str


def is_printable_name(value: object, longest: int) -> TypeGuard[str]:
    """Is it a text in which something is seen, without spaces around it, and not longer?"""
    if not isinstance(value, str) or not 0 < len(value) <= longest or value != value.strip():
        return False
    return is_visible(value)


_Seat: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]
_Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]


class _ConfiguredJson(msgspec.Struct, kw_only=True):
    """What was configured of a game, as it stands in the file."""

    game: _Text
    players: _Seat
    edition: _Text
    starter: _Seat | None
    settings: Annotated[dict[_Text, _Text], Meta(max_length=MOST_SETTINGS)]
    deck: _Text

    def __post_init__(self) -> None:
        if not all(map(str.isprintable, (self.game, self.edition, self.deck, *sum(self.settings.items(), ())))):
            raise ValueError("a text that can't be printed")

    @property
    def value(self) -> Configured:
        game_options = GameOptions(self.players, self.edition, self.settings, self.starter)
        return Configured(self.game, game_options, self.deck)


class _PresetJson(_ConfiguredJson, kw_only=True):
    """A preset, as it stands in the file."""

    name: str
    heir_kept: bool
    names: Annotated[list[str], Meta(max_length=MOST_PLAYERS)]

    def __post_init__(self) -> None:
        super().__post_init__()
        players = all(name == "" or is_printable_name(name, LONGEST_PLAYER) for name in self.names)
        if not players or not is_printable_name(self.name, LONGEST_NAME):
            raise ValueError("a name that is none")

    @property
    def preset(self) -> Preset:
        configured = self.value
        names = tuple(self.names)
        return Preset(
            self.name, GameSetup(configured.game, configured.game_options, self.heir_kept, names, configured.deck)
        )


def _json_of(part: GameSetup | Configured) -> dict[str, Any]:
    options = part.game_options
    agreed = {name: getattr(options, name) for name in ("players", "edition", "starter")}
    own = {"heir_kept": part.heir_kept, "names": part.names} if isinstance(part, GameSetup) else {}
    return {"game": part.game, **agreed, "settings": dict(options.settings), **own, "deck": part.deck}


FORMAT = 1
"""The version of the format, under the key ``taptable-presets``."""
MOST_PRESETS = 24

_LONGEST = 1_000_000  # bytes

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptPresets:
    """What the file holds. `configured` and `deck` are None where nothing is known."""

    presets: tuple[Preset, ...] = ()
    configured: Configured | None = None
    deck: str | None = None

    @property
    def count(self) -> int:
        """The number of presets."""
        return len(self.presets)


def presets_file_of(journal: Path) -> Path:
    """Where the presets of the table with this journal are."""
    return journal.with_name("presets.json")


class Presets(JsonStore[KeptPresets]):
    """The presets in the file at `path`."""

    error = PresetsError
    empty = KeptPresets()
    unreadable_message = "presets {path} can't be read: {why}"
    damaged_message = "presets {path} are damaged ({why})"
    unwritable_message = "presets {path} can't be written: {why}"
    moved_message = "the file was kept as {kept}; presets that could be read: {value.count}"
    mode = 0o666

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        if self.fault is not None and not read_only:
            _log.error("%s", self.fault)

    @classmethod
    def decode(cls, content: bytes) -> tuple[KeptPresets, str]:
        """As for every store; what is right in a damaged file is read."""
        if len(content) > _LONGEST:
            return cls.empty, f"{len(content)} bytes are too many"
        try:
            value: Any = parse_json(content)
        except NotJson as error:
            return cls.empty, f"this is no JSON: {error}"
        if not isinstance(value, dict):
            return cls.empty, "presets are a JSON object {…}"
        kept, troubles = _parse(cast("dict[str, Any]", value))
        return kept, "; ".join(troubles)

    @classmethod
    def encode(cls, value: KeptPresets) -> bytes:
        """As for every store."""
        whole = {
            "taptable-presets": FORMAT,
            "configured": None if value.configured is None else _json_of(value.configured),
            "deck": value.deck,
            "presets": [{"name": each.name, **_json_of(each.set_up)} for each in value.presets],
        }
        return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"

    @property
    def was_damaged(self) -> bool:
        """Whether it couldn't be read as a whole when it was opened."""
        return self.fault is not None

    @property
    def presets(self) -> tuple[Preset, ...]:
        """All of them, in the order in which their names were first saved."""
        return self.value.presets

    @property
    def configured(self) -> Configured | None:
        """What the configuration said when it was last seen; None if that isn't known."""
        return self.value.configured

    @property
    def deck(self) -> str | None:
        """The deck that was chosen since then; None if none was."""
        return self.value.deck

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
        self.write(replace(self.value, presets=presets))

    def delete(self, name: str) -> None:
        """Forget a preset, if it is there; PresetsError as from `save`."""
        self.write(replace(self.value, presets=tuple(each for each in self.presets if each.name != name)))

    def redact(self, names: Collection[str] | None) -> int:
        """Take these names of players, or all, out of every preset; returns out of how many. PresetsError as from
        `save`."""
        before, left = self.presets, tuple(_redact_preset(each, names) for each in self.presets)
        self.write(replace(self.value, presets=left))
        return sum(after != before for after, before in zip(left, before, strict=True))

    def choose_deck(self, deck: str) -> None:
        """Keep which deck was chosen; PresetsError as from `save`."""
        self.write(replace(self.value, deck=deck))

    def remember_configured(self, configured: Configured) -> None:
        """Keep what the configuration says; the deck that was chosen is forgotten if it says otherwise now.
        PresetsError as from `save`."""
        if configured != self.configured:
            self.write(replace(self.value, configured=configured, deck=None))

    def forget_choices(self) -> None:
        """Forget what the configuration said and which deck was chosen, so that the configuration holds; PresetsError
        as from `save`."""
        self.write(replace(self.value, configured=None, deck=None))


def _redact_preset(preset: Preset, names: Collection[str] | None) -> Preset:
    """The preset without these names of players; None: without any."""
    left = tuple("" if is_to_redact(name, names) else name for name in preset.set_up.names)
    return replace(preset, set_up=replace(preset.set_up, names=left))


def _parse(whole: dict[str, Any]) -> tuple[KeptPresets, list[str]]:
    troubles = [] if whole.get("taptable-presets") == FORMAT else [f"the format must be {FORMAT}"]
    configured = None
    try:
        if whole.get("configured") is not None:
            configured = msgspec.convert(whole["configured"], _ConfiguredJson).value
    except msgspec.ValidationError:
        troubles.append("configured")
    deck: Any = whole.get("deck")
    if not isinstance(deck, str | None):
        troubles.append("deck")
        deck = None
    listed: Any = whole.get("presets")
    if not isinstance(listed, list):
        return KeptPresets((), configured, deck), [*troubles, "there is no list of presets"]
    found: dict[str, Preset] = {}
    for number, value in enumerate(cast("Iterable[Any]", listed), 1):
        try:
            preset = msgspec.convert(value, _PresetJson).preset
        except msgspec.ValidationError:
            troubles.append(f"preset {number}")
            continue
        if preset.name in found or len(found) == MOST_PRESETS:
            troubles.append(f"preset {number} is one too many")
        else:
            found[preset.name] = preset
    return KeptPresets(tuple(found.values()), configured, deck), troubles
