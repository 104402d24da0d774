"""The running game once more: what is written of it is played again here, so that whatever a client wants to know of it
costs the table nothing. Must not know who looks."""

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
AT_A_TIME = 16
"""So many entries are played again before others have their turn."""


class Replica:
    """Of the game at a table of so many `seats`, which is asked by `call`. `events` is told what happened, with the
    number of its entry."""

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
        """Play again what has been written since. `RequestError` where it can't be had, `Departure` or `OtherRules`
        where it can't be played by the rules that are known here."""
        while self._playback is not None and self.game != journal.game and await self._read_on(journal.entry):
            pass
        if self.game != journal.game:
            await self._open(journal.game)
        while self.entry < journal.entry and await self._read_on(journal.entry):
            pass
        # what is left was of no game's course
        self.entry = max(self.entry, journal.entry)

    def session(self, facts: SessionFacts, at_us: int) -> Session:
        """The table's session, as far as it can be told."""
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
            # else it was told with what began it, which is the last line of the game before
            beginning = ControlUsed(header.at_us, "new-game")
            self._on_event(0, Decision(beginning, Accepted(playback.opening_announcements), playback.table))

    async def _read_on(self, upto: int) -> bool:
        """Play some more of this game; False if there is no more of it."""
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
