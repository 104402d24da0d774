"""Putting the table right after a check: the rows and hands are as the players found them, the draw pile is
what is left (R3.6)."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.announcements import Announcement
from taptable.core.observations import TableCorrected
from taptable.core.verdicts import Fault, Refused
from taptable.games.online.announcements import TablePutRight
from taptable.games.online.cards import KIND_OF
from taptable.games.online.moves import Correct
from taptable.games.online.refusals import fault, refused
from taptable.games.online.score import has_won, won_by_quotas
from taptable.games.online.state import State, place_card, remove_card
from taptable.games.online.turns import end_game


def read_correction(state: State, corrected: TableCorrected) -> Correct | Refused | Fault:
    """The correction, unless a card of it is unknown or belongs in no row, or more cards would be held than
    there are."""
    for card in corrected.gone:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card})
    for card, pad in corrected.laid:
        if card not in KIND_OF:
            return fault("unknown-card", {"card": card, "pad": pad})
        if isinstance(pad, int) and KIND_OF[card].row < 0:
            return refused("lies-in-no-row", {"card": card, "pad": pad})
    move = Correct(corrected.at_us, corrected.laid, corrected.gone, corrected.hands)
    if _put_right(state, move).draw_pile < 0:
        return refused("counts-too-high", {})
    return move


def correct(state: State, move: Correct) -> tuple[State, list[Announcement]]:
    """The state as the table really is."""
    after = _put_right(state, move)
    said: list[Announcement] = [TablePutRight(tuple(card for card, _ in move.laid), move.gone, after.draw_pile)]
    winner = next((i for i, team in enumerate(after.teams) if after.is_played(i) and has_won(after, team)), None)
    return (after, said) if winner is None else end_game(after, won_by_quotas(after, winner), said)


def _put_right(state: State, move: Correct) -> State:
    moved = {*move.gone, *(card for card, _ in move.laid)}
    teams = list(state.teams)
    for index, team in enumerate(teams):
        for card in moved:
            row = KIND_OF[card].row
            if row >= 0 and card in team.rows[row]:
                team = remove_card(team, row, card)
        teams[index] = team
    discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(move.laid).items():  # one that was found twice was moved meanwhile
        if isinstance(pad, int):
            index = state.options.team_of(pad)
            teams[index] = place_card(teams[index], KIND_OF[card].row, card)
        else:
            discard = (*discard, card)
    held = dict(enumerate(state.hands, 1)) | dict(move.hands)
    hands = tuple(held[seat] for seat in range(1, len(state.hands) + 1))
    lost = tuple(card for card in state.lost if card not in moved)
    open_cards = len(discard) + sum(len(row) for team in teams for row in team.rows)
    draw_pile = len(KIND_OF) - open_cards - sum(hands) - len(lost)
    return replace(state, teams=tuple(teams), discard=discard, hands=hands, lost=lost, draw_pile=draw_pile)
