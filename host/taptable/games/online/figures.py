"""What is counted for each player of ONLINE, and what is marked on a plot of a game."""

from __future__ import annotations

from taptable.core.announcements import ClaimFailed, ClaimGiven
from taptable.core.figures import Figure
from taptable.games.online.announcements import (
    AttackLaid,
    CardDownloaded,
    CardHacked,
    CardLaid,
    HackerShown,
    HackerStopped,
    PilesReshuffled,
    RowBackedUp,
    SearchShown,
    TimeIsUp,
)

FIGURES = (
    Figure("downloads", CardDownloaded),
    Figure("access-cards", CardLaid),
    Figure("attacks", AttackLaid),
    Figure("hackers-shown", HackerShown),
    Figure("hacks", CardHacked),
    Figure("hackers-stopped", HackerStopped),
    Figure("stopped", HackerStopped, "hacker"),
    Figure("claims", ClaimGiven),
    Figure("false-alarms", ClaimFailed),
    Figure("searches", SearchShown),
    Figure("backups", RowBackedUp),
)

MILESTONES = (HackerStopped, PilesReshuffled, TimeIsUp)
