"""The verbs every game answers, so that the referee's step, the daemon and the journal need to know none of
them by name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeAlias

from taptable.core.announcements import Announcement
from taptable.core.codes import Codes
from taptable.core.controls import ControlSpec, Fields
from taptable.core.figures import Figure
from taptable.core.game_options import Advice, GameOptions
from taptable.core.observations import DISCARD_PAD, Arrangement, CardTapped, Observation, Pad
from taptable.core.pack import Pack
from taptable.core.player import Players, StateT, Zone
from taptable.core.scoreboard import Scoreboard, Tallied
from taptable.core.settings import Choice, IntSetting, Seconds
from taptable.core.verdicts import Rejection

Transition: TypeAlias = tuple[StateT, list[Announcement]]
"""The state after something was played, and what is announced of it."""


def accepted_taps(
    play: Callable[[StateT, Observation], Transition[StateT] | Rejection],
    state: StateT,
    alike: Iterable[Iterable[str]],
    pads: tuple[Pad, ...],
    at_us: int = 0,
) -> list[tuple[str, Pad]]:
    """The taps that would be accepted at `at_us`, asked of `play` itself, so that the two can't differ: of cards that
    are `alike` only the first is asked about."""
    legal: list[tuple[str, Pad]] = []
    for cards in map(tuple, alike):
        accepted = [pad for pad in pads if isinstance(play(state, CardTapped(at_us, cards[0], pad)), tuple)]
        legal.extend((card, pad) for card in cards for pad in accepted)
    return legal


class Game(ABC, Generic[StateT]):
    """A game; what most answer alike, they inherit. States are its own affair, values that nobody changes; everything
    is pure, and all times are table time in microseconds. What is asked of a state alone is static, so that a plain
    function can answer it."""

    name: str
    """The name on the command line, in the configuration and in the journal."""
    rules_version: str
    """Changes whenever the same taps could lead to another state."""
    sample: str = ""
    """The manifest of the cards that stand in for people's own, as JSON; "" if the game's cards are fixed."""
    editions: tuple[str, ...] = ("standard",)
    """The editions there are, the default first."""
    settings: Mapping[str, Seconds | IntSetting | Choice]
    """The house rules there are."""
    advice: tuple[Advice, ...] = ()
    """The house rules that it recommends, where a game for so many is set up."""
    controls: tuple[ControlSpec, ...] = ()
    """The controls it has beside those that every game shares."""
    arrangements: frozenset[type[Arrangement]] = frozenset()
    """What of that which people tell the table it can deal with; anything else is refused."""
    announcements: tuple[type[Announcement], ...]
    """Every kind of announcement of its own."""
    codes: Codes
    """Every code of a refusal, ignored gesture or fault, and the rule it stands on."""
    figures: tuple[Figure, ...]
    """What is counted for each player."""
    milestones: tuple[type[Announcement], ...] = ()
    """What of its own is worth a mark on a plot of how a game went."""
    guide: tuple[tuple[str, ...], ...]
    """The faces that each section of its guide shows; the words are in its catalogues, from ``guide guide-1-title``
    on."""
    players: Players[Any, Any]
    """Its virtual players."""

    # ---- to be played

    @abstractmethod
    def pack(self, manifest: str) -> Pack:
        """The cards by a manifest, "" for those of the sample or the fixed ones. ConfigError says what is wrong with
        it, in a sentence."""

    @abstractmethod
    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[StateT]:
        """A new game at `at_us`; `next_starter` begins by an earlier winner. ConfigError says what can't be agreed
        on."""

    @staticmethod
    @abstractmethod
    def play(state: StateT, observation: Observation) -> Transition[StateT] | Rejection:
        """What comes of an observation, or why nothing does; `TimePassed` at the deadline means that it has passed. The
        questions stand in the order in which refusals take precedence, and the effect where the last is answered."""

    @staticmethod
    def deadline(state: StateT) -> int | None:
        """When something happens by itself; None if nothing will."""
        del state
        return None

    def shift(self, state: StateT, by_us: int) -> StateT:
        """The state with all its deadlines moved later, after a pause."""
        del by_us
        return state

    def restored(self, state: StateT, paused_us: int, at_us: int) -> StateT:
        """A state to which the table goes back at `at_us`, after `paused_us` of pauses since it was."""
        del at_us
        return self.shift(state, paused_us)

    @abstractmethod
    def legal_taps(self, state: StateT) -> list[tuple[str, Pad]]:
        """Exactly the taps that would be accepted now, in no order."""

    def legal_controls(self, state: StateT) -> list[tuple[str, Fields]]:
        """The controls of its own, with all their fields, that its rules page lists as open now, in its order."""
        del state
        return []

    @staticmethod
    def next_starter(state: StateT) -> int | None:
        """Who begins the next game by the last known winner; None while there is none."""
        del state
        return None

    # ---- to be looked at

    @abstractmethod
    def button_actions(self, state: StateT) -> tuple[str | None, ...]:
        """What each seat's button means now, seat 1 first; None where a press has no meaning. In every game ``stop``
        ends the turn, ``buzz`` counts in a window and ``youngest`` is the press that begins; others are its own."""

    @staticmethod
    @abstractmethod
    def scoreboard(state: StateT) -> Scoreboard:
        """What the OLED and the page show."""

    @staticmethod
    @abstractmethod
    def public_state(state: StateT) -> dict[str, Any]:
        """The state as everybody may see it, ready for JSON, as its interface says."""

    def outcome(self, state: StateT) -> dict[str, Any] | None:
        """The end of the game, ready for JSON; None while it runs."""
        return None if state.outcome is None else self.scoreboard(state).outcome

    @abstractmethod
    def layout(self, state: StateT) -> tuple[Zone, ...]:
        """What lies open on the table by the table's belief, team by team, empty rows included; then the piles."""

    def where(self, state: StateT, card: str) -> tuple[int, ...] | str | None:
        """Where a card lies: the seats of the team whose row it is in, the name of a pile, ``lost``, or None while it
        is hidden."""
        zone = next((zone for zone in self.layout(state) if card in zone.cards), None)
        return None if zone is None else zone.seats or zone.place.removesuffix("-pile")

    def cards_of(self, state: StateT, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The cards that lie before the team of these seats."""
        return tuple(card for zone in self.layout(state) if seats[0] in zone.seats for card in zone.cards)

    def pads(self, state: StateT) -> tuple[Pad, ...]:
        """Every pad of the table: those of its seats and the discard pad at least."""
        return (*range(1, len(self.button_actions(state)) + 1), DISCARD_PAD)

    def who_taps(self, state: StateT, card: str, pad: Pad) -> int | None:
        """Whose tap this is, in a game under way: of the seat on turn, or of one that acts out of turn; None where that
        can't be told."""
        del card
        return pad if isinstance(pad, int) else self.scoreboard(state).seat

    def teams(self, state: StateT) -> tuple[tuple[int, ...], ...]:
        """The seats of each team."""
        return tuple((seat,) for seat in range(1, len(self.button_actions(state)) + 1))

    @staticmethod
    def tally(state: StateT) -> tuple[Tallied, ...]:
        """What a game that is over adds to a tally over several, by team; nothing where none is kept."""
        del state
        return ()
