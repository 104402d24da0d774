"""What was played at a table: the games in its journal, and the course of each, played again a few lines at a time so
that the table never waits for it. What was asked for last is kept; what nobody waits for any more is given up. Changes
nothing; must not know who asks, nor how it is shown."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from taptable.core.announcements import type_name
from taptable.core.errors import TaptableError
from taptable.core.notices import PlayersNamed
from taptable.daemon.course import Course
from taptable.daemon.playback import OtherRules, Playback, opening_of
from taptable.memory.faults import JournalDamaged
from taptable.memory.reading import JournalReader
from taptable.memory.records import Entry, GameSummary
from taptable.memory.transcript import text_lines, without_tags
from taptable.referee.notes import parse_note
from taptable.referee.replaying import Departure

LINES_AT_A_TIME = 8
"""So many lines of a journal are played again before the table has its turn."""
MOST_STEPS_KEPT = 6_000
"""Steps of the games that are kept beside the one asked for last: a step is some 2 kB."""


class NotWaitedFor(TaptableError):
    """Who asked for this has asked for another game since."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One game in the list; `trouble` says why it can't be told, and without a summary nothing is known of it."""

    id: int
    summary: GameSummary | None
    names: tuple[str, ...] = ()
    trouble: TaptableError | None = None


@dataclass(slots=True)
class Recorded:
    """A game as far as it has been played again, without a course where it can't be; `trouble` says why it goes no
    further."""

    summary: GameSummary
    course: Course | None = None
    trouble: TaptableError | None = None
    last_id: int = 0
    _playback: Playback | None = None

    @classmethod
    def begin(cls, summary: GameSummary) -> Recorded:
        """A game at its beginning."""
        try:
            playback = Playback(summary.header)
        except OtherRules as error:
            return cls(summary, trouble=error)
        return cls(summary, Course.begin(summary.header, playback.table, playback.begun), _playback=playback)

    def play(self, page: list[tuple[int, Entry]]) -> None:
        """What was written next."""
        assert self.course is not None
        assert self._playback is not None
        try:
            for entry_id, entry in page:
                happening = self._playback.play(entry)
                if happening is not None:
                    self.course.hear(happening)
                self.last_id = entry_id
        except Departure as departure:
            self.trouble = departure


@dataclass(slots=True)
class _Waiting:
    """Somebody who waits for a game."""

    client: str
    game_id: int
    given_up: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class History:
    """The games in the journal at `path`, which may be written meanwhile; beside the one asked for last others are kept
    with at most so many steps."""

    def __init__(self, path: Path, most_steps: int = MOST_STEPS_KEPT) -> None:
        self._path = path
        self._most_steps = most_steps
        self._kept: dict[int, Recorded] = {}  # what was asked for last stands last
        self._playing: dict[int, asyncio.Task[Recorded]] = {}
        self._waiting: list[_Waiting] = []
        self._names: dict[int, tuple[str, ...]] = {}
        self._turn = asyncio.Lock()  # one game after the other

    async def games(self, before: int | None, most: int) -> list[Listed]:
        """At most so many games, the last begun first; with `before`, of those begun before that one."""
        with JournalReader.open(self._path) as journal:
            listed: list[Listed] = []
            last_id = next(iter(journal.game_ids(most=1)), 0)
            for game_id in journal.game_ids(before, most):
                listed.append(self._list(journal, game_id, last_id))
                await asyncio.sleep(0)
            return listed

    def last_id(self) -> int | None:
        """The game begun last."""
        with JournalReader.open(self._path) as journal:
            return next(iter(journal.game_ids(most=1)), None)

    def kept(self, game_id: int) -> Recorded | None:
        """A game as far as it was when it was asked for last, if it is still there."""
        return self._kept.get(game_id)

    async def game(self, game_id: int, client: str) -> Recorded:
        """A game as far as it is written. JournalError if there is none, or it can't be read now; NotWaitedFor if this
        client has asked for another meanwhile."""
        for other in self._waiting:
            if other.client == client and other.game_id != game_id and not other.given_up.done():
                other.given_up.set_result(None)
        if game_id not in self._playing:
            self._playing[game_id] = asyncio.create_task(self._play(game_id), name=f"game {game_id}")
        playing = self._playing[game_id]
        mine = _Waiting(client, game_id)
        self._waiting.append(mine)
        try:
            await asyncio.wait({playing, mine.given_up}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise NotWaitedFor(f"game {game_id} isn't waited for any more")
            return playing.result()
        finally:
            self._waiting.remove(mine)
            if not any(each.game_id == game_id for each in self._waiting) and self._playing.get(game_id) is playing:
                del self._playing[game_id]
                playing.cancel()

    async def text(self, game_id: int, *, tags: bool) -> str:
        """A game as a file has it, with the numbers of tags that are in no deck, or other names for them. JournalError
        if there is none, or it can't be read."""
        async with self._turn:
            with JournalReader.open(self._path) as journal:
                called: dict[str, str] = {}
                entries = journal.entries(game_id, LINES_AT_A_TIME)
                shown = entries if tags else (without_tags(entry, called) for entry in entries)
                pieces: list[str] = []
                for piece in text_lines(journal.game(game_id), shown):
                    pieces.append(piece)
                    if len(pieces) % LINES_AT_A_TIME == 0:
                        await asyncio.sleep(0)
                return "".join(pieces)

    async def _play(self, game_id: int) -> Recorded:
        async with self._turn:
            with JournalReader.open(self._path) as journal:
                summary = journal.game(game_id)
                recorded = self._kept.pop(game_id, None) or Recorded.begin(summary)
                recorded.summary = summary
                self._kept[game_id] = recorded
                self._forget()  # now: nobody may wait for the end of it
                while recorded.trouble is None and (page := _next_page(journal, recorded)):
                    recorded.play(page)
                    await asyncio.sleep(0)
                return recorded

    def _forget(self) -> None:
        """Keep no more than there is room for, but always the game that was asked for last."""
        *others, _ = self._kept
        steps = 0
        for game_id in reversed(others):
            course = self._kept[game_id].course
            steps += 0 if course is None else len(course.steps)
            if steps > self._most_steps:
                del self._kept[game_id]

    def _list(self, journal: JournalReader, game_id: int, last_id: int) -> Listed:
        try:
            summary = journal.game(game_id)
        except JournalDamaged as error:
            return Listed(game_id, None, trouble=error)
        try:
            names = self._names_of(journal, game_id, last_id)
            opening_of(summary.header)
            return Listed(game_id, summary, names)
        except (JournalDamaged, OtherRules) as error:
            return Listed(game_id, summary, trouble=error)

    def _names_of(self, journal: JournalReader, game_id: int, last_id: int) -> tuple[str, ...]:
        """What the players were called last; for good once another game has begun."""
        if game_id in self._names:
            return self._names[game_id]
        entry = journal.last_note(game_id, type_name(PlayersNamed))
        note = None if entry is None else parse_note(entry.line or {})
        names = note.names if isinstance(note, PlayersNamed) else ()
        if game_id != last_id:
            self._names[game_id] = names
        return names


def _next_page(journal: JournalReader, recorded: Recorded) -> list[tuple[int, Entry]]:
    """The next lines of a game; none at its end, or where it is damaged, which is its trouble then."""
    try:
        return journal.entries_after(recorded.summary.id, recorded.last_id, LINES_AT_A_TIME)
    except JournalDamaged as damage:
        recorded.trouble = damage
        return []
