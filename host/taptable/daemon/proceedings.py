"""The proceedings: one sighting after the other goes through the session, into the journal, and only then to the cues.

What could not be written has not happened: the session stays as it was, the board's event is not acknowledged
and comes again. This is the only place where the session changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from taptable.core.errors import JournalError
from taptable.core.observations import Pad
from taptable.core.sightings import ButtonEdge, Origin, Sighting, TagCame, TagWent
from taptable.daemon.clock import TableClock
from taptable.daemon.records import MakeHeader, records_of
from taptable.memory.journal import Journal
from taptable.referee import session as evening
from taptable.referee.session import Happening, Session
from taptable.referee.taps import Resolve

RETRY_S = 1.0
"""How long a deadline waits that could not be written down."""

_log = logging.getLogger(__name__)


class Audience(Protocol):
    """Who is told what came of it, after it is in the journal."""

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened; the session is as it is after it."""
        ...

    def mourn(self, reason: str) -> None:
        """Nothing can be written down, so nothing counts."""
        ...


class Proceedings:
    """The table's session, its journal, and those who follow it."""

    def __init__(
        self,
        *,
        session: Session,
        journal: Journal,
        clock: TableClock,
        loop: asyncio.AbstractEventLoop,
        resolve: Resolve,
        make_header: MakeHeader,
        audience: Audience,
        acknowledge: Callable[[Origin], None],
    ) -> None:
        self.session = session
        self._journal = journal
        self._clock = clock
        self._loop = loop
        self._resolve = resolve
        self._make_header = make_header
        self._audience = audience
        self._acknowledge = acknowledge
        self._timer: asyncio.TimerHandle | None = None
        self._writable = True

    def start(self) -> None:
        """Begin to keep the deadlines."""
        self._arm()

    def stop(self) -> None:
        """No deadline passes any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def report(self, sighting: Sighting) -> None:
        """Take in what a device reports; an event of a board that is in the journal already is only
        acknowledged again."""
        origin = _origin(sighting)
        if origin is not None and self._journal.taken(origin):
            self._acknowledge(origin)
            return
        now_us = self._clock.now_us()
        after, happened = evening.see(self.session, sighting, self._resolve, now_us)
        if self._commit(after, happened, origin, now_us) and origin is not None:
            self._acknowledge(origin)

    def use_control(self, name: str, pad: Pad) -> None:
        """A control was used at a pad, or at none of the seats, as if by its card."""
        now_us = self._clock.now_us()
        self._commit(*evening.control(self.session, name, pad, now_us), None, now_us)

    def command(self, name: str) -> None:
        """Use a control that needs nobody's consent."""
        now_us = self._clock.now_us()
        self._commit(*evening.command(self.session, name, now_us), None, now_us)

    def _pass_time(self) -> None:
        now_us = self._clock.now_us()
        after, happened = evening.pass_time(self.session, now_us)
        self._commit(after, happened, None, now_us)

    def _commit(self, after: Session, happened: Sequence[Happening], origin: Origin | None, now_us: int) -> bool:
        """Write it down, then let it have happened; False, and nothing has, if it can't be written."""
        records = records_of(self.session.table, happened, origin, now_us, self._make_header)
        try:
            self._journal.append(*records)
        except JournalError as error:
            if self._writable:
                _log.error("%s", error)
            self._writable = False
            self._audience.mourn(str(error))
            self._arm(RETRY_S)
            return False
        self._writable = True
        self.session = after
        if happened:
            self._audience.follow(happened, after)
        self._arm()
        return True

    def _arm(self, least_s: float = 0.0) -> None:
        """Wake for the next deadline, but not before `least_s`."""
        self.stop()
        due_us = evening.deadline(self.session)
        if due_us is not None:
            when = max(self._clock.loop_time(due_us), self._loop.time() + least_s)
            self._timer = self._loop.call_at(when, self._pass_time)


def _origin(sighting: Sighting) -> Origin | None:
    return sighting.origin if isinstance(sighting, TagCame | TagWent | ButtonEdge) else None
