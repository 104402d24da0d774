"""The real places of all cards at a simulated table, their moves after accepted taps, and the cards within a player's
reach, by the rules that hold among people and that the table can't see. `policy` decides by it. Must not affect what
the referee believes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from taptable.core.drafts import draft
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardLost,
    CardRecovered,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    SeatVacated,
)
from taptable.core.player import GroundTruth, Zone, shuffled, without
from taptable.games.online.cards import (
    CATEGORY_ROWS,
    CONNECTION,
    CYBER_PATROL,
    KIND_OF,
    KINDS,
    MEMORY,
    ROWS,
    Group,
)
from taptable.games.online.options import Options
from taptable.games.online.public import zones
from taptable.games.online.state import Hack, Search, State
from taptable.games.online.turns import HAND_SIZE

DRAW_PILE = "draw-pile"


@dataclass(kw_only=True)
class OnlineTruth(GroundTruth):
    """The real places of all cards. `filled_at_us` names the turn whose hand has been filled; `drew_eighth` tells
    whether that player also drew for option B, or must not any more. `exchanges` are the seats whose exchange waits for
    a reshuffle, each with the number of cards it lacks (R9.2)."""

    options: Options
    rows: tuple[tuple[tuple[str, ...], ...], ...]
    filled_at_us: int = -1
    drew_eighth: bool = False
    exchanges: tuple[tuple[int, int], ...] = ()

    def other_cards(self) -> Iterator[str]:
        """Yield the cards that lie in rows."""
        for team in self.rows:
            for row in team:
                yield from row

    def layout(self) -> tuple[Zone, ...]:
        """Return the six rows of each team, then the discard pile."""
        return zones(self.options.teams, self.rows, self.discard)

    def take(self, card: str) -> None:
        """Remove a card from its place, whichever it is."""
        self.leave_hand(card)
        self.pile, self.discard = without(self.pile, card), without(self.discard, card)
        row = KIND_OF[card].row
        if row >= 0:
            self.rows = tuple(
                (*rows[:row], without(rows[row], card), *rows[row + 1 :]) if card in rows[row] else rows
                for rows in self.rows
            )

    def lay(self, card: str, pad: Pad) -> None:
        """Move a card from its place to where a tap on this pad means it to lie."""
        self.take(card)
        kind = KIND_OF[card]
        if not isinstance(pad, int) or kind.group is Group.POWER:
            self.discard = (*self.discard, card)
            return
        team = self.options.team_of(pad)
        rows = self.rows[team]
        laid = (*rows[: kind.row], (*rows[kind.row], card), *rows[kind.row + 1 :])
        self.rows = (*self.rows[:team], laid, *self.rows[team + 1 :])

    def draw_eighth(self, seat: int) -> None:
        """Draw another card for a player who means to play (R3.1)."""
        self.owed += self.draw(seat, 1)
        self.drew_eighth = True


def deal(state: State, rng: Random) -> OnlineTruth:
    """Return a truth for a state: its hidden cards shuffled and dealt by the table's counts; in a new game 7 to each
    seat (R2.4)."""
    rows = tuple(team.rows for team in state.teams)
    open_cards = {*state.discard, *state.lost, *(card for team in rows for row in team for card in row)}
    shown_cards = (
        {press.seat: press.shown_card for press in state.window.presses if press.shown_card} if state.window else {}
    )
    hidden = [card for card in KIND_OF if card not in open_cards and card not in shown_cards.values()]
    cards = list(shuffled(hidden, rng))
    hands: list[tuple[str, ...]] = []
    for seat, count in enumerate(state.hands, 1):
        shown_card = (shown_cards[seat],) if seat in shown_cards else ()
        hands.append((*shown_card, *cards[: count - len(shown_card)]))
        del cards[: count - len(shown_card)]
    turn = state.turn
    return OnlineTruth(
        options=state.options,
        hands=tuple(hands),
        pile=tuple(cards),
        rows=rows,
        youngest=rng.randint(1, state.options.players),
        discard=state.discard,
        filled_at_us=turn.began_at_us if turn else -1,
        drew_eighth=turn is not None and turn.played,
        owed=turn.owed if turn else 0,
        exchanges=state.owed,
    )


def fill_up(state: State, truth: OnlineTruth) -> OnlineTruth:
    """Return the truth after the player whose turn has begun filled the hand to 7 (R3.1)."""
    turn = state.turn
    if turn is None or state.outcome is not None or truth.filled_at_us == turn.began_at_us:
        return truth
    filled = draft(truth)
    filled.filled_at_us, filled.drew_eighth = turn.began_at_us, False
    filled.owed = filled.draw(turn.seat, max(0, HAND_SIZE - len(truth.hand(turn.seat))))
    filled.exchanges = _without_seat(truth.exchanges, turn.seat)
    return filled


def move(before: State, after: State, observation: Observation, truth: OnlineTruth, rng: Random) -> None:
    """Move the cards of this draft as the players do after an accepted observation."""
    turn = before.turn
    seat = None if turn is None else turn.seat
    match observation:
        case CardTapped(_, card, pad):
            assert turn is not None
            begins_play = after.turn is not None and after.turn.played and not turn.played
            if begins_play and card not in truth.hand(turn.seat):
                _leave_eighth(truth)
            _lay(turn.seat, card, pad, truth)
        case ButtonPressed() if turn is not None and observation.seat == seat and not turn.played:
            if before.window is None and before.pending is None:
                # *Stop* after nothing but discards is an exchange: the same number of new cards (R3.2)
                lacking = truth.draw(turn.seat, max(0, turn.discards - truth.drew_eighth))
                if lacking and before.options.edition.exchange_owed:
                    truth.exchanges = (*truth.exchanges, (turn.seat, lacking))
        case ControlUsed(_, "reshuffle"):
            assert seat is not None
            _reshuffle(truth, seat, rng)
        case SeatVacated(_, vacated):
            truth.pile = shuffled((*truth.pile, *truth.hand(vacated)), rng)
            truth.put_hand(vacated, ())
            truth.exchanges = _without_seat(truth.exchanges, vacated)
            if vacated == seat:  # and with everything begun in the turn
                truth.filled_at_us, truth.drew_eighth, truth.owed = -1, False, 0
        case CardLost(_, card):
            _lose(truth, card, seat)
        case CardRecovered(_, card):
            truth.pile = shuffled((*truth.pile, card), rng)
        case _:
            pass


def play_patrols(after: State, truth: OnlineTruth) -> OnlineTruth:
    """Return the truth after a Cyber Patrol that stopped the hacker left its hand; the table may play it without a tap
    (R7.5)."""
    for card in after.discard:
        if KIND_OF[card] is CYBER_PATROL and card not in truth.discard:
            truth = draft(truth)
            truth.lay(card, DISCARD_PAD)
    return truth


def disagreement(state: State, truth: OnlineTruth) -> str | None:
    """Return the first difference between the referee's belief and the truth; None if they agree."""
    for index, team in enumerate(state.teams):
        if team.rows != truth.rows[index]:
            return f"rows of team {index + 1}: {team.rows} believed, {truth.rows[index]} there"
    if state.discard != truth.discard:
        return f"discard pile: {state.discard} believed, {truth.discard} there"
    counts, pile = [len(hand) for hand in truth.hands], len(truth.pile)
    turn = state.turn
    running = state.outcome is None or state.outcome.by == "agreement"  # an agreement may end it in mid-turn
    if turn is not None and running and truth.drew_eighth and not turn.played:
        # the table notices an 8th card only when it, or another, is played (R3.6)
        counts[turn.seat - 1] -= 1
        pile += 1
    if (state.hands, state.draw_pile) != (tuple(counts), pile):
        return f"hands {state.hands} and pile {state.draw_pile} believed, {counts} and {pile} there"
    return truth.find_discrepancy(range(len(KIND_OF) - len(state.lost)))


def _lay(on_turn: int, card: str, pad: Pad, truth: OnlineTruth) -> None:
    """Lay a tapped card. The player draws the 8th card before laying the first one from the hand (R3.1)."""
    if isinstance(pad, int):
        if KIND_OF[card] is CYBER_PATROL:
            return  # it stays in the hand until it is played
        if card in truth.hand(on_turn) and not truth.drew_eighth:
            truth.draw_eighth(on_turn)
    truth.lay(card, pad)


def _leave_eighth(truth: OnlineTruth) -> None:
    """Leave the 8th card undrawn. The table takes another player's card, or one of the pile, for the first that the
    player on turn plays, and counts the 8th card as drawn (R3.6). So the player must not draw it later in this turn:
    the table wouldn't count it. If the pile is empty, the card is drawn after the reshuffle (R9.2)."""
    truth.drew_eighth = True
    truth.owed += not truth.pile


def _reshuffle(truth: OnlineTruth, seat: int, rng: Random) -> None:
    """Gather the cards of R9.1, shuffle them into the draw pile, and draw what is owed: to exchanges, then to the
    player on turn (R9.2)."""
    gathered = [*truth.pile, *truth.discard]
    for team in truth.rows:
        gathered += [card for row in (CONNECTION, MEMORY) for card in team[row][:-1]]
    truth.rows = tuple((team[CONNECTION][-1:], team[MEMORY][-1:], *team[MEMORY + 1 :]) for team in truth.rows)
    truth.pile, truth.discard = shuffled(gathered, rng), ()
    lacking = tuple((each, truth.draw(each, cards)) for each, cards in truth.exchanges)
    truth.exchanges = tuple((each, cards) for each, cards in lacking if cards)
    truth.owed = truth.draw(seat, truth.owed)


def _without_seat(exchanges: tuple[tuple[int, int], ...], seat: int) -> tuple[tuple[int, int], ...]:
    return tuple(each for each in exchanges if each[0] != seat)


def _lose(truth: OnlineTruth, card: str, on_turn: int | None) -> None:
    """Lose a card. A seat that had it in the hand draws another, or gets the 8th card of the player on turn if the pile
    is empty. Earlier hands become unknown."""
    holder = next((seat for seat in range(1, len(truth.hands) + 1) if card in truth.hand(seat)), None)
    truth.take(card)
    if holder is None:
        return
    if truth.pile:
        truth.draw(holder, 1)
        return
    if holder != on_turn and on_turn is not None:
        *hand, eighth = truth.hand(on_turn)
        truth.put_hand(on_turn, tuple(hand))
        truth.put_hand(holder, (*truth.hand(holder), eighth))
    truth.drew_eighth = False


# ---- cards within reach


def reachable(state: State, truth: OnlineTruth, seat: int) -> tuple[Zone, ...]:
    """Return the hand, and the cards that a search or a hack lets its player take; otherwise the own category rows, to
    back them up (R5.5)."""
    hand = Zone("hand", (seat,), truth.hand(seat))
    open_zones = [zone for zone in truth.layout() if zone.cards]
    categories = {ROWS[row] for row in CATEGORY_ROWS}
    own_rows = [zone for zone in open_zones if seat in zone.seats and zone.place in categories]
    if state.turn is None or state.turn.seat != seat or state.window is not None:
        return (hand, *own_rows)
    if isinstance(state.pending, Hack):
        return (hand, *open_zones)
    if isinstance(state.pending, Search) and truth.pile:
        by_kind = {KIND_OF[card]: card for card in truth.pile}
        cards = tuple(by_kind[kind] for kind in KINDS if kind in by_kind)
        return (hand, Zone(DRAW_PILE, (), cards), *own_rows)
    return (hand, *own_rows)


def fair(state: State, truth: OnlineTruth, seat: int, legal: Sequence[tuple[str, Pad]]) -> tuple[tuple[str, Pad], ...]:
    """Return the legal taps that are this seat's own: on turn any, otherwise only a Cyber Patrol and repairs of its
    rows. In a search a card of the hand would count as the one from the draw pile, so none is fair."""
    on_turn = state.turn is not None and state.turn.seat == seat
    hand, *others = reachable(state, truth, seat)
    searching = on_turn and isinstance(state.pending, Search)
    cards = {card for zone in ([] if searching else [hand]) + others for card in zone.cards}
    return tuple(
        (card, pad)
        for card, pad in legal
        if card in cards
        and (_is_own_reaction(state, seat, card, pad) or (on_turn and not _is_for_others(state, card, pad)))
    )


def may_draw_eighth(state: State, truth: OnlineTruth, seat: int) -> bool:
    """Return whether this player, who means to play (R3.1), may draw the 8th card and hasn't yet."""
    turn = state.turn
    if turn is None or turn.seat != seat or turn.mode is not None or state.outcome is not None:
        return False
    return not truth.drew_eighth and bool(truth.pile)


def _is_own_reaction(state: State, seat: int, card: str, pad: Pad) -> bool:
    """Return whether this seat may make this tap out of turn too (R6.2, R7.3)."""
    kind = KIND_OF[card]
    if pad != seat:
        return False
    if kind is CYBER_PATROL:
        return state.window is not None
    return kind.group is Group.ACCESS and state.may_react(state.options.team_of(seat), kind.row)


def _is_for_others(state: State, card: str, pad: Pad) -> bool:
    """Return whether the tap would count as another team's reaction, or falls into another player's window."""
    assert state.turn is not None
    if state.window is not None:
        return True
    team_of = state.options.team_of
    own = not isinstance(pad, int) or team_of(pad) == team_of(state.turn.seat)
    return not own and KIND_OF[card].group is Group.ACCESS and state.pending is None
