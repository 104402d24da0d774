"""Where the 112 cards really are at a simulated table: in hands, in the draw pile, in rows and on the discard pile.

Kept by what the players do, never by what the referee believes; `disagreement` compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.games.online.cards import CONNECTION, KIND_OF, MEMORY, Group
from taptable.games.online.options import Options
from taptable.games.online.state import State
from taptable.games.online.turns import HAND

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """All cards; the last of the draw pile is its top.

    `filled_at_us` names the turn whose hand has been filled, `drew_eighth` whether that player also drew for
    option B, `owed` what an empty pile still owes. `earlier` are the holdings before each move that may still
    be taken back."""

    options: Options
    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    rows: tuple[Rows, ...]
    youngest: int
    discard: tuple[str, ...] = ()
    filled_at_us: int = -1
    drew_eighth: bool = False
    owed: int = 0
    earlier: tuple[Holdings, ...] = ()

    def hand(self, seat: int) -> tuple[str, ...]:
        """A seat's hand."""
        return self.hands[seat - 1]

    def with_hand(self, seat: int, hand: tuple[str, ...]) -> Holdings:
        """The same with another hand for one seat."""
        return replace(self, hands=(*self.hands[: seat - 1], hand, *self.hands[seat:]))


def deal(state: State, rng: Random) -> Holdings:
    """What is hidden in a state, shuffled and dealt as the table counts it; in a new game 7 to each seat (R2.4)."""
    rows = tuple(team.rows for team in state.teams)
    open_cards = {*state.discard, *state.lost, *(card for team in rows for row in team for card in row)}
    shown = {press.seat: press.shown for press in state.window.presses if press.shown} if state.window else {}
    cards = [card for card in KIND_OF if card not in open_cards and card not in shown.values()]
    rng.shuffle(cards)
    hands: list[tuple[str, ...]] = []
    for seat, count in enumerate(state.hands, 1):
        known = (shown[seat],) if seat in shown else ()
        hands.append((*known, *cards[: count - len(known)]))
        del cards[: count - len(known)]
    turn = state.turn
    return Holdings(
        state.options,
        tuple(hands),
        tuple(cards),
        rows,
        youngest=rng.randint(1, state.options.players),
        discard=state.discard,
        filled_at_us=turn.began_at_us if turn else -1,
        drew_eighth=turn is not None and turn.played,
        owed=turn.owed if turn else 0,
    )


def fill_up(holdings: Holdings, seat: int, began_at_us: int) -> Holdings:
    """The player whose turn has begun fills the hand to 7 (R3.1)."""
    if holdings.filled_at_us == began_at_us:
        return holdings
    fresh = replace(holdings, filled_at_us=began_at_us, drew_eighth=False, owed=0)
    return draw(fresh, seat, max(0, HAND - len(holdings.hand(seat))))


def draw(holdings: Holdings, seat: int, count: int) -> Holdings:
    """A player draws; what an empty pile can't give is owed."""
    drawn = holdings.pile[len(holdings.pile) - min(count, len(holdings.pile)) :]
    left = holdings.pile[: len(holdings.pile) - len(drawn)]
    drawn_to = holdings.with_hand(seat, (*holdings.hand(seat), *drawn))
    return replace(drawn_to, pile=left, owed=holdings.owed + count - len(drawn))


def lay(holdings: Holdings, card: str, pad: Pad) -> Holdings:
    """A card is taken from wherever it is and laid where its tap on a pad means it to lie."""
    holdings = _without(holdings, card)
    kind = KIND_OF[card]
    if pad == DISCARD_PAD or kind.group is Group.POWER:
        return replace(holdings, discard=(*holdings.discard, card))
    assert isinstance(pad, int)
    team = holdings.options.team_of(pad)
    rows = holdings.rows[team]
    laid = (*rows[: kind.row], (*rows[kind.row], card), *rows[kind.row + 1 :])
    return replace(holdings, rows=(*holdings.rows[:team], laid, *holdings.rows[team + 1 :]))


def reshuffle(holdings: Holdings, seat: int, rng: Random) -> Holdings:
    """Gather what R9.1 says, shuffle it into the draw pile, and draw what is owed."""
    gathered = [*holdings.pile, *holdings.discard]
    rows: list[Rows] = []
    for team in holdings.rows:
        gathered += [card for row in (CONNECTION, MEMORY) for card in team[row][:-1]]
        rows.append((team[CONNECTION][-1:], team[MEMORY][-1:], *team[MEMORY + 1 :]))
    rng.shuffle(gathered)
    owed = holdings.owed
    shuffled = replace(holdings, pile=tuple(gathered), discard=(), rows=tuple(rows), owed=0, earlier=())
    return draw(shuffled, seat, owed)


def leave(holdings: Holdings, seat: int, on_turn: bool, rng: Random) -> Holdings:
    """A player goes home, and the cards of that hand are shuffled into the draw pile; `on_turn` with all that was begun
    in the turn."""
    pile = [*holdings.pile, *holdings.hand(seat)]
    rng.shuffle(pile)
    left = replace(holdings.with_hand(seat, ()), pile=tuple(pile))
    return replace(left, filled_at_us=-1, drew_eighth=False, owed=0) if on_turn else left


def lose(holdings: Holdings, card: str, on_turn: int | None) -> Holdings:
    """A card can't be found; whoever had it in the hand draws another, or gets the 8th card of the player on turn if
    the pile has no other. The hands before it are gone with it."""
    holder = next((seat for seat in range(1, len(holdings.hands) + 1) if card in holdings.hand(seat)), None)
    left = replace(_without(holdings, card), earlier=())
    if holder is None:
        return left
    if left.pile:
        return draw(left, holder, 1)
    if holder != on_turn and on_turn is not None:
        *hand, eighth = left.hand(on_turn)
        left = left.with_hand(on_turn, tuple(hand)).with_hand(holder, (*left.hand(holder), eighth))
    return replace(left, drew_eighth=False)


def recover(holdings: Holdings, card: str, rng: Random) -> Holdings:
    """A lost card was found and is shuffled into the draw pile."""
    pile = [*holdings.pile, card]
    rng.shuffle(pile)
    return replace(holdings, pile=tuple(pile), earlier=())


def place_of(holdings: Holdings, card: str) -> tuple[str, int]:
    """What a card lies in, and which one of them."""
    for name, heaps in (("hand", holdings.hands), ("rows", [sum(team, ()) for team in holdings.rows])):
        for index, heap in enumerate(heaps):
            if card in heap:
                return name, index
    return ("discard", 0) if card in holdings.discard else ("pile", 0)


def disagreement(holdings: Holdings, state: State) -> str | None:
    """The first thing that lies otherwise than the referee believes; None if all agrees."""
    for index, team in enumerate(state.teams):
        if team.rows != holdings.rows[index]:
            return f"rows of team {index + 1}: {team.rows} believed, {holdings.rows[index]} there"
    if state.discard != holdings.discard:
        return f"discard pile: {state.discard} believed, {holdings.discard} there"
    counts, pile = tuple(len(hand) for hand in holdings.hands), len(holdings.pile)
    turn = state.turn
    running = state.outcome is None or state.outcome.by == "agreement"  # that may end in the middle of a turn
    if turn is not None and running and holdings.drew_eighth and not turn.played:
        # an 8th card is seen only when it, or another, is played (R3.6)
        counts = tuple(count - (seat == turn.seat) for seat, count in enumerate(counts, 1))
        pile += 1
    if (state.hands, state.draw_pile) != (counts, pile):
        return f"hands {state.hands} and pile {state.draw_pile} believed, {counts} and {pile} there"
    cards = sorted((*_all(holdings), *state.lost))
    return None if cards == sorted(KIND_OF) else f"{len(cards)} cards at the table"


def _without(holdings: Holdings, card: str) -> Holdings:
    return replace(
        holdings,
        hands=tuple(_less(hand, card) for hand in holdings.hands),
        pile=_less(holdings.pile, card),
        rows=tuple(tuple(_less(row, card) for row in team) for team in holdings.rows),
        discard=_less(holdings.discard, card),
    )


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    return tuple(other for other in cards if other != card) if card in cards else cards


def _all(holdings: Holdings) -> Iterator[str]:
    for hand in holdings.hands:
        yield from hand
    for team in holdings.rows:
        for row in team:
            yield from row
    yield from holdings.pile
    yield from holdings.discard
