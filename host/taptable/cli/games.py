"""``taptable games``: lists the games in the journal, prints one move by move, adds up the tally of an edition that
keeps one, and exports a game. Reads the journal's file, also while a table runs, and changes nothing."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from taptable.cli.options import (
    add_journal_options,
    add_language_option,
    add_recorded_game_argument,
    in_columns,
    journal_from,
    transcript_from,
    words_for,
)
from taptable.core.errors import JournalError
from taptable.history.game_report import format_start, format_time, report_lines
from taptable.history.playback import OtherRules, members_in, names_in, table_after
from taptable.memory.durable import write_atomically
from taptable.memory.game_export import export_text
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.members import members_file_of, names_of, read_members
from taptable.memory.records import GameSummary
from taptable.referee.replaying import ReplayMismatch
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "games",
        help="list the games in the journal, show one, or write it to a file",
        description="Lists the games if there is no verb. The table may be running.",
    )
    add_journal_options(parser)
    add_language_option(parser)
    parser.set_defaults(run=list_games)
    verbs = parser.add_subparsers(metavar="VERB")
    show = verbs.add_parser("show", help="show a game move by move")
    add_recorded_game_argument(show, argparse.SUPPRESS)
    add_language_option(show, argparse.SUPPRESS)
    show.set_defaults(run=show_game)
    tally = verbs.add_parser("tally", help="add up the games of an edition that keeps a tally (ONLINE: fr, nl)")
    tally.add_argument(
        "--left",
        action="append",
        default=[],
        type=_parse_cards_left,
        metavar="ID=CARDS",
        help="the number of category cards left in the losers' hands in a game, which the table can't see; may be"
        " repeated",
    )
    add_journal_options(tally, argparse.SUPPRESS)
    add_language_option(tally, argparse.SUPPRESS)
    tally.set_defaults(run=show_tally)
    export = verbs.add_parser("export", help="write a game as JSON")
    add_recorded_game_argument(export, argparse.SUPPRESS)
    export.add_argument("file", nargs="?", type=Path, metavar="TO", help="the file (default: standard output)")
    export.add_argument("--force", action="store_true", help="replace the file if it exists")
    add_language_option(export, argparse.SUPPRESS)
    export.set_defaults(run=export_game)


def list_games(args: argparse.Namespace) -> int:
    """Print a line for each game."""
    words = Words(args.language)
    with JournalReader.open(journal_from(args)) as journal:
        games = journal.games()
    if not games:
        print(words.text("cli", "no-games"))
        return 0
    heading = words.text("cli", "games").split(",")
    print("\n".join(in_columns([heading, *(_row(game, words) for game in games)])))
    return 0


def show_game(args: argparse.Namespace) -> int:
    """Print the report of a game."""
    transcript = transcript_from(args)
    words = words_for(transcript, args.language)
    if args.recorded.isdecimal():
        words.vocabulary.member_names = names_of(read_members(members_file_of(journal_from(args))).members)
    for line in report_lines(transcript, words.with_names(names_in(transcript), members_in(transcript))):
        print(line)
    return 0


def show_tally(args: argparse.Namespace) -> int:
    """Print gains and losses of every party, game by game and in all: two columns, never set off against each other
    (R10.4)."""
    words = Words(args.language)
    left = dict(args.left)
    with JournalReader.open(journal_from(args)) as journal:
        over = [transcript_of(journal, game.id) for game in journal.games() if game.outcome is not None]
    rows: list[list[str]] = []
    gains, losses = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for transcript in over:
        try:
            table = table_after(transcript)
        except (ReplayMismatch, OtherRules) as error:
            print(f"taptable games: game {transcript.game.id} is left out: {error}", file=sys.stderr)
            continue
        for tallied in table.game.tally(table.state):
            gain = left.get(transcript.game.id) if tallied.won else 0
            gains[tallied.seats] += gain or 0
            losses[tallied.seats] += tallied.loss
            gained = "?" if gain is None else str(gain or "")
            rows.append([str(transcript.game.id), words.seats(tallied.seats), gained, str(tallied.loss or "")])
    if not rows:
        print(words.text("cli", "no-tally"))
        return 0
    sums = [["=", words.seats(seats), str(gains[seats]), str(losses[seats])] for seats in sorted(gains)]
    print("\n".join(in_columns([words.text("cli", "tally").split(","), *rows, *sums])))
    if any(gained == "?" for _, _, gained, _ in rows):
        print(words.text("cli", "tally-left"))
    return 0


def export_game(args: argparse.Namespace) -> int:
    """Write a game as JSON to standard output or to a file."""
    transcript = transcript_from(args)
    text = export_text(transcript)
    if args.file is None:
        sys.stdout.write(text)
        return 0
    if args.file.exists() and not args.force:
        raise JournalError(f"{args.file} is there already: --force replaces it")
    try:
        write_atomically(args.file, text.encode())
    except OSError as error:
        raise JournalError(f"{args.file} can't be written: {error.strerror}") from error
    facts = {"id": transcript.game.id, "file": args.file}
    print(Words(args.language).text("cli", "exported", facts))
    return 0


def _row(game: GameSummary, words: Words) -> list[str]:
    header = game.header
    result = words.text("cli", "not-over") if game.winner is None else words.text("cli", "won", {"winner": game.winner})
    length = format_time(game.length_us).partition(".")[0]
    begun = format_start(header) or "–"
    return [str(game.id), begun, f"{header.game} {header.edition}", str(header.players), length, result]


def _parse_cards_left(text: str) -> tuple[int, int]:
    game_id, _, cards = text.partition("=")
    return int(game_id), int(cards)
