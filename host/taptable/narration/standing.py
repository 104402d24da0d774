"""What holds at a table until it is taken back: a part that doesn't answer, a stuck button, a question, a check, the
power button. Kept as the notices that said so, by what they are about. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from taptable.core.notices import (
    ButtonFreed,
    ButtonStuck,
    CheckBrokenOff,
    CheckCount,
    CheckDone,
    CheckHand,
    CheckTeam,
    ConsentAsked,
    ConsentGiven,
    ConsentLapsed,
    DeckChosen,
    DeckMissing,
    EnrolmentBegan,
    EnrolmentEnded,
    Notice,
    PartBack,
    PartLost,
    PowerHeld,
    PoweringOff,
    PowerLetGo,
    PowerOffFailed,
)

Standing: TypeAlias = Mapping[str, Notice]
"""The notices that hold, the oldest first: ``board 3``, ``button 3 stuck``, ``consent``, ``check``, ``deck``,
``enrolment``, ``power``."""


def stand(standing: Standing, notice: Notice) -> Standing:
    """What holds after a notice."""
    match notice:
        case PartLost(_, part):
            return {**standing, part: notice}
        case PartBack(_, part):
            return _without(standing, part)
        case ButtonStuck(_, seat):
            return {**standing, f"button {seat} stuck": notice}
        case ButtonFreed(_, seat):
            return _without(standing, f"button {seat} stuck")
        case ConsentAsked():
            return {**standing, "consent": notice}
        case ConsentGiven() | ConsentLapsed():
            return _without(standing, "consent")
        case CheckTeam() | CheckHand() | CheckCount():
            return {**standing, "check": notice}
        case CheckDone() | CheckBrokenOff():
            return _without(standing, "check")
        case DeckMissing():
            return {**standing, "deck": notice}
        case DeckChosen():
            return _without(standing, "deck")
        case EnrolmentBegan():
            return {**standing, "enrolment": notice}
        case EnrolmentEnded():
            return _without(standing, "enrolment")
        case PowerHeld() | PoweringOff():
            return {**standing, "power": notice}
        case PowerLetGo() | PowerOffFailed():
            return _without(standing, "power")
        case _:
            return standing


def _without(standing: Standing, key: str) -> Standing:
    return {other: notice for other, notice in standing.items() if other != key}
