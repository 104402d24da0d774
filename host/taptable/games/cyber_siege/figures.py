"""What is counted for each player of Cyber Siege, and what is marked on a plot of a game."""

from __future__ import annotations

from taptable.core.figures import Figure
from taptable.games.cyber_siege.announcements import (
    Defended,
    Hit,
    Reshuffled,
    SetLaid,
    SetTakenBack,
    Spared,
    WindowOpened,
)

FIGURES = (
    Figure("sets", SetLaid),
    Figure("sets-taken-back", SetTakenBack),
    Figure("attacks", WindowOpened),
    Figure("attacks-spared", Spared),
    Figure("attacks-through", Hit, "attacker"),
    Figure("hits-taken", Hit),
    Figure("defences", Defended),
    Figure("attacks-stopped", Defended, "attacker"),
)

MILESTONES = (SetLaid, Defended, Reshuffled)
