"""What is told to every part that shows or says how a table stands, and in it what holds there until it is taken back:
a part that doesn't answer, a stuck button, a question, a check, the power button. Kept as the notices that said so, by
what they are about. Pure."""

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
    """What has just happened at a table, all of it in the journal, which may be nothing but that a card went; the
    session and what stands after it. `journal_error` says why nothing can be written down: then nothing has
    happened. `writable`: the last that was to be written down could be. After `names_changed` somebody is called
    otherwise, or not known any more: whoever keeps a sentence makes it again, or drops it."""

    events: Sequence[TableEvent]
    session: Session
    alerts: Alerts
    journal_error: str | None = None
    writable: bool = True
    names_changed: bool = False


Subscriber: TypeAlias = Callable[[Update], None]

INTERRUPTED = notices.RestartBrokeOff.RAISED_ALERT
"""What a restart broke off holds until that is begun again, or something else is done."""


def alerts_after_event(alerts: Alerts, event: TableEvent) -> Alerts:
    """What holds after an event."""
    if isinstance(event, notices.Notice):
        alerts = alerts_after_notice(alerts, event)
    return _without(alerts, INTERRUPTED) if _is_new_activity(event) else alerts


def _is_new_activity(event: TableEvent) -> bool:
    """Did people go on with anything, so that what a restart broke off needn't be said any more?"""
    if isinstance(event, notices.Notice):
        return event.CLEARS_INTERRUPTION
    idle = isinstance(event.observation, TimePassed) or (
        isinstance(event.observation, ControlUsed) and event.observation.control == "pause"
    )
    return isinstance(event.verdict, Accepted) and not idle


def alerts_after_notice(alerts: Alerts, notice: notices.Notice) -> Alerts:
    """What holds after a notice."""
    if notice.raised_alert:
        return {**alerts, notice.raised_alert: notice}
    return _without(alerts, notice.cleared_alert) if notice.cleared_alert else alerts


def _without(alerts: Alerts, about: str) -> Alerts:
    return {other: kept for other, kept in alerts.items() if other != about}
