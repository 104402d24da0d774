"""What a hacker may do with a card that lies on the table (R7.7 to R7.11): which card may be taken, and where it
may go."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.verdicts import Ignored, Refused
from taptable.games.online import moves
from taptable.games.online.cards import CYBER_PATROL, HACKER, KIND_OF, SEARCH, Group, Kind
from taptable.games.online.moves import Source
from taptable.games.online.refusals import play_facts, refused
from taptable.games.online.rules import access_objection, attack_objection, gift_objection, hacked_download_objection
from taptable.games.online.state import State, Turn


def read_hack(
    state: State, turn: Turn, at_us: int, card: str, kind: Kind, pad: Pad, place: int | str
) -> moves.Move | Refused | Ignored:
    """The hack meant by tapping a card of team `place`, or of the discard pile, on another pad."""
    hacker = state.options.team_of(turn.seat)
    code = _taking_objection(state, card, kind, place, hacker)
    if code is not None:
        return refused(code, {"card": card, "pad": pad})
    source = Source.ROW if isinstance(place, int) else Source.DISCARD
    origin = place if isinstance(place, int) else None
    if not isinstance(pad, int):
        return moves.DiscardCard(at_us, card, kind, source, origin)
    target = state.options.team_of(pad)
    if not state.is_played(target):
        return refused("nobody-plays-there", {"card": card, "pad": pad, "seats": state.options.teams[target]})
    if kind is HACKER or kind is SEARCH:
        if target != hacker:
            other_pad = "hacker-on-other-pad" if kind is HACKER else "search-on-other-pad"
            return refused(other_pad, play_facts(state, turn, card, pad, target))
        show = moves.ShowHacker if kind is HACKER else moves.ShowSearch
        return show(at_us, card, source)
    code = _landing_objection(state, kind, target, hacker)
    if code is not None:
        return refused(code, play_facts(state, turn, card, pad, target))
    return moves.LayCard(at_us, card, kind, target, pad, source, origin)


def card_under_hacker(state: State) -> str | None:
    """The card that hack C may take: directly under the hacker, which is on top; none after a reshuffle (R7.7), nor if
    the hacker itself was lost."""
    pile = state.discard
    return pile[-2] if len(pile) > 1 and KIND_OF[pile[-1]] is HACKER else None


def _taking_objection(state: State, card: str, kind: Kind, place: int | str, hacker: int) -> str | None:
    """Why this card may not be hacked at all."""
    if place == DISCARD_PAD:
        if card != card_under_hacker(state):
            return "hack-not-under-hacker"
        return "hack-no-patrol" if kind is CYBER_PATROL else None
    assert isinstance(place, int)
    team = state.teams[place]
    on_top = team.rows[kind.row][-1] == card
    if place == hacker:
        return None if on_top and kind.group is Group.ATTACK else "hack-own-row"
    if kind.row in team.backed_up:
        return "hack-backed-up"
    return None if on_top or state.options.hack_any_card else "hack-top-only"


def _landing_objection(state: State, kind: Kind, target: int, hacker: int) -> str | None:
    """Why a hacked card may not lie on the target team's rows."""
    team = state.teams[target]
    if kind.group is Group.CATEGORY:
        if target == hacker:
            return hacked_download_objection(kind, team, state)
        return gift_objection(kind, team)
    if kind.group is Group.ACCESS:
        return access_objection(kind, team)
    return "attack-on-own-team" if target == hacker else attack_objection(kind, team)
