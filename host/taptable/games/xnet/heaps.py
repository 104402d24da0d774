"""Cards of X.net that lie open, as heaps: the same for what the table believes and for what really lies there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from taptable.core.player import Heap
from taptable.games.xnet.state import LEVELS, SERVER, STREAMER, TOPICS_A_SERVER, Demand, Offer, State

DISCARD_PILE = "discard-pile"
SPECIALIST = "specialist"
X_MARKER = "x"
"""What may lie with a topic: the names of the markers."""
PAID = "paid"
"""The cards tapped for an action that isn't paid for yet."""


def provider_heaps(seat: int, offers: Sequence[Offer], servers: int, streamers: int) -> tuple[Heap, ...]:
    """A player's topics: one heap for each place of the servers, free ones too, then the streamer."""
    served = [offer for offer in offers if offer.on == SERVER]
    streamed = [offer.cards for offer in offers if offer.on == STREAMER]
    free = range(len(served) + 1, TOPICS_A_SERVER * servers + 1)
    return (
        *(
            Heap(f"server-{number}", (seat,), offer.cards, token=SPECIALIST if offer.specialist else "")
            for number, offer in enumerate(served, 1)
        ),
        *(Heap(f"server-{number}", (seat,), ()) for number in free),
        *(Heap(STREAMER, (seat,), cards) for cards in [*streamed, *[()] * (streamers - len(streamed))]),
    )


def middle_heaps(demand: Iterable[Demand], paid: tuple[str, ...], discard: tuple[str, ...]) -> tuple[Heap, ...]:
    """All places of the pyramid, what was tapped for an action, and the discard pile."""
    there = {(each.level, each.place): each for each in demand}
    places = ((level, place) for level, count in enumerate(LEVELS, 1) for place in range(1, count + 1))
    pyramid = (_place(*each, there.get(each)) for each in places)
    return (*pyramid, Heap(PAID, (), paid), Heap(DISCARD_PILE, (), discard))


def _place(level: int, place: int, demand: Demand | None) -> Heap:
    name = f"demand-{level}-{place}"
    if demand is None:
        return Heap(name, (), ())
    return Heap(name, (), (demand.card,), token="" if demand.x is None else X_MARKER, token_seat=demand.x)


def lying(state: State) -> tuple[Heap, ...]:
    """What lies open by the table's belief."""
    laid = (
        heap
        for seat, provider in enumerate(state.providers, 1)
        for heap in provider_heaps(seat, provider.offers, provider.servers, provider.streamers)
    )
    return (*laid, *middle_heaps(state.demand, state.pending.cards if state.pending else (), state.discard))
