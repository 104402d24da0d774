"""Enlarged cards under a pointer, a finger or the keyboard's focus, and cards on their way for people who want to see
that."""

from __future__ import annotations

from page.person import Person
from page.table_pool import TablePool
from page.visitor import Visitor

NEAR = "[data-closeup]:not([hidden])"
IN_HAND = '[data-hand="1"] button[data-card]'
FINGER = """([hook, name]) => document.querySelector(hook).dispatchEvent(
    new PointerEvent(name, { pointerType: "touch", bubbles: true, clientX: 50, clientY: 600 }))"""

WATCH = """() => {
    window.flown = [];
    new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach((added) =>
        added.className === "flying" && window.flown.push(added.getAnimations().length))))
        .observe(document.body, { childList: true });
}"""


def test_a_card_under_the_pointer_is_shown_large_with_what_it_stands_for_and_does(rooms: TablePool) -> None:
    with rooms.demo(2) as (_, visitor):
        card = visitor.page.locator(IN_HAND).first
        name = card.locator(".card-name").text_content() or ""
        card.hover()
        visitor.sees(NEAR)
        assert visitor.text(f"{NEAR} .closeup-words").startswith(name)
        assert len(visitor.text(f"{NEAR} .closeup-words")) > len(name) + 10
        lies_beside(visitor)
        visitor.page.mouse.move(0, 0)
        visitor.sees("[data-closeup]", hidden=True)


def test_a_finger_that_rests_and_the_keyboard_show_it_too(rooms: TablePool) -> None:
    with rooms.demo(2) as (_, visitor):
        visitor.page.evaluate(FINGER, [IN_HAND, "pointerdown"])
        visitor.sees(NEAR)
        visitor.page.evaluate(FINGER, [IN_HAND, "pointerup"])
        visitor.sees("[data-closeup]", hidden=True)
        visitor.page.locator(IN_HAND).first.focus()
        visitor.page.keyboard.press("Shift+Tab")
        visitor.page.keyboard.press("Tab")
        visitor.sees(NEAR)
        assert visitor.page.locator(IN_HAND).first.get_attribute("aria-describedby") == "closeup"
        visitor.page.keyboard.press("Escape")
        visitor.sees("[data-closeup]", hidden=True)


def test_a_card_that_is_laid_flies_and_lands(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.page.emulate_media(reduced_motion="no-preference")
        visitor.page.evaluate(WATCH)
        plays_a_card(Person(evening, visitor, 1))
        visitor.until("a flight", "() => window.flown.length > 0")
        assert set(visitor.page.evaluate("window.flown")) == {1}
        visitor.until("all landed", """() => document.querySelector(".flying") === null""")
        visitor.page.emulate_media(reduced_motion="reduce")


def test_for_who_wants_no_movement_it_lies_there_at_once(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.page.evaluate(WATCH)
        plays_a_card(Person(evening, visitor, 1))
        assert visitor.page.evaluate("window.flown") == []


def lies_beside(visitor: Visitor) -> None:
    """All of it is in the window, and the card itself stays in sight."""
    near, card = (visitor.page.locator(hook).first.bounding_box() for hook in (NEAR, IN_HAND))
    size = visitor.page.viewport_size
    assert near is not None
    assert card is not None
    assert size is not None
    assert near["x"] >= 0
    assert near["x"] + near["width"] <= size["width"]
    assert near["y"] >= 0
    assert near["y"] + near["height"] <= card["y"]


def plays_a_card(person: Person) -> None:
    action = person.evening.next_wish(1)
    assert action is not None
    assert person.does(action).kind == "announced"
