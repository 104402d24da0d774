"""The views of X.net's state: the public state, ready for JSON, with the names that docs/xnet.md states; the
scoreboard; and the open cards. Must not change a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from taptable.core.controls import Fields
from taptable.core.player import Zone
from taptable.core.scoreboard import HAND, Count, Scoreboard, TeamScore
from taptable.games.xnet.actions import missing_sum
from taptable.games.xnet.controls import cards_owed, known_fields, open_choice
from taptable.games.xnet.state import (
    LEVELS,
    MAX_SERVERS,
    MAX_STREAMERS,
    SERVER,
    SPECIALISTS,
    STREAMER,
    TOPICS_PER_SERVER,
    Demand,
    Offer,
    Provider,
    State,
)

OPENING, RESHUFFLE, MUST_OFFER = "opening", "reshuffle", "must-offer"
"""The scoreboard's names of the steps that are pending: the pyramid waits for its first cards (X1.4), a draw for the
reshuffle (X2.5), or the end of the turn for a topic (X3.2)."""

DISCARD_PILE = "discard-pile"
SPECIALIST = "specialist"
X_MARKER = "x"
"""The names of the markers that may lie with a topic."""
PAID = "paid"
"""The zone of the cards tapped for an action that isn't paid for yet."""


def provider_zones(seat: int, offers: Sequence[Offer], servers: int, streamers: int) -> tuple[Zone, ...]:
    """Return a player's topics: one zone for each place of the servers, free ones too, then the streamer."""
    served = [offer for offer in offers if offer.location == SERVER]
    streamed = [offer.cards for offer in offers if offer.location == STREAMER]
    free = range(len(served) + 1, TOPICS_PER_SERVER * servers + 1)
    return (
        *(
            Zone(f"server-{number}", (seat,), offer.cards, token=SPECIALIST if offer.specialist else "")
            for number, offer in enumerate(served, 1)
        ),
        *(Zone(f"server-{number}", (seat,), ()) for number in free),
        *(Zone(STREAMER, (seat,), cards) for cards in [*streamed, *[()] * (streamers - len(streamed))]),
    )


def middle_zones(demand: Iterable[Demand], paid: tuple[str, ...], discard: tuple[str, ...]) -> tuple[Zone, ...]:
    """Return all places of the pyramid, the cards tapped for an action, and the discard pile."""
    by_place = {(each.level, each.place): each for each in demand}
    places = ((level, place) for level, count in enumerate(LEVELS, 1) for place in range(1, count + 1))
    pyramid = (_place(*each, by_place.get(each)) for each in places)
    return (*pyramid, Zone(PAID, (), paid), Zone(DISCARD_PILE, (), discard))


def _place(level: int, place: int, demand: Demand | None) -> Zone:
    name = f"demand-{level}-{place}"
    if demand is None:
        return Zone(name, (), ())
    return Zone(name, (), (demand.card,), token="" if demand.x_seat is None else X_MARKER, token_seat=demand.x_seat)


def public_state(state: State) -> dict[str, Any]:
    """Return all that the table knows, by the names of the public interface."""
    turn = state.turn
    return {
        "turn": {
            "seat": turn.seat if turn else None,
            "phase": "setup" if state.opening else "actions",
            "new": turn.has_laid_demand if turn else False,
            "replaced": turn.has_replaced_demand if turn else False,
            "must_offer": turn.topic_to_offer if turn else None,
            "owed": turn.owed if turn else 0,
        },
        "teams": [_team(seat, provider) for seat, provider in enumerate(state.providers, 1)],
        "demand": [
            {"level": demand.level, "place": demand.place, "card": demand.card, "x": demand.x_seat}
            for demand in state.demand
        ],
        "discard": list(state.discard),
        "draw_pile": state.draw_pile,
        "specialists": state.specialists,
        "pending": _pending(state),
        "outcome": scoreboard(state).outcome,
    }


def scoreboard(state: State) -> Scoreboard:
    """Return the content of the OLED and the page: points, users, servers, streamers and specialists, piles and
    hands."""
    places = dict(state.outcome.ranking) if state.outcome else {}
    return Scoreboard(
        unit="points",
        teams=tuple(
            TeamScore((seat,), provider.points, counts=_counts(provider), place=places.get(seat))
            for seat, provider in enumerate(state.providers, 1)
        ),
        seat=state.turn.seat if state.turn else None,
        pending=pending_name(state),
        stock=(Count("draw-pile", state.draw_pile), Count("specialists", state.specialists, SPECIALISTS)),
        hands=tuple((Count(HAND, provider.hand),) for provider in state.providers),
        over=state.outcome is not None,
        by=state.outcome.by if state.outcome else None,
        pending_facts=_pending_facts(state),
    )


def pending_name(state: State) -> str | None:
    """Return the pending step: the control of an action, ``opening``, ``reshuffle``, ``must-offer`` or None."""
    if state.outcome is not None or state.turn is None:
        return None
    if state.opening:
        return OPENING
    if state.turn.owed:
        return RESHUFFLE
    if state.pending is not None:
        return state.pending.action
    return MUST_OFFER if state.unmet_offer is not None else None


def _pending_facts(state: State) -> Fields:
    """Return the facts about the pending step: the choice that is open, then the numbers, then the topics."""
    if state.outcome is not None or state.turn is None:
        return ()
    if state.opening:
        return (("owed", len(LEVELS) - len(state.demand)),)
    if state.turn.owed:
        return (("owed", state.turn.owed),)
    pending = state.pending
    if pending is None:
        return () if state.unmet_offer is None else (("topic", state.unmet_offer),)
    facts = (("needs", open_choice(pending)), ("owed", cards_owed(pending)), ("short", missing_sum(state, pending)))
    return (*((name, value) for name, value in facts if value is not None), *known_fields(pending))


def _counts(provider: Provider) -> tuple[Count, ...]:
    return (
        Count("users", provider.users, provider.net),
        Count("servers", provider.servers, MAX_SERVERS),
        Count("streamers", provider.streamers, MAX_STREAMERS),
        Count("specialists", sum(offer.specialist for offer in provider.offers)),
    )


def _team(seat: int, provider: Provider) -> dict[str, Any]:
    return {
        "seats": [seat],
        "points": provider.points,
        "users": provider.users,
        "net": provider.net,
        "servers": provider.servers,
        "streamers": provider.streamers,
        "topics": [
            {"topic": offer.topic, "cards": list(offer.cards), "on": offer.location, "specialist": offer.specialist}
            for offer in provider.offers
        ],
        "hand": provider.hand,
    }


def _pending(state: State) -> dict[str, Any] | None:
    pending = state.pending
    if pending is None:
        return None
    return {
        "action": pending.action,
        "needs": open_choice(pending),
        "owed": cards_owed(pending),
        "short": missing_sum(state, pending),
        "cards": list(pending.cards),
        **dict(known_fields(pending)),
    }
