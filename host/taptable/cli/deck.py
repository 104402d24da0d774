"""``taptable deck``: decks of tagged cards, made and checked at the discard pad, and kept as files."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from taptable.cli import at_pad
from taptable.cli.agreed import add_language_option
from taptable.cli.columns import in_columns
from taptable.cli.kept import add_config_option, add_decks_options, config_from, decks_from
from taptable.core.errors import ConfigError, DeckError
from taptable.daemon.enrolment import report
from taptable.games.registry import GAMES, find_game
from taptable.memory.deck import Deck, completeness
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.decks import Decks
from taptable.memory.manifests import card_set_of, cards_for, game_in
from taptable.words import Words


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser("deck", help="enrol the tags of a deck, check it, export or import it")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    enrol = verbs.add_parser("enrol", help="give every card its tag, at the discard pad; goes on where it was left")
    enrol.add_argument("name", nargs="?", metavar="DECK", help="else: the one the table plays with")
    enrol.add_argument("--kind", metavar="KIND", help="the kind of card to begin with, such as email")
    enrol.add_argument(
        "--manifest", type=Path, metavar="FILE", help="what describes its cards, for a game whose cards people describe"
    )
    enrol.set_defaults(run=at_pad.run, dialogue=at_pad.enrolling)

    replace = verbs.add_parser("replace", help="give lost cards new tags, at the discard pad")
    replace.add_argument("name", metavar="DECK")
    replace.add_argument("lost", nargs="+", metavar="CARD", help="such as email#7")
    replace.set_defaults(run=at_pad.run, dialogue=at_pad.replacing)

    check = verbs.add_parser("check", help="say what a deck lacks; status 1 if anything")
    check.add_argument("name", nargs="?", metavar="DECK", help="else: the one the table plays with")
    check.add_argument("--tap", action="store_true", help="by tapping every card on the discard pad")
    check.set_defaults(run=check_deck, dialogue=at_pad.counting)

    export = verbs.add_parser("export", help="write a deck to a file")
    export.add_argument("name", metavar="DECK")
    export.add_argument("file", nargs="?", type=Path, metavar="TO", help="where to (else: standard output)")
    export.set_defaults(run=export_deck)

    take_in = verbs.add_parser("import", help="take a deck in from a file")
    take_in.add_argument("file", type=Path, metavar="FILE")
    take_in.add_argument("--name", metavar="DECK", help="what it is called here")
    take_in.set_defaults(run=import_deck)

    sample = verbs.add_parser("sample", help="print the manifest that stands in for people's own, to begin one with")
    sample.add_argument("--game", required=True, metavar="NAME", help=f"one of {', '.join(_described_games())}")
    sample.set_defaults(run=print_sample)

    describe = verbs.add_parser("describe", help="say by a manifest which cards a deck has; begins it if there is none")
    describe.add_argument("name", metavar="DECK")
    describe.add_argument("file", type=Path, metavar="FILE", help="the manifest")
    describe.set_defaults(run=describe_deck)

    for verb in (export, take_in):
        verb.add_argument(
            "--force", action="store_true", help="replace what is there, which is kept under another name"
        )
    list_all = verbs.add_parser("list", help="list the decks")
    list_all.set_defaults(run=list_decks)
    for verb in (enrol, replace):
        add_config_option(verb)
    for verb in (check, export, take_in, list_all, describe):
        add_decks_options(verb)
    for verb in (enrol, replace, check, export, take_in, list_all, describe):
        add_language_option(verb)


def list_decks(args: argparse.Namespace) -> int:
    """A line for each deck; 1 if a file can't be used."""
    folder = decks_from(args)
    decks = Decks(folder)
    words = Words(args.language)
    if decks.names():
        rows = [_row(decks.deck(name), words) for name in decks.names()]
        print("\n".join(in_columns([words.text("deck", "decks").split(","), *rows])))
    elif not decks.faults:
        print(words.text("deck", "none", {"folder": folder}))
    for fault in decks.faults.values():
        print(f"taptable deck: {fault}", file=sys.stderr)
    return 1 if decks.faults else 0


def check_deck(args: argparse.Namespace) -> int:
    """What a deck's file says of it, or its cards do; 1 if something is missing, or doesn't belong."""
    if args.tap:
        return at_pad.run(args)
    name = args.name or config_from(args).table.deck
    deck = Decks(decks_from(args)).deck(name)
    return 0 if report(deck, cards_for(deck), at_pad.speaker(args.language, deck)) else 1


def export_deck(args: argparse.Namespace) -> int:
    """A deck's file, on standard output or elsewhere."""
    decks = Decks(decks_from(args))
    if args.file is None:
        sys.stdout.write(text_of(decks.deck(args.name)))
        return 0
    kept = decks.export_to(args.file, args.name, force=args.force)
    words = Words(args.language)
    print(words.text("deck", "exported", {"deck": args.name, "file": args.file}))
    _say_kept(kept, words)
    return 0


def import_deck(args: argparse.Namespace) -> int:
    """A deck taken in, judged by the cards of its game."""
    try:
        game = deck_of(args.file.read_bytes(), str(args.file)).game
    except OSError as error:
        raise DeckError(f"deck {args.file} can't be read: {error.strerror}") from error
    card_set = card_set_of(game)
    deck, kept = Decks(decks_from(args)).import_from(args.file, card_set, name=args.name, force=args.force)
    words = Words(args.language)
    counts = {"have": len(deck.cards), "need": len(tuple(cards_for(deck)))}
    print(words.text("deck", "imported", {"deck": deck.name, **counts}))
    _say_kept(kept, words)
    return 0


def print_sample(args: argparse.Namespace) -> int:
    """The sample's manifest, as people would write it."""
    game = find_game(args.game)
    if not game.sample:
        described = ", ".join(_described_games())
        raise ConfigError(f"The cards of {game.name} are the same everywhere; manifests are for {described}.")
    print(json.dumps(json.loads(game.sample), indent=2, ensure_ascii=False))
    return 0


def describe_deck(args: argparse.Namespace) -> int:
    """A deck, with or without tags, whose cards are these from now on."""
    manifest = at_pad.read_manifest(args.file)
    decks = Decks(decks_from(args))
    deck = decks.described(args.name, game_in(manifest), manifest)
    decks.save(deck)
    counts = {"have": len(deck.cards), "need": len(tuple(cards_for(deck)))}
    print(Words(args.language).text("deck", "described", {"deck": deck.name, **counts}))
    return 0


def _described_games() -> list[str]:
    """The games whose cards a manifest says."""
    return sorted(name for name, game in GAMES.items() if game.sample)


def _say_kept(kept: Path | None, words: Words) -> None:
    if kept is not None:
        print(words.text("deck", "kept", {"file": kept}))


def _row(deck: Deck, words: Words) -> list[str]:
    cards = str(len(deck.cards))
    if deck.game in GAMES:
        card_set = cards_for(deck)
        need = len(tuple(card_set))
        have = need - len(completeness(deck, card_set).missing)
        cards = words.text("deck", "count", {"have": have, "need": need})
    return [deck.name, deck.game, cards, str(len(deck.controls))]
