"""How people at a simulated table slip, and what they know themselves of what they did. Values; knows no table."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Slips:
    """How often people slip, of all their deeds: 0 never, 1 always."""

    blunder: float = 0.04
    too_short: float = 0.04
    together: float = 0.015
    forget_stop: float = 0.02
    false_alarm: float = 0.06
    regret: float = 0.02


USUAL = Slips()
NEVER = Slips(0, 0, 0, 0, 0, 0)


@dataclass(slots=True)
class Counts:
    """What people did, as they know it themselves."""

    blunders: int = 0
    too_short: int = 0
    together: int = 0
    forgotten_stops: int = 0
    false_alarms: int = 0
    regrets: int = 0
    disagreements: list[str] = field(default_factory=list[str])
