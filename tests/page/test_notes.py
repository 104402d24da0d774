"""The page's note about a request never takes a tap: the control below it is pressed."""

from __future__ import annotations

import pytest
from choosing import long_params
from playwright.sync_api import ViewportSize

from page.layout import DESK, PHONE
from page.table_pool import TablePool
from page.viewing import goes_to
from page.visitor import Visitor

NOTE, QUESTION = "[data-note]:not([hidden])", "dialog[data-question]"
TALL: ViewportSize = {"width": 390, "height": 844}
LARGE: ViewportSize = {"width": 768, "height": 1024}
LIES_OVER = """(hook) => {
    const [notes, button] = [".notes", hook].map((each) => document.querySelector(each));
    button.scrollIntoView({ block: "center", behavior: "instant" });
    const { top, bottom, left, right } = button.getBoundingClientRect();
    notes.style.inset = `${top}px auto auto ${left}px`;
    const note = notes.firstElementChild.getBoundingClientRect();
    return { x: (left + Math.min(right, note.right)) / 2, y: (top + Math.min(bottom, note.bottom)) / 2 };
}"""
"""The sentence is moved over a button; a place where both are."""
HIDDEN = """() => ["start", "end"].map((end) => {
    document.querySelector(".notes").dataset.at = end;
    const note = document.querySelector("[data-note]").getBoundingClientRect();
    return [...document.querySelectorAll("button, a[href], select, input, summary")].filter((each) => {
        const { top, bottom, height } = each.getBoundingClientRect();
        return height > 0 && note.top < bottom && top < note.bottom;
    }).length;
})"""
"""How many buttons the sentence hides at each end of the window."""


def changes_the_names(visitor: Visitor) -> None:
    """The page says so."""
    goes_to("setup")(visitor)
    visitor.clicks('[data-do="name-players"]')
    visitor.sees(NOTE)


@pytest.mark.parametrize("size", long_params([PHONE, TALL, LARGE, DESK]), ids=["small", "phone", "tablet", "desk"])
def test_a_tap_on_a_note_presses_the_button_below_it(rooms: TablePool, size: ViewportSize) -> None:
    with rooms.table(size=size) as (_, visitor):
        changes_the_names(visitor)
        at = visitor.page.evaluate(LIES_OVER, '[data-do="set-up"]')
        visitor.page.mouse.click(at["x"], at["y"])
        visitor.sees(QUESTION)
        visitor.sees(NOTE, hidden=True)  # and it closes
        visitor.clicks('[data-answer="no"]')
        visitor.page.evaluate("document.querySelector('.notes').style.inset = ''")


@pytest.mark.parametrize("size", long_params([PHONE, TALL]), ids=["small", "phone"])
def test_a_note_stands_where_it_hides_fewer_buttons(rooms: TablePool, size: ViewportSize) -> None:
    with rooms.table(size=size) as (_, visitor):
        changes_the_names(visitor)
        notes = visitor.page.locator(".notes")
        chosen = notes.get_attribute("data-at")
        at_start, at_end = visitor.page.evaluate(HIDDEN)
        assert chosen == ("start" if at_start < at_end else "end")
        assert notes.get_attribute("role") == "status"
