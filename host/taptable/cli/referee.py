"""``taptable referee``: the referee in lines, for scripts, tests and other front ends."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from taptable.cli.agreed import add_game_options, add_language_option, agreed_from
from taptable.core.errors import DeckError
from taptable.games.registry import find_game
from taptable.memory.deck import CardSet
from taptable.memory.deckfile import deck_of
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "referee", help="judge observations, JSON lines in and out", description="Observations in, verdicts out."
    )
    add_game_options(parser)
    add_language_option(parser, "de")
    parser.add_argument("--deck", default="sample", metavar="sample|FILE", help="the deck that is played with")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Answer every line of standard input; 2 if one was in error."""
    game = find_game(args.game)
    if args.deck != "sample":
        _check_deck(Path(args.deck), CardSet(game.name, game.pack("").counts))
    table, _ = open_table(game, agreed_from(args))
    words = Words(args.language, (f"taptable.games.{game.name.replace('-', '_')}",))
    front = Front(table, words.verdict)
    for line in sys.stdin.buffer:
        answer = front.answer(line.rstrip(b"\r\n"))
        sys.stdout.buffer.write(answer.encode("utf-8", "backslashreplace") + b"\n")
        sys.stdout.buffer.flush()
    return 2 if front.errors else 0


def _check_deck(path: Path, cards: CardSet) -> None:
    """Lines name cards by their ids, so of a deck only its file's soundness matters; DeckError says what is wrong."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DeckError(f"deck {path} can't be read: {error.strerror}.") from error
    deck_of(data, str(path), cards)
