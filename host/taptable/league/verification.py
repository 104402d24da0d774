"""Verifies that a game can have been played as its entries say: replays each entry as it arrives, by the rules that the
game's header names, and compares the referee's answer with the recorded one. It computes a game's results and points
from the replayed table, never from the messages. Must not query the database; of `schema` it has only the words for its
results."""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from taptable.core.announcements import Announcement, BuzzHeard, CardsParted, MoveTakenBack
from taptable.core.observations import ButtonPressed
from taptable.core.tag_notices import MembersSeated
from taptable.history.course import played_us
from taptable.history.playback import OtherRules, Playback
from taptable.league.limits import (
    MAX_PLAYED,
    REPLAYS_BYTES,
    REPLAYS_BYTES_OF_A_TABLE,
    REPLAYS_OF_A_TABLE,
)
from taptable.league.schema import NOT_CHECKED, NOT_PROVED, PROVED
from taptable.memory.records import Entry, GameHeader
from taptable.referee.replaying import ReplayMismatch
from taptable.referee.session import Decision
from taptable.referee.step import Table, UndoEntry

STOP_FIGURE = "hackers-stopped"
"""The figure of a game that counts the presses among which the fastest is a record. A game without it has no such
record."""
_log = logging.getLogger(__name__)
_MEMBER = re.compile(r"[0-9a-f]{16}")
_BYTES, _BYTES_OF_A_CARD, _BYTES_OF_A_MOVE = 4_000, 150, 1_100
"""Approximate bytes of a game, of each card of its pack, and of each observation, since a game can be taken back to its
beginning."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a seat in a game that ended: its team (from 1 on), the team's score and place, and its points: one
    for each team that has a worse place. `member` is "" for a guest."""

    seat: int
    member: str
    team: int
    score: int
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class Stop:
    """A press that stopped a hacker, `us` after the opening of the window, give or take `bound_us`."""

    us: int
    bound_us: int
    seat: int


@dataclass(slots=True)
class _Stopping:
    """A stop, and the undo entry by which it can be taken back; None once it can't be."""

    stop: Stop
    undo_entry: UndoEntry | None


@dataclass(slots=True)
class Replay:
    """A game, replayed with the entries that have arrived. `proof` is one of a game's in the schema, `why` a sentence
    that says why it isn't proved; nothing more is played then. `ends` counts how often it has come to an end, which can
    be taken back. `members` are by seat, seat 1 first. `observation_count` counts all observations; the first
    `MAX_PLAYED` are replayed: a game that hasn't ended by then isn't checked, and entries after an end aren't
    either."""

    header: GameHeader
    proof: str = PROVED
    why: str = ""
    over: bool = False
    ends: int = 0
    length_us: int = 0
    members: tuple[str, ...] = ()
    observation_count: int = 0
    _unit: str = ""
    _results: tuple[Result, ...] | None = None
    _cards: int = 0
    _playback: Playback | None = None
    _seated_members: tuple[str, ...] = ()
    _presses: dict[int, Stop] = field(default_factory=dict[int, Stop])
    _stops: list[_Stopping] = field(default_factory=list[_Stopping])

    @classmethod
    def begin(cls, header: GameHeader) -> Replay:
        """Return the replay of a game at its beginning."""
        replay = cls(header)
        try:
            replay._playback = Playback(header)
            replay._cards = len(replay._playback.table.game.pack(header.manifest).cards)
        except OtherRules as error:
            replay._give_up(NOT_CHECKED, error)
        except Exception as error:  # a header that no table has written can be wrong in ways that no game expects
            replay._give_up(NOT_PROVED, error)
        return replay

    @property
    def table(self) -> Table | None:
        """The table after the last entry; None if it couldn't be replayed up to there."""
        return None if self._playback is None else self._playback.table

    @property
    def unit(self) -> str:
        """The unit of its scores."""
        return self._unit if self.table is None else self.table.scoreboard.unit

    @property
    def fastest(self) -> Stop | None:
        """The fastest press that stopped a hacker; None if there is none."""
        return min((each.stop for each in self._stops), key=lambda stop: (stop.us, stop.bound_us), default=None)

    def play(self, entry: Entry) -> None:
        """Play the next entry."""
        if self._playback is None or not self._has_room(entry):
            return
        before = self._playback.table
        try:
            event = self._playback.play(entry)
            if isinstance(event, MembersSeated):
                self._seated_members = members_by_seat(event.members, self.header.players)
            elif isinstance(event, Decision):
                self._handle_decision(before, event)
        except ReplayMismatch as error:
            self._give_up(NOT_PROVED, error)
            return
        except Exception as error:  # as in `begin`
            self._give_up(NOT_PROVED, error)
            return
        if not self.over:
            self.members = self._seated_members  # members who sit down once it is over sit down for the next game

    def finish(self) -> None:
        """Keep the results, and drop the table with all its moves, since nothing more is played."""
        self._results, self._unit = self.results(), self.unit
        self._playback = None
        for each in self._stops:
            each.undo_entry = None

    @property
    def size(self) -> int:
        """Approximate bytes of memory, by measurements of the games there are."""
        if self._playback is None:
            return _BYTES
        return (
            _BYTES
            + 2 * len(self.header.manifest)
            + _BYTES_OF_A_CARD * self._cards
            + _BYTES_OF_A_MOVE * self.observation_count
        )

    def results(self) -> tuple[Result, ...] | None:
        """Return the results, seat 1 first, with the points that each brings for the season's standings: one for each
        team behind. None while the game has no proved end."""
        if self.table is None or not self.over:
            return self._results
        teams = self.table.scoreboard.teams
        places = [team.place or len(teams) for team in teams]
        found = [
            Result(seat, self._member_at(seat), number, team.score, place, sum(other > place for other in places))
            for number, (team, place) in enumerate(zip(teams, places, strict=True), 1)
            for seat in team.seats
        ]
        return tuple(sorted(found, key=lambda result: result.seat))

    def _has_room(self, entry: Entry) -> bool:
        if entry.kind != "observation":
            return True
        self.observation_count += 1
        if self.observation_count == MAX_PLAYED + 1 and not self.over:
            self._give_up(NOT_CHECKED, OtherRules(f"This game has more than {MAX_PLAYED} observations."))
        return self.observation_count <= MAX_PLAYED

    def _member_at(self, seat: int) -> str:
        return self.members[seat - 1] if seat <= len(self.members) else ""

    def _handle_decision(self, before: Table, decision: Decision) -> None:
        table, announced = decision.table, decision.verdict.announcements
        if not self.over:
            self.length_us = played_us(self.header, table)
        over = table.game.outcome(table.state) is not None
        self.ends += over and not self.over
        self.over = over
        if self._stops:
            self._drop_undone_stops(table, announced)
        window, press = before.scoreboard.window, decision.observation
        for announcement in announced:
            if isinstance(announcement, BuzzHeard):
                self._presses.pop(announcement.seat, None)  # one of an earlier window
                if isinstance(press, ButtonPressed) and window is not None:
                    after_us = press.pressed_at_us - window.opened_at_us
                    self._presses[announcement.seat] = Stop(after_us, press.uncertainty_us, announcement.seat)
            elif self._presses and (seat := _stopper(table, announcement)) in self._presses:
                self._stops.append(_Stopping(self._presses[seat], table.undo_entry))

    def _drop_undone_stops(self, table: Table, announced: Sequence[Announcement]) -> None:
        if any(isinstance(each, MoveTakenBack | CardsParted) for each in announced):
            moves: set[int] = set()
            entry = table.undo_entry
            while entry is not None:
                moves.add(id(entry))
                entry = entry.previous
            self._stops = [each for each in self._stops if each.undo_entry is None or id(each.undo_entry) in moves]
        if table.undo_entry is None:
            for each in self._stops:
                each.undo_entry = None

    def _give_up(self, proof: str, error: Exception) -> None:
        self.proof, self._playback, self.over = proof, None, False
        if isinstance(error, ReplayMismatch | OtherRules):
            self.why = printable(f"{error!s:.500}")
        else:
            self.why = f"It can't be played: {error!r:.400}"
            _log.error("Unhandled exception in a game of %s: it isn't proved", self.header.game, exc_info=error)


def printable(text: str) -> str:
    """Return a text from a message with every character replaced that isn't printable, so that a database accepts
    it."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def members_by_seat(members: Sequence[object], players: int) -> tuple[str, ...]:
    """Return the members at the seats that are played at. An id that no member can have, or that sits at an earlier
    seat already, becomes a guest."""
    seats: list[str] = []
    for member in members[:players]:
        known = isinstance(member, str) and _MEMBER.fullmatch(member) is not None and member not in seats
        seats.append(str(member) if known else "")
    return tuple(seats)


@dataclass(slots=True)
class _CachedReplay:
    table: str
    digest: str
    replay: Replay
    size: int


class Replays:
    """A cache of replays, by the stream whose last game they are, each as of the stream's digest. It is limited in
    bytes for each table and in all, and drops the least recently used. One of each table is kept, however large, while
    there is room in all."""

    def __init__(self, most_bytes: int = REPLAYS_BYTES, most_bytes_of_a_table: int = REPLAYS_BYTES_OF_A_TABLE) -> None:
        self._most_bytes = most_bytes
        self._most_bytes_of_a_table = most_bytes_of_a_table
        self._cached: OrderedDict[int, _CachedReplay] = OrderedDict()
        self._by_table: dict[str, OrderedDict[int, None]] = {}
        self.size = 0

    def __len__(self) -> int:
        return len(self._cached)

    def take(self, stream: int, digest: str) -> Replay | None:
        """Remove and return the replay as of that digest; None if it isn't here. A caller that continues it puts it
        back."""
        cached = self._drop(stream)
        return cached.replay if cached is not None and cached.digest == digest else None

    def put(self, table: str, stream: int, digest: str, replay: Replay) -> None:
        """Add a table's replay as of that digest."""
        self._drop(stream)
        cached = self._cached[stream] = _CachedReplay(table, digest, replay, replay.size)
        streams = self._by_table.setdefault(table, OrderedDict())
        streams[stream] = None
        self.size += cached.size
        while len(streams) > 1 and (
            len(streams) > REPLAYS_OF_A_TABLE or self._size_of(streams) > self._most_bytes_of_a_table
        ):
            self._drop(next(iter(streams)))
        while self._cached and self.size > self._most_bytes:
            self._drop(next(iter(self._cached)))

    def _size_of(self, streams: Iterable[int]) -> int:
        return sum(self._cached[stream].size for stream in streams)

    def _drop(self, stream: int) -> _CachedReplay | None:
        cached = self._cached.pop(stream, None)
        if cached is not None:
            self.size -= cached.size
            streams = self._by_table[cached.table]
            del streams[stream]
            if not streams:
                del self._by_table[cached.table]
        return cached


def _stopper(table: Table, announcement: Announcement) -> int | None:
    """Return the seat whose press was right, if the announcement says so."""
    for figure in table.game.figures:
        if figure.key == STOP_FIGURE and type(announcement) is figure.announcement:
            return getattr(announcement, figure.seat)
    return None
