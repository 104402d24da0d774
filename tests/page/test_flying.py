"""Cards fly to where they lie, for who wants to see that."""

from __future__ import annotations

from page.person import Person
from page.rooms import Rooms

WATCH = """() => {
    window.flown = [];
    new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach((added) =>
        added.className === "flying" && window.flown.push(added.getAnimations().length))))
        .observe(document.body, { childList: true });
}"""


def test_a_card_that_is_laid_flies_and_lands(rooms: Rooms) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.page.emulate_media(reduced_motion="no-preference")
        visitor.page.evaluate(WATCH)
        plays_a_card(Person(evening, visitor, 1))
        visitor.until("a flight", "() => window.flown.length > 0")
        assert set(visitor.page.evaluate("window.flown")) == {1}
        visitor.until("all landed", """() => document.querySelector(".flying") === null""")
        visitor.page.emulate_media(reduced_motion="reduce")


def test_for_who_wants_no_movement_it_lies_there_at_once(rooms: Rooms) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.page.evaluate(WATCH)
        plays_a_card(Person(evening, visitor, 1))
        assert visitor.page.evaluate("window.flown") == []


def plays_a_card(person: Person) -> None:
    action = person.evening.next_wish(1)
    assert action is not None
    assert person.does(action).kind == "announced"
