"""The configuration: found, read and checked whole, each mistake a finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from taptable.config import Config, InvalidConfig, load_config
from taptable.core.errors import ConfigError
from taptable.daemon.agreement import check_game
from taptable.doctor.computer import Computer
from taptable.doctor.finding import Finding, fault, ok
from taptable.edges.cues.oled import read_display_options

INSTALLED = "/etc/taptable/table.toml"

_PART = "table.toml"
_TODO = "Correct it in the file; docs/configuration.md lists every key and what it takes."


def find_configuration(named: Path | None, computer: Computer) -> Path | None:
    """The file that was named, else that of the installed table; None if there is neither."""
    if named is not None:
        return named
    return computer.at(INSTALLED) if computer.has(INSTALLED) else None


def read_configuration(file: Path) -> Config:
    """The configuration in a file; ConfigError has a line for each mistake."""
    config = load_config(file, check_game)
    if config.scoreboard is not None:
        read_display_options(config.scoreboard.options)
    return config


def examine_configuration(file: Path | None) -> Iterator[Finding]:
    """Every mistake in it, or what it describes."""
    if file is None:
        todo = "Copy examples/full.toml or examples/compact.toml to table.toml, or name the file with --config."
        yield fault("config", _PART, f"there is no table.toml in this folder, nor {INSTALLED}", todo)
        return
    try:
        config = read_configuration(file)
    except InvalidConfig as error:
        for sentence in error.sentences:
            yield fault("config", _PART, sentence, _TODO)
        return
    except ConfigError as error:
        yield fault("config", _PART, f"{file}: {error}", _TODO)
        return
    boards = f"{len(config.boards)} of them on seat boards" if config.boards else "no seat boards"
    yield ok("config", _PART, f"{file}: {len(config.seats)} seats, {boards}")
