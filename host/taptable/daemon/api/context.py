"""The context that the requests of one table share: everything of the table that a request may read or change, and the
type of a handler. Only the session controller changes the session; decks, presets and members are changed through their
own objects. This module must not know any particular request."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from taptable.api.errors import RequestError
from taptable.api.requests import Request
from taptable.config import Config
from taptable.core.announcements import type_name
from taptable.core.notices import CorrectionAsked, Notice
from taptable.core.verdicts import Accepted
from taptable.daemon.active_deck import ActiveDeck
from taptable.daemon.enrolment_session import EnrolmentSession
from taptable.daemon.member_cards import MemberCards
from taptable.daemon.session_controller import SessionController
from taptable.memory.journal import Journal
from taptable.memory.members import MemberStore
from taptable.memory.presets import Presets
from taptable.referee.session import Decision, Session, TableEvent

Result: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Any, str], Result]
"""Handles a request, given the requester's name, and returns the result. Raises `RequestError` with the reason for a
refusal."""
Handlers: TypeAlias = Mapping[type[Request], Handler]


@dataclass(frozen=True, slots=True)
class ApiContext:
    """The objects of one table that its requests use. `now_us` is table time."""

    config: Config
    now_us: Callable[[], int]
    controller: SessionController
    journal: Journal
    active_deck: ActiveDeck
    enrolment: EnrolmentSession
    presets: Presets
    members: MemberStore
    member_cards: MemberCards

    @property
    def session(self) -> Session:
        """The table's session."""
        return self.controller.session

    def perform(self, do: Callable[[SessionController], Sequence[TableEvent]]) -> Result:
        """Perform a request and return its result. Its effects are the journal's entries after `after`, up to `entry`.
        `waits`: nothing is in the journal yet, since the request waits until the journal can be written. Raises
        `RequestError` if the referee refused the request."""
        after = self.journal.last_ids()[1]
        events = do(self.controller)
        first = next((number for number, each in enumerate(events, 1) if isinstance(each, CorrectionAsked)), 0)
        # a correction is announced by CorrectionAsked: the events before it were due before the request, and their
        # refusals aren't its own
        for event in events[first:]:
            if isinstance(event, Decision) and not isinstance(event.verdict, Accepted):
                raise RequestError("verdict", event.verdict.code, **event.verdict.facts)
        return {"after": after, "entry": self.journal.last_ids()[1], "waits": not events}

    def require_free_pad(self) -> None:
        """Raise RequestError while the discard pad reads cards for a deck. An awaited card of a member doesn't matter
        to requests about the game; those about decks and people refuse it themselves."""
        if self.session.enrolment is not None:
            raise RequestError("notice", "discard-pad-taken")


def error_of_notice(notice: Notice) -> RequestError:
    """Return a RequestError that gives a notice as the reason."""
    facts = {field.name: getattr(notice, field.name) for field in fields(notice)}
    return RequestError("notice", type_name(type(notice)), **facts)
