"""What the OLED and the page show of any game: a picture in words and numbers, made by the game from its state."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """Progress towards one quota: ``have`` of ``need``; `secured` once it can't be lost (a backup)."""

    name: str
    have: int
    need: int
    secured: bool = False


@dataclass(frozen=True, slots=True)
class TeamScore:
    """One team: its seats, its score in the game's unit, its quota marks, a short state (``up``, ``blocked``…) and
    its place at the end."""

    seats: tuple[int, ...]
    score: int
    marks: tuple[Mark, ...]
    line: str
    rate: int
    place: int | None = None


@dataclass(frozen=True, slots=True)
class RunningWindow:
    """A window in which buttons count, or the claim of the seat that was first: by how much (None: nobody else had
    pressed), or tied with which. `pressed` are the seats that wait to be named, the earliest press first. Times are
    table time in microseconds."""

    seat: int
    opened_at_us: int
    closes_at_us: int
    claim_seat: int | None = None
    claim_until_us: int | None = None
    claim_us: int = 0
    tied: tuple[int, ...] = ()
    margin_us: int | None = None
    uncertainty_us: int = 0
    pressed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All the players look at. `seat` is on turn (None: waiting for the youngest), `rate_left` what the player on
    turn may still download. At the seats of `vacated` nobody plays any more, and the cards of `lost` are out of the
    game."""

    unit: str
    teams: tuple[TeamScore, ...]
    seat: int | None
    rate_left: int
    window: RunningWindow | None
    pending: str | None
    draw_pile: int
    hands: tuple[int, ...]
    over: bool = False
    by: str | None = None
    vacated: tuple[int, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tallied:
    """What one game adds to a tally over several: a winner's gain is entered by the players (None), a loser's
    loss is known."""

    seats: tuple[int, ...]
    won: bool
    loss: int
