"""``taptable replay``: replays a recorded game through the referee, and verifies that every verdict and the end are the
recorded ones. `history.playback` does the work."""

from __future__ import annotations

import argparse
import sys

from taptable.cli.options import add_language_option, add_recorded_game_argument, transcript_from, words_for
from taptable.history.playback import verify
from taptable.referee.replaying import ReplayMismatch


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "replay",
        help="replay a recorded game and prove that it ends the same",
        description="Replays a recorded game, line by line. Exits with 1 if a verdict or the end differs.",
    )
    add_recorded_game_argument(parser)
    add_language_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay a game and print how it ended; print the difference and return 1 if the replay differs."""
    transcript = transcript_from(args)
    words = words_for(transcript, args.language)
    try:
        verification = verify(transcript)
    except ReplayMismatch as mismatch:
        print(f"taptable replay: {mismatch}", file=sys.stderr)
        return 1
    facts = {"id": transcript.game.id, "lines": verification.lines, "moves": verification.moves}
    print(words.text("cli", "replayed", facts))
    winners = transcript.game.winner  # their seats, or None if the game isn't over
    result = words.text("cli", "not-over") if winners is None else words.text("cli", "won", {"winner": winners})
    print(words.text("cli", "same-end", {"result": result}))
    return 0
