"""Enrolment without a table: one kind after the other, with every mistake that people make, each named and none of them
kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from taptable.core.errors import DeckError
from taptable.core.tag_notices import EnrolmentBegan
from taptable.memory.deck import CONTROLS, Deck, card_set_of, completeness

from topics.enrolment_rig import EnrolmentRig

ONLINE = card_set_of("online")
FIRST, SECOND, LAST = (kind for kind, _ in (*ONLINE.kinds[:2], ONLINE.kinds[-1]))
PHONE = "08c0ffee"


def uid(number: int) -> str:
    return f"04{number:012x}"


def with_cards(count: int, name: str = "family") -> Deck:
    """A deck whose first cards have their tags."""
    return Deck(name, "online", {uid(number): card for number, card in enumerate(tuple(ONLINE)[:count])})


def test_the_cards_are_asked_for_one_kind_after_the_other_and_then_the_controls(tmp_path: Path) -> None:
    desk = EnrolmentRig(tmp_path, with_cards(0))
    asked: list[str] = []
    while desk.requested:
        asked.append(desk.requested)
        desk.tap(uid(1000 + len(asked)))
    assert asked == [*ONLINE, *ONLINE.controls]
    assert desk.dialogue.over
    assert completeness(desk.saved, ONLINE).missing == ()
    assert [key for key, _ in desk.heard[-2:]] == ["enrolled-control", "whole"]


def test_a_tag_becomes_what_was_asked_for_and_that_is_counted(tmp_path: Path) -> None:
    desk = EnrolmentRig(tmp_path, with_cards(1))
    assert desk.tap(uid(900)) == ("enrolled", {"card": FIRST, "have": 2, "need": 13})
    assert desk.saved.cards == {uid(0): f"{FIRST}#1", uid(900): f"{FIRST}#2"}


def test_a_tag_that_is_no_new_one_is_named_and_changes_nothing(tmp_path: Path) -> None:
    EnrolmentRig(tmp_path, with_cards(0, "travel")).tap(uid(50))
    deck = with_cards(1).with_control(uid(60), "pause")
    desk = EnrolmentRig(tmp_path, deck)
    for tag, key, facts in (
        (uid(0), "double", {"card_id": f"{FIRST}#1", "deck": "family"}),
        (uid(50), "foreign", {"card_id": f"{FIRST}#1", "deck": "travel"}),
        (uid(60), "control", {"control": "pause", "deck": "family"}),
        (PHONE, "random-uid", {}),
        ("04adadadadad01", "members-card", {}),
    ):
        assert desk.tap(tag) == (key, facts)
        assert desk.dialogue.deck == deck
    assert desk.tap("08" + "0" * 12)[0] == "enrolled"  # one of seven bytes is no phone


def test_stopping_and_going_on_later_asks_for_the_same_card(tmp_path: Path) -> None:
    desk = EnrolmentRig(tmp_path, with_cards(0))
    for number in range(20):
        desk.tap(uid(number))
        assert EnrolmentRig(tmp_path, desk.saved).requested == desk.requested


def test_what_the_game_has_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=f"online has no card '{FIRST}#14'"):
        EnrolmentRig(tmp_path, with_cards(0), only=[f"{FIRST}#14"])
    with pytest.raises(DeckError, match=f"online has no kind 'emial', but {FIRST}, "):
        EnrolmentRig(tmp_path, with_cards(0)).dialogue.put_kind_first("emial")


def test_undo_goes_back_to_the_beginning_and_no_further(tmp_path: Path) -> None:
    desk = EnrolmentRig(tmp_path, with_cards(2))
    for number in (10, 11):
        desk.tap(uid(number))
    for card in (f"{FIRST}#4", f"{FIRST}#3"):
        desk.dialogue.undo()
        assert ("undone", {"card_id": card}) in desk.heard
        assert desk.requested == card
    assert desk.saved.cards == with_cards(2).cards
    desk.dialogue.undo()
    assert desk.heard[-1] == ("nothing-to-undo", {})
    assert desk.tap(uid(11))[0] == "enrolled"


def test_a_kind_that_was_skipped_comes_after_the_others_and_can_be_gone_back_to(tmp_path: Path) -> None:
    desk = EnrolmentRig(tmp_path, with_cards(1))
    desk.dialogue.skip()
    assert desk.requested == f"{SECOND}#1"
    cards = [what for what in desk.dialogue.remaining if what not in CONTROLS]
    assert cards[-12:] == list(ONLINE.cards(FIRST)[1:])
    desk.dialogue.put_kind_first(FIRST)
    assert desk.requested == f"{FIRST}#2"
    for _ in ONLINE.kinds:
        desk.dialogue.skip()
    assert desk.requested == f"{FIRST}#2"


def test_after_a_restart_a_kind_out_of_its_turn_is_gone_on_with(tmp_path: Path) -> None:
    began = EnrolmentBegan(0, "family", "enrol", "", (), "Ada")
    desk = EnrolmentRig(tmp_path, with_cards(1))
    assert desk.dialogue.restart_notice(began) == began
    desk.dialogue.put_kind_first(LAST)
    assert desk.dialogue.restart_notice(began).kind == LAST


def test_a_lost_card_is_replaced_and_its_old_tag_is_known_no_longer(tmp_path: Path) -> None:
    card, other = f"{FIRST}#2", f"{FIRST}#4"
    desk = EnrolmentRig(tmp_path, with_cards(5), only=[card, other, "pause"])
    assert desk.tap(uid(1))[0] == "double"
    assert desk.tap(uid(9)) == ("replaced", {"card_id": card})
    assert uid(1) not in desk.saved.cards
    desk.dialogue.undo()
    assert (desk.requested, desk.dialogue.remaining[1]) == (card, other)
    assert desk.saved.cards == with_cards(5).cards
    desk.dialogue.skip()
    assert desk.tap(uid(9)) == ("replaced", {"card_id": other})
    assert desk.tap(uid(10)) == ("enrolled-control", {"control": "pause"})
    assert (desk.dialogue.over, desk.saved.cards[uid(1)]) == (True, card)


STEPS = st.one_of(
    st.tuples(st.just("tap"), st.integers(100, 112)),
    st.tuples(st.sampled_from(["undo", "skip"]), st.none()),
    st.tuples(st.just("kind"), st.sampled_from([FIRST, SECOND, LAST])),
)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 112), st.lists(STEPS, max_size=25))
def test_whatever_people_do_no_card_and_no_tag_is_there_twice(
    tmp_path: Path, count: int, done: list[tuple[str, object]]
) -> None:
    for file in tmp_path.glob("*.json"):
        file.unlink()
    desk = EnrolmentRig(tmp_path, with_cards(count))
    history = [desk.dialogue.deck]
    for verb, what in done:
        if desk.dialogue.over:
            break
        asked = desk.requested
        match verb, what:
            case "tap", int(number):
                key, _ = desk.tap(uid(number))
                if desk.dialogue.deck != history[-1]:
                    assert key in ("enrolled", "enrolled-control")
                    assert desk.dialogue.deck.lookup(uid(number)) == asked
                    history.append(desk.dialogue.deck)
            case "kind", str(kind):
                desk.dialogue.put_kind_first(kind)
            case "undo", _:
                undone = bool(desk.dialogue.steps)
                desk.dialogue.undo()
                if undone:
                    history.pop()
            case _:
                desk.dialogue.skip()
        deck = desk.dialogue.deck
        assert deck == history[-1]
        assert len(deck.cards) == len(set(deck.cards.values()))
        assert not deck.cards.keys() & deck.controls.keys()
        assert {what for what in desk.dialogue.remaining if what in tuple(ONLINE)} == {*ONLINE} - {*deck.cards.values()}
