"""A client's replica of the running game: requests the entries of the table's journal and replays them, so that a
client's questions about the game cost the table nothing. Used by `following`; must not know the client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

from taptable.api.facts import JournalFacts, SessionFacts
from taptable.api.link import Call
from taptable.api.requests import Entries, GameRecord
from taptable.core.notices import PlayersNamed
from taptable.core.observations import ControlUsed
from taptable.core.tag_notices import MembersSeated
from taptable.core.verdicts import Accepted
from taptable.history.playback import Playback
from taptable.memory.game_export import entry_in, summary_in
from taptable.memory.records import Entry
from taptable.referee.session import Decision, Session, TableEvent, open_session

SOURCE = "the table's journal"
"""The name of the entries' source, in errors."""
AT_A_TIME = 16
"""Entries that are replayed in a row before other tasks get their turn."""


class Replica:
    """A replica of the game at a table with `seats` seats, which is requested by `call`. `on_event` receives each event
    with the number of its entry."""

    def __init__(self, call: Call, seats: int, on_event: Callable[[int, TableEvent], None]) -> None:
        self._call = call
        self._seats = seats
        self._on_event = on_event
        self._playback: Playback | None = None
        self._names: tuple[str, ...] = ()
        self._members: tuple[str, ...] = ()
        self.game = 0
        self.entry = 0

    async def catch_up(self, journal: JournalFacts) -> None:
        """Replay all entries up to the last one that the table has reported. Raises `RequestError` if they can't be
        fetched, `ReplayMismatch` or `OtherRules` if they can't be replayed by the rules that are known here."""
        while self._playback is not None and self.game != journal.game and await self._read_on(journal.entry):
            pass
        if self.game != journal.game:
            await self._open(journal.game)
        while self.entry < journal.entry and await self._read_on(journal.entry):
            pass
        # the entries that are left belong to no game
        self.entry = max(self.entry, journal.entry)

    def session(self, facts: SessionFacts, at_us: int) -> Session:
        """Return the table's session, as far as clients know it."""
        assert self._playback is not None
        table = self._playback.table
        players = table.game_options.players
        session = open_session(
            table, self._seats, 0, max(at_us, table.at_us), self._names[:players], self._members[:players]
        )
        prompts = replace(session.prompts, consent=facts.consent, checking=facts.checking)
        return replace(session, prompts=prompts, enrolment=facts.enrolling)

    async def _open(self, game_id: int) -> None:
        header = summary_in(await self._call(GameRecord(game_id)), SOURCE).header
        followed = self._playback is not None
        self.game = game_id
        playback = Playback(header)
        self._playback, self._names, self._members = playback, (), ()
        if not followed:
            # else the last entry of the game before, which began this one, has reported it already
            beginning = ControlUsed(header.at_us, "new-game")
            self._on_event(0, Decision(beginning, Accepted(playback.opening_announcements), playback.table))

    async def _read_on(self, upto: int) -> bool:
        """Replay the next entries of this game, up to entry `upto`. Returns False when no more of it are left."""
        found = (await self._call(Entries(self.game, self.entry)))["entries"]
        for number, (entry_id, entry) in enumerate(found):
            if entry_id > upto:
                break
            self._play(entry_id, entry_in(entry, SOURCE))
            if number % AT_A_TIME == AT_A_TIME - 1:
                await asyncio.sleep(0)
        return bool(found) and self.entry < upto

    def _play(self, entry_id: int, entry: Entry) -> None:
        assert self._playback is not None
        event = self._playback.play(entry)
        self.entry = entry_id
        if isinstance(event, PlayersNamed):
            self._names = event.names
        if isinstance(event, MembersSeated):
            self._members = event.members
        if event is not None:
            self._on_event(entry_id, event)
