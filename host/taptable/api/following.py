"""Follows the game at the table for the page or the bridge: keeps the topics that the table publishes, replays the
journal's entries with a `Replica`, and reports each new event and session. Knows how to replay a game; must not know
what the client does with it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any

from taptable.api.errors import RequestError
from taptable.api.facts import JournalFacts, TableFacts, Time
from taptable.api.link import TableClient
from taptable.api.replica import Replica
from taptable.core.errors import JournalError
from taptable.core.settings import US_PER_S
from taptable.history.playback import OtherRules
from taptable.referee.replaying import ReplayMismatch
from taptable.referee.session import Session, TableEvent

REPLAY_TIMEOUT_S = 5.0
"""Seconds that `wait_until_replayed` waits at most for the replica to reach the entry that the table published last."""

_log = logging.getLogger(__name__)


class Following:
    """Follows one table, on the event loop that runs it. Run `keep_up` as a task, and call `on_connected`,
    `on_topics_changed` and `on_disconnected` as a `TableLink` calls its listener. `on_event` receives each event with
    the number of its entry, and `on_session` the session after the latest entry. `on_lost` is called when there is no
    session any more: the table is away, or its game can't be replayed by the rules known here. `failed_game` is the id
    of that game, 0 if there is none. When names were removed from the journal, `on_redacted` is called, the game is
    read again from its beginning, and `on_event` receives all of its events once more. `clock` returns seconds; it
    advances table time between two messages."""

    def __init__(
        self,
        table: TableClient,
        on_event: Callable[[int, TableEvent], None],
        on_session: Callable[[Session], None],
        on_lost: Callable[[], None],
        on_redacted: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._on_event = on_event
        self._on_session = on_session
        self._on_lost = on_lost
        self._on_redacted = on_redacted
        self.facts: TableFacts | None = None
        self.topics: dict[str, Any] = {}
        self.failed_game = 0
        self._clock = clock
        self._time, self._time_s = Time(0), clock()
        self._replica: Replica | None = None
        self._woken = asyncio.Event()
        self._replay_lock = asyncio.Lock()
        self._progress = asyncio.Condition()
        self._replayed_entry = 0

    def on_connected(self, facts: TableFacts) -> None:
        """Start from scratch with a table that has connected."""
        self.facts = facts
        self.topics.clear()
        self._begin()
        self._replayed_entry = 0

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Take over the topics that have changed, and the table's time."""
        self._time, self._time_s = topics["time"], self._clock()
        before: JournalFacts | None = self.topics.get("journal")
        self.topics.update(topics)
        if before is not None and before.redactions != self.topics["journal"].redactions:
            self._on_redacted()
            self._begin()
        self._woken.set()

    def _begin(self) -> None:
        """Start a new replica at the game's beginning. Events that the previous replica still reads are dropped."""
        assert self.facts is not None

        def on_event(entry: int, event: TableEvent) -> None:
            if self._replica is replica:
                self._on_event(entry, event)

        self._replica = replica = Replica(self._table.call, self.facts.seats, on_event)

    def on_disconnected(self) -> None:
        """Drop the replica, since the table is away."""
        self._replica, self.failed_game = None, 0
        self._on_lost()
        self._woken.set()  # nobody has to wait for the replica any more

    def now_us(self) -> int:
        """Return the table's time in µs, extrapolated from its last message."""
        return self._time.at_us + round((self._clock() - self._time_s) * US_PER_S)

    async def keep_up(self) -> None:
        """Replay new entries whenever the table reports some. Never returns."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.read_on()
            except Exception as error:  # a bug of ours: log it and carry on with the next change
                loop = asyncio.get_running_loop()
                loop.call_exception_handler(
                    {
                        "message": "Unhandled exception while following the game: the next change is tried",
                        "exception": error,
                    }
                )

    async def read_on(self) -> None:
        """Replay the entries that are known to be written, and report the session after them."""
        await self._replay()
        async with self._progress:
            self._progress.notify_all()

    async def _replay(self) -> None:
        async with self._replay_lock:
            replica, topics = self._replica, self.topics
            if replica is None or not {"journal", "session"} <= topics.keys():
                return
            if topics["journal"].game == self.failed_game:
                return
            session = topics["session"]
            try:
                await replica.catch_up(topics["journal"])
            except RequestError as error:
                _log.warning("Game entries not received (%s): they are requested again with the next change", error)
                return
            except (ReplayMismatch, OtherRules, JournalError) as error:
                _log.error(
                    "Game not replayed, nothing is shown of it (%s): restart all of taptable after an upgrade", error
                )
                self._give_up_game(replica)
                return
            if replica is self._replica:
                self._replayed_entry = replica.entry
                self._on_session(replica.session(session, self.now_us()))

    async def wait_until_replayed(self) -> None:
        """Wait until every entry that the table has reported by now is replayed, for at most `REPLAY_TIMEOUT_S`. Don't
        wait for a game that can't be replayed."""
        journal: JournalFacts | None = self.topics.get("journal")
        if journal is None:
            return
        replica = self._replica

        def is_over() -> bool:
            is_given_up = replica is not self._replica or journal.game == self.failed_game
            return is_given_up or self._replayed_entry >= journal.entry

        async with self._progress:
            try:
                async with asyncio.timeout(REPLAY_TIMEOUT_S):
                    await self._progress.wait_for(is_over)
            except TimeoutError:
                _log.warning(
                    "Replay timeout (entry %s, %s s): the answer doesn't include that entry",
                    journal.entry,
                    REPLAY_TIMEOUT_S,
                )

    def _give_up_game(self, replica: Replica) -> None:
        """Give up a game that can't be replayed here, and wait for the next one, which may have begun already."""
        if replica is self._replica and self.facts is not None:
            self.failed_game = replica.game
            self._begin()
            self._on_lost()
            self._woken.set()
