"""A situation at the table for every code a verdict of ONLINE can have, and some more for what is announced: each
ends with the verdict it is named for, and keeps all verdicts on the way."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from games.online.table import Answer, Game, quotas
from taptable.core.agreed import Agreed
from taptable.core.observations import CardsTogether, SeatVacated, TableCorrected
from taptable.core.verdicts import Verdict
from taptable.games.registry import GAMES
from taptable.referee.jsonl import Front
from taptable.referee.step import open_table, step

ONE_EMAIL = quotas(email=1, movie=2)


class HeardGame(Game):
    """A game that keeps its verdicts, the last one last."""

    def __init__(self, players: int = 2, edition: str = "de", starter: int | None = 1, **settings: object) -> None:
        super().__init__(players, edition, starter, **settings)
        self.heard: list[Verdict] = []
        self.front = Front(self.front.table, self._hear)

    def _hear(self, verdict: Verdict) -> str:
        self.heard.append(verdict)
        return ""

    def _judged(self, verdict: Verdict) -> None:
        self.heard.append(verdict)

    def together(self, *cards: str, pad: int) -> None:
        """Two cards at once, which no line can say."""
        now_us = round(self.now * 1e6)
        self.front.table, verdict = step(self.front.table, CardsTogether(now_us, cards, pad, now_us - 200_000))
        self.heard.append(verdict)

    def back_up(self, seat: int) -> None:
        """The seat's team downloads `email#1` and backs its row up; quotas must allow it."""
        self.lay(seat, "online", "email#1")
        self.to(seat)
        self.hold("email#1", seat).accepted()
        self.stop()


Situation = Callable[[], HeardGame]
SITUATIONS: dict[str, list[Situation]] = {}
"""By code; more than one where the code is said in other words."""

EVENINGS: list[Situation] = []
"""What brings the announcements that no refusal comes after."""


def _ends_with(code: str, begin: Situation, *last: Callable[[HeardGame], Answer | None]) -> None:
    def play() -> HeardGame:
        game = begin()
        for deed in last:
            deed(game)
        return game

    SITUATIONS.setdefault(code, []).append(play)


def _tap(card: str, pad: int | str | None = None) -> Callable[[HeardGame], Answer]:
    return lambda game: game.tap(card, pad)


def _press(seat: int, pressed_at: float | None = None) -> Callable[[HeardGame], Answer]:
    return lambda game: game.press(seat, pressed_at)


def _laid(*cards: str, seat: int = 1, players: int = 2, edition: str = "de") -> Situation:
    """Cards lie on a seat's rows, and seat 1 is on turn."""

    def play() -> HeardGame:
        game = HeardGame(players, edition)
        if cards:
            game.lay(seat, *cards)
        game.to(1)
        return game

    return play


def _hacking(begin: Situation) -> Situation:
    """Seat 1 has a hack pending."""

    def play() -> HeardGame:
        game = begin()
        game.hack()
        return game

    return play


def _window(players: int = 2, **settings: object) -> Situation:
    """The window of seat 1's hacker is open, from 0 to 5 s."""

    def play() -> HeardGame:
        game = HeardGame(players, **settings)
        game.show_hacker()
        return game

    return play


def _three(*, for_seat_2: tuple[str, ...], for_seat_3: tuple[str, ...] = ()) -> Situation:
    """Three players with something on the rows of two."""

    def play() -> HeardGame:
        game = HeardGame(3)
        for seat, cards in ((2, for_seat_2), (3, for_seat_3)):
            if cards:
                game.lay(seat, *cards)
        game.to(1)
        return game

    return play


def _false_alarm() -> HeardGame:
    game = HeardGame(claim_s=1)
    game.show_hacker()
    game.press(2)
    game.wait(2)
    return game


def _overtime() -> HeardGame:
    """The window's time is over, and presses made in time may still arrive."""
    game = HeardGame(settle_s=1)
    game.show_hacker()
    game.wait(5.5)
    return game


def _won() -> HeardGame:
    game = HeardGame(**quotas(email=1))
    game.play("online", "email")
    return game


def _searching(edition: str = "de") -> HeardGame:
    game = HeardGame(edition=edition)
    game.play("search")
    return game


def _backed_up(seat: int, players: int) -> Situation:
    def play() -> HeardGame:
        game = HeardGame(players, **ONE_EMAIL)
        game.back_up(seat)
        game.to(1)
        return game

    return play


def _gift_to_backed_up() -> HeardGame:
    game = HeardGame(3, **ONE_EMAIL)
    game.back_up(3)
    game.lay(2, "online", "email#2")
    game.to(1)
    return game


def _drained() -> HeardGame:
    game = HeardGame(6)
    game.drain()
    return game


def _searching_an_empty_pile() -> HeardGame:
    game = _drained()
    game.play("search")
    return game


def _empty_hand() -> HeardGame:
    game = HeardGame()
    game.waste_hand(0)
    return game


def _attacked() -> HeardGame:
    """Seat 1 has just blocked the line of seat 2, whose memory is open."""
    game = HeardGame()
    game.lay(2, "online", "extra-memory")
    game.to(1)
    game.tap("under-construction", 2).accepted()
    return game


def _paused() -> HeardGame:
    game = HeardGame()
    game.control("pause")
    return game


_ends_with("unknown-card", HeardGame, _tap("visa"))

_ends_with("game-over", _won, _tap("online", 1))
_ends_with("waiting-for-youngest", lambda: HeardGame(starter=None), _tap("online", 1))
_ends_with("belongs-in-row", _laid("online#1", players=4), _tap("online#1", 2))
_ends_with("belongs-on-discard-pile", HeardGame, _tap("virus#1", "discard"), _tap("virus#1", 1))
_ends_with("hack-own-row", _hacking(_laid("online", "email#1")), _tap("email#1", "discard"))
_ends_with("hack-backed-up", _hacking(_backed_up(2, 2)), _tap("email#1", "discard"))
_ends_with("hack-not-under-hacker", _hacking(HeardGame), _tap("hacker#1", 1))
_ends_with(
    "hack-no-patrol",
    HeardGame,
    _tap("cyber-patrol#1", "discard"),
    _tap("hacker"),
    lambda game: game.wait(6),
    _tap("cyber-patrol#1", 1),
)
_ends_with("hack-top-only", _hacking(_laid("online", "email#1", "email#2", seat=2)), _tap("email#1", "discard"))
_ends_with("hack-never-for-oneself", _hacking(_laid("online", "email#1", seat=2, edition="en")), _tap("email#1", 1))
_ends_with("hack-line-not-up", _hacking(_laid("online", "email#1", seat=2)), _tap("email#1", 1))
_ends_with("gift-line-not-up", _hacking(_three(for_seat_2=("online", "email#1"))), _tap("email#1", 3))
_ends_with(
    "gift-memory-not-open",
    _hacking(_three(for_seat_2=("online", "extra-memory", "movie#1"), for_seat_3=("online",))),
    _tap("movie#1", 3),
)
_ends_with("gift-row-backed-up", _hacking(_gift_to_backed_up), _tap("email#2", 3))
_ends_with("patrol-locked-out", _false_alarm, _tap("cyber-patrol", 2))
_ends_with("patrol-by-hacker", _window(), _tap("cyber-patrol", 1))
_ends_with("patrol-by-team-mate", _window(4, who_may_patrol="opponents"), _tap("cyber-patrol", 3))
_ends_with("patrol-too-late", _overtime, _tap("cyber-patrol", 2))
_ends_with("window-open", _window(), _tap("online"))
_ends_with("hack-pending", _hacking(HeardGame), _tap("online"))
_ends_with("searched-onto-row", _searching, _tap("hacker"))
_ends_with("searched-not-discarded", _searching, _tap("online", "discard"))
_ends_with("draw-pile-used-up", _searching_an_empty_pile, _tap("online"))
_ends_with("exchange-begun", HeardGame, _tap("virus", "discard"), _tap("virus", "discard"), _tap("online"))
_ends_with("one-discard-only", HeardGame, _tap("online"), _tap("virus", "discard"), _tap("virus", "discard"))
_ends_with("hand-used-up", _empty_hand, _tap("turbo-line"))
_ends_with("access-on-other-pad", lambda: HeardGame(4), _tap("online", 2))
_ends_with("row-not-attacked", _attacked, _tap("extra-memory", 2))
_ends_with("line-up-again", _attacked, _tap("online", 2), _tap("turbo-line", 2))
_ends_with("memory-open-again", _attacked, _tap("memory-full", 2), _tap("extra-memory", 2), _tap("extra-memory", 2))
_ends_with("category-on-other-pad", lambda: HeardGame(6, teams="two"), _tap("email", 2))
_ends_with("hacker-on-other-pad", HeardGame, _tap("hacker", 2))
_ends_with("search-on-other-pad", HeardGame, _tap("search", 2))
_ends_with("patrol-without-hacker", HeardGame, _tap("cyber-patrol"))
_ends_with("attack-on-own-team", lambda: HeardGame(4), _tap("virus", 3))
_ends_with("line-already-open", _laid("online"), _tap("online"))
_ends_with("line-already-open", _laid("turbo-line"), _tap("online"))
_ends_with("line-has-password-error", _laid("online", "password-error"), _tap("online"))
_ends_with("line-has-virus", _laid("online", "virus"), _tap("online"))
_ends_with("turbo-already-there", _laid("turbo-line"), _tap("turbo-line"))
_ends_with("turbo-password-error", _laid("online", "password-error"), _tap("turbo-line"))
_ends_with("turbo-virus", _laid("online", "virus"), _tap("turbo-line"))
_ends_with("memory-already-open", _laid("extra-memory"), _tap("extra-memory"))
_ends_with("no-password-error", HeardGame, _tap("password-ok"))
_ends_with("no-virus", HeardGame, _tap("antivirus"))
_ends_with("no-line-to-attack", HeardGame, _tap("under-construction", 2))
_ends_with("no-memory-to-attack", HeardGame, _tap("memory-full", 2))
_ends_with("line-not-up", HeardGame, _tap("email"))
_ends_with("line-not-up", _laid("online", "virus"), _tap("email"))
_ends_with("line-not-up", _laid("online", "password-error"), _tap("email"))
_ends_with("line-not-up", _laid("online", "under-construction"), _tap("email"))
_ends_with("memory-not-open", _laid("online"), _tap("movie"))
_ends_with("row-backed-up", _backed_up(1, 2), _tap("email#2"))
_ends_with("rate-used-up", _laid("online"), _tap("email"), _tap("email"))
_ends_with("rate-used-up", _laid("turbo-line"), _tap("email"), _tap("music"), _tap("email"))

_ends_with("already-there", HeardGame, _tap("online#1"), _tap("online#1"))
_ends_with("nothing-to-back-up", HeardGame, lambda game: game.hold("email"))
_ends_with("shown-already", _window(), _press(2), _tap("cyber-patrol#1", 2), _tap("cyber-patrol#2", 2))
_ends_with("own-window", _window(), _press(1))
_ends_with("locked-out", _false_alarm, _press(2))
_ends_with("pressed-already", _window(), _press(2), _press(2))
_ends_with("pressed-too-early", _window(), _press(2, -1))
_ends_with("pressed-too-late", _overtime, _press(2, 5.2))
_ends_with("may-not-patrol", _window(4, who_may_patrol="opponents"), _press(3))
_ends_with("not-on-turn", HeardGame, _press(2))
_ends_with("game-is-over", _won, _press(1))

_ends_with("paused", _paused, _tap("online", 1))
_ends_with("one-at-a-time", HeardGame, _tap("online#1"), lambda game: game.together("online#1", "virus#1", pad=1))
_ends_with("nothing-to-take-back", HeardGame, lambda game: game.control("take-back"))
_ends_with("paused-already", _paused, lambda game: game.control("pause"))
_ends_with("not-paused", HeardGame, lambda game: game.control("resume"))


_ends_with("cant-be-agreed", HeardGame, lambda game: game.set_up(7))
_ends_with("card-lost", HeardGame, lambda game: game.lose("virus#1"), _tap("virus#1", 2))
_ends_with("lost-with-empty-pile", _drained, lambda game: game.lose("online"))
_ends_with("lost-already", HeardGame, lambda game: game.lose("virus#1"), lambda game: game.lose("virus#1"))
_ends_with("not-lost", HeardGame, lambda game: game.recover("virus#1"))
_ends_with("nobody-plays-there", lambda: HeardGame(3), lambda game: game.vacate(3), _tap("virus", 3))
_ends_with("seat-left", lambda: HeardGame(3), lambda game: game.vacate(3), _press(3))
_ends_with("vacated-already", lambda: HeardGame(3), lambda game: game.vacate(3), lambda game: game.vacate(3))


@EVENINGS.append
def cards_go_missing_and_players_go_home() -> HeardGame:
    game = HeardGame(3)
    game.lose("virus#1")
    game.recover("virus#1")
    game.tap("hacker", 1)
    game.vacate(1)
    game.vacate(2)
    game.control("take-back")
    game.drain()
    game.control("end-game")
    return game


@EVENINGS.append
def a_player_leaves_with_an_empty_hand() -> HeardGame:
    game = HeardGame(3)
    game.waste_hand(0)
    game.vacate(1)
    return game


@EVENINGS.append
def a_hacker_is_stopped_and_skipped() -> HeardGame:
    game = HeardGame(3, starter=None)
    game.control("new-game")
    game.press(1)
    game.show_hacker()
    game.press(2, uncertainty=0.01)
    game.press(3, uncertainty=0.01)
    game.tap("cyber-patrol", 3)
    game.wait(1)
    game.tap("cyber-patrol", 2)
    for seat in (2, 3, 2):
        game.press(seat)
    return game


@EVENINGS.append
def a_press_stands_alone_and_another_wins_by_a_margin() -> HeardGame:
    game = HeardGame(3, claim_s=1)
    game.show_hacker()
    game.press(2)
    game.wait(2)
    game.press(3)
    game.wait(2)
    game.press(1)
    game.control("take-back")
    game.control("new-game")
    game.show_hacker()
    game.wait(0.01)
    game.press(3)
    game.press(2, game.now - 0.005)
    game.wait(1)
    game.tap("cyber-patrol", 2)
    return game


@EVENINGS.append
def cards_are_hacked() -> HeardGame:
    game = HeardGame(3)
    game.lay(1, "online")
    game.lay(2, "online", "email#1", "email#2")
    game.to(1)
    game.hack()
    game.tap("email#2", 1)
    game.hack()
    game.tap("email#1", "discard")
    game.stop()
    game.to(1)
    game.tap("virus#1", "discard")
    game.hack()
    game.tap("virus#1", 2)
    game.hack()
    game.press()
    game.tap("memory-full", 2)
    return game


@EVENINGS.append
def a_card_is_searched_and_another_is_not() -> HeardGame:
    game = HeardGame()
    game.play("search", "online", "search")
    game.press()  # waives the second search
    game.stop()
    game.stop()  # passes
    game.discard("virus")
    game.discard("virus")
    game.stop()  # exchanges
    return game


@EVENINGS.append
def the_piles_are_reshuffled() -> HeardGame:
    game = _drained()
    game.discard("online")
    game.stop()
    game.stop()
    game.control("reshuffle")
    game.control("reshuffle")
    return game


@EVENINGS.append
def a_pause_and_the_end_of_time() -> HeardGame:
    game = HeardGame(4, teams="solo", time_limit_s=60)
    game.control("pause")
    game.wait(10)
    game.control("resume")
    game.wait(70)
    game.press()
    return game


def _corrected(game: HeardGame, **corrections: tuple[object, ...]) -> None:
    """What a check of the table has found, which no line of the front end can say."""
    found = {"laid": (), "gone": (), "hands": (), **corrections}
    observation = TableCorrected(round(game.now * 1e6), found["laid"], found["gone"], found["hands"])
    game.front.table, verdict = step(game.front.table, observation)
    game.heard.append(verdict)


@EVENINGS.append
def the_table_is_put_right() -> HeardGame:
    game = HeardGame()
    game.play("online")
    _corrected(game, gone=("online#1",), laid=(("email#1", 2),), hands=((2, 5),))
    return game


_ends_with("counts-too-high", HeardGame, lambda game: _corrected(game, hands=((1, 112),)))
_ends_with("lies-in-no-row", HeardGame, lambda game: _corrected(game, laid=(("hacker#1", 1),)))


class ElsewhereGame:
    """A game in which nobody can leave."""

    def __init__(self) -> None:
        game = next(game for game in GAMES.values() if SeatVacated not in game.arrangements)
        table, _ = open_table(game, Agreed(3, game.editions[0], {}, 1))
        self.heard = [step(table, SeatVacated(0, 1))[1]]


SITUATIONS["not-in-this-game"] = [ElsewhereGame]


@cache
def everything_heard() -> tuple[Verdict, ...]:
    """The verdicts of all situations and evenings."""
    plays = [*EVENINGS, *(play for plays in SITUATIONS.values() for play in plays)]
    return tuple(verdict for play in plays for verdict in play().heard)
