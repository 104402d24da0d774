"""Requests that are about who sits here: members and their cards, seats, and what is stored of a person: shown whole,
deleted, or blotted out. Must not know a game."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

import msgspec

from taptable.api import requests
from taptable.api.choices import of_players
from taptable.api.errors import RequestError
from taptable.api.facts import MemberFacts
from taptable.api.requests import MOST_GAMES
from taptable.core.errors import JournalError, MembersError, PresetsError
from taptable.core.notices import PlayersNamed
from taptable.daemon.api.context import ApiContext, Handlers, Result
from taptable.daemon.seating import get_up, play_on, seat_member
from taptable.history.attendance import seats_in
from taptable.memory.blotting import is_redacted
from taptable.memory.members import COLOURS, MOST, Member, SomebodyElse
from taptable.memory.presets import LONGEST_PLAYER, is_name

CONTEXT = "people"
"""The context of these requests' sentences in the catalogues."""

_COLOUR = re.compile("#[0-9a-f]{6}")
_log = logging.getLogger(__name__)


class PeopleRequests:
    """Those of one table; `changed` is called when a member has, `blotted` when what was written down is another."""

    def __init__(self, context: ApiContext, changed: Callable[[], None], blotted: Callable[[], None]) -> None:
        self._context = context
        self._changed = changed
        self._blotted = blotted
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
            requests.BlotNames: self._blot,
        }

    def members(self) -> tuple[MemberFacts, ...]:
        """Who has a card, by name."""
        return tuple(
            MemberFacts(member.id, member.name, member.colour, member.shown, len(member.tags))
            for member in self._members.all
        )

    def _enrol(self, wanted: requests.EnrolMember, _: str) -> Result:
        context = self._context
        context.be_free()
        prompts = context.session.prompts
        if prompts.checking is not None or prompts.consent is not None:
            raise RequestError("decks", "asked")
        if on := context.member_cards.on:
            raise RequestError(CONTEXT, "busy", name=self._members.names.get(on, ""))
        if wanted.member:
            member = self._known(wanted.member)
        else:
            taken = [each.colour for each in self._members.all]
            free = min(COLOURS, key=lambda colour: (taken.count(colour), COLOURS.index(colour)))
            if len(taken) >= MOST:
                raise RequestError(CONTEXT, "too-many", most=MOST)
            with _refusing():
                member = self._members.add(_name(wanted.name), _colour(wanted.colour or free), wanted.shown)
            self._changed()
        context.member_cards.begin(member.id, replaces=wanted.replace)
        return {"member": member.id}

    def _stop(self, _: requests.EnrolMemberStop, __: str) -> Result:
        self._context.member_cards.stop()
        return {}

    def _change(self, wanted: requests.ChangeMember, _: str) -> Result:
        member = self._known(wanted.member)
        name = None if wanted.name is None else _name(wanted.name)
        colour = None if wanted.colour is None else _colour(wanted.colour)
        tags = () if wanted.forget_cards else None
        with _refusing():
            self._members.change(member.id, name=name, colour=colour, shown=wanted.shown, tags=tags)
        self._changed()
        self._context.controller.publish(names_changed=True)
        return {}

    def _delete(self, wanted: requests.DeleteMember, _: str) -> Result:
        member = self._known(wanted.member)
        with _refusing():
            self._members.delete(member.id)
        if self._context.member_cards.on == member.id:
            self._context.member_cards.stop()
        get_up(self._context.controller, member.id)
        self._changed()
        self._context.controller.publish(names_changed=True)
        return {}

    def _seat(self, wanted: requests.SeatMember, _: str) -> Result:
        if wanted.member:
            self._known(wanted.member)
        elif wanted.seat is None:
            raise RequestError("live", "wrong-field", field="seat")
        if wanted.seat is not None:
            self._played_at(wanted.seat)
        seat_member(self._context.controller, wanted.member, wanted.seat)
        return {}

    def _play_on(self, wanted: requests.PlayOn, _: str) -> Result:
        """The name and the member are given separately: a member is never written down by name."""
        given = [key for key in ("like", "member", "name") if getattr(wanted, key)]
        seat = self._played_at(wanted.seat)
        if len(given) != 1 or wanted.like == seat:
            raise RequestError("live", "wrong-field", field=given[-1] if given else "name")
        session, name, member = self._context.session, "", ""
        names = of_players(session.names, session.table.game_options.players)
        if wanted.like is not None:
            at = self._played_at(wanted.like) - 1
            member = of_players(session.members, len(names))[at]
            name = "" if member else names[at]
        elif wanted.member:
            member = self._known(wanted.member).id
        else:
            name = _name(wanted.name)
        if wanted.member:
            seat_member(self._context.controller, member, seat)
        else:
            play_on(self._context.controller, member, seat)
        named = tuple(name if at == seat else each for at, each in enumerate(names, 1))
        if named != names:
            self._context.controller.note(PlayersNamed(self._context.now_us(), named))
        return {}

    def _played_at(self, seat: int) -> int:
        """The seat, if it is one that is played at."""
        players = self._context.session.table.game_options.players
        if seat > players:
            raise RequestError("live", "wrong-seat", players=players)
        return seat

    def _export(self, wanted: requests.ExportMember, _: str) -> Result:
        member = self._known(wanted.member)
        journal = self._context.journal
        try:
            ids = journal.game_ids(wanted.before, MOST_GAMES)
            games = [found for game_id in ids if (found := seats_in(journal, game_id, member.id)) is not None]
        except JournalError as error:
            raise RequestError("history", "unreadable") from error
        before = ids[-1] if len(ids) == MOST_GAMES else None
        return {"member": msgspec.to_builtins(member), "games": games, "before": before}

    def _blot(self, wanted: requests.BlotNames, _: str) -> Result:
        table = self._context.session.table
        if table.scoreboard.under_way and table.begun and table.paused_at_us is None:
            raise RequestError(CONTEXT, "blot-later")  # the file is written anew, and a tap would wait for that
        context = self._context
        left = tuple("" if is_redacted(name, wanted.names) else name for name in context.session.names)
        if left != context.session.names:
            context.controller.note(PlayersNamed(context.now_us(), left))
        context.enrolment.redact(wanted.names)
        try:
            redacted = context.journal.blot_names(wanted.names) + context.presets.redact(wanted.names)
        except (JournalError, PresetsError) as error:
            _log.error("%s", error)
            raise RequestError(CONTEXT, "not-blotted") from error
        finally:  # what could be done is done, and nobody keeps it any longer
            self._blotted()
            context.controller.publish(names_changed=True)
        return {"blotted": redacted}

    def _known(self, member: str) -> Member:
        """The member that there is."""
        found = self._members.find(member)
        if found is None:
            raise RequestError(CONTEXT, "no-such-member")
        return found


def _name(name: str) -> str:
    """A name that a member can have, without spaces around it."""
    stripped = " ".join(filter(None, name.split(" ")))
    if not is_name(stripped, LONGEST_PLAYER):
        raise RequestError("live", "wrong-name", most=LONGEST_PLAYER)
    return stripped


def _colour(colour: str) -> str:
    if not _COLOUR.fullmatch(colour):
        raise RequestError("live", "wrong-field", field="colour")
    return colour


@contextmanager
def _refusing() -> Generator[None]:
    """What can't be done with the members, as a reason for who asked."""
    try:
        yield
    except SomebodyElse as error:
        raise RequestError(CONTEXT, "name-taken") from error
    except MembersError as error:
        _log.error("%s", error)
        raise RequestError(CONTEXT, "not-kept") from error
