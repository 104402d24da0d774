"""The views of ONLINE's state: the public state, ready for JSON, with the names that docs/referee.md states; the
scoreboard; and the open cards. Must not change a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from taptable.core.player import Zone
from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Mark, RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.games.online.cards import CATEGORIES, CATEGORY_ROWS, CONNECTION, MEMORY, ROWS
from taptable.games.online.state import Hack, State
from taptable.games.online.turns import CATEGORY_CARDS, decisive_count

DISCARD_PILE = "discard-pile"


def zones(
    teams: Iterable[tuple[int, ...]], rows: Iterable[Sequence[tuple[str, ...]]], discard: tuple[str, ...]
) -> tuple[Zone, ...]:
    """Return the open cards, by belief or in truth: the six rows of each team, in the order of `ROWS`, then the discard
    pile."""
    laid = [
        Zone(place, seats, cards)
        for seats, team in zip(teams, rows, strict=True)
        for place, cards in zip(ROWS, team, strict=True)
    ]
    return (*laid, Zone(DISCARD_PILE, (), discard))


def public_state(state: State) -> dict[str, Any]:
    """Return all that the table knows, by the names of the public interface; times are in seconds."""
    turn = state.turn
    return {
        "turn": {
            "seat": turn.seat if turn else None,
            "downloads": turn.downloads if turn else 0,
            "mode": turn.mode if turn else None,
        },
        "teams": [_team(state, index) for index in range(len(state.teams))],
        "discard": list(state.discard),
        "draw_pile": state.draw_pile,
        "owed": _owed(state),
        "skips": sorted(state.skips),
        "vacated": sorted(state.vacated),
        "lost": list(state.lost),
        "window": _window(state),
        "ends_at": None if state.ends_at_us is None else state.ends_at_us / US_PER_S,
        "pending": pending_name(state),
        "outcome": scoreboard(state).outcome,
    }


def scoreboard(state: State) -> Scoreboard:
    """Return the content of the OLED and the page: megabytes, quotas, lines, the turn and the running window."""
    places = dict(state.outcome.ranking) if state.outcome else {}
    scores = tuple(
        TeamScore(
            seats=state.options.teams[index],
            score=team.mb,
            marks=tuple(
                Mark(kind.id, len(team.rows[kind.row]), quota, kind.row in team.backed_up)
                for kind, quota in zip(CATEGORIES, state.options.quotas, strict=True)
            ),
            state=team.line,
            allowance=team.rate,
            place=places.get(index),
            decisive=_decisive(state, index),
        )
        for index, team in enumerate(state.teams)
    )
    turn = state.turn
    downloads_left = max(0, state.teams[state.options.team_of(turn.seat)].rate - turn.downloads) if turn else 0
    return Scoreboard(
        unit="MB",
        teams=scores,
        seat=turn.seat if turn else None,
        allowance_left=downloads_left,
        window=_running_window(state),
        pending=pending_name(state),
        stock=(Count(DRAW_PILE, state.draw_pile),),
        hands=tuple((Count(HAND, hand),) for hand in state.hands),
        over=state.outcome is not None,
        by=state.outcome.by if state.outcome else None,
        vacated=tuple(sorted(state.vacated)),
        lost=state.lost,
        ends_at_us=state.ends_at_us,
        skips=tuple(sorted(state.skips)),
    )


def pending_name(state: State) -> str | None:
    """Return ``hack``, ``search`` or None."""
    if state.pending is None:
        return None
    return "hack" if isinstance(state.pending, Hack) else "search"


def _owed(state: State) -> list[dict[str, int]]:
    """Return the seats that draw cards at the reshuffle, in this order, with the number of cards (R9.2)."""
    turn = state.turn
    owed = (*state.owed, *([(turn.seat, turn.owed)] if turn and turn.owed else []))
    return [{"seat": seat, "cards": cards} for seat, cards in owed]


def _decisive(state: State, team: int) -> Count | None:
    """Return the count that decides where that isn't megabytes; from the beginning if a time limit was agreed
    (R10.3)."""
    options = state.options
    if state.outcome is None and options.time_limit_us is not None and options.edition.time_counts_cards:
        return Count(CATEGORY_CARDS, state.teams[team].category_cards)
    return decisive_count(state, team)


def _team(state: State, index: int) -> dict[str, Any]:
    team = state.teams[index]
    seats = state.options.teams[index]
    return {
        "seats": list(seats),
        "mb": team.mb,
        "line": team.line,
        "rate": team.rate,
        "connection": list(team.rows[CONNECTION]),
        "memory": list(team.rows[MEMORY]),
        "rows": {ROWS[row]: list(team.rows[row]) for row in CATEGORY_ROWS},
        "backed_up": [ROWS[row] for row in sorted(team.backed_up)],
        "hands": {str(seat): state.hands[seat - 1] for seat in seats},
    }


def _window(state: State) -> dict[str, Any] | None:
    window = state.window
    if window is None:
        return None
    claim = window.claim
    return {
        "hacker": window.owner,
        "opened_at": window.opened_at_us / US_PER_S,
        "closes_at": window.closes_at_us / US_PER_S,
        "claim": {"seat": claim.seat, "until": claim.until_us / US_PER_S} if claim else None,
    }


def _running_window(state: State) -> RunningWindow | None:
    window = state.window
    if window is None:
        return None
    pressed = tuple(press.seat for press in sorted(window.presses, key=lambda press: press.pressed_at_us))
    running = RunningWindow(window.owner, window.opened_at_us, window.closes_at_us, pressed_seats=pressed)
    if window.claim is None:
        return running
    ruling = window.claim.ruling
    return replace(
        running,
        claim_seat=window.claim.seat,
        claim_until_us=window.claim.until_us,
        claim_us=window.claim_us,
        tied=ruling.tied,
        margin_us=ruling.margin_us,
        uncertainty_us=ruling.uncertainty_us,
    )
