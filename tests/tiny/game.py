"""Colours as a game of the table: the verbs every game answers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from taptable.core.agreed import Agreed
from taptable.core.announcements import Announcement, GameBegan
from taptable.core.controls import Control, Fields
from taptable.core.errors import ConfigError
from taptable.core.figures import Figure
from taptable.core.observations import DISCARD_PAD, Arrangement, CardTapped, Pad
from taptable.core.pack import Pack
from taptable.core.player import Heap
from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Scoreboard, Tallied, TeamScore
from taptable.core.settings import Whole

from tiny import rules
from tiny.cards import CARDS, CARDS_TO_WIN, DEALT, PACK, cards_to_win
from tiny.players import TinyPlayers
from tiny.rules import CODES, CardLaid, Lay, State, TurnPassed

ROW = "row"


class Tiny:
    """Colours; holds nothing, every answer is made from the state."""

    name = "tiny"
    rules_version = "tiny/1"
    sample = ""
    controls: tuple[Control, ...] = ()
    arrangements: frozenset[type[Arrangement]] = frozenset()
    settings: Mapping[str, Whole] = MappingProxyType({CARDS_TO_WIN.key: CARDS_TO_WIN})
    editions = ("standard",)
    announcements: tuple[type[Announcement], ...] = (CardLaid, TurnPassed)
    figures = (Figure("laid", CardLaid), Figure("passed", TurnPassed))
    milestones: tuple[type[Announcement], ...] = (TurnPassed,)
    players = TinyPlayers()
    guide = (("red", "yellow", "green", "blue"), ())
    codes = CODES

    read = staticmethod(rules.read)
    apply = staticmethod(rules.apply)

    def pack(self, manifest: str) -> Pack:
        """The 12 cards (C1)."""
        if manifest:
            raise ConfigError("Colours has cards of its own: it takes no manifest.")
        return PACK

    def pads(self, state: State) -> tuple[Pad, ...]:
        """Every seat's pad, and the one in the centre, which this game has no use for."""
        return (*range(1, len(state.rows) + 1), DISCARD_PAD)

    def new_game(self, agreed: Agreed, at_us: int, heir: int | None) -> tuple[State, list[Announcement]]:
        """A new game (C1), begun by the last winner, else the agreed starter, else the youngest."""
        seats = agreed.players
        state = State(cards_to_win(agreed), ((),) * seats, (DEALT,) * seats, len(CARDS) - DEALT * seats)
        starter = heir or agreed.starter
        if starter is None:
            return state, [GameBegan(None)]
        begun, more = rules.begin_turn(state, starter)
        return begun, [GameBegan(starter), *more]

    def deadline(self, state: State) -> int | None:
        """Nothing happens by itself."""
        return None

    def shift(self, state: State, by_us: int) -> State:
        """No time is kept."""
        return state

    def restored(self, state: State, paused_us: int, at_us: int) -> State:
        """The state as it was."""
        return state

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """What `read` takes for a card laid."""
        pads = self.pads(state)
        return [(card, pad) for card in CARDS for pad in pads if self._is_laid(state, card, pad)]

    def _is_laid(self, state: State, card: str, pad: Pad) -> bool:
        return isinstance(rules.read(state, CardTapped(0, card, pad)), Lay)

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """It has no controls of its own."""
        return []

    def next_starter(self, state: State) -> int | None:
        """The winner begins the next game, if there is but one."""
        return state.winners[0] if state.ended_by is not None and len(state.winners) == 1 else None

    def meanings(self, state: State) -> tuple[str | None, ...]:
        """``youngest`` before the first turn, ``stop`` for who is on turn."""
        if state.ended_by is not None:
            return (None,) * len(state.rows)
        if state.turn is None:
            return ("youngest",) * len(state.rows)
        return tuple("stop" if seat == state.turn else None for seat in range(1, len(state.rows) + 1))

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """A seat's pad is that player's alone."""
        return pad if isinstance(pad, int) else state.turn

    def teams(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Everybody plays alone."""
        return tuple((seat,) for seat in range(1, len(state.rows) + 1))

    def cards_of(self, state: State, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The row of a seat."""
        return state.rows[seats[0] - 1]

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """The seat whose row has it."""
        return next(((seat,) for seat, row in enumerate(state.rows, 1) if card in row), None)

    def lying(self, state: State) -> tuple[Heap, ...]:
        """A row for each seat."""
        return tuple(Heap(ROW, (seat,), row) for seat, row in enumerate(state.rows, 1))

    def scoreboard(self, state: State) -> Scoreboard:
        """The cards in the rows are the points."""
        places = self._places(state)
        return Scoreboard(
            unit="cards",
            teams=tuple(TeamScore((seat,), len(row), place=places.get(seat)) for seat, row in enumerate(state.rows, 1)),
            seat=state.turn,
            allowance_left=0,
            window=None,
            pending=None,
            stock=(Count(DRAW_PILE, state.pile),),
            hands=tuple((Count(HAND, count),) for count in state.hands),
            over=state.ended_by is not None,
            by=state.ended_by,
        )

    def public_state(self, state: State) -> dict[str, Any]:
        """The outer keys that every game has, and its own."""
        return {
            "turn": {"seat": state.turn, "colour": state.colour},
            "teams": [
                {"seats": [seat], "row": list(row), "hand": hand}
                for seat, (row, hand) in enumerate(zip(state.rows, state.hands, strict=True), 1)
            ],
            "discard": [],
            "draw_pile": state.pile,
            "window": None,
            "pending": None,
            "outcome": self.outcome(state),
        }

    def outcome(self, state: State) -> dict[str, Any] | None:
        """Who has won, by what, and everybody's place."""
        if state.ended_by is None:
            return None
        ranking = sorted(self._places(state).items(), key=lambda item: (item[1], item[0]))
        return {
            "winner": list(state.winners),
            "by": state.ended_by,
            "ranking": [
                {"seats": [seat], "cards": len(state.rows[seat - 1]), "place": place} for seat, place in ranking
            ],
        }

    def tally(self, state: State) -> tuple[Tallied, ...]:
        """No tally is kept over several games."""
        return ()

    def _places(self, state: State) -> dict[int, int]:
        """Each seat's place, once it is over."""
        if state.ended_by is None:
            return {}
        laid = [len(row) for row in state.rows]
        return {seat: 1 + sum(other > mine for other in laid) for seat, mine in enumerate(laid, 1)}
