"""The virtual players of Colours: their choices, and the real places of the cards."""

from __future__ import annotations

from random import Random

from taptable.core.observations import ButtonPressed, CardTapped, Observation
from taptable.core.player import GroundTruth, PlayerAction, Players, Push, Tap, shuffled

from tiny.rules import PACK, State, play


class TinyPlayers(Players[State, GroundTruth]):
    """All virtual players of a game of Colours."""

    @staticmethod
    def deal(state: State, rng: Random) -> GroundTruth:
        """Return a truth for a state: its hidden cards shuffled and dealt by the table's counts."""
        hidden = list(shuffled([card for card in PACK.cards if state.find(card) is None], rng))
        hands = tuple(tuple(hidden.pop() for _ in range(count)) for count in state.hands)
        return GroundTruth(hands=hands, laid=state.rows, pile=tuple(hidden), youngest=rng.randint(1, len(hands)))

    def decide(self, state: State, truth: GroundTruth, seat: int) -> PlayerAction | None:
        """Lay the first card that is accepted, else pass."""
        if state.outcome is not None or seat != (state.turn or truth.youngest):
            return None
        goes = (card for card in truth.hand(seat) if isinstance(play(state, CardTapped(0, card, seat)), tuple))
        card = next(goes, None)
        return Push(seat) if card is None else Tap(seat, card, seat)

    @staticmethod
    def move(before: State, after: State, observation: Observation, truth: GroundTruth, rng: Random) -> None:
        """Lay a card, and draw one for the next player."""
        del rng
        if isinstance(observation, CardTapped):
            truth.leave_hand(observation.card)
            laid = ((*row, observation.card) if seat == before.turn else row for seat, row in enumerate(truth.laid, 1))
            truth.laid = tuple(laid)
        if isinstance(observation, CardTapped | ButtonPressed) and after.turn and after.outcome is None:
            truth.draw(after.turn, 1)

    @staticmethod
    def disagreement(state: State, truth: GroundTruth) -> str | None:
        """Compare rows, numbers of cards and the pile."""
        believed = (state.rows, state.hands, state.pile)
        actual = (truth.laid, tuple(map(len, truth.hands)), len(truth.pile))
        return truth.find_discrepancy(PACK.cards) if believed == actual else f"{believed} believed, {actual} there"
