"""Virtual players of X.net: their cards move as their taps say, whatever the referee believes; what they want is in
`wishes`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from taptable.core.observations import DISCARD_PAD, CardsTogether, CardTapped, Observation, Pad
from taptable.core.player import Deed, Heap, Push, Tap, UseControl
from taptable.core.verdicts import Refused
from taptable.games.xnet import handling, wishes
from taptable.games.xnet import holdings as truth
from taptable.games.xnet.controls import ACTIONS, OWN_PAD, needs
from taptable.games.xnet.holdings import Holdings
from taptable.games.xnet.reading import read
from taptable.games.xnet.state import State

DRAW_PILE = "draw-pile"


class XnetPlayers:
    """All virtual players of a game of X.net; what they remember is in the holdings."""

    def deal(self, state: State, rng: Random) -> Holdings:
        """All hidden cards shuffled and dealt."""
        return truth.deal(state, rng)

    def prepare(self, state: State, holdings: Holdings) -> Holdings:
        """Nothing is drawn but what a turn's beginning brings, and that follows its observation."""
        return holdings

    def decide(self, state: State, holdings: Holdings, seat: int) -> Deed | None:
        """What this seat wants to do now."""
        turn = state.turn
        if state.outcome is not None:
            return None
        if turn is None:
            return Push(seat) if seat == holdings.youngest else None
        if seat != turn.seat:
            return None
        if state.opening:
            card = wishes.first_demand(state, holdings)
            return Tap(seat, card, DISCARD_PAD)
        if turn.owed:
            return UseControl(seat, "reshuffle")
        return wishes.next_deed(state, holdings, turn)

    def lying(self, holdings: Holdings) -> tuple[Heap, ...]:
        """What lies open on the table."""
        return truth.lying(holdings)

    def reachable(self, state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
        """The hand; for the first demands the draw pile (X1.4); for a choice what it is made among (X5.2)."""
        hand = Heap("hand", (seat,), holdings.hand(seat))
        if state.turn is None or state.outcome is not None:
            return (hand,)
        if state.opening:
            # who turns up a topic that lies there already puts it back and draws another
            turned_up = holdings.pile[holdings.pile.index(wishes.first_demand(state, holdings)) :]
            return (hand, Heap(DRAW_PILE, (), turned_up))
        if seat != state.turn.seat or state.pending is None or needs(state.pending) is None:
            return (hand,)
        wanted = (seat,) if ACTIONS[state.pending.action].choose_on == OWN_PAD else ()
        among = {demand.card for demand in holdings.demand}
        among.update(card for offer in holdings.offers[seat - 1] for card in offer.cards)
        open_heaps = (heap for heap in truth.lying(holdings) if heap.seats == wanted and among.intersection(heap.cards))
        return (hand, *open_heaps)

    def fair(
        self, state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Legal taps with cards in reach: those of the player on turn, the first demands of anybody."""
        if state.turn is None or (seat != state.turn.seat and not state.opening):
            return ()
        hand, *others = self.reachable(state, holdings, seat)
        # the first demands come from the draw pile, which the table can't see
        cards = {card for heap in (others if state.opening else [hand, *others]) for card in heap.cards}
        return tuple((card, pad) for card, pad in legal if card in cards)

    def draw(self, state: State, holdings: Holdings, seat: int) -> Holdings | None:
        """Nobody draws as they like."""
        return None

    def must_first(self, state: State, holdings: Holdings, seat: int) -> str | None:
        """Nothing is owed that the table can't see."""
        return None

    def blunder(self, state: State, holdings: Holdings, seat: int, rng: Random) -> Tap | None:
        """A card from the hand on a wrong pad, or too early: something that will be refused."""
        hand = holdings.hand(seat)
        if not hand or state.outcome is not None:
            return None
        card = rng.choice(hand)
        pads = [*range(1, state.options.players + 1), DISCARD_PAD]
        rng.shuffle(pads)
        refused = (pad for pad in pads if isinstance(read(state, CardTapped(0, card, pad)), Refused))
        pad = next(refused, None)
        return None if pad is None else Tap(seat, card, pad)

    def another_card(self, holdings: Holdings, seat: int, card: str) -> str | None:
        """Another card of this seat's hand."""
        return next((other for other in holdings.hand(seat) if other != card), None)

    def settle(
        self, before: State, after: State, observation: Observation, accepted: bool, holdings: Holdings, rng: Random
    ) -> Holdings:
        """The cards moved as the observation says; taken back, they lie as they lay."""
        if isinstance(observation, CardsTogether):
            return handling.part(observation, holdings) if before != after else holdings
        return handling.move(before, after, observation, holdings, rng) if accepted else holdings

    def disagreement(self, state: State, holdings: Holdings) -> str | None:
        """Where the referee believes something else than is true."""
        return truth.disagreement(holdings, state)
