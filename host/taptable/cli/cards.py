"""``taptable cards``: writes the cards of a game as sheets to print. `printing.order` draws them."""

from __future__ import annotations

import argparse
from pathlib import Path

from taptable.cli.options import USUAL_GAME, add_language_option, read_manifest
from taptable.core.errors import ConfigError
from taptable.games.registry import GAMES
from taptable.memory.deck import game_in
from taptable.memory.durable import write_atomically
from taptable.printing.layout import PAPERS
from taptable.printing.order import Order, draw, parse_names
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser("cards", help="make a PDF of a game's cards to print")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    sheets = verbs.add_parser("print", help="write a PDF of all cards of a game, fronts and backs, with crop marks")
    sheets.add_argument("--game", metavar="NAME", help=f"one of {', '.join(sorted(GAMES))} (default: {USUAL_GAME})")
    sheets.add_argument(
        "--manifest",
        type=Path,
        metavar="FILE",
        help="the manifest that describes the cards, for a game with cards of your own",
    )
    sheets.add_argument("--paper", choices=PAPERS, default="a4", help="the size of the paper (default: a4)")
    sheets.add_argument(
        "--bleed",
        action="store_true",
        help="let the background extend 3 mm beyond every cut; fewer cards fit on a sheet",
    )
    sheets.add_argument(
        "--controls",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="add the control cards, on sheets of their own",
    )
    sheets.add_argument(
        "--members",
        nargs="?",
        const="",
        metavar="NAMES",
        help="add cards for members, such as Ada,Ben; without names, or to fill the sheet, blank ones to write on",
    )
    sheets.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write")
    add_language_option(sheets)
    sheets.set_defaults(run=print_cards)


def print_cards(args: argparse.Namespace) -> int:
    """Write the PDF; the file is written as a whole or not at all."""
    manifest = "" if args.manifest is None else read_manifest(args.manifest)
    game = args.game or (game_in(manifest) if manifest else USUAL_GAME)
    members = None if args.members is None else parse_names(args.members)
    order = Order(game, args.language, manifest, args.paper, args.bleed, args.controls, members)
    drawn = draw(order)
    try:
        write_atomically(args.output, drawn.pdf)
    except OSError as error:
        raise ConfigError(f"{args.output} can't be written: {error.strerror}.") from error
    facts = {"file": args.output, "count": drawn.count, "pages": drawn.pages}
    print(Words(args.language).text("print", "made", facts))
    if drawn.trouble:
        print(drawn.trouble)
    return 0
