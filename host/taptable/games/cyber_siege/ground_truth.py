"""The real places of the cards of Cyber Siege at a simulated table, and their moves after accepted taps. `policy`
decides by it. Must not affect what the referee believes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from taptable.core.drafts import draft
from taptable.core.observations import DISCARD_PAD, ButtonPressed, CardTapped, ControlUsed, Observation
from taptable.core.player import Cards, GroundTruth, Zone, shuffled, without
from taptable.games.cyber_siege.options import Options
from taptable.games.cyber_siege.public import zones
from taptable.games.cyber_siege.state import State


@dataclass(kw_only=True)
class CyberSiegeTruth(GroundTruth):
    """The real places of all cards. A hand holds red cards and set cards; the pile is the red one.

    `laid` has the sets; `laying` is a set that `laying_seat` is laying, its set card first; `has_drawn` tells whether
    the player on turn has drawn the turn's card from the red pile; `turns` counts the turns."""

    options: Options
    purple_pile: Cards
    laying: Cards = ()
    laying_seat: int | None = None
    has_drawn: bool = False
    turns: int = 0

    def is_red(self, card: str) -> bool:
        """Return whether the card has the red back."""
        return self.options.cards.kind_of[card].is_red

    def cards_by_back(self, seat: int, *, red: bool) -> Cards:
        """Return a seat's cards with the red back, or those with the purple one."""
        return tuple(card for card in self.hand(seat) if self.is_red(card) == red)

    def counts(self, seat: int) -> Mapping[str, int]:
        """Return the number of a seat's cards, by their backs."""
        return {"red": len(self.cards_by_back(seat, red=True)), "purple": len(self.cards_by_back(seat, red=False))}

    def other_cards(self) -> Iterator[str]:
        """Yield the cards of the other pile and of sets."""
        yield from super().other_cards()
        yield from self.purple_pile
        yield from self.laying

    def layout(self) -> tuple[Zone, ...]:
        """Return each seat's sets and the set it is laying, then the discard pile."""
        return zones(self.laid, self.laying, self.laying_seat, self.discard)

    def draw_turns_card(self, seat: int) -> None:
        """Draw the card of a seat's turn from the red pile."""
        self.owed, self.has_drawn = self.draw(seat, 1), True

    def throw_away(self, card: str) -> None:
        """Move a card from the hand that has it to the discard pile."""
        self.leave_hand(card)
        self.discard = (*self.discard, card)

    def break_off(self) -> None:
        """Move the cards of a set that isn't full back to the hand."""
        if self.laying_seat is not None:
            self.put_hand(self.laying_seat, (*self.hand(self.laying_seat), *self.laying))
            self.laying, self.laying_seat = (), None


def deal(state: State, rng: Random) -> CyberSiegeTruth:
    """Return a truth for a state: its hidden cards shuffled and dealt by the table's counts (S2.3)."""
    laying = state.laying_cards
    sets = tuple(player.sets for player in state.players)
    open_cards = {*state.discard, *laying, *(card for cards in sets for card in cards)}
    kind_of = state.options.cards.kind_of
    hidden = shuffled([card for card in kind_of if card not in open_cards], rng)
    red = [card for card in hidden if kind_of[card].is_red]
    purple = [card for card in hidden if not kind_of[card].is_red]
    hands: list[Cards] = []
    for player in state.players:
        hands.append((*red[: player.red], *purple[: player.purple]))
        del red[: player.red], purple[: player.purple]
    return CyberSiegeTruth(
        options=state.options,
        hands=tuple(hands),
        pile=tuple(red),
        purple_pile=tuple(purple),
        laid=sets,
        youngest=rng.randint(1, state.options.players),
        discard=state.discard,
        laying=laying,
        laying_seat=state.turn.seat if state.turn and laying else None,
        owed=state.owed_draws,
        has_drawn=state.turn is not None and state.turn.draw is not None,
    )


def move(before: State, after: State, observation: Observation, truth: CyberSiegeTruth, rng: Random) -> None:
    """Move the cards of this draft as the players do after an accepted observation."""
    match observation:
        case CardTapped():
            _lay(before, after, observation, truth)
        case ButtonPressed() if before.laying is not None:
            truth.break_off()
        case ControlUsed(_, "end-game"):
            truth.break_off()
        case ControlUsed(_, "reshuffle"):
            assert before.turn is not None
            truth.pile, truth.discard = shuffled((*truth.pile, *truth.discard), rng), ()
            truth.owed = truth.draw(before.turn.seat, truth.owed)
        case ControlUsed(_, "correct"):
            _apply_correction(before, after, truth)
        case _:
            pass


def begin_new_turn(before: State, after: State, truth: CyberSiegeTruth) -> CyberSiegeTruth:
    """Return the truth after the observation; if a new turn has begun, its card is still to be drawn."""
    then, now = before.turn, after.turn
    if now is None or (then is not None and (then.seat, then.began_at_us) == (now.seat, now.began_at_us)):
        return truth
    updated = draft(truth)
    updated.has_drawn, updated.turns = False, truth.turns + 1
    return updated


def disagreement(state: State, truth: CyberSiegeTruth) -> str | None:
    """Return the first difference between the referee's belief and the truth; None if they agree."""
    believed = [player.sets for player in state.players], state.discard, state.laying_cards
    actual = list(truth.laid), truth.discard, truth.laying
    if believed != actual:
        return f"sets, discard pile and a set being laid: {believed} believed, {actual} there"
    turn = state.turn
    for seat, player in enumerate(state.players, 1):
        red, purple = truth.counts(seat).values()
        if turn is not None and turn.seat == seat and truth.has_drawn and turn.draw is None:
            red -= 1  # the table notices a draw from the red pile only with the next tap (S3.3)
        if (player.red, player.purple) != (red, purple):
            return f"hand of seat {seat}: {(player.red, player.purple)} believed, {(red, purple)} there"
    return truth.find_discrepancy(state.options.cards.kind_of)


def _lay(before: State, after: State, tap: CardTapped, truth: CyberSiegeTruth) -> None:
    """Lay a tapped card. The player draws before laying the first one of a turn (S3.3)."""
    turn, card = before.turn, tap.card
    over = after.outcome is not None and after.outcome.by == "points"  # an end by purple comes after all draws (S7.2)
    assert turn is not None
    seat = turn.seat
    if before.attack is not None:
        truth.throw_away(card)
        if not over:
            truth.owed = truth.draw(before.attack.defender, 1)
        return
    if before.owed_discards:
        truth.throw_away(card)
        return
    if card in truth.discard:
        truth.discard = without(truth.discard, card)
        truth.put_hand(seat, (*truth.hand(seat), card))
        return
    if turn.draw is None and not truth.has_drawn:
        truth.draw_turns_card(seat)
    if tap.pad == DISCARD_PAD:
        truth.throw_away(card)
        return
    truth.leave_hand(card)
    truth.laying, truth.laying_seat = (*truth.laying, card), seat
    set_card, *red = truth.laying
    if len(red) == len(truth.options.cards.kind_of[set_card].needs):
        _finish_set(truth, seat, set_card, red, over=over)


def _finish_set(truth: CyberSiegeTruth, seat: int, set_card: str, red: list[str], *, over: bool) -> None:
    """Complete a set: its red cards go to the discard pile. Unless the game is over, the seat draws as many, and a set
    card if that was its last one."""
    truth.laying, truth.laying_seat = (), None
    truth.discard = (*truth.discard, *red)
    truth.laid = (*truth.laid[: seat - 1], (*truth.laid[seat - 1], set_card), *truth.laid[seat:])
    if over:
        return
    truth.owed = truth.draw(seat, len(red))
    if not truth.cards_by_back(seat, red=False):
        *remaining, drawn = truth.purple_pile
        truth.purple_pile = tuple(remaining)
        truth.put_hand(seat, (*truth.hand(seat), drawn))


def _apply_correction(before: State, after: State, truth: CyberSiegeTruth) -> None:
    """Change the hands to the counts that the players have set: a seat with too few cards draws, one with too many puts
    cards back. A card drawn unseen stays where it is."""
    turn = after.turn
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True), 1):
        if (old.red, old.purple) == (new.red, new.purple):
            continue
        unseen = truth.has_drawn and turn is not None and turn.seat == seat and turn.draw is None
        red = (*truth.cards_by_back(seat, red=True), *reversed(truth.pile))
        purple = (*truth.cards_by_back(seat, red=False), *reversed(truth.purple_pile))
        reds, purples = new.red + unseen, new.purple
        # in the order in which the backs are counted
        truth.put_hand(seat, (*purple[:purples], *red[:reds]))
        truth.pile, truth.purple_pile = tuple(reversed(red[reds:])), tuple(reversed(purple[purples:]))
