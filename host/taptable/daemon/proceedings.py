"""The proceedings: one sighting after the other goes through the session, into the journal, and only then to the cues.

What could not be written has not happened yet: the session stays as it was, a board's event is not acknowledged and
comes again, and everything else waits here, in its order and with its time, until it can be written. This is the only
place where the session changes."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

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
"""How long what could not be written down waits until it is tried again."""

Step: TypeAlias = Callable[[Session], tuple[Session, list[Happening]]]
"""What a sighting, a control or time makes of a session."""

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
        self._telling = False
        self._waiting: deque[tuple[Step, int]] = deque()  # with the time at which each was noticed

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

        def step(session: Session) -> tuple[Session, list[Happening]]:
            return evening.see(session, sighting, self._resolve, now_us)

        if origin is None:
            self._take(step, now_us)
        elif self._catch_up() and self._commit(*step(self.session), origin, now_us):
            self._acknowledge(origin)

    def use_control(self, name: str, pad: Pad) -> None:
        """A control was used at a pad, or at none of the seats, as if by its card."""
        now_us = self._clock.now_us()
        self._take(lambda session: evening.control(session, name, pad, now_us), now_us)

    def command(self, name: str) -> None:
        """Use a control that needs nobody's consent."""
        now_us = self._clock.now_us()
        self._take(lambda session: evening.command(session, name, now_us), now_us)

    def _take(self, step: Step, now_us: int) -> None:
        """Let it happen after all that waits, and as soon as it can be written down: nobody will say it again."""
        self._waiting.append((step, now_us))
        self._catch_up()

    def _catch_up(self) -> bool:
        """Let happen what waits; False if it still can't be written down."""
        # a part that fails while it gives a cue says so in the middle of the telling: that has its turn afterwards
        while self._waiting and not self._telling:
            step, noticed_at_us = self._waiting.popleft()
            if not self._commit(*step(self.session), None, noticed_at_us):
                self._waiting.appendleft((step, noticed_at_us))
                break
        return not self._waiting

    def _pass_time(self) -> None:
        if self._catch_up():
            now_us = self._clock.now_us()
            self._commit(*evening.pass_time(self.session, now_us), None, now_us)

    def _commit(self, after: Session, happened: Sequence[Happening], origin: Origin | None, now_us: int) -> bool:
        """Write it down, then let it have happened; False, and nothing has, if it can't be written."""
        records = records_of(self.session.table, happened, origin, now_us, self._make_header)
        try:
            self._journal.append(*records)
        except JournalError as error:
            if self._writable:
                _log.error("%s", error)
            self._writable = False
            reason = str(error)
            self._tell(lambda: self._audience.mourn(reason))
            self._arm()
            return False
        self._writable = self._writable or bool(records)
        self.session = after
        if happened:
            self._tell(lambda: self._audience.follow(happened, after))
        self._arm()
        self._catch_up()
        return True

    def _tell(self, tell: Callable[[], None]) -> None:
        self._telling = True
        try:
            tell()
        finally:
            self._telling = False

    def _arm(self) -> None:
        """Wake for the next deadline, or to try again what could not be written down."""
        self.stop()
        due_us = evening.deadline(self.session)
        if not self._writable:
            self._timer = self._loop.call_later(RETRY_S, self._pass_time)
        elif due_us is not None:
            self._timer = self._loop.call_at(self._clock.loop_time(due_us), self._pass_time)


def _origin(sighting: Sighting) -> Origin | None:
    return sighting.origin if isinstance(sighting, TagCame | TagWent | ButtonEdge) else None
