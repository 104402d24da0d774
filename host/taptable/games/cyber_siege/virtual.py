"""Virtual players of Cyber Siege: their cards move as their taps say, whatever the referee believes; what they want
is in `wishes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
)
from taptable.core.player import Deed, Heap, Push, Tap
from taptable.core.verdicts import Refused
from taptable.games.cyber_siege import holdings as truth
from taptable.games.cyber_siege import reach, wishes
from taptable.games.cyber_siege.applying import apply, deadline
from taptable.games.cyber_siege.heaps import being_laid
from taptable.games.cyber_siege.holdings import Holdings
from taptable.games.cyber_siege.moves import PassDeadline
from taptable.games.cyber_siege.reading import read
from taptable.games.cyber_siege.state import State


class CyberSiegePlayers:
    """All virtual players of a game of Cyber Siege; what they remember is in the holdings."""

    def deal(self, state: State, rng: Random) -> Holdings:
        """All hidden cards shuffled and dealt."""
        return truth.deal(state, rng)

    def prepare(self, state: State, holdings: Holdings) -> Holdings:
        """Nothing is drawn that a player might rather do otherwise."""
        del state
        return holdings

    def decide(self, state: State, holdings: Holdings, seat: int) -> Deed | None:
        """What this seat wants to do now."""
        turn = state.turn
        if state.outcome is not None:
            return None
        if turn is None:
            return Push(seat) if seat == holdings.youngest else None
        if state.attack is not None:
            return wishes.answer(state, state.attack, holdings) if seat == state.attack.defender else None
        return wishes.next_deed(state, holdings, turn) if seat == turn.seat else None

    def lying(self, holdings: Holdings) -> tuple[Heap, ...]:
        """What lies open on the table."""
        return reach.lying(holdings)

    def reachable(self, state: State, holdings: Holdings, seat: int) -> tuple[Heap, ...]:
        """What this seat can tap now."""
        return reach.reachable(state, holdings, seat)

    def fair(
        self, state: State, holdings: Holdings, seat: int, legal: Sequence[tuple[str, Pad]]
    ) -> tuple[tuple[str, Pad], ...]:
        """Of the legal taps those that are this seat's to do."""
        return reach.fair(state, holdings, seat, legal)

    def draw(self, state: State, holdings: Holdings, seat: int) -> Holdings | None:
        """The turn's card drawn from the red pile."""
        return reach.draw(state, holdings, seat)

    def must_first(self, state: State, holdings: Holdings, seat: int) -> str | None:
        """Nothing: no button does what the table can't see."""
        del state, holdings, seat
        return None

    def blunder(self, state: State, holdings: Holdings, seat: int, rng: Random) -> Tap | None:
        """A card from the hand on a wrong pad, or too early: something that will be refused."""
        hand = holdings.hand(seat)
        if not hand or state.outcome is not None:
            return None
        card = rng.choice(hand)
        pads: list[Pad] = [*range(1, state.options.players + 1), DISCARD_PAD]
        rng.shuffle(pads)
        refused = (pad for pad in pads if isinstance(read(state, CardTapped(0, card, pad)), Refused))
        pad = next(refused, None)
        return None if pad is None else Tap(seat, card, pad)

    def another_card(self, holdings: Holdings, seat: int, card: str) -> str | None:
        """Another card of this seat's hand."""
        return next((other for other in holdings.hand(seat) if other != card), None)

    def settle(
        self, before: State, after: State, observation: Observation, accepted: bool, holdings: Holdings, rng: Random
    ) -> Holdings:
        """The cards moved as the observation says; taken back, they lie as they lay."""
        match observation:
            case CardsTogether(_, cards, _, _) if _cards_moved(before, after):
                return _before_laying(holdings, cards)
            case CardTapped() | ButtonPressed() if accepted:
                # what time did before this line comes first
                judged = _after_deadlines(before, observation.at_us)
                there = _in_turn(before, judged, holdings)
                moved = _lay(judged, after, observation, there) if isinstance(observation, CardTapped) else there
                if isinstance(observation, ButtonPressed) and judged.laying is not None:
                    moved = truth.break_off(there)
                return _in_turn(judged, after, _remember(there, moved))
            case ControlUsed() if accepted:
                return _use_control(before, after, observation.control, holdings, rng)
            case GameSetUp() if accepted:
                return truth.deal(after, rng)
            case _:
                return _in_turn(before, after, holdings)

    def disagreement(self, state: State, holdings: Holdings) -> str | None:
        """Where the referee believes something else than is true."""
        return truth.disagreement(holdings, state)


def _lay(before: State, after: State, tap: CardTapped, holdings: Holdings) -> Holdings:
    """A card tapped and laid; the first one of a turn is the time to have drawn (S3.3)."""
    turn, card = before.turn, tap.card
    over = after.outcome is not None and after.outcome.by == "points"  # by purple all has been drawn (S7.2)
    assert turn is not None
    if before.attack is not None:
        defended = truth.discard(holdings, card)
        return defended if over else truth.draw_red(defended, before.attack.defender, 1)
    if before.owed_discards:
        return truth.discard(holdings, card)
    if card in holdings.discard:
        return truth.take_discard(holdings, turn.seat, card)
    if turn.draw is None and not holdings.drew:
        holdings = replace(truth.draw_red(holdings, turn.seat, 1), drew=True)
    if tap.pad == DISCARD_PAD:
        return truth.discard(holdings, card)
    laid = truth.lay(holdings, turn.seat, card)
    return truth.finish_set(laid, turn.seat, over=over) if truth.is_full(laid) else laid


def _use_control(before: State, after: State, control: str, holdings: Holdings, rng: Random) -> Holdings:
    match control:
        case "take-back":
            # of a move from before a power cut nobody remembers the cards
            return holdings.earlier[-1] if holdings.earlier else truth.deal(after, rng)
        case "new-game":
            return truth.deal(after, rng)
        case "resume":
            return holdings
        case "reshuffle":
            assert before.turn is not None
            return truth.reshuffle(holdings, before.turn.seat, rng)
        case "correct":
            return _remember(holdings, _count_anew(before, after, holdings)) if after != before else holdings
        case "end-game":
            return _remember(holdings, truth.break_off(holdings))
        case "spare":
            return _in_turn(before, after, _remember(holdings, holdings))
        case _:
            return _in_turn(before, after, holdings)


def _count_anew(before: State, after: State, holdings: Holdings) -> Holdings:
    """The hands as the players have corrected them; a card drawn unseen stays where it is."""
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True), 1):
        turn = after.turn
        unseen = holdings.drew and turn is not None and turn.seat == seat and turn.draw is None
        if (old.red, old.purple) != (new.red, new.purple):
            holdings = truth.count_anew(holdings, seat, new.red + unseen, new.purple)
    return holdings


def _after_deadlines(state: State, at_us: int) -> State:
    while (due_us := deadline(state)) is not None and due_us <= at_us:
        state, _ = apply(state, PassDeadline(due_us))
    return state


def _in_turn(before: State, after: State, holdings: Holdings) -> Holdings:
    """With a new turn there is a new card to be drawn."""
    then, now = before.turn, after.turn
    if now is None or (then is not None and (then.seat, then.began_at_us) == (now.seat, now.began_at_us)):
        return holdings
    return replace(holdings, drew=False, turns=holdings.turns + 1)


def _cards_moved(before: State, after: State) -> bool:
    """Do cards lie elsewhere than they lay?"""
    return (before.discard, being_laid(before.laying), [player.sets for player in before.players]) != (
        after.discard,
        being_laid(after.laying),
        [player.sets for player in after.players],
    )


def _before_laying(holdings: Holdings, cards: tuple[str, ...]) -> Holdings:
    """As they were before one of these was laid: what was moved after it was moved back with it."""
    after = holdings
    for before in reversed(holdings.earlier):
        if any(truth.place_of(after, card) != truth.place_of(before, card) for card in cards):
            return before
        after = before
    return holdings


def _remember(before: Holdings, after: Holdings) -> Holdings:
    return replace(after, earlier=(*before.earlier, before))
