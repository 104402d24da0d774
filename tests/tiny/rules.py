"""Colours, rule by rule.

C1: 12 cards, three of each of four colours; 2 to 4 players, 2 cards each. The youngest begins the first game.
C2: Who is on turn draws a card, if there is one, and lays one on the own pad; the next player is on turn.
C3: A card of the colour laid just before is refused. Whoever likes passes by the button; then any colour goes.
C4: Whoever has laid `cards_to_win` cards has won. Ended by agreement, those with the most cards have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from taptable.core.announcements import Announcement, GameEnded, TurnBegan
from taptable.core.codes import Codes
from taptable.core.observations import ButtonPressed, CardHeld, CardTapped, ControlUsed, Observation, Pad
from taptable.core.verdicts import Fault, Ignored, Refused

from tiny.cards import CARDS

CODES = Codes(
    faults={"unknown-card": "C1"},
    refusals={
        "waiting-for-youngest": "C1",
        "game-over": "C4",
        "lies-elsewhere": "C2",
        "not-on-turn": "C2",
        "same-colour": "C3",
        "nothing-to-reshuffle": "C2",
    },
    ignored={"already-there": "C2", "no-hold": "C2", "no-press": "C3"},
)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CardLaid(Announcement):
    """A seat lays a card."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnPassed(Announcement):
    """A seat lays nothing; any colour goes now."""

    written = True

    seat: int


@dataclass(frozen=True, slots=True)
class State:
    """A game: each seat's row and the number of its cards, how many are left to draw, who is on turn (None: the
    youngest is yet to press), and the colour that can't be laid."""

    cards_to_win: int
    rows: tuple[tuple[str, ...], ...]
    hands: tuple[int, ...]
    pile: int
    turn: int | None = None
    colour: str | None = None
    ended_by: str | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the most cards."""
        most = max(map(len, self.rows))
        return tuple(seat for seat, row in enumerate(self.rows, 1) if len(row) == most)


@dataclass(frozen=True, slots=True)
class Begin:
    """This seat is the youngest's."""

    seat: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Pass:
    """Lay nothing."""

    seat: int


@dataclass(frozen=True, slots=True)
class End:
    """End it as it stands."""


Move: TypeAlias = Begin | Lay | Pass | End
Reading: TypeAlias = Move | Refused | Ignored | Fault


def read(state: State, observation: Observation) -> Reading:
    """What an observation means now."""
    match observation:
        case CardTapped(_, card, pad):
            return _read_tap(state, card, pad)
        case CardHeld(_, card, pad):
            facts = {"card": card, "pad": pad}
            return CODES.ignore("no-hold", facts) if card in CARDS else CODES.fault("unknown-card", facts)
        case ButtonPressed(_, seat) if state.ended_by is None and state.turn is None:
            return Begin(seat)
        case ButtonPressed(_, seat) if state.ended_by is None and state.turn == seat:
            return Pass(seat)
        case ButtonPressed(_, seat):
            return CODES.ignore("no-press", {"pad": seat})
        case ControlUsed(_, "end-game"):
            return _not_running(state) or End()
        case ControlUsed():
            return CODES.refuse("nothing-to-reshuffle")
        case _:
            raise AssertionError(observation)


def _not_running(state: State) -> Refused | None:
    if state.ended_by is not None:
        return CODES.refuse("game-over")
    return CODES.refuse("waiting-for-youngest") if state.turn is None else None


def _read_tap(state: State, card: str, pad: Pad) -> Reading:
    facts = {"card": card, "pad": pad}
    if card not in CARDS:
        return CODES.fault("unknown-card", facts)
    lies_at = next((seat for seat, row in enumerate(state.rows, 1) if card in row), None)
    if (why := _not_running(state)) is not None:
        return replace(why, facts=facts)
    if lies_at is not None:
        return (
            CODES.ignore("already-there", facts)
            if pad == lies_at
            else CODES.refuse("lies-elsewhere", {**facts, "onto": lies_at})
        )
    if pad != state.turn or state.turn is None:
        return CODES.refuse("not-on-turn", {**facts, "seat": state.turn or 0})
    if card.partition("#")[0] == state.colour:
        return CODES.refuse("same-colour", facts)
    return Lay(state.turn, card)


def apply(state: State, move: Move) -> tuple[State, list[Announcement]]:
    """The state after a move, and what is announced."""
    match move:
        case Begin(seat):
            return begin_turn(state, seat)
        case Lay(seat, card):
            laid: list[Announcement] = [CardLaid(seat, card)]
            rows = _with(state.rows, seat, (*state.rows[seat - 1], card))
            hands = _with(state.hands, seat, state.hands[seat - 1] - 1)
            after = replace(state, rows=rows, hands=hands, colour=card.partition("#")[0])
            won = len(rows[seat - 1]) == state.cards_to_win
            after, more = _end(after, "cards") if won else begin_turn(after, next_to(state, seat))
            return after, [*laid, *more]
        case Pass(seat):
            after, more = begin_turn(replace(state, colour=None), next_to(state, seat))
            return after, [TurnPassed(seat), *more]
        case End():
            return _end(state, "agreement")


def begin_turn(state: State, seat: int) -> tuple[State, list[Announcement]]:
    """A seat is on turn and draws, as far as there is a card."""
    drawn = min(1, state.pile)
    hands = _with(state.hands, seat, state.hands[seat - 1] + drawn)
    return replace(state, turn=seat, hands=hands, pile=state.pile - drawn), [TurnBegan(seat, drawn)]


def next_to(state: State, seat: int) -> int:
    """Clockwise."""
    return seat % len(state.rows) + 1


def _end(state: State, by: str) -> tuple[State, list[Announcement]]:
    after = replace(state, ended_by=by)
    return after, [GameEnded(after.winners, by)]


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[: seat - 1], value, *values[seat:])
