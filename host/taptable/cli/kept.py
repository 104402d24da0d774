"""The options that say where a table keeps its things: its configuration, and by it the journal and the decks."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from taptable.config import Config, load_config
from taptable.core.errors import ConfigError
from taptable.daemon.agreement import check_game

DEFAULT = Path(os.environ.get("TAPTABLE_CONFIG", "table.toml"))
"""Where a table that is installed has its configuration, by the environment; else a file of the current folder."""


def _default_said() -> str:
    return str(DEFAULT) if DEFAULT.is_absolute() else f"{DEFAULT} in this folder"


def add_config_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``--config``; without it, the file of `DEFAULT`. `default` is for a verb of a command that
    has the option too: argparse.SUPPRESS leaves what stood before the verb."""
    parser.add_argument(
        "--config",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"the table's configuration (else: {_default_said()})",
    )


def add_journal_options(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``--config`` and ``--journal``; `default` as for `add_config_option`."""
    add_config_option(parser, default)
    parser.add_argument(
        "--journal", type=Path, default=default, metavar="FILE", help="the journal, where it isn't the configuration's"
    )


def add_decks_options(parser: argparse.ArgumentParser) -> None:
    """``--config`` and ``--decks``."""
    add_config_option(parser)
    parser.add_argument(
        "--decks", type=Path, metavar="FOLDER", help="the folder of decks, where it isn't the configuration's"
    )


def config_from(args: argparse.Namespace) -> Config:
    """The configuration; ConfigError says all that is wrong with it, or that none was named."""
    return load_config(_config_file(args, "name the table's configuration with --config"), check_game)


def journal_from(args: argparse.Namespace) -> Path:
    """Where the journal is; a configuration is only read if no journal was named."""
    if args.journal is not None:
        return args.journal
    file = _config_file(args, "name the table's configuration with --config, or a journal with --journal")
    return load_config(file, check_game).table.journal


def decks_from(args: argparse.Namespace) -> Path:
    """Where the decks are; a configuration is only read if no folder was named."""
    if args.decks is not None:
        return args.decks
    file = _config_file(args, "name the table's configuration with --config, or a folder of decks with --decks")
    return load_config(file, check_game).table.decks


def _config_file(args: argparse.Namespace, advice: str) -> Path:
    if args.config is None and not DEFAULT.exists():
        raise ConfigError(f"there is no {_default_said()}: {advice}.")
    return args.config or DEFAULT
