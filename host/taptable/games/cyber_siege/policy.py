"""The policy of Cyber Siege's virtual players: they lay sets, keep the cards for these and for defence, and launch the
other attacks. `next_action` tries the actions of a turn in a fixed order, and `answer` defends. Sensible, not
brilliant. Must not use cards that the player can't see."""

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
"""The number of turns after which players end the game by agreement: with some house rules it would never end."""
LAZY_LAUNCH, LAZY_DEFENCE = 9, 3
"""In every 9th turn a player lets the time of a launch pass, in every 3rd that of an attack it can't stop."""


class CyberSiegePlayers(Players[State, CyberSiegeTruth]):
    """All virtual players of a game of Cyber Siege."""

    deal = staticmethod(ground_truth.deal)
    move = staticmethod(ground_truth.move)
    disagreement = staticmethod(ground_truth.disagreement)

    def decide(self, state: State, truth: CyberSiegeTruth, seat: int) -> PlayerAction | None:
        """Return the action that this seat wants to take now."""
        turn = state.turn
        if state.outcome is not None:
            return None
        if turn is None:
            return Push(seat) if seat == truth.youngest else None
        if state.attack is not None:
            return answer(state, state.attack, truth) if seat == state.attack.defender else None
        return next_action(state, truth, turn) if seat == turn.seat else None

    def reachable(self, state: State, truth: CyberSiegeTruth, seat: int) -> tuple[Zone, ...]:
        """Return the hand, and the top of the discard pile while it may be drawn (S3.2)."""
        hand = super().reachable(state, truth, seat)
        if not _may_draw(state, truth, seat) or not truth.discard:
            return hand
        return (*hand, Zone(DISCARD, (), truth.discard[-1:]))

    def fair(
        self, state: State, truth: CyberSiegeTruth, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Return those of the legal taps that are this seat's to make: in its turn, or for its defence."""
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
        """Return the fair taps, with a set card only if the hand has its whole set."""
        hand = truth.hand(seat)
        return tuple(
            (card, pad)
            for card, pad in fair
            if truth.is_red(card) or _count_missing(state.kind(card), hand, state) == 0
        )

    def draw(self, state: State, truth: CyberSiegeTruth, seat: int) -> CyberSiegeTruth | None:
        """Draw the turn's card from the red pile, while that is possible."""
        if not _may_draw(state, truth, seat) or not truth.pile:
            return None
        drawn = draft(truth)
        drawn.draw_turns_card(seat)
        return drawn

    def follow(self, before: State | None, after: State, truth: CyberSiegeTruth) -> CyberSiegeTruth:
        """Mark the turn's card as not drawn if a new turn has begun."""
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
        """Apply deadlines that passed before a tap or a press first."""
        if accepted and isinstance(observation, CardTapped | ButtonPressed):
            after_deadlines = _after_deadlines(before, observation.at_us)
            truth, before = self.follow(before, after_deadlines, truth), after_deadlines
        return super().settle(before, after, observation, accepted, truth, rng)


def _after_deadlines(state: State, at_us: int) -> State:
    while (waiting := state.launch or state.attack) is not None and waiting.window.due_us <= at_us:
        played = play(state, TimePassed(waiting.window.due_us))
        assert isinstance(played, tuple)
        state, _ = played
    return state


def _may_draw(state: State, truth: CyberSiegeTruth, seat: int) -> bool:
    """Return whether the draw of this seat's turn is due, and nothing else before it."""
    turn = state.turn
    if turn is None or turn.seat != seat or state.outcome is not None or truth.has_drawn:
        return False
    return turn.draw is None and state.pending is None and state.attack is None


def next_action(state: State, truth: CyberSiegeTruth, turn: Turn) -> PlayerAction | None:
    """Return the action of the player on turn, while no attack runs."""
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
    """Return the defender's action: defend if that is wise, else take the hit, or wait for it."""
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
    """Return the cards that a seat chooses from: a due draw comes before the first card is shown."""
    hand = truth.hand(seat)
    turn = state.turn
    draws = turn is not None and turn.draw is None and not truth.has_drawn
    return (*hand, *truth.pile[-1:]) if draws else hand


def _launch(state: State, truth: CyberSiegeTruth, seat: int) -> PlayerAction | None:
    """Launch the attack, unless it could earn the last point for the next player; spare that."""
    defender = state.options.next_seat(seat)
    if state.points(seat) + 1 < state.options.target_points <= state.points(defender) + 1:
        return TapControl(seat, "spare")
    return None if truth.turns % LAZY_LAUNCH == 0 else Push(seat)


def _play(state: State, truth: CyberSiegeTruth, seat: int, cards: Cards) -> PlayerAction:
    """Lay a set that is complete in the hand, else make the least useful discard."""
    sets = [card for card in cards if not truth.is_red(card) and _count_missing(state.kind(card), cards, state) == 0]
    if sets:
        return Tap(seat, max(sets, key=lambda card: (len(state.kind(card).needs), card)), seat)
    red = tuple(card for card in cards if truth.is_red(card))
    return Tap(seat, _least_useful(state, truth, seat, red), DISCARD_PAD)


def _lay_next(state: State, laying: Laying, truth: CyberSiegeTruth, seat: int) -> PlayerAction:
    """Lay the next card of the set: by its name, else an admin; press the button if there is none."""
    names = state.missing(laying)
    hand = truth.cards_by_back(seat, red=True)
    matching = [card for card in hand if state.kind(card).id in names]
    admins = [card for card in hand if state.kind(card).group is Group.ADMIN]
    card = next(iter((*matching, *admins)), None)
    return Push(seat) if card is None else Tap(seat, card, seat)


def _wants_discard(state: State, truth: CyberSiegeTruth, turn: Turn) -> bool:
    """Return whether the top of the discard pile would complete some set, or leave only one card missing."""
    if not truth.discard or truth.discard[-1] in turn.used:
        return False
    hand, top = truth.hand(turn.seat), truth.discard[-1]
    sets = [state.kind(card) for card in hand if not truth.is_red(card)]
    lacking = [(_count_missing(kind, hand, state), _count_missing(kind, (*hand, top), state)) for kind in sets]
    return any(now > then and then < 2 for now, then in lacking)


def _count_missing(set_kind: Kind, cards: Iterable[str], state: State) -> int:
    """Return the number of cards missing for a set, with admins filling in."""
    kinds = Counter(state.kind(card).id for card in cards)
    admins = sum(1 for card in cards if state.kind(card).group is Group.ADMIN)
    return max(0, (Counter(set_kind.needs) - kinds).total() - admins)


def _least_useful(state: State, truth: CyberSiegeTruth, seat: int, red: Cards) -> str:
    """Return the least useful red card: none of the sets in hand needs it, or there is another like it."""
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
