"""The rules of ONLINE about cards and rows: each is a function that returns the code of an objection, or None. Also
every code of a refusal, an ignored observation or a fault, with its rule. Their sentences are in the catalogues. The
code `not-on-turn` is here an ignored press of a button; in the other games it is a refused card."""

from __future__ import annotations

from taptable.core.codes import Codes
from taptable.core.observations import DISCARD_PAD
from taptable.core.verdicts import Facts
from taptable.games.online.cards import (
    ANTIVIRUS,
    CONNECTION,
    CYBER_PATROL,
    EXTRA_MEMORY,
    HACKER,
    KIND_OF,
    MEMORY_FULL,
    ONLINE,
    PASSWORD_OK,
    TURBO_LINE,
    Group,
    Kind,
)
from taptable.games.online.state import State, Team, Turn

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
        "put-right-already": "R6.2",
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

refuse, ignore, fault = CODES.refuse, CODES.ignore, CODES.fault


def play_facts(state: State, turn: Turn, card: str, pad: int, team: int) -> Facts:
    """Return the facts for the refusal of a play on a team's rows besides card and pad: the seat on turn, the seats of
    its team, the kind on top of the connection row, and the rate; or the number of downloads in this turn, if that is
    higher."""
    target = state.teams[team]
    return {
        "card": card,
        "pad": pad,
        "seat": turn.seat,
        "seats": state.options.teams[state.options.team_of(turn.seat)],
        "top": target.connection or "empty",
        "rate": max(target.rate, turn.downloads),
    }


_LINE_OBJECTIONS = {
    ONLINE: {
        "online": "line-already-open",
        "turbo-line": "line-already-open",
        "password-error": "line-has-password-error",
        "virus": "line-has-virus",
    },
    TURBO_LINE: {
        "turbo-line": "turbo-already-there",
        "password-error": "turbo-password-error",
        "virus": "turbo-virus",
    },
}


def access_objection(kind: Kind, team: Team) -> str | None:
    """Return the objection to an access card on this team's rows (R4.1 to R4.4)."""
    if kind is EXTRA_MEMORY:
        return "memory-already-open" if team.memory_open else None
    top = team.connection
    if kind is PASSWORD_OK:
        return None if top == "password-error" else "no-password-error"
    if kind is ANTIVIRUS:
        return None if top == "virus" else "no-virus"
    return _LINE_OBJECTIONS[kind].get(top or "")


def elsewhere_objection(state: State, kind: Kind, team: int) -> str:
    """Return the objection to a card that isn't an attack on a pad of this other team (R5.1, R6.2, R7.1, R8.1)."""
    if kind.group is Group.CATEGORY:
        return "category-on-other-pad"
    if kind.group is Group.POWER:
        return "hacker-on-other-pad" if kind is HACKER else "search-on-other-pad"
    assert state.turn is not None
    if (team, kind.row) in state.turn.repaired:
        if not state.teams[team].is_row_open(kind.row) and not state.options.edition.repaired_is_up:
            return "put-right-already"  # and hacked since
        return "line-up-again" if kind.row == CONNECTION else "memory-open-again"
    return "row-not-attacked" if state.was_attacked(team) else "access-on-other-pad"


def attack_objection(kind: Kind, team: Team) -> str | None:
    """Return the objection to an attack card on this opponent's rows (R6.1)."""
    if kind is MEMORY_FULL:
        return None if team.memory_open else "no-memory-to-attack"
    return None if team.rate else "no-line-to-attack"


def download_objection(kind: Kind, team: Team, downloads: int) -> str | None:
    """Return the objection to a download by a player with this number of downloads in this turn (R5.1, R5.3, R5.5,
    R5.2)."""
    rate = team.rate
    if not rate:
        return "line-not-up"
    return _room_objection(kind, team) or ("rate-used-up" if downloads >= rate else None)


def _room_objection(kind: Kind, team: Team) -> str | None:
    if kind.big and not team.memory_open:
        return "memory-not-open"
    return "row-backed-up" if kind.row in team.backed_up else None


# ---- hacks: which card may be taken, and where it may go (R7.7 to R7.11)


def card_under_hacker(state: State) -> str | None:
    """Return the card that hack C may take: directly under the hacker, which is on top. None after a reshuffle (R7.7),
    or if the hacker itself was lost."""
    pile = state.discard
    return pile[-2] if len(pile) > 1 and KIND_OF[pile[-1]] is HACKER else None


def taking_objection(state: State, card: str, kind: Kind, place: int | str, hacking_team: int) -> str | None:
    """Return the objection to the hacking of this card, of team `place` or of the discard pile, by team
    `hacking_team`."""
    if place == DISCARD_PAD:
        if card != card_under_hacker(state):
            return "hack-not-under-hacker"
        return "hack-no-patrol" if kind is CYBER_PATROL else None
    assert isinstance(place, int)
    team = state.teams[place]
    on_top = team.rows[kind.row][-1] == card
    if place == hacking_team:
        return None if on_top and kind.group is Group.ATTACK else "hack-own-row"
    if kind.row in team.backed_up:
        return "hack-backed-up"
    return None if on_top or state.options.hack_any_card else "hack-top-only"


def landing_objection(state: State, turn: Turn, kind: Kind, target: int, hacking_team: int) -> str | None:
    """Return the objection to a hacked card on the target team's rows."""
    team = state.teams[target]
    if kind.group is Group.ACCESS:
        return access_objection(kind, team)
    if kind.group is Group.ATTACK:
        return "attack-on-own-team" if target == hacking_team else attack_objection(kind, team)
    if target != hacking_team:
        if not team.rate:
            return "gift-line-not-up"
        objection = _room_objection(kind, team)
        return objection and f"gift-{objection}"
    if not state.options.edition.hack_for_oneself:
        return "hack-never-for-oneself"
    objection = download_objection(kind, team, turn.downloads)
    return "hack-line-not-up" if objection == "line-not-up" else objection
