"""Spoken sentences suit the ear: they contain no numbers of rules, and nothing twice."""

from __future__ import annotations

from referee.session_rig import SessionRig
from taptable.core.announcements import type_name
from taptable.core.device_events import ButtonEdge
from taptable.games.registry import find_game
from taptable.narration.sentences import is_urgent, narrate, spoken_text
from taptable.words import Words

PACKAGES = ("taptable.games.online",)
ENGLISH = Words("en", PACKAGES)


def heard(evening: SessionRig, words: Words = ENGLISH) -> list[str]:
    """The sentences that were spoken about everything that happened."""
    said = [spoken_text(each, words) for event in evening.events for each in narrate(event)]
    return [sentence for sentence in said if sentence]


def urgent(evening: SessionRig) -> list[str]:
    return [spoken_text(each, ENGLISH) for event in evening.events for each in narrate(event) if is_urgent(each)]


def attacked() -> SessionRig:
    return SessionRig(2).tap("online#1", 1).press(1).tap("virus#1", 1)


def test_a_move_is_spoken_with_who_made_it_and_where() -> None:
    assert heard(attacked())[-1] == "Seat 2 attacks seat 1 with Virus."


def test_a_refusal_is_spoken_with_its_reason_and_without_the_number_of_its_rule() -> None:
    said = heard(SessionRig(2).tap("email#1", 1))[-1]
    assert said == "Refused: E-mail, seat 1. You are not online. Play Online or Turbo-Line first."


def test_the_first_is_asked_to_show_the_card_and_a_press_alone_is_not_spoken() -> None:
    evening = SessionRig(3).tap("hacker#1", 1)
    evening.handle_device_event(ButtonEdge(evening.now_us, 2, True)).wait(0.2)
    assert heard(evening)[-3:] == [
        "Hacker! Seat 1 wants to hack.",
        "To step in, press your button now.",
        "Seat 2 was first: show your card now.",
    ]
    assert urgent(evening) == heard(evening)[-3:]


def test_r10_3_the_end_of_an_agreed_time_is_spoken_when_the_last_sentence_is_over() -> None:
    evening = SessionRig(2, time_limit_s="600").wait(550)
    clock = [said for said in heard(evening) if said.endswith("left.")]
    assert clock == ["5 minutes left.", "One minute left."]
    assert urgent(evening) == []
    in_german = heard(evening, Words("de", PACKAGES))
    assert {"Noch 5 Minuten.", "Noch eine Minute."} <= {*in_german}


def test_an_event_without_effect_is_not_spoken() -> None:
    evening = SessionRig(2).tap("online#1", 1)
    before = heard(evening)
    assert heard(evening.tap("online#1", 1)) == before


def test_a_move_can_wait_until_the_last_sentence_is_over() -> None:
    assert urgent(attacked()) == []


def test_what_leaves_only_so_much_time_is_urgent_in_every_game() -> None:
    def pressing(game: str) -> list[str]:
        return [type_name(kind) for kind in find_game(game).announcements if kind.pressing]

    assert pressing("cyber-siege") == ["launch-offered", "window-opened"]
    assert pressing("xnet") == []
