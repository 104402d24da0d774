"""The policy of ONLINE's virtual players. `next_action` tries the actions of a turn in a fixed order. Among the plays,
and among the targets of a hack, it takes the one of the highest worth that the game accepts. Sensible, not
brilliant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from taptable.core.drafts import draft
from taptable.core.observations import DISCARD_PAD, CardTapped, Pad
from taptable.core.player import HoldCard, PlayerAction, Players, Push, Tap, TapControl, Zone
from taptable.games.online import ground_truth
from taptable.games.online.cards import (
    CATEGORIES,
    CATEGORY_ROWS,
    CONNECTION,
    CYBER_PATROL,
    EXTRA_MEMORY,
    HACKER,
    KIND_OF,
    MEMORY,
    ONLINE,
    SEARCH,
    TURBO_LINE,
    Group,
    Kind,
)
from taptable.games.online.ground_truth import OnlineTruth
from taptable.games.online.play import play
from taptable.games.online.rules import card_under_hacker
from taptable.games.online.state import RATES, Hack, State, Team, Turn
from taptable.games.online.turns import HAND_SIZE


class OnlinePlayers(Players[State, OnlineTruth]):
    """All virtual players of a game of ONLINE."""

    deal = staticmethod(ground_truth.deal)
    move = staticmethod(ground_truth.move)
    disagreement = staticmethod(ground_truth.disagreement)
    prepare = staticmethod(ground_truth.fill_up)

    def decide(self, state: State, truth: OnlineTruth, seat: int) -> PlayerAction | None:
        """Return the action that this seat wants to take now."""
        turn = state.turn
        if state.outcome is not None or seat in state.vacated:
            return None
        if turn is None:
            return Push(seat) if seat == truth.youngest else None
        if seat != turn.seat:
            return _out_of_turn(state, truth, turn, seat)
        if not truth.pile:
            return TapControl(seat, "reshuffle")
        if state.window is not None:
            return None
        if state.pending is None:
            return next_action(state, truth, turn)
        hacks = isinstance(state.pending, Hack)
        wish = best_hack(state, turn) if hacks else best_play(state, turn, truth.pile)
        return Tap(seat, wish.card, wish.pad) if wish else Push(seat)

    def reachable(self, state: State, truth: OnlineTruth, seat: int) -> tuple[Zone, ...]:
        """Return the cards that this seat can tap now."""
        return ground_truth.reachable(state, truth, seat)

    def fair(
        self, state: State, truth: OnlineTruth, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Return those of the legal taps that are this seat's to make."""
        return ground_truth.fair(state, truth, seat, legal)

    def draw(self, state: State, truth: OnlineTruth, seat: int) -> OnlineTruth | None:
        """Draw the 8th card for a player who means to play."""
        if not ground_truth.may_draw_eighth(state, truth, seat):
            return None
        drawn = draft(truth)
        drawn.draw_eighth(seat)
        return drawn

    def must_first(self, state: State, truth: OnlineTruth, seat: int) -> str | None:
        """Require a play or a discard: nobody ends a turn with more than 7 cards (R3.5)."""
        turn = state.turn
        if turn is None or turn.seat != seat or state.window is not None or state.pending is not None:
            return None
        return "play-or-discard" if len(truth.hand(seat)) > HAND_SIZE else None

    def follow(self, before: State | None, after: State, truth: OnlineTruth) -> OnlineTruth:
        """Move Cyber Patrols that were played without a tap (R7.5)."""
        del before
        return ground_truth.play_patrols(after, truth)

    def asked_at_us(self, state: State) -> int:
        """Return a time within the window, in which a patrol counts for the seat of any pad."""
        return 0 if state.window is None else state.window.opened_at_us


JUNK = 10
"""A card is junk if its `_hand_value` is below this. A player who has played a card in this turn also discards one card
of junk, since that costs nothing."""
MAX_EXCHANGED = 5
"""The most cards that a virtual player exchanges in a turn. Players who can play nothing have to exchange cards: if all
of them passed, the game would never end."""
ONLY_JUNK_AFTER = 2
"""After this many cards of an exchange, a virtual player exchanges only junk."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A tap that a player may want to make, and its worth. Worths compare taps with each other, from 0 (never made) to
    about 150. They aren't on the scale of `_hand_value`."""

    worth: int
    card: str
    pad: Pad


def _out_of_turn(state: State, truth: OnlineTruth, turn: Turn, seat: int) -> PlayerAction | None:
    """Buzz with a Cyber Patrol in hand, show it, or repair an attacked row (R7.2, R7.3, R6.2)."""
    window = state.window
    if window is None and not turn.attacked:
        return None
    hand = truth.hand(seat)
    patrol = next((card for card in hand if KIND_OF[card] is CYBER_PATROL), None)
    if window is not None and patrol is not None and state.may_patrol(window.owner, seat):
        if window.claim is not None and window.claim.seat == seat:
            return Tap(seat, patrol, seat)
        if window.listening and window.press_of(seat) is None and seat not in window.locked_out:
            return Push(seat)
    repair = best_repair(state, seat, hand) if turn.attacked else None
    return Tap(seat, repair.card, repair.pad) if repair else None


def next_action(state: State, truth: OnlineTruth, turn: Turn) -> PlayerAction:
    """Return the action of the player on turn while nothing is pending: back up, play, discard or stop."""
    seat = turn.seat
    team = state.options.team_of(seat)
    for row in CATEGORY_ROWS:
        if state.may_back_up(team, row):
            return HoldCard(seat, state.teams[team].rows[row][-1], seat)
    hand = truth.hand(seat)
    if turn.mode != "exchange":
        wish = best_play(state, turn, hand, truth.pile)
        if wish:
            return Tap(seat, wish.card, wish.pad)
    junk = min(hand, key=lambda card: _hand_value(state, team, KIND_OF[card]), default=None)
    if junk is not None:
        worthless = _hand_value(state, team, KIND_OF[junk]) < JUNK
        most = MAX_EXCHANGED if worthless else ONLY_JUNK_AFTER
        if (worthless and turn.discards == 0) if turn.played else turn.discards < most:
            return Tap(seat, junk, DISCARD_PAD)
    return Push(seat)


def best_play(state: State, turn: Turn, cards: Iterable[str], pile: tuple[str, ...] = ()) -> Wish | None:
    """Return the best of these cards to play now. With a draw pile to look through, a search is worth the best card in
    it."""
    own = state.options.team_of(turn.seat)
    wishes: list[Wish] = []
    for kind, card in _one_of_each(cards).items():
        if kind.group is Group.ATTACK:
            wishes += [
                Wish(30 + _progress(state, index), card, seats[0])
                for index, seats in enumerate(state.options.teams)
                if index != own
            ]
        else:
            wishes.append(Wish(_worth(state, turn, own, kind, pile), card, turn.seat))
    return _best_legal(state, wishes)


def best_repair(state: State, seat: int, cards: Iterable[str]) -> Wish | None:
    """Return the best access card for an attacked team to lay out of turn (R6.2)."""
    team = state.options.team_of(seat)
    wishes = [
        Wish(1, card, seat)
        for kind, card in _one_of_each(cards).items()
        if kind.group is Group.ACCESS and state.may_react(team, kind.row)
    ]
    return _best_legal(state, wishes)


def best_hack(state: State, turn: Turn) -> Wish | None:
    """Return the best use of a pending hack (R7.7): take a card, remove a block, or harm another team."""
    own = state.options.team_of(turn.seat)
    wishes: list[Wish] = []
    for index, team in enumerate(state.teams):
        for row in team.rows:
            for card in row:
                wishes += _hack_wishes(state, turn, own, index, card)
    under_hacker = card_under_hacker(state)
    if under_hacker is not None and KIND_OF[under_hacker] is not HACKER:
        wish = best_play(state, turn, [under_hacker])
        if wish:
            wishes.append(wish)
    return _best_legal(state, wishes)


def _hack_wishes(state: State, turn: Turn, own: int, index: int, card: str) -> list[Wish]:
    kind = KIND_OF[card]
    others = [(n, seats[0]) for n, seats in enumerate(state.options.teams) if n not in (own, index)]
    if index == own:
        if kind.group is not Group.ATTACK:
            return []
        return [Wish(60, card, DISCARD_PAD), *(Wish(65 + _progress(state, n), card, pad) for n, pad in others)]
    if kind.group is Group.CATEGORY:
        spoiling = Wish(20 + kind.mb // 10 + _progress(state, index), card, DISCARD_PAD)
        return [Wish(50 + kind.mb // 2 if _is_needed(state, own, kind) else 15, card, turn.seat), spoiling]
    if kind.group is Group.ACCESS:
        taking = Wish(_worth(state, turn, own, kind, ()), card, turn.seat)
        return [taking, Wish(25 + _progress(state, index), card, DISCARD_PAD)]
    return [Wish(20 + _progress(state, n), card, pad) for n, pad in others]


def _worth(state: State, turn: Turn, own: int, kind: Kind, pile: tuple[str, ...]) -> int:
    """Return the worth of playing a card on the own pad, as in a `Wish`."""
    team = state.teams[own]
    if kind.group is Group.CATEGORY:
        return 50 + kind.mb // 2 if _is_needed(state, own, kind) else 12
    if kind is HACKER:
        return 35 if _has_hack_target(state, own) else 0
    if kind is SEARCH:
        best = best_play(state, turn, pile) if pile else None
        return 38 if best and best.worth > 38 else 0
    if kind is EXTRA_MEMORY:
        return 45
    if kind is TURBO_LINE:
        return 70
    return 60 if not team.rate else 0


def _has_hack_target(state: State, own: int) -> bool:
    """Return whether a hack has a useful target."""
    if any(KIND_OF[row[-1]].group is Group.ATTACK for row in _access_rows(state.teams[own])):
        return True
    return any(
        team.rows[row] and row not in team.backed_up
        for index, team in enumerate(state.teams)
        if index != own
        for row in CATEGORY_ROWS
    )


def _access_rows(team: Team) -> list[tuple[str, ...]]:
    return [team.rows[row] for row in (CONNECTION, MEMORY) if team.rows[row]]


def _hand_value(state: State, own: int, kind: Kind) -> int:
    """Return how much a card is worth keeping in the hand, 2 to 50. The card with the least is discarded first."""
    team = state.teams[own]
    if kind.group is Group.CATEGORY:
        return 20 + kind.mb // 10 if _is_needed(state, own, kind) else 2
    if kind is CYBER_PATROL:
        return 50
    if kind is HACKER or kind is SEARCH:
        return 30
    if kind is ONLINE or kind is TURBO_LINE:
        return 40 if team.rate < RATES[TURBO_LINE.id] else 15
    if kind is EXTRA_MEMORY:
        return 9 if team.memory_open else 40
    if kind.group is Group.ATTACK:
        return 25
    return 11 if team.line == "blocked" else 8


def _is_needed(state: State, team: int, kind: Kind) -> bool:
    quota = state.options.quotas[CATEGORIES.index(kind)]
    return len(state.teams[team].rows[kind.row]) < quota


def _progress(state: State, team: int) -> int:
    """Return how near a team is to winning, 0 to 14 with the usual quotas."""
    quotas = zip(CATEGORIES, state.options.quotas, strict=True)
    return sum(min(len(state.teams[team].rows[kind.row]), quota) for kind, quota in quotas)


def _one_of_each(cards: Iterable[str]) -> dict[Kind, str]:
    return {KIND_OF[card]: card for card in cards}


def _best_legal(state: State, wishes: list[Wish]) -> Wish | None:
    for wish in sorted(wishes, key=lambda wish: -wish.worth):
        if wish.worth <= 0:
            return None
        if isinstance(play(state, CardTapped(0, wish.card, wish.pad)), tuple):
            return wish
    return None
