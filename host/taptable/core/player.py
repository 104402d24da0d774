"""Virtual players: what a player at a simulated table does with hand and button, and the verbs a game's virtual
players answer.

They see what a person sees: the own hand, what lies open, and what the table says. Where the cards really are is the
*ground truth*, kept apart from what the referee believes, so that the two can be compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from taptable.core.controls import Fields
from taptable.core.drafts import draft
from taptable.core.observations import (
    DISCARD_PAD,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    TimePassed,
    is_final,
)
from taptable.core.scoreboard import HAND
from taptable.core.verdicts import Refused

Cards: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tap:
    """Tap a card on a pad, then lay it where it belongs."""

    seat: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class HoldCard:
    """Hold a card on a pad until its ring is full."""

    seat: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class Push:
    """Press the own button."""

    seat: int


@dataclass(frozen=True, slots=True)
class TapControl:
    """Tap a control card, which may stand for `fields` too."""

    seat: int
    control: str
    fields: Fields = ()


PlayerAction: TypeAlias = Tap | HoldCard | Push | TapControl


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that lie together: a hand, a row, a pile. `place` says what it is, `seats` whose it is (none: everybody's);
    the last card is on top. `token` is a marker that lies with them ("" for none), and `token_seat` whose it is."""

    place: str
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    token: str = ""
    token_seat: int | None = None


@dataclass(kw_only=True)
class GroundTruth:
    """Where the cards of a simulated game really are, by what the players do and never by what the referee believes.
    `hands`, and cards `laid`, are by seat, the last card of the `pile` is its top, and `owed` is what an empty one
    still owes; the `youngest` begins. `past` leads back to how it was before each move that may still be taken back.
    Like a state it is changed only as a draft."""

    hands: tuple[Cards, ...]
    pile: Cards
    youngest: int
    laid: tuple[Cards, ...] = ()
    discard: Cards = ()
    owed: int = 0
    undo_entry: tuple[Observation, Any] | None = None

    def hand(self, seat: int) -> Cards:
        """A seat's hand."""
        return self.hands[seat - 1]

    def counts(self, seat: int) -> Mapping[str, int]:
        """How many cards a seat holds, by the names that its scoreboard has for them."""
        return {HAND: len(self.hand(seat))}

    def put_hand(self, seat: int, hand: Cards) -> None:
        """Another hand for a seat."""
        self.hands = (*self.hands[: seat - 1], hand, *self.hands[seat:])

    def draw(self, seat: int, count: int) -> int:
        """A seat draws from the pile; so many cards are lacking there."""
        left = max(0, len(self.pile) - count)
        lacking = count - len(self.pile) + left
        self.put_hand(seat, (*self.hand(seat), *self.pile[left:]))
        self.pile = self.pile[:left]
        return lacking

    def leave_hand(self, card: str) -> None:
        """A card leaves whatever hand it is in: the table doesn't see who taps."""
        self.hands = tuple(without(hand, card) for hand in self.hands)

    def other_cards(self) -> Iterator[str]:
        """The cards that lie neither in a hand nor on the pile nor on the discard pile."""
        for cards in self.laid:
            yield from cards

    def layout(self) -> tuple[Zone, ...]:
        """What lies open on the table, empty rows included: a row for each seat."""
        return tuple(Zone("row", (seat,), row) for seat, row in enumerate(self.laid, 1))

    def find_discrepancy(self, deck: Sized) -> str | None:
        """Is each card of the deck somewhere, and once?"""
        cards = [card for hand in self.hands for card in hand]
        cards += (*self.pile, *self.discard, *self.other_cards())
        return None if len(cards) == len(deck) == len(set(cards)) else f"{len(cards)} cards at the table"


def without(cards: Cards, card: str) -> Cards:
    """Cards without one of them, if it is there."""
    return tuple(other for other in cards if other != card) if card in cards else cards


def shuffled(cards: Sequence[str], rng: Random) -> Cards:
    """Cards in a new order."""
    mixed = list(cards)
    rng.shuffle(mixed)
    return tuple(mixed)


class HasOutcome(Protocol):
    """A state of a game, of which `outcome` is None while it runs."""

    @property
    def outcome(self) -> object:
        """How it ended."""
        ...


StateT = TypeVar("StateT", bound=HasOutcome)
TruthT = TypeVar("TruthT", bound=GroundTruth)


class Players(ABC, Generic[StateT, TruthT]):
    """A game's virtual players, all of them; whatever is remembered is in the ground truth."""

    def __init__(self, play: Callable[[StateT, Observation], object]) -> None:
        self._play = play

    @staticmethod
    @abstractmethod
    def deal(state: StateT, rng: Random) -> TruthT:
        """A truth that agrees with a state, such as that of a new game: whatever is hidden is shuffled and dealt."""

    @staticmethod
    @abstractmethod
    def move(before: StateT, after: StateT, observation: Observation, truth: TruthT, rng: Random) -> None:
        """The cards of this draft are moved as an accepted observation says, between the states before and after it."""

    @abstractmethod
    def decide(self, state: StateT, truth: TruthT, seat: int) -> PlayerAction | None:
        """What this seat wants to do now; None: nothing."""

    @staticmethod
    @abstractmethod
    def disagreement(state: StateT, truth: TruthT) -> str | None:
        """Where the referee believes something else than is true; None if all agrees."""

    def fair(
        self, state: StateT, truth: TruthT, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Of the legal taps those that are this seat's to do, with cards it can reach; the table can't see who taps."""
        cards = {card for zone in self.reachable(state, truth, seat) for card in zone.cards}
        return tuple((card, pad) for card, pad in legal if pad == seat and card in cards)

    def fitting(
        self, state: StateT, truth: TruthT, seat: int, fair: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Of the fair taps those to propose to a learner: not what this seat's hand can't go through with."""
        del state, truth, seat
        return tuple(fair)

    def reachable(self, state: StateT, truth: TruthT, seat: int) -> tuple[Zone, ...]:
        """What this seat can tap now, its hand first; no zone is empty, but for the hand."""
        del state
        return (Zone("hand", (seat,), truth.hand(seat)),)

    @staticmethod
    def prepare(state: StateT, truth: TruthT) -> TruthT:
        """The truth after the drawing that nobody has to show the table."""
        del state
        return truth

    def draw(self, state: StateT, truth: TruthT, seat: int) -> TruthT | None:
        """The truth after a drawing that this seat may do and needn't; None if there is none."""
        del state, truth, seat

    def must_first(self, state: StateT, truth: TruthT, seat: int) -> str | None:
        """What this seat owes the others before it may press its button, which the table can't see; None: nothing."""
        del state, truth, seat

    def follow(self, before: StateT | None, after: StateT, truth: TruthT) -> TruthT:
        """The truth after what follows by itself; `before` is None where the table went back, or on after a pause."""
        del before, after
        return truth

    def asked_at_us(self, state: StateT) -> int:
        """A time at which nothing is due."""
        del state
        return 0

    def blunder(self, state: StateT, truth: TruthT, seat: int, rng: Random) -> Tap | None:
        """A tap this seat might do by mistake, a card of its hand on a wrong pad or too early, which the table will
        refuse; None if nothing comes to mind."""
        hand = truth.hand(seat)
        if not hand or state.outcome is not None:
            return None
        card = rng.choice(hand)
        pads: list[Pad] = [*range(1, len(truth.hands) + 1), DISCARD_PAD]
        rng.shuffle(pads)
        at_us = self.asked_at_us(state)
        refused = (pad for pad in pads if isinstance(self._play(state, CardTapped(at_us, card, pad)), Refused))
        pad = next(refused, None)
        return None if pad is None else Tap(seat, card, pad)

    def another_card(self, truth: TruthT, seat: int, card: str) -> str | None:
        """Another card of this seat's hand; None if there is none."""
        return next((other for other in truth.hand(seat) if other != card), None)

    def settle(
        self, before: StateT, after: StateT, observation: Observation, accepted: bool, truth: TruthT, rng: Random
    ) -> TruthT:
        """The truth after an observation was judged, between the states before and after it: the cards moved as it
        says, or, taken back, as they lay."""
        match observation:
            case CardsTogether():
                # in a pause the first of them stands
                parted = truth if after == before else _truth_before_tap(observation, truth)
                return self.follow(before if parted is truth else None, after, parted)
            case GameSetUp() | ControlUsed(_, "new-game") if accepted:
                return self.deal(after, rng)
            case ControlUsed(_, "take-back") if accepted:
                # of a move from before a power cut nobody remembers the cards
                return self.follow(None, after, truth.undo_entry[1] if truth.undo_entry else self.deal(after, rng))
            case ControlUsed(_, "resume") if accepted:
                return self.follow(None, after, truth)
            case TimePassed() | ControlUsed(_, "pause"):
                return self.follow(before, after, truth)
            case ControlUsed() if after == before:
                return truth
            case _ if not accepted:
                return self.follow(before, after, truth)
            case _:
                moved = draft(truth)
                self.move(before, after, observation, moved, rng)
                moved.undo_entry = None if is_final(observation) else (observation, truth)
                return self.follow(before, after, moved)


def _truth_before_tap(together: CardsTogether, truth: TruthT) -> TruthT:
    """The truth before one of two cards that came together was tapped."""
    past = truth.undo_entry
    while past is not None and past[0].at_us >= together.since_us:
        tap, before = past
        if isinstance(tap, CardTapped) and tap.pad == together.pad and tap.card in together.cards:
            return before
        past = before.past
    return truth
