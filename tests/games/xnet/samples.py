"""Samples of X.net to look at: every number of players, the needs of a pending action, and ends. Each is a moment of a
recorded game."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from golden.transcripts import pairs, transcript
from taptable.core.scoreboard import Scoreboard
from taptable.games.xnet import controls
from taptable.games.xnet.public import MUST_OFFER, OPENING, RESHUFFLE

from games.samples import Samples
from games.xnet.table import Game


def _recorded(name: str, wanted: Callable[[Scoreboard], bool], **settings: object) -> Game:
    """Return a recorded game, with these settings of its own, at the first moment that meets a condition."""
    agreed = json.loads(transcript("xnet", name)[0])
    manifest = json.dumps(agreed["manifest"]) if "manifest" in agreed else ""
    game = Game(agreed["players"], starter=None, opening=(), manifest=manifest, **agreed["set"] | settings)
    for line, _ in [({"at": 0}, {}), *pairs("xnet", name)]:
        if "at" in line:
            game.line(line)
            game.now = line["at"]
            if wanted(game.front.table.scoreboard):
                return game
    raise AssertionError(f"no such moment in the recorded game {name}")


def _free(board: Scoreboard, points: int = 0) -> bool:
    """Return whether a seat with at least this number of points is on turn and free to act."""
    if not board.under_way or board.pending is not None:
        return False
    return next(team.score for team in board.teams if board.seat in team.seats) >= points


def _waits(board: Scoreboard, pending: str, **about: object) -> bool:
    """Return whether this is pending, with these facts."""
    return board.pending == pending and about.items() <= dict(board.pending_facts).items()


def _play(name: str, points: int) -> Callable[[], Game]:
    return lambda: _recorded(name, partial(_free, points=points))


def _pending(name: str, pending: str, **about: object) -> Callable[[], Game]:
    return lambda: _recorded(name, partial(_waits, pending=pending, **about))


def _over(name: str) -> Callable[[], Game]:
    return lambda: _recorded(name, lambda board: board.by == "points")


def _pile_empty() -> Game:
    """Return a game in which the last five cards have just been drawn."""
    game = _recorded("4", lambda board: _free(board) and board.stock[0].have == 40, target_points=999)
    while game.state["draw_pile"]:
        game.stop()
    return game


def _refuse() -> Game:
    """Play to a third card of a topic on a server without a specialist."""
    game = _recorded("4", partial(_free, points=20))
    for card in game.cards:
        answer = game.fork()
        answer.tap(card)
        if getattr(answer.verdicts[-1], "code", "") == "needs-specialist":
            return answer
    raise AssertionError("every topic has a specialist")


SAMPLES = Samples(
    {
        "youngest": lambda: _recorded("3", lambda board: board.seat is None),
        "opening": _pending("3", OPENING, owed=2),
        "play-3": _play("3", 64),
        "play-4": _play("4", 70),
        "play-6": _play("6", 20),
        "paying": _pending("4", controls.BUY_SERVER, owed=3),
        "users": _pending("3", controls.BUY_USERS, owed=1),
        "choosing": _pending("4", controls.SWAP, needs="lower"),
        "replacing": _pending("6", controls.DEMAND_REPLACE, topic="business"),
        "must-offer": _pending("3", MUST_OFFER),
        "pile-empty": _pile_empty,
        "reshuffle": _pending("3-small", RESHUFFLE),
        "over-3": _over("3"),
        "over-6": _over("6"),
    },
    usual="play-3",
    refuse=_refuse,
)
