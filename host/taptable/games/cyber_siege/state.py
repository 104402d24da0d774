"""The state of a game of Cyber Siege: what the table knows. Of hands and piles it knows the counts only (S1.5, S8.1).
States are immutable; `play` changes drafts. Must not know which moves are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from taptable.core.drafts import draft
from taptable.core.observations import DISCARD_PAD
from taptable.core.scoreboard import Outcome
from taptable.core.windows import Window
from taptable.games.cyber_siege.cards import Kind
from taptable.games.cyber_siege.options import Options

Draw: TypeAlias = Literal["red", "discard", "none"]
"""The source of a turn's draw; ``none`` if the turn has no draw (S3.3)."""


@dataclass
class Player:
    """One seat: its one-point cards, the set cards it has laid, and the number of cards it holds by the table's
    count."""

    one_points: int = 0
    sets: tuple[str, ...] = ()
    red: int = 5
    purple: int = 2


@dataclass
class Turn:
    """The running turn. `draw` is None while the draw is due; `used` are the cards of the discard pile that still lie
    on this seat's pad (S3.2)."""

    seat: int
    began_at_us: int
    draw: Draw | None = None
    used: tuple[str, ...] = ()


@dataclass
class Laying:
    """A set that is being laid: its set card and the red cards in the order tapped (S4)."""

    card: str
    began_at_us: int
    red: tuple[str, ...] = ()


@dataclass
class Launch:
    """An attack card was discarded, and its player may launch it (S5.2)."""

    card: str
    window: Window


@dataclass
class Attack:
    """An attack was launched, and the defender may answer (S6.1)."""

    card: str
    defender: int
    window: Window


@dataclass
class State:
    """A whole game. The seat on turn still has to draw `owed_draws` red cards (S3.4) and to discard `owed_discards`
    (S6.6)."""

    options: Options
    players: tuple[Player, ...]
    red_pile: int
    purple_pile: int
    discard: tuple[str, ...] = ()
    turn: Turn | None = None
    laying: Laying | None = None
    launch: Launch | None = None
    attack: Attack | None = None
    owed_draws: int = 0
    owed_discards: int = 0
    outcome: Outcome | None = None

    @property
    def pending(self) -> str | None:
        """The step that the turn waits for: ``set``, ``launch``, ``discard``, ``reshuffle``, or None."""
        if self.laying is not None:
            return "set"
        if self.launch is not None:
            return "launch"
        if self.owed_discards:
            return "discard"
        return "reshuffle" if self.owed_draws else None

    def player(self, seat: int) -> Player:
        """Return the player at a seat."""
        return self.players[seat - 1]

    def draft_player(self, seat: int) -> Player:
        """Replace the player at a seat by a draft of it, and return the draft."""
        player = draft(self.players[seat - 1])
        self.players = (*self.players[: seat - 1], player, *self.players[seat:])
        return player

    def gain(self, seat: int, *, red: int = 0, purple: int = 0, one_points: int = 0) -> None:
        """Change a seat's counts by these numbers; one-point cards don't fall below 0."""
        player = self.draft_player(seat)
        player.red += red
        player.purple += purple
        player.one_points = max(0, player.one_points + one_points)

    def points(self, seat: int) -> int:
        """Return a seat's one-point cards plus the sizes of its laid sets (S7.1)."""
        player = self.player(seat)
        return player.one_points + sum(len(self.kind(card).needs) for card in player.sets)

    def kind(self, card: str) -> Kind:
        """Return the kind of a card of the manifest."""
        return self.options.cards.kind_of[card]

    @property
    def laying_cards(self) -> tuple[str, ...]:
        """The cards of a set that is being laid, the set card first."""
        return () if self.laying is None else (self.laying.card, *self.laying.red)

    def locate(self, card: str) -> int | str | None:
        """Return where a card lies: the seat that has laid it or is laying it, `DISCARD_PAD`, or None while it is
        hidden (S1.5)."""
        if card in self.discard:
            return DISCARD_PAD
        for seat, player in enumerate(self.players, 1):
            if card in player.sets:
                return seat
        return self.turn.seat if self.turn is not None and card in self.laying_cards else None

    def missing(self, laying: Laying) -> tuple[str, ...]:
        """Return the names of red cards that a set being laid still misses; an admin may stand for one of them (S4.2,
        S4.3)."""
        left = list(self.kind(laying.card).needs)
        for card in laying.red:
            name = self.kind(card).id
            if name in left:
                left.remove(name)
        return tuple(left)

    def completion(self, laying: Laying) -> tuple[tuple[str, ...], tuple[str, ...], int]:
        """Return how a set being laid can be completed: `missing` kinds, all of them needed; or `any_of` these, where
        an admin may stand for any of them; and the number of cards `left`. One of the first two is empty."""
        left = len(self.kind(laying.card).needs) - len(laying.red)
        missing = self.missing(laying) if left else ()
        return (missing, (), left) if len(missing) == left else ((), missing, left)

    def may_end_turn(self, turn: Turn) -> bool:
        """Return whether the own button may end the turn: the player has no red card, nothing to draw, and nothing else
        to do (S5.4)."""
        idle = self.attack is None and self.pending is None
        return idle and turn.draw is not None and self.player(turn.seat).red == 0
