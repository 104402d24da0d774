"""Samples of Cyber Siege to look at: every number of players, a launch, an attack, and ends. Each game is played to its
moment."""

from __future__ import annotations

from functools import cache

from games.cyber_siege.table import Game
from games.samples import Samples

_PLAIN_ATTACKS = ("1.1", "2.1", "3.1", "4.1")
_DEFENCES = tuple(f"{number}.{index}" for number in "1234" for index in (3, 4))


def _play(game: Game, *turns: str) -> Game:
    """Play turn after turn. For an S the seat on turn lays a set, for an H it also lands an attack, for a point;
    otherwise it discards a defence card."""
    for turn in turns:
        if "S" in turn:
            _lay_set(game)
        if "H" in turn:
            game.hit(_most(game, _PLAIN_ATTACKS))
        else:
            game.stop(_most(game, _DEFENCES))
    return game


def _lay_set(game: Game) -> None:
    """Lay the set of which most cards are left, at the seat on turn."""
    number = max("1234", key=lambda each: min(_hidden(game, f"{each}.{index}") for index in range(1, 5)))
    game.lay(f"set-{number}", *(f"{number}.{index}" for index in range(1, 5)))


def _hidden(game: Game, kind: str) -> int:
    return sum(game.kind_of(card) == kind and card not in game.visible_cards for card in game.cards)


def _most(game: Game, kinds: tuple[str, ...]) -> str:
    """Return the kind of which most cards are hidden."""
    return max(kinds, key=lambda kind: _hidden(game, kind))


@cache
def _two() -> Game:
    return _play(Game(2), "SH", "S", "S", "-")


@cache
def _three() -> Game:
    return _play(Game(3), "H", "SH", "S", "H", "SH", "-", "-", "SH", "-", "-")


@cache
def _four() -> Game:
    game = _play(Game(4), "H", "SH", "S", "SH", "H", "SH", "-", "SH")
    return _play(game, "-", "SH", "-", "H", "-", "-", "-", "H", "-", "-", "-")


def _set() -> Game:
    game = _play(_three().fork(), "-")
    game.play("set-3", "3.1")
    return game


def _launch() -> Game:
    """Return a launch of 5 s by seat 2, with 3 s left."""
    game = _play(_four().fork(), "-", "-")
    game.play("2.1", pad="discard")
    game.wait(2)
    return game


def _defence(game: Game) -> Game:
    """Open a defence of 10 s, with 7 s left."""
    game = game.fork()
    game.attack(_most(game, _PLAIN_ATTACKS))
    game.wait(3)
    return game


def _discard() -> Game:
    game = _four().fork()
    game.hit("3.2")
    return game


def _pile_empty() -> Game:
    game = _play(_three().fork(), "-", "-")
    game.drain()
    return game


def _reshuffle() -> Game:
    game = _play(_three().fork(), "-", "-")
    game.drain(2)
    _lay_set(game)
    return game


def _by_purple() -> Game:
    """Let seat 1's set draw the last purple card."""
    game = _two().fork()
    pile, held = game.state["purple_pile"], game.team(2)["purple"]
    game.correct(2, purple=held + pile - 1 + game.team(1)["purple"] - 1).accepted()
    game.correct(1, purple=1).accepted()
    _lay_set(game)
    return game


def _refuse() -> Game:
    game = _four().fork()
    game.play("set-1")
    game.tap("2.3").refused("S4.2")
    return game


SAMPLES = Samples(
    {
        "youngest": lambda: Game(4, starter=None),
        "play-2": _two,
        "play-3": _three,
        "play-4": _four,
        "set": _set,
        "launch": _launch,
        "defence": lambda: _defence(_play(_four().fork(), "-", "-")),
        "defence-2": lambda: _defence(_two()),
        "discard": _discard,
        "pile-empty": _pile_empty,
        "reshuffle": _reshuffle,
        "over-2": _by_purple,
        "over-4": lambda: _play(_four().fork(), "-", "-", "H"),
    },
    usual="play-4",
    refuse=_refuse,
)
