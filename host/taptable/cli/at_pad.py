"""The verbs of ``taptable deck`` that read cards at the discard pad, in the terminal: what is said is printed, and keys
are lines of standard input."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from taptable.cli.kept import config_from
from taptable.config import Config
from taptable.core.errors import ConfigError, DeckError
from taptable.daemon.devices import Openers
from taptable.daemon.enrolment import Counting, Dialogue, Enrolling, Say
from taptable.daemon.enrolment_session import hold_at_terminal
from taptable.games.registry import find_game, package_of
from taptable.memory.deck import Deck
from taptable.memory.decks import Decks
from taptable.memory.manifests import cards_for, game_in, manifest_in
from taptable.words import Vocabulary, Words

STDIN = 0

ALARMS = frozenset(
    {
        *("double", "control", "foreign", "foreign-control", "random-uid", "not-wanted", "together", "lying"),
        *("unknown", "seen-again", "reader-lost"),
    }
)
"""What rings the terminal's bell: who lays cards on a pad doesn't read along."""


def speaker(language: str, deck: Deck) -> Say:
    """Prints sentences about a deck."""
    words = Words(language, Vocabulary((package_of(deck.game),), find_game(deck.game).pack(deck.manifest)))

    def say(key: str, facts: Mapping[str, object]) -> None:
        bell = "\a" if key in ALARMS and sys.stdout.isatty() else ""
        sentence = words.text("deck", key, facts)
        print(f"{bell}{sentence[:1].upper()}{sentence[1:]}", flush=True)

    return say


def enrolling(args: argparse.Namespace, config: Config, decks: Decks) -> Dialogue:
    """Enrol a deck, or go on with it."""
    name = args.name or config.table.deck
    if args.manifest is None:
        deck = decks.begin(name, config.game.name)
    else:
        manifest = read_manifest(args.manifest)
        deck = decks.described(name, game_in(manifest), manifest)
    say = speaker(args.language, deck)
    return Enrolling(decks, deck, cards_for(deck), say, kind=args.kind)


def replacing(args: argparse.Namespace, _config: Config, decks: Decks) -> Dialogue:
    """Enrol new cards for lost ones."""
    deck = decks.deck(args.name)
    card_set = cards_for(deck)
    unknown = [card for card in args.lost if card not in tuple(card_set)]
    if unknown:
        kinds = ", ".join(f"{kind}#1 to {kind}#{count}" for kind, count in card_set.kinds)
        raise DeckError(f"{deck.game} has no card {', '.join(unknown)}: there are {kinds}")
    say = speaker(args.language, deck)
    return Enrolling(decks, deck, card_set, say, only=args.lost)


def counting(args: argparse.Namespace, config: Config, decks: Decks) -> Dialogue:
    """Count a deck's cards off."""
    deck = decks.deck(args.name or config.table.deck)
    return Counting(decks, deck, speaker(args.language, deck))


def read_manifest(path: Path) -> str:
    """The manifest in a file; ConfigError says what is wrong with it."""
    try:
        return manifest_in(path.read_bytes(), str(path))
    except OSError as error:
        raise ConfigError(f"The manifest {path} can't be read: {error.strerror}.") from error


MakeDialogue = Callable[[argparse.Namespace, Config, Decks], Dialogue]


async def at_the_pad(args: argparse.Namespace, openers: Openers, keys: int) -> int:
    """Hold the dialogue that a verb is about, with lines from the file descriptor `keys`; 1 if cards are missing."""
    config = config_from(args)
    decks = Decks(config.table.decks)
    dialogue = args.dialogue(args, config, decks)
    for fault in decks.faults.values():
        print(f"taptable deck: {fault}", file=sys.stderr)
    await hold_at_terminal(config, openers, dialogue, keys)
    return 1 if isinstance(dialogue, Counting) and not dialogue.all_here else 0


def run(args: argparse.Namespace) -> int:
    """At a real pad."""
    return asyncio.run(at_the_pad(args, Openers(), STDIN))
