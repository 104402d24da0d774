"""The policy of X.net's virtual players. `next_action` first lays a card on an own server (`_offer`), else begins the
best action (`_begin`), else ends the turn; `plans` finds demands, replacements and swaps, and completes pending
actions. Sensible, not brilliant. Must not know the cards that the player can't see."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import PlayerAction, Players, Push, Tap, TapControl, Zone
from taptable.games.xnet import controls, ground_truth
from taptable.games.xnet.controls import ACTIONS, OWN_PAD, least_cards, open_choice
from taptable.games.xnet.ground_truth import XnetTruth
from taptable.games.xnet.plans import (
    Sight,
    best_new_demand,
    best_replacement,
    best_swap,
    continue_action,
    make_sight,
    topic_for_specialist,
    users_topic,
)
from taptable.games.xnet.state import MAX_HAND_AFTER_TAKING_BACK, MAX_SERVERS, NETS, State, Turn

DRAW_PILE = "draw-pile"
"""The zone of the draw pile."""
LONG_ENOUGH = 60
"""The number of rounds after which the players agree to end a game that nobody wins: by the rules it need never end."""
FEW_USERS = 2
"""With fewer users than this, a player buys users before it lays more cards of a topic: without users nothing
scores."""
MOST_USERS_AT_ONCE = 2
"""The most users that one action buys (X3.8)."""
SPARE = 2
"""The number of cards to keep in the hand after buying a server or a streamer."""


class XnetPlayers(Players[State, XnetTruth]):
    """All virtual players of a game of X.net."""

    deal = staticmethod(ground_truth.deal)
    move = staticmethod(ground_truth.move)
    disagreement = staticmethod(ground_truth.disagreement)

    def decide(self, state: State, truth: XnetTruth, seat: int) -> PlayerAction | None:
        """Return the action that this seat wants to take now."""
        turn = state.turn
        if state.outcome is not None:
            return None
        if turn is None:
            return Push(seat) if seat == truth.youngest else None
        if seat != turn.seat:
            return None
        if state.opening:
            return Tap(seat, _first_demand(state, truth), DISCARD_PAD)
        return TapControl(seat, "reshuffle") if turn.owed else next_action(state, truth, turn)

    def reachable(self, state: State, truth: XnetTruth, seat: int) -> tuple[Zone, ...]:
        """Return the hand; for the first demands the draw pile (X1.4); for a choice the cards it is made among
        (X5.2)."""
        hand = super().reachable(state, truth, seat)
        if state.turn is None or state.outcome is not None:
            return hand
        if state.opening:
            # a player who turns up a topic that lies there already puts it back and draws another
            turned_up = truth.pile[truth.pile.index(_first_demand(state, truth)) :]
            return (*hand, Zone(DRAW_PILE, (), turned_up))
        if seat != state.turn.seat or state.pending is None or open_choice(state.pending) is None:
            return hand
        seats = (seat,) if ACTIONS[state.pending.action].choose_on == OWN_PAD else ()
        choices = {demand.card for demand in truth.demand}
        choices.update(card for offer in truth.offers[seat - 1] for card in offer.cards)
        open_zones = (zone for zone in truth.layout() if zone.seats == seats and choices.intersection(zone.cards))
        return (*hand, *open_zones)

    def fair(
        self, state: State, truth: XnetTruth, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Return the legal taps with cards in reach: those of the player on turn, and of anybody for the first
        demands."""
        if state.turn is None or (seat != state.turn.seat and not state.opening):
            return ()
        hand, *others = self.reachable(state, truth, seat)
        # the first demands come from the draw pile, which the table can't see
        cards = {card for zone in (others if state.opening else [hand, *others]) for card in zone.cards}
        return tuple((card, pad) for card, pad in legal if card in cards)


def _first_demand(state: State, truth: XnetTruth) -> str:
    """Return the topmost card of the draw pile with a topic that isn't in demand yet (X1.4)."""
    return next(card for card in reversed(truth.pile) if state.demand_for(truth.topic_of(card)) is None)


def next_action(state: State, truth: XnetTruth, turn: Turn) -> PlayerAction:
    """Return the action of the player on turn."""
    sight = make_sight(state, truth, turn)
    if state.pending is not None:
        return continue_action(sight, state.pending)
    if truth.turns > LONG_ENOUGH * state.options.players:
        return TapControl(turn.seat, "end-game")
    return _offer(sight) or _begin(sight) or Push(turn.seat)


def _offer(sight: Sight) -> PlayerAction | None:
    """Lay a card on an own server: a topic that must be brought in, a new topic of the highest level possible, or one
    more card."""
    seat = sight.seat
    due = sight.state.unmet_offer
    if due is not None:
        cards = sight.cards_of_topic(due)
        if cards and sight.provider.has_free_place and sight.provider.offer(due) is None:
            return Tap(seat, cards[-1], seat)
        return TapControl(seat, "take-back")  # somebody else played so far: one who can't lay it takes back (X3.2)
    if sight.provider.has_free_place:
        for demand in sight.unserved_demands:
            cards = sight.cards_of_topic(sight.state.topic_of(demand.card))
            if cards:
                return Tap(seat, cards[-1], seat)
    if sight.provider.users < FEW_USERS:
        return None
    for offer in sight.provider.offers:
        cards = sight.cards_of_topic(offer.topic)
        if cards and sight.can_add_to(offer):
            return Tap(seat, cards[-1], seat)
    return None


def _begin(sight: Sight) -> PlayerAction | None:
    """Begin the best action now, by its control card."""
    seat, provider = sight.seat, sight.provider
    users = _users(sight)
    if users:
        return TapControl(seat, controls.BUY_USERS, (("users", users),))
    if not sight.turn.has_laid_demand:
        new = best_new_demand(sight)
        if new is not None:
            return TapControl(seat, controls.DEMAND_NEW, (("level", new.level),))
    if best_swap(sight) is not None:
        return TapControl(seat, controls.SWAP)
    if not sight.turn.has_replaced_demand and best_replacement(sight) is not None:
        return TapControl(seat, controls.DEMAND_REPLACE)
    if provider.users == provider.net < NETS[-1] and provider.hand >= least_cards(controls.BUY_NET):
        return TapControl(seat, controls.BUY_NET)
    if sight.state.specialists and topic_for_specialist(sight) is not None:
        return TapControl(seat, controls.HIRE_SPECIALIST)
    return _make_room(sight)


def _users(sight: Sight) -> int:
    """Return the number of users to buy at once; 0 for none."""
    room = sight.provider.net - sight.provider.users
    if room >= MOST_USERS_AT_ONCE and users_topic(sight, MOST_USERS_AT_ONCE) is not None:
        return MOST_USERS_AT_ONCE
    can_pay = len(sight.hand) >= least_cards(controls.BUY_USERS)
    return 1 if room >= 1 and can_pay and users_topic(sight, 1) is not None else 0


def _make_room(sight: Sight) -> PlayerAction | None:
    """Make a place for a topic in demand and in the hand, if there is none: an unwanted topic goes back to the hand or
    to the streamer, or another server is bought."""
    seat, provider = sight.seat, sight.provider
    is_wanted = any(sight.cards_of_topic(sight.state.topic_of(demand.card)) for demand in sight.unserved_demands)
    if provider.has_free_place or not is_wanted:
        return None
    dead = sight.unwanted_offers[:1]
    if dead and provider.has_empty_streamer:
        return TapControl(seat, controls.TO_STREAMER)
    if dead and provider.hand + len(dead[0].cards) <= MAX_HAND_AFTER_TAKING_BACK:
        return TapControl(seat, controls.TO_HAND)
    if dead and not provider.streamers and provider.hand >= least_cards(controls.BUY_STREAMER) + SPARE:
        return TapControl(seat, controls.BUY_STREAMER)
    if provider.servers < MAX_SERVERS and provider.hand >= least_cards(controls.BUY_SERVER) + SPARE:
        return TapControl(seat, controls.BUY_SERVER)
    return None
