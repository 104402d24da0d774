"""What a virtual player of Cyber Siege would like to do: lay sets, keep what they need and what defends, launch what
is left. Sensible, not brilliant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from taptable.core.observations import DISCARD_PAD
from taptable.core.player import Deed, Push, Tap, UseControl
from taptable.games.cyber_siege.cards import Effect, Group, Kind, fits_attack
from taptable.games.cyber_siege.holdings import Cards, Holdings
from taptable.games.cyber_siege.reading import may_end_turn
from taptable.games.cyber_siege.state import Attack, Laying, State, Turn, missing

LONG_GAME = 400
"""Turns after which players have had enough: house rules may let a game go on for ever."""
LAZY_LAUNCH, LAZY_DEFENCE = 9, 3
"""Every so manieth turn a player lets the time of a launch pass, or that of an attack it can't stop."""


def next_deed(state: State, holdings: Holdings, turn: Turn) -> Deed | None:
    """What the player on turn does, with no attack under way."""
    seat = turn.seat
    if state.owed_draws:
        return UseControl(seat, "reshuffle")
    if state.launch is not None:
        return _launch(state, holdings, seat)
    if state.laying is not None:
        return _lay_next(state, state.laying, holdings, seat)
    if holdings.turns > LONG_GAME:
        return UseControl(seat, "end-game")
    if state.owed_discards:
        return Tap(seat, _least_useful(state, holdings, seat, holdings.held(seat, red=True)), DISCARD_PAD)
    if turn.draw is None and not holdings.drew:
        if _wants_discard(state, holdings, turn):
            return Tap(seat, holdings.discard[-1], seat)
        if not holdings.red_pile:
            return UseControl(seat, "reshuffle")
    if may_end_turn(state, turn):
        return Push(seat)
    return _play(state, holdings, seat, to_play(state, holdings, seat))


def answer(state: State, attack: Attack, holdings: Holdings) -> Deed | None:
    """What the defender does: defends if that is wise, else takes the hit, or waits for it."""
    seat = attack.defender
    attacking = state.kind(attack.card)
    fitting = [card for card in holdings.hand(seat) if fits_attack(attacking, state.kind(card))]
    plain = [card for card in fitting if state.kind(card).group is Group.DEFENCE]
    if plain:
        return Tap(seat, plain[0], seat)
    harmless = attacking.icon is None or attacking.icon.effect is Effect.NONE
    if fitting and (len(fitting) > 1 or not harmless):
        return Tap(seat, fitting[0], seat)
    return None if holdings.turns % LAZY_DEFENCE == 0 else Push(seat)


def to_play(state: State, holdings: Holdings, seat: int) -> Cards:
    """The cards a seat has to choose from: a draw that is due is made before the first of them is shown."""
    hand = holdings.hand(seat)
    turn = state.turn
    draws = turn is not None and turn.draw is None and not holdings.drew
    return (*hand, *holdings.red_pile[-1:]) if draws else hand


def _launch(state: State, holdings: Holdings, seat: int) -> Deed | None:
    """Most attacks are launched; not one that could bring the next player the last point."""
    defender = state.options.next_seat(seat)
    if state.points(seat) + 1 < state.options.target_points <= state.points(defender) + 1:
        return UseControl(seat, "spare")
    return None if holdings.turns % LAZY_LAUNCH == 0 else Push(seat)


def _play(state: State, holdings: Holdings, seat: int, cards: Cards) -> Deed:
    """A set that can be laid whole, else the discard that is missed least."""
    sets = [card for card in cards if not holdings.is_red(card) and _lacks(state.kind(card), cards, state) == 0]
    if sets:
        return Tap(seat, max(sets, key=lambda card: (len(state.kind(card).needs), card)), seat)
    red = tuple(card for card in cards if holdings.is_red(card))
    return Tap(seat, _least_useful(state, holdings, seat, red), DISCARD_PAD)


def _lay_next(state: State, laying: Laying, holdings: Holdings, seat: int) -> Deed:
    """The next card of the set: by its name, else an admin; the button if there is none."""
    names = missing(state, laying)
    hand = holdings.held(seat, red=True)
    named = [card for card in hand if state.kind(card).id in names]
    admins = [card for card in hand if state.kind(card).group is Group.ADMIN]
    card = next(iter((*named, *admins)), None)
    return Push(seat) if card is None else Tap(seat, card, seat)


def _wants_discard(state: State, holdings: Holdings, turn: Turn) -> bool:
    """Would the top of the discard pile leave some set with one card missing, or none?"""
    if not holdings.discard or holdings.discard[-1] in turn.used:
        return False
    hand, top = holdings.hand(turn.seat), holdings.discard[-1]
    sets = [state.kind(card) for card in hand if not holdings.is_red(card)]
    lacking = [(_lacks(kind, hand, state), _lacks(kind, (*hand, top), state)) for kind in sets]
    return any(now > then and then < 2 for now, then in lacking)


def _lacks(set_kind: Kind, cards: Iterable[str], state: State) -> int:
    """How many cards are missing for a set, admins counted in."""
    held = Counter(state.kind(card).id for card in cards)
    admins = sum(1 for card in cards if state.kind(card).group is Group.ADMIN)
    return max(0, (Counter(set_kind.needs) - held).total() - admins)


def _least_useful(state: State, holdings: Holdings, seat: int, red: Cards) -> str:
    """The red card that is missed least: it is in none of the sets in hand, or there is another like it."""
    sets = [state.kind(card) for card in holdings.hand(seat) if not holdings.is_red(card)]
    needed = {name for kind in sets for name in kind.needs}
    count = Counter(state.kind(card).id for card in red)

    def worth(card: str) -> tuple[int, str]:
        kind = state.kind(card)
        if kind.group is Group.ADMIN:
            return 40, card
        useful = 20 if kind.id in needed and count[kind.id] == 1 else 0
        return useful + (3 if kind.group is Group.DEFENCE else 0), card

    return min(red, key=worth)
