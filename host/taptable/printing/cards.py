"""What is to be printed: every card of a game, or of a manifest, in the order in which the table enrols them, and its
control cards. Knows no paper."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from taptable.core.errors import ConfigError
from taptable.core.pack import PackKind
from taptable.games.registry import find_game, package_of
from taptable.memory.deck import card_set_of
from taptable.referee.taps import CONTROL
from taptable.words import Vocabulary, Words

MOST_CARDS = 1000
"""More take minutes, and more memory than a page has; no game has a third of them."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card: the small print that says which it is (``online#7``, ``control:pause``), its name, what it does, the
    short text on its face, and the symbols of its two sides in the game's faces; those of a control card are alike."""

    id: str
    name: str
    effect: str
    label: str
    front: str
    back: str


@dataclass(frozen=True, slots=True)
class CardsToPrint:
    """All the cards of a game called `title`, its control cards, and its faces as SVG text, in the language of
    `words`."""

    title: str
    sample: bool
    cards: tuple[PrintedCard, ...]
    controls: tuple[PrintedCard, ...]
    faces: str
    words: Words


def cards_to_print(game: str, manifest: str, language: str) -> CardsToPrint:
    """The cards of a game, or of a manifest for it; ConfigError if there is no such game, says what is wrong with the
    manifest, or that it has too many cards."""
    pack = find_game(game).pack(manifest)
    card_set = card_set_of(game, manifest)
    if len(pack.cards) > MOST_CARDS:
        raise ConfigError(f"These are {len(pack.cards)} cards, and {MOST_CARDS} are the most that can be printed.")
    words = Words(language, Vocabulary((package_of(game),), pack))
    faces = resources.files(package_of(game)).joinpath("faces.svg")
    return CardsToPrint(
        title=words.message("game", "title") or game,
        sample=pack.sample,
        cards=tuple(_card(card, pack.by_id[card.partition("#")[0]], words) for card in card_set),
        controls=tuple(_control(control, words) for control in card_set.controls),
        faces=faces.read_text("utf-8"),
        words=words,
    )


def _card(card: str, kind: PackKind, words: Words) -> PrintedCard:
    return PrintedCard(
        id=card,
        name=words.kind(card),
        effect=_line(words, "effect", kind.effect or kind.face, kind),
        label=kind.label,
        front=f"face-{kind.face}",
        back=f"face-back-{kind.back}" if kind.back else "face-back",
    )


def _control(control: str, words: Words) -> PrintedCard:
    drawn = f"control-{control}"
    return PrintedCard(
        id=f"{CONTROL}{control}",
        name=words.text("control", control),
        effect=_line(words, "control-card", control),
        label="",
        front=drawn,
        back=drawn,
    )


def _line(words: Words, context: str, key: str, kind: PackKind | None = None) -> str:
    """The line of a card, "" for one about which nobody has written any."""
    said = words.text(context, key, dict(kind.facts) if kind else None)
    return "" if said == key else said
