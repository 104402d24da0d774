"""A deck: which tag is which card of a game, the cards that belong to it, and its possible faults, as values. Enrolment
and deck files (`deckfile`) create decks, and `decks` keeps them. Must not know a reader or a file, and of the game only
its cards."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from taptable.core.controls import control_cards
from taptable.core.device_events import CONTROL_PREFIX, is_tag_number
from taptable.core.errors import ConfigError, DeckError
from taptable.core.manifests import load_manifest
from taptable.games.registry import GAMES, find_game
from taptable.words import Words

CONTROLS = ("pause", "take-back", "reshuffle", "new-game", "check", "pair")
"""The control cards that every game has. A game may have more of its own."""

Kinds: TypeAlias = tuple[tuple[str, int], ...]
"""The kinds of cards in a game, in the order of enrolment, and how many there are of each."""

_UID = re.compile(r"[0-9a-f]{8}|[0-9a-f]{14}")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_LONGEST_KIND = 60
"""The most characters of a kind's name."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class CardSet:
    """The cards of a game, such as ``CardSet("online", (("online", 13), ("turbo-line", 3), …))``, and its possible
    control cards."""

    game: str
    kinds: Kinds
    controls: tuple[str, ...] = CONTROLS

    def cards(self, kind: str) -> tuple[str, ...]:
        """Return the cards of a kind: ``search#1``, ``search#2``; none of a kind that the game doesn't have."""
        return tuple(f"{kind}#{number}" for number in range(1, dict(self.kinds).get(kind, 0) + 1))

    def __iter__(self) -> Iterator[str]:
        """Iterate over all cards, kind by kind."""
        for kind, _ in self.kinds:
            yield from self.cards(kind)


@dataclass(frozen=True, slots=True)
class Lack:
    """A kind that should have `need` cards, and which of them are missing."""

    kind: str
    need: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """The tags of a deck by UID (lower-case hex): ``cards`` by card id, ``controls`` by their function. `manifest`
    describes which cards belong to the deck; "" stands for the cards that every table has of the game."""

    name: str
    game: str
    cards: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    controls: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    manifest: str = ""

    def lookup(self, uid: str) -> str | None:
        """Return the card or the control of a tag; None for a tag that isn't in this deck."""
        return self.cards.get(uid) or self.controls.get(uid)

    def with_card(self, uid: str, card: str) -> Deck:
        """Return the deck in which `uid` is `card`. A tag that was this card before is removed."""
        others = {old: card_before for old, card_before in self.cards.items() if card_before != card}
        return replace(self, cards=MappingProxyType(others | {uid: card}))

    def with_control(self, uid: str, control: str) -> Deck:
        """Return the deck in which `uid` is one more card for this control."""
        return replace(self, controls=MappingProxyType({**self.controls, uid: control}))


def missing_by_kind(card_set: CardSet, present: Container[str]) -> tuple[Lack, ...]:
    """Return the missing cards of each kind."""
    return tuple(
        Lack(kind, need, tuple(card for card in card_set.cards(kind) if card not in present))
        for kind, need in card_set.kinds
    )


@dataclass(frozen=True, slots=True)
class Completeness:
    """The cards that a deck lacks, in the game's order, and those that the game doesn't have, sorted by id."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]


def completeness(deck: Deck, card_set: CardSet) -> Completeness:
    """Compare a deck with its game's cards."""
    present, expected = set(deck.cards.values()), tuple(card_set)
    return Completeness(
        missing=tuple(card for card in expected if card not in present),
        extra=tuple(sorted(present.difference(expected))),
    )


def is_deck_name(name: str) -> bool:
    """Return whether a deck and its file can have this name: lower-case letters, digits and hyphens, up to 40."""
    return _NAME.fullmatch(name) is not None


def is_uid(uid: str) -> bool:
    """Return whether this is a tag's UID: 4 or 7 bytes in lower-case hex."""
    return _UID.fullmatch(uid) is not None


def is_card(card: str) -> bool:
    """Return whether a tag can stand for a card of this id, ``kind#number``. A kind may have any name that can be read
    and isn't taken for a control."""
    kind, _, number = card.partition("#")
    return is_kind(kind) and _NUMBER.fullmatch(number) is not None


def is_kind(kind: str) -> bool:
    """Return whether tagged cards can be of this kind: visible letters and single spaces, 60 at most."""
    is_legible = kind.isprintable() and kind == " ".join(kind.split()) and 0 < len(kind) <= _LONGEST_KIND
    return is_legible and not kind.startswith(CONTROL_PREFIX)


CONTEXT = "deck-file"
"""The catalogue context of the faults' sentences."""

MAX_FAULTS = 20
"""The most faults that are named. More wouldn't help anybody."""


@dataclass(frozen=True, slots=True)
class DeckFault:
    """One fault of a deck, as the key of a sentence and its facts, at a `line` (None: nowhere in the text) and under a
    `key` of the text ("": the text as a whole)."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    line: int | None = None
    key: str = ""

    def text(self, words: Words, *, with_uids: bool) -> str:
        """Return the place and the sentence. Without `with_uids` the UIDs of tags are left out."""
        facts = {name: fact if with_uids or not _is_number(fact) else None for name, fact in self.facts.items()}
        sentence = words.text(CONTEXT, self.code, facts)
        line = "" if self.line is None else words.text(CONTEXT, "line", {"number": self.line})
        places = (line, self.key if with_uids or not is_tag_number(self.key) else "")
        place = ", ".join(each for each in places if each)
        return f"{place}: {sentence}" if place else sentence


class DeckFaults(DeckError):
    """Raised for a deck that can't be used. Holds all its faults; the exception's text is English."""

    def __init__(self, which: str, faults: Sequence[DeckFault], count: int | None = None) -> None:
        self.faults = tuple(faults[:MAX_FAULTS])
        self.count = len(faults) if count is None else count
        super().__init__(f"{which}: {self.text(Words('en'), with_uids=True)}")

    def text(self, words: Words, *, with_uids: bool = False) -> str:
        """Return the faults as text, and how many more there are."""
        texts = [fault.text(words, with_uids=with_uids) for fault in self.faults]
        if more := self.count - len(self.faults):
            texts.append(words.text(CONTEXT, "more", {"count": more}))
        return "; ".join(texts)


def _is_number(fact: object) -> bool:
    return isinstance(fact, str) and is_tag_number(fact)


LONGEST_MANIFEST = 500_000
"""The size limit of a manifest's file in bytes; `core.manifests.MAX_CARDS` limits its cards. The sample of the game
with the most cards has about 2000 bytes."""


def manifest_in(data: bytes, source: str) -> str:
    """Return the manifest in a file's bytes, a JSON object as text. Raises ConfigError, which names the file and the
    reason."""
    if len(data) > LONGEST_MANIFEST:
        raise ConfigError(f"The manifest {source} has {len(data)} bytes, and {LONGEST_MANIFEST} are the most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"byte 0x{data[error.start]:02x} in line {line}"
        raise ConfigError(f"The manifest {source} is no UTF-8: {where}; save it as UTF-8.") from error
    load_manifest(text, f"The manifest {source}")
    return text


def game_in(manifest: str) -> str:
    """Return the game that a manifest (as returned by `manifest_in`) is for; "" if it names none."""
    game = cast("dict[str, Any]", json.loads(manifest)).get("game")
    return game if isinstance(game, str) else ""


def validated_manifest(game: str, manifest: str) -> str:
    """Return a manifest in the spelling in which a deck of this game keeps it. Raises ConfigError with its fault."""
    bad = next((kind.id for kind in find_game(game).pack(manifest).kinds if not is_kind(kind.id)), None)
    if bad is not None:
        raise ConfigError(
            f"No tagged card can be called {bad!r:.80}: a name takes visible letters and single spaces, 60 at most."
        )
    return normalized_manifest(manifest)


def normalized_manifest(manifest: str) -> str:
    """Return a manifest in the spelling that decks have."""
    return json.dumps(load_manifest(manifest), ensure_ascii=False)


def card_set_of(game: str, manifest: str = "") -> CardSet:
    """Return the cards of a deck for this game. Raises ConfigError, which names the existing games or the manifest's
    fault."""
    return CardSet(game, find_game(game).pack(manifest).counts, controls_of(game))


def card_set_for(deck: Deck) -> CardSet:
    """Return the cards that belong to this deck. Raises ConfigError as `card_set_of` does."""
    return card_set_of(deck.game, deck.manifest)


def controls_of(game: str) -> tuple[str, ...]:
    """Return the possible control cards of a game: those of every game, and its own."""
    return CONTROLS if game not in GAMES else (*CONTROLS, *control_cards(find_game(game).controls))
