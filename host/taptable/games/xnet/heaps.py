"""Cards of X.net that lie open, as heaps: the same for what the table believes and for what really lies there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from taptable.core.observations import DISCARD_PAD
from taptable.core.player import Heap
from taptable.games.xnet.state import LEVELS, SERVER, STREAMER, TOPICS_A_SERVER, Demand, Offer, State

PAID = "paid"
"""The cards tapped for an action that isn't paid for yet."""


def provider_heaps(seat: int, offers: Sequence[Offer], servers: int, streamers: int) -> tuple[Heap, ...]:
    """A player's topics: one heap for each place of the servers, free ones too, then the streamer."""
    served = [offer.cards for offer in offers if offer.on == SERVER]
    places = max(TOPICS_A_SERVER * servers, len(served))
    streamed = [offer.cards for offer in offers if offer.on == STREAMER]
    rows = [*served, *[()] * (places - len(served))]
    on_streamer = [*streamed, *[()] * (streamers - len(streamed))]
    return (
        *(Heap(f"server-{number}", (seat,), cards) for number, cards in enumerate(rows, 1)),
        *(Heap(STREAMER, (seat,), cards) for cards in on_streamer),
    )


def middle_heaps(demand: Iterable[Demand], paid: tuple[str, ...], discard: tuple[str, ...]) -> tuple[Heap, ...]:
    """All places of the pyramid, what was tapped for an action, and the discard pile."""
    there = {(each.level, each.place): (each.card,) for each in demand}
    pyramid = (
        Heap(f"demand-{level}-{place}", (), there.get((level, place), ()))
        for level, places in enumerate(LEVELS, 1)
        for place in range(1, places + 1)
    )
    return (*pyramid, Heap(PAID, (), paid), Heap(DISCARD_PAD, (), discard))


def lying(state: State) -> tuple[Heap, ...]:
    """What lies open by the table's belief."""
    laid = (
        heap
        for seat, provider in enumerate(state.providers, 1)
        for heap in provider_heaps(seat, provider.offers, provider.servers, provider.streamers)
    )
    return (*laid, *middle_heaps(state.demand, state.pending.cards if state.pending else (), state.discard))
