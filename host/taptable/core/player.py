"""Virtual players: what a player at a simulated table does with hand and button, and the verbs a game's virtual
players answer.

They see what a person sees: the own hand, what lies open, and what the table says. Where the cards really are
is kept in a game's *holdings*, apart from what the referee believes, so that the two can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeAlias

from taptable.core.controls import Fields
from taptable.core.observations import Observation, Pad


@dataclass(frozen=True, slots=True)
class Tap:
    """Tap a card on a pad, then lay it where it belongs."""

    seat: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold a card on a pad until its ring is full."""

    seat: int
    card: str
    pad: Pad


@dataclass(frozen=True, slots=True)
class Push:
    """Press the own button."""

    seat: int


@dataclass(frozen=True, slots=True)
class UseControl:
    """Tap a control card, which may stand for `fields` too."""

    seat: int
    control: str
    fields: Fields = ()


Deed: TypeAlias = Tap | Hold | Push | UseControl


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that lie together: a hand, a row, a pile. `place` says what it is, `seats` whose it is (none: everybody's);
    the last card is on top. `token` is a marker that lies with them ("" for none), and `token_seat` whose it is."""

    place: str
    seats: tuple[int, ...]
    cards: tuple[str, ...]
    token: str = ""
    token_seat: int | None = None


class Players(Protocol):
    """A game's virtual players, all of them; whatever is remembered is in the holdings."""

    def deal(self, state: Any, rng: Random) -> Any:
        """Holdings that agree with a state, such as that of a new game: whatever is hidden is shuffled and dealt."""
        ...

    def prepare(self, state: Any, holdings: Any) -> Any:
        """Holdings after the drawing that nobody has to show the table."""
        ...

    def decide(self, state: Any, holdings: Any, seat: int) -> Deed | None:
        """What this seat wants to do now; None: nothing."""
        ...

    def lying(self, holdings: Any) -> tuple[Heap, ...]:
        """What lies open on the table, empty rows included."""
        ...

    def reachable(self, state: Any, holdings: Any, seat: int) -> tuple[Heap, ...]:
        """What this seat can tap now, its hand first; no heap is empty, but for the hand."""
        ...

    def fair(
        self, state: Any, holdings: Any, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Of the legal taps those that are this seat's to do, with cards it can reach; the table can't see who taps."""
        ...

    def draw(self, state: Any, holdings: Any, seat: int) -> Any | None:
        """Holdings after a drawing that this seat may do and needn't; None if there is none."""
        ...

    def must_first(self, state: Any, holdings: Any, seat: int) -> str | None:
        """What this seat owes the others before it may press its button, which the table can't see; None: nothing."""
        ...

    def blunder(self, state: Any, holdings: Any, seat: int, rng: Random) -> Tap | None:
        """A tap this seat might do by mistake, which the table will refuse; None if nothing comes to mind."""
        ...

    def another_card(self, holdings: Any, seat: int, card: str) -> str | None:
        """Another card of this seat's hand; None if there is none."""
        ...

    def settle(
        self, before: Any, after: Any, observation: Observation, accepted: bool, holdings: Any, rng: Random
    ) -> Any:
        """Holdings after an observation was judged, between the states before and after it."""
        ...

    def disagreement(self, state: Any, holdings: Any) -> str | None:
        """Where the referee believes something else than is true; None if all agrees."""
        ...
