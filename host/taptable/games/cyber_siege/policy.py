"""The policy of Cyber Siege's virtual players: they lay sets, keep what these need and what defends, and launch what is
left. Sensible, not brilliant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from taptable.core.drafts import draft
from taptable.core.observations import DISCARD_PAD, ButtonPressed, CardTapped, Observation, Pad, TimePassed
from taptable.core.player import Cards, PlayerAction, Players, Push, Tap, TapControl, Zone
from taptable.games.cyber_siege import ground_truth
from taptable.games.cyber_siege.cards import Effect, Group, Kind, fits_attack
from taptable.games.cyber_siege.ground_truth import CyberSiegeTruth
from taptable.games.cyber_siege.play import play
from taptable.games.cyber_siege.public import DISCARD
from taptable.games.cyber_siege.state import Attack, Laying, State, Turn

LONG_GAME = 400
"""Turns after which players have had enough: house rules may let a game go on for ever."""
LAZY_LAUNCH, LAZY_DEFENCE = 9, 3
"""Every so manieth turn a player lets the time of a launch pass, or that of an attack it can't stop."""


class CyberSiegePlayers(Players[State, CyberSiegeTruth]):
    """All virtual players of a game of Cyber Siege."""

    deal = staticmethod(ground_truth.deal)
    move = staticmethod(ground_truth.move)
    disagreement = staticmethod(ground_truth.disagreement)

    def decide(self, state: State, truth: CyberSiegeTruth, seat: int) -> PlayerAction | None:
        """What this seat wants to do now."""
        turn = state.turn
        if state.outcome is not None:
            return None
        if turn is None:
            return Push(seat) if seat == truth.youngest else None
        if state.attack is not None:
            return answer(state, state.attack, truth) if seat == state.attack.defender else None
        return next_action(state, truth, turn) if seat == turn.seat else None

    def reachable(self, state: State, truth: CyberSiegeTruth, seat: int) -> tuple[Zone, ...]:
        """The hand, and the top of the discard pile as long as it may be drawn (S3.2)."""
        hand = super().reachable(state, truth, seat)
        if not _may_draw(state, truth, seat) or not truth.discard:
            return hand
        return (*hand, Zone(DISCARD, (), truth.discard[-1:]))

    def fair(
        self, state: State, truth: CyberSiegeTruth, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Legal taps of this seat's own: those of its turn, or of its defence."""
        acting = None if state.turn is None else state.turn.seat
        if state.attack is not None:
            acting = state.attack.defender
        if seat != acting:
            return ()
        cards = {card for zone in self.reachable(state, truth, seat) for card in zone.cards}
        return tuple((card, pad) for card, pad in legal if card in cards)

    def fitting(
        self, state: State, truth: CyberSiegeTruth, seat: int, fair: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """A set card only if the hand has its whole set."""
        hand = truth.hand(seat)
        return tuple(
            (card, pad)
            for card, pad in fair
            if truth.is_red(card) or _count_missing(state.kind(card), hand, state) == 0
        )

    def draw(self, state: State, truth: CyberSiegeTruth, seat: int) -> CyberSiegeTruth | None:
        """The turn's card drawn from the red pile, as long as it may be."""
        if not _may_draw(state, truth, seat) or not truth.pile:
            return None
        drawn = draft(truth)
        drawn.draw_turns_card(seat)
        return drawn

    def follow(self, before: State | None, after: State, truth: CyberSiegeTruth) -> CyberSiegeTruth:
        """A new turn may have begun."""
        return truth if before is None else ground_truth.begin_new_turn(before, after, truth)

    def settle(
        self,
        before: State,
        after: State,
        observation: Observation,
        accepted: bool,
        truth: CyberSiegeTruth,
        rng: Random,
    ) -> CyberSiegeTruth:
        """What time did before a tap or a press comes first."""
        if accepted and isinstance(observation, CardTapped | ButtonPressed):
            judged = _after_deadlines(before, observation.at_us)
            truth, before = self.follow(before, judged, truth), judged
        return super().settle(before, after, observation, accepted, truth, rng)


def _after_deadlines(state: State, at_us: int) -> State:
    while (waiting := state.launch or state.attack) is not None and waiting.window.due_us <= at_us:
        played = play(state, TimePassed(waiting.window.due_us))
        assert isinstance(played, tuple)
        state, _ = played
    return state


def _may_draw(state: State, truth: CyberSiegeTruth, seat: int) -> bool:
    """Is the draw of this seat's turn still to be made, and nothing else before it?"""
    turn = state.turn
    if turn is None or turn.seat != seat or state.outcome is not None or truth.has_drawn:
        return False
    return turn.draw is None and state.pending is None and state.attack is None


def next_action(state: State, truth: CyberSiegeTruth, turn: Turn) -> PlayerAction | None:
    """What the player on turn does, with no attack under way."""
    seat = turn.seat
    if state.owed_draws:
        return TapControl(seat, "reshuffle")
    if state.launch is not None:
        return _launch(state, truth, seat)
    if state.laying is not None:
        return _lay_next(state, state.laying, truth, seat)
    if truth.turns > LONG_GAME:
        return TapControl(seat, "end-game")
    if state.owed_discards:
        return Tap(seat, _least_useful(state, truth, seat, truth.cards_by_back(seat, red=True)), DISCARD_PAD)
    if turn.draw is None and not truth.has_drawn:
        if _wants_discard(state, truth, turn):
            return Tap(seat, truth.discard[-1], seat)
        if not truth.pile:
            return TapControl(seat, "reshuffle")
    if state.may_end_turn(turn):
        return Push(seat)
    return _play(state, truth, seat, playable_cards(state, truth, seat))


def answer(state: State, attack: Attack, truth: CyberSiegeTruth) -> PlayerAction | None:
    """What the defender does: defends if that is wise, else takes the hit, or waits for it."""
    seat = attack.defender
    attacking = state.kind(attack.card)
    fitting = [card for card in truth.hand(seat) if fits_attack(attacking, state.kind(card))]
    plain = [card for card in fitting if state.kind(card).group is Group.DEFENCE]
    if plain:
        return Tap(seat, plain[0], seat)
    harmless = attacking.icon is None or attacking.icon.effect is Effect.NONE
    if fitting and (len(fitting) > 1 or not harmless):
        return Tap(seat, fitting[0], seat)
    return None if truth.turns % LAZY_DEFENCE == 0 else Push(seat)


def playable_cards(state: State, truth: CyberSiegeTruth, seat: int) -> Cards:
    """The cards a seat has to choose from: a draw that is due is made before the first of them is shown."""
    hand = truth.hand(seat)
    turn = state.turn
    draws = turn is not None and turn.draw is None and not truth.has_drawn
    return (*hand, *truth.pile[-1:]) if draws else hand


def _launch(state: State, truth: CyberSiegeTruth, seat: int) -> PlayerAction | None:
    """Most attacks are launched; not one that could bring the next player the last point."""
    defender = state.options.next_seat(seat)
    if state.points(seat) + 1 < state.options.target_points <= state.points(defender) + 1:
        return TapControl(seat, "spare")
    return None if truth.turns % LAZY_LAUNCH == 0 else Push(seat)


def _play(state: State, truth: CyberSiegeTruth, seat: int, cards: Cards) -> PlayerAction:
    """A set that can be laid whole, else the discard that is missed least."""
    sets = [card for card in cards if not truth.is_red(card) and _count_missing(state.kind(card), cards, state) == 0]
    if sets:
        return Tap(seat, max(sets, key=lambda card: (len(state.kind(card).needs), card)), seat)
    red = tuple(card for card in cards if truth.is_red(card))
    return Tap(seat, _least_useful(state, truth, seat, red), DISCARD_PAD)


def _lay_next(state: State, laying: Laying, truth: CyberSiegeTruth, seat: int) -> PlayerAction:
    """The next card of the set: by its name, else an admin; the button if there is none."""
    names = state.missing(laying)
    hand = truth.cards_by_back(seat, red=True)
    named = [card for card in hand if state.kind(card).id in names]
    admins = [card for card in hand if state.kind(card).group is Group.ADMIN]
    card = next(iter((*named, *admins)), None)
    return Push(seat) if card is None else Tap(seat, card, seat)


def _wants_discard(state: State, truth: CyberSiegeTruth, turn: Turn) -> bool:
    """Would the top of the discard pile leave some set with one card missing, or none?"""
    if not truth.discard or truth.discard[-1] in turn.used:
        return False
    hand, top = truth.hand(turn.seat), truth.discard[-1]
    sets = [state.kind(card) for card in hand if not truth.is_red(card)]
    lacking = [(_count_missing(kind, hand, state), _count_missing(kind, (*hand, top), state)) for kind in sets]
    return any(now > then and then < 2 for now, then in lacking)


def _count_missing(set_kind: Kind, cards: Iterable[str], state: State) -> int:
    """How many cards are missing for a set, admins counted in."""
    held = Counter(state.kind(card).id for card in cards)
    admins = sum(1 for card in cards if state.kind(card).group is Group.ADMIN)
    return max(0, (Counter(set_kind.needs) - held).total() - admins)


def _least_useful(state: State, truth: CyberSiegeTruth, seat: int, red: Cards) -> str:
    """The red card that is missed least: it is in none of the sets in hand, or there is another like it."""
    sets = [state.kind(card) for card in truth.hand(seat) if not truth.is_red(card)]
    needed = {name for kind in sets for name in kind.needs}
    count = Counter(state.kind(card).id for card in red)

    def worth(card: str) -> tuple[int, str]:
        kind = state.kind(card)
        if kind.group is Group.ADMIN:
            return 40, card
        useful = 20 if kind.id in needed and count[kind.id] == 1 else 0
        return useful + (3 if kind.group is Group.DEFENCE else 0), card

    return min(red, key=worth)
