"""X.net as a game of the table: the verbs every game answers, and what each button means."""

from __future__ import annotations

from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement, GameBegan
from taptable.core.controls import Fields
from taptable.core.observations import DISCARD_PAD, Arrangement, Pad, TableCorrected
from taptable.core.pack import Pack
from taptable.core.scoreboard import Tallied
from taptable.games.xnet.announcements import ANNOUNCEMENTS
from taptable.games.xnet.applying import apply
from taptable.games.xnet.cards import SAMPLE, read_manifest
from taptable.games.xnet.controls import CONTROLS, DEMAND_PAD
from taptable.games.xnet.figures import FIGURES, MILESTONES
from taptable.games.xnet.guide import GUIDE
from taptable.games.xnet.heaps import lying
from taptable.games.xnet.legal import legal_controls, legal_taps
from taptable.games.xnet.moves import NameStarter
from taptable.games.xnet.options import EDITION, SETTINGS, make_options
from taptable.games.xnet.public import outcome, public_state, scoreboard
from taptable.games.xnet.reading import read
from taptable.games.xnet.refusals import CODES
from taptable.games.xnet.state import Provider, State
from taptable.games.xnet.virtual import XnetPlayers


class Xnet:
    """X.net; holds nothing, every answer is made from the state."""

    name = "xnet"
    rules_version = "xnet/1"
    sample = SAMPLE
    settings = SETTINGS
    editions = (EDITION,)
    controls = CONTROLS
    arrangements: frozenset[type[Arrangement]] = frozenset({TableCorrected})
    players = XnetPlayers()
    figures = FIGURES
    milestones = MILESTONES
    guide = GUIDE
    codes = CODES
    announcements = ANNOUNCEMENTS

    read = staticmethod(read)
    apply = staticmethod(apply)
    lying = staticmethod(lying)
    scoreboard = staticmethod(scoreboard)
    public_state = staticmethod(public_state)
    outcome = staticmethod(outcome)

    def pack(self, manifest: str) -> Pack:
        """The cards of a manifest, "" for the sample; ConfigError says what is wrong with it."""
        return read_manifest(manifest).pack

    def pads(self, state: State) -> tuple[Pad, ...]:
        """Every seat's pad, the discard pile's and the pyramid's (X5.4)."""
        return (*range(1, state.options.players + 1), DISCARD_PAD, DEMAND_PAD)

    def new_game(self, agreed: Agreed, at_us: int, heir: int | None) -> tuple[State, list[Announcement]]:
        """A new game: everything as at the start (X1.1), begun by the agreed starter, else by the first press; nobody
        has a right to it by an earlier game (X1.2)."""
        options = make_options(agreed)
        providers = tuple(Provider() for _ in range(options.players))
        draw_pile = len(options.deck.cards) - sum(provider.hand for provider in providers)
        state = State(options, providers, draw_pile)
        if options.starter is None:
            return state, [GameBegan(None)]
        begun, more = apply(state, NameStarter(options.starter))
        return begun, [GameBegan(options.starter), *more]

    def deadline(self, state: State) -> int | None:
        """Nothing happens by itself."""
        return None

    def shift(self, state: State, by_us: int) -> State:
        """No time is kept, so a pause changes nothing."""
        return state

    def restored(self, state: State, paused_us: int, at_us: int) -> State:
        """The state as it was."""
        return state

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Exactly the taps that would be accepted."""
        return legal_taps(state, self.pads(state))

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """The controls that would be accepted, all fields given, sorted as texts."""
        return legal_controls(state)

    def next_starter(self, state: State) -> int | None:
        """A new game names its starter anew (X1.2)."""
        return None

    def meanings(self, state: State) -> tuple[str | None, ...]:
        """``youngest``, ``break-off`` or ``stop`` for each seat (X5.6)."""
        return tuple(_meaning(state, seat) for seat in range(1, state.options.players + 1))

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """A seat's pad is that player's alone; those in the middle are for who is on turn (X2.1), at the opening for
        anybody (X1.4)."""
        assert state.turn is not None
        if isinstance(pad, int):
            return pad
        return None if state.opening else state.turn.seat

    def teams(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Everybody plays alone (X1.1)."""
        return tuple((seat,) for seat in range(1, state.options.players + 1))

    def cards_of(self, state: State, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The cards before a player."""
        return tuple(state.provider(seats[0]).cards)

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """Where a card lies: before a seat, on the pile ``discard`` or in the pyramid ``demand``; a card tapped for an
        action is still in somebody's hand."""
        place = state.locate(card)
        if isinstance(place, int):
            return (place,)
        return None if place == "pending" else place

    def tally(self, state: State) -> tuple[Tallied, ...]:
        """No tally is kept."""
        return ()


def _meaning(state: State, seat: int) -> str | None:
    if state.outcome is not None:
        return None
    turn = state.turn
    if turn is None:
        return "youngest"
    if seat != turn.seat or state.opening or turn.owed:
        return None
    return "stop" if state.pending is None else "break-off"
