"""Notices of the table's parts, in every game: parts lost or back, stuck buttons, and switching off. `referee.session`
and the daemon give them. Must not know a driver."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from taptable.core.cues import Cue, Screen, Sound
from taptable.core.notices import Notice


class PowerOffFailure(StrEnum):
    """Why the computer can't be switched off."""

    NOT_A_SERVICE = "not-a-service"  # not started by systemd, so nothing would read the request
    NOT_WRITTEN = "not-written"
    NOT_TAKEN = "not-taken"


@dataclass(frozen=True, slots=True)
class ButtonStuck(Notice):
    """A button stays down."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)

    seat: int

    @property
    def raised_alert(self) -> str:
        """The button's alert."""
        return f"button {self.seat} stuck"


@dataclass(frozen=True, slots=True)
class ButtonFreed(Notice):
    """A stuck button came up."""

    seat: int

    @property
    def cleared_alert(self) -> str:
        """The button's alert."""
        return f"button {self.seat} stuck"


@dataclass(frozen=True, slots=True)
class PartLost(Notice):
    """A part of the table doesn't answer; the others keep working."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)

    part: str
    reason: str

    @property
    def raised_alert(self) -> str:
        """The alert has the part's name."""
        return self.part


@dataclass(frozen=True, slots=True)
class PartBack(Notice):
    """A part of the table answers again."""

    part: str

    @property
    def cleared_alert(self) -> str:
        """The alert has the part's name."""
        return self.part


@dataclass(frozen=True, slots=True)
class PowerHeld(Notice):
    """The power button is held. At `until_us`, after `whole_us` in all, the computer is switched off."""

    SCREEN: ClassVar[Screen | None] = Screen.POWER
    RAISED_ALERT: ClassVar[str] = "power"
    WAKES_DISPLAY: ClassVar[bool] = True

    until_us: int
    whole_us: int

    @property
    def display_span_us(self) -> tuple[int, int]:
        """The end and the length of the hold."""
        return self.until_us, self.whole_us


@dataclass(frozen=True, slots=True)
class PowerLetGo(Notice):
    """The power button was released too early: it has to be held for `hold_s` seconds."""

    CUE: ClassVar[Cue] = Cue(Sound.IGNORED)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    CLEARED_ALERT: ClassVar[str] = "power"
    WAKES_DISPLAY: ClassVar[bool] = True

    hold_s: int


@dataclass(frozen=True, slots=True)
class PoweringOff(Notice):
    """The system was asked to switch off, and will stop the table."""

    CUE: ClassVar[Cue] = Cue(Sound.ACCEPTED)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    RAISED_ALERT: ClassVar[str] = "power"
    WAKES_DISPLAY: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class PowerOffFailed(Notice):
    """The computer can't be switched off; `detail` says why a request couldn't be written."""

    CUE: ClassVar[Cue] = Cue(Sound.FAULT)
    SCREEN: ClassVar[Screen | None] = Screen.POWER
    CLEARED_ALERT: ClassVar[str] = "power"
    WAKES_DISPLAY: ClassVar[bool] = True

    reason: PowerOffFailure
    detail: str
