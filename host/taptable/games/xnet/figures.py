"""What is counted for each player of X.net, and what is marked on a plot of a game."""

from __future__ import annotations

from taptable.core.figures import Figure
from taptable.games.xnet.announcements import (
    ActionBrokenOff,
    CardAdded,
    DemandLaid,
    DemandReplaced,
    DemandSwapped,
    NetBought,
    Reshuffled,
    ServerBought,
    SpecialistHired,
    StreamerBought,
    TopicLaid,
    UsersBought,
)

FIGURES = (
    Figure("topics-laid", TopicLaid),
    Figure("cards-added", CardAdded),
    Figure("demands-laid", DemandLaid),
    Figure("demands-replaced", DemandReplaced),
    Figure("swaps", DemandSwapped),
    Figure("users-bought", UsersBought),
    Figure("servers-bought", ServerBought),
    Figure("streamers-bought", StreamerBought),
    Figure("nets-bought", NetBought),
    Figure("specialists-hired", SpecialistHired),
    Figure("broken-off", ActionBrokenOff),
)

MILESTONES = (DemandReplaced, Reshuffled)
