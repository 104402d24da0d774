"""*How a line is judged*: the first row of the page's table that fits answers a tap, even if rows below fit too."""

from __future__ import annotations

from collections.abc import Callable

from taptable.core.observations import Pad

from games.cyber_siege.table import Game, attacked, launching, with_icon


def _over() -> Game:
    game = Game(3)
    game.discard("1.3#1")
    game.correct(2, one_points=16)
    return game


def _reshuffle() -> Game:
    """Return a game in which seat 2 has defended with the last red card and owes a draw."""
    game = Game(3)
    game.drain(left=1)
    game.attack("1.1#1")
    game.tap("1.3#1", 2)
    return game


def _owing_discards() -> Game:
    game = Game(3, deck=with_icon({"effect": "discard", "n": 2}))
    game.hit("1.1#1")
    return game


def _drawn() -> Game:
    """Return a game with three cards on the discard pile; seat 1 is on turn and has drawn."""
    game = Game(3)
    for card in ("1.3#1", "1.3#2", "1.3#3"):
        game.discard(card)
    game.lay("set-1#1", "1.1#1")
    game.press()
    return game


def _empty() -> Game:
    """Return a game in which seat 2's draw is due, the red pile is empty, and set-1#1 lies before seat 1."""
    game = Game(3)
    game.lay("set-1#1", "1.1#1", "1.2#1", "1.3#1", "1.4#1")
    game.drain(left=0)
    game.discard("2.3#1")
    return game


def _set_open() -> Game:
    game = _drawn()
    game.lay("set-1#2", "1.1#2")
    return game


CASES: list[tuple[Callable[[], Game], str, Pad, str]] = [
    (lambda: Game(3, starter=None), "1.1", 3, "no-starter"),
    (_over, "1.3#1", "discard", "game-over"),
    (_over, "1.3#1", 3, "game-over"),
    (_reshuffle, "1.3#1", 2, "already-there"),
    (_reshuffle, "1.3#1", "discard", "already-there"),
    (_reshuffle, "1.1#1", 2, "reshuffle-due"),
    (_reshuffle, "2.1", 3, "reshuffle-due"),
    (lambda: launching(3), "1.1#1", "discard", "already-there"),
    (lambda: launching(3), "1.1#1", 1, "launch-open"),
    (lambda: launching(3), "2.1", 3, "launch-open"),
    (lambda: attacked(3), "1.1#1", "discard", "already-there"),
    (lambda: attacked(3), "1.1#1", 2, "defence-awaited"),
    (lambda: attacked(3), "set-1", 3, "defence-awaited"),
    (lambda: attacked(3), "set-1", 2, "no-defence"),
    (_owing_discards, "1.1#1", "discard", "already-there"),
    (_owing_discards, "1.1#1", 2, "discard-owed"),
    (_owing_discards, "1.3", 3, "discard-owed"),
    (_owing_discards, "set-1", "discard", "discard-owed"),
    (_drawn, "1.3#3", 1, "already-drawn"),
    (_drawn, "1.3#1", 1, "already-drawn"),
    (_drawn, "1.3#3", 2, "lies-elsewhere"),
    (_empty, "set-1#1", 1, "already-there"),
    (_empty, "set-1#1", 2, "lies-elsewhere"),
    (_empty, "1.1#1", 2, "not-on-top"),
    (_empty, "2.3#1", 1, "lies-elsewhere"),
    (_empty, "1.1", 1, "not-on-turn"),
    (_empty, "set-2", 3, "not-on-turn"),
    (_empty, "set-2", "discard", "reshuffle-due"),
    (_empty, "2.1", 2, "reshuffle-due"),
    (_set_open, "1.1#2", 1, "already-there"),
    (_set_open, "1.3#3", 1, "already-drawn"),
    (_set_open, "1.1#2", "discard", "lies-elsewhere"),
    (_set_open, "set-2", 3, "not-on-turn"),
    (_set_open, "set-2", "discard", "set-open"),
    (_set_open, "2.1", "discard", "set-open"),
    (_set_open, "2.1", 1, "not-in-set"),
]


def test_the_first_row_that_fits_answers():
    for begin, card, pad, code in CASES:
        answer = begin().tap(card, pad)
        assert answer.answer["code"] == code, answer
        assert answer.answer["verdict"] == ("ignored" if code == "already-there" else "refused")
