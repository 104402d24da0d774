"""A table with the real cards of its players, for tests of the cards within reach and of virtual players."""

from __future__ import annotations

from taptable.core.observations import (
    ButtonPressed,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    TimePassed,
)
from taptable.core.verdicts import Accepted
from taptable.sim.simulation import Simulation, observe


class Round(Simulation):
    """An evening in which tests make the players' moves, one second after the other."""

    def observe_accepted(self, observation: Observation) -> None:
        """Observe something that is accepted, or two cards at once."""
        verdict = observe(self, observation, lambda *_: None)
        assert isinstance(verdict, Accepted) != isinstance(observation, CardsTogether), verdict

    def tap(self, card: str, pad: Pad = 1) -> None:
        self.observe_accepted(CardTapped(self.now_us + 1_000_000, card, pad))

    def press(self, seat: int) -> None:
        at_us = self.now_us + 1_000_000
        self.observe_accepted(ButtonPressed(at_us, seat, at_us))

    def control(self, name: str, **fields: int) -> None:
        self.observe_accepted(ControlUsed(self.now_us + 1_000_000, name, tuple(sorted(fields.items()))))

    def wait(self, seconds: int) -> None:
        self.observe_accepted(TimePassed(self.now_us + seconds * 1_000_000))

    def fair(self, seat: int) -> set[tuple[str, Pad]]:
        """Return the taps that are this seat's to make."""
        legal = self.game.legal_taps(self.table.state)
        return set(self.game.players.fair(self.table.state, self.truth, seat, legal))

    def places(self, seat: int) -> list[str]:
        """Return the places of cards within this seat's reach."""
        return [zone.place for zone in self.game.players.reachable(self.table.state, self.truth, seat)]

    def draw(self, seat: int) -> bool:
        """Draw a card for this seat if it may; return whether it did."""
        drawn = self.game.players.draw(self.table.state, self.truth, seat)
        self.truth = drawn or self.truth
        return drawn is not None

    def decide(self, seat: int) -> object:
        """Return the action that a virtual player at this seat wants to take."""
        return self.game.players.decide(self.table.state, self.truth, seat)
