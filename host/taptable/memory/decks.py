"""The folder of decks: one file each, read together and saved whole after every card. A damaged file is named and left
unchanged, and the others remain usable. `deckfile` has the format. Must not know a reader or the rules of a game."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from taptable.core.device_events import CONTROL_PREFIX
from taptable.core.errors import DeckError
from taptable.memory.deck import (
    CardSet,
    Deck,
    DeckFault,
    DeckFaults,
    card_set_for,
    completeness,
    is_deck_name,
    validated_manifest,
)
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.durable import free_backup_path, sync_folder, write_and_adopt, write_atomically, write_error_reason

_NO_DECK = Deck("", "")
_MAX_NAMED = 10  # the most cards that an error message names


class Decks:
    """The decks of a folder. `faults` maps the name of each unusable file to its `DeckError`. `on_change` is called
    after a deck has changed, was added or removed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.on_change: Callable[[], None] = _nothing
        self.faults: dict[str, DeckError] = {}
        self._decks: dict[str, Deck] = {}
        self._bytes: dict[str, bytes] = {}  # each file as last read or written: changes of others aren't overwritten
        with _translating_errors(folder):
            for path in sorted(folder.glob("*.json")):
                self._load(path)

    def names(self) -> tuple[str, ...]:
        """Return the names of the usable decks, sorted."""
        return tuple(sorted(self._decks))

    def deck(self, name: str) -> Deck:
        """Return the deck of this name. Raises `DeckError` with the reason why it can't be used, or the names that
        exist."""
        if fault := self.faults.get(f"{name}.json"):
            raise fault
        if name not in self._decks:
            advice = f"there is none yet; `taptable deck enrol {name}` creates it"
            names = f"there are {', '.join(self.names())}" if self._decks else advice
            raise DeckError(f"no deck {name!r} in {self.folder}: {names}")
        return self._decks[name]

    def get_or_new(self, name: str, game: str) -> Deck:
        """Return the deck to enrol into: the one of this name, or an empty one, which has no file until it is saved."""
        if not is_deck_name(name):
            raise DeckError(f"{name!r} is no name for a deck: lower-case letters, digits and hyphens, 40 at most")
        if name not in self._decks and f"{name}.json" not in self.faults:
            return Deck(name, game)
        deck = self.deck(name)
        if deck.game != game:
            raise DeckError(f"deck {name} is for {deck.game}, not for {game}: take another name")
        return deck

    def with_manifest(self, name: str, game: str, manifest: str) -> Deck:
        """Return the deck of this name, or an empty one, with another manifest; not saved yet. Raises `DeckError` if
        the manifest leaves out cards that have tags already, ConfigError if it is invalid."""
        deck = replace(self.get_or_new(name, game), manifest=validated_manifest(game, manifest))
        tagged_extra = completeness(deck, card_set_for(deck)).extra
        if tagged_extra:
            more = ", …" if len(tagged_extra) > _MAX_NAMED else ""
            raise DeckError(
                f"deck {name} has {len(tagged_extra)} cards that this manifest doesn't have: "
                f"{', '.join(tagged_extra[:_MAX_NAMED])}{more}; leave them in it, or take another name for the deck"
            )
        return deck

    def find(self, uid: str) -> tuple[str, str] | None:
        """Return the name of the deck that has this tag, and its card or control there."""
        for name in self.names():
            if target := self._decks[name].lookup(uid):
                return name, target
        return None

    def identities(self, name: str) -> dict[str, str]:
        """Return the identity of each tag, in the form of `Identify`, at a table that plays with this deck; "" for a
        table without a deck."""
        own = self._decks.get(name, _NO_DECK)
        found: dict[str, str] = {}
        for other in reversed(self.names()):
            deck = self._decks[other]
            found |= {uid: f"{other}:{target}" for uid, target in {**deck.controls, **deck.cards}.items()}
        return {**found, **{uid: CONTROL_PREFIX + target for uid, target in own.controls.items()}, **own.cards}

    def save(self, deck: Deck) -> None:
        """Write the deck to its file and return when it is on the disk. After a `DeckError` the deck is as in the file,
        which nearly always is as before."""
        path = self._path(deck.name)
        data = text_of(deck).encode()
        with _translating_errors(path):
            self._refuse_changed(deck.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_and_adopt(path, data, lambda: self._adopt(deck, data))

    def export_to(self, path: Path, name: str, *, force: bool = False) -> Path | None:
        """Write the deck of this name to `path`. `force` keeps a file that it replaces and returns its new path."""
        data = text_of(self.deck(name)).encode()
        with _translating_errors(path):
            _refuse_replacing(path, data, force=force)
            backup = _back_up(path, data)
            write_atomically(path, data)
        return backup

    def import_from(
        self, path: Path, card_set: CardSet, *, name: str | None = None, force: bool = False
    ) -> tuple[Deck, Path | None]:
        """Import a deck file, renamed if `name` is given. `force` keeps a file that it replaces and returns its new
        path."""
        with _translating_errors(path):
            data = path.read_bytes()
        return self.import_bytes(data, str(path), card_set, name=name, force=force)

    def import_bytes(
        self, data: bytes, source: str, card_set: CardSet, *, name: str | None = None, force: bool = False
    ) -> tuple[Deck, Path | None]:
        """As `import_from`, for bytes that were read already. After a `DeckError` the deck is as in its file."""
        deck = self.check_import(data, source, card_set, name=name, force=force)
        data = text_of(deck).encode()
        path = self._path(deck.name)
        with _translating_errors(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            backup = _back_up(path, data)
            write_and_adopt(path, data, lambda: self._adopt(deck, data))
        return deck, backup

    def check_import(
        self, data: bytes, source: str, card_set: CardSet, *, name: str | None = None, force: bool = False
    ) -> Deck:
        """Return the deck that `import_bytes` would save, without changing anything. Raises `DeckError` as that does,
        except for errors of the disk."""
        deck = deck_of(data, source, card_set)
        deck = deck if name is None else replace(deck, name=name)
        if not is_deck_name(deck.name):
            raise DeckError(f"{name!r} is no name for a deck: lower-case letters, digits and hyphens, 40 at most")
        self._refuse_tags_of_others(deck)
        path = self._path(deck.name)
        with _translating_errors(path):
            _refuse_replacing(path, text_of(deck).encode(), force=force)
        return deck

    def rename(self, name: str, new: str) -> Deck:
        """Rename a deck. Raises `DeckError` if the name is invalid or belongs to another deck. Until it is done the
        deck has both names; a pulled plug or a `DeckError` of the disk leaves both files, and a second call continues
        from there."""
        deck = replace(self.deck(name), name=new)
        data = text_of(deck).encode()
        if not is_deck_name(new):
            raise DeckError(f"{new!r} is no name for a deck: lower-case letters, digits and hyphens, 40 at most")
        with _translating_errors(self._path(name)):
            if _content(self._path(new)) not in (None, data) or self._decks.get(new, deck) != deck:
                raise DeckError(f"there is a deck {new} already")
            self._refuse_changed(name)
            write_and_adopt(self._path(new), data, lambda: self._adopt(deck, data))
            self._path(name).unlink(missing_ok=True)
            self._forget(name)
            sync_folder(self.folder)
        return deck

    def move_aside(self, name: str) -> Path:
        """Take a deck out of use, damaged or not. Its file is kept under the path returned."""
        path = self._path(name)
        with _translating_errors(path):
            if _content(path) is None:
                raise DeckError(f"there is no deck {name!r:.60}")
            backup = free_backup_path(path, "old")
            path.rename(backup)
            self._forget(name)
            sync_folder(self.folder)
        return backup

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _load(self, path: Path) -> None:
        """Read one file. A fault goes into `faults`."""
        try:
            with _translating_errors(path):
                data = path.read_bytes()
            deck = deck_of(data, str(path))
            if deck.name != path.stem:
                raise DeckError(
                    f"deck {path}: the deck in it is called {deck.name}, so its file must be {deck.name}.json"
                )
            self._adopt(deck, data)
        except DeckError as error:
            self.faults[path.name] = error

    def _refuse_changed(self, name: str) -> None:
        """Raise DeckError if another program has changed the file meanwhile, rather than overwrite it."""
        path = self._path(name)
        if _content(path) != self._bytes.get(name):
            raise DeckError(
                f"deck {path} was changed by another program and is left as it is: check it, then start again"
            )

    def _forget(self, name: str) -> None:
        self._decks.pop(name, None)
        self._bytes.pop(name, None)
        self.faults.pop(f"{name}.json", None)
        self.on_change()

    def _adopt(self, deck: Deck, data: bytes) -> None:
        self._decks[deck.name] = deck
        self._bytes[deck.name] = data
        self.faults.pop(f"{deck.name}.json", None)
        self.on_change()

    def _refuse_tags_of_others(self, deck: Deck) -> None:
        """Raise DeckFaults if a tag is in another deck: a tag can only have one identity."""
        others = [other for other in self._decks.values() if other.name != deck.name]
        shared = [
            DeckFault("shared", {"tag": uid, "what": target, "deck": other.name})
            for uid in (*deck.cards, *deck.controls)
            for other in others
            if (target := other.lookup(uid))
        ]
        if shared:
            raise DeckFaults(f"deck {deck.name} has tags of other decks", shared)


def _nothing() -> None:
    """Do nothing: there is no listener."""


def _content(path: Path) -> bytes | None:
    """Return the content of a file; None if there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _refuse_replacing(path: Path, data: bytes, *, force: bool) -> None:
    """Raise `DeckError` if `path` has other content and `force` doesn't allow replacing it."""
    if not force and _content(path) not in (None, data):
        raise DeckError(f"{path} is there already: --force replaces it, and keeps the old file")


def _back_up(path: Path, data: bytes) -> Path | None:
    """Copy the file at `path` before `data` replaces it, and return the copy's path; None if nothing would be lost."""
    old = _content(path)
    if old in (None, data):
        return None
    backup = free_backup_path(path, "old")
    write_atomically(backup, old)
    return backup


@contextmanager
def _translating_errors(path: Path) -> Generator[None]:
    """Turn errors of the file system into a `DeckError` that names the file."""
    try:
        yield
    except OSError as error:
        raise DeckError(f"deck {path} can't be read or written: {write_error_reason(path, error)}") from error
