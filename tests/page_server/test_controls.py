"""Requests that people at the page may send to a game with controls of its own, and the cards with which it is
played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from games.cyber_siege.table import manifest
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation
from taptable.core.verdicts import Accepted
from taptable.games.registry import GAMES, find_game, package_of
from taptable.page.controls import ControlsPart, forms_of
from taptable.page.correcting import PossiblePart
from taptable.page.view import PackPart, parts_of
from taptable.referee.session import Session, open_session
from taptable.referee.step import open_table, step
from taptable.words import LANGUAGES, Vocabulary, Words

OPENING = ("art-1#1", "music-5#1", "news-9#1")
SERVER = ControlUsed(9, "buy-server")
BUYING = ((), (SERVER,), (SERVER, CardTapped(10, "art-2#1", "discard")))
"""Before something is bought, and with five and four cards still to be paid."""


def words_of(game: str, language: str = "en") -> Words:
    return Words(language, Vocabulary((package_of(game),), find_game(game).pack("")))


def after(game: str, players: int, *observations: Observation) -> Session:
    """A session of a table at which all this was accepted; seat 1 begins."""
    table, _ = open_table(find_game(game), GameOptions(players, "standard", {}, 1))
    for observation in observations:
        table, verdict = step(table, observation)
        assert isinstance(verdict, Accepted), verdict
    return open_session(table, players, 0, table.at_us)


def an_xnet_turn(*more: Observation) -> Session:
    """The pyramid has its three cards, and seat 1 is on turn."""
    return after("xnet", 3, *(CardTapped(at, card, "demand") for at, card in enumerate(OPENING, 1)), *more)


def controls_in(session: Session, language: str = "en") -> list[dict[str, Any]]:
    return ControlsPart(session)(words_of(session.table.game.name, language))


def test_every_control_that_is_open_is_published_with_its_fields() -> None:
    session = an_xnet_turn()
    told = [(each["control"], tuple(sorted(each["fields"].items()))) for each in controls_in(session)]
    assert told == session.table.game.legal_controls(session.table.state)


def test_a_game_without_controls_of_its_own_has_none() -> None:
    table, _ = open_table(find_game("online"), GameOptions(2, "de", {}, 1))
    assert controls_in(open_session(table, 2, 0, 0)) == []


def test_what_was_begun_leaves_nothing_else_to_be_asked_for() -> None:
    assert controls_in(an_xnet_turn(ControlUsed(9, "buy-server"))) == []


def test_a_reshuffle_that_would_count_is_among_them_once() -> None:
    session = an_xnet_turn()
    assert "reshuffle" not in [each["control"] for each in controls_in(session)]
    emptied = after(
        "cyber-siege", 2, CardTapped(1, "1.3#1", "discard"), ControlUsed(2, "correct", (("red", 68), ("seat", 1)))
    )
    assert [each["control"] for each in controls_in(emptied)] == ["reshuffle"]


def test_controls_are_published_again_only_after_something_has_counted() -> None:
    session = an_xnet_turn()
    assert ControlsPart(session) == ControlsPart(session)
    assert ControlsPart(session) != ControlsPart(an_xnet_turn())


def test_a_control_that_takes_numbers_is_a_form() -> None:
    assert forms_of(find_game("online")) == []
    assert forms_of(find_game("xnet")) == []
    (form,) = forms_of(find_game("cyber-siege"))
    assert form["control"] == "correct"
    assert [field["name"] for field in form["needed"]] == ["seat"]
    assert [field["name"] for field in form["optional"]] == ["red", "purple", "one_points"]


def test_the_pack_has_a_face_a_label_and_a_name_for_every_kind() -> None:
    told = PackPart(find_game("xnet").pack(""))(words_of("xnet"))
    assert (told["name"], told["sample"]) == ("sample", True)
    music = next(kind for kind in told["kinds"] if kind["id"] == "music-7")
    assert (music["face"], music["label"], music["count"]) == ("music", "7", 2)
    assert music["name"].endswith(" 7")
    assert sum(kind["count"] for kind in told["kinds"]) == 216


def test_the_pack_of_a_game_with_one_face_for_each_kind_has_no_labels() -> None:
    told = PackPart(find_game("online").pack(""))(words_of("online", "de"))
    assert {kind["face"] == kind["id"] and kind["label"] == "" for kind in told["kinds"]} == {True}


def test_a_demand_with_a_marker_says_whose_it_is() -> None:
    begun = ControlUsed(9, "demand-replace", (("topic", "art"),))
    replaced = an_xnet_turn(CardTapped(8, "art-2#1", 1), begun, CardTapped(10, "art-2#2", "demand"))
    zones = parts_of(replaced, "Kitchen")["piles"]["zones"]
    (marked,) = [zone for zone in zones if zone["token"]]
    assert (marked["place"], marked["cards"]) == ("demand-1-1", ["art-2#2"])
    assert (marked["token"], marked["token_seat"]) == ("x", 1)


@pytest.mark.parametrize("game", ["cyber-siege", "xnet"])
def test_what_a_game_can_t_deal_with_isn_t_offered(game: str) -> None:
    possible = PossiblePart(after(game, 3))(words_of(game))
    assert not {"lost", "recovered", "vacate"} & possible["verbs"].keys()
    assert {"take-back", "check", "reshuffle", "end-game"} <= possible["verbs"].keys()
    assert possible["leaving"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pending_action_is_shown_with_what_is_still_to_be_done(language: str) -> None:
    words = words_of("xnet", language)
    said = [parts_of(an_xnet_turn(*more), "Kitchen")["now"](words) for more in BUYING]
    assert len({str(now) for now in said}) == len(BUYING)
    assert not any("{" in now["title"] + now["more"] for now in said)


MISSING = (
    (("set-1#1",), "1.1, 1.2, 1.3, 1.4"),
    (("set-1#1", "1.3#2"), "1.1, 1.2, 1.4"),
    (("set-1#1", "admin#1"), "any 3 of 1.1, 1.2, 1.3, 1.4"),
    (("set-1#1", "1.1#1", "admin#1", "1.4#1"), "any 1 of 1.2, 1.3"),
)
"""Cards laid, and what the set lacks then; with an admin the table can't know for which card it stands."""


def laying(*cards: str) -> Session:
    """Seat 1 lays these cards of a set."""
    return after("cyber-siege", 2, *(CardTapped(at, card, 1) for at, card in enumerate(cards, 1)))


@pytest.mark.parametrize(("cards", "missing"), MISSING)
def test_while_a_set_is_laid_the_page_says_which_cards_it_still_lacks(cards: tuple[str, ...], missing: str) -> None:
    now = parts_of(laying(*cards), "Kitchen")["now"](words_of("cyber-siege"))
    assert now["more"].startswith(f"Still missing on your own pad: {missing}. An admin")
    said = {parts_of(laying(*cards), "Kitchen")["now"](words_of("cyber-siege", each))["more"] for each in LANGUAGES}
    assert len(said) == len(LANGUAGES)
    assert not any("{" in more for more in said)


def test_the_lacking_cards_of_a_set_are_not_shown_once_it_is_full_or_taken_back() -> None:
    session = laying("set-1#1", "1.1#1")
    table, verdict = step(session.table, ButtonPressed(9, 1, 9, 0))
    assert isinstance(verdict, Accepted)
    full = laying("set-1#1", "1.1#1", "1.2#1", "admin#1", "1.4#1")
    for over in (open_session(table, 2, 0, 9), full):
        assert "missing" not in parts_of(over, "Kitchen")["now"](words_of("cyber-siege"))["more"]


def test_the_pack_says_what_a_card_stands_for_what_it_does_and_which_cards_make_a_set() -> None:
    kinds = {kind["id"]: kind for kind in PackPart(find_game("cyber-siege").pack(""))(words_of("cyber-siege"))["kinds"]}
    assert (kinds["set-3"]["title"], kinds["set-3"]["needs"]) == ("Set card 3", ["3.1", "3.2", "3.3", "3.4"])
    assert (kinds["3.1"]["name"], kinds["3.1"]["title"]) == ("Attack 3.1", "3.1 Malicious link")
    assert kinds["3.1"]["explanation"].startswith("It looks harmless")
    assert kinds["1.2"]["effect"] == "Whoever is hit gives back one-point cards: 1."
    assert (kinds["3.3"]["title"], kinds["3.3"]["effect"]) == ("3.3 Firewall", "Defends against every attack of set 3.")


def test_cards_that_people_describe_have_their_words_alone() -> None:
    deck = manifest()
    deck["red"]["1.1"] |= {"explanation": "Much water.", "icon": {"effect": "text", "say": {"en": "Swim."}}}
    pack = find_game("cyber-siege").pack(json.dumps(deck))
    words = Words("de", Vocabulary((package_of("cyber-siege"),), pack))
    kinds = {kind["id"]: kind for kind in PackPart(pack)(words)["kinds"]}
    told = [
        [kinds[kind][name] for name in ("title", "explanation", "effect")] for kind in ("1.1", "1.3", "2.1", "admin")
    ]
    assert told == [
        ["1.1 Flood", "Much water.", "Trifft der Angriff: Swim."],
        ["1.3 Dam", "", "Wehrt jeden Angriff von Set 1 ab."],
        ["Angriff 2.1", "", "Trifft der Angriff, geschieht nichts weiter."],
        ["Admin", "", "Ersetzt jede rote Karte eines Sets und wehrt jeden Angriff ab."],
    ]
    assert [words.full_explanation(card) for card in ("1.1#1", "1.3#1")] == ["1.1 Flood: Much water.", ""]


@pytest.mark.parametrize("game", [*GAMES])
def test_where_no_game_runs_nothing_of_it_can_be_put_right_and_the_reason_is_the_game_s(game: str) -> None:
    """Before the first turn and after the end; a pause that somebody made before may be ended."""
    before, begun = (
        open_table(find_game(game), GameOptions(3, find_game(game).editions[0], {}, starter))[0]
        for starter in (None, 1)
    )
    over, paused = (step(begun, ControlUsed(1, control))[0] for control in ("end-game", "pause"))
    over_and_paused, _ = step(paused, ControlUsed(2, "end-game"))
    words = words_of(game)
    for table, running in ((before, False), (over, False), (over_and_paused, False), (begun, True)):
        verbs = PossiblePart(open_session(table, 3, 0, table.at_us))(words)["verbs"]
        assert (verbs["check"] is None, verbs["end-game"] is None) == (running, running)
        if not running:
            assert verbs["check"] == verbs["end-game"]
        if table.paused_at_us is None:
            assert verbs["pause"] == verbs["end-game"]
            assert verbs["resume"] == (words.text("verdict", "not-paused") if running else verbs["end-game"])
        else:
            assert verbs["resume"] is None
