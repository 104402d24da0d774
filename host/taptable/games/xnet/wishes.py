"""What a virtual player of X.net would like to do."""

from __future__ import annotations

from taptable.core.observations import CardTapped
from taptable.core.player import Deed, Push, Tap
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.xnet.holdings import Holdings
from taptable.games.xnet.reading import read
from taptable.games.xnet.state import State, Turn


def first_demand(state: State, holdings: Holdings) -> str:
    """The topmost card of the draw pile with a topic that isn't in demand yet (X1.4)."""
    return next(card for card in reversed(holdings.pile) if state.demanded(holdings.topic_of(card)) is None)


def next_deed(state: State, holdings: Holdings, turn: Turn) -> Deed:
    """What the player on turn does."""
    for card in holdings.hand(turn.seat):
        if not isinstance(read(state, CardTapped(0, card, turn.seat)), Refused | Ignored | Fault):
            return Tap(turn.seat, card, turn.seat)
    return Push(turn.seat)
