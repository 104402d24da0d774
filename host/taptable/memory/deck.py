"""A deck: which tag is which card of a game, the cards there should be, and what can be wrong with it, as values. Made
by enrolment and by deck files; knows no reader, no file, and of the game only what cards it has."""

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
"""What a control card can be in every game; a game has more of its own."""

Kinds: TypeAlias = tuple[tuple[str, int], ...]
"""The kinds of cards in a game, in the order in which they are enrolled, and how many there are of each."""

_UID = re.compile(r"[0-9a-f]{8}|[0-9a-f]{14}")
_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
_LONGEST_KIND = 60
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class CardSet:
    """The cards of a game, such as ``CardSet("online", (("online", 13), ("turbo-line", 3), …))``, and the control cards
    that there can be."""

    game: str
    kinds: Kinds
    controls: tuple[str, ...] = CONTROLS

    def cards(self, kind: str) -> tuple[str, ...]:
        """The cards of a kind: ``search#1``, ``search#2``; none of a kind the game hasn't."""
        return tuple(f"{kind}#{number}" for number in range(1, dict(self.kinds).get(kind, 0) + 1))

    def __iter__(self) -> Iterator[str]:
        """All cards, kind by kind."""
        for kind, _ in self.kinds:
            yield from self.cards(kind)


@dataclass(frozen=True, slots=True)
class Lack:
    """A kind of which there should be `need` cards, and the cards of it that aren't there."""

    kind: str
    need: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """The tags of a deck by UID (lower-case hex): ``cards`` by card id, ``controls`` by what they do. Which cards there
    should be is said by its `manifest`, "" for those that every table has of the game."""

    name: str
    game: str
    cards: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    controls: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    manifest: str = ""

    def lookup(self, uid: str) -> str | None:
        """The card or the control of a tag; None for a tag that isn't in this deck."""
        return self.cards.get(uid) or self.controls.get(uid)

    def with_card(self, uid: str, card: str) -> Deck:
        """The deck in which `uid` is `card`; a tag that was this card before is in it no longer."""
        kept = {old: what for old, what in self.cards.items() if what != card}
        return replace(self, cards=MappingProxyType(kept | {uid: card}))

    def with_control(self, uid: str, control: str) -> Deck:
        """The deck in which `uid` is one more card for this control."""
        return replace(self, controls=MappingProxyType({**self.controls, uid: control}))


def missing_by_kind(card_set: CardSet, present: Container[str]) -> tuple[Lack, ...]:
    """What lacks of each kind."""
    return tuple(
        Lack(kind, need, tuple(card for card in card_set.cards(kind) if card not in present))
        for kind, need in card_set.kinds
    )


@dataclass(frozen=True, slots=True)
class Completeness:
    """What a deck lacks, and what it has that the game doesn't; in the order of the game's cards, and by id."""

    missing: tuple[str, ...]
    extra: tuple[str, ...]


def completeness(deck: Deck, card_set: CardSet) -> Completeness:
    """Compare a deck with its game's cards."""
    there, wanted = set(deck.cards.values()), tuple(card_set)
    return Completeness(
        missing=tuple(card for card in wanted if card not in there), extra=tuple(sorted(there.difference(wanted)))
    )


def is_deck_name(name: str) -> bool:
    """Whether a deck can be called this, and its file too: lower-case letters, digits and hyphens, up to 40."""
    return _NAME.fullmatch(name) is not None


def is_uid(uid: str) -> bool:
    """Whether this is a tag's UID: 4 or 7 bytes in lower-case hex."""
    return _UID.fullmatch(uid) is not None


def is_card(card: str) -> bool:
    """Whether a tag can stand for a card of this id, ``kind#number``; kinds are called as people like, if it can be
    read, and isn't taken for a control."""
    kind, _, number = card.partition("#")
    return is_kind(kind) and _NUMBER.fullmatch(number) is not None


def is_kind(kind: str) -> bool:
    """Whether tagged cards can be of this kind: visible letters and single spaces, 60 at most."""
    seen = kind.isprintable() and kind == " ".join(kind.split()) and 0 < len(kind) <= _LONGEST_KIND
    return seen and not kind.startswith(CONTROL_PREFIX)


CONTEXT = "deck-file"
"""Of the catalogues."""

MOST_FAULTS = 20
"""Faults that are named; more help nobody."""


@dataclass(frozen=True, slots=True)
class DeckFault:
    """One thing that is wrong, by the key of a sentence and its facts, at a `line` (None: nowhere in the text) and
    under a `key` of the text ("": the text as a whole)."""

    code: str
    facts: Mapping[str, object] = field(default_factory=dict[str, object])
    line: int | None = None
    key: str = ""

    def text(self, words: Words, *, with_uids: bool) -> str:
        """Where it is, and what; with the `with_uids` of tags or without."""
        facts = {name: fact if with_uids or not _is_number(fact) else None for name, fact in self.facts.items()}
        sentence = words.text(CONTEXT, self.code, facts)
        line = "" if self.line is None else words.text(CONTEXT, "line", {"number": self.line})
        places = (line, self.key if with_uids or not is_tag_number(self.key) else "")
        place = ", ".join(each for each in places if each)
        return f"{place}: {sentence}" if place else sentence


class DeckFaults(DeckError):
    """A deck that can't be used, and all that is wrong with it; its text is English."""

    def __init__(self, which: str, faults: Sequence[DeckFault], count: int | None = None) -> None:
        self.faults = tuple(faults[:MOST_FAULTS])
        self.count = len(faults) if count is None else count
        super().__init__(f"{which}: {self.text(Words('en'), with_uids=True)}")

    def text(self, words: Words, *, with_uids: bool = False) -> str:
        """The faults, and how many more there are."""
        told = [fault.text(words, with_uids=with_uids) for fault in self.faults]
        if more := self.count - len(self.faults):
            told.append(words.text(CONTEXT, "more", {"count": more}))
        return "; ".join(told)


def _is_number(fact: object) -> bool:
    return isinstance(fact, str) and is_tag_number(fact)


LONGEST_MANIFEST = 500_000
"""Bytes; the sample of the game with the most cards has about 2000."""


def manifest_in(data: bytes, source: str) -> str:
    """The manifest in a file's bytes, a JSON object as text; ConfigError names the file and says why there is none."""
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
    """The game that a manifest, as `manifest_in` has it, says that it is for; "" if it says none."""
    game = cast("dict[str, Any]", json.loads(manifest)).get("game")
    return game if isinstance(game, str) else ""


def validated_manifest(game: str, manifest: str) -> str:
    """A manifest in the spelling in which a deck of this game keeps it; ConfigError says what is wrong with it."""
    odd = next((kind.id for kind in find_game(game).pack(manifest).kinds if not is_kind(kind.id)), None)
    if odd is not None:
        raise ConfigError(
            f"No tagged card can be called {odd!r:.80}: a name takes visible letters and single spaces, 60 at most."
        )
    return normalized_manifest(manifest)


def normalized_manifest(manifest: str) -> str:
    """A manifest in the spelling that decks have."""
    return json.dumps(load_manifest(manifest), ensure_ascii=False)


def card_set_of(game: str, manifest: str = "") -> CardSet:
    """The cards that a deck for this game has; ConfigError names the games there are, or says what is wrong with the
    manifest."""
    return CardSet(game, find_game(game).pack(manifest).counts, controls_of(game))


def card_set_for(deck: Deck) -> CardSet:
    """The cards that there should be in this deck; ConfigError as from `card_set_of`."""
    return card_set_of(deck.game, deck.manifest)


def controls_of(game: str) -> tuple[str, ...]:
    """The control cards there can be for a game: those of every game, and its own."""
    return CONTROLS if game not in GAMES else (*CONTROLS, *control_cards(find_game(game).controls))
