"""``taptable referee``: the referee as JSON lines, for scripts, tests and other front ends. `referee.jsonl` answers the
lines."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from taptable.cli.options import add_game_options, add_language_option, game_options_from
from taptable.core.errors import ConfigError, DeckError, TaptableError
from taptable.core.game import Game
from taptable.games.registry import find_game, package_of
from taptable.memory.deck import card_set_of, manifest_in
from taptable.memory.deckfile import deck_of
from taptable.referee.jsonl import JsonlReferee
from taptable.referee.step import open_table
from taptable.words import Vocabulary, Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "referee",
        help="judge observations, JSON lines in and out",
        description="Reads observations as JSON lines, and answers each with a verdict: docs/referee.md.",
    )
    add_game_options(parser)
    # not the environment's language, since the same input must give the same output on every computer
    add_language_option(parser, "de")
    parser.add_argument(
        "--deck",
        default="sample",
        metavar="sample|FILE",
        help="the cards of the game: a manifest of your own, or a deck file if the game's cards are fixed (ONLINE)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input; return 2 if at least one line was in error."""
    game = find_game(args.game)
    game_options = replace(game_options_from(args), manifest=_manifest_of(args.deck, game))
    table, _ = open_table(game, game_options)
    words = Words(args.language, Vocabulary((package_of(game.name),), game.pack(game_options.manifest)))
    front = JsonlReferee(table, words.verdict, args.language)
    for line in sys.stdin.buffer:
        answer = front.answer(line.rstrip(b"\r\n"))
        sys.stdout.buffer.write(answer.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()
    return 2 if front.errors else 0


def _manifest_of(deck: str, game: Game[Any]) -> str:
    """Return the manifest that `deck` names: the text of its file, or "" for the sample. For a game whose cards are
    fixed the file is a deck file: check it and return "". Raise ConfigError if a manifest's file is unreadable or
    wrong, and DeckError if a deck file is."""
    if deck == "sample":
        return ""
    path = Path(deck)
    if game.sample:
        return manifest_in(_content(path, ConfigError), str(path))
    # the lines name cards and not tags, so the deck isn't used; its file is only checked
    deck_of(_content(path, DeckError), str(path), card_set_of(game.name))
    return ""


def _content(path: Path, error_type: type[TaptableError]) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise error_type(f"{path} can't be read: {error.strerror}.") from error
