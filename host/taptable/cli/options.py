"""The options and arguments that several commands share: for a game and its house rules, for the language, for the
table's files, and for a recorded game, each with a function that adds it to a parser and one that makes a value of it;
and the alignment of texts in columns. The modules of the commands call it. Must not know a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from taptable.config import Config, load_config
from taptable.config.home import CONFIG_VARIABLE, default_config, environment_language, ready_made_text
from taptable.config.model import NO_PAD, GameSettings, TableSettings
from taptable.core.errors import ConfigError, JournalError
from taptable.core.game_options import GameOptions
from taptable.daemon.game_options import check_game
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import manifest_in
from taptable.memory.game_export import Transcript, transcript_in
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.words import LANGUAGES, Vocabulary, Words

USUAL_GAME, USUAL_PLAYERS = "online", 4
"""The game and the number of players if the command line names none."""


def add_game_options(parser: argparse.ArgumentParser, players: int = USUAL_PLAYERS) -> None:
    """Add ``--game``, ``--edition``, ``--players``, ``--set`` and ``--starter``."""
    parser.add_argument("--game", default=USUAL_GAME, metavar="NAME", help=f"the game: {', '.join(sorted(GAMES))}")
    parser.add_argument(
        "--edition", metavar="ID", help="the edition, of a game that has several (ONLINE: de, en, fr, nl)"
    )
    parser.add_argument(
        "--players", type=int, default=players, metavar="N", help=f"the number of players (default: {players})"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="a house rule; may be repeated"
    )
    parser.add_argument(
        "--starter", type=int, metavar="SEAT", help="the seat that begins (default: the youngest presses)"
    )


def add_language_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add ``--language``; without a default it follows the environment."""
    parser.add_argument(
        "--language", choices=LANGUAGES, default=default or environment_language(), help="the language of all sentences"
    )


def game_options_from(args: argparse.Namespace) -> GameOptions:
    """Return the game options from the command line. They aren't checked here: the game checks them. Raises ConfigError
    if a ``--set`` isn't KEY=VALUE. The edition is ``--edition``, else the game's first one. If there is no such game,
    it is "", since the caller refuses the game anyway."""
    settings: dict[str, str] = {}
    for text in args.settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set takes KEY=VALUE, such as claim_s=8, and can't make anything of {text!r}.")
        if key in settings:
            raise ConfigError(f"--set {key} is given twice.")
        settings[key] = value
    edition = args.edition or GAMES[args.game].editions[0] if args.game in GAMES else ""
    return GameOptions(args.players, edition, settings, args.starter)


_DEFAULT = os.environ.get(CONFIG_VARIABLE) or "table.toml in this folder, else that of your own table"


def add_config_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add ``--config``; without it, `default_config` is read. A command and its verbs may both have the option; the
    verb's parser then gets argparse.SUPPRESS as `default`, so that it doesn't overwrite a value from before the
    verb."""
    parser.add_argument(
        "--config",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"the table's configuration (default: {_DEFAULT})",
    )


def add_journal_options(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add ``--config`` and ``--journal``; `default` as in `add_config_option`."""
    add_config_option(parser, default)
    parser.add_argument(
        "--journal", type=Path, default=default, metavar="FILE", help="the journal (default: the configuration's)"
    )


def add_decks_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--config`` and ``--decks``."""
    add_config_option(parser)
    parser.add_argument(
        "--decks", type=Path, metavar="FOLDER", help="the folder of decks (default: the configuration's)"
    )


def config_from(args: argparse.Namespace, *, with_parts: bool = True) -> Config:
    """Return the configuration, `with_parts` as for `load_config`; raise ConfigError with all its mistakes. Make the
    folder of the user's own table if that isn't there yet."""
    file = config_file_of(args)
    if ready_made_text(file) is not None:
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"{file.parent}, the folder of your table, can't be made: {error.strerror}.") from error
    return load_config(file, check_game, with_parts=with_parts)


def journal_from(args: argparse.Namespace) -> Path:
    """Return the journal's path; the configuration is read only if no journal was named."""
    if args.journal is not None:
        return args.journal
    return config_from(args, with_parts=False).table.journal


def decks_from(args: argparse.Namespace) -> Path:
    """Return the decks' folder; the configuration is read only if no folder was named."""
    if args.decks is not None:
        return args.decks
    return config_from(args, with_parts=False).table.decks


def config_without_devices(journal: Path) -> Config:
    """Return the configuration of a table without devices, of which only the journal's path is known: for commands that
    run a table on a journal alone. Everything else has its usual value."""
    table = TableSettings(journal=journal, decks=journal.parent / "decks", deck="")
    game = GameSettings(USUAL_GAME, GameOptions(USUAL_PLAYERS, GAMES[USUAL_GAME].editions[0], {}, None))
    return Config(journal, table, game, (), NO_PAD, None, None, None, None, None, None)


def config_file_of(args: argparse.Namespace) -> Path:
    """Return the path of the configuration. The file need not exist."""
    return args.config or default_config()


def say_defaults(config: Config, words: Words) -> None:
    """Print to standard error what the table is like, if nobody has written a configuration for it."""
    if os.path.lexists(config.file):
        return
    page = "" if config.page is None else f"http://localhost:{config.page.port}/"
    facts = {"folder": str(config.file.parent), "file": config.file.name, "deck": config.table.deck, "page": page}
    print(words.text("cli", "ready-made", facts), file=sys.stderr, flush=True)


def add_recorded_game_argument(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add ``ID|FILE`` and the journal's options; `default` as in `add_journal_options`."""
    parser.add_argument("recorded", metavar="ID|FILE", help="a game's number in the journal, or an exported file")
    add_journal_options(parser, default)


def read_manifest(path: Path) -> str:
    """Return the manifest in a file; raise ConfigError if it is wrong."""
    try:
        return manifest_in(path.read_bytes(), str(path))
    except OSError as error:
        raise ConfigError(f"The manifest {path} can't be read: {error.strerror}.") from error


def transcript_from(args: argparse.Namespace) -> Transcript:
    """Return the recorded game that was named; raise `JournalError` if there is none."""
    if args.recorded.isdecimal():
        with JournalReader.open(journal_from(args)) as journal:
            return transcript_of(journal, int(args.recorded))
    path = Path(args.recorded)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(
            f"{path} can't be read: {error.strerror}; a game is named by its ID, a number, or its file"
        ) from error
    return transcript_in(data, str(path))


def words_for(transcript: Transcript, language: str) -> Words:
    """Return the words for a recorded game and its cards; raise ConfigError if the game doesn't exist or can't have
    these cards."""
    header = transcript.game.header
    game = find_game(header.game)
    return Words(language, Vocabulary((package_of(game.name),), game.pack(header.manifest)))


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return each row as a line, in which every column but the last is as wide as its longest text."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
