"""How a client follows the game at the table: it keeps what the table tells of itself, plays again what is written, and
says how the table stands whenever that has changed. Must not know what is made of it."""

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
from taptable.referee.replaying import Departure
from taptable.referee.session import Session, TableEvent

REACHED_S = 5.0
"""How long is waited for what the table has told of to be played again."""

_log = logging.getLogger(__name__)


class Following:
    """Of one table, on the loop that runs it; `keep_up` is to be a task. `happened` is told what happens, with the
    number of its entry, `stands` the session after that, and `lost` that there is none any more. After names were taken
    out of the journal `redacted` is called, and the game is read again from its beginning: `happened` is told all of it
    once more. What the table tells is handed in by `came`, `changed` and `away`, as a link tells it. `clock` gives the
    seconds by which table time goes on between two messages."""

    def __init__(
        self,
        table: TableClient,
        happened: Callable[[int, TableEvent], None],
        stands: Callable[[Session], None],
        lost: Callable[[], None],
        redacted: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._happened = happened
        self._stands = stands
        self._lost = lost
        self._redacted = redacted
        self.facts: TableFacts | None = None
        self.topics: dict[str, Any] = {}
        self.lost_game = 0
        self._clock = clock
        self._time, self._time_s = Time(0), clock()
        self._replica: Replica | None = None
        self._woken = asyncio.Event()
        self._reading = asyncio.Lock()
        self._reached = asyncio.Condition()
        self._reached_entry = 0

    def came(self, facts: TableFacts) -> None:
        """The table is there: all is found out about it anew."""
        self.facts = facts
        self.topics.clear()
        self._begin()
        self._reached_entry = 0

    def changed(self, topics: Mapping[str, Any]) -> None:
        """These of the table's topics are so now, and its time."""
        self._time, self._time_s = topics["time"], self._clock()
        before: JournalFacts | None = self.topics.get("journal")
        self.topics.update(topics)
        if before is not None and before.redactions != self.topics["journal"].redactions:
            self._redacted()
            self._begin()
        self._woken.set()

    def _begin(self) -> None:
        """Play the game again from its beginning; what is still read for an earlier replica is told to nobody."""
        assert self.facts is not None

        def happened(entry: int, event: TableEvent) -> None:
            if self._replica is replica:
                self._happened(entry, event)

        self._replica = replica = Replica(self._table.call, self.facts.seats, happened)

    def away(self) -> None:
        """The table isn't there any more."""
        self._replica, self.lost_game = None, 0
        self._lost()

    def now_us(self) -> int:
        """The table's time, as far as it can be known here."""
        return self._time.at_us + round((self._clock() - self._time_s) * US_PER_S)

    async def keep_up(self) -> None:
        """Play again what is written, as it is told of, for good."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            try:
                await self.read_on()
            except Exception as error:  # a bug of ours, whatever it is: the next that happens is shown
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": "The game could not be followed", "exception": error})

    async def read_on(self) -> None:
        """Play again what has been written, as far as that is known."""
        async with self._reading:
            replica, topics = self._replica, self.topics
            if replica is None or not {"journal", "session"} <= topics.keys():
                return
            if topics["journal"].game == self.lost_game:
                return
            session = topics["session"]
            try:
                await replica.catch_up(topics["journal"])
            except RequestError as error:
                _log.warning("the game can't be followed: %s", error)
                return
            except (Departure, OtherRules, JournalError) as error:
                _log.error("the table plays by other rules than are known here: %s", error)
                self._lose_game(replica)
                return
            if replica is self._replica:
                self._reached_entry = replica.entry
                self._stands(replica.session(session, self.now_us()))
        async with self._reached:
            self._reached.notify_all()

    async def settled(self) -> None:
        """Wait until all has been played again that the table has told of."""
        replica, entry = self._replica, self.topics["journal"].entry if "journal" in self.topics else 0
        async with self._reached:
            try:
                async with asyncio.timeout(REACHED_S):
                    await self._reached.wait_for(lambda: replica is not self._replica or self._reached_entry >= entry)
            except TimeoutError:
                _log.warning("entry %s of the journal wasn't seen within %s s", entry, REACHED_S)

    def _lose_game(self, replica: Replica) -> None:
        """A game can't be played again here; the next one can, and may have begun."""
        if replica is self._replica and self.facts is not None:
            self.lost_game = replica.game
            self._begin()
            self._lost()
            self._woken.set()
