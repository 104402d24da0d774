"""A deck: which tag is which card of a game. A value, made by enrolment and by deck files; knows no reader, no file,
and of the game only what cards it has."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from taptable.referee.taps import CONTROL

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

    def what_is(self, uid: str) -> str | None:
        """The card or the control of a tag; None for a tag that isn't in this deck."""
        return self.cards.get(uid) or self.controls.get(uid)

    def with_card(self, uid: str, card: str) -> Deck:
        """The deck in which `uid` is `card`; a tag that was this card before is in it no longer."""
        kept = {old: what for old, what in self.cards.items() if what != card}
        return replace(self, cards=MappingProxyType(kept | {uid: card}))

    def with_control(self, uid: str, control: str) -> Deck:
        """The deck in which `uid` is one more card for this control."""
        return replace(self, controls=MappingProxyType({**self.controls, uid: control}))


def lacking(card_set: CardSet, there: Container[str]) -> tuple[Lack, ...]:
    """What lacks of each kind."""
    return tuple(
        Lack(kind, need, tuple(card for card in card_set.cards(kind) if card not in there))
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


def is_name(name: str) -> bool:
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
    return seen and not kind.startswith(CONTROL)
