"""The presets of a table in one file beside its journal, each change on the disk before it counts. With them stands
what the configuration said when it was last seen, and the deck that was chosen since. A damaged file is kept aside and
named, and whatever of it can still be read stays. Knows no game."""

from __future__ import annotations

import json
import logging
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from taptable.core.errors import PresetsError
from taptable.memory.durable import name_aside, write_atomically
from taptable.memory.preset import (
    Configured,
    Preset,
    configured_of,
    json_of_configured,
    json_of_preset,
    preset_of,
)

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
        """Keep a preset, in place of one with the same name; PresetsError, and nothing has changed, if it can't be."""
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

    def choose_deck(self, deck: str) -> None:
        """Keep which deck was chosen; PresetsError as from `save`."""
        self._write(replace(self._kept, deck=deck))

    def see(self, configured: Configured) -> None:
        """Keep what the configuration says; the deck that was chosen is forgotten if it says otherwise now.
        PresetsError as from `save`."""
        if configured != self.configured:
            self._write(replace(self._kept, configured=configured, deck=None))

    def _write(self, kept: Kept) -> None:
        if kept == self._kept:
            return
        if self._unreadable is not None:
            raise PresetsError(self._unreadable)
        with _naming(self.path):
            write_atomically(self.path, text_of(kept).encode())
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
            self._unreadable = f"{said}, and can't be kept aside: {error.strerror}"
            _log.error("%s", self._unreadable)
            return
        _log.error("%s: the file was kept as %s; presets that could be read: %d", said, aside, len(kept.presets))
        try:
            write_atomically(self.path, text_of(kept).encode())
        except OSError as error:  # what could be read is still known, and written with the next change
            _log.error("presets %s can't be written: %s", self.path, error.strerror)


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
        value: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        return Kept(), [f"this is no JSON: {error}"]
    if not isinstance(value, dict):
        return Kept(), ["presets are a JSON object {…}"]
    return _Reading().kept(cast("dict[str, Any]", value))


@dataclass(slots=True)
class _Reading:
    """One walk through the file, collecting what is wrong."""

    troubles: list[str] = field(default_factory=list[str])

    def kept(self, whole: dict[str, Any]) -> tuple[Kept, list[str]]:
        if whole.get("taptable-presets") != FORMAT:
            self.troubles.append(f"the format must be {FORMAT}")
        configured = deck = None
        try:
            configured = None if whole.get("configured") is None else configured_of(whole["configured"])
        except ValueError:
            self.troubles.append("configured")
        if isinstance(whole.get("deck"), str):
            deck = whole["deck"]
        elif whole.get("deck") is not None:
            self.troubles.append("deck")
        presets = self._presets(whole.get("presets"))
        return Kept(presets, configured, deck), self.troubles

    def _presets(self, listed: Any) -> tuple[Preset, ...]:
        if not isinstance(listed, list):
            self.troubles.append("there is no list of presets")
            return ()
        found: dict[str, Preset] = {}
        for number, value in enumerate(cast("Iterable[Any]", listed), 1):
            try:
                preset = preset_of(value)
            except ValueError:
                self.troubles.append(f"preset {number}")
                continue
            if preset.name in found or len(found) == MOST_PRESETS:
                self.troubles.append(f"preset {number} is one too many")
            else:
                found[preset.name] = preset
        return tuple(found.values())


@contextmanager
def _naming(path: Path) -> Generator[None]:
    """Turn errors of the file system into a `PresetsError` that names the file."""
    try:
        yield
    except OSError as error:
        raise PresetsError(f"presets {path} can't be written: {error.strerror}") from error
