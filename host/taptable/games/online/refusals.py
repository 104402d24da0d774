"""Every refusal, ignored gesture and fault of ONLINE: its stable code and the rule it stands on. Its sentence is in
the catalogues."""

from __future__ import annotations

from taptable.core.codes import Codes
from taptable.core.verdicts import Facts
from taptable.games.online.state import State, Turn

CODES = Codes(
    faults={
        "unknown-card": "R11",
    },
    refusals={
        "game-over": "R10.1",
        "waiting-for-youngest": "R2.3",
        "belongs-in-row": "R11",
        "belongs-on-discard-pile": "R11",
        "hack-own-row": "R7.7",
        "hack-backed-up": "R7.7",
        "hack-not-under-hacker": "R7.7",
        "hack-no-patrol": "R7.7",
        "hack-top-only": "R7.8",
        "hack-never-for-oneself": "R7.9",
        "hack-line-not-up": "R7.9",
        "gift-line-not-up": "R7.11",
        "gift-memory-not-open": "R7.11",
        "gift-row-backed-up": "R7.11",
        "patrol-locked-out": "R7.4",
        "patrol-by-hacker": "R7.2",
        "patrol-by-team-mate": "R7.2",
        "patrol-too-late": "R7.4",
        "window-open": "R7.1",
        "hack-pending": "R7.7",
        "searched-onto-row": "R8.1",
        "searched-not-discarded": "R8.1",
        "draw-pile-used-up": "R9.2",
        "exchange-begun": "R3.3",
        "one-discard-only": "R3.3",
        "hand-used-up": "R3.8",
        "access-on-other-pad": "R6.2",
        "line-up-again": "R6.2",
        "memory-open-again": "R6.2",
        "row-not-attacked": "R6.2",
        "category-on-other-pad": "R5.1",
        "hacker-on-other-pad": "R7.1",
        "search-on-other-pad": "R8.1",
        "patrol-without-hacker": "R7.6",
        "attack-on-own-team": "R6.1",
        "line-already-open": "R4.1",
        "line-has-password-error": "R4.1",
        "line-has-virus": "R4.1",
        "turbo-already-there": "R4.2",
        "turbo-password-error": "R4.2",
        "turbo-virus": "R4.2",
        "memory-already-open": "R4.3",
        "no-password-error": "R4.4",
        "no-virus": "R4.4",
        "no-line-to-attack": "R6.1",
        "no-memory-to-attack": "R6.1",
        "line-not-up": "R5.1",
        "memory-not-open": "R5.3",
        "row-backed-up": "R5.5",
        "rate-used-up": "R5.2",
        "card-lost": "R1.1",
        "lost-with-empty-pile": "R1.1",
        "nobody-plays-there": "R2.5",
        "counts-too-high": "R3.6",
        "lies-in-no-row": "R1",
    },
    ignored={
        "already-there": "R11",
        "nothing-to-back-up": "R5.5",
        "shown-already": "R7.5",
        "own-window": "R3.7",
        "locked-out": "R3.7",
        "pressed-already": "R3.7",
        "pressed-too-early": "R3.7",
        "pressed-too-late": "R3.7",
        "may-not-patrol": "R3.7",
        "not-on-turn": "R3.7",
        "game-is-over": "R3.7",
        "seat-left": "R2.5",
        "vacated-already": "R2.5",
        "lost-already": "R1.1",
        "not-lost": "R1.1",
    },
)

refused, ignored, fault = CODES.refuse, CODES.ignore, CODES.fault


def play_facts(state: State, turn: Turn, card: str, pad: int, team: int) -> Facts:
    """What the refusal of a play on a team's rows may tell besides card and pad: who is on turn, the seats of that
    player's team, the kind on top of the connection row, and the rate."""
    target = state.teams[team]
    return {
        "card": card,
        "pad": pad,
        "seat": turn.seat,
        "seats": state.options.teams[state.options.team_of(turn.seat)],
        "top": target.connection or "empty",
        "rate": target.rate,
    }
