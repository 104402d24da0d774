"""Cards that can't be found (R1.1): out of the game until they turn up."""

from __future__ import annotations

from dataclasses import replace

from taptable.core import windows
from taptable.core.announcements import Announcement
from taptable.core.observations import CardLost, CardRecovered
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.online.announcements import CardPutBack, CardTakenOut
from taptable.games.online.cards import CATEGORY_ROWS, KIND_OF
from taptable.games.online.moves import Lose, Recover
from taptable.games.online.refusals import fault, ignored, refused
from taptable.games.online.state import State, Team, remove_card
from taptable.games.online.turns import used_up


def read_loss(state: State, observation: CardLost | CardRecovered) -> Lose | Recover | Refused | Ignored | Fault:
    """A card that is lost or found, before the first turn too, but for one that is so already."""
    card = observation.card
    facts = {"card": card}
    if card not in KIND_OF:
        return fault("unknown-card", facts)
    if state.outcome is not None:
        return refused("game-over", facts)
    if isinstance(observation, CardRecovered):
        return Recover(observation.at_us, card) if card in state.lost else ignored("not-lost", facts)
    if card in state.lost:
        return ignored("lost-already", facts)
    if state.draw_pile == 0 and _is_hidden(state, card):
        return refused("lost-with-empty-pile", facts)
    return Lose(observation.at_us, card)


def lose(state: State, move: Lose) -> tuple[State, list[Announcement]]:
    """The state without the card, wherever it was; hidden, it is counted off the draw pile, since whoever held it draws
    another."""
    card = move.card
    after = replace(
        state,
        teams=tuple(_without(state, team, card) for team in state.teams),
        discard=tuple(other for other in state.discard if other != card),
        draw_pile=state.draw_pile - _is_hidden(state, card),
        window=None if state.window is None else windows.unshow(state.window, card),
        lost=(*state.lost, card),
    )
    return after, [CardTakenOut(card, after.draw_pile), *used_up(state, after)]


def recover(state: State, move: Recover) -> tuple[State, list[Announcement]]:
    """The state with the card in the draw pile."""
    draw_pile = state.draw_pile + 1
    lost = tuple(card for card in state.lost if card != move.card)
    return replace(state, draw_pile=draw_pile, lost=lost), [CardPutBack(move.card, draw_pile)]


def _is_hidden(state: State, card: str) -> bool:
    return card not in state.discard and not any(card in row for team in state.teams for row in team.rows)


def _without(state: State, team: Team, card: str) -> Team:
    """The team without the card; a backup that holds no more what it needs is none (R5.5), or it could never again."""
    row = KIND_OF[card].row
    if row < 0 or card not in team.rows[row]:
        return team
    left = remove_card(team, row, card)
    if row in CATEGORY_ROWS and len(left.rows[row]) < max(1, state.options.quotas[row - CATEGORY_ROWS[0]]):
        left = replace(left, backed_up=left.backed_up - {row})
    return left
