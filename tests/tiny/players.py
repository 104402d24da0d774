"""Virtual players of Colours: what they want, and where the cards really are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from taptable.core.observations import (
    ButtonPressed,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
)
from taptable.core.player import Deed, Heap, Push, Tap
from taptable.core.verdicts import Refused

from tiny.cards import CARDS
from tiny.rules import Lay, State, next_to, read


@dataclass(frozen=True, slots=True)
class Holdings:
    """Where the cards are, kept by what the players do; `earlier` is how they were before each move."""

    hands: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    youngest: int
    earlier: tuple[Holdings, ...] = ()


class TinyPlayers:
    """All virtual players."""

    def deal(self, state: State, rng: Random) -> Holdings:
        """What is hidden, shuffled and dealt as the table counts it."""
        laid = {card for row in state.rows for card in row}
        hidden = rng.sample([card for card in CARDS if card not in laid], len(CARDS) - len(laid))
        hands = tuple(tuple(hidden.pop() for _ in range(count)) for count in state.hands)
        return Holdings(hands, state.rows, tuple(hidden), rng.randint(1, len(state.rows)))

    def prepare(self, state: State, holdings: Holdings) -> Holdings:
        """Every drawing follows from a move."""
        return holdings

    def decide(self, state: State, holdings: Holdings, seat: int) -> Deed | None:
        """Lay the first card that goes, else pass."""
        if state.ended_by is not None:
            return None
        if state.turn is None:
            return Push(seat) if seat == holdings.youngest else None
        if state.turn != seat:
            return None
        goes = (card for card in holdings.hands[seat - 1] if isinstance(read(state, CardTapped(0, card, seat)), Lay))
        card = next(goes, None)
        return Push(seat) if card is None else Tap(seat, card, seat)

    def lying(self, holdings: Holdings) -> tuple[Heap, ...]:
        """The rows."""
        return tuple(Heap("row", (seat,), row) for seat, row in enumerate(holdings.rows, 1))

    def reachable(self, state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
        """The hand."""
        return (Heap("hand", (seat,), holdings.hands[seat - 1]),)

    def fair(
        self, state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """With the own cards, on the own pad."""
        return tuple((card, pad) for card, pad in legal if pad == seat and card in holdings.hands[seat - 1])

    def draw(self, state: State, holdings: Holdings, seat: int) -> Holdings | None:
        """Nobody draws as they like."""
        return None

    def must_first(self, state: State, holdings: Holdings, seat: int) -> str | None:
        """Nothing is owed."""
        return None

    def blunder(self, state: State, holdings: Holdings, seat: int, rng: Random) -> Tap | None:
        """A card on somebody's pad where it is refused."""
        taps = [(card, pad) for card in holdings.hands[seat - 1] for pad in range(1, len(state.rows) + 1)]
        refused = [tap for tap in taps if isinstance(read(state, CardTapped(0, *tap)), Refused)]
        return Tap(seat, *rng.choice(refused)) if refused else None

    def another_card(self, holdings: Holdings, seat: int, card: str) -> str | None:
        """The next best of the hand."""
        return next((other for other in holdings.hands[seat - 1] if other != card), None)

    def settle(
        self, before: State, after: State, observation: Observation, accepted: bool, holdings: Holdings, rng: Random
    ) -> Holdings:
        """The cards as the players moved them."""
        match observation:
            case CardsTogether() if before.rows != after.rows:
                return next(earlier for earlier in reversed(holdings.earlier) if earlier.rows == after.rows)
            case _ if not accepted:
                return holdings
            case GameSetUp() | ControlUsed(_, "new-game"):
                return self.deal(after, rng)
            case ControlUsed(_, "take-back"):
                # of a move from before a power cut nobody remembers the cards
                return holdings.earlier[-1] if holdings.earlier else self.deal(after, rng)
            case ControlUsed(_, "end-game"):
                return _remember(holdings, holdings)
            case CardTapped(_, card, pad):
                assert isinstance(pad, int)
                laid = _lay(holdings, pad, card)
                won = len(laid.rows[pad - 1]) == before.cards_to_win
                return _remember(holdings, laid if won else _draw(laid, next_to(before, pad)))
            case ButtonPressed(_, seat):
                return _remember(holdings, _draw(holdings, seat if before.turn is None else next_to(before, seat)))
            case _:
                return holdings

    def disagreement(self, state: State, holdings: Holdings) -> str | None:
        """Rows, numbers of cards and the pile."""
        believed = (state.rows, state.hands, state.pile)
        there = (holdings.rows, tuple(map(len, holdings.hands)), len(holdings.pile))
        return None if believed == there else f"{believed} believed, {there} there"


def _lay(holdings: Holdings, seat: int, card: str) -> Holdings:
    """From whatever hand it was in: the table doesn't see who taps."""
    hands = tuple(tuple(other for other in hand if other != card) for hand in holdings.hands)
    rows = tuple((*row, card) if at == seat else row for at, row in enumerate(holdings.rows, 1))
    return replace(holdings, hands=hands, rows=rows)


def _draw(holdings: Holdings, seat: int) -> Holdings:
    """The top card, if there is one."""
    drawn, pile = holdings.pile[-1:], holdings.pile[:-1]
    hands = tuple((*hand, *drawn) if at == seat else hand for at, hand in enumerate(holdings.hands, 1))
    return replace(holdings, hands=hands, pile=pile)


def _remember(before: Holdings, after: Holdings) -> Holdings:
    return replace(after, earlier=(*before.earlier, before))
