"""Applying: carries out a move that `read` found legal, and says what came of it. Decides nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from taptable.core import windows
from taptable.core.announcements import (
    Announcement,
    WindowOpened,
)
from taptable.core.arbiter import Press
from taptable.games.online import moves
from taptable.games.online.announcements import (
    AttackLaid,
    CardDiscarded,
    CardDownloaded,
    CardHacked,
    CardLaid,
    DrawPileDisturbed,
    DrawPileUsedUp,
    HackerShown,
    HackWaived,
    PilesReshuffled,
    RowBackedUp,
    SearchShown,
    SearchWaived,
)
from taptable.games.online.cards import CONNECTION, MEMORY, ROWS, Group
from taptable.games.online.correcting import correct
from taptable.games.online.leaving import vacate
from taptable.games.online.losing import lose, recover
from taptable.games.online.moves import Source
from taptable.games.online.patrolling import hear, pass_window, show_patrol
from taptable.games.online.rules import note_repairs
from taptable.games.online.score import has_won, won_as_it_stands, won_by_quotas
from taptable.games.online.state import Search, State, Team, Turn, place_card, remove_card
from taptable.games.online.turns import begin_turn, end_game, pass_time_limit, show_play, stop

Result: TypeAlias = tuple[State, list[Announcement]]


def apply(state: State, move: moves.Move) -> Result:
    """The state after a legal move, and the announcements it brings."""
    after, said = _apply(state, move)
    return note_repairs(after), said


def _apply(state: State, move: moves.Move) -> Result:
    match move:
        case moves.PickStarter():
            return _start(state, move)
        case moves.Lose():
            return lose(state, move)
        case moves.Recover():
            return recover(state, move)
        case _:
            assert state.turn is not None
            return _apply_in_turn(state, state.turn, move)


def _apply_in_turn(state: State, turn: Turn, move: moves.MoveInTurn) -> Result:
    match move:
        case moves.LayCard():
            return _lay(state, turn, move)
        case moves.ReactWith():
            team = place_card(state.teams[move.team], move.kind.row, move.card)
            reacted = replace(state, teams=state.with_team(move.team, team), hands=state.with_hand(move.seat, -1))
            return reacted, [CardLaid(move.seat, move.card, move.pad)]
        case moves.DiscardCard():
            return _discard(state, turn, move)
        case moves.ShowHacker():
            return _show_hacker(state, turn, move)
        case moves.ShowSearch():
            state, turn, said = _take(state, turn, move.card, move.source)
            shown = replace(state, discard=(*state.discard, move.card), pending=Search(move.at_us))
            return shown, [*said, SearchShown(turn.seat, move.card), *_after_search(shown, move.source)]
        case moves.Buzz():
            press = Press(move.seat, move.pressed_at_us, move.uncertainty_us)
            return hear(state, press, move.at_us)
        case moves.ShowPatrol():
            return show_patrol(state, turn, move)
        case moves.BackUp():
            team = state.teams[move.team]
            backed_up = replace(team, backed_up=team.backed_up | {move.row})
            return replace(state, teams=state.with_team(move.team, backed_up)), [RowBackedUp(turn.seat, ROWS[move.row])]
        case moves.EndTurn():
            return stop(state, turn, move.at_us)
        case moves.Waive():
            waived = replace(state, pending=None)
            if isinstance(state.pending, Search):
                return waived, [SearchWaived(turn.seat), *_after_search(waived, Source.DRAW_PILE)]
            return waived, [HackWaived(turn.seat)]
        case moves.Reshuffle():
            return _reshuffle(state, turn)
        case moves.Correct():
            return correct(state, move)
        case moves.EndGame():
            return end_game(state, won_as_it_stands(state, "agreement"), [])
        case moves.Vacate():
            return vacate(state, turn, move)
        case moves.PassDeadline() if not state.time_up and state.ends_at_us == move.at_us:
            return pass_time_limit(state)
        case moves.PassDeadline():
            return pass_window(state, turn, move.at_us)


def deadline(state: State) -> int | None:
    """When something happens by itself, in table time; None if nothing will."""
    if state.outcome is not None:
        return None
    limit_us = None if state.time_up else state.ends_at_us
    if state.window is None:
        return limit_us
    window_us = windows.deadline(state.window)
    return window_us if limit_us is None else min(limit_us, window_us)


def _start(state: State, move: moves.PickStarter) -> Result:
    """The youngest begins; the time limit runs from here (R2.3, R10.3)."""
    limit_us = state.options.time_limit_us
    running = replace(state, ends_at_us=None if limit_us is None else move.at_us + limit_us)
    return begin_turn(running, state.options.order.index(move.seat), move.at_us)


def _take(state: State, turn: Turn, card: str, source: Source) -> tuple[State, Turn, list[Announcement]]:
    """The state without the card that is played now, wherever it comes from but a row."""
    if source is Source.HAND:
        state, turn, said = show_play(state, turn)
        return replace(state, hands=state.with_hand(turn.seat, -1)), turn, said
    if source is Source.DRAW_PILE:
        return replace(state, draw_pile=state.draw_pile - 1, pending=None), turn, []
    assert source is Source.DISCARD
    return replace(state, discard=tuple(other for other in state.discard if other != card), pending=None), turn, []


def _lay(state: State, turn: Turn, move: moves.LayCard) -> Result:
    """A card comes onto a row: hacked, searched or played; a download counts, an attack allows a reaction, a quota
    may win."""
    said: list[Announcement] = []
    if move.origin is not None:
        origin = remove_card(state.teams[move.origin], move.kind.row, move.card)
        state = replace(state, teams=state.with_team(move.origin, origin), pending=None)
    else:
        state, turn, said = _take(state, turn, move.card, move.source)
    if move.source in (Source.ROW, Source.DISCARD):
        seats = () if move.origin is None else state.options.teams[move.origin]
        said.append(CardHacked(turn.seat, move.card, seats, move.pad))
    team = place_card(state.teams[move.team], move.kind.row, move.card)
    if move.kind.group is Group.CATEGORY:
        own = move.team == state.options.team_of(turn.seat)
        receiver = turn.seat if own else state.player_at(move.pad)
        assert receiver is not None  # nothing is laid where nobody plays (R2.5)
        team = replace(team, last_downloader=receiver)
        turn = replace(turn, downloads=turn.downloads + 1) if own else turn
        said.append(CardDownloaded(receiver, move.card, move.pad, team.mb))
    elif move.kind.group is Group.ATTACK:
        row = {(move.team, move.kind.row)}
        turn = replace(turn, attacked=turn.attacked | row, repaired=turn.repaired - row)
        said.append(AttackLaid(turn.seat, move.card, move.pad))
    else:
        said.append(CardLaid(turn.seat, move.card, move.pad))
    said += _after_search(state, move.source)
    state = replace(state, teams=state.with_team(move.team, team), turn=turn)
    if move.kind.group is Group.CATEGORY and has_won(state, team):
        return end_game(state, won_by_quotas(state, move.team), said)
    return state, said


def _discard(state: State, turn: Turn, move: moves.DiscardCard) -> Result:
    """A card goes onto the discard pile; a plain one counts towards an exchange (R3.3)."""
    discard = (*state.discard, move.card)
    if move.origin is not None:
        team = remove_card(state.teams[move.origin], move.kind.row, move.card)
        hacked = replace(state, teams=state.with_team(move.origin, team), discard=discard, pending=None)
        return hacked, [CardHacked(turn.seat, move.card, state.options.teams[move.origin], "discard")]
    said: list[Announcement] = [CardDiscarded(turn.seat, move.card)]
    if move.source is Source.DRAW_PILE:
        searched = replace(state, discard=discard, draw_pile=state.draw_pile - 1, pending=None)
        return searched, [*said, *_after_search(searched, move.source)]
    hands = state.with_hand(turn.seat, -1)
    return replace(state, discard=discard, hands=hands, turn=replace(turn, discards=turn.discards + 1)), said


def _show_hacker(state: State, turn: Turn, move: moves.ShowHacker) -> Result:
    """The hacker lies on the discard pile and the window opens (R7.1)."""
    state, turn, said = _take(state, turn, move.card, move.source)
    options = state.options
    window = windows.BuzzWindow(
        owner=turn.seat,
        seats=options.players,
        opened_at_us=move.at_us,
        closes_at_us=move.at_us + options.patrol_window_us,
        settle_us=options.settle_us,
        claim_us=options.claim_us,
    )
    shown = replace(state, discard=(*state.discard, move.card), window=window)
    said += [HackerShown(turn.seat, move.card), WindowOpened(turn.seat, window.closes_at_us)]
    return shown, [*said, *_after_search(shown, move.source)]


def _after_search(state: State, source: Source) -> list[Announcement]:
    """A draw pile that was looked through is to be shuffled, unless its last card was taken (R8.2, R9.2)."""
    if source is not Source.DRAW_PILE:
        return []
    return [DrawPileDisturbed()] if state.draw_pile else [DrawPileUsedUp()]


def _reshuffle(state: State, turn: Turn) -> Result:
    """Rows of connection and memory keep their top card; the rest and the discard pile are the new draw pile (R9.1)."""
    gathered = len(state.discard)
    teams: list[Team] = []
    for team in state.teams:
        gathered += sum(max(0, len(team.rows[row]) - 1) for row in (CONNECTION, MEMORY))
        teams.append(replace(team, rows=(team.rows[CONNECTION][-1:], team.rows[MEMORY][-1:], *team.rows[MEMORY + 1 :])))
    draw_pile = state.draw_pile + gathered
    drawn = min(turn.owed, draw_pile)
    shuffled = replace(
        state,
        teams=tuple(teams),
        discard=(),
        draw_pile=draw_pile - drawn,
        hands=state.with_hand(turn.seat, drawn),
        turn=replace(turn, owed=turn.owed - drawn),
    )
    return shuffled, [PilesReshuffled(draw_pile - drawn, drawn)]
