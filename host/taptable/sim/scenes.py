"""Scenes to look at, one for every screen of the scoreboard and every number of teams, as they come about in ONLINE.
For pictures and tests; no game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from taptable.core.notices import CheckHand, CheckMissing, CheckTeam, PartLost
from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Mark, RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Refused
from taptable.edges.cues.guests import Code
from taptable.edges.cues.screens import CheckScreen, EnrolmentScreen
from taptable.edges.cues.showing import News, Refusal, Scene
from taptable.games.online.cards import CATEGORIES
from taptable.games.online.options import QUOTAS
from taptable.words import Words

PACKAGES = ("taptable.games.online",)
NOW_US = 0
"""The moment at which the scenes are to be looked at."""

_RATES = {"up": 1}


def team_score(
    seats: tuple[int, ...],
    rows: tuple[int, int, int, int],
    line: str,
    *,
    rate: int | None = None,
    backed_up: tuple[str, ...] = (),
    place: int | None = None,
) -> TeamScore:
    """A team with so many cards in its category rows, in the order of `CATEGORIES`."""
    marks = tuple(
        Mark(kind.id, have, quota.default, kind.id in backed_up)
        for kind, have, quota in zip(CATEGORIES, rows, QUOTAS, strict=True)
    )
    mb = sum(kind.mb * have for kind, have in zip(CATEGORIES, rows, strict=True))
    return TeamScore(seats, mb, marks, line, _RATES.get(line, 0) if rate is None else rate, place=place)


def board(teams: tuple[TeamScore, ...], seat: int | None, rate_left: int = 0) -> Scoreboard:
    """A board with nothing special going on."""
    seats = sum(len(team.seats) for team in teams)
    hands = ((Count(HAND, 7),),) * seats
    return Scoreboard("MB", teams, seat, rate_left, None, None, (Count(DRAW_PILE, 112 - 7 * seats),), hands)


TWO_TEAMS = (
    team_score((1, 3), (3, 3, 2, 0), "up", rate=2, backed_up=("game",)),
    team_score((2, 4), (2, 2, 0, 0), "blocked"),
)
THREE_TEAMS = (
    team_score((1, 4), (3, 1, 0, 1), "cleared", backed_up=("movie",)),
    team_score((2, 5), (5, 2, 1, 1), "up", rate=2),
    team_score((3, 6), (2, 0, 1, 0), "offline"),
)
FIVE_PLAYERS = (
    team_score((1, 4), (0, 0, 0, 0), "offline"),
    team_score((2, 5), (1, 0, 0, 0), "up"),
    team_score((3,), (6, 4, 1, 0), "blocked", backed_up=("email", "music")),
)
FOUR_SOLO = (
    team_score((1,), (3, 0, 0, 0), "offline"),
    team_score((2,), (2, 2, 0, 1), "up"),
    team_score((3,), (6, 4, 1, 1), "cleared", backed_up=("email", "music")),
    team_score((4,), (9, 7, 2, 1), "up", rate=2),
)
EQUALS = (
    team_score((1,), (2, 2, 0, 1), "up"),
    team_score((2,), (0, 3, 0, 1), "offline"),
    team_score((3,), (4, 0, 0, 0), "blocked"),
)


def scenes(words: Words) -> Mapping[str, Scene]:
    """Every scene by a name fit for a file, in the order of an evening."""
    in_play = Scene("0.1.0", board(THREE_TEAMS, 5, 1))
    return {
        "boot": Scene("0.1.0"),
        "boot-missing": Scene("0.1.0", missing=(words.part("board 3"), words.part("discard pad"))),
        "address": _invited(Scene("0.1.0")),
        "address-missing": replace(
            _invited(Scene("0.1.0")), missing=(words.part("board 3"), words.part("discard pad"))
        ),
        "code": replace(in_play, paused=True, code=Code("402917", NOW_US + 190 * US_PER_S, 300 * US_PER_S)),
        "youngest": _with(in_play, board(tuple(_at_start(team) for team in THREE_TEAMS), None)),
        "play-2-teams": _with(in_play, board(TWO_TEAMS, 3, 1)),
        "play-3-teams": in_play,
        "play-5-players": _with(in_play, board(FIVE_PLAYERS, 3)),
        "play-4-solo": _with(in_play, board(FOUR_SOLO, 2, 1)),
        "play-4-digits": _with(in_play, board(FOUR_SOLO, 4, 2)),
        "hack": _with(in_play, replace(board(FOUR_SOLO, 2, 0), pending="hack")),
        "pile-empty": _with(in_play, replace(board(FOUR_SOLO, 2, 1), stock=(Count(DRAW_PILE, 0),))),
        "notice": replace(in_play, notices=(words.notice(PartLost(NOW_US, "board 3", "unplugged")),)),
        "window": _with(in_play, replace(board(THREE_TEAMS, 5), window=_window(5))),
        "window-4-solo": _with(in_play, replace(board(FOUR_SOLO, 2), window=_window(2))),
        "claim": _with(in_play, replace(board(TWO_TEAMS, 3), window=_claim(3, 2))),
        "claim-tie": _with(in_play, replace(board(FOUR_SOLO, 3), window=_tie(3, (1, 2)))),
        "refusal": replace(in_play, refusal=_refusal(words)),
        "refusal-in-window": replace(
            in_play, board=replace(board(THREE_TEAMS, 5), window=_window(5)), refusal=_refusal(words)
        ),
        "paused": replace(in_play, paused=True),
        "paused-2-teams": replace(in_play, paused=True, board=board(TWO_TEAMS, 3, 1)),
        "check": replace(in_play, paused=True, check=_check_rows(words)),
        "check-missing": replace(
            in_play,
            paused=True,
            check=_check_rows(words),
            news=News(words.notice(CheckMissing(NOW_US, ("email#7", "hacker#2"))), NOW_US + US_PER_S),
        ),
        "check-hand": replace(in_play, paused=True, check=_check_hand(words)),
        "enrolment": replace(in_play, paused=True, enrolment=_enrolment(words)),
        "enrolment-refused": replace(in_play, paused=True, enrolment=_refused_card(words)),
        "enrolment-check": replace(in_play, paused=True, enrolment=_check_deck(words)),
        "over-2-teams": _with(in_play, _over(TWO_TEAMS, (1, 2), "time")),
        "over-3-teams": _with(in_play, _over(_won(THREE_TEAMS, 1), (2, 1, 3), "quotas")),
        "over-4-solo": _with(in_play, _over(FOUR_SOLO, (4, 3, 2, 1), "time")),
        "over-tie": _with(in_play, _over(EQUALS, (1, 1, 3), "time")),
    }


def _with(scene: Scene, new: Scoreboard) -> Scene:
    return replace(scene, board=new)


def _invited(scene: Scene) -> Scene:
    """With the longest address that a network at home has, as a rule."""
    return replace(scene, address="192.168.178.123:8137", invites_until_us=NOW_US + 120 * US_PER_S)


def _at_start(team: TeamScore) -> TeamScore:
    return team_score(team.seats, (0, 0, 0, 0), "offline")


def _won(teams: tuple[TeamScore, ...], winner: int) -> tuple[TeamScore, ...]:
    """The teams after the winner's last download."""
    return tuple(
        team_score(team.seats, (6, 4, 2, 2), "up") if index == winner else team for index, team in enumerate(teams)
    )


def _over(teams: tuple[TeamScore, ...], places: tuple[int, ...], by: str) -> Scoreboard:
    ranked = tuple(replace(team, place=place) for team, place in zip(teams, places, strict=True))
    return replace(board(ranked, ranked[0].seats[0]), over=True, by=by)


def _window(seat: int) -> RunningWindow:
    """A window of 5 s of which 3.4 s are left."""
    return RunningWindow(seat, NOW_US - 16 * US_PER_S // 10, NOW_US + 34 * US_PER_S // 10)


def _claim(seat: int, claimant: int) -> RunningWindow:
    """A claim of 10 s of which 7.2 s are left."""
    return replace(
        _window(seat),
        claim_seat=claimant,
        claim_until_us=NOW_US + 72 * US_PER_S // 10,
        claim_us=10 * US_PER_S,
        margin_us=4_200,
        uncertainty_us=100,
    )


def _tie(seat: int, tied: tuple[int, int]) -> RunningWindow:
    """A claim of the first of two seats that tied."""
    return replace(_claim(seat, tied[0]), tied=tied, margin_us=200, uncertainty_us=1_100)


def _check_rows(words: Words) -> CheckScreen:
    """The rows of a team, of which two cards are still to be tapped."""
    cards = tuple(f"email#{number}" for number in range(1, 10))
    return CheckScreen((2, 5), words.notice(CheckTeam(NOW_US, (2, 5), cards)), len(cards) - 2, len(cards))


def _check_hand(words: Words) -> CheckScreen:
    """A hand that has to be counted."""
    return CheckScreen((3,), words.notice(CheckHand(NOW_US, 3, 7)), 0, 7)


def _enrolment(words: Words) -> EnrolmentScreen:
    """The seventh of 22 cards has just been enrolled."""
    about = words.text("screen", "enrolment-enrol", {"deck": "family"})
    return EnrolmentScreen(about, words.card("email"), "email", 7, 22)


def _refused_card(words: Words) -> EnrolmentScreen:
    """A card that can't be enrolled, of the kind with the longest name."""
    wanted = "under-construction"
    why = words.text("deck", "random-uid")
    return replace(_enrolment(words), wanted=words.card(wanted), icon=wanted, have=1, need=3, why=why)


def _check_deck(words: Words) -> EnrolmentScreen:
    """Nearly all cards of a deck have been tapped."""
    about = words.text("screen", "enrolment-check", {"deck": "family"})
    return EnrolmentScreen("", about, "", 104, 112)


def _refusal(words: Words) -> Refusal:
    facts = {"card": "movie#4", "pad": 5}
    why = words.verdict(Refused("R5.3", "memory-not-open", facts))
    return Refusal(words.text("screen", "refused-card", facts), why, NOW_US + US_PER_S)
