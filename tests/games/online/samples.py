"""Samples of ONLINE to look at: every number of teams, the windows of a hacker, and every kind of end. Each game is
played to its moment."""

from __future__ import annotations

from functools import cache

from games.online.table import Game
from games.samples import Samples

LIMIT_S = 3600
_QUOTAS = {"email": 6, "music": 4, "game": 2, "movie": 2}


def _take_line(game: Game, seat: int, hacker: int) -> None:
    """Let a hacker take the only card of a connection row away."""
    game.advance_to(hacker)
    game.hack()
    game.discard(game.team(seat)["connection"][-1]).accepted()
    assert game.team(seat)["line"] == "offline"


def _back_up(game: Game, seat: int, *kinds: str) -> None:
    """Back up full rows."""
    game.advance_to(seat)
    for kind in kinds:
        game.hold(game.team(seat)["rows"][kind][0]).accepted()


@cache
def _two_teams(edition: str = "de") -> Game:
    """Return a game with 1 and 3 with a fast line and a backup, 2 and 4 blocked; seat 3 is on turn and has downloaded
    once."""
    game = Game(4, edition, time_limit_s=LIMIT_S) if edition != "de" else Game(4, edition)
    game.lay(2, "online", *2 * ("email",), *2 * ("music",))
    game.lay(1, "turbo-line", "extra-memory", *2 * ("email",), *3 * ("music",), *2 * ("game",))
    _back_up(game, 1, "game")
    game.lay(2, "virus")
    game.advance_to(3)
    game.play("email")
    return game


@cache
def _three_teams() -> Game:
    """Return a game with 1 and 4 cleared, 2 and 5 with a fast line, 3 and 6 offline; seat 5 is on turn and has
    downloaded once."""
    game = Game(6)
    game.lay(1, "online", "extra-memory", *3 * ("email",), "music", "movie", "virus", "antivirus")
    game.lay(3, "online", "extra-memory", *2 * ("email",), "game")
    game.lay(2, "turbo-line", "extra-memory", *4 * ("email",), *2 * ("music",), "game", "movie")
    _take_line(game, 3, 1)
    game.advance_to(5)
    game.play("email")
    return game


@cache
def _five_players() -> Game:
    """Return a game in which 1 and 4 have just begun, 2 and 5 are online, 3 is blocked with two rows backed up, and on
    turn."""
    game = Game(5)
    game.lay(2, "online", "email")
    game.lay(3, "turbo-line", "extra-memory", *6 * ("email",), *4 * ("music",), "game")
    _back_up(game, 3, "email", "music")
    game.lay(3, "under-construction")
    game.advance_to(3)
    return game


@cache
def _four_solo(edition: str = "en") -> Game:
    """Return a game of four alone for an hour: 1 offline, 2 online and on turn, 3 cleared with backups, 4 with a fast
    line and more than it needs."""
    game = Game(4, edition, teams="solo", time_limit_s=LIMIT_S)
    game.lay(1, "online", *3 * ("email",))
    game.lay(2, "online", "extra-memory", *2 * ("email",), *2 * ("music",), "movie")
    game.lay(3, "turbo-line", "extra-memory", *6 * ("email",), *4 * ("music",), "game", "movie")
    _back_up(game, 3, "email", "music")
    game.lay(3, "virus", "antivirus")
    game.lay(4, "turbo-line", "extra-memory", *9 * ("email",), *7 * ("music",), *2 * ("game",), "movie")
    _take_line(game, 1, 4)
    game.advance_to(2)
    return game


def _solo_at(left_s: float, edition: str = "en") -> Game:
    """Return the same game with `left_s` of the hour left."""
    game = _four_solo(edition).fork()
    game.until(game.state["ends_at"] - left_s)
    return game


def _youngest() -> Game:
    return Game(6, starter=None)


def _four_digits() -> Game:
    game = _solo_at(2400)
    game.next_turn_of(4)
    game.play("email", "email")
    return game


def _skips() -> Game:
    """Return a game in which seat 1 has stopped seat 5's hacker and is on turn."""
    game = _three_teams().fork()
    game.show_hacker()
    game.tap("cyber-patrol", 1).accepted()
    game.wait(1)
    assert game.state["skips"] == [5]
    return game


def _hack() -> Game:
    game = _solo_at(1800)
    game.play("email")
    game.hack()
    return game


def _search() -> Game:
    game = _two_teams().fork()
    game.play("search")
    return game


def _pile_empty() -> Game:
    game = _solo_at(1200)
    game.drain()
    game.advance_to(2)
    return game


def _window(game: Game) -> Game:
    """Open a window of 5 s, with 3.4 s left."""
    game = game.fork()
    game.show_hacker()
    game.wait(1.6)
    return game


def _claim(game: Game, *presses: tuple[int, float, float]) -> Game:
    """Open a claim of 10 s, with 7.2 s left. Each press has a seat, its time in ms after the window opened, and its
    uncertainty in ms."""
    game = game.fork()
    game.show_hacker()
    opened_at = game.now
    game.wait(0.6)
    for seat, after_ms, bound_ms in presses:
        game.press(seat, round(opened_at + after_ms / 1000, 6), round(bound_ms / 1000, 6)).accepted()
    game.wait(1)
    until = game.state["window"]["claim"]["until"]
    game.until(until - 7.2)
    return game


def _by_time(game: Game) -> Game:
    """Let the time run out and the last turn end."""
    game = game.fork()
    game.until(game.state["ends_at"])
    game.stop().announcement("game-ended")
    return game


def _by_quotas() -> Game:
    game = _three_teams().fork()
    missing = {kind: need - len(game.team(2)["rows"][kind]) for kind, need in _QUOTAS.items()}
    cards = [kind for kind, number in missing.items() for _ in range(number)]
    game.lay(2, *cards[:-1])
    game.advance_to(2)
    game.play(cards[-1])
    assert game.state["outcome"]["by"] == "quotas"
    return game


def _equals() -> Game:
    game = Game(3, time_limit_s=LIMIT_S)
    game.lay(1, "turbo-line", "extra-memory", *2 * ("email",), *2 * ("music",), "movie")
    game.lay(2, "turbo-line", "extra-memory", *3 * ("music",), "movie")
    game.lay(3, "online", *4 * ("email",), "password-error")
    _take_line(game, 2, 1)
    return _by_time(game)


def _few_and_big() -> Game:
    """Return a game in which a team with more MB has fewer cards."""
    game = Game(4, "fr", time_limit_s=LIMIT_S)
    game.lay(1, "turbo-line", "extra-memory", *2 * ("email",), *3 * ("music",), *2 * ("game",), *2 * ("movie",))
    _back_up(game, 1, "game")
    game.lay(2, "turbo-line", "extra-memory", *6 * ("email",), *4 * ("music",), "game")
    _back_up(game, 2, "email")
    return game


def _refuse() -> Game:
    game = _three_teams().fork()
    game.lay(2, "memory-full")
    game.advance_to(5)
    game.tap("movie").refused("R5.3")
    return game


SAMPLES = Samples(
    {
        "youngest": _youngest,
        "play-2-teams": _two_teams,
        "play-3-teams": _three_teams,
        "play-5-players": _five_players,
        "play-4-solo": lambda: _solo_at(2400),
        "play-4-digits": _four_digits,
        "play-by-cards": lambda: _solo_at(1500, "fr"),
        "play-last-minute": lambda: _solo_at(42),
        "play-last-turn": lambda: _solo_at(-5),
        "skips": _skips,
        "hack": _hack,
        "search": _search,
        "pile-empty": _pile_empty,
        "window": lambda: _window(_three_teams()),
        "window-4-solo": lambda: _window(_four_solo()),
        "claim": lambda: _claim(_two_teams(), (2, 412.3, 0.05), (4, 416.5, 0.05)),
        "claim-tie": lambda: _claim(_four_solo(), (1, 412.3, 0.6), (4, 412.5, 0.5)),
        "over-2-teams": lambda: _by_time(_two_teams("en")),
        "over-3-teams": _by_quotas,
        "over-4-solo": lambda: _by_time(_four_solo()),
        "over-tie": _equals,
        "over-by-cards": lambda: _by_time(_few_and_big()),
    },
    usual="play-3-teams",
    refuse=_refuse,
)
