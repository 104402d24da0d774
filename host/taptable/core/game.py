"""`Game`, the interface that every game implements. The referee's step, the daemon and the journal use its verbs
(methods). Must not name a game: `games.registry` lists them."""

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
"""The state after a move, and its announcements."""


def accepted_taps(
    play: Callable[[StateT, Observation], Transition[StateT] | Rejection],
    state: StateT,
    alike: Iterable[Iterable[str]],
    pads: tuple[Pad, ...],
    at_us: int = 0,
) -> list[tuple[str, Pad]]:
    """Return the taps that `play` accepts at `at_us`. It asks `play` itself, so that the two can't differ; of cards
    that are `alike` it asks about the first only."""
    legal: list[tuple[str, Pad]] = []
    for cards in map(tuple, alike):
        accepted = [pad for pad in pads if isinstance(play(state, CardTapped(at_us, cards[0], pad)), tuple)]
        legal.extend((card, pad) for card in cards for pad in accepted)
    return legal


class Game(ABC, Generic[StateT]):
    """A game, with defaults for what most games answer alike. States are immutable, and the caller reads only their
    `outcome`. Everything is pure, and all times are table time in microseconds. A static verb needs nothing but a
    state, so that a game can assign a plain function to it."""

    name: str
    """The name on the command line, in the configuration and in the journal."""
    rules_version: str
    """Changes whenever the same taps could lead to another state."""
    sample: str = ""
    """The manifest of the cards that stand in for people's own, as JSON; "" if the game's cards are fixed."""
    editions: tuple[str, ...] = ("standard",)
    """The editions, the default first."""
    settings: Mapping[str, Seconds | IntSetting | Choice]
    """The house rules by their keys."""
    advice: tuple[Advice, ...] = ()
    """The house rules that the game recommends for a number of players."""
    controls: tuple[ControlSpec, ...] = ()
    """The controls in addition to those that every game shares."""
    arrangements: frozenset[type[Arrangement]] = frozenset()
    """The kinds of arrangements that the game can handle; the referee refuses the others."""
    announcements: tuple[type[Announcement], ...]
    """Every kind of announcement that is the game's own."""
    codes: Codes
    """Every code of a refusal, ignored observation or fault, with its rule."""
    figures: tuple[Figure, ...]
    """The statistics that are kept for each player."""
    milestones: tuple[type[Announcement], ...] = ()
    """The game's announcements that get a mark on a plot of the game."""
    guide: tuple[tuple[str, ...], ...]
    """The faces shown in each section of the guide. The words of section 1 are in the game's catalogues, in the context
    ``guide``, under keys that begin with ``guide-1-``."""
    players: Players[Any, Any]
    """The virtual players."""

    # ---- playing

    @abstractmethod
    def pack(self, manifest: str) -> Pack:
        """Return the cards that a manifest describes, or for "" the sample or the fixed cards. Raises ConfigError with
        a sentence that says what is wrong in the manifest."""

    @abstractmethod
    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[StateT]:
        """Return a new game that begins at `at_us`. `next_starter` is the seat that begins as an earlier game's end
        decided. Raises ConfigError if the options can't be combined."""

    @staticmethod
    @abstractmethod
    def play(state: StateT, observation: Observation) -> Transition[StateT] | Rejection:
        """Return the new state and announcements, or the rejection. `TimePassed` at the deadline means that it has
        passed. The order of the checks decides which refusal is given if several fit."""

    @staticmethod
    def deadline(state: StateT) -> int | None:
        """Return the next time at which something happens without an observation; None if nothing will."""
        del state
        return None

    def shift(self, state: StateT, by_us: int) -> StateT:
        """Return the state with all its deadlines moved later, after a pause."""
        del by_us
        return state

    def restored(self, state: StateT, paused_us: int, at_us: int) -> StateT:
        """Return an earlier state as it is restored at `at_us` by a take-back, after `paused_us` of pauses since."""
        del at_us
        return self.shift(state, paused_us)

    @abstractmethod
    def legal_taps(self, state: StateT) -> list[tuple[str, Pad]]:
        """Return exactly the taps that would be accepted now, in no order."""

    def legal_controls(self, state: StateT) -> list[tuple[str, Fields]]:
        """Return the game's own controls that would be accepted now, with all their fields. Their order is a part of
        the game's public interface."""
        del state
        return []

    @staticmethod
    def next_starter(state: StateT) -> int | None:
        """Return the seat that begins the next game because it won the last one that was won; None if there was none.
        Journals and exports have another word for it: see *next starter* in the glossary."""
        del state
        return None

    # ---- looking

    @abstractmethod
    def button_actions(self, state: StateT) -> tuple[str | None, ...]:
        """Return the action of each seat's button now, seat 1 first; None for a seat whose press has no meaning. In
        every game ``stop`` ends the turn, ``buzz`` counts in a window and ``youngest`` is the press that begins; others
        are the game's own."""

    @staticmethod
    @abstractmethod
    def scoreboard(state: StateT) -> Scoreboard:
        """Return all that players look at, on the display, on the page and elsewhere."""

    @staticmethod
    @abstractmethod
    def public_state(state: StateT) -> dict[str, Any]:
        """Return the public part of the state, ready for JSON. The game's page in the manual describes its fields (for
        ONLINE, ``docs/referee.md``)."""

    def outcome(self, state: StateT) -> dict[str, Any] | None:
        """Return the end of the game, ready for JSON; None while it runs."""
        return None if state.outcome is None else self.scoreboard(state).outcome

    @abstractmethod
    def layout(self, state: StateT) -> tuple[Zone, ...]:
        """Return the open cards on the table as the table believes them: team by team, empty rows included, then the
        piles."""

    def where(self, state: StateT, card: str) -> tuple[int, ...] | str | None:
        """Return where a card lies: the seats of its row's team, the name of a pile, ``lost``, or None while it is
        hidden."""
        zone = next((zone for zone in self.layout(state) if card in zone.cards), None)
        return None if zone is None else zone.seats or zone.place.removesuffix("-pile")

    def cards_of(self, state: StateT, seats: tuple[int, ...]) -> tuple[str, ...]:
        """Return the cards that lie before the team of these seats."""
        return tuple(card for zone in self.layout(state) if seats[0] in zone.seats for card in zone.cards)

    def pads(self, state: StateT) -> tuple[Pad, ...]:
        """Return every pad of the table: at least those of the seats and the discard pad."""
        return (*range(1, len(self.button_actions(state)) + 1), DISCARD_PAD)

    def who_taps(self, state: StateT, card: str, pad: Pad) -> int | None:
        """Return the seat that makes this tap in a game under way: the one on turn, or one that acts out of turn. None
        if it can't be known."""
        del card
        return pad if isinstance(pad, int) else self.scoreboard(state).seat

    def teams(self, state: StateT) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each team."""
        return tuple((seat,) for seat in range(1, len(self.button_actions(state)) + 1))

    @staticmethod
    def tally(state: StateT) -> tuple[Tallied, ...]:
        """Return what a finished game adds to a tally over several, by team; empty where none is kept."""
        del state
        return ()
