"""The updates that all subscribers get, and the alerts in them, which hold until the table takes them back: a part that
doesn't answer, a stuck button, a question, a check, the power button. An alert is the notice that raised it, by its
subject. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from taptable.core import notices
from taptable.core.observations import ControlUsed, TimePassed
from taptable.core.verdicts import Accepted
from taptable.referee.session import Session, TableEvent

Alerts: TypeAlias = Mapping[str, notices.Notice]
"""The notices that hold, the oldest first: ``board 3``, ``button 3 stuck``, ``consent``, ``check``, ``deck``,
``enrolment``, ``interrupted``, ``power``."""


@dataclass(frozen=True, slots=True)
class Update:
    """Events that have just happened, all in the journal (possibly none: a card may only have gone), and the session
    and the alerts after them.

    `journal_error` says why nothing can be written; then nothing has happened. `writable` says whether the last write
    succeeded. With `names_changed` a name was changed or removed: a subscriber that keeps sentences has to make them
    again or drop them."""

    events: Sequence[TableEvent]
    session: Session
    alerts: Alerts
    journal_error: str | None = None
    writable: bool = True
    names_changed: bool = False


Subscriber: TypeAlias = Callable[[Update], None]

INTERRUPTED = notices.RestartBrokeOff.RAISED_ALERT
"""The alert of interrupted work. It holds until that work is begun again or something else is done."""


def alerts_after_event(alerts: Alerts, event: TableEvent) -> Alerts:
    """Return the alerts after an event."""
    if isinstance(event, notices.Notice):
        alerts = alerts_after_notice(alerts, event)
    return _without(alerts, INTERRUPTED) if _is_new_activity(event) else alerts


def _is_new_activity(event: TableEvent) -> bool:
    """Return whether people have done something else, so that the interrupted work needs no alert any longer."""
    if isinstance(event, notices.Notice):
        return event.CLEARS_INTERRUPTION
    idle = isinstance(event.observation, TimePassed) or (
        isinstance(event.observation, ControlUsed) and event.observation.control == "pause"
    )
    return isinstance(event.verdict, Accepted) and not idle


def alerts_after_notice(alerts: Alerts, notice: notices.Notice) -> Alerts:
    """Return the alerts after a notice."""
    if notice.raised_alert:
        return {**alerts, notice.raised_alert: notice}
    return _without(alerts, notice.cleared_alert) if notice.cleared_alert else alerts


def _without(alerts: Alerts, about: str) -> Alerts:
    return {other: notice for other, notice in alerts.items() if other != about}
