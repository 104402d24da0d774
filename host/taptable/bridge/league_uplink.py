"""The table's uplink to its league: sends the journal from the position that the league confirmed last, several batches
in flight at a time, and sends them again if confirmations don't arrive. The league knows up to where it has the
journal, and the table's journal is the one that counts: if they differ, the league is asked where both agree, and
sending continues there. Must not know what the records mean."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiomqtt import Client

from taptable.api.errors import RequestError
from taptable.api.facts import TableFacts
from taptable.api.link import Call
from taptable.bridge.confirmations import Confirmations, Revoked
from taptable.bridge.connection import cancel_all, run_until_first_ends
from taptable.bridge.journal_pages import fetch_page, fetch_positions, has_position
from taptable.bridge.members_publisher import MembersPublisher
from taptable.bridge.state_files import LeaguePosition, UplinkStateFile
from taptable.uplink.messages import (
    DIVERGED,
    GAP,
    REVOKED,
    UNKNOWN_JOURNAL,
    VERSION,
    Batch,
    Confirmed,
    Position,
    Topics,
    Where,
    encode_signed,
)
from taptable.words import Words

WINDOW = 8
"""Maximum number of batches in flight. With `messages.LONGEST`, the most bytes of each, this bounds the memory."""

FAULTS_UNTIL_CONFIRMED = frozenset({"silent", "mismatch", "parted"})
"""The faults that are over once the league confirms something new. If one happens again after that, it is logged again;
all other sentences are logged once in the life of the process."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Patience:
    """Timeouts and pauses in seconds: for the broker to send retained messages, for the league to answer and to
    confirm; the least and the longest pause between two questions, and the pause after the key was revoked; how often
    the state file is written."""

    retained_s: float = 2.0
    answer_s: float = 5.0
    confirm_s: float = 15.0
    least_pause_s: float = 1.0
    longest_pause_s: float = 300.0
    revoked_s: float = 3600.0
    keep_s: float = 5.0


class InFlight:
    """The batches in flight: sent after the `confirmed` position and not confirmed yet. `next` is where the next batch
    begins. `repeated`: they were sent again, and nothing was confirmed since; `narrow`: one batch at a time, as nothing
    was confirmed for longer."""

    def __init__(self, confirmed: Position) -> None:
        self._ends: deque[Position] = deque()
        self.confirmed = confirmed
        self.next = confirmed
        self.repeated = self.narrow = False

    @property
    def count(self) -> int:
        """The number of batches in flight."""
        return len(self._ends)

    @property
    def has_room(self) -> bool:
        """Whether another batch may be sent."""
        return len(self._ends) < (1 if self.narrow else WINDOW)

    def add(self, end: Position) -> None:
        """Add a batch that was sent and ends at this position."""
        self._ends.append(end)
        self.next = end

    def is_end(self, position: Position) -> bool:
        """Return whether a batch in flight ends at this position."""
        return position in self._ends

    def confirm(self, position: Position) -> None:
        """Drop the batches up to a confirmed position, which is the end of one or beyond. Later ones stay in flight."""
        while self._ends and self._ends[0].number <= position.number:
            self._ends.popleft()
        if self.next.number <= position.number:
            self.next = position
        self.confirmed = position
        self.repeated = self.narrow = False

    def restart(self, *, narrow: bool = False) -> None:
        """Drop all batches in flight, and begin again at the confirmed position."""
        self._ends.clear()
        self.next = self.confirmed
        self.repeated, self.narrow = True, narrow


class _Lost(Exception):
    """The league's position is unknown, and has to be asked for."""


class LeagueUplink:
    """The uplink of the table with the id `table` at the league, signing with `key`. It is a `TableListener`; run
    `serve` with each connection to the broker."""

    def __init__(
        self, table: str, key: bytes, call: Call, state_file: UplinkStateFile, patience: Patience | None = None
    ) -> None:
        self._topics = Topics(table)
        self._key = key
        self._call = call
        self._state_file = state_file
        self._patience = patience or Patience()
        self._members = MembersPublisher(self._topics, key, call)
        self._confirmations = Confirmations(self._topics, key, self._log_once)
        self._table_connected = False
        self._more = True
        self._logged: set[str] = set()
        self._words = Words("en")

    # ---- events of the table

    def on_connected(self, facts: TableFacts) -> None:
        """Continue sending, since the table has connected."""
        del facts
        self._table_connected = self._more = True
        self._confirmations.wake()

    def on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        """Continue sending if the journal has changed, and pass changed members on."""
        if "journal" in topics:
            self._more = True
            self._confirmations.wake()
        if "members" in topics:
            self._members.set_members(topics["members"])
        if "away" in topics:
            self._members.set_away_count(topics["away"])
        if "deleted-members" in topics:
            self._members.set_deleted(topics["deleted-members"])

    def on_disconnected(self) -> None:
        """Note that the table is away."""
        self._table_connected = False

    # ---- the connection to a broker

    async def serve(self, client: Client) -> None:
        """Send and receive until the connection is lost. Raises `aiomqtt.MqttError`."""
        receiving, sending, publishing = (
            self._confirmations.receive(client),
            self._run(client),
            self._members.publish(client),
        )
        try:
            await run_until_first_ends(receiving, sending, publishing, self._save_periodically())
        finally:
            self._state_file.save()

    async def _save_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._patience.keep_s)
            self._state_file.save()

    async def _run(self, client: Client) -> None:
        """Find the league's position and send from there, again and again."""
        asking = False
        while True:
            try:
                if asking or not await self._find_saved_position():
                    await self._ask(client)
                asking = False
                await self._send(client)
            except _Lost:
                asking = True
                await asyncio.sleep(self._patience.least_pause_s)
            except Revoked:
                self._remark(REVOKED)
                asking = True
                await asyncio.sleep(self._patience.revoked_s)
            except RequestError as error:
                await self._wait_for_table(error)

    async def _wait_for_table(self, error: RequestError) -> None:
        """Wait until the table is back; if it is there but can't read its journal, until that has changed or a long
        time has passed."""
        self._more = False
        if error.key != "table-away":
            self._log_once(error.key, f"Journal not readable, nothing is sent to the league until it changes: {error}")
        await asyncio.sleep(self._patience.least_pause_s)
        while not (self._table_connected and self._more) and await self._confirmations.wait(
            self._patience.longest_pause_s
        ):
            pass

    # ---- the league's position

    async def _find_saved_position(self) -> bool:
        """Return whether the league's position is known, from the state file or from the broker's retained
        confirmation."""
        saved = self._state_file.confirmed
        if saved is not None and await has_position(self._call, saved.position):
            return True
        self._state_file.confirmed = None
        (end, *_) = await fetch_positions(self._call)
        retained = await self._confirmations.wait_for(end.journal, self._patience.retained_s)
        return retained is not None and await self._adopt_if_agreed(retained)

    async def _ask(self, client: Client) -> None:
        """Ask until the league says where it is. The first question names the journal's end alone: a league that is at
        an earlier position answers with it, and changes nothing. Only if the journal doesn't agree with the league's
        answer, a second one asks where the two part."""
        pause_s = self._patience.answer_s
        while True:
            known = await fetch_positions(self._call)
            for positions in (known[:1], known):
                self._confirmations.forget()
                question = Where(VERSION, positions)
                await client.publish(self._topics.where, encode_signed(question, self._topics.where, self._key), qos=1)
                if await self._take_answer(known[0].journal, pause_s, whole=positions == known):
                    return
            pause_s = min(2 * pause_s, self._patience.longest_pause_s)

    async def _take_answer(self, journal: str, wait_s: float, *, whole: bool) -> bool:
        """Continue from the answer to a question, and return whether there was one that the journal agrees with. The
        answer to the `whole` question may follow answers to an earlier one."""
        loop = asyncio.get_running_loop()
        until_s, answered = loop.time() + wait_s, False
        while (left_s := until_s - loop.time()) > 0:
            answer = await self._confirmations.wait_for(journal, left_s)
            if answer is None:
                break
            answered = True
            self._logged.discard("silent")
            if await self._adopt_if_agreed(answer):
                if whole:
                    self._remark(answer.remark)
                return True
            if not whole:
                return False
        if answered:
            self._log_once(
                "parted",
                "Journal differs from the league's: nothing is sent until the league says from where to continue",
            )
        else:
            self._log_once("silent", "No answer from the league: it is asked again now and then")
        return False

    async def _adopt_if_agreed(self, confirmed: Confirmed) -> bool:
        """Continue from a confirmed position if the journal has it. Returns whether it has."""
        agrees = await has_position(self._call, confirmed.position)
        if agrees:
            self._state_file.confirmed = LeaguePosition(confirmed.position, confirmed.branch)
        else:
            number = confirmed.position.number
            self._log_once(
                "mismatch",
                f"Journal differs from the league's before entry {number}: the league is asked where to continue",
            )
        return agrees

    # ---- in flight

    async def _send(self, client: Client) -> None:
        """Send from the league's position on, and each new record as it is written. Raises `_Lost` if the league turns
        out to be elsewhere."""
        assert self._state_file.confirmed is not None
        in_flight = InFlight(self._state_file.confirmed.position)
        publishing: set[asyncio.Task[None]] = set()
        self._more = True
        loop = asyncio.get_running_loop()
        try:
            since_s = loop.time()
            while True:
                if not in_flight.count:
                    since_s = loop.time()
                await self._fill(client, in_flight, publishing)
                by_s = since_s + self._patience.confirm_s
                await self._confirmations.wait(by_s - loop.time() if in_flight.count else None)
                for task in [task for task in publishing if task.done()]:
                    publishing.remove(task)
                    task.result()
                while confirmed := self._confirmations.next():
                    if await self._handle_confirmation(confirmed, in_flight):
                        since_s = loop.time()
                if in_flight.count and loop.time() >= since_s + self._patience.confirm_s:
                    if in_flight.narrow:
                        raise _Lost
                    self._resend(in_flight, narrow=True)
        finally:
            await cancel_all(publishing)

    async def _fill(self, client: Client, in_flight: InFlight, publishing: set[asyncio.Task[None]]) -> None:
        """Send batches while there are records and room in flight."""
        assert self._state_file.confirmed is not None
        while self._more and in_flight.has_room and len(publishing) < WINDOW:
            self._more = False  # unless something is written meanwhile
            page = await fetch_page(self._call, in_flight.next.number)
            if page.start != in_flight.next or page.end is None:
                raise _Lost
            if page.records:
                self._more = True
                batch = Batch(VERSION, in_flight.next, self._state_file.confirmed.branch, page.records)
                payload = encode_signed(batch, self._topics.entries, self._key)
                sending = asyncio.ensure_future(client.publish(self._topics.entries, payload, qos=1))
                sending.add_done_callback(lambda _: self._confirmations.wake())
                publishing.add(sending)
                in_flight.add(page.end)

    async def _handle_confirmation(self, confirmed: Confirmed, in_flight: InFlight) -> bool:
        """Apply a confirmation, and return whether it confirms something new. Raises `_Lost` if it shows that the
        journals differ."""
        saved = self._state_file.confirmed
        assert saved is not None
        position, branch = confirmed.position, confirmed.branch
        if position.journal != saved.position.journal:
            self._log_once("other", "Confirmation of another journal dropped: does another table use this one's key?")
            return False
        if confirmed.remark not in {GAP, UNKNOWN_JOURNAL, DIVERGED}:
            self._remark(confirmed.remark)
        if (position, branch) == (saved.position, saved.branch):
            if confirmed.remark in {GAP, UNKNOWN_JOURNAL} and not in_flight.repeated:
                self._resend(in_flight)
            return False
        if branch < saved.branch or (branch == saved.branch and position.number < saved.position.number):
            return False  # older than the last one; if it isn't, no other will come
        if not in_flight.is_end(position) and not await has_position(self._call, position):
            raise _Lost
        self._state_file.confirmed = LeaguePosition(position, branch)
        in_flight.confirm(position)
        self._logged -= FAULTS_UNTIL_CONFIRMED
        if branch != saved.branch:
            self._resend(in_flight)
        return True

    def _resend(self, in_flight: InFlight, *, narrow: bool = False) -> None:
        in_flight.restart(narrow=narrow)
        self._more = True

    # ---- log

    def _remark(self, key: str) -> None:
        """Log a remark of the league to the table's people, each kind once."""
        if key:
            self._log_once(f"remark {key}", f"Remark of the league: {self._words.message('league-remark', key) or key}")

    def _log_once(self, key: str, sentence: str) -> None:
        if key not in self._logged:
            self._logged.add(key)
            _log.warning("%s", sentence)
