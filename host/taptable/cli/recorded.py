"""How a recorded game is named on the command line: by its ID in the journal, or by the file it was exported to."""

from __future__ import annotations

import argparse
from pathlib import Path

from taptable.cli.kept import add_journal_options, journal_from
from taptable.core.errors import JournalError
from taptable.games.registry import find_game, package_of
from taptable.memory.reading import JournalReader, transcript_of
from taptable.memory.transcript import Transcript, transcript_in
from taptable.words import Vocabulary, Words


def add_game_argument(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``ID|FILE``, and where the journal is; `default` as for `add_journal_options`."""
    parser.add_argument("recorded", metavar="ID|FILE", help="a game of the journal, or a file that was exported")
    add_journal_options(parser, default)


def transcript_from(args: argparse.Namespace) -> Transcript:
    """The game that was named; `JournalError` if there is none."""
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
    """The words for a recorded game and its cards; ConfigError if it is a game that there isn't, or cards that it can't
    have."""
    header = transcript.game.header
    game = find_game(header.game)
    return Words(language, Vocabulary((package_of(game.name),), game.pack(header.manifest)))
