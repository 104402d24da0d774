"""Virtual players of ONLINE: their cards move as their taps say, whatever the referee believes; what they want
is in `wishes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    SeatVacated,
)
from taptable.core.player import Deed, Heap, Push, Tap, UseControl
from taptable.core.verdicts import Refused
from taptable.games.online import holdings as truth
from taptable.games.online import reach, wishes
from taptable.games.online.cards import CYBER_PATROL, KIND_OF
from taptable.games.online.holdings import Holdings
from taptable.games.online.reading import may_patrol, read
from taptable.games.online.state import Hack, State, Turn


class OnlinePlayers:
    """All virtual players of a game of ONLINE; what they remember is in the holdings."""

    def deal(self, state: State, rng: Random) -> Holdings:
        """All hidden cards shuffled and dealt."""
        return truth.deal(state, rng)

    def prepare(self, state: State, holdings: Holdings) -> Holdings:
        """The hand of the player on turn filled up (R3.1)."""
        if state.turn is None or state.outcome is not None:
            return holdings
        return truth.fill_up(holdings, state.turn.seat, state.turn.began_at_us)

    def decide(self, state: State, holdings: Holdings, seat: int) -> Deed | None:
        """What this seat wants to do now."""
        turn = state.turn
        if state.outcome is not None or seat in state.vacated:
            return None
        if turn is None:
            return Push(seat) if seat == holdings.youngest else None
        if seat != turn.seat:
            return _out_of_turn(state, holdings, turn, seat)
        if not holdings.pile:
            return UseControl(seat, "reshuffle")
        if state.window is not None:
            return None
        if state.pending is None:
            return wishes.next_deed(state, holdings, turn)
        wish = (
            wishes.best_hack(state, turn)
            if isinstance(state.pending, Hack)
            else wishes.best_play(state, turn, holdings.pile)
        )
        return Tap(seat, wish.card, wish.pad) if wish else Push(seat)

    def lying(self, holdings: Holdings) -> tuple[Heap, ...]:
        """What lies open on the table."""
        return reach.lying(holdings)

    def reachable(self, state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
        """What this seat can tap now."""
        return reach.reachable(state, holdings, seat)

    def fair(
        self, state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Of the legal taps those that are this seat's to do."""
        return reach.fair(state, holdings, seat, legal)

    def draw(self, state: State, holdings: Holdings, seat: int) -> Holdings | None:
        """The 8th card drawn, by a player who means to play."""
        return reach.draw(state, holdings, seat)

    def must_first(self, state: State, holdings: Holdings, seat: int) -> str | None:
        """What is owed before *Stop*."""
        return reach.must_first(state, holdings, seat)

    def blunder(self, state: State, holdings: Holdings, seat: int, rng: Random) -> Tap | None:
        """A card from the hand on a wrong pad, or too early: something that will be refused."""
        hand = holdings.hand(seat)
        if not hand or state.outcome is not None:
            return None
        card = rng.choice(hand)
        pads = [*range(1, state.options.players + 1), DISCARD_PAD]
        rng.shuffle(pads)
        # in a window's time a patrol would count for the seat of any pad
        at_us = 0 if state.window is None else state.window.opened_at_us
        refused = (pad for pad in pads if isinstance(read(state, CardTapped(at_us, card, pad)), Refused))
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
            # a card that lay there long before is no part of it
            if (before.teams, before.discard) != (after.teams, after.discard):
                holdings = _before_laying(holdings, observation.cards)
        elif accepted:
            holdings = _move(before, after, observation, holdings, rng)
        return _play_patrols(after, holdings)

    def disagreement(self, state: State, holdings: Holdings) -> str | None:
        """Where the referee believes something else than is true."""
        return truth.disagreement(holdings, state)


def _out_of_turn(state: State, holdings: Holdings, turn: Turn, seat: int) -> Deed | None:
    """Buzz with a Cyber Patrol in hand, show it, or repair what was attacked (R7.2, R7.3, R6.2)."""
    hand = holdings.hand(seat)
    window = state.window
    patrol = next((card for card in hand if KIND_OF[card] is CYBER_PATROL), None)
    if window is not None and patrol is not None and may_patrol(state, window.owner, seat):
        if window.claim is not None and window.claim.seat == seat:
            return Tap(seat, patrol, seat)
        if window.listening and window.press_of(seat) is None and seat not in window.locked_out:
            return Push(seat)
    repair = wishes.best_repair(state, seat, hand) if turn.attacked else None
    return Tap(seat, repair.card, repair.pad) if repair else None


def _move(before: State, after: State, observation: Observation, holdings: Holdings, rng: Random) -> Holdings:
    """The cards after what was accepted."""
    seat = None if before.turn is None else before.turn.seat
    match observation:
        case ControlUsed(_, control):
            return _use_control(before, after, control, holdings, rng)
        case CardTapped():
            return _remember(holdings, _lay(before, observation, holdings))
        case ButtonPressed(_, pressed):
            return _remember(holdings, _press(before, pressed, holdings))
        case CardHeld():
            return _remember(holdings, holdings)
        case SeatVacated(_, left):
            return _remember(holdings, truth.leave(holdings, left, left == seat, rng))
        case CardLost(_, card):
            return truth.lose(holdings, card, seat)
        case CardRecovered(_, card):
            return truth.recover(holdings, card, rng)
        case GameSetUp():
            return truth.deal(after, rng)
        case _:
            return holdings


def _use_control(before: State, after: State, control: str, holdings: Holdings, rng: Random) -> Holdings:
    match control:
        case "reshuffle":
            assert before.turn is not None
            return truth.reshuffle(holdings, before.turn.seat, rng)
        case "take-back":
            # of a move from before a power cut nobody remembers the cards
            return holdings.earlier[-1] if holdings.earlier else truth.deal(after, rng)
        case "new-game":
            return truth.deal(after, rng)
        case "end-game":
            return _remember(holdings, holdings)
        case _:
            return holdings


def _lay(before: State, tap: CardTapped, holdings: Holdings) -> Holdings:
    """A card tapped and laid; the first one played from the hand is the time to have drawn the 8th (R3.1)."""
    turn = before.turn
    assert turn is not None
    if isinstance(tap.pad, int):
        if KIND_OF[tap.card] is CYBER_PATROL:
            return holdings  # it stays in the hand until it is played
        if tap.card in holdings.hand(turn.seat) and not holdings.drew_eighth:
            holdings = replace(truth.draw(holdings, turn.seat, 1), drew_eighth=True)
    return truth.lay(holdings, tap.card, tap.pad)


def _press(before: State, seat: int, holdings: Holdings) -> Holdings:
    """*Stop* after nothing but discards is an exchange: as many new cards (R3.2)."""
    turn = before.turn
    stops = turn is not None and turn.seat == seat and before.window is None and before.pending is None
    if turn is None or not stops or turn.played:
        return holdings
    return truth.draw(holdings, seat, max(0, turn.discards - holdings.drew_eighth))


def _play_patrols(after: State, holdings: Holdings) -> Holdings:
    """A Cyber Patrol that stopped the hacker leaves its hand; it may do so by itself (R7.5)."""
    for card in after.discard:
        if KIND_OF[card] is CYBER_PATROL and card not in holdings.discard:
            holdings = truth.lay(holdings, card, "discard")
    return holdings


def _before_laying(holdings: Holdings, cards: tuple[str, ...]) -> Holdings:
    """As they were before one of these was laid: what was moved after it was moved back with it."""
    after = holdings
    for before in reversed(holdings.earlier):
        if any(truth.place_of(after, card) != truth.place_of(before, card) for card in cards):
            return before
        after = before
    return holdings


def _remember(before: Holdings, after: Holdings) -> Holdings:
    return replace(after, earlier=(*before.earlier, before))
