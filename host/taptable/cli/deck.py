"""``taptable deck``: makes and checks decks of tagged cards at the table's discard pad (it prints the table's
sentences, and lines of standard input are keys), and reads and writes their files."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from taptable.api.client import Client
from taptable.api.errors import RequestError
from taptable.api.requests import BringDeck, CheckDeck, DescribeDeck, Enrol, EnrolOnly, EnrolStep, Request
from taptable.cli.at_table import PadDialogue, Say, TableBusy, ensure_table
from taptable.cli.options import (
    add_config_option,
    add_decks_options,
    add_language_option,
    config_from,
    decks_from,
    in_columns,
    read_manifest,
)
from taptable.cli.output import ring_bell
from taptable.config import Config
from taptable.core.errors import ConfigError, DeckError, DeviceError
from taptable.daemon.enrolment_dialogue import completion_facts
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.deck import CardSet, Deck, card_set_for, card_set_of, completeness, game_in
from taptable.memory.deckfile import deck_of, text_of
from taptable.memory.decks import Decks
from taptable.words import Vocabulary, Words

STDIN = 0
"""The file descriptor of standard input."""
MAX_NEAR = 3
"""How many kinds are suggested for one that doesn't exist."""

STEPS: Mapping[str, EnrolStep] = {"u": EnrolStep("undo"), "s": EnrolStep("skip"), "q": EnrolStep("stop")}
CHECK_STEPS: Mapping[str, EnrolStep] = {"q": EnrolStep("stop")}
"""The steps that the keys request, in an enrolment and in a check."""

FATAL = frozenset({"not-saved", "changed-elsewhere"})
"""The sentences that end the command."""

ALARMS = frozenset(
    {
        *("double", "control", "foreign", "foreign-control", "random-uid", "not-wanted", "together", "lying"),
        *("unreadable", "members-card", "unknown", "seen-again", "reader-lost"),
    }
)
"""The sentences that ring the terminal's bell."""


def sentence_printer(language: str, deck: Deck) -> Say:
    """Return a printer of sentences about a deck; it raises a sentence that ends the command as `DeckError`."""
    words = Words(language, Vocabulary((package_of(deck.game),), find_game(deck.game).pack(deck.manifest)))

    def say(key: str, facts: Mapping[str, object]) -> None:
        sentence = words.text("deck", key, facts)
        if key in FATAL:
            raise DeckError(sentence)
        if key in ALARMS:
            ring_bell()
        print(f"{sentence[:1].upper()}{sentence[1:]}", flush=True)

    return say


@dataclass(frozen=True, slots=True)
class Errand:
    """A verb's work at the discard pad. It concerns `deck`, and sends `requests` to the table; the last of them begins
    the dialogue."""

    deck: Deck
    requests: tuple[Request, ...]


def plan_enrolment(args: argparse.Namespace, config: Config, decks: Decks) -> Errand:
    """Plan the enrolment of a new deck, or of the rest of one."""
    name = args.name or config.table.deck
    described: tuple[Request, ...] = ()
    if args.manifest is None:
        deck = decks.get_or_new(name, config.game.name)
    else:
        manifest = read_manifest(args.manifest)
        deck = decks.with_manifest(name, game_in(manifest), manifest)
        described = (DescribeDeck(deck=name, manifest=manifest, game=deck.game),)
    cards = card_set_for(deck)
    if args.kind is not None and not cards.cards(args.kind):
        raise DeckError(f"{deck.game} has no kind {args.kind!r}, but {', '.join(kind for kind, _ in cards.kinds)}")
    return Errand(deck, (*described, Enrol(deck=name, game=deck.game, kind=args.kind or "")))


def plan_replacement(args: argparse.Namespace, _: Config, decks: Decks) -> Errand:
    """Plan the enrolment of new cards for lost ones."""
    deck = decks.deck(args.name)
    card_set = card_set_for(deck)
    unknown = [card for card in args.lost if card not in tuple(card_set)]
    if unknown:
        raise DeckError(f"{deck.game} has no card {', '.join(unknown)}: {_cards_like(unknown[0], card_set)}")
    return Errand(deck, (EnrolOnly(deck=args.name, cards=tuple(args.lost)),))


def _cards_like(card: str, card_set: CardSet) -> str:
    """Return the cards of this kind, or of kinds that are spelled like it."""
    kinds = dict(card_set.kinds)
    kind = card.partition("#")[0]
    near = [kind] if kind in kinds else get_close_matches(kind, kinds, MAX_NEAR) or [*kinds][:MAX_NEAR]
    cards = ", ".join(f"{each}#1 to {each}#{kinds[each]}" for each in near)
    return f"there are {cards}" if kind in kinds else f"there are {cards} and others"


def plan_check(args: argparse.Namespace, config: Config, decks: Decks) -> Errand:
    """Plan a check of a deck by tapping its cards."""
    deck = decks.deck(args.name or config.table.deck)
    return Errand(deck, (CheckDeck(deck=deck.name),))


async def run_errand(args: argparse.Namespace, errand: Errand, socket: Path, keys: int) -> int:
    """Do an errand at the table with this socket, with lines from the file descriptor `keys`; return 1 if a check found
    missing or foreign cards."""
    checks = isinstance(errand.requests[-1], CheckDeck)
    dialogue = PadDialogue(
        sentence_printer(args.language, errand.deck),
        CHECK_STEPS if checks else STEPS,
        "check-keys" if checks else "keys",
    )
    try:
        ended = await dialogue.run(socket, errand.requests, keys)
    except RequestError as error:
        raise DeckError(error.text(Words(args.language))) from error
    return 1 if checks and (ended.strangers or any(lack.missing for lack in ended.lacks)) else 0


def errand_of(args: argparse.Namespace, config: Config) -> Errand:
    """Return the work of a verb at the pad; raise `DeckError` if it is impossible, before anything begins."""
    decks = Decks(config.table.decks)
    errand = args.errand(args, config, decks)
    for fault in decks.faults.values():
        print(f"taptable deck: {fault}", file=sys.stderr)
    return errand


def run_at_pad(args: argparse.Namespace) -> int:
    """Do the work of a verb at the pad of the running table, or of one without a game."""
    config = config_from(args)
    errand = errand_of(args, config)
    if not config.discard.pad.kind:
        raise DeviceError("this table has no discard pad yet: assign its parts first, with `taptable seats`")
    try:
        with ensure_table(config.table.journal, ("--config", str(config.file))) as socket:
            return asyncio.run(run_errand(args, errand, socket, STDIN))
    except TableBusy as error:
        instead = "stop it first" if config.page is None else "enrol at its page, or stop it first"
        raise DeviceError(f"the discard pad belongs to the table while that runs: {instead} ({error})") from error


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser("deck", help="enrol the tags of a deck, check it, export or import it")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    enrol = verbs.add_parser("enrol", help="give every card its tag, at the discard pad; continues an unfinished deck")
    enrol.add_argument("name", nargs="?", metavar="DECK", help="the deck (default: the one the table plays with)")
    enrol.add_argument("--kind", metavar="KIND", help="the kind of card to begin with, such as email")
    enrol.add_argument(
        "--manifest",
        type=Path,
        metavar="FILE",
        help="the manifest that describes its cards, for a game with cards of your own",
    )
    enrol.set_defaults(run=run_at_pad, errand=plan_enrolment)

    replace = verbs.add_parser("replace", help="give lost cards new tags, at the discard pad")
    replace.add_argument("name", metavar="DECK")
    replace.add_argument("lost", nargs="+", metavar="CARD", help="the lost cards, such as email#7")
    replace.set_defaults(run=run_at_pad, errand=plan_replacement)

    check = verbs.add_parser("check", help="print which cards a deck lacks; exits with 1 if there are any")
    check.add_argument("name", nargs="?", metavar="DECK", help="the deck (default: the one the table plays with)")
    check.add_argument("--tap", action="store_true", help="check it by tapping every card on the discard pad")
    check.set_defaults(run=check_deck, errand=plan_check)

    export = verbs.add_parser("export", help="write a deck to a file")
    export.add_argument("name", metavar="DECK")
    export.add_argument("file", nargs="?", type=Path, metavar="TO", help="the file (default: standard output)")
    export.set_defaults(run=export_deck)

    take_in = verbs.add_parser("import", help="import a deck from a file")
    take_in.add_argument("file", type=Path, metavar="FILE")
    take_in.add_argument("--name", metavar="DECK", help="the deck's name here (default: the file's)")
    take_in.set_defaults(run=import_deck)

    sample = verbs.add_parser("sample", help="print a sample manifest, on which to base your own")
    sample.add_argument("--game", required=True, metavar="NAME", help=f"one of {', '.join(_described_games())}")
    sample.set_defaults(run=print_sample)

    describe = verbs.add_parser(
        "describe", help="describe a deck's cards by a manifest; makes the deck if it doesn't exist"
    )
    describe.add_argument("name", metavar="DECK")
    describe.add_argument("file", type=Path, metavar="FILE", help="the manifest")
    describe.set_defaults(run=describe_deck)

    for verb in (export, take_in):
        verb.add_argument(
            "--force", action="store_true", help="replace the file that exists, and keep that under another name"
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
    """Print a line for each deck; return 1 if a file can't be used."""
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
    """Check a deck by its file, or with ``--tap`` by its cards; return 1 if cards are missing or foreign."""
    if args.tap:
        return run_at_pad(args)
    name = args.name or config_from(args).table.deck
    deck = Decks(decks_from(args)).deck(name)
    found, say = completeness(deck, card_set_for(deck)), sentence_printer(args.language, deck)
    if found.missing:
        say("missing", {"card_ids": found.missing})
    if found.extra:
        say("extra", {"card_ids": found.extra})
    if found.missing or found.extra:
        return 1
    say("whole", completion_facts(deck))
    return 0


def export_deck(args: argparse.Namespace) -> int:
    """Write a deck's file to standard output or to a file."""
    decks = Decks(decks_from(args))
    if args.file is None:
        sys.stdout.write(text_of(decks.deck(args.name)))
        return 0
    backup = decks.export_to(args.file, args.name, force=args.force)
    words = Words(args.language)
    print(words.text("deck", "exported", {"deck": args.name, "file": args.file}))
    _say_kept(backup, words)
    return 0


def import_deck(args: argparse.Namespace) -> int:
    """Import a deck from a file, checked against the cards of its game."""
    try:
        game = deck_of(args.file.read_bytes(), str(args.file)).game
    except OSError as error:
        raise DeckError(f"deck {args.file} can't be read: {error.strerror}") from error
    card_set, folder = card_set_of(game), decks_from(args)
    if args.decks is None:
        deck = Decks(folder).check_import(
            args.file.read_bytes(), str(args.file), card_set, name=args.name, force=args.force
        )
        answer = _ask(args, BringDeck(content=text_of(deck)))
        backup = None if answer["kept"] is None else folder / answer["kept"]
    else:  # a folder of decks that may belong to no table
        deck, backup = Decks(folder).import_from(args.file, card_set, name=args.name, force=args.force)
    words = Words(args.language)
    counts = {"have": len(deck.cards), "need": len(tuple(card_set_for(deck)))}
    print(words.text("deck", "imported", {"deck": deck.name, **counts}))
    _say_kept(backup, words)
    return 0


def print_sample(args: argparse.Namespace) -> int:
    """Print the sample's manifest, formatted as people would write it."""
    game = find_game(args.game)
    if not game.sample:
        described = ", ".join(_described_games())
        raise ConfigError(f"The cards of {game.name} are the same everywhere; manifests are for {described}.")
    print(json.dumps(json.loads(game.sample), indent=2, ensure_ascii=False))
    return 0


def describe_deck(args: argparse.Namespace) -> int:
    """Set the cards of a deck by a manifest; make the deck if it doesn't exist."""
    manifest = read_manifest(args.file)
    decks = Decks(decks_from(args))
    deck = decks.with_manifest(args.name, game_in(manifest), manifest)
    if args.decks is None:
        _ask(args, DescribeDeck(deck=deck.name, manifest=manifest, game=deck.game))
    else:
        decks.save(deck)
    counts = {"have": len(deck.cards), "need": len(tuple(card_set_for(deck)))}
    print(Words(args.language).text("deck", "described", {"deck": deck.name, **counts}))
    return 0


def _ask(args: argparse.Namespace, request: Request) -> dict[str, Any]:
    """Send a change of decks to the running table, or to one without a game; raise `DeckError` if it is refused."""
    config = config_from(args)
    try:
        with ensure_table(config.table.journal, ("--config", str(config.file))) as socket, Client(socket) as client:
            return client.call(request)
    except TableBusy as error:
        raise DeckError(f"the table runs, and can't be asked: {error}") from error
    except RequestError as error:
        raise DeckError(error.text(Words(args.language))) from error


def _described_games() -> list[str]:
    """Return the games whose cards are described by a manifest."""
    return sorted(name for name, game in GAMES.items() if game.sample)


def _say_kept(backup: Path | None, words: Words) -> None:
    if backup is not None:
        print(words.text("deck", "kept", {"file": backup}))


def _row(deck: Deck, words: Words) -> list[str]:
    cards = str(len(deck.cards))
    if deck.game in GAMES:
        card_set = card_set_for(deck)
        need = len(tuple(card_set))
        have = need - len(completeness(deck, card_set).missing)
        cards = words.text("deck", "count", {"have": have, "need": need})
    return [deck.name, deck.game, cards, str(len(deck.controls))]
