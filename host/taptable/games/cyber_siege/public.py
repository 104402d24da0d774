"""The views of Cyber Siege's state: the public state, ready for JSON, with the names that docs/cyber-siege.md states;
the scoreboard; and the open cards. Must not change a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from taptable.core.player import Zone
from taptable.core.scoreboard import Count, RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.games.cyber_siege.state import State

SETS, LAYING, DISCARD = "sets", "laying", "discard-pile"


def zones(
    sets: Sequence[tuple[str, ...]], laying: tuple[str, ...], on_turn: int | None, discard: tuple[str, ...]
) -> tuple[Zone, ...]:
    """Return the open cards, by belief or in truth: each seat's laid sets, and the set it is laying; then the discard
    pile."""
    laid: list[Zone] = []
    for seat, cards in enumerate(sets, 1):
        laid.append(Zone(SETS, (seat,), cards))
        laid.append(Zone(LAYING, (seat,), laying if seat == on_turn else ()))
    return (*laid, Zone(DISCARD, (), discard))


def public_state(state: State) -> dict[str, Any]:
    """Return all that the table knows, by the names of the public interface; times are in seconds."""
    turn, laying, launch = state.turn, state.laying, state.launch
    return {
        "turn": {
            "seat": turn.seat if turn else None,
            "draw": turn.draw if turn else None,
            "used": list(turn.used) if turn else [],
        },
        "teams": [_team(state, seat) for seat in range(1, state.options.players + 1)],
        "discard": list(state.discard),
        "red_pile": state.red_pile,
        "purple_pile": state.purple_pile,
        "window": _window(state),
        "pending": state.pending,
        "laying": {"card": laying.card, "red": list(laying.red)} if laying else None,
        "launch_until": launch.window.closes_at_us / US_PER_S if launch else None,
        "owed": state.owed_draws or state.owed_discards,
        "outcome": scoreboard(state).outcome,
    }


def scoreboard(state: State) -> Scoreboard:
    """Return the content of the OLED and the page: points, laid sets, hands, piles, the turn and the running window."""
    places = dict(state.outcome.ranking) if state.outcome else {}
    owed = state.owed_draws or state.owed_discards
    scores = tuple(
        TeamScore(
            seats=(seat,),
            score=state.points(seat),
            counts=(Count("sets", len(player.sets)), Count("one-points", player.one_points)),
            place=places.get(seat),
        )
        for seat, player in enumerate(state.players, 1)
    )
    return Scoreboard(
        unit="points",
        teams=scores,
        seat=state.turn.seat if state.turn else None,
        window=_running_window(state),
        pending=state.pending,
        stock=(Count("red-pile", state.red_pile), Count("purple-pile", state.purple_pile)),
        hands=tuple((Count("red", player.red), Count("purple", player.purple)) for player in state.players),
        over=state.outcome is not None,
        by=state.outcome.by if state.outcome else None,
        pending_facts=_completion_facts(state) or ((("owed", owed),) if owed else ()),
    )


def _completion_facts(state: State) -> tuple[tuple[str, object], ...]:
    """Return the facts about the cards that are missing in the set being laid."""
    if state.laying is None:
        return ()
    return tuple(zip(("missing", "any_of", "left"), state.completion(state.laying), strict=True))


def _team(state: State, seat: int) -> dict[str, Any]:
    player = state.player(seat)
    return {
        "seats": [seat],
        "points": state.points(seat),
        "one_points": player.one_points,
        "sets": list(player.sets),
        "red": player.red,
        "purple": player.purple,
    }


def _window(state: State) -> dict[str, Any] | None:
    attack = state.attack
    if attack is None:
        return None
    return {
        "attacker": attack.window.owner,
        "defender": attack.defender,
        "card": attack.card,
        "opened_at": attack.window.opened_at_us / US_PER_S,
        "closes_at": attack.window.closes_at_us / US_PER_S,
    }


def _running_window(state: State) -> RunningWindow | None:
    """Return the running window. A launch counts as one here too: its owner may press."""
    if state.launch is not None:
        window, kind, answerer = state.launch.window, "launch", state.launch.window.owner
    elif state.attack is not None:
        window, kind, answerer = state.attack.window, "defence", state.attack.defender
    else:
        return None
    return RunningWindow(window.owner, window.opened_at_us, window.closes_at_us, kind=kind, answerer=answerer)
