"""Enrolment: one kind after the other, with every mistake that people make, each named and none of them kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from deck_samples import uid
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.errors import DeckError
from taptable.memory.deck import CONTROLS, CardSet, Completeness, Deck, completeness
from taptable.memory.tag_assignment import (
    Answer,
    CardWanted,
    Code,
    ControlWanted,
    Enrolment,
    ask_card,
    ask_control,
    ask_kind,
    begin,
    skip,
    take,
    undo,
    wanted,
)

SMALL = CardSet("online", (("email", 3), ("hacker", 2)))
PHONE = "08c0ffee"


def nowhere(uid: str) -> None:
    """No deck but this one."""


def enrolled(count: int, card_set: CardSet = SMALL) -> Enrolment:
    """An enrolment in which the first cards have their tags, in order."""
    enrolment = begin(Deck("family", "online"), card_set)
    for number in range(count):
        enrolment, answer = take(enrolment, uid(number), nowhere)
        assert answer.code is Code.ENROLLED
    return enrolment


def test_the_cards_are_asked_for_one_kind_after_the_other() -> None:
    asked = [wanted(enrolled(count)) for count in range(6)]
    assert asked == [
        CardWanted("email#1", "email", 0, 3),
        CardWanted("email#2", "email", 1, 3),
        CardWanted("email#3", "email", 2, 3),
        CardWanted("hacker#1", "hacker", 0, 2),
        CardWanted("hacker#2", "hacker", 1, 2),
        None,
    ]


def test_a_tag_becomes_what_was_asked_for() -> None:
    enrolment, answer = take(enrolled(1), uid(9), nowhere)
    assert answer == Answer(Code.ENROLLED, uid(9), "email#2", "family")
    assert enrolment.deck.cards == {uid(0): "email#1", uid(9): "email#2"}


@pytest.mark.parametrize(
    ("tag", "answer"),
    [
        (uid(0), Answer(Code.DOUBLE, uid(0), "email#1", "family")),
        (uid(50), Answer(Code.FOREIGN, uid(50), "virus#2", "travel")),
        (PHONE, Answer(Code.RANDOM_UID, PHONE)),
        (uid(60), Answer(Code.CONTROL, uid(60), "pause", "family")),
    ],
    ids=lambda given: given.code if isinstance(given, Answer) else None,
)
def test_a_tag_that_is_no_new_one_is_named_and_changes_nothing(tag: str, answer: Answer) -> None:
    enrolment, _ = take(ask_control(enrolled(1), "pause"), uid(60), nowhere)
    others = {uid(50): ("travel", "virus#2")}
    assert take(enrolment, tag, others.get) == (enrolment, answer)


def test_a_tag_of_seven_bytes_that_begins_with_08_is_no_phone() -> None:
    assert take(enrolled(0), "08" + "0" * 12, nowhere)[1].code is Code.ENROLLED


def test_with_every_card_enrolled_nothing_is_wanted() -> None:
    complete = enrolled(5)
    assert take(complete, uid(9), nowhere) == (complete, Answer(Code.NOT_WANTED, uid(9)))
    assert completeness(complete.deck, SMALL) == Completeness((), ())


def test_stopping_and_going_on_later_asks_for_the_same_card() -> None:
    for count in range(6):
        enrolment = enrolled(count)
        assert wanted(begin(enrolment.deck, SMALL)) == wanted(enrolment)


def test_a_deck_of_another_game_is_refused() -> None:
    with pytest.raises(DeckError, match="deck family is for online, not for xnet"):
        begin(Deck("family", "online"), CardSet("xnet", ()))


def test_undo_forgets_the_last_tag_and_asks_for_its_card_again() -> None:
    before = enrolled(3)
    after, _ = take(before, uid(9), nowhere)
    undone, step = undo(after)
    assert undone == before
    assert step is not None
    assert (step.uid, step.what) == (uid(9), "hacker#1")
    assert take(undone, uid(9), nowhere)[1].code is Code.ENROLLED


def test_undo_goes_back_to_the_beginning_and_no_further() -> None:
    enrolment = enrolled(5)
    for _ in range(5):
        enrolment, step = undo(enrolment)
        assert step is not None
    assert enrolment == enrolled(0)
    assert undo(enrolment) == (enrolment, None)


def test_a_kind_that_was_skipped_comes_after_the_others() -> None:
    enrolment = skip(enrolled(1))
    asked = [wanted(enrolment)]
    for number in range(10, 14):
        enrolment, _ = take(enrolment, uid(number), nowhere)
        asked.append(wanted(enrolment))
    assert [card and card.card for card in asked] == ["hacker#1", "hacker#2", "email#2", "email#3", None]


def test_skipping_every_kind_comes_round_to_the_first() -> None:
    assert wanted(skip(skip(enrolled(1)))) == CardWanted("email#2", "email", 1, 3)


def test_a_kind_can_be_gone_back_to() -> None:
    enrolment = ask_kind(skip(enrolled(1)), "email")
    assert wanted(enrolment) == CardWanted("email#2", "email", 1, 3)
    with pytest.raises(DeckError, match="online has no kind 'emial', but email, hacker"):
        ask_kind(enrolment, "emial")


def test_a_lost_card_is_replaced_and_its_old_tag_is_known_no_longer() -> None:
    asked = ask_card(enrolled(5), "email#2")
    assert wanted(asked) == CardWanted("email#2", "email", 3, 3)
    assert asked.deck.cards[uid(1)] == "email#2"
    replaced, answer = take(asked, uid(9), nowhere)
    assert answer == Answer(Code.ENROLLED, uid(9), "email#2", "family")
    assert uid(1) not in replaced.deck.cards
    assert completeness(replaced.deck, SMALL) == Completeness((), ())
    assert wanted(replaced) is None
    assert undo(replaced)[0] == asked


def test_a_lost_card_that_turns_up_is_named_and_need_not_be_replaced() -> None:
    asked = ask_card(enrolled(5), "email#2")
    assert take(asked, uid(1), nowhere) == (asked, Answer(Code.DOUBLE, uid(1), "email#2", "family"))
    assert skip(asked) == enrolled(5)


def test_a_card_that_the_game_has_not_cannot_be_asked_for() -> None:
    with pytest.raises(DeckError, match="online has no card 'email#4'"):
        ask_card(enrolled(5), "email#4")


@pytest.mark.parametrize("control", CONTROLS)
def test_a_tag_can_become_a_control_at_any_moment(control: str) -> None:
    asked = ask_control(enrolled(1), control)
    assert wanted(asked) == ControlWanted(control)
    enrolment, answer = take(asked, uid(9), nowhere)
    assert answer == Answer(Code.ENROLLED, uid(9), control, "family")
    assert enrolment.deck.controls == {uid(9): control}
    assert wanted(enrolment) == CardWanted("email#2", "email", 1, 3)
    assert undo(enrolment)[0] == asked


def test_a_control_that_there_is_not_cannot_be_asked_for() -> None:
    with pytest.raises(DeckError, match=r"no control 'stop', but pause, take-back"):
        ask_control(enrolled(0), "stop")


def test_completeness_names_what_is_missing_and_what_the_game_has_not() -> None:
    odd = replace(enrolled(4).deck, cards={uid(0): "email#1", uid(1): "hacker#2", uid(2): "virus#1", uid(3): "email#9"})
    assert completeness(odd, SMALL) == Completeness(("email#2", "email#3", "hacker#1"), ("email#9", "virus#1"))


steps = st.one_of(
    st.tuples(st.just("take"), st.integers(0, 12)),
    st.tuples(st.just("undo")),
    st.tuples(st.just("skip")),
    st.tuples(st.just("kind"), st.sampled_from(["email", "hacker"])),
    st.tuples(st.just("card"), st.sampled_from(tuple(SMALL))),
    st.tuples(st.just("control"), st.sampled_from(CONTROLS)),
)


@given(st.lists(steps, max_size=40))
def test_whatever_people_do_no_card_and_no_tag_is_there_twice(done: list[tuple[str, object]]) -> None:
    enrolment = begin(Deck("family", "online"), SMALL)
    history = [enrolment.deck]
    for verb, *what in done:
        asked = wanted(enrolment)
        match verb, what:
            case "take", [int(number)]:
                enrolment, answer = take(enrolment, uid(number), nowhere)
                assert (answer.code is Code.ENROLLED) == (enrolment.deck != history[-1])
                if answer.code is Code.ENROLLED:
                    assert answer.what == (asked.card if isinstance(asked, CardWanted) else asked and asked.control)
                    history.append(enrolment.deck)
            case "undo", _:
                enrolment, step = undo(enrolment)
                if step is not None:
                    history.pop()
            case "skip", _:
                enrolment = skip(enrolment)
            case "kind", [str(kind)]:
                enrolment = ask_kind(enrolment, kind)
            case "card", [str(card)]:
                enrolment = ask_card(enrolment, card)
            case "control", [str(control)]:
                enrolment = ask_control(enrolment, control)
        assert enrolment.deck == history[-1]
        cards = list(enrolment.deck.cards.values())
        assert len(cards) == len(set(cards))
        assert not enrolment.deck.cards.keys() & enrolment.deck.controls.keys()
        assert (wanted(replace(enrolment, asked=None)) is None) == (set(cards) == set(SMALL))
