"""The cards to print: every card of a game, or of a manifest, in the order in which the table enrols them, its control
cards, and cards for members. Knows no paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from taptable.core.device_events import CONTROL_PREFIX
from taptable.core.errors import ConfigError
from taptable.core.pack import PackKind
from taptable.games.registry import find_game, package_of
from taptable.memory.deck import card_set_of
from taptable.words import Vocabulary, Words

MAX_MEMBERS = 100
"""The most members' cards in one document."""
MEMBER = "member"
"""The symbol of a member's card."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card to print: its id in small print (``online#7``, ``control:pause``), its name, its effect, the short text on
    its face, and the symbols of its two sides in the game's faces, which are the same for a control or member's card. A
    member's card without a name is one to write on."""

    id: str
    name: str
    effect: str
    label: str
    front: str
    back: str


@dataclass(frozen=True, slots=True)
class CardsToPrint:
    """All the cards of a game called `title`, its control cards, its members' cards (None: none requested), and its
    faces as SVG text, in the language of `words`."""

    title: str
    sample: bool
    cards: tuple[PrintedCard, ...]
    controls: tuple[PrintedCard, ...]
    members: tuple[PrintedCard, ...] | None
    faces: str
    words: Words


def cards_to_print(game: str, manifest: str, language: str, members: Sequence[str] | None = None) -> CardsToPrint:
    """Return the cards of a game, or of a manifest for it. Raise ConfigError if there is no such game, the manifest is
    wrong, or there are too many members."""
    pack = find_game(game).pack(manifest)
    card_set = card_set_of(game, manifest)
    if members is not None and len(members) > MAX_MEMBERS:
        raise ConfigError(f"These are {len(members)} members, and {MAX_MEMBERS} are the most that can be printed.")
    words = Words(language, Vocabulary((package_of(game),), pack))
    faces = resources.files(package_of(game)).joinpath("faces.svg")
    return CardsToPrint(
        title=words.message("game", "title") or game,
        sample=pack.sample,
        cards=tuple(_card(card, pack.by_id[card.partition("#")[0]], words) for card in card_set),
        controls=tuple(_control(control, words) for control in card_set.controls),
        members=None if members is None else tuple(member_card(name, words) for name in members),
        faces=faces.read_text("utf-8"),
        words=words,
    )


def member_card(name: str, words: Words) -> PrintedCard:
    """Return the card of a member; without a name, one to write on."""
    return PrintedCard("", name, words.text("print", "member"), "", MEMBER, MEMBER)


def _card(card: str, kind: PackKind, words: Words) -> PrintedCard:
    return PrintedCard(
        id=card,
        name=words.title(kind.id),
        effect=words.effect(kind),
        label=kind.label,
        front=f"face-{kind.face}",
        back=f"face-back-{kind.back}" if kind.back else "face-back",
    )


def _control(control: str, words: Words) -> PrintedCard:
    drawn = f"control-{control}"
    return PrintedCard(
        id=f"{CONTROL_PREFIX}{control}",
        name=words.text("control", control),
        effect=words.message("control-card", control) or "",
        label="",
        front=drawn,
        back=drawn,
    )
