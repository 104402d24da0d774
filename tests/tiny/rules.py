"""Colours, rule by rule.

C1: 12 cards, three of each of four colours; 2 to 4 players, 2 cards each. The youngest begins the first game.
C2: The player on turn draws a card, if there is one, and lays one on the own pad; then the next player is on turn.
C3: A card of the colour laid just before is refused. A player may pass by the button; then any colour is accepted.
C4: A player who has laid `cards_to_win` cards wins. If the game ends by agreement, those with the most cards win."""

from __future__ import annotations

from dataclasses import dataclass

from taptable.core.announcements import Announcement, GameEnded, TurnBegan
from taptable.core.codes import Codes
from taptable.core.drafts import draft
from taptable.core.game import Transition
from taptable.core.observations import ButtonPressed, CardHeld, CardTapped, ControlUsed, Observation
from taptable.core.pack import Pack, PackKind
from taptable.core.scoreboard import Outcome, rank_scores
from taptable.core.verdicts import Facts, Rejection

PACK = Pack("colours", tuple(PackKind(colour, 3) for colour in ("red", "yellow", "green", "blue")))
DEALT = 2

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


@dataclass(frozen=True, slots=True)
class CardLaid(Announcement):
    """A seat laid a card."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class TurnPassed(Announcement):
    """A seat laid nothing; any colour is accepted now."""

    written = True
    seat: int


@dataclass
class State:
    """A game: each seat's row and the number of cards in its hand, the number of cards to draw, the seat on turn (None:
    the youngest hasn't pressed yet), the colour that can't be laid, and the outcome."""

    cards_to_win: int
    rows: tuple[tuple[str, ...], ...]
    hands: tuple[int, ...]
    pile: int
    turn: int | None = None
    colour: str | None = None
    outcome: Outcome | None = None

    def find(self, card: str) -> int | None:
        """Return the seat whose row has the card; None if none has."""
        return next((seat for seat, row in enumerate(self.rows, 1) if card in row), None)


def play(state: State, observation: Observation) -> Transition[State] | Rejection:
    """Return the state after an observation with the announcements, or a rejection."""
    state, announcements = draft(state), list[Announcement]()
    return _play(state, observation, announcements) or (state, announcements)


def _play(state: State, observation: Observation, announcements: list[Announcement]) -> Rejection | None:
    halted = "game-over" if state.outcome is not None else "waiting-for-youngest" if state.turn is None else None
    match observation:
        case CardTapped():
            return _tap(state, observation, halted, announcements)
        case CardHeld(_, card, pad):
            facts: Facts = {"card": card, "pad": pad}
            return CODES.ignore("no-hold", facts) if card in PACK.cards else CODES.fault("unknown-card", facts)
        case ButtonPressed(_, seat):
            if state.outcome is not None or state.turn not in (None, seat):
                return CODES.ignore("no-press", {"pad": seat})
            if state.turn is not None:
                state.colour, seat = None, next_to(state, seat)
                announcements.append(TurnPassed(state.turn))
            return begin_turn(state, seat, announcements)
        case ControlUsed(_, "end-game"):
            return CODES.refuse(halted) if halted else _end(state, "agreement", announcements)
        case _:
            return CODES.refuse("nothing-to-reshuffle")


def _tap(state: State, tap: CardTapped, halted: str | None, announcements: list[Announcement]) -> Rejection | None:
    card, pad, seat = tap.card, tap.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    if card not in PACK.cards:
        return CODES.fault("unknown-card", facts)
    if halted or seat is None:
        return CODES.refuse(halted or "waiting-for-youngest", facts)
    lies_at = state.find(card)
    if lies_at == pad:
        return CODES.ignore("already-there", facts)
    if lies_at is not None:
        return CODES.refuse("lies-elsewhere", {**facts, "onto": lies_at})
    if pad != seat:
        return CODES.refuse("not-on-turn", {**facts, "seat": seat})
    colour = card.partition("#")[0]
    if colour == state.colour:
        return CODES.refuse("same-colour", facts)
    state.colour = colour
    state.rows = tuple((*row, card) if at == seat else row for at, row in enumerate(state.rows, 1))
    _hold(state, seat, -1)
    announcements.append(CardLaid(seat, card))
    if len(state.rows[seat - 1]) == state.cards_to_win:
        return _end(state, "cards", announcements)
    return begin_turn(state, next_to(state, seat), announcements)


def begin_turn(state: State, seat: int, announcements: list[Announcement]) -> None:
    """Begin a seat's turn and draw a card for it, if there is one."""
    drawn = min(1, state.pile)
    state.turn, state.pile = seat, state.pile - drawn
    _hold(state, seat, drawn)
    announcements.append(TurnBegan(seat, drawn))


def next_to(state: State, seat: int) -> int:
    """Return the next seat clockwise."""
    return seat % len(state.rows) + 1


def _hold(state: State, seat: int, change: int) -> None:
    state.hands = tuple(count + change if at == seat else count for at, count in enumerate(state.hands, 1))


def _end(state: State, by: str, announcements: list[Announcement]) -> None:
    state.outcome = rank_scores({seat: len(row) for seat, row in enumerate(state.rows, 1)}, by)
    announcements.append(GameEnded(state.outcome.winners, by))
