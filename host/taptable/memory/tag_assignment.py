"""Enrolment: the tags of a deck get their cards, one kind after the other. Pure: it is told which tag came, and says
what that was and which card is next; its caller saves the deck after every answer. Knows no reader and no words:
answers are stable keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from taptable.core.errors import DeckError
from taptable.memory.deck import CardSet, Deck
from taptable.referee.taps import is_random

Find: TypeAlias = Callable[[str], tuple[str, str] | None]
"""The deck that has a tag, and which card or control it is there: `Decks.find`."""


class Code(StrEnum):
    """What became of a tag."""

    ENROLLED = "enrolled"
    DOUBLE = "double"
    CONTROL = "control"
    FOREIGN = "foreign"
    RANDOM_UID = "random-uid"
    NOT_WANTED = "not-wanted"


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of the tag `uid`; where it is known, it is `what` (a card or a control) in `deck`."""

    code: Code
    uid: str
    what: str | None = None
    deck: str | None = None


@dataclass(frozen=True, slots=True)
class CardWanted:
    """The next tag becomes this card; `have` of the `need` cards of its kind have their tags."""

    card: str
    kind: str
    have: int
    need: int


@dataclass(frozen=True, slots=True)
class ControlWanted:
    """The next tag becomes a card for this control."""

    control: str


@dataclass(frozen=True, slots=True)
class Step:
    """A tag that was enrolled, and what can be gone back to: the deck before, and what had been asked for."""

    uid: str
    what: str
    deck: Deck
    asked: str | None


@dataclass(frozen=True, slots=True)
class Enrolment:
    """How far a deck has come: kinds in the `order` they are done, one card or control `asked` before, `steps` back."""

    deck: Deck
    card_set: CardSet
    order: tuple[str, ...]
    asked: str | None = None
    steps: tuple[Step, ...] = ()


def begin(deck: Deck, card_set: CardSet) -> Enrolment:
    """Go on with a deck where it stands, an empty one or one left half done; `DeckError` for a deck of another game."""
    if deck.game != card_set.game:
        raise DeckError(f"deck {deck.name} is for {deck.game}, not for {card_set.game}")
    return Enrolment(deck, card_set, tuple(kind for kind, _ in card_set.kinds))


def wanted(enrolment: Enrolment) -> CardWanted | ControlWanted | None:
    """What the next tag becomes; None once every card has its tag."""
    asked = enrolment.asked
    if asked in enrolment.card_set.controls:
        return ControlWanted(asked)
    there = set(enrolment.deck.cards.values())
    for kind in enrolment.order if asked is None else (asked.partition("#")[0],):
        cards = enrolment.card_set.cards(kind)
        missing = tuple(card for card in cards if card not in there)
        if card := asked or next(iter(missing), None):
            return CardWanted(card, kind, len(cards) - len(missing), len(cards))
    return None


def take(enrolment: Enrolment, uid: str, find: Find) -> tuple[Enrolment, Answer]:
    """Take a tag that came to the pad. Only a tag that nobody knows is enrolled, as what was `wanted`."""
    deck = enrolment.deck
    if card := deck.cards.get(uid):
        return enrolment, Answer(Code.DOUBLE, uid, card, deck.name)
    if control := deck.controls.get(uid):
        return enrolment, Answer(Code.CONTROL, uid, control, deck.name)
    if is_random(uid):
        return enrolment, Answer(Code.RANDOM_UID, uid)
    known = find(uid)
    if known is not None and known[0] != deck.name:
        return enrolment, Answer(Code.FOREIGN, uid, known[1], known[0])
    match wanted(enrolment):
        case None:
            return enrolment, Answer(Code.NOT_WANTED, uid)
        case CardWanted(what):
            grown = deck.with_card(uid, what)
        case ControlWanted(what):
            grown = deck.with_control(uid, what)
    step = Step(uid, what, deck, enrolment.asked)
    enrolment = replace(enrolment, deck=grown, asked=None, steps=(*enrolment.steps, step))
    return enrolment, Answer(Code.ENROLLED, uid, what, deck.name)


def undo(enrolment: Enrolment) -> tuple[Enrolment, Step | None]:
    """Forget the last tag enrolled since `begin`; what it was is wanted again. None if there is none."""
    if not enrolment.steps:
        return enrolment, None
    *steps, step = enrolment.steps
    return replace(enrolment, deck=step.deck, asked=step.asked, steps=tuple(steps)), step


def skip(enrolment: Enrolment) -> Enrolment:
    """Put off what is wanted: a kind until the others are done, a card or control that was asked for for good."""
    match wanted(enrolment):
        case CardWanted(kind=kind) if enrolment.asked is None:
            return replace(enrolment, order=(*(other for other in enrolment.order if other != kind), kind))
        case _:
            return replace(enrolment, asked=None)


def ask_kind(enrolment: Enrolment, kind: str) -> Enrolment:
    """Do this kind now, such as one that was put off; `DeckError` if the game hasn't got it."""
    if kind not in enrolment.order:
        raise DeckError(f"{enrolment.card_set.game} has no kind {kind!r}, but {', '.join(enrolment.order)}")
    return replace(enrolment, order=(kind, *(other for other in enrolment.order if other != kind)), asked=None)


def ask_card(enrolment: Enrolment, card: str) -> Enrolment:
    """Do this card now, such as a lost one, whose old tag counts until the new one came; `DeckError` for no card."""
    if card not in tuple(enrolment.card_set):
        raise DeckError(f"{enrolment.card_set.game} has no card {card!r}")
    return replace(enrolment, asked=card)


def ask_control(enrolment: Enrolment, control: str) -> Enrolment:
    """Make the next tag a card for this control; `DeckError` if there is no such control."""
    controls = enrolment.card_set.controls
    if control not in controls:
        raise DeckError(f"there is no control {control!r}, but {', '.join(controls)}")
    return replace(enrolment, asked=control)
