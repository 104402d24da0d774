"""Scenes to look at, one for every screen of the scoreboard: the table's own, and the samples of a game that lie beside
its rules, each of which was reached by play. For pictures and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import cast

from games.samples import NOW_US, Samples
from taptable import __version__
from taptable.core.check_notices import CheckMissing
from taptable.core.device_events import TagCame
from taptable.core.observations import DISCARD_PAD
from taptable.core.part_notices import PartLost
from taptable.core.settings import US_PER_S
from taptable.cues.presenter import check_of
from taptable.cues.prompts import Code, Enrolment
from taptable.cues.scene import News, Refusal, Scene
from taptable.cues.text import ScreenStyle, load_icons
from taptable.games.registry import find_game, package_of
from taptable.referee.checking import Checking
from taptable.referee.session import Session, confirm_rows, handle_device_event, open_session, request_control
from taptable.words import Vocabulary, Words

_MISSING = 2


def samples_of(game: str) -> Samples:
    """The samples of a game, by its name."""
    folder = package_of(game).rpartition(".")[2]
    return cast("Samples", import_module(f"games.{folder}.samples").SAMPLES)


def look_of(game: str, language: str) -> ScreenStyle:
    """The words and the icons of a game's table."""
    packages = (package_of(game),)
    return ScreenStyle(Words(language, Vocabulary(packages, find_game(game).pack(""))), load_icons(packages))


def scenes(game: str, words: Words) -> Mapping[str, Scene]:
    """Every scene by a name fit for a file, in the order of an evening."""
    samples = samples_of(game)
    boards = {name: Scene(__version__, board) for name, board in samples.boards.items()}
    ends = {name: scene for name, scene in boards.items() if scene.board is not None and scene.board.over}
    running = {name: scene for name, scene in boards.items() if name not in ends}
    return {
        **_before(boards[samples.usual], words),
        **running,
        **_meanwhile(boards, samples, words),
        **_checks(_session(samples), boards[samples.usual], words),
        **_enrolments(game, boards[samples.usual], words),
        **ends,
    }


def _session(samples: Samples) -> Session:
    """The usual table with nothing on its pads."""
    table = samples.tables[samples.usual]
    return open_session(table, table.game_options.players, 0, table.at_us)


def _before(in_play: Scene, words: Words) -> Mapping[str, Scene]:
    """The scenes while people come to the table."""
    missing = (words.part("board 3"), words.part("discard pad"))
    # the longest address that a network at home has, as a rule
    invited = Scene(__version__, address="192.168.178.123:8137", address_until_us=NOW_US + 120 * US_PER_S)
    return {
        "boot": Scene(__version__),
        "boot-missing": Scene(__version__, missing=missing),
        "address": invited,
        "address-missing": replace(invited, missing=missing),
        "code": replace(in_play, paused=True, code=Code("402917", NOW_US + 190 * US_PER_S, 300 * US_PER_S)),
    }


def _meanwhile(boards: Mapping[str, Scene], samples: Samples, words: Words) -> Mapping[str, Scene]:
    """The scenes that cover the scores, or stand below them."""
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


def _checks(session: Session, in_play: Scene, words: Words) -> Mapping[str, Scene]:
    """The table is checked: the first rows with cards enough, of which two are still to be tapped; what was missing
    there; and the first hand that has to be counted."""
    at_us = session.at_us
    session, _ = request_control(session, "check", DISCARD_PAD, at_us)
    while len(cards := _cards_asked(session)) <= _MISSING:
        session, _ = confirm_rows(session, _checking(session).teams[0][0], at_us)
    seat = _checking(session).teams[0][0]
    for card in cards[:-_MISSING]:
        at_us += US_PER_S
        session, _ = handle_device_event(session, TagCame(at_us, seat, card, identity=card), at_us)
    checked = replace(in_play, paused=True, check=check_of(session, words))
    session, events = confirm_rows(session, seat, at_us)
    missing = next(event for event in events if isinstance(event, CheckMissing))
    after = replace(checked, check=check_of(session, words), news=News(words.notice(missing), NOW_US + US_PER_S))
    while teams := _checking(session).teams:
        session, _ = confirm_rows(session, teams[0][0], at_us)
    return {
        "check": checked,
        "check-missing": after,
        "check-hand": replace(checked, check=check_of(session, words)),
    }


def _cards_asked(session: Session) -> list[str]:
    """The cards that the team that is asked is to tap."""
    zones, team = session.table.game.layout(session.table.state), _checking(session).teams[0]
    return [card for zone in zones if zone.seats == team for card in zone.cards]


def _checking(session: Session) -> Checking:
    assert session.prompts.checking is not None
    return session.prompts.checking


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
            in_play, paused=True, enrolment=replace(refused, problem=words.text("deck", "random-uid"))
        ),
        "enrolment-check": replace(in_play, paused=True, enrolment=checked),
    }
