"""The table's files: its configuration, its decks, its journal, and the room on the disk. Reads them as the daemon will
at its start, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from taptable.config import Config, InvalidConfig, InvalidParts, load_config
from taptable.config.home import home_config, ready_made_text
from taptable.config.parts_file import PARTS_FILE
from taptable.core.errors import ConfigError, DeckError, JournalError
from taptable.daemon.game_options import check_game
from taptable.daemon.recovery import GameNotResumable, restore_table
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding, fault, ok, unseen, warning
from taptable.doctor.site import ExaminedTable
from taptable.drivers.registry import installed_drivers
from taptable.memory.deck import card_set_for, completeness, controls_of
from taptable.memory.decks import Decks
from taptable.memory.durable import MOUNTS, is_on_read_only_disk
from taptable.memory.integrity import check
from taptable.memory.journal_reader import JournalReader
from taptable.memory.presets import Presets, presets_file_of

INSTALLED = "/etc/taptable/table.toml"
"""The configuration of an installed table."""

_FILE = "table.toml"
_ASSIGN = "Assign the seats by touching the parts: open Parts on the page, or run `taptable seats`."
_TODO = "Correct the file; docs/configuration.md lists every key and its values."


def find_configuration(named: Path | None, computer: Computer) -> Path | None:
    """Return the file that was named, else that of the installed table, else that of the user's own, which need not
    exist; None if the user has no home folder."""
    if named is not None:
        return named
    if computer.has(INSTALLED):
        return computer.at(INSTALLED)
    with suppress(ConfigError):
        return home_config()
    return None


def read_configuration(file: Path) -> Config:
    """Return the configuration in a file; raise ConfigError with a line for each mistake."""
    config = load_config(file, check_game)
    for part in config.parts:
        installed_drivers()[part.address.kind].check(part)
    return config


def examine_configuration(file: Path | None) -> Iterator[Finding]:
    """Yield the configuration's mistakes, or what it describes."""
    if file is None:
        todo = "Copy examples/full.toml or examples/compact.toml to table.toml, or name the file with --config."
        found = f"there is no table.toml in this folder, no {INSTALLED}, and no home folder"
        yield fault("config", _FILE, found, todo)
        return
    try:
        config = read_configuration(file)
    except InvalidConfig as error:
        todo = _ASSIGN if isinstance(error, InvalidParts) else _TODO
        for sentence in error.sentences:
            yield fault("config", PARTS_FILE if isinstance(error, InvalidParts) else _FILE, sentence, todo)
        return
    except ConfigError as error:
        yield fault("config", _FILE, f"{file}: {error}", _TODO)
        return
    if not file.exists():
        yield ok("config", _FILE, f"not written yet, so this is a table of parts that plug together, in {file.parent}")
    boards = len(config.pads_on("board"))
    if config.seats:
        seats = f"{len(config.seats)} seats, {boards or 'no'} seat board{'s' * (boards != 1)}"
        yield ok("config", _FILE, f"{file}: {seats}")
        yield from _examine_assigned(config)
    else:
        yield fault("config", _FILE, f"{file}: the table has no seats yet", _ASSIGN)


def _examine_assigned(config: Config) -> Iterator[Finding]:
    """Yield whether the parts that were assigned by touching are used."""
    if config.assigned is not None:
        sections = [f"{len(config.assigned.seats)} seats"] if config.assigned.seats else []
        sections += ["the discard pad"] if config.assigned.discard else []
        yield ok("config", PARTS_FILE, f"{config.parts_file} has {' and '.join(sections)}")
    elif config.parts_file.exists():
        found = f"{config.parts_file} isn't used: {config.file.name} names the parts, and it wins"
        todo = f"To use the assigned parts, take [[seats]] and [discard] out of {config.file}."
        yield warning("config", PARTS_FILE, found, todo)


MB = 1_000_000
"""Bytes of a megabyte."""

_MAX_NAMED = 5
"""How many missing cards a finding names."""
_SD_CARD = (
    "If the folder is on the SD card and was writable before, the card may be worn out: check `dmesg | grep mmc`, and"
    " copy everything to a new card."
)

_READ_ONLY = (
    "Copy its files elsewhere, and replace the card: a failing SD card becomes read-only, see `dmesg | grep mmc`."
)


def examine_decks(site: ExaminedTable) -> Iterator[Finding]:
    """Examine the table's deck, and the files beside it."""
    table = site.config.table
    if closed := folder_access_problem(table.decks, "deck", site.computer):
        yield closed
        return
    try:
        decks = Decks(table.decks)
    except DeckError as error:
        yield fault("deck", "deck", str(error), f"Allow {site.computer.table_user.name} to read {table.decks}.")
        return
    yield from _deck(decks, site.config)
    for name, trouble in decks.faults.items():
        if name != f"{table.deck}.json":
            yield warning("other-decks", name, str(trouble), f"Repair {table.decks / name}, or move it elsewhere.")


def examine_journal(site: ExaminedTable) -> Iterator[Finding]:
    """Examine the journal's file, the game in it, its folder and its disk."""
    path = site.config.table.journal
    if closed := folder_access_problem(path.parent, "journal", site.computer):
        yield closed
        return
    yield from _journal(path, site.config)
    if ready_made_text(site.config.file) is not None and not path.parent.exists():
        return  # the first command of the table makes the folder
    yield _folder(path, site.computer)
    yield _disk(path.parent, site.computer)


def folder_access_problem(folder: Path, name: str, computer: Computer) -> Finding | None:
    """Return the finding about a folder that may not be read; None if it may."""
    try:
        computer.list_folder(folder)
    except PermissionError:
        if computer.current_user != computer.table_user:
            return unseen(name, name, f"{computer.current_user.name} has no access to {folder}; the table may have it")
        return fault(
            name, name, f"{computer.current_user.name} has no access to {folder}", _chown_advice(folder, computer)
        )
    except OSError:
        return None  # another check reports what doesn't exist
    return None


def _chown_advice(folder: Path, computer: Computer) -> str:
    name = computer.table_user.name
    return f"Make {name} the owner of {folder} and its files: `sudo chown -R {name} {folder}`."


def _deck(decks: Decks, config: Config) -> Iterator[Finding]:
    name, game = config.table.deck, config.game.name
    try:
        deck = decks.deck(name)
    except DeckError as error:
        if f"{name}.json" in decks.faults:
            todo = f"Repair the file, or replace it with a copy: `taptable deck import FILE --name {name} --force`."
            yield fault("deck", "deck", str(error), todo)
        elif config.page is not None:
            todo = f"The table starts without it. Enrol its cards on the page, or with `taptable deck enrol {name}`."
            yield warning("deck", "deck", str(error), todo)
        else:
            yield fault("deck", "deck", str(error), _enrol_advice(name))
        return
    if deck.game != game:
        todo = "Name another deck in [table] deck, or that game in [game] name."
        yield fault("deck", "deck", f"deck {name} is for {deck.game}, and the table plays {game}", todo)
        return
    missing = completeness(deck, card_set_for(deck)).missing
    if missing:
        named = ", ".join(missing[:_MAX_NAMED]) + (", …" if len(missing) > _MAX_NAMED else "")
        yield warning("deck", "deck", f"deck {name} lacks {len(missing)} cards: {named}", _enrol_advice(name))
    else:
        yield ok("deck", "deck", f"deck {name} has all {len(deck.cards)} cards of {game}")
    lacks = [control for control in controls_of(game) if control not in deck.controls.values()]
    if lacks:
        todo = f"`taptable deck enrol {name}` enrols them at its end. Without these cards, use the page."
        yield warning("controls", "deck", f"there is no control card for {', '.join(lacks)}", todo)
    else:
        yield ok("controls", "deck", f"a control card for each of {', '.join(controls_of(game))}")


def _enrol_advice(name: str) -> str:
    return f"Enrol its cards, or the missing ones: `taptable deck enrol {name}`."


def _journal(path: Path, config: Config) -> Iterator[Finding]:
    if not path.exists():
        yield ok("journal", "journal", f"{path} doesn't exist yet: the table creates it")
        return
    wrong = check(path)
    for sentence in wrong:
        todo = (
            f"Copy {path.parent} to another folder first. Then `sqlite3 {path} .recover` prints everything that is"
            " still readable."
        )
        yield fault("journal", "journal", sentence, todo)
    if wrong:
        return
    yield ok("journal", "journal", f"{path} is intact")
    try:
        with JournalReader.open(path) as journal:
            games = len(journal.games())
            table = restore_table(journal, config, Presets(presets_file_of(path), read_only=True))
    except GameNotResumable as error:
        todo = "You need not do anything. Only the version of taptable that began the game can finish it."
        yield warning("replay", "journal", str(error), todo)
        return
    except JournalError as error:
        yield fault(
            "replay",
            "journal",
            str(error),
            f"To begin an empty journal, move {path} and the files beside it to another folder.",
        )
        return
    found = "no unfinished game" if table is None else "the last game was replayed to its last state"
    yield ok("replay", "journal", f"games: {games}; {found}")


def _folder(path: Path, computer: Computer) -> Finding:
    folder = path.parent
    if is_on_read_only_disk(folder, computer.at(str(MOUNTS))):
        return fault("folder", "journal", f"{folder} isn't writable: its disk has become read-only", _READ_ONLY)
    if computer.current_user != computer.table_user and computer.current_user.uid != 0:
        return unseen(
            "folder", "journal", f"only {computer.table_user.name} can check whether it may write to {folder}"
        )
    if computer.is_writable(folder) and (not path.exists() or computer.is_writable(path)):
        return ok("folder", "journal", f"{folder} is writable")
    return fault("folder", "journal", f"{folder} isn't writable", f"{_chown_advice(folder, computer)} {_SD_CARD}")


SCARCE_BYTES = 200 * MB
"""Less free space is a warning. An evening takes about one megabyte; the system's own logs take more."""
TOO_LITTLE_BYTES = 20 * MB
"""Less free space is a fault."""


def _disk(folder: Path, computer: Computer) -> Finding:
    try:
        free = computer.free_bytes(folder)
    except OSError as error:
        return fault("disk", "journal", f"{folder} can't be examined: {error.strerror}", f"Create the folder {folder}.")
    found = f"{free // MB} MB free in {folder}"
    todo = "Free some space: `sudo journalctl --vacuum-size=50M`, `sudo apt clean`, or delete files of your own."
    if free < TOO_LITTLE_BYTES:
        return fault("disk", "journal", found, todo)
    if free < SCARCE_BYTES:
        return warning("disk", "journal", found, todo)
    return ok("disk", "journal", found)
