"""Every screen of the scoreboard as a value: what stands on it, not where. Made by ``showing``, drawn by
``drawing``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from taptable.core.scoreboard import Scoreboard


@dataclass(frozen=True, slots=True)
class Countdown:
    """What is left of a window, and how much a full bar stands for."""

    left_us: int
    whole_us: int


@dataclass(frozen=True, slots=True)
class BootScreen:
    """The table starts: its version, and the names of the parts that don't answer."""

    version: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddressScreen:
    """Where the page is, ``192.168.1.7:8137``, and the names of the parts that don't answer."""

    address: str
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeScreen:
    """The six digits by which the page takes a phone in, and how long they hold."""

    digits: str = field(repr=False)
    countdown: Countdown


@dataclass(frozen=True, slots=True)
class YoungestScreen:
    """The youngest player is asked for."""

    board: Scoreboard
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class PlayScreen:
    """The scores."""

    board: Scoreboard
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class WindowScreen:
    """A window runs: `seat` is who may answer or, where several may, whose card opened it; in a claim, who must show a
    card now."""

    board: Scoreboard
    seat: int
    countdown: Countdown
    claim: bool = False
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class RefusalScreen:
    """What was refused, and why; a window that runs goes on running beneath it."""

    what: str
    why: str
    countdown: Countdown | None = None


@dataclass(frozen=True, slots=True)
class CheckScreen:
    """The table is checked: these seats are asked to do what `text` says. So many cards have been tapped, or presses
    counted, of so many that are expected; `news` is what has just come of it."""

    seats: tuple[int, ...]
    text: str
    done: int
    expected: int
    news: str | None = None


@dataclass(frozen=True, slots=True)
class EnrolmentScreen:
    """Cards are read for a deck, which `about` names ("": `wanted` does): the next tag becomes `wanted`, with the icon
    called `icon` if there is one, and `have` of `need` are done. `why` is what was wrong with the last tag."""

    about: str
    wanted: str
    icon: str
    have: int
    need: int
    why: str | None = None


@dataclass(frozen=True, slots=True)
class PausedScreen:
    """The table waits."""

    board: Scoreboard
    notice: str | None = None


@dataclass(frozen=True, slots=True)
class OverScreen:
    """The game is over."""

    board: Scoreboard
    notice: str | None = None


Screen: TypeAlias = (
    BootScreen
    | AddressScreen
    | CodeScreen
    | YoungestScreen
    | PlayScreen
    | WindowScreen
    | RefusalScreen
    | CheckScreen
    | EnrolmentScreen
    | PausedScreen
    | OverScreen
)
