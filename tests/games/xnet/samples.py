"""Samples of X.net to look at: every number of players, what an action still needs, and ends."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Scoreboard, TeamScore
from taptable.core.verdicts import Refused
from taptable.games.xnet import controls
from taptable.games.xnet.public import MUST_OFFER, OPENING, RESHUFFLE
from taptable.games.xnet.state import MOST_SERVERS, MOST_STREAMERS, NETS, SPECIALISTS

from games.samples import Samples

_HANDS = (8, 5, 12, 3, 10, 7)


def provider(
    seat: int, points: int, users: int, net: int, servers: int = 1, streamers: int = 0, specialists: int = 0
) -> TeamScore:
    """A player with so many points, users and so on."""
    counts = (
        Count("users", users, net),
        Count("servers", servers, MOST_SERVERS),
        Count("streamers", streamers, MOST_STREAMERS),
        Count("specialists", specialists),
    )
    return TeamScore((seat,), points, counts=counts)


def board(teams: tuple[TeamScore, ...], seat: int | None, pile: int = 131) -> Scoreboard:
    """A board with nothing special going on."""
    hands = tuple((Count(HAND, cards),) for cards in _HANDS[: len(teams)])
    stock = (Count(DRAW_PILE, pile), Count("specialists", 11, SPECIALISTS))
    return Scoreboard("points", teams, seat, stock, hands)


AT_START = tuple(provider(seat, 0, 0, NETS[0]) for seat in (1, 2, 3))
THREE = (provider(1, 38, 3, 4, 2), provider(2, 7, 4, 4), provider(3, 64, 6, 7, 2, 1, 2))
FOUR = (*THREE, provider(4, 119, 10, 10, 3, 1, 4))
SIX = (*FOUR, provider(5, 0, 0, 4), provider(6, 23, 2, 4, 1, 0, 1))


def _over(teams: tuple[TeamScore, ...], places: tuple[int, ...]) -> Scoreboard:
    ranked = tuple(replace(team, place=place) for team, place in zip(teams, places, strict=True))
    return replace(board(ranked, places.index(1) + 1), over=True, by="points")


SAMPLES = Samples(
    {
        "youngest": board(AT_START, None),
        "opening": replace(board(AT_START, 2), pending=OPENING, about=(("owed", 2),)),
        "play-3": board(THREE, 3),
        "play-4": board(FOUR, 4),
        "play-6": board(SIX, 2),
        "paying": replace(board(FOUR, 1), pending=controls.BUY_SERVER, about=(("owed", 3),)),
        "users": replace(board(THREE, 2), pending=controls.BUY_USERS, about=(("owed", 1), ("users", 2))),
        "choosing": replace(board(FOUR, 3), pending=controls.SWAP, about=(("needs", "lower"), ("owed", 1))),
        "replacing": replace(
            board(SIX, 4), pending=controls.DEMAND_REPLACE, about=(("short", 4), ("topic", "business"))
        ),
        "must-offer": replace(board(THREE, 1), pending=MUST_OFFER, about=(("topic", "business"),)),
        "pile-empty": board(FOUR, 2, pile=0),
        "reshuffle": replace(board(FOUR, 2, pile=0), pending=RESHUFFLE, about=(("owed", 3),)),
        "over-3": _over((*THREE[:2], provider(3, 127, 9, 9, 3, 1, 4)), (2, 3, 1)),
        "over-6": _over(
            (*SIX[:3], provider(4, 124, 10, 10, 3, 1, 4), provider(5, 23, 4, 4), SIX[5]), (3, 6, 2, 1, 4, 4)
        ),
    },
    usual="play-3",
    refused=Refused("X3.7", "needs-specialist", {"card": "music-4#1", "pad": 3, "topic": "music"}),
)
