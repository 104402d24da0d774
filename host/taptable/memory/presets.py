"""The presets of a table, which are set-ups of games saved under names: as values, as JSON, and in one file beside its
journal. Each change is on the disk before it counts. The file also has the game that the configuration named last, and
the deck chosen since then. A damaged file is moved aside and named, and its readable part is kept. Must not know a
game."""

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
"""The most characters of a preset's name."""
LONGEST_PLAYER = 24
"""The most characters of a player's name, of a member's name and of a paired device's name, wherever one is entered at
the table. A league stores up to `league.members.LONGEST_NAME` characters of a member's name."""
MAX_PLAYERS = 6
"""The most players of one preset."""
MAX_SETTINGS = 100
"""The most house rules of one preset."""
LONGEST_TEXT = 100
"""The most characters of any other text in a preset, such as a house rule's key or value."""
MAX_PRESETS = 24
"""The most presets of a table. Somebody who saves one more is asked to delete one first."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Everything that is set up before a game. With `heir_kept` the rules of the game determine the starter; otherwise
    it is the agreed one, or the youngest player. `names` are the players', seat 1 first, "" for none; `deck` "" stands
    for the one in use."""

    game: str
    game_options: GameOptions
    heir_kept: bool
    names: tuple[str, ...]
    deck: str


@dataclass(frozen=True, slots=True)
class Preset:
    """A set-up that is saved under a name."""

    name: str
    set_up: GameSetup


@dataclass(frozen=True, slots=True)
class Configured:
    """The configured game, with which an edit of the configuration is detected."""

    game: str
    game_options: GameOptions
    deck: str


def is_printable_name(value: object, longest: int) -> TypeGuard[str]:
    """Return whether this is a text with visible characters, no surrounding spaces, and at most this long."""
    if not isinstance(value, str) or not 0 < len(value) <= longest or value != value.strip():
        return False
    return is_visible(value)


_Seat: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_PLAYERS)]
_Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]


class _ConfiguredJson(msgspec.Struct, kw_only=True):
    """The configured game as it is in the file."""

    game: _Text
    players: _Seat
    edition: _Text
    starter: _Seat | None
    settings: Annotated[dict[_Text, _Text], Meta(max_length=MAX_SETTINGS)]
    deck: _Text

    def __post_init__(self) -> None:
        if not all(map(str.isprintable, (self.game, self.edition, self.deck, *sum(self.settings.items(), ())))):
            raise ValueError("a text that can't be printed")

    @property
    def value(self) -> Configured:
        game_options = GameOptions(self.players, self.edition, self.settings, self.starter)
        return Configured(self.game, game_options, self.deck)


class _PresetJson(_ConfiguredJson, kw_only=True):
    """A preset as it is in the file."""

    name: str
    heir_kept: bool
    names: Annotated[list[str], Meta(max_length=MAX_PLAYERS)]

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
    names_and_starter = {"heir_kept": part.heir_kept, "names": part.names} if isinstance(part, GameSetup) else {}
    return {"game": part.game, **agreed, "settings": dict(options.settings), **names_and_starter, "deck": part.deck}


FORMAT = 1
"""The version of the format, under the key ``taptable-presets``."""

_LONGEST = 1_000_000  # bytes of a file that is read

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptPresets:
    """The content of the file. `configured` and `deck` are None if unknown."""

    presets: tuple[Preset, ...] = ()
    configured: Configured | None = None
    deck: str | None = None

    @property
    def count(self) -> int:
        """The number of presets."""
        return len(self.presets)


def presets_file_of(journal: Path) -> Path:
    """Return the path of the presets of the table with this journal."""
    return journal.with_name("presets.json")


class Presets(JsonStore[KeptPresets]):
    """The presets in the file at `path`."""

    error = PresetsError
    empty = KeptPresets()
    unreadable_message = "presets {path} can't be read: {why}"
    damaged_message = "presets {path} are damaged ({why})"
    unwritable_message = "presets {path} can't be written: {why}"
    moved_message = "the file was moved aside to {kept}; presets that could be read: {value.count}"
    mode = 0o666

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        if self.fault is not None and not read_only:
            _log.error("Presets not read completely: %s", self.fault)

    @classmethod
    def decode(cls, content: bytes) -> tuple[KeptPresets, str]:
        """As for every store. Valid parts of a damaged file are kept."""
        if len(content) > _LONGEST:
            return cls.empty, f"{len(content)} bytes are too many"
        try:
            value: Any = parse_json(content)
        except NotJson as error:
            return cls.empty, f"this is no JSON: {error}"
        if not isinstance(value, dict):
            return cls.empty, "presets are a JSON object {…}"
        kept, faults = _parse(cast("dict[str, Any]", value))
        return kept, "; ".join(faults)

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
        """Whether the file couldn't be read completely when it was opened."""
        return self.fault is not None

    @property
    def presets(self) -> tuple[Preset, ...]:
        """All presets, in the order in which their names were first saved."""
        return self.value.presets

    @property
    def configured(self) -> Configured | None:
        """The configuration as last seen; None if unknown."""
        return self.value.configured

    @property
    def deck(self) -> str | None:
        """The deck chosen since then; None if none was."""
        return self.value.deck

    def save(self, preset: Preset) -> None:
        """Save a preset, replacing one with the same name. After a PresetsError of the disk this store agrees with the
        file, and the call may be repeated."""
        names = [each.name for each in self.presets]
        if preset.name in names:
            presets = tuple(preset if each.name == preset.name else each for each in self.presets)
        elif len(names) >= MAX_PRESETS:
            raise PresetsError(f"presets {self.path}: {MAX_PRESETS} are the most; delete one first")
        else:
            presets = (*self.presets, preset)
        self.write(replace(self.value, presets=presets))

    def delete(self, name: str) -> None:
        """Delete a preset if it exists. Raises PresetsError as `save` does."""
        self.write(replace(self.value, presets=tuple(each for each in self.presets if each.name != name)))

    def redact(self, names: Collection[str] | None) -> int:
        """Remove these players' names, or all, from every preset and return the number of presets changed. Raises
        PresetsError as `save` does."""
        before, redacted = self.presets, tuple(_redact_preset(each, names) for each in self.presets)
        self.write(replace(self.value, presets=redacted))
        return sum(after != before for after, before in zip(redacted, before, strict=True))

    def choose_deck(self, deck: str) -> None:
        """Save which deck was chosen. Raises PresetsError as `save` does."""
        self.write(replace(self.value, deck=deck))

    def remember_configured(self, configured: Configured) -> None:
        """Save the configuration. If it differs from the last one, the chosen deck is forgotten. Raises PresetsError as
        `save` does."""
        if configured != self.configured:
            self.write(replace(self.value, configured=configured, deck=None))

    def forget_choices(self) -> None:
        """Forget the configuration and the chosen deck, so that the configuration applies. Raises PresetsError as
        `save` does."""
        self.write(replace(self.value, configured=None, deck=None))


def _redact_preset(preset: Preset, names: Collection[str] | None) -> Preset:
    """Return the preset without these players' names; None stands for all names."""
    names_left = tuple("" if is_to_redact(name, names) else name for name in preset.set_up.names)
    return replace(preset, set_up=replace(preset.set_up, names=names_left))


def _parse(whole: dict[str, Any]) -> tuple[KeptPresets, list[str]]:
    faults = [] if whole.get("taptable-presets") == FORMAT else [f"the format must be {FORMAT}"]
    configured = None
    try:
        if whole.get("configured") is not None:
            configured = msgspec.convert(whole["configured"], _ConfiguredJson).value
    except msgspec.ValidationError:
        faults.append("configured")
    deck: Any = whole.get("deck")
    if not isinstance(deck, str | None):
        faults.append("deck")
        deck = None
    listed: Any = whole.get("presets")
    if not isinstance(listed, list):
        return KeptPresets((), configured, deck), [*faults, "there is no list of presets"]
    found: dict[str, Preset] = {}
    for number, value in enumerate(cast("Iterable[Any]", listed), 1):
        try:
            preset = msgspec.convert(value, _PresetJson).preset
        except msgspec.ValidationError:
            faults.append(f"preset {number}")
            continue
        if preset.name in found or len(found) == MAX_PRESETS:
            faults.append(f"preset {number} is one too many")
        else:
            found[preset.name] = preset
    return KeptPresets(tuple(found.values()), configured, deck), faults
