"""The verbs every game answers, so that the referee's step, the daemon and the journal need to know none of
them by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement
from taptable.core.codes import Codes
from taptable.core.controls import Control, Fields
from taptable.core.figures import Figure
from taptable.core.observations import Arrangement, Observation, Pad
from taptable.core.pack import Pack
from taptable.core.player import Heap, Players
from taptable.core.scoreboard import Scoreboard, Tallied
from taptable.core.settings import Choice, Seconds, Whole
from taptable.core.verdicts import Fault, Ignored, Refused

StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")


class Game(Protocol[StateT, MoveT]):
    """A game. States and moves are its own affair; everything is pure, and all times are table time in microseconds."""

    @property
    def name(self) -> str:
        """The name on the command line, in the configuration and in the journal."""
        ...

    @property
    def rules_version(self) -> str:
        """Changes whenever the same taps could lead to another state."""
        ...

    @property
    def sample(self) -> str:
        """The manifest of the cards that stand in for people's own, as JSON; "" if the game's cards are fixed."""
        ...

    def pack(self, manifest: str) -> Pack:
        """The cards by a manifest, "" for those of the sample or the fixed ones. ConfigError says what is wrong with
        it, in a sentence."""
        ...

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls it has beside those that every game shares."""
        ...

    @property
    def arrangements(self) -> frozenset[type[Arrangement]]:
        """What of that which people tell the table it can deal with; anything else is refused."""
        ...

    @property
    def settings(self) -> Mapping[str, Seconds | Whole | Choice]:
        """The house rules there are."""
        ...

    @property
    def editions(self) -> tuple[str, ...]:
        """The editions there are, the default first."""
        ...

    @property
    def announcements(self) -> tuple[type[Announcement], ...]:
        """Every kind of announcement of its own."""
        ...

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What is counted for each player."""
        ...

    @property
    def milestones(self) -> tuple[type[Announcement], ...]:
        """What of its own is worth a mark on a plot of how a game went."""
        ...

    @property
    def players(self) -> Players:
        """Its virtual players."""
        ...

    @property
    def guide(self) -> tuple[tuple[str, ...], ...]:
        """The faces that each section of its guide shows; the words are in its catalogues, from
        ``guide guide-1-title`` on."""
        ...

    @property
    def codes(self) -> Codes:
        """Every code of a refusal, ignored gesture or fault, and the rule it stands on."""
        ...

    def pads(self, state: StateT) -> tuple[Pad, ...]:
        """Every pad of the table."""
        ...

    def new_game(self, agreed: Agreed, at_us: int, heir: int | None) -> tuple[StateT, list[Announcement]]:
        """A new game at `at_us`; `heir` begins by an earlier winner. ConfigError says what can't be agreed on."""
        ...

    def read(self, state: StateT, observation: Observation) -> MoveT | Refused | Ignored | Fault:
        """What an observation means now; `TimePassed` at the deadline means that it has passed."""
        ...

    def apply(self, state: StateT, move: MoveT) -> tuple[StateT, list[Announcement]]:
        """The state after a move that `read` gave for this state."""
        ...

    def deadline(self, state: StateT) -> int | None:
        """When something happens by itself; None if nothing will."""
        ...

    def shift(self, state: StateT, by_us: int) -> StateT:
        """The state with all its deadlines moved later, after a pause."""
        ...

    def restored(self, state: StateT, paused_us: int, at_us: int) -> StateT:
        """A state to which the table goes back at `at_us`, after `paused_us` of pauses since it was."""
        ...

    def legal_taps(self, state: StateT) -> list[tuple[str, Pad]]:
        """Exactly the taps that would be accepted now, in no order."""
        ...

    def legal_controls(self, state: StateT) -> list[tuple[str, Fields]]:
        """The controls of its own, with all their fields, that its rules page lists as open now, in its order."""
        ...

    def next_starter(self, state: StateT) -> int | None:
        """Who begins the next game by the last known winner; None while there is none."""
        ...

    def meanings(self, state: StateT) -> tuple[str | None, ...]:
        """What each seat's button means now, seat 1 first; None where a press has no meaning. In every game ``stop``
        ends the turn, ``buzz`` counts in a window and ``youngest`` is the press that begins; others are its own."""
        ...

    def who_taps(self, state: StateT, card: str, pad: Pad) -> int | None:
        """Whose tap this is, in a game under way: of the seat on turn, or of one that acts out of turn; None where that
        can't be told."""
        ...

    def teams(self, state: StateT) -> tuple[tuple[int, ...], ...]:
        """The seats of each team."""
        ...

    def cards_of(self, state: StateT, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The cards that lie before the team of these seats."""
        ...

    def where(self, state: StateT, card: str) -> tuple[int, ...] | str | None:
        """Where a card lies: the seats of the team whose row it is in, the name of a pile, ``lost``, or None while it
        is hidden."""
        ...

    def lying(self, state: StateT) -> tuple[Heap, ...]:
        """What lies open on the table by the table's belief, team by team, empty rows included; then the piles."""
        ...

    def scoreboard(self, state: StateT) -> Scoreboard:
        """What the OLED and the page show."""
        ...

    def public_state(self, state: StateT) -> dict[str, Any]:
        """The state as everybody may see it, ready for JSON, as its interface says."""
        ...

    def outcome(self, state: StateT) -> dict[str, Any] | None:
        """The end of the game, ready for JSON; None while it runs."""
        ...

    def tally(self, state: StateT) -> tuple[Tallied, ...]:
        """What a game that is over adds to a tally over several, by team; nothing where none is kept."""
        ...
