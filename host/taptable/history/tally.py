"""Counts each player's statistics in a game while it is replayed: the game's own figures, and the turns, refusals and
presses of every game. Moves that were taken back don't count; the time that passed does. `course` feeds it. Pure. Must
not know a game by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from taptable.core.announcements import Announcement, BuzzHeard, CardsParted, MoveTakenBack, TurnAnnounced
from taptable.core.figures import Figure
from taptable.core.observations import ButtonPressed, CardTapped
from taptable.core.scoreboard import Scoreboard
from taptable.core.verdicts import Accepted, Refused
from taptable.referee.session import Decision
from taptable.referee.step import Table, UndoEntry

TURNS, REFUSALS = "turns", "refusals"
"""Figures of every game, in addition to its own."""


@dataclass(frozen=True, slots=True, order=True)
class Buzz:
    """A press that counted in a window: `after_us` after its opening, ± `uncertainty_us`."""

    after_us: int
    uncertainty_us: int


@dataclass(frozen=True, slots=True)
class Milestone:
    """A mark on a plot of the scores: its time without pauses, its step, and the announcement."""

    played_us: int
    step: int
    announcement: Announcement


@dataclass(slots=True)
class Tally:
    """Statistics of one game: `counts` by key and seat; `gains` of a seat's team in a turn, by the turn's number and
    seat; each seat's `fastest` press in a window; the milestones; and for how many µs each seat was on turn, without
    pauses."""

    figures: tuple[Figure, ...]
    milestone_types: tuple[type[Announcement], ...]
    counts: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])
    gains: Counter[tuple[int, int]] = field(default_factory=Counter[tuple[int, int]])
    fastest: dict[int, Buzz] = field(default_factory=dict[int, Buzz])
    milestones: list[Milestone] = field(default_factory=list[Milestone])
    on_turn_us: Counter[int] = field(default_factory=Counter[int])
    _moves: list[_Snapshot] = field(default_factory=list["_Snapshot"])

    def begin(self, announcements: Sequence[Announcement]) -> None:
        """Count the announcements made when the game was set up."""
        self._count(announcements)

    def add_decision(self, before: Table, board: Scoreboard, decision: Decision, moment: tuple[int, int]) -> None:
        """Count the next decision. `before` is the table before it, `board` its scoreboard then; `moment` is its time
        and step."""
        verdict = decision.verdict
        undone = _undo_position(verdict.announcements) if isinstance(verdict, Accepted | Refused) else None
        if undone is not None:
            self._undo(decision.table.undo_entry)
        elif decision.table.undo_entry is None:
            self._moves.clear()
        elif decision.table.undo_entry is not before.undo_entry:
            entry, milestones = decision.table.undo_entry, len(self.milestones)
            self._moves.append(_Snapshot(entry, self.counts.copy(), self.gains.copy(), dict(self.fastest), milestones))
        announced = verdict.announcements[undone or 0 :]
        self._count(announced)
        if undone is None:
            self._gain(board, decision.table.scoreboard)
        self.milestones.extend(Milestone(*moment, each) for each in announced if isinstance(each, self.milestone_types))
        if (
            isinstance(verdict, Refused)
            and not decision.is_meaningless_hold
            and verdict.code not in _UNATTRIBUTED_CODES
        ):
            self._count_refusal(decision)
        if isinstance(decision.observation, ButtonPressed) and board.window is not None:
            self._buzz(decision.observation, board.window.opened_at_us, verdict.announcements)

    def pass_time(self, board: Scoreboard, us: int) -> None:
        """Add this time to the seat on turn, by the scoreboard."""
        if board.seat is not None and board.under_way:
            self.on_turn_us[board.seat] += us

    def mean_turn_us(self, seat: int) -> int | None:
        """Return the mean length of a seat's turns in µs, with the running one; None if it had none."""
        turns = self.counts[TURNS, seat]
        return self.on_turn_us[seat] // turns if turns else None

    def best_turn(self, seat: int) -> int | None:
        """Return the most that a seat's team gained in one of its turns; None if it never gained anything."""
        return max((gain for (_, gainer), gain in self.gains.items() if gainer == seat and gain > 0), default=None)

    def _gain(self, before: Scoreboard, after: Scoreboard) -> None:
        """Add a team's gain to its player on turn, before or after the move; in another team's turn, to its first
        player."""
        turn = sum(number for (key, _), number in self.counts.items() if key == TURNS)
        for old, new in zip(before.teams, after.teams, strict=True):
            by = [seat for seat in (before.seat, after.seat, *new.seats[:1]) if seat in new.seats]
            if new.score != old.score:
                self.gains[turn, by[0]] += new.score - old.score

    def _count(self, announcements: Sequence[Announcement]) -> None:
        for announcement in announcements:
            if isinstance(announcement, TurnAnnounced):
                self.counts[TURNS, announcement.seat] += 1
            for figure in self.figures:
                if type(announcement) is figure.announcement:
                    self.counts.update((figure.key, seat) for seat in _seats(getattr(announcement, figure.seat)))

    def _count_refusal(self, decision: Decision) -> None:
        """Count a refusal for its seat. The table sees buttons, but not who taps: the game decides that. Everything
        else is done by the seat on turn."""
        game, state = decision.table.game, decision.table.state
        board = game.scoreboard(state)
        if not board.under_way:
            return
        match decision.observation:
            case ButtonPressed(_, seat):
                pass
            case CardTapped(_, card, pad):
                seat = game.who_taps(state, card, pad)
            case _:
                seat = board.seat
        if seat is not None:
            self.counts[REFUSALS, seat] += 1

    def _buzz(self, press: ButtonPressed, opened_at_us: int, announcements: Sequence[Announcement]) -> None:
        if BuzzHeard(press.seat) in announcements:
            buzz = Buzz(press.pressed_at_us - opened_at_us, press.uncertainty_us)
            self.fastest[press.seat] = min(buzz, self.fastest.get(press.seat, buzz))

    def _undo(self, undo_entry: UndoEntry | None) -> None:
        """Forget the counts since the table had this undo entry."""
        while self._moves and self._moves[-1].undo_entry is not undo_entry:
            before = self._moves.pop()
            self.counts, self.gains, self.fastest = before.counts, before.gains, before.fastest
            del self.milestones[before.milestones :]


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """The counts before the last move of an undo entry."""

    undo_entry: UndoEntry
    counts: Counter[tuple[str, int]]
    gains: Counter[tuple[int, int]]
    fastest: dict[int, Buzz]
    milestones: int


_UNATTRIBUTED_CODES = frozenset({"paused", "one-at-a-time"})
"""Refusals that count for nobody: they don't depend on the player."""


def _undo_position(announcements: Sequence[Announcement]) -> int | None:
    """Return the number of announcements up to the undoing of a move; None if none was undone."""
    places = [place for place, each in enumerate(announcements, 1) if isinstance(each, MoveTakenBack | CardsParted)]
    return places[-1] if places else None


def _seats(value: object) -> tuple[int, ...]:
    """Return the seats in an announcement's field, which has one or several."""
    return (value,) if isinstance(value, int) else cast("tuple[int, ...]", value)
