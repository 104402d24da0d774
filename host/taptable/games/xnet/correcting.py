"""Putting the table right after a check: topics and hands are as the players found them, the draw pile is what is
left (X5.10). The pyramid lies open before everybody and isn't checked."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement
from taptable.core.observations import TableCorrected
from taptable.core.verdicts import Facts, Fault, Refused
from taptable.games.xnet.announcements import TablePutRight
from taptable.games.xnet.doing import break_off
from taptable.games.xnet.moves import Correct
from taptable.games.xnet.refusals import fault, refused
from taptable.games.xnet.state import CARDS_A_TOPIC, SERVER, Offer, Provider, State, Turn


def read_correction(state: State, turn: Turn, corrected: TableCorrected) -> Correct | Refused | Fault:
    """The correction, unless a card of it is unknown or can't lie where it was found, or more cards would be held than
    there are."""
    deck = state.options.deck
    pads = {**dict.fromkeys(corrected.gone), **dict(corrected.laid)}
    for card, pad in pads.items():
        facts: Facts = {"card": card} if pad is None else {"card": card, "pad": pad}
        if card not in deck.cards:
            return fault("unknown-card", facts)
        if pad == "demand" or state.locate(card) == "demand":
            return refused("demand-stays", facts)
    move = Correct(corrected.laid, corrected.gone, corrected.hands)
    right = _put_right(break_off(state, turn)[0], move)
    for card, pad in corrected.laid:
        code = _misfit(right, card, pad) if isinstance(pad, int) else None
        if code is not None:
            return refused(code, {"card": card, "pad": pad, "topic": state.topic_of(card)})
    return refused("counts-too-high") if right.draw_pile < 0 else move


def correct(state: State, turn: Turn, move: Correct) -> tuple[State, list[Announcement]]:
    """The state as the table really is; an action is broken off before."""
    stopped, said = break_off(state, turn)
    after = _put_right(stopped, move)
    return after, [*said, TablePutRight(tuple(card for card, _ in move.laid), move.gone, after.draw_pile)]


def _misfit(state: State, card: str, seat: int) -> str | None:
    """Why a card that was found before a provider can't lie there, as a code (X3.6, X3.7)."""
    provider = state.provider(seat)
    offer = provider.offer(state.topic_of(card))
    assert offer is not None
    if offer.on == SERVER and len(offer.cards) > CARDS_A_TOPIC and not offer.specialist:
        return "needs-specialist"
    return None if provider.fits else "servers-full"


def _put_right(state: State, move: Correct) -> State:
    moved = {*move.gone, *(card for card, _ in move.laid)}
    providers = [_without(provider, moved) for provider in state.providers]
    discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(move.laid).items():  # one that was found twice was moved meanwhile
        if isinstance(pad, int):
            providers[pad - 1] = _with_card(providers[pad - 1], state.topic_of(card), card)
        else:
            discard = (*discard, card)
    for seat, hand in move.hands:
        providers[seat - 1] = replace(providers[seat - 1], hand=hand)
    providers = [replace(each, offers=tuple(offer for offer in each.offers if offer.cards)) for each in providers]
    helped = sum(offer.specialist for provider in providers for offer in provider.offers)
    before = sum(offer.specialist for provider in state.providers for offer in provider.offers)
    laid = sum(len(offer.cards) for provider in providers for offer in provider.offers)
    held = sum(provider.hand for provider in providers)
    open_cards = laid + len(discard) + len(state.demand)
    return replace(
        state,
        providers=tuple(providers),
        discard=discard,
        specialists=state.specialists + before - helped,
        draw_pile=len(state.options.deck.cards) - open_cards - held,
    )


def _without(provider: Provider, cards: set[str]) -> Provider:
    """The provider without these cards; a topic with none left keeps its place for now, they may be laid again."""
    offers = tuple(
        replace(offer, cards=tuple(card for card in offer.cards if card not in cards)) for offer in provider.offers
    )
    return replace(provider, offers=offers)


def _with_card(provider: Provider, topic: str, card: str) -> Provider:
    offer = provider.offer(topic)
    if offer is None:
        return replace(provider, offers=(*provider.offers, Offer(topic, (card,))))
    return provider.with_offer(replace(offer, cards=(*offer.cards, card)))
