"""The players at the seats: members by the cards that they tap at a seat, guests by the names that were typed in. The
session calls it with each member's card. Pure. Must not know a member's name."""

from __future__ import annotations

from taptable.core.notices import Notice
from taptable.core.observations import Pad
from taptable.core.tag_notices import MemberSeen, MembersSeated, MemberTapEffect
from taptable.referee.step import Table
from taptable.referee.taps import MemberCame


def assign_seat(table: Table, members: tuple[str, ...], member: str, pad: Pad) -> tuple[str, ...]:
    """Return the members by their seats, seat 1 first, after one of them sits down at the seat of `pad`, or at none if
    the pad belongs to no seat; a member who sat there before gets up."""
    now = dict(enumerate(members, 1))
    seats = range(1, table.game_options.players + 1)
    return tuple(member if seat == pad else "" if now.get(seat) == member else now.get(seat, "") for seat in seats)


def guest_names(names: tuple[str, ...], members: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that were typed in, without those at the seats of members."""
    return tuple("" if any(members[at : at + 1]) else name for at, name in enumerate(names))


def seat_member(table: Table, members: tuple[str, ...], tap: MemberCame) -> tuple[tuple[str, ...], list[Notice]]:
    """Return the members by their seats after a member's card, and the notices. The card counts before the first move
    of a game. The same card again at the same seat changes nothing, since nobody is sure of a first tap; a card on the
    discard pad or another pad without a seat makes its member get up."""
    at_us, member, pad = tap.at_us, tap.member, tap.pad
    if table.has_moves or table.scoreboard.over:
        return members, [MemberSeen(at_us, member, pad, MemberTapEffect.GAME_BEGUN)]
    was_seated = member in members
    after = assign_seat(table, members, member, pad)
    sits = isinstance(pad, int)
    leaving_effect = MemberTapEffect.GETS_UP if was_seated else MemberTapEffect.NO_SEAT
    notice = MemberSeen(at_us, member, pad, MemberTapEffect.SITS if sits else leaving_effect)
    if after == members or not (sits or was_seated):
        return members, [notice]
    return after, [notice, MembersSeated(at_us, after)]
