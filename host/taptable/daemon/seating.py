"""Seats members at a running table as requests ask for it; taps of members' cards at a seat are handled by the session
(`referee.seating`). This module must not know where a request came from."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.tag_notices import MemberSeen, MembersSeated, MemberTapEffect
from taptable.daemon.session_controller import SessionController
from taptable.referee.seating import assign_seat


def seat_member(controller: SessionController, member: str, seat: int | None) -> None:
    """Seat a member at this seat, or at none for None. A `member` "" stands for nobody."""
    pad = DISCARD_PAD if seat is None else seat
    effect = MemberTapEffect.GETS_UP if seat is None else MemberTapEffect.SITS
    if _note_seating(controller, _seating_with(controller, member, pad)) and member:
        controller.note(MemberSeen(controller.now_us(), member, pad, effect))


def seat_member_also(controller: SessionController, member: str, seat: int) -> None:
    """Seat a member at this seat, too, and keep their other seats. A `member` "" stands for a guest."""
    session = controller.session
    now: dict[Pad, str] = dict(enumerate(session.members, 1))
    seats = range(1, session.table.game_options.players + 1)
    _note_seating(controller, tuple(member if each == seat else now.get(each, "") for each in seats))


def unseat_member(controller: SessionController, member: str) -> None:
    """Remove a member who is no longer known from all seats."""
    if member in controller.session.members:
        _note_seating(controller, _seating_with(controller, member, DISCARD_PAD))


def _seating_with(controller: SessionController, member: str, pad: Pad) -> tuple[str, ...]:
    """Return the members by seat after this change."""
    session = controller.session
    return assign_seat(session.table, session.members, member, pad)


def _note_seating(controller: SessionController, members: tuple[str, ...]) -> bool:
    """Record who sits where. Return False if nothing has changed."""
    before = controller.session.members
    if members == before or not any((*members, *before)):
        return False
    controller.note(MembersSeated(controller.now_us(), members))
    return True
