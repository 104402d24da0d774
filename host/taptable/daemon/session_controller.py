"""The session controller: passes one device event or request after the other to the session, writes what follows into
the journal, and only then publishes it to cues and clients. The session changes nowhere else. Until an event is
written, it has not happened: the session stays as it was, a board's event is not acknowledged and comes again, and
everything else waits here in order. `history.playback` does the reverse and replays a journal. This module must not
know what an event means in a game; it only recognizes that a tag came, for the pulse of light at its pad."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeAlias

from taptable.core.controls import Fields
from taptable.core.device_events import DeviceEvent, Origin, Receipt, TagCame
from taptable.core.errors import JournalError
from taptable.core.notices import Notice
from taptable.core.observations import Arrangement, Pad
from taptable.daemon.clock import SUSPEND_CHECK_S, SuspendWatch, TableClock
from taptable.memory.journal import Journal
from taptable.memory.records import Ending, Entry, GameHeader, Record
from taptable.narration.updates import Alerts, Subscriber, Update, alerts_after_event
from taptable.referee import session as sessions
from taptable.referee.lines import announcement_line, answer_line, observation_line
from taptable.referee.session import Decision, Session, TableEvent
from taptable.referee.step import Table, find_next_starter, starts_new_game

MakeHeader = Callable[[Table, int | None], GameHeader]
"""Returns the header of the game that a table has just begun, given the next starter that the game before
determined."""


def records_of(
    before: Table, events: Sequence[TableEvent], origin: Origin | None, now_us: int, make_header: MakeHeader
) -> list[Record]:
    """Return the records of one commit: each observation with its verdict, each notice, games that begin or end, and
    the origin."""
    records: list[Record] = []
    table = before
    for event in events:
        if isinstance(event, Decision):
            records += _records_of_decision(table, event, make_header)
            table = event.table
        else:
            records.append(Entry(event.at_us, "note", announcement_line(event)))
    if origin is None:
        return records
    # the last entry that results from a board's event carries its number; an event without result is recorded as taken
    last = next((index for index in reversed(range(len(records))) if isinstance(records[index], Entry)), None)
    if last is None:
        return [*records, Entry(now_us, "taken", origin=origin)]
    carrier = records[last]
    assert isinstance(carrier, Entry)
    return [*records[:last], replace(carrier, origin=origin), *records[last + 1 :]]


def entry_of(decision: Decision) -> Entry:
    """Return the journal's entry for an observation and its verdict."""
    observation = decision.observation
    return Entry(
        observation.at_us,
        "observation",
        observation_line(observation),
        answer_line(observation.at_us, decision.verdict),
    )


def _records_of_decision(table: Table, decision: Decision, make_header: MakeHeader) -> Iterator[Record]:
    observation, after = decision.observation, decision.table
    yield entry_of(decision)
    if starts_new_game(observation, decision.verdict):
        yield make_header(after, find_next_starter(table, observation))
        return
    if not (after.scoreboard.over or table.scoreboard.over):
        return
    outcome = after.game.outcome(after.state)
    if outcome != table.game.outcome(table.state):
        yield Ending(observation.at_us, outcome)


RETRY_S = 1.0
"""Seconds until a failed write is retried."""

Step: TypeAlias = Callable[[Session], tuple[Session, list[TableEvent]]]
"""Returns the session after a device event, a control or time, and the events that this caused."""


@dataclass(slots=True, eq=False)
class _PendingStep:
    """A step that waits for its turn. `events` holds the events that it caused, as soon as they are in the journal."""

    step: Step
    events: tuple[TableEvent, ...] = ()


_log = logging.getLogger(__name__)


class DeviceClaim(Protocol):
    """Receives tags or presses for a purpose outside the game, such as an enrolment."""

    def claims(self, device_event: DeviceEvent) -> bool:
        """Return whether the event is for the claim alone, so that the session doesn't get it."""
        ...

    def handle_device_event(self, device_event: DeviceEvent) -> None:
        """Handle an event, claimed or not. A claimed event comes here once, before it is in the journal: if the process
        is killed in between, it comes again after the start."""
        ...


class SessionController:
    """The table's session, its journal, and the subscribers. While `claim` is set, device events go to it first.
    `on_tag_detected` is called with the pad as soon as a card was read, before its meaning is known.

    If the loop was held up, the event of a timer or a board may be handled although a driver has an older one.
    Therefore each of the `event_sources` is asked to report its events before anything else happens."""

    def __init__(
        self,
        *,
        session: Session,
        journal: Journal,
        clock: TableClock,
        loop: asyncio.AbstractEventLoop,
        make_header: MakeHeader,
    ) -> None:
        self.session = session
        self.loop = loop
        self.now_us = clock.now_us
        self.claim: DeviceClaim | None = None
        self.on_tag_detected: Callable[[Pad], None] = lambda _pad: None
        self._highest_event_numbers: dict[
            tuple[str, int], int
        ] = {}  # the highest number in the journal, by board and boot
        self._claimed_origin: Origin | None = None  # of the last claimed event, until that is written
        self._journal = journal
        self._clock = clock
        self._make_header = make_header
        self._subscribers: list[Subscriber] = []
        self.alerts: Alerts = {}
        self.event_sources: Sequence[Callable[[], None]] = ()
        self._timer: asyncio.TimerHandle | None = None
        self._suspend_watch = SuspendWatch(loop, clock)
        self._suspend_timer: asyncio.TimerHandle | None = None
        self._writable = True
        self._last_step_ok = True  # whether the last step was free of exceptions
        self._is_notifying = False
        self._stopped = False
        self._queue: list[_PendingStep] = []

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call `subscriber` with each update from now on, as soon as it is in the journal, after earlier
        subscribers."""
        self._subscribers.append(subscriber)

    def publish(
        self, events: Sequence[TableEvent] = (), journal_error: str | None = None, *, names_changed: bool = False
    ) -> None:
        """Send the subscribers these events and the present state, or the reason why nothing can be written.
        `names_changed` as in `Update`."""
        for event in events:
            self.alerts = alerts_after_event(self.alerts, event)
        writable = self._writable and journal_error is None
        update = Update(events, self.session, self.alerts, journal_error, writable, names_changed)
        for subscriber in self._subscribers:
            with self._notifying():
                subscriber(update)

    def start(self) -> None:
        """Start the timers for the deadlines and for suspends."""
        self._arm()
        self._check_suspend_again()

    def stop(self) -> None:
        """Stop taking events. A board repeats an unacknowledged event to the next process; acknowledged ones are
        counted now."""
        now_us = self.now_us()
        self._run_in_turn(lambda session: sessions.end_session(session, now_us))
        self._stopped = True
        self._disarm()
        if self._suspend_timer is not None:
            self._suspend_timer.cancel()

    def report(self, device_event: DeviceEvent) -> Receipt:
        """Take in a device event. Only a board's event, which has an origin, may have to be reported again later; all
        others wait here. Our own faults go to the loop's exception handler, never to people at the table."""
        if self._stopped:
            return Receipt.LATER
        self._poll_sources()
        now_us = self.now_us()
        origin = device_event.origin
        try:
            if origin is not None and origin.number <= self._highest_event_number(origin):
                return Receipt.KNOWN
        except JournalError as error:
            self._report_unwritable(error)
            return Receipt.LATER
        is_claimed = self._offer(device_event, origin)
        step: Step = partial(sessions.pass_time, now_us=now_us)
        if not is_claimed:
            step = partial(sessions.handle_device_event, device_event=device_event, now_us=now_us)
        if origin is not None:
            if not self._run_queue():
                return Receipt.LATER
            after, events = self.session, list[TableEvent]()
            with self._guarding_step():
                after, events = step(after)
            if not self._commit(after, events, origin):
                return Receipt.LATER
            self._run_queue()
        elif not is_claimed:
            self._run_in_turn(step)
        return Receipt.COMMITTED

    def _highest_event_number(self, origin: Origin) -> int:
        """Return the highest number in the journal for this boot of a board. Raises JournalError if it can't be
        read."""
        boot = origin.board, origin.boot
        if boot not in self._highest_event_numbers:
            self._highest_event_numbers[boot] = self._journal.highest_event_number(*boot) or 0
        return self._highest_event_numbers[boot]

    def _offer(self, device_event: DeviceEvent, origin: Origin | None) -> bool:
        """Signal that a card was read and offer the event to the claim. Return True if it is for the claim alone. An
        event that couldn't be written comes again, but the claim has had it."""
        if origin is not None and origin == self._claimed_origin:
            return True
        if isinstance(device_event, TagCame) and not device_event.already_present:
            with self._notifying():
                self.on_tag_detected(device_event.pad)
        if self.claim is None:
            return False
        is_claimed = self.claim.claims(device_event)
        if is_claimed:
            self._claimed_origin = origin
        self.claim.handle_device_event(device_event)
        return is_claimed

    # each of these returns the events that it caused, including what was due before; none yet if it has to wait

    def use_control(self, name: str, pad: Pad, by: str = "", fields: Fields = ()) -> tuple[TableEvent, ...]:
        """Use a control at a pad, or at none of the seats, as if by its card; or because `by` asked for it
        elsewhere."""
        now_us = self.now_us()
        return self._run_in_turn(lambda session: sessions.request_control(session, name, pad, now_us, by, fields))

    def observe(self, make: Callable[[int], Arrangement], by: str = "") -> tuple[TableEvent, ...]:
        """Apply an arrangement that `by` asked for. `make` creates it from the time."""
        now_us = self.now_us()
        return self._run_in_turn(lambda session: sessions.apply_arrangement(session, make, now_us, by))

    def confirm_rows(self, seat: int) -> tuple[TableEvent, ...]:
        """Confirm that a seat has checked its team's rows."""
        now_us = self.now_us()
        return self._run_in_turn(lambda session: sessions.confirm_rows(session, seat, now_us))

    def report_hand_count(self, seat: int, count: int) -> tuple[TableEvent, ...]:
        """Report how many cards a seat holds, during a check of the table."""
        now_us = self.now_us()
        return self._run_in_turn(lambda session: sessions.report_hand_count(session, seat, count, now_us))

    def command(self, name: str, at_us: int) -> tuple[TableEvent, ...]:
        """Use a control that needs nobody's consent, at a time not before the session's."""
        return self._run_in_turn(lambda session: sessions.apply_control(session, name, at_us))

    def pause(self, at_us: int) -> None:
        """Pause a game that is under way, from a time not before the session's."""
        table = self.session.table
        if table.scoreboard.seat is not None and not table.scoreboard.over and table.paused_at_us is None:
            self.command("pause", at_us)

    def note(self, notice: Notice) -> tuple[TableEvent, ...]:
        """Record a notice about the table, which belongs to no game."""
        return self._run_in_turn(lambda session: sessions.record_notice(session, notice))

    def publish_notice(self, notice: Notice) -> None:
        """Publish a notice without recording it: it belongs to no game and is of no use to a restored table."""
        self.publish((notice,))

    def _run_in_turn(self, step: Step) -> tuple[TableEvent, ...]:
        """Queue a step behind those that wait, and run it as soon as it can be written: nobody will report it again."""
        self._poll_sources()
        pending = _PendingStep(step)
        self._queue.append(pending)
        self._run_queue()
        return pending.events

    def _run_queue(self) -> bool:
        """Run the queued steps. Return False if some still have to wait."""
        # a part may report its failure while it gives a cue, in the middle of the notification; that has its turn
        # afterwards
        while not self._is_notifying and self._queue:
            pending = self._queue[0]
            session, events = self.session, list[TableEvent]()
            with self._guarding_step():
                session, events = pending.step(session)
            if not self._commit(session, events, None):
                break
            self._queue.remove(pending)
            pending.events = tuple(events)
        return not self._queue

    def _poll_sources(self) -> None:
        """Handle what is older than the present event: a suspend, and what devices have to report."""
        self._check_suspend()
        for report_now in self.event_sources:
            report_now()

    def _check_suspend(self) -> None:
        """If the computer was suspended since the last check, pause the game at its position before anything else
        happens: nobody could play meanwhile, as after a kill."""
        awake_us = self._suspend_watch.check()
        if awake_us is not None and not self._stopped:
            _log.warning("Computer was suspended: a game that is under way is paused")
            self.pause(max(awake_us, self.session.at_us))

    def _check_suspend_again(self) -> None:
        self._suspend_timer = self.loop.call_later(SUSPEND_CHECK_S, self._check_suspend_again)
        self._check_suspend()

    def _pass_time(self) -> None:
        self._poll_sources()
        self._disarm()
        now_us = self.now_us()
        if self._run_queue():
            session, events = self.session, list[TableEvent]()
            with self._guarding_step():
                session, events = sessions.pass_time(session, now_us)
            self._commit(session, events, None)
            self._run_queue()

    @contextmanager
    def _guarding_step(self) -> Generator[None]:
        """Guard a step of the session: if it raises, it has no effect, so that readers, boards and time continue."""
        self._last_step_ok = False
        try:
            yield
            self._last_step_ok = True
        except Exception as error:  # a bug of ours, of any kind
            self.loop.call_exception_handler({"message": "Unhandled exception in the referee step", "exception": error})

    def _commit(self, after: Session, events: Sequence[TableEvent], origin: Origin | None) -> bool:
        """Write the records, then apply the step and publish it. Return False, with nothing changed, if the write
        fails."""
        records = records_of(self.session.table, events, origin, after.at_us, self._make_header)
        try:
            self._journal.append(*records)
            if not (records or self._writable):
                self._journal.check_writable()
        except JournalError as error:
            self._report_unwritable(error)
            return False
        if origin is not None:
            self._highest_event_numbers[origin.board, origin.boot] = origin.number
        self._writable = True
        self.session = after
        self.publish(events)
        self._arm()
        return True

    def _report_unwritable(self, error: JournalError) -> None:
        """Report that the journal can't be written, and schedule a retry."""
        if self._writable:
            _log.error("Journal write failed, the game waits and retries every %d s: %s", RETRY_S, error)
        self._writable = False
        self.publish(journal_error=str(error))
        self._arm()

    @contextmanager
    def _notifying(self) -> Generator[None]:
        """Guard a notification. What is reported meanwhile has its turn afterwards."""
        was_notifying, self._is_notifying = self._is_notifying, True
        try:
            yield
        except Exception as error:  # a bug of ours; what is in the journal has happened, with or without its cue
            self.loop.call_exception_handler({"message": "Unhandled exception in a subscriber", "exception": error})
        finally:
            self._is_notifying = was_notifying

    def _arm(self) -> None:
        """Set the timer for the next deadline, or for the retry after a failed write or step."""
        if self._stopped:
            return
        self._disarm()
        due_us = self.session.due_us
        if not (self._writable and self._last_step_ok):
            self._timer = self.loop.call_later(RETRY_S, self._pass_time)
        elif due_us is not None:
            self._timer = self.loop.call_at(self._clock.loop_time(due_us), self._pass_time)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
