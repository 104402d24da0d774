"""Where the cards of Cyber Siege really are at a simulated table: in hands, in both piles, in sets and on the discard
pile.

Kept by what the players do, never by what the referee believes; `disagreement` compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from taptable.games.cyber_siege.heaps import being_laid
from taptable.games.cyber_siege.options import Options
from taptable.games.cyber_siege.state import State

Cards = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Holdings:
    """All cards; the last of a pile is its top. A hand holds red cards and set cards.

    `laying` is a set that `layer` is laying, its set card first; `owed` red cards wait for a reshuffle; `drew` is
    whether the player on turn has drawn the turn's card from the red pile; `turns` counts the turns. `earlier` are the
    holdings before each move that may still be taken back."""

    options: Options
    hands: tuple[Cards, ...]
    red_pile: Cards
    purple_pile: Cards
    sets: tuple[Cards, ...]
    youngest: int
    discard: Cards = ()
    laying: Cards = ()
    layer: int | None = None
    owed: int = 0
    drew: bool = False
    turns: int = 0
    earlier: tuple[Holdings, ...] = ()

    def hand(self, seat: int) -> Cards:
        """A seat's hand."""
        return self.hands[seat - 1]

    def with_hand(self, seat: int, hand: Cards) -> Holdings:
        """The same with another hand for one seat."""
        return replace(self, hands=(*self.hands[: seat - 1], hand, *self.hands[seat:]))

    def is_red(self, card: str) -> bool:
        """Has the card the red back?"""
        return self.options.deck.kind_of[card].is_red

    def held(self, seat: int, *, red: bool) -> Cards:
        """A seat's cards with the red back, or with the purple one."""
        return tuple(card for card in self.hand(seat) if self.is_red(card) == red)


def deal(state: State, rng: Random) -> Holdings:
    """What is hidden in a state, shuffled and dealt as the table counts it (S2.3)."""
    laying = being_laid(state.laying)
    sets = tuple(player.sets for player in state.players)
    known = {*state.discard, *laying, *(card for cards in sets for card in cards)}
    kind_of = state.options.deck.kind_of
    hidden = [card for card in kind_of if card not in known]
    rng.shuffle(hidden)
    red = [card for card in hidden if kind_of[card].is_red]
    purple = [card for card in hidden if not kind_of[card].is_red]
    hands: list[Cards] = []
    for player in state.players:
        hands.append((*red[: player.red], *purple[: player.purple]))
        del red[: player.red], purple[: player.purple]
    return Holdings(
        state.options,
        tuple(hands),
        tuple(red),
        tuple(purple),
        sets,
        youngest=rng.randint(1, state.options.players),
        discard=state.discard,
        laying=laying,
        layer=state.turn.seat if state.turn and laying else None,
        owed=state.owed_draws,
        drew=state.turn is not None and state.turn.draw is not None,
    )


def draw_red(holdings: Holdings, seat: int, count: int) -> Holdings:
    """A seat draws red cards; what the pile hasn't got is owed."""
    drawn = holdings.red_pile[len(holdings.red_pile) - min(count, len(holdings.red_pile)) :]
    left = holdings.red_pile[: len(holdings.red_pile) - len(drawn)]
    taken = holdings.with_hand(seat, (*holdings.hand(seat), *drawn))
    return replace(taken, red_pile=left, owed=count - len(drawn))


def draw_set_card(holdings: Holdings, seat: int) -> Holdings:
    """A seat draws a set card."""
    *left, drawn = holdings.purple_pile
    return replace(holdings.with_hand(seat, (*holdings.hand(seat), drawn)), purple_pile=tuple(left))


def take_discard(holdings: Holdings, seat: int, card: str) -> Holdings:
    """A seat takes a card of the discard pile into its hand."""
    left = tuple(other for other in holdings.discard if other != card)
    return replace(holdings.with_hand(seat, (*holdings.hand(seat), card)), discard=left)


def discard(holdings: Holdings, card: str) -> Holdings:
    """A card of some hand goes to the discard pile."""
    left = _without(holdings, card)
    return replace(left, discard=(*left.discard, card))


def lay(holdings: Holdings, seat: int, card: str) -> Holdings:
    """A card of a seat's hand goes to the set that it is laying."""
    left = _without(holdings, card)
    return replace(left, laying=(*left.laying, card), layer=seat)


def is_full(holdings: Holdings) -> bool:
    """Has the set that is being laid all its cards?"""
    set_card, *red = holdings.laying
    return len(red) == len(holdings.options.deck.kind_of[set_card].needs)


def finish_set(holdings: Holdings, seat: int, *, over: bool) -> Holdings:
    """A full set: its red cards go to the discard pile; unless the game is over, as many are drawn, and a set card if
    that was the last one."""
    set_card, *red = holdings.laying
    sets = holdings.sets
    laid = replace(
        holdings,
        laying=(),
        layer=None,
        discard=(*holdings.discard, *red),
        sets=(*sets[: seat - 1], (*sets[seat - 1], set_card), *sets[seat:]),
    )
    if over:
        return laid
    laid = draw_red(laid, seat, len(red))
    return laid if laid.held(seat, red=False) else draw_set_card(laid, seat)


def break_off(holdings: Holdings) -> Holdings:
    """The cards of a set that isn't full go back to the hand."""
    seat = holdings.layer
    if seat is None:
        return holdings
    back = holdings.with_hand(seat, (*holdings.hand(seat), *holdings.laying))
    return replace(back, laying=(), layer=None)


def reshuffle(holdings: Holdings, seat: int, rng: Random) -> Holdings:
    """The discard pile, shuffled, is the red pile, of which the seat draws what is owed; nothing before it can be taken
    back."""
    cards = [*holdings.red_pile, *holdings.discard]
    rng.shuffle(cards)
    turned = replace(holdings, red_pile=tuple(cards), discard=(), earlier=())
    return draw_red(turned, seat, holdings.owed)


def count_anew(holdings: Holdings, seat: int, red: int, purple: int) -> Holdings:
    """The seat has so many cards of each back, since the players say so: it draws, or puts back what is too much."""
    for is_red, count in ((True, red), (False, purple)):
        held = holdings.held(seat, red=is_red)
        pile = holdings.red_pile if is_red else holdings.purple_pile
        cards = (*held, *reversed(pile))
        kept, left = cards[:count], cards[count:]
        others = holdings.held(seat, red=not is_red)
        holdings = holdings.with_hand(seat, (*kept, *others))
        pile = tuple(reversed(left))
        holdings = replace(holdings, red_pile=pile) if is_red else replace(holdings, purple_pile=pile)
    return holdings


def place_of(holdings: Holdings, card: str) -> tuple[str, int]:
    """What a card lies in, and which one of them."""
    for name, heaps in (("hand", holdings.hands), ("sets", holdings.sets)):
        for index, heap in enumerate(heaps):
            if card in heap:
                return name, index
    for name, heap in (("discard", holdings.discard), ("laying", holdings.laying)):
        if card in heap:
            return name, 0
    return "pile", 0


def disagreement(holdings: Holdings, state: State) -> str | None:
    """The first thing that lies otherwise than the referee believes; None if all agrees."""
    sets = tuple(player.sets for player in state.players)
    if sets != holdings.sets:
        return f"sets: {sets} believed, {holdings.sets} there"
    if state.discard != holdings.discard:
        return f"discard pile: {state.discard} believed, {holdings.discard} there"
    if being_laid(state.laying) != holdings.laying:
        return f"being laid: {being_laid(state.laying)} believed, {holdings.laying} there"
    seats = range(1, state.options.players + 1)
    red = [len(holdings.held(seat, red=True)) for seat in seats]
    purple = [len(holdings.held(seat, red=False)) for seat in seats]
    turn = state.turn
    if turn is not None and holdings.drew and turn.draw is None:
        red[turn.seat - 1] -= 1  # a draw from the red pile is seen with the next tap only (S3.3)
    believed = [player.red for player in state.players], [player.purple for player in state.players]
    if believed != (red, purple):
        return f"hands {believed} believed, {(red, purple)} there"
    cards = [*holdings.red_pile, *holdings.purple_pile, *holdings.discard, *holdings.laying]
    cards += [card for heap in (*holdings.hands, *holdings.sets) for card in heap]
    return None if sorted(cards) == sorted(state.options.deck.kind_of) else f"{len(cards)} cards at the table"


def _without(holdings: Holdings, card: str) -> Holdings:
    return replace(holdings, hands=tuple(tuple(other for other in hand if other != card) for hand in holdings.hands))
