"""Scenes to look at, one for every screen of the scoreboard: the table's own, and the samples of a game that lie beside
its rules. For pictures and tests; no game is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import cast

from games.samples import NOW_US, Samples
from taptable.core.notices import CheckCount, CheckHand, CheckMissing, CheckTeam, PartLost
from taptable.core.scoreboard import Scoreboard
from taptable.core.settings import US_PER_S
from taptable.edges.cues.prompts import Check, Code, Enrolment
from taptable.edges.cues.scene import News, Refusal, Scene
from taptable.edges.cues.text import Look, load_icons
from taptable.games.registry import find_game, package_of
from taptable.words import Vocabulary, Words

VERSION = "0.1.0"


def samples_of(game: str) -> Samples:
    """The samples of a game, by its name."""
    folder = package_of(game).rpartition(".")[2]
    return cast("Samples", import_module(f"games.{folder}.samples").SAMPLES)


def look_of(game: str, language: str) -> Look:
    """The words and the icons of a game's table."""
    packages = (package_of(game),)
    return Look(Words(language, Vocabulary(packages, find_game(game).pack(""))), load_icons(packages))


def scenes(game: str, words: Words) -> Mapping[str, Scene]:
    """Every scene by a name fit for a file, in the order of an evening."""
    samples = samples_of(game)
    boards = {name: Scene(VERSION, board) for name, board in samples.boards.items()}
    ends = {name: scene for name, scene in boards.items() if scene.board is not None and scene.board.over}
    running = {name: scene for name, scene in boards.items() if name not in ends}
    return {
        **_before(boards[samples.usual], words),
        **running,
        **_meanwhile(boards, samples, words),
        **_checks(game, boards[samples.usual], words),
        **_enrolments(game, boards[samples.usual], words),
        **ends,
    }


def _before(in_play: Scene, words: Words) -> Mapping[str, Scene]:
    """What is seen while people come to the table."""
    missing = (words.part("board 3"), words.part("discard pad"))
    # the longest address that a network at home has, as a rule
    invited = Scene(VERSION, address="192.168.178.123:8137", invites_until_us=NOW_US + 120 * US_PER_S)
    return {
        "boot": Scene(VERSION),
        "boot-missing": Scene(VERSION, missing=missing),
        "address": invited,
        "address-missing": replace(invited, missing=missing),
        "code": replace(in_play, paused=True, code=Code("402917", NOW_US + 190 * US_PER_S, 300 * US_PER_S)),
    }


def _meanwhile(boards: Mapping[str, Scene], samples: Samples, words: Words) -> Mapping[str, Scene]:
    """What comes over the scores, or stands below them."""
    in_play, facts = boards[samples.usual], samples.refused.facts
    why = words.verdict(samples.refused)
    refusal = Refusal(words.text("screen", "refused-card", facts), why, NOW_US + US_PER_S)
    windows = (scene for scene in boards.values() if scene.board is not None and scene.board.window is not None)
    in_window = next(windows, None)
    return {
        "notice": replace(in_play, notices=(words.notice(PartLost(NOW_US, "board 3", "unplugged")),)),
        "refusal": replace(in_play, refusal=refusal),
        **({} if in_window is None else {"refusal-in-window": replace(in_window, refusal=refusal)}),
        "paused": replace(in_play, paused=True),
    }


def _checks(game: str, in_play: Scene, words: Words) -> Mapping[str, Scene]:
    """The table is checked: rows of which two cards are still to be tapped, and a hand that has to be counted."""
    assert in_play.board is not None
    kinds = find_game(game).pack("").kinds
    team = in_play.board.teams[-1].seats
    cards = tuple(f"{kinds[0].id}#{number}" for number in range(1, 10))
    rows = Check(team, words.notice(CheckTeam(NOW_US, team, cards)), len(cards) - 2, len(cards))
    missing = words.notice(CheckMissing(NOW_US, (f"{kinds[0].id}#1", f"{kinds[-1].id}#2")))
    check = replace(in_play, paused=True, check=rows)
    return {
        "check": check,
        "check-missing": replace(check, news=News(missing, NOW_US + US_PER_S)),
        "check-hand": replace(check, check=_counted(in_play.board, words)),
    }


def _counted(board: Scoreboard, words: Words) -> Check:
    """The hand of the last seat."""
    seat, (first, *others) = len(board.hands), board.hands[-1]
    hand = CheckHand(NOW_US, seat, first.have)
    asked = CheckCount(NOW_US, seat, first.have, first.name) if others else hand
    return Check((seat,), words.notice(asked), 0, first.have)


def _enrolments(game: str, in_play: Scene, words: Words) -> Mapping[str, Scene]:
    """Cards are read for a deck: one of the first, one with a long name that can't be enrolled, and a deck's check."""
    kinds = find_game(game).pack("").kinds
    first, longest = kinds[0], max(kinds, key=lambda kind: len(words.kind(kind.id)))
    about = words.text("screen", "enrolment-enrol", {"deck": "family"})
    enrolled, refused = (
        Enrolment(about, words.kind(kind.id), kind.face, kind.count // 2, kind.count) for kind in (first, longest)
    )
    deck, cards = words.text("screen", "enrolment-check", {"deck": "family"}), sum(kind.count for kind in kinds)
    checked = Enrolment("", deck, "", cards - 8, cards)
    return {
        "enrolment": replace(in_play, paused=True, enrolment=enrolled),
        "enrolment-refused": replace(
            in_play, paused=True, enrolment=replace(refused, why=words.text("deck", "random-uid"))
        ),
        "enrolment-check": replace(in_play, paused=True, enrolment=checked),
    }
