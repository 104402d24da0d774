"""Who sits where: members by their cards, guests by the names that were typed in. Pure."""

from __future__ import annotations

from taptable.core.notices import Notice
from taptable.core.observations import Pad
from taptable.core.tag_notices import MemberSeen, MembersSeated, MemberTapEffect
from taptable.referee.step import Table
from taptable.referee.taps import MemberCame


def assign_seat(table: Table, members: tuple[str, ...], member: str, pad: Pad) -> tuple[str, ...]:
    """The members by their seats, seat 1 first, once one of them sits at the seat of `pad`, or at none if it is no
    seat's; whoever sat there before gets up."""
    now = dict(enumerate(members, 1))
    seats = range(1, table.game_options.players + 1)
    return tuple(member if seat == pad else "" if now.get(seat) == member else now.get(seat, "") for seat in seats)


def guest_names(names: tuple[str, ...], members: tuple[str, ...]) -> tuple[str, ...]:
    """The names that were typed in, without those at the seats of members."""
    return tuple("" if any(members[at : at + 1]) else name for at, name in enumerate(names))


def seat_member(table: Table, members: tuple[str, ...], tap: MemberCame) -> tuple[tuple[str, ...], list[Notice]]:
    """The members by their seats after a member's card, which counts before the first move of a game, and the notices
    of it. The same card again at the same seat changes nothing, since nobody is sure of a first tap; a card in the
    middle is of a member who gets up."""
    at_us, member, pad = tap.at_us, tap.member, tap.pad
    if table.has_moves or table.scoreboard.over:
        return members, [MemberSeen(at_us, member, pad, MemberTapEffect.GAME_BEGUN)]
    there = member in members
    after = assign_seat(table, members, member, pad)
    sits = isinstance(pad, int)
    gone = MemberTapEffect.GETS_UP if there else MemberTapEffect.NO_SEAT
    tapped = MemberSeen(at_us, member, pad, MemberTapEffect.SITS if sits else gone)
    if after == members or not (sits or there):
        return members, [tapped]
    return after, [tapped, MembersSeated(at_us, after)]
