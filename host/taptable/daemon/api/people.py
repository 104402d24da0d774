"""Requests about people: members and their cards, seats, and the data stored about a person, which is exported, deleted
or redacted. This module must not know the rules of a game; of recorded games it reads who sat where."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

import msgspec

from taptable.api import requests
from taptable.api.choices import names_per_player
from taptable.api.errors import RequestError
from taptable.api.facts import MemberFacts
from taptable.api.requests import MAX_GAMES
from taptable.core.errors import JournalError, MembersError, PresetsError
from taptable.core.notices import PlayersNamed
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.daemon.seating import seat_member, seat_member_also, unseat_member
from taptable.history.attendance import seats_in
from taptable.memory.members import COLOURS, MAX_MEMBERS, Member, SomebodyElse
from taptable.memory.presets import LONGEST_PLAYER, is_printable_name
from taptable.memory.redaction import is_to_redact

CONTEXT = "people"
"""The catalogue context of these requests' sentences."""

_COLOUR = re.compile("#[0-9a-f]{6}")
_log = logging.getLogger(__name__)


class PeopleRequests:
    """Requests of one table's API. Calls `on_change` when a member has changed, and `on_redaction` when stored records
    have."""

    def __init__(self, context: ApiContext, on_change: Callable[[], None], on_redaction: Callable[[], None]) -> None:
        self._context = context
        self._on_change = on_change
        self._on_redaction = on_redaction
        self._members = context.members
        self.handlers: Handlers = {
            requests.Members: lambda _, __: {"members": msgspec.to_builtins(self.members())},
            requests.MemberSecrets: lambda _, __: {"secrets": dict(self._members.secrets)},
            requests.EnrolMember: self._enrol,
            requests.EnrolMemberStop: self._stop,
            requests.ChangeMember: self._change,
            requests.DeleteMember: self._delete,
            requests.SeatMember: self._seat,
            requests.PlayOn: self._play_on,
            requests.ExportMember: self._export,
            requests.BlotNames: self._redact_names,
        }

    def members(self) -> tuple[MemberFacts, ...]:
        """Return all members, sorted by name."""
        return tuple(
            MemberFacts(member.id, member.name, member.colour, member.shown, len(member.tags))
            for member in self._members.all
        )

    def _enrol(self, request: requests.EnrolMember, _: str) -> Result:
        context = self._context
        context.require_free_pad()
        prompts = context.session.prompts
        if prompts.checking is not None or prompts.consent is not None:
            raise RequestError("decks", "asked")
        if waiting := context.member_cards.waiting_for:
            raise RequestError(CONTEXT, "busy", name=self._members.names.get(waiting, ""))
        if request.member:
            member = self._require_member(request.member)
        else:
            used_colours = [each.colour for each in self._members.all]
            free = min(COLOURS, key=lambda colour: (used_colours.count(colour), COLOURS.index(colour)))
            if len(used_colours) >= MAX_MEMBERS:
                raise RequestError(CONTEXT, "too-many", most=MAX_MEMBERS)
            with _translating_errors():
                member = self._members.add(
                    _checked_name(request.name), _checked_colour(request.colour or free), request.shown
                )
            self._on_change()
        context.member_cards.begin(member.id, replaces=request.replace)
        return {"member": member.id}

    def _stop(self, _: requests.EnrolMemberStop, __: str) -> Result:
        self._context.member_cards.stop()
        return {}

    def _change(self, request: requests.ChangeMember, _: str) -> Result:
        member = self._require_member(request.member)
        name = None if request.name is None else _checked_name(request.name)
        colour = None if request.colour is None else _checked_colour(request.colour)
        tags = () if request.forget_cards else None
        with _translating_errors():
            self._members.change(member.id, name=name, colour=colour, shown=request.shown, tags=tags)
        self._on_change()
        self._context.controller.publish(names_changed=True)
        return {}

    def _delete(self, request: requests.DeleteMember, _: str) -> Result:
        member = self._require_member(request.member)
        with _translating_errors():
            self._members.delete(member.id)
        if self._context.member_cards.waiting_for == member.id:
            self._context.member_cards.stop()
        unseat_member(self._context.controller, member.id)
        self._on_change()
        self._context.controller.publish(names_changed=True)
        return {}

    def _seat(self, request: requests.SeatMember, _: str) -> Result:
        if request.member:
            self._require_member(request.member)
        elif request.seat is None:
            raise RequestError("live", "wrong-field", field="seat")
        if request.seat is not None:
            self._require_seat(request.seat)
        seat_member(self._context.controller, request.member, request.seat)
        return {}

    def _play_on(self, request: requests.PlayOn, _: str) -> Result:
        """Take name and member separately: a member is never recorded by name."""
        keys = [key for key in ("like", "member", "name") if getattr(request, key)]
        seat = self._require_seat(request.seat)
        if len(keys) != 1 or request.like == seat:
            raise RequestError("live", "wrong-field", field=keys[-1] if keys else "name")
        session, name, member = self._context.session, "", ""
        names = names_per_player(session.names, session.table.game_options.players)
        if request.like is not None:
            at = self._require_seat(request.like) - 1
            member = names_per_player(session.members, len(names))[at]
            name = "" if member else names[at]
        elif request.member:
            member = self._require_member(request.member).id
        else:
            name = _checked_name(request.name)
        if request.member:
            seat_member(self._context.controller, member, seat)
        else:
            seat_member_also(self._context.controller, member, seat)
        new_names = tuple(name if at == seat else each for at, each in enumerate(names, 1))
        if new_names != names:
            self._context.controller.note(PlayersNamed(self._context.now_us(), new_names))
        return {}

    def _require_seat(self, seat: int) -> int:
        """Return the seat if somebody plays at it, or raise RequestError."""
        players = self._context.session.table.game_options.players
        if seat > players:
            raise RequestError("live", "wrong-seat", players=players)
        return seat

    def _export(self, request: requests.ExportMember, _: str) -> Result:
        member = self._require_member(request.member)
        journal = self._context.journal
        try:
            ids = journal.game_ids(request.before, MAX_GAMES)
            games = [found for game_id in ids if (found := seats_in(journal, game_id, member.id)) is not None]
        except JournalError as error:
            raise RequestError("history", "unreadable") from error
        before = ids[-1] if len(ids) == MAX_GAMES else None
        return {"member": msgspec.to_builtins(member), "games": games, "before": before}

    def _redact_names(self, request: requests.BlotNames, _: str) -> Result:
        table = self._context.session.table
        if table.scoreboard.under_way and table.has_moves and table.paused_at_us is None:
            raise RequestError(CONTEXT, "blot-later")  # the file is rewritten, and a tap would have to wait for that
        context = self._context
        names_left = tuple("" if is_to_redact(name, request.names) else name for name in context.session.names)
        if names_left != context.session.names:
            context.controller.note(PlayersNamed(context.now_us(), names_left))
        context.enrolment.redact(request.names)
        try:
            redacted = context.journal.redact_names(request.names) + context.presets.redact(request.names)
        except (JournalError, PresetsError) as error:
            _log.error("Names not removed completely, repeat the request: %s", error)
            raise RequestError(CONTEXT, "not-blotted") from error
        finally:  # whatever could be redacted is, and no cache keeps the names
            self._on_redaction()
            context.controller.publish(names_changed=True)
        return {"blotted": redacted}

    def _require_member(self, member: str) -> Member:
        """Return an existing member, or raise RequestError."""
        found = self._members.find(member)
        if found is None:
            raise RequestError(CONTEXT, "no-such-member")
        return found


def _checked_name(name: str) -> str:
    """Return a valid member's name without surrounding spaces, or raise RequestError."""
    stripped = " ".join(filter(None, name.split(" ")))
    if not is_printable_name(stripped, LONGEST_PLAYER):
        raise RequestError("live", "wrong-name", most=LONGEST_PLAYER)
    return stripped


def _checked_colour(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise RequestError("live", "wrong-field", field="colour")
    return colour


@contextmanager
def _translating_errors() -> Generator[None]:
    """Turn errors of the members' store into reasons for the requester."""
    try:
        yield
    except SomebodyElse as error:
        raise RequestError(CONTEXT, "name-taken") from error
    except MembersError as error:
        _log.error("Members not saved, the request was refused: %s", error)
        raise RequestError(CONTEXT, "not-kept") from error
