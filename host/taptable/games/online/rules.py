"""What may lie where: each rule about a card and the row it goes onto, as a question answered by the code of the
objection, or None."""

from __future__ import annotations

from dataclasses import replace

from taptable.games.online.cards import (
    ANTIVIRUS,
    CONNECTION,
    EXTRA_MEMORY,
    MEMORY_FULL,
    ONLINE,
    PASSWORD_OK,
    TURBO_LINE,
    Kind,
)
from taptable.games.online.state import State, Team


def access_objection(kind: Kind, team: Team) -> str | None:
    """Why an access card may not lie on this team's rows (R4.1 to R4.4)."""
    top = team.connection
    if kind is ONLINE:
        return {
            "online": "line-already-open",
            "turbo-line": "line-already-open",
            "password-error": "line-has-password-error",
            "virus": "line-has-virus",
        }.get(top or "")
    if kind is TURBO_LINE:
        return {
            "turbo-line": "turbo-already-there",
            "password-error": "turbo-password-error",
            "virus": "turbo-virus",
        }.get(top or "")
    if kind is EXTRA_MEMORY:
        return "memory-already-open" if team.memory_open else None
    if kind is PASSWORD_OK:
        return None if top == "password-error" else "no-password-error"
    assert kind is ANTIVIRUS
    return None if top == "virus" else "no-virus"


def was_attacked(state: State, team: int) -> bool:
    """Was an attack laid on any row of this team in this turn (R6.2)?"""
    return state.turn is not None and any(attacked == team for attacked, _ in state.turn.attacked)


def may_react(state: State, team: int, row: int) -> bool:
    """Is this row open to an access card of its team out of turn (R6.2)?"""
    turn = state.turn
    if turn is None:
        return False
    if state.options.edition.reacts_anywhere:
        return was_attacked(state, team)
    return (team, row) in turn.attacked - turn.repaired


def access_elsewhere(state: State, team: int, row: int) -> str:
    """Why an access card may not be laid on this row of a team that isn't on turn (R6.2)."""
    assert state.turn is not None
    if (team, row) in state.turn.repaired:
        return "line-up-again" if row == CONNECTION else "memory-open-again"
    return "row-not-attacked" if was_attacked(state, team) else "access-on-other-pad"


def note_repairs(state: State) -> State:
    """The state in which rows that are up or open again can no longer be reacted on (R6.2)."""
    turn = state.turn
    if turn is None or turn.repaired == turn.attacked:
        return state
    repaired = {(team, row) for team, row in turn.attacked if state.teams[team].works(row)}
    return replace(state, turn=replace(turn, repaired=turn.repaired | repaired))


def attack_objection(kind: Kind, team: Team) -> str | None:
    """Why an attack card may not lie on this opponent's rows (R6.1)."""
    if kind is MEMORY_FULL:
        return None if team.memory_open else "no-memory-to-attack"
    return None if team.rate else "no-line-to-attack"


def download_objection(kind: Kind, team: Team, downloads: int) -> str | None:
    """Why a category card may not be downloaded by a player who has done so `downloads` times this turn (R5.1,
    R5.3, R5.5, R5.2)."""
    if not team.rate:
        return "line-not-up"
    return _room_objection(kind, team) or ("rate-used-up" if downloads >= team.rate else None)


def hacked_download_objection(kind: Kind, team: Team, state: State) -> str | None:
    """Why a hacked category card may not be taken for oneself (R7.9, then as a download)."""
    if not state.options.edition.hack_for_oneself:
        return "hack-never-for-oneself"
    downloads = state.turn.downloads if state.turn else 0
    objection = download_objection(kind, team, downloads)
    return "hack-line-not-up" if objection == "line-not-up" else objection


def gift_objection(kind: Kind, team: Team) -> str | None:
    """Why a hacked category card may not be given to this opponent (R7.11)."""
    if not team.rate:
        return "gift-line-not-up"
    return {None: None, "memory-not-open": "gift-memory-not-open", "row-backed-up": "gift-row-backed-up"}[
        _room_objection(kind, team)
    ]


def may_back_up(state: State, team: int, row: int) -> bool:
    """Does this category row hold what a backup needs (R5.5)?"""
    cards = len(state.teams[team].rows[row])
    quota = state.options.quotas[row - 2]
    return 0 < cards >= quota and row not in state.teams[team].backed_up


def _room_objection(kind: Kind, team: Team) -> str | None:
    if kind.big and not team.memory_open:
        return "memory-not-open"
    return "row-backed-up" if kind.row in team.backed_up else None
