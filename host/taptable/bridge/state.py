"""Makes the MQTT message about the state of a table from its session. Pure; must not know the topics or the
receivers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from taptable.bridge.messages import PartFault, Phase, QuotaProgress, TableState, Team, TimeLeft, WindowMessage
from taptable.core.part_notices import ButtonStuck, PartLost
from taptable.core.scoreboard import RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.narration.now import now_of
from taptable.narration.updates import Alerts
from taptable.referee import gestures
from taptable.referee.session import Session
from taptable.words import Words

BUZZ = "buzz"
"""The action of a button that counts in a window, as `gestures.button_actions` returns it."""


@dataclass(frozen=True, slots=True)
class UtcClock:
    """Converts table time to UTC: table time was `at_us` at `at`."""

    at_us: int
    at: datetime

    def utc(self, us: int) -> datetime:
        """Convert a table time in µs to UTC."""
        return self.at + timedelta(seconds=self.left_s(us))

    def left_s(self, us: int) -> float:
        """Return the seconds until a table time in µs."""
        return (us - self.at_us) / US_PER_S


def format_utc(at: datetime) -> str:
    """Format a time as in messages: ISO 8601 with milliseconds, UTC."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def state_of(session: Session, table: str, alerts: Alerts, *, stuck: bool, clock: UtcClock, words: Words) -> TableState:
    """Return the state of the table with this name. `stuck`: the journal can't be written. Players have the names in
    the vocabulary of `words`."""
    board, options = session.table.scoreboard, session.table.game_options
    paused = session.table.paused_at_us is not None
    window = None if paused or board.window is None else board.window
    names = words.vocabulary.names
    return TableState(
        table=table,
        game=session.table.game.name,
        title=words.message("game", "title") or session.table.game.name,
        edition=options.edition,
        players=options.players,
        names=names,
        phase=_phase(session, board),
        now=now_of(session, board, alerts).title(words),
        turn=board.seat,
        on_turn="" if board.seat is None else seat_name(board.seat, words),
        unit=board.unit,
        teams=tuple(map(_team, board.teams)),
        window=None if window is None else _window(window, session, clock),
        paused=paused,
        faults=_faults(alerts, stuck, words),
        time=_time_left(session, clock),
        skips=board.skips,
    )


def seat_name(seat: int, words: Words) -> str:
    """Return the name of the player at a seat if it is known, else the seat's."""
    return dict(enumerate(words.vocabulary.names, 1)).get(seat) or words.pad(seat)


def _phase(session: Session, board: Scoreboard) -> Phase:
    """Return the phase; if several apply, the most urgent."""
    claimed = board.window is not None and board.window.claim_seat is not None
    phases: tuple[tuple[bool, Phase], ...] = (
        (session.enrolment is not None, "enrolling"),
        (session.prompts.checking is not None, "checking"),
        (session.table.paused_at_us is not None, "paused"),
        (board.over, "over"),
        (board.seat is None, "beginning"),
        (claimed, "claim"),
        (board.window is not None, "window"),
        (True, "turn"),
    )
    return next(phase for is_so, phase in phases if is_so)


def _team(team: TeamScore) -> Team:
    quotas = tuple(QuotaProgress(mark.name, mark.have, mark.need, mark.secured) for mark in team.marks)
    return Team(team.seats, team.score, quotas, team.state, team.place)


def _window(window: RunningWindow, session: Session, clock: UtcClock) -> WindowMessage:
    ends_us = window.closes_at_us if window.claim_until_us is None else window.claim_until_us
    actions = enumerate(gestures.button_actions(session.prompts, session.table), 1)
    return WindowMessage(
        kind=window.kind,
        seat=window.seat,
        claimant=window.claim_seat,
        answerer=window.answerer,
        may_buzz=tuple(seat for seat, action in actions if action == BUZZ),
        ends=format_utc(clock.utc(ends_us)),
        left_s=round(max(clock.left_s(ends_us), 0.0), 3),
    )


def _time_left(session: Session, clock: UtcClock) -> TimeLeft | None:
    board, paused_at_us = session.table.scoreboard, session.table.paused_at_us
    left_us = board.left_us(clock.at_us, paused_at_us)
    if left_us is None or board.ends_at_us is None:
        return None
    ends = None if paused_at_us is not None else format_utc(clock.utc(board.ends_at_us))
    return TimeLeft(ends, round(clock.left_s(clock.at_us + left_us), 3))


def _faults(alerts: Alerts, stuck: bool, words: Words) -> tuple[PartFault, ...]:
    parts = {about: notice for about, notice in alerts.items() if isinstance(notice, PartLost | ButtonStuck)}
    found = [PartFault(about, words.notice(notice)) for about, notice in parts.items()]
    return (*found, PartFault("journal", words.text("notice", "journal-stuck"))) if stuck else tuple(found)
