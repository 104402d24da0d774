"""ONLINE as a game of the table: the verbs every game answers, and what each button means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from taptable.core import windows
from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement, GameBegan
from taptable.core.controls import Control, Fields
from taptable.core.errors import ConfigError
from taptable.core.observations import (
    DISCARD_PAD,
    Arrangement,
    CardLost,
    CardRecovered,
    CardTapped,
    Pad,
    SeatVacated,
    TableCorrected,
)
from taptable.core.pack import Pack, PackKind
from taptable.core.settings import Choice, Seconds, Whole
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.online import announcements as said
from taptable.games.online.applying import apply, deadline
from taptable.games.online.cards import CYBER_PATROL, KIND_OF, KINDS, Group
from taptable.games.online.editions import EDITIONS, Edition
from taptable.games.online.figures import FIGURES, MILESTONES
from taptable.games.online.guide import GUIDE
from taptable.games.online.heaps import lying
from taptable.games.online.moves import PickStarter
from taptable.games.online.options import SETTINGS, make_options
from taptable.games.online.public import outcome, public_state, scoreboard
from taptable.games.online.reading import locate, may_patrol, read
from taptable.games.online.refusals import CODES
from taptable.games.online.rules import was_attacked
from taptable.games.online.score import next_starter, tally
from taptable.games.online.state import Hack, Search, State, Team
from taptable.games.online.turns import HAND
from taptable.games.online.virtual import OnlinePlayers

PACK = Pack("online", tuple(PackKind(kind.id, kind.count) for kind in KINDS))


class Online:
    """ONLINE by one version of its rules, which differ in what its editions say; every answer is made from the
    state."""

    def __init__(self, rules_version: str = "online/2", editions: Mapping[str, Edition] = EDITIONS) -> None:
        self.rules_version = rules_version
        self.editions = tuple(editions)
        self._by_name = editions

    name = "online"
    sample = ""
    controls: tuple[Control, ...] = ()
    arrangements: frozenset[type[Arrangement]] = frozenset({TableCorrected, SeatVacated, CardLost, CardRecovered})
    settings: Mapping[str, Seconds | Whole | Choice] = SETTINGS
    players = OnlinePlayers()
    figures = FIGURES
    milestones = MILESTONES
    guide = GUIDE
    codes = CODES
    announcements: tuple[type[Announcement], ...] = (
        said.TurnEnded,
        said.CardLaid,
        said.AttackLaid,
        said.CardDownloaded,
        said.CardDiscarded,
        said.CardHacked,
        said.HackerShown,
        said.PatrolShown,
        said.HackerStopped,
        said.HackBegan,
        said.HackWaived,
        said.SearchShown,
        said.SearchWaived,
        said.DrawPileDisturbed,
        said.RowBackedUp,
        said.DrawPileUsedUp,
        said.PilesReshuffled,
        said.TimeIsUp,
        said.SeatLeft,
        said.CardTakenOut,
        said.CardPutBack,
        said.TablePutRight,
    )

    read = staticmethod(read)
    apply = staticmethod(apply)
    deadline = staticmethod(deadline)
    lying = staticmethod(lying)
    next_starter = staticmethod(next_starter)
    scoreboard = staticmethod(scoreboard)
    public_state = staticmethod(public_state)
    outcome = staticmethod(outcome)
    tally = staticmethod(tally)

    def pack(self, manifest: str) -> Pack:
        """The 112 cards (R1); they need no manifest."""
        if manifest:
            raise ConfigError("ONLINE has cards of its own: it takes no manifest.")
        return PACK

    def pads(self, state: State) -> tuple[Pad, ...]:
        """Every seat's pad, and the discard pile's."""
        return (*range(1, state.options.players + 1), DISCARD_PAD)

    def new_game(self, agreed: Agreed, at_us: int, heir: int | None) -> tuple[State, list[Announcement]]:
        """A new game: 7 cards for each (R2.4), begun by the heir, else the agreed starter, else the youngest (R2.3)."""
        self.pack(agreed.manifest)
        options = make_options(agreed, self._by_name)
        state = State(
            options=options,
            teams=tuple(Team() for _ in options.teams),
            hands=(HAND,) * options.players,
            draw_pile=len(KIND_OF) - HAND * options.players,
            heir=heir,
        )
        starter = heir or options.starter
        if starter is None:
            return state, [GameBegan(None)]
        begun, more = apply(state, PickStarter(at_us, starter))
        return begun, [GameBegan(starter), *more]

    def shift(self, state: State, by_us: int) -> State:
        """The state with window and time limit moved later, after a pause."""
        return replace(
            state,
            window=windows.shift(state.window, by_us) if state.window else None,
            ends_at_us=None if state.ends_at_us is None else state.ends_at_us + by_us,
        )

    def restored(self, state: State, paused_us: int, at_us: int) -> State:
        """The state as it was; the time of pauses isn't counted to its window."""
        del at_us
        return self.shift(state, paused_us)

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """None: there are no controls of its own."""
        del state
        return []

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Exactly the taps that would be accepted: every card asked of on every pad, hidden ones of a kind only
        once."""
        pads = self.pads(state)
        pads_of_kind: dict[str, list[Pad]] = {}
        legal: list[tuple[str, Pad]] = []
        for card, kind in KIND_OF.items():
            if locate(state, card, kind) is not None:
                accepted = self._accepted_on(state, card, pads) if isinstance(state.pending, Hack) else []
            elif kind.id in pads_of_kind:
                accepted = pads_of_kind[kind.id]
            else:
                accepted = pads_of_kind[kind.id] = self._accepted_on(state, card, pads)
            legal.extend((card, pad) for pad in accepted)
        return legal

    def _accepted_on(self, state: State, card: str, pads: tuple[Pad, ...]) -> list[Pad]:
        # no deadline lies between the state and this question, so any time before the next one will do
        at_us = state.window.opened_at_us if state.window and state.window.listening else (deadline(state) or 0)
        readings = ((pad, read(state, CardTapped(at_us, card, pad))) for pad in pads)
        return [pad for pad, reading in readings if not isinstance(reading, Refused | Ignored | Fault)]

    def meanings(self, state: State) -> tuple[str | None, ...]:
        """``youngest``, ``buzz``, ``waive-hack``, ``waive-search`` or ``stop`` for each seat."""
        return tuple(_meaning(state, seat) for seat in range(1, state.options.players + 1))

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """The player on turn (R3.6), unless a hidden card is tapped out of turn: a Cyber Patrol in the window (R7.5),
        or an access card where an attack was laid (R6.2)."""
        assert state.turn is not None
        kind = KIND_OF.get(card)
        if kind is None or not isinstance(pad, int) or locate(state, card, kind) is not None:
            return state.turn.seat
        patrols = kind is CYBER_PATROL and state.window is not None
        reacts = kind.group is Group.ACCESS and was_attacked(state, state.options.team_of(pad))
        return state.player_at(pad) if patrols or reacts else state.turn.seat

    def teams(self, state: State) -> tuple[tuple[int, ...], ...]:
        """The seats of each team (R2.2)."""
        return state.options.teams

    def cards_of(self, state: State, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The cards in a team's rows."""
        return tuple(card for row in state.teams[state.options.team_of(seats[0])].rows for card in row)

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """Where a card lies."""
        kind = KIND_OF.get(card)
        place = locate(state, card, kind) if kind else None
        return state.options.teams[place] if isinstance(place, int) else place


def _meaning(state: State, seat: int) -> str | None:
    if state.outcome is not None or seat in state.vacated:
        return None
    if state.turn is None:
        return "youngest"
    window = state.window
    if window is not None:
        hears = window.listening and windows.objection(window, seat, window.opened_at_us, window.opened_at_us) is None
        return "buzz" if hears and may_patrol(state, window.owner, seat) else None
    if seat != state.turn.seat:
        return None
    if state.pending is None:
        return "stop"
    return "waive-search" if isinstance(state.pending, Search) else "waive-hack"
