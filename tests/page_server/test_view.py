"""How a session looks from above, on every screen."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from referee.session_rig import S, SessionRig
from taptable.api.facts import PartFacts, PartsFacts
from taptable.cli.seats import listed_parts
from taptable.core.device_events import ButtonEdge, PartFailed, PartReturned, TagCame
from taptable.core.notices import Notice
from taptable.core.observations import TimePassed
from taptable.core.scoreboard import Count
from taptable.core.tag_notices import DeckMissing
from taptable.games.online.cards import KIND_OF
from taptable.narration.now import now_of
from taptable.narration.sentences import narrate, sentences_of
from taptable.narration.updates import Alerts, alerts_after_notice
from taptable.page.parts import PartsPart
from taptable.page.view import AlertsPart, LogItem, parts_of
from taptable.referee.session import Decision
from taptable.words import LANGUAGES, Words
from words.situations import SITUATIONS

WORDS = {language: Words(language, ("taptable.games.online",)) for language in LANGUAGES}
ENGLISH = WORDS["en"]


def shown(evening: SessionRig, language: str = "en") -> dict[str, Any]:
    """Every part as a client has it."""
    parts = parts_of(evening.session, "Kitchen")
    said = {name: value(WORDS[language]) if callable(value) else value for name, value in parts.items()}
    return json.loads(json.dumps(said))


def discarded(*cards: str) -> dict[str, Any]:
    return {"place": "discard-pile", "cards": list(cards), "token": "", "token_seat": None}


def alerts(evening: SessionRig) -> Alerts:
    held: Alerts = {}
    for event in evening.events:
        if isinstance(event, Notice):
            held = alerts_after_notice(held, event)
    return held


def logged(evening: SessionRig) -> list[dict[str, Any]]:
    return [LogItem(each)(ENGLISH) for event in evening.events for each in narrate(event)]


def youngest() -> SessionRig:
    return SessionRig(2, starter=None, seats=2)


def in_a_window() -> SessionRig:
    return SessionRig(3).tap("hacker#1", 1)


def pressed() -> SessionRig:
    evening = in_a_window()
    return evening.handle_device_event(ButtonEdge(evening.now_us, 2, True)).wait(0.01)


def claimed() -> SessionRig:
    return pressed().wait(0.2)


def tied() -> SessionRig:
    evening = in_a_window()
    evening.handle_device_event(ButtonEdge(evening.now_us, 3, True, 50)).handle_device_event(
        ButtonEdge(evening.now_us, 2, True, 50)
    )
    return evening.wait(0.2)


def hacking() -> SessionRig:
    return in_a_window().wait(6)


def searching() -> SessionRig:
    return SessionRig(3).tap("search#1", 1)


def paused() -> SessionRig:
    return in_a_window().control("pause")


def checking() -> SessionRig:
    return SessionRig(4).tap("online#1", 1).control("check")


def counting() -> SessionRig:
    return checking().press(1).press(2)


def asked() -> SessionRig:
    return SessionRig(4).tap("online#1", 1).control("take-back", 1)


def asked_in_the_middle() -> SessionRig:
    return SessionRig(4).tap("online#1", 1).control("take-back")


def over() -> SessionRig:
    evening = SessionRig(2, seats=2, quota_email="1", quota_music="0", quota_game="0", quota_movie="0")
    return evening.tap("online#1", 1).tap("email#1", 1)


SCREENS = {
    "turn": SessionRig,
    "youngest": youngest,
    "window": in_a_window,
    "pressed": pressed,
    "claim": claimed,
    "tie": tied,
    "hack": hacking,
    "search": searching,
    "paused": paused,
    "check": checking,
    "check-hand": counting,
    "consent": asked,
    "consent-in-the-middle": asked_in_the_middle,
    "over": over,
}
"""An evening that shows each of them."""


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_says_in_every_language_what_is_waited_for(screen: str) -> None:
    said = [shown(SCREENS[screen](), language)["now"] for language in LANGUAGES]
    for now in said:
        assert now["title"]
        assert now["more"].endswith(".")
        assert "{" not in now["title"] + now["more"]
    assert len({now["more"] for now in said}) == len(LANGUAGES)


def test_no_two_screens_say_the_same() -> None:
    said = [json.dumps(shown(make())["now"]) for make in SCREENS.values()]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("screen", SCREENS)
def test_every_card_that_lies_open_is_shown_once_and_no_other(screen: str) -> None:
    evening = SCREENS[screen]()
    parts = shown(evening)
    cards = [card for team in parts["teams"] for row in team["rows"] for card in row["cards"]]
    cards += [card for zone in parts["piles"]["zones"] for card in zone["cards"]]
    table = evening.session.table
    teams = table.game.teams(table.state)
    assert sorted(cards) == sorted(
        [card for team in teams for card in table.game.cards_of(table.state, team)] + list(table.state.discard)
    )
    held = sum(count["have"] for seat in parts["seats"] for count in seat["holds"])
    hidden = held + sum(count["have"] for count in parts["piles"]["stock"])
    assert len(cards) + hidden == len(KIND_OF)


def test_the_table_is_what_was_agreed() -> None:
    told = shown(SessionRig(3, patrol_window_s="8"))["table"]
    assert told == {
        "name": "Kitchen",
        "game": "online",
        "edition": "de",
        "players": 3,
        "teams": [[1], [2], [3]],
        "settings": {"patrol_window_s": "8"},
        "facts": told["facts"],
    }
    facts = {"email": 6, "music": 4, "game": 2, "movie": 2, "patrol_window_s": "8", "claim_s": "10"}
    assert told["facts"].items() >= facts.items()


def test_r10_3_a_turn_has_the_time_that_was_agreed_which_stands_in_a_pause_and_who_misses_a_turn() -> None:
    evening = SessionRig(2, starter=None, seats=2, time_limit_s="600")
    assert shown(evening)["turn"]["ends_us"] is None
    evening.press(1)
    ends_us = evening.session.table.scoreboard.ends_at_us
    assert ends_us is not None
    assert (shown(evening)["turn"]["ends_us"], shown(evening)["turn"]["stands_us"]) == (ends_us, None)
    evening.tap("hacker#1", 1).tap("cyber-patrol#1", 2).wait(1)
    assert shown(evening)["turn"]["skips"] == [1]
    evening.control("pause")
    assert shown(evening)["turn"]["stands_us"] == evening.session.table.paused_at_us
    evening.press(1).wait(700)
    assert shown(evening)["turn"]["ends_us"] > ends_us
    evening.press(2)
    assert shown(evening)["turn"]["over"]
    assert shown(evening)["turn"]["ends_us"] is None


def test_r10_3_that_time_runs_out_is_in_the_log_and_spoken() -> None:
    said = logged(SessionRig(2, seats=2, time_limit_s="600").wait(599))
    clock = [(item["type"], item["spoken"]) for item in said if item["type"] == "time-runs-out"]
    assert clock == [("time-runs-out", "5 minutes left."), ("time-runs-out", "One minute left.")]


def test_a_turn_has_its_seat_and_what_may_still_be_downloaded() -> None:
    evening = SessionRig(2, seats=2).tap("online#1", 1).tap("extra-memory#1", 1)
    parts = shown(evening)
    assert parts["turn"] == {
        "seat": 1,
        "allowance_left": 1,
        "pending": None,
        "paused": False,
        "over": False,
        "by": None,
        "youngest": False,
        "checking": None,
        "consent": None,
        "ends_us": None,
        "stands_us": None,
        "skips": [],
    }
    assert [seat["meaning"] for seat in parts["seats"]] == ["stop", None]
    assert parts["teams"][0]["state"] == "up"
    assert {row["place"]: row["cards"] for row in parts["teams"][0]["rows"] if row["cards"]} == {
        "connection": ["online#1"],
        "memory": ["extra-memory#1"],
    }
    assert "1" in parts["now"]["more"]
    assert shown(evening.tap("email#1", 1))["turn"]["allowance_left"] == 0


def test_the_taps_that_would_count_now_are_published_by_kinds_and_pads() -> None:
    first, discard = shown(SessionRig(4))["counts"]["groups"]
    assert first["pads"] == [1, 3]
    assert not first["any"]
    assert {"online", "turbo-line", "extra-memory"} <= set(first["kinds"])
    assert "email" not in first["kinds"]
    assert discard == {"pads": ["discard"], "kinds": discard["kinds"], "shown": discard["kinds"], "any": True}


def test_what_would_count_follows_what_was_laid() -> None:
    assert "email" in shown(SessionRig(2).tap("online#1", 1))["counts"]["groups"][0]["kinds"]


def test_all_published_taps_would_be_accepted_and_no_others() -> None:
    evening = hacking()
    table = evening.session.table
    said = {
        (kind, pad) for each in shown(evening)["counts"]["groups"] for kind in each["kinds"] for pad in each["pads"]
    }
    assert said == {(card.split("#")[0], pad) for card, pad in table.game.legal_taps(table.state)}


def test_the_taps_that_count_are_published_again_only_after_something_has_counted() -> None:
    evening = SessionRig(2)
    before = parts_of(evening.session, "Kitchen")["counts"]
    assert parts_of(evening.tap("email#1", 1).session, "Kitchen")["counts"] == before
    assert parts_of(evening.tap("online#1", 1).session, "Kitchen")["counts"] != before


@pytest.mark.parametrize("screen", ["paused", "check", "check-hand", "youngest", "over"])
def test_nothing_counts_while_nobody_plays(screen: str) -> None:
    assert shown(SCREENS[screen]())["counts"] == {"sentence": "", "groups": []}


def test_seats_at_which_nobody_plays_are_there_too() -> None:
    seats = shown(SessionRig(4, seats=6))["seats"]
    assert [seat["used"] for seat in seats] == [True] * 4 + [False] * 2
    assert [seat["team"] for seat in seats] == [0, 1, 0, 1, None, None]
    assert seats[5] == {"seat": 6, "team": None, "holds": [], "meaning": None, "used": False}


def test_before_the_first_turn_the_youngest_is_waited_for() -> None:
    parts = shown(youngest())
    assert parts["turn"]["youngest"]
    assert parts["turn"]["seat"] is None
    assert [seat["meaning"] for seat in parts["seats"]] == ["youngest", "youngest"]


def test_a_window_has_its_end_and_its_whole_length() -> None:
    evening = in_a_window()
    window = shown(evening)["window"]
    assert window == {
        "kind": "",
        "seat": 1,
        "answerer": None,
        "claimant": None,
        "opened_us": 0,
        "ends_us": 5 * S,
        "whole_us": 5 * S,
        "pressed": [],
        "tied": [],
        "margin_us": None,
        "uncertainty_us": 0,
    }
    assert shown(pressed())["window"]["pressed"] == [2]


def test_a_claim_runs_in_the_window_s_place() -> None:
    evening = in_a_window()
    evening.handle_device_event(ButtonEdge(evening.now_us, 2, True, 50)).handle_device_event(
        ButtonEdge(evening.now_us + 4200, 3, True, 50)
    ).wait(0.2)
    window = shown(evening)["window"]
    assert (window["claimant"], window["tied"], window["margin_us"]) == (2, [], 4200)
    assert window["uncertainty_us"] == 100
    assert window["ends_us"] - window["whole_us"] >= window["opened_us"]
    assert window["whole_us"] == 10 * S


def test_a_tie_names_those_who_tied() -> None:
    parts = shown(tied())
    assert parts["window"]["claimant"] == 2
    assert sorted(parts["window"]["tied"]) == [2, 3]
    assert parts["now"]["title"] != shown(claimed())["now"]["title"]


def test_a_hack_and_a_search_are_pending() -> None:
    assert shown(hacking())["turn"]["pending"] == "hack"
    assert shown(hacking())["piles"]["zones"] == [discarded("hacker#1")]
    assert shown(searching())["turn"]["pending"] == "search"


def test_in_a_pause_no_window_runs_and_every_button_goes_on() -> None:
    parts = shown(paused())
    assert parts["turn"]["paused"]
    assert parts["window"] is None
    assert {seat["meaning"] for seat in parts["seats"] if seat["used"]} == {"resume"}


def test_a_check_names_the_seats_that_are_asked() -> None:
    assert shown(checking())["turn"]["checking"] == {"seats": [1, 3], "hands": False}
    assert shown(counting())["turn"]["checking"] == {"seats": [1], "hands": True}


def test_a_take_back_that_is_asked_for_names_who_asks() -> None:
    assert shown(asked())["turn"]["consent"] == {"seat": 1}
    assert shown(asked_in_the_middle())["turn"]["consent"] == {"seat": None}
    assert [seat["meaning"] for seat in shown(asked())["seats"][:4]] == [None, "grant", "grant", "grant"]


def test_the_end_has_places_and_says_by_what() -> None:
    parts = shown(over())
    assert (parts["turn"]["over"], parts["turn"]["by"]) == (True, "quotas")
    assert [team["place"] for team in parts["teams"]] == [1, 2]
    assert "seat 1" in parts["now"]["more"]


def test_an_empty_draw_pile_is_to_be_shuffled_before_anything_else() -> None:
    table = SessionRig(2, seats=2).session.table
    board = replace(table.game.scoreboard(table.state), stock=(Count("draw-pile", 0),))
    now = now_of(SessionRig(2, seats=2).session, board)
    assert ENGLISH.text("control", "reshuffle") in now.detail(ENGLISH)


def test_a_table_without_a_deck_says_that_before_anything_else() -> None:
    session, missing = SessionRig(starter=None).session, DeckMissing(0)
    assert parts_of(session, "Kitchen")["now"](ENGLISH)["title"] == "Who is the youngest?"
    now = parts_of(session, "Kitchen", alerts_after_notice({}, missing))["now"](ENGLISH)
    assert now == {
        "title": "No deck yet",
        "more": "Under Cards one is enrolled, card by card at the discard pad, or brought as a file.",
    }


def test_a_standing_result_is_published_until_it_is_taken_back() -> None:
    evening = checking()
    evening.handle_device_event(PartFailed(evening.now_us, "board 3", "no sign of life"))
    held = AlertsPart(alerts(evening))(ENGLISH)
    assert held == [
        {"key": "check", "kind": "check", "text": held[0]["text"]},
        {"key": "board 3", "kind": "missing", "text": "Seat board 3 doesn’t answer."},
    ]
    evening.handle_device_event(PartReturned(evening.now_us, "board 3"))
    assert [each["key"] for each in AlertsPart(alerts(evening))(ENGLISH)] == ["check"]
    assert AlertsPart({}, stuck=True)(ENGLISH) == [{"key": "journal", "kind": "journal", "text": "Nothing counts now."}]


def test_a_stuck_button_and_a_question_stand_too() -> None:
    evening = asked()
    evening.handle_device_event(ButtonEdge(evening.now_us, 2, True)).wait(1)
    assert AlertsPart(alerts(evening))(ENGLISH) == []
    evening = SessionRig().handle_device_event(ButtonEdge(0, 2, True)).wait(60)
    assert [each["kind"] for each in AlertsPart(alerts(evening))(ENGLISH)] == ["stuck"]
    assert [each["kind"] for each in AlertsPart(alerts(asked()))(ENGLISH)] == ["consent"]


def test_the_log_has_one_item_for_each_sentence() -> None:
    evening = SessionRig(3).tap("online#1", 1).tap("email#1", 1).tap("movie#1", 1).tap("04ff", 2).press(3)
    sentences = [sentence for event in evening.events for sentence in sentences_of(event, ENGLISH)]
    items = logged(evening)
    assert [item["text"] for item in items] == sentences
    assert [item["kind"] for item in items] == ["announced", "announced", "refused", "fault", "ignored"]
    laid, downloaded, refused, fault, ignored = items
    assert (laid["type"], laid["seat"], laid["pad"], laid["card"]) == ("card-laid", 1, 1, "online#1")
    assert (downloaded["type"], downloaded["card"], downloaded["rule"]) == ("card-downloaded", "email#1", None)
    assert (refused["rule"], refused["card"], refused["pad"]) == ("R5.3", "movie#1", 1)
    assert (fault["card"], fault["pad"], fault["type"]) == ("04ff", 2, None)
    assert (ignored["seat"], ignored["rule"]) == (3, "R3.7")


def test_the_log_says_how_a_sentence_is_meant() -> None:
    moods = [item["mood"] for item in logged(claimed())]
    assert moods[-1] == "claim"
    assert [item["mood"] for item in logged(over())][-1] == "end"
    stopped = claimed().tap("cyber-patrol#1", 2)
    assert "turned-tables" in [item["mood"] for item in logged(stopped)]


def test_a_notice_is_in_the_log_by_its_name() -> None:
    item = logged(SessionRig().handle_device_event(TagCame(0, 6, "email#1")))[-1]
    assert (item["kind"], item["type"], item["pad"], item["at_us"]) == ("notice", "seat-unused", 6, 0)


def test_every_refusal_is_in_the_log_with_its_rule_and_code() -> None:
    table = SessionRig().session.table
    for code, plays in SITUATIONS.items():
        for play in plays:
            judged = Decision(TimePassed(0), play().verdicts[-1], table)
            item = LogItem(narrate(judged)[-1])(ENGLISH)
            assert item["code"] == code
            assert item["rule"], code
            assert json.loads(json.dumps(item)) == item


def test_devices_that_only_their_sockets_distinguish_have_a_sentence() -> None:
    facts = PartsFacts("parts.toml", False, "", False, (), None, twins=(("1-1.3", "1-1.4"),))
    (sentence,) = PartsPart(facts)(ENGLISH)["twins"]
    assert sentence.startswith("The devices in the USB sockets 1-1.3, 1-1.4 are of one make")
    part = PartFacts("input:1-1.3/BTN_0", "", ("button",), "1")
    assert sentence in listed_parts(structs.replace(facts, parts=(part,)), ENGLISH)
