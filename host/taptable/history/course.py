"""The course of one game, collected from its table events as it is replayed: its steps with the table after each,
scores and places over time, and each player's statistics (`tally`). Times count from the beginning of the game, without
its pauses. Pure. Must not know where the game is stored, nor who reads it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Self

from taptable.core.announcements import Announcement, GameEnded
from taptable.core.notices import PlayersNamed
from taptable.core.observations import TimePassed
from taptable.core.scoreboard import Scoreboard
from taptable.core.tag_notices import MembersSeated
from taptable.core.verdicts import Accepted, Ignored
from taptable.history.tally import Tally
from taptable.memory.records import GameHeader
from taptable.narration.sentences import Narrated, narrate
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import Table, starts_new_game


@dataclass(frozen=True, slots=True)
class Step:
    """An event that players could see, and the table after it."""

    played_us: int
    decision: Decision

    @property
    def table(self) -> Table:
        """The table after it."""
        return self.decision.table

    def narrate(self) -> list[Narrated]:
        """Return the narration of it, one sentence each."""
        return narrate(self.decision)


@dataclass(frozen=True, slots=True)
class ScoresAtTime:
    """The teams' scores and places, in the order of teams, from this time on."""

    played_us: int
    scores: tuple[int, ...]
    places: tuple[int, ...]


@dataclass(slots=True)
class Course:
    """A game from its beginning to its last event, or to its end. The first step is its beginning."""

    header: GameHeader
    table: Table
    board: Scoreboard
    tally: Tally
    names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    steps: list[Step] = field(default_factory=list[Step])
    standings: list[ScoresAtTime] = field(default_factory=list[ScoresAtTime])
    lines: int = 0
    _steps_after_end: list[Step] = field(default_factory=list[Step])  # held until the end is taken back

    @classmethod
    def begin(cls, header: GameHeader, table: Table, announcements: tuple[Announcement, ...]) -> Self:
        """Return the course of a game that was just set up, with the announcements made then."""
        game = table.game
        course = cls(header, table, table.scoreboard, Tally(game.figures, (*game.milestones, GameEnded)))
        course.tally.begin(announcements)
        course.steps.append(Step(0, Decision(TimePassed(header.at_us), Accepted(announcements), table)))
        course._record_scores(0)
        return course

    @property
    def played_us(self) -> int:
        """The time played until now, in µs without pauses."""
        return self.steps[-1].played_us if self.board.over else played_us(self.header, self.table)

    def add_event(self, event: TableEvent) -> None:
        """Add the next table event."""
        self.lines += 1
        if isinstance(event, PlayersNamed):
            self.names = event.names
        if isinstance(event, MembersSeated):
            self.members = event.members
        if not isinstance(event, Decision) or starts_new_game(event.observation, event.verdict):
            return
        before, table = self.table, event.table
        now_us = played_us(self.header, table)
        self.tally.pass_time(self.board, now_us - played_us(self.header, before))
        self.tally.add_decision(before, self.board, event, (now_us, len(self.steps) + len(self._steps_after_end)))
        self.table = table
        if table.state is not before.state:
            self.board = table.scoreboard
            self._record_scores(now_us)
        if _is_step(event):
            self._steps_after_end.append(Step(now_us, event))
        if event.ends_the_game or not self.board.over:
            self.steps += self._steps_after_end
            self._steps_after_end.clear()

    def _record_scores(self, now_us: int) -> None:
        scores = tuple(team.score for team in self.board.teams)
        standing = ScoresAtTime(now_us, scores, _places(self.board))
        last = self.standings[-1] if self.standings else None
        if last is None or replace(standing, played_us=last.played_us) != last:
            self.standings.append(standing)


def played_us(header: GameHeader, table: Table) -> int:
    """Return how long a game has been played at a table, in µs without pauses."""
    now_us = table.at_us if table.paused_at_us is None else table.paused_at_us
    return now_us - table.total_paused_us - header.at_us


def _is_step(decision: Decision) -> bool:
    """Return whether players could see the event. An ignored tap is no step."""
    ignored = isinstance(decision.verdict, Ignored) and not decision.verdict.announcements
    return not ignored and bool(narrate(decision))


def _places(board: Scoreboard) -> tuple[int, ...]:
    """Return each team's place: at the end that of the game, before that by the scores, equal ones sharing it."""
    scores = [team.score for team in board.teams]
    return tuple(
        1 + sum(score > team.score for score in scores) if team.place is None else team.place for team in board.teams
    )
