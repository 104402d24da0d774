"""What a virtual player of X.net would like to do next: offer what is in demand, win users for it, grow, and shape the
demand. Sensible, not brilliant."""

from __future__ import annotations

from taptable.core.player import Deed, Push, Tap, UseControl
from taptable.games.xnet import controls, plans
from taptable.games.xnet.eyes import Sight, look
from taptable.games.xnet.holdings import Holdings
from taptable.games.xnet.paying import go_on, users_topic, worth_a_specialist
from taptable.games.xnet.state import FULL_HAND, MOST_SERVERS, NETS, State, Turn

LONG_ENOUGH = 60
"""Rounds after which the players agree to end a game that nobody wins: the rules would let it go on for ever."""
SPARE = 2
"""What a hand shall still have after a server or a streamer is bought."""


def first_demand(state: State, holdings: Holdings) -> str:
    """The topmost card of the draw pile with a topic that isn't in demand yet (X1.4)."""
    return next(card for card in reversed(holdings.pile) if state.demanded(holdings.topic_of(card)) is None)


def next_deed(state: State, holdings: Holdings, turn: Turn) -> Deed:
    """What the player on turn does."""
    sight = look(state, holdings, turn)
    if state.pending is not None:
        return go_on(sight, state.pending)
    if holdings.turns > LONG_ENOUGH * state.options.players:
        return UseControl(turn.seat, "end-game")
    return _offer(sight) or _begin(sight) or Push(turn.seat)


def _offer(sight: Sight) -> Deed | None:
    """A card onto an own server: what has to be brought in, a new topic as high as there is one, or one more card."""
    seat = sight.seat
    due = sight.state.unmet_offer
    if due is not None:
        cards = sight.of_topic(due)
        if cards and sight.provider.place_free and sight.provider.offer(due) is None:
            return Tap(seat, cards[-1], seat)
        return UseControl(seat, "take-back")  # somebody else played so far: who can't lay it takes back (X3.2)
    if sight.provider.place_free:
        for demand in sight.unserved:
            cards = sight.of_topic(sight.state.topic_of(demand.card))
            if cards:
                return Tap(seat, cards[-1], seat)
    if sight.provider.users < 2:
        return None  # users first: without them nothing scores
    for offer in sight.provider.offers:
        cards = sight.of_topic(offer.topic)
        if cards and sight.takes_more(offer):
            return Tap(seat, cards[-1], seat)
    return None


def _begin(sight: Sight) -> Deed | None:
    """The action most worth beginning now, by the control card of it."""
    seat, provider = sight.seat, sight.provider
    users = _users(sight)
    if users:
        return UseControl(seat, controls.BUY_USERS, (("users", users),))
    if not sight.turn.new:
        new = plans.new_demand(sight)
        if new is not None:
            return UseControl(seat, controls.DEMAND_NEW, (("level", new.level),))
    if plans.swap(sight) is not None:
        return UseControl(seat, controls.SWAP)
    if not sight.turn.replaced and plans.replacement(sight) is not None:
        return UseControl(seat, controls.DEMAND_REPLACE)
    if provider.users == provider.net < NETS[-1] and provider.hand >= 7:
        return UseControl(seat, controls.BUY_NET)
    if sight.state.specialists and worth_a_specialist(sight) is not None:
        return UseControl(seat, controls.HIRE_SPECIALIST)
    return _make_room(sight)


def _users(sight: Sight) -> int:
    """How many users to buy at once; 0 for none."""
    room = sight.provider.net - sight.provider.users
    if room >= 2 and users_topic(sight, 2) is not None:
        return 2
    return 1 if room >= 1 and len(sight.hand) >= 2 and users_topic(sight, 1) is not None else 0


def _make_room(sight: Sight) -> Deed | None:
    """A place for something that is in demand and in the hand, where there is none: a topic that nobody wants goes back
    to the hand or to the streamer, or another server is bought."""
    seat, provider = sight.seat, sight.provider
    wanted = any(sight.of_topic(sight.state.topic_of(demand.card)) for demand in sight.unserved)
    if provider.place_free or not wanted:
        return None
    dead = sight.dead[:1]
    if dead and provider.streamer_empty:
        return UseControl(seat, controls.TO_STREAMER)
    if dead and provider.hand + len(dead[0].cards) <= FULL_HAND:
        return UseControl(seat, controls.TO_HAND)
    if dead and not provider.streamers and provider.hand >= 3 + SPARE:
        return UseControl(seat, controls.BUY_STREAMER)
    if provider.servers < MOST_SERVERS and provider.hand >= 5 + SPARE:
        return UseControl(seat, controls.BUY_SERVER)
    return None
