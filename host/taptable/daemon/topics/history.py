"""What was played, for whoever asks: the list of games, the course of one, its steps, the table after one of them, and
its file. Publishes which game runs. Changes nothing; must not know how games are played again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from taptable.core.errors import ConfigError, JournalError, TaptableError
from taptable.core.pack import Pack
from taptable.daemon.course import Course
from taptable.daemon.history import History, NotWaitedFor, Recorded
from taptable.daemon.playback import OtherRules
from taptable.daemon.topics.around import Around
from taptable.daemon.topics.courses import course_of, line_of, position_of, step_of
from taptable.edges.page.annex import Unfit
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.topics import Asker, Verb
from taptable.games.registry import GAMES, find_game, package_of
from taptable.memory.faults import JournalDamaged
from taptable.memory.journal import kept_aside
from taptable.memory.reading import NoSuchGame
from taptable.memory.records import GameHeader
from taptable.referee.replaying import Departure
from taptable.referee.session import Happening, Judged, Session
from taptable.referee.step import begins_anew
from taptable.words import Vocabulary, Words

GAMES_AT_A_TIME = 20
STEPS_AT_A_TIME = 60
"""So many are in an answer; more are asked for with another question."""
MOST = 2**53
"""No browser knows a greater number."""

_FILE = re.compile(r"game-([1-9][0-9]{0,15})")


class Afterwards:
    """The topic of the games that were played; the running one is among them, so far."""

    shelf = "games"
    anyone = True

    def __init__(self, around: Around) -> None:
        self._table = around.config.table
        self._history = History(around.config.table.journal)
        self._words: dict[tuple[str, str, str], Words] = {}
        self._feed: Feed | None = None
        self.verbs: Mapping[str, Verb] = {
            "games": Verb(self._games, anyone=True),
            "game": Verb(self._game, anyone=True),
            "steps": Verb(self._steps, anyone=True),
            "position": Verb(self._position, anyone=True),
        }

    def attach(self, feed: Feed) -> None:
        """Say which game runs, or ran last."""
        self._feed = feed
        self._name_course()

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """The next game may have begun; all else is in the journal."""
        del session
        if any(isinstance(each, Judged) and begins_anew(each.observation, each.verdict) for each in happened):
            self._name_course()

    async def take(self, name: str, asker: Asker) -> bytes:
        """The file ``game-12`` of a game; numbers of tags only for who is paired. Unfit if there is none."""
        number = _FILE.fullmatch(name)
        if number is None:
            raise _no_such_game(asker.words, name)
        try:
            text = await self._history.text(int(number[1]), tags=asker.paired)
        except JournalError as error:
            raise _unfit(error, number[1], asker.words) from error
        return text.encode()

    async def bring(self, content: bytes, asker: Asker) -> Mapping[str, Any]:
        """Unfit: what was played isn't brought from elsewhere."""
        del content
        raise Unfit(asker.words.text("history", "nothing-to-bring"))

    def _name_course(self) -> None:
        with suppress(JournalError):  # who looks can still ask for the list
            last_id = self._history.last_id()
            if self._feed is not None and last_id is not None:
                self._feed.put("course", {"id": last_id})

    async def _games(self, fields: Fields, asker: Asker) -> Mapping[str, Any]:
        before = fields.whole("before", 1, MOST) if "before" in fields else None
        try:
            listed = await self._history.games(before, GAMES_AT_A_TIME + 1)
            last_id = self._history.last_id()
        except JournalError as error:
            raise Unfit(asker.words.text("history", "unreadable")) from error
        shown, aside = listed[:GAMES_AT_A_TIME], kept_aside(self._table.journal)
        troubled = [(each, None if each.trouble is None else _say(each.trouble, asker.words)) for each in shown]
        return {
            "games": [line_of(each, last_id, trouble) for each, trouble in troubled],
            "more": len(listed) > GAMES_AT_A_TIME,
            "aside": asker.words.text("history", "kept-aside", {"files": ", ".join(aside)}) if aside else "",
        }

    async def _game(self, fields: Fields, asker: Asker) -> Mapping[str, Any]:
        game_id = self._id(fields, asker)
        recorded = await self._recorded(game_id, asker)
        words = self._words_of(recorded, asker)
        trouble = None if recorded.trouble is None else _say(recorded.trouble, asker.words)
        return {"game": course_of(recorded, self._history.last_id(), words, trouble)}

    async def _steps(self, fields: Fields, asker: Asker) -> Mapping[str, Any]:
        game_id, first = self._id(fields, asker), fields.whole("from", 0, MOST)
        recorded = await self._recorded(game_id, asker)
        course, words = _course(recorded, asker), self._words_of(recorded, asker)
        last = min(first + STEPS_AT_A_TIME, len(course.steps))
        return {"steps": [step_of(course, number, words) for number in range(first, last)], "of": len(course.steps)}

    async def _position(self, fields: Fields, asker: Asker) -> Mapping[str, Any]:
        game_id, number = self._id(fields, asker), fields.whole("number", 0, MOST)
        recorded = self._history.kept(game_id)
        if recorded is None or recorded.course is None or number >= len(recorded.course.steps):
            recorded = await self._recorded(game_id, asker)
        course, words = _course(recorded, asker), self._words_of(recorded, asker)
        if number >= len(course.steps):
            raise Unfit(asker.words.text("history", "no-such-step", {"last": len(course.steps) - 1}))
        return {
            "at_us": course.steps[number].table.at_us,
            "step": step_of(course, number, words),
            "parts": position_of(course, number, self._table.name, words),
        }

    def _id(self, fields: Fields, asker: Asker) -> int:
        """The game that is asked for; without a word, the one begun last."""
        if "id" in fields:
            return fields.whole("id", 1, MOST)
        try:
            last_id = self._history.last_id()
        except JournalError as error:
            raise Unfit(asker.words.text("history", "unreadable")) from error
        if last_id is None:
            raise Unfit(asker.words.text("history", "no-games"))
        return last_id

    async def _recorded(self, game_id: int, asker: Asker) -> Recorded:
        try:
            return await self._history.game(game_id, asker.client)
        except NotWaitedFor as error:
            raise Unfit(asker.words.text("history", "not-waited-for")) from error
        except JournalError as error:
            raise _unfit(error, game_id, asker.words) from error

    def _words_of(self, recorded: Recorded, asker: Asker) -> Words:
        """The words of the game that was played, which may be another than the one at the table."""
        header, language = recorded.summary.header, asker.words.language
        if header.game not in GAMES:
            return asker.words
        of_this = (header.game, header.manifest, language)
        if of_this not in self._words:
            pack = _pack_of(header)
            self._words[of_this] = Words(language, Vocabulary((package_of(header.game),), pack))
        return self._words[of_this]


def _pack_of(header: GameHeader) -> Pack | None:
    """The cards that a game was played with; None where they were described as nobody can read any more."""
    try:
        return find_game(header.game).pack(header.manifest)
    except ConfigError:
        return None


def _course(recorded: Recorded, asker: Asker) -> Course:
    if recorded.course is None:
        assert recorded.trouble is not None
        raise Unfit(_say(recorded.trouble, asker.words))
    return recorded.course


def _say(trouble: TaptableError, words: Words) -> str:
    """Why a game can't be told, or no further."""
    match trouble:
        case OtherRules():
            return words.text("history", "other-rules")
        case Departure():
            return words.text("history", "departure")
        case _:
            return words.text("history", "damaged")


def _unfit(error: JournalError, game_id: object, words: Words) -> Unfit:
    """Why there is nothing to be had of a game."""
    match error:
        case NoSuchGame():
            return _no_such_game(words, game_id)
        case JournalDamaged():
            return Unfit(_say(error, words))
        case _:
            return Unfit(words.text("history", "unreadable"))


def _no_such_game(words: Words, game_id: object) -> Unfit:
    return Unfit(words.text("history", "no-such-game", {"id": game_id}))
