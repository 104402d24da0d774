"""Answers browsers' questions about the games that were played at the table: the list of games, the course of one, its
steps, the table after a step (its position), and a game's file. It reads the entries of a game from the table's local
API and replays them here, some at a time; `past_game_views` makes the answers. Replayed games are cached, and a replay
for which no client waits any more is cancelled. Changes nothing at the table; must not know how messages travel."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from taptable.api.errors import RequestError
from taptable.api.link import TableClient
from taptable.api.requests import Entries, GameId, GameRecord, Games
from taptable.core.errors import ConfigError
from taptable.core.pack import Pack
from taptable.games.registry import GAMES, find_game, package_of
from taptable.history.course import Course
from taptable.history.playback import OtherRules, Playback, open_recorded_game
from taptable.memory.game_export import entry_in, export_pieces, pseudonymize_tags, summary_in
from taptable.memory.records import Entry, GameHeader, GameSummary
from taptable.page.messages import Requester, convert
from taptable.page.past_game_views import course_of, line_of, position_of, step_of
from taptable.referee.replaying import ReplayMismatch
from taptable.words import Vocabulary, Words

CONTEXT = "history"
"""The catalogues' context of this module's sentences."""
SOURCE = "the table's journal"
"""The origin of the entries, for the text of errors about an entry that can't be read."""
GAMES_AT_A_TIME = 20
"""The most games in one answer to ``games``."""
STEPS_AT_A_TIME = 60
"""The most steps in one answer to ``steps``; for more a browser sends another request."""
ENTRIES_AT_A_TIME = 8
"""How many entries are replayed before other tasks get a turn of the loop."""
MAX_REPLAYED = 50_000
"""The most entries of a game that are read and replayed, so that no journal fills the memory; no evening has as many.
The reader of a longer game gets the message ``too-long``. A league has another limit for its replays:
`league.limits.MAX_PLAYED`."""
MAX_STEPS_KEPT = 6_000
"""The most steps, in all, of the cached games. The game that was asked for last is always cached and doesn't count. A
step takes some 2 kB."""

_FILE = re.compile(r"game-([1-9][0-9]{0,15})")
"""The name of a game's file, with the game's id."""

Number = Annotated[int, Meta(ge=0, le=2**53)]
"""A number of a step, as a browser sends it."""


class _GameQuery(Struct, frozen=True):
    """The fields of a request. `id` is the game, None for the one begun last. `before` is of ``games``: list only games
    before that one. `first` is of ``steps``, the first step to send, and `number` of ``position``, the step."""

    id: GameId | None = None
    before: GameId | None = None
    first: Number = 0
    number: Number = 0


@dataclass(slots=True)
class ReplayedGame:
    """A game as far as it has been replayed, up to the entry `last_entry_id`. `course` is None if this version can't
    replay the game at all. `trouble` says why the replay stopped before the last entry; None if it didn't."""

    summary: GameSummary
    course: Course | None = None
    trouble: RequestError | None = None
    last_entry_id: int = 0
    _playback: Playback | None = None
    _names: tuple[str, ...] | None = None

    @classmethod
    def begin(cls, summary: GameSummary) -> ReplayedGame:
        """Return the game at its beginning."""
        try:
            playback = Playback(summary.header)
        except OtherRules:
            return cls(summary, trouble=RequestError(CONTEXT, "other-rules"))
        return cls(
            summary, Course.begin(summary.header, playback.table, playback.opening_announcements), _playback=playback
        )

    def play(self, entry_id: int, entry: Entry) -> None:
        """Replay the next entry."""
        assert self.course is not None
        assert self._playback is not None
        try:
            event = self._playback.play(entry)
        except ReplayMismatch:
            self.trouble = RequestError(CONTEXT, "departure")
            return
        if event is not None:
            self.course.add_event(event)
            self._apply_names()
        self.last_entry_id = entry_id

    def set_names(self, names: tuple[str, ...]) -> None:
        """Call the players by these names, seat 1 first, regardless of what the entries say."""
        self._names = names
        self._apply_names()

    def _apply_names(self) -> None:
        if self.course is not None and self._names is not None:
            self.course.names, self.course.members = self._names, ()


@dataclass(slots=True)
class _Waiting:
    """A client's request that waits for the replay of a game. `given_up` is set when the same client asks for another
    game meanwhile."""

    client: str
    game_id: int
    given_up: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class PastGames:
    """The recorded games of one table. `most_steps` limits the cache, as `MAX_STEPS_KEPT` does unless it is given.
    `people` maps the members' ids to their present names. The attribute `name` is the table's name."""

    def __init__(
        self, table: TableClient, most_steps: int = MAX_STEPS_KEPT, people: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.name = ""
        self._redactions = 0
        self._table = table
        self._people = people
        self._most_steps = most_steps
        self._words: dict[tuple[str, str, str], Words] = {}
        self._cache: dict[int, ReplayedGame] = {}  # in the order in which they were asked for, the latest last
        self._replay_tasks: dict[int, asyncio.Task[ReplayedGame]] = {}
        self._waiting: list[_Waiting] = []
        self._replay_lock = asyncio.Lock()  # one game is replayed at a time

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Mapping[str, Any]:
        """Answer ``games``, ``game``, ``steps`` or ``position``; raise `RequestError` with the reason if that is
        impossible."""
        query = convert(_GameQuery, {**message, "first": message.get("from", 0)})
        if verb == "games":
            return await self._games(query.before, requester)
        if verb == "position":
            return await self._position(query, requester)
        recorded = await self._load_game(query.id, requester)
        if verb == "game":
            return await self._game(recorded, requester)
        course, words = _require_course(recorded), self._words_of(recorded, requester)
        last = min(query.first + STEPS_AT_A_TIME, len(course.steps))
        steps = [step_of(course, number, words) for number in range(query.first, last)]
        return {"steps": steps, "of": len(course.steps)}

    async def file(self, name: str, requester: Requester) -> str:
        """Return the content of a game's file; `name` is ``game-12`` for game 12. For requesters who aren't paired,
        pseudonyms replace the UIDs of tags that belong to no deck. Raise `RequestError` if there is no such game."""
        number = _FILE.fullmatch(name)
        if number is None:
            raise RequestError(CONTEXT, "no-such-game", id=name)
        game_id, pseudonyms = int(number[1]), dict[str, str]()

        def pseudonym_of(uid: str) -> str:
            return pseudonyms.setdefault(uid, f"tag-{len(pseudonyms) + 1}")

        async with self._replay_lock:
            summary = summary_in(await self._table.call(GameRecord(game_id)), SOURCE)
            digest = requester.digest if requester.paired else ""
            entries = [
                entry if requester.paired else pseudonymize_tags(entry, pseudonym_of)
                async for _, entry in self._entries(game_id, 0, digest)
            ]
            return "".join(export_pieces(summary, entries))

    async def _entries(self, game_id: int, after: int, digest: str = "") -> AsyncIterator[tuple[int, Entry]]:
        """Yield the entries of a game after `after`, with their ids."""
        count = 0
        while found := (await self._table.call(Entries(game_id, after, device=digest)))["entries"]:
            for after, entry in found:
                yield after, entry_in(entry, SOURCE)
                count += 1
                if count % ENTRIES_AT_A_TIME == 0:
                    await asyncio.sleep(0)
            if count >= MAX_REPLAYED:
                raise RequestError(CONTEXT, "too-long", most=MAX_REPLAYED)

    async def _games(self, before: int | None, requester: Requester) -> Mapping[str, Any]:
        found = await self._table.call(Games(before, GAMES_AT_A_TIME + 1))
        aside = ", ".join(found["aside"])
        return {
            "games": [_line(listed, found["last"], requester.words) for listed in found["games"][:GAMES_AT_A_TIME]],
            "more": len(found["games"]) > GAMES_AT_A_TIME,
            "aside": requester.words.text(CONTEXT, "kept-aside", {"files": aside}) if aside else "",
        }

    async def _game(self, recorded: ReplayedGame, requester: Requester) -> Mapping[str, Any]:
        trouble = None if recorded.trouble is None else recorded.trouble.text(requester.words)
        return {
            "game": course_of(
                recorded.summary,
                recorded.course,
                await self._last_id(recorded.summary.id + 1),
                self._words_of(recorded, requester),
                trouble,
            )
        }

    async def _position(self, query: _GameQuery, requester: Requester) -> Mapping[str, Any]:
        recorded = self._cache.get(query.id or 0)
        if recorded is None or recorded.course is None or query.number >= len(recorded.course.steps):
            recorded = await self._load_game(query.id, requester)
        course, words = _require_course(recorded), self._words_of(recorded, requester)
        if query.number >= len(course.steps):
            raise RequestError(CONTEXT, "no-such-step", last=len(course.steps) - 1)
        return {
            "at_us": course.steps[query.number].table.at_us,
            "step": step_of(course, query.number, words),
            "parts": position_of(course, query.number, self.name, words),
        }

    async def _last_id(self, before: int | None = None) -> int:
        """Return the id of the game begun last, which comes with each list."""
        return (await self._table.call(Games(before, most=1)))["last"]

    async def _load_game(self, game_id: int | None, requester: Requester) -> ReplayedGame:
        """Return a game, replayed as far as the journal has it now. `game_id` None or 0 is the game begun last. Raise
        `RequestError` if there is no such game, if it can't be read now, or if the same client requests another game
        before the replay is done."""
        game_id = game_id or await self._last_id()
        if not game_id:
            raise RequestError(CONTEXT, "no-games")
        for other in self._waiting:
            if other.client == requester.client and other.game_id != game_id and not other.given_up.done():
                other.given_up.set_result(None)
        if game_id not in self._replay_tasks:
            self._replay_tasks[game_id] = asyncio.create_task(self._play(game_id), name=f"game {game_id}")
        playing = self._replay_tasks[game_id]
        mine = _Waiting(requester.client, game_id)
        self._waiting.append(mine)
        try:
            await asyncio.wait({playing, mine.given_up}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise RequestError(CONTEXT, "not-waited-for")
            return playing.result()
        finally:
            self._waiting.remove(mine)
            if (
                not any(each.game_id == game_id for each in self._waiting)
                and self._replay_tasks.get(game_id) is playing
            ):
                del self._replay_tasks[game_id]
                playing.cancel()

    def forget_names(self) -> None:
        """Discard the cache, because names were removed from the journal. Replays in progress start again."""
        self._redactions += 1
        self._cache.clear()

    async def _play(self, game_id: int) -> ReplayedGame:
        while True:
            redactions = self._redactions
            recorded = await self._play_once(game_id)
            if redactions == self._redactions:
                return recorded
            self._cache.pop(game_id, None)

    async def _play_once(self, game_id: int) -> ReplayedGame:
        async with self._replay_lock:
            found = await self._table.call(GameRecord(game_id))
            summary = summary_in(found, SOURCE)
            recorded = self._cache.pop(game_id, None) or ReplayedGame.begin(summary)
            recorded.summary = summary
            if "names" in found:  # otherwise the entries contain the names
                recorded.set_names(tuple(found["names"]))
            self._cache[game_id] = recorded
            self._evict()  # now and not at the end, which a cancelled task doesn't reach
            if recorded.trouble is not None:
                return recorded
            try:
                async for entry_id, entry in self._entries(game_id, recorded.last_entry_id):
                    recorded.play(entry_id, entry)
                    if recorded.trouble is not None:
                        break
            except RequestError as error:
                if error.context != CONTEXT or error.key == "unreadable":
                    raise  # the table can't answer now; a later request may succeed
                recorded.trouble = error
            return recorded

    def _evict(self) -> None:
        """Discard the games that were asked for longest ago, until the others beside the latest are within the
        limit."""
        *others, _ = self._cache
        steps = 0
        for game_id in reversed(others):
            course = self._cache[game_id].course
            steps += 0 if course is None else len(course.steps)
            if steps > self._most_steps:
                del self._cache[game_id]

    def _words_of(self, recorded: ReplayedGame, requester: Requester) -> Words:
        """Return the requester's words with those of the recorded game, which may be another than the one at the
        table."""
        header, language = recorded.summary.header, requester.words.language
        if header.game not in GAMES:
            return requester.words
        key = (header.game, header.manifest, language)
        if key not in self._words:
            vocabulary = Vocabulary((package_of(header.game),), _pack_of(header), member_names=self._people)
            self._words[key] = Words(language, vocabulary)
        return self._words[key]


def _line(listed: Mapping[str, Any], last_id: int, words: Words) -> dict[str, Any]:
    """Return a game's line in the list."""
    names = tuple(listed["names"])
    if "game" not in listed:
        return line_of(listed["id"], None, names, last_id, RequestError(CONTEXT, "damaged").text(words))
    summary = summary_in(listed, SOURCE)
    trouble: str | None = None
    try:
        open_recorded_game(summary.header)
    except OtherRules:
        trouble = RequestError(CONTEXT, "other-rules").text(words)
    return line_of(summary.id, summary, () if trouble else names, last_id, trouble)


def _pack_of(header: GameHeader) -> Pack | None:
    """Return the cards that a game was played with; None if this version can't read their manifest."""
    try:
        return find_game(header.game).pack(header.manifest)
    except ConfigError:
        return None


def _require_course(recorded: ReplayedGame) -> Course:
    if recorded.course is None:
        assert recorded.trouble is not None
        raise recorded.trouble
    return recorded.course
