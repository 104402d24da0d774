"""What happens at a table, as it is said by MQTT: from what the referee said of it. Pure; must not know who hears
it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from taptable.bridge.messages import Event, GameOver, Hacker, Patrol, Placed, Refusal
from taptable.bridge.state import called
from taptable.core.announcements import Announcement, ClaimFailed, ClaimGiven, GameEnded, Mood, WindowOpened
from taptable.core.verdicts import Refused
from taptable.narration.sentences import narrate
from taptable.referee.session import Judged, TableEvent
from taptable.referee.step import Table
from taptable.words import Words


def events_of(event: TableEvent, at: str, words: Words) -> Iterator[Event]:
    """What is said of what happened at that time outside; notices aren't."""
    if not isinstance(event, Judged):
        return
    for told in narrate(event):
        said, text = told.announcement, told.text(words)
        if said is not None:
            yield from _announced(said, event.table, {"at": at, "text": text}, words)
        elif isinstance(event.verdict, Refused):
            yield _refusal(event, event.verdict, at, text)


def _announced(said: Announcement, table: Table, common: dict[str, Any], words: Words) -> Iterator[Event]:
    """Games have their own words for who struck and who stopped it."""
    window = table.scoreboard.window
    match said:
        case WindowOpened(seat):
            yield Hacker(event_type="struck", seat=seat, **common)
        case ClaimGiven(seat, _, tied, margin_us, bound_us):
            hacker = None if window is None else window.seat
            yield Patrol(
                event_type="first",
                seat=seat,
                hacker=hacker,
                margin_us=margin_us,
                bound_us=bound_us,
                tied=tied,
                **common,
            )
        case ClaimFailed(seat):
            hacker = None if window is None else window.seat
            yield Patrol(event_type="false-alarm", seat=seat, hacker=hacker, **common)
        case GameEnded(winner, by):
            yield GameOver(
                event_type="over",
                by=by,
                unit=table.scoreboard.unit,
                winner=winner,
                places=tuple(_placed(table, words)),
                **common,
            )
        case _ if said.mood is Mood.TURNED_TABLES:
            yield Patrol(event_type="stopped", seat=_seat(said, "seat"), hacker=_struck(said), **common)
        case _ if said.unanswered:
            yield Hacker(event_type="through", seat=_struck(said), **common)
        case _:
            pass


def _struck(said: Announcement) -> int:
    """Whose hacker or attack it is."""
    return _seat(said, "hacker", "attacker", "seat")


def _seat(said: Announcement, *names: str) -> int:
    return next(getattr(said, name) for name in names if hasattr(said, name))


def _placed(table: Table, words: Words) -> Iterator[Placed]:
    named = any(words.vocabulary.names)
    for team in sorted(table.scoreboard.teams, key=lambda team: team.place or 0):
        names = tuple(called(seat, words) for seat in team.seats) if named else ()
        yield Placed(team.place or 0, team.seats, names, team.score)


def _refusal(event: Judged, verdict: Refused, at: str, text: str) -> Refusal:
    pad = getattr(event.observation, "pad", getattr(event.observation, "seat", None))
    seat = pad if isinstance(pad, int) else None
    return Refusal(event_type="refused", at=at, text=text, seat=seat, rule=verdict.rule, code=verdict.code)
