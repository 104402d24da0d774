"""Virtual players: the actions of a player at a simulated table, and the verbs that a game's virtual players implement.
They see what a person sees: their own hand, the open cards, and the table's messages. The *ground truth*, where the
cards really are, is kept apart from the referee's belief, so that the two can be compared."""

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
    """Press one's own button."""

    seat: int


@dataclass(frozen=True, slots=True)
class TapControl:
    """Tap a control card, which may set `fields` too."""

    seat: int
    control: str
    fields: Fields = ()


PlayerAction: TypeAlias = Tap | HoldCard | Push | TapControl


@dataclass(frozen=True, slots=True)
class Zone:
    """Cards that lie together: a hand, a row, a pile. `place` is the kind of zone, `seats` its owners (empty:
    everybody's); the last card is on top. `token` is a marker that lies with them ("" for none), and `token_seat` its
    owner."""

    place: str
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    token: str = ""
    token_seat: int | None = None


@dataclass(kw_only=True)
class GroundTruth:
    """The real places of the cards in a simulated game, by the players' actions and never by the referee's belief.
    `hands` and `laid` are by seat, the last card of the `pile` is its top, `owed` is the number of cards that an empty
    pile still owes, and `youngest` the seat that begins. `undo_entry` has the last move that may still be taken back,
    with the truth before it. Like a state it is changed only as a draft."""

    hands: tuple[Cards, ...]
    pile: Cards
    youngest: int
    laid: tuple[Cards, ...] = ()
    discard: Cards = ()
    owed: int = 0
    undo_entry: tuple[Observation, Any] | None = None

    def hand(self, seat: int) -> Cards:
        """Return a seat's hand."""
        return self.hands[seat - 1]

    def counts(self, seat: int) -> Mapping[str, int]:
        """Return the number of cards a seat holds, by their names on its scoreboard."""
        return {HAND: len(self.hand(seat))}

    def put_hand(self, seat: int, hand: Cards) -> None:
        """Replace a seat's hand."""
        self.hands = (*self.hands[: seat - 1], hand, *self.hands[seat:])

    def draw(self, seat: int, count: int) -> int:
        """Draw `count` cards from the pile into a seat's hand, and return the number of cards that the pile lacked."""
        remaining = max(0, len(self.pile) - count)
        lacking = count - len(self.pile) + remaining
        self.put_hand(seat, (*self.hand(seat), *self.pile[remaining:]))
        self.pile = self.pile[:remaining]
        return lacking

    def leave_hand(self, card: str) -> None:
        """Remove a card from the hand that has it, whichever that is: the table doesn't see who taps."""
        self.hands = tuple(without(hand, card) for hand in self.hands)

    def other_cards(self) -> Iterator[str]:
        """Yield the cards that are in no hand, in no draw pile and in no discard pile."""
        for cards in self.laid:
            yield from cards

    def layout(self) -> tuple[Zone, ...]:
        """Return the open zones on the table: a row for each seat, empty rows included."""
        return tuple(Zone("row", (seat,), row) for seat, row in enumerate(self.laid, 1))

    def find_discrepancy(self, deck: Sized) -> str | None:
        """Return a message unless each card of the deck is at the table exactly once; None if so."""
        cards = [card for hand in self.hands for card in hand]
        cards += (*self.pile, *self.discard, *self.other_cards())
        return None if len(cards) == len(deck) == len(set(cards)) else f"{len(cards)} cards at the table"


def without(cards: Cards, card: str) -> Cards:
    """Return the cards without this one; unchanged if it isn't among them."""
    return tuple(other for other in cards if other != card) if card in cards else cards


def shuffled(cards: Sequence[str], rng: Random) -> Cards:
    """Return the cards in a new order."""
    mixed = list(cards)
    rng.shuffle(mixed)
    return tuple(mixed)


class HasOutcome(Protocol):
    """The state of a game; `outcome` is None while it runs."""

    @property
    def outcome(self) -> object:
        """The way it ended."""
        ...


StateT = TypeVar("StateT", bound=HasOutcome)
TruthT = TypeVar("TruthT", bound=GroundTruth)


class Players(ABC, Generic[StateT, TruthT]):
    """A game's virtual players, all of them. They have no memory of their own: it is in the ground truth."""

    def __init__(self, play: Callable[[StateT, Observation], object]) -> None:
        self._play = play

    @staticmethod
    @abstractmethod
    def deal(state: StateT, rng: Random) -> TruthT:
        """Return a truth that agrees with a state, such as that of a new game; the hidden cards are shuffled and
        dealt."""

    @staticmethod
    @abstractmethod
    def move(before: StateT, after: StateT, observation: Observation, truth: TruthT, rng: Random) -> None:
        """Move the cards of this draft as an accepted observation says, between the states before and after it."""

    @abstractmethod
    def decide(self, state: StateT, truth: TruthT, seat: int) -> PlayerAction | None:
        """Return the action that this seat wants to take now; None for none."""

    @staticmethod
    @abstractmethod
    def disagreement(state: StateT, truth: TruthT) -> str | None:
        """Return where the referee's belief differs from the truth; None if they agree."""

    def fair(
        self, state: StateT, truth: TruthT, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Return those of the legal taps that are this seat's to make, with cards it can reach. The table can't see who
        taps."""
        cards = {card for zone in self.reachable(state, truth, seat) for card in zone.cards}
        return tuple((card, pad) for card, pad in legal if pad == seat and card in cards)

    def fitting(
        self, state: StateT, truth: TruthT, seat: int, fair: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Return those of the fair taps to propose to a learner: without moves that this seat's hand can't complete."""
        del state, truth, seat
        return tuple(fair)

    def reachable(self, state: StateT, truth: TruthT, seat: int) -> tuple[Zone, ...]:
        """Return the cards this seat can tap now, its hand first; no zone is empty except the hand."""
        del state
        return (Zone("hand", (seat,), truth.hand(seat)),)

    @staticmethod
    def prepare(state: StateT, truth: TruthT) -> TruthT:
        """Return the truth after the draws that players make without showing them to the table."""
        del state
        return truth

    def draw(self, state: StateT, truth: TruthT, seat: int) -> TruthT | None:
        """Return the truth after an optional draw by this seat; None if it has none."""
        del state, truth, seat

    def must_first(self, state: StateT, truth: TruthT, seat: int) -> str | None:
        """Return this seat's duty to the other players before it may press its button, which the table can't see; None
        for none."""
        del state, truth, seat

    def follow(self, before: StateT | None, after: StateT, truth: TruthT) -> TruthT:
        """Return the truth after its automatic consequences. `before` is None if the table took a move back or resumed
        after a pause."""
        del before, after
        return truth

    def asked_at_us(self, state: StateT) -> int:
        """Return a time at which no deadline is due."""
        del state
        return 0

    def blunder(self, state: StateT, truth: TruthT, seat: int, rng: Random) -> Tap | None:
        """Return a plausible mistake of this seat, a card of its hand on a wrong pad or too early, which the table
        refuses; None if it finds none."""
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
        """Return another card of this seat's hand; None if there is none."""
        return next((other for other in truth.hand(seat) if other != card), None)

    def settle(
        self, before: StateT, after: StateT, observation: Observation, accepted: bool, truth: TruthT, rng: Random
    ) -> TruthT:
        """Return the truth after an observation was judged, between the states before and after it: its cards are
        moved, or put back if it was a take-back."""
        match observation:
            case CardsTogether():
                # in a pause the tap of the first card keeps its effect
                parted = truth if after == before else _truth_before_tap(observation, truth)
                return self.follow(before if parted is truth else None, after, parted)
            case GameSetUp() | ControlUsed(_, "new-game") if accepted:
                return self.deal(after, rng)
            case ControlUsed(_, "take-back") if accepted:
                # after a power cut nobody remembers the cards of an earlier move
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
    """Return the truth before the tap of one of two cards that came together."""
    entry = truth.undo_entry
    while entry is not None and entry[0].at_us >= together.since_us:
        tap, before = entry
        if isinstance(tap, CardTapped) and tap.pad == together.pad and tap.card in together.cards:
            return before
        entry = before.undo_entry
    return truth
