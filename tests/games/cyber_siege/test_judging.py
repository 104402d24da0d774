"""*How a line is judged*: the first row of the page's table that fits answers a tap, whatever rows below fit too."""

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
    """Seat 2 has defended with the last red card gone, and owes a draw."""
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
    """Three cards lie on the discard pile; seat 1 is on turn and has drawn."""
    game = Game(3)
    for card in ("1.3#1", "1.3#2", "1.3#3"):
        game.discard(card)
    game.lay("set-1#1", "1.1#1")
    game.press()
    return game


def _empty() -> Game:
    """Seat 2's draw is due, the red pile is empty, and set-1#1 lies before seat 1."""
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


def _without_cards(game: Game) -> Game:
    game.tap("set-4")
    game.press()
    return game


def test_that_the_hand_is_used_up_is_the_last_row():
    game = _without_cards(Game())
    game.correct(1, red=0, purple=0)
    game.discard("set-1").refused("S5.1", "not-a-red-card")
    game.tap("1.1", 1).refused("S4.1", "set-card-first")
    game.tap("1.1", 2).refused("S3.1", "not-on-turn")
    game.discard("1.1").refused("S8.1", "hand-used-up")
    game.tap("set-1", 1).refused("S8.1", "hand-used-up")


def test_time_comes_before_the_line():
    game = launching(settle_s=0)
    game.now = 15
    answer = game.line({"at": 15, "tap": "set-1#1", "pad": 2})
    said = [announcement["type"] for announcement in answer["announcements"]]
    assert (answer["verdict"], said) == ("accepted", ["spared", "turn-started", "card-drawn", "card-laid"])
    game = attacked()
    game.now = 22
    answer = game.line({"at": 22, "tap": "1.3#1", "pad": 2})
    assert (answer["verdict"], answer["code"]) == ("refused", "set-card-first")
    assert [said["type"] for said in answer["announcements"]] == ["hit", "turn-started"]


def test_in_a_pause_even_an_unknown_card_is_refused():
    game = Game()
    game.control("pause")
    for line in ({"tap": "9.9#9", "pad": 1}, {"hold": "1.1#1", "pad": 1}, {"press": 1}):
        answer = game.line({"at": 1, **line})
        assert (answer["verdict"], answer["rule"], answer["code"]) == ("refused", "R11", "paused")


def test_lines_of_other_games_are_no_lines():
    game = Game()
    for line in ({"control": "buy-users", "users": 1}, {"tap": "1.1#1", "pad": "demand"}, {"tap": "1.1#1", "pad": 3}):
        assert "error" in game.line({"at": 1, **line})
