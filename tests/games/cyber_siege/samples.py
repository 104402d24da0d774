"""Samples of Cyber Siege to look at: every number of players, a launch, an attack, and ends."""

from __future__ import annotations

from dataclasses import replace

from taptable.core.scoreboard import Count, RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Refused

from games.samples import NOW_US, Samples

_HANDS = ((5, 2), (7, 1), (4, 3), (10, 0))


def player(seat: int, sets: int, one_points: int) -> TeamScore:
    """A player with so many laid sets of four cards, and so many one-point cards."""
    return TeamScore((seat,), 4 * sets + one_points, counts=(Count("sets", sets), Count("one-points", one_points)))


def board(teams: tuple[TeamScore, ...], seat: int | None, red: int = 38, purple: int = 9) -> Scoreboard:
    """A board with nothing special going on."""
    hands = tuple((Count("red", red), Count("purple", purple)) for red, purple in _HANDS[: len(teams)])
    stock = (Count("red-pile", red), Count("purple-pile", purple))
    return Scoreboard("points", teams, seat, stock, hands)


TWO = (player(1, 2, 1), player(2, 1, 0))
THREE = (player(1, 0, 2), player(2, 3, 3), player(3, 1, 0))
FOUR = (*THREE, player(4, 2, 5))


def _window(kind: str, attacker: int, answerer: int, left_s: int, whole_s: int) -> RunningWindow:
    """A window of which so much is left."""
    closes_at_us = NOW_US + left_s * US_PER_S
    return RunningWindow(attacker, closes_at_us - whole_s * US_PER_S, closes_at_us, kind=kind, answerer=answerer)


def _over(teams: tuple[TeamScore, ...], places: tuple[int, ...], by: str) -> Scoreboard:
    ranked = tuple(replace(team, place=place) for team, place in zip(teams, places, strict=True))
    return replace(board(ranked, places.index(1) + 1), over=True, by=by)


SAMPLES = Samples(
    {
        "youngest": board(tuple(player(seat, 0, 0) for seat in (1, 2, 3, 4)), None),
        "play-2": board(TWO, 1),
        "play-3": board(THREE, 2),
        "play-4": board(FOUR, 4),
        "set": replace(board(THREE, 3), pending="set"),
        "launch": replace(board(FOUR, 2), window=_window("launch", 2, 2, 3, 5), pending="launch"),
        "defence": replace(board(FOUR, 2), window=_window("defence", 2, 3, 7, 10)),
        "defence-2": replace(board(TWO, 1), window=_window("defence", 1, 2, 7, 10)),
        "discard": replace(board(FOUR, 1), pending="discard", about=(("owed", 2),)),
        "pile-empty": board(THREE, 1, red=0),
        "reshuffle": replace(board(THREE, 1, red=0), pending="reshuffle", about=(("owed", 3),)),
        "over-2": _over((player(1, 2, 1), player(2, 1, 4)), (1, 2), "purple"),
        "over-4": _over((player(1, 3, 4), player(2, 0, 3), player(3, 3, 4), player(4, 2, 5)), (1, 4, 1, 3), "points"),
    },
    usual="play-4",
    refused=Refused("S4.2", "not-in-set", {"card": "2.3#1", "pad": 4, "top": "set-1#2"}),
)
