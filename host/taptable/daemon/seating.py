"""Who sits at which seat of a running table, as far as they are members: what people say of it, elsewhere than by a tap
at a seat, which is the session's. Must not know where that is said."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.tag_notices import MemberSeen, MembersSeated, MemberTapEffect
from taptable.daemon.session_controller import SessionController
from taptable.referee.seating import assign_seat


def seat_member(controller: SessionController, member: str, seat: int | None) -> None:
    """Let a member sit at this seat from now on, at no seat for None; a `member` "" is nobody."""
    pad = DISCARD_PAD if seat is None else seat
    effect = MemberTapEffect.GETS_UP if seat is None else MemberTapEffect.SITS
    if _note_seating(controller, _seating_with(controller, member, pad)) and member:
        controller.note(MemberSeen(controller.now_us(), member, pad, effect))


def seat_member_also(controller: SessionController, member: str, seat: int) -> None:
    """Let a member play at this seat too, and stay where else they sit; a `member` "" is nobody known."""
    session = controller.session
    now: dict[Pad, str] = dict(enumerate(session.members, 1))
    seats = range(1, session.table.game_options.players + 1)
    _note_seating(controller, tuple(member if each == seat else now.get(each, "") for each in seats))


def unseat_member(controller: SessionController, member: str) -> None:
    """Let somebody who is no longer known sit nowhere."""
    if member in controller.session.members:
        _note_seating(controller, _seating_with(controller, member, DISCARD_PAD))


def _seating_with(controller: SessionController, member: str, pad: Pad) -> tuple[str, ...]:
    """Return who would sit where then."""
    session = controller.session
    return assign_seat(session.table, session.members, member, pad)


def _note_seating(controller: SessionController, members: tuple[str, ...]) -> bool:
    """Write down who sits where; False where that is nothing new."""
    before = controller.session.members
    if members == before or not any((*members, *before)):
        return False
    controller.note(MembersSeated(controller.now_us(), members))
    return True
