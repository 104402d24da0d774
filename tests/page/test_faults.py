"""Every fault of the workbench, injected once in the midst of a game by a click: the page shows it, and shows when it
is over. The game continues, and nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.core.player import Tap

from page.access import axe_faults
from page.evening import an_evening
from page.person import Person
from page.staging import NOTICED_S, Stage
from page.table_pool import TablePool
from page.visitor import Visitor

SEAT = 1
MISSING = '[data-alerts] [data-kind="missing"]'
PART_OF = {
    **dict.fromkeys(("noise", "calm"), "cable"),
    "reset-board": "board",
    **dict.fromkeys(("deafen", "hear", "tear", "cross-talk", "new-tag"), "reader"),
    **dict.fromkeys(("stick", "free", "static"), "button"),
    "kill": "program",
    **dict.fromkeys(("hang-switch", "restart-switch"), "switch"),
    **dict.fromkeys(("fill-disk", "free-disk"), "disk"),
}
"""The part of the drawing at which a fault is chosen; the others are plugs."""
PINGED_S = 5.0
PINGS = """() => [...document.querySelectorAll("[data-wire] .wire-text")]
    .filter((each) => /^#\\d+ p[io]ng /.test(each.textContent.replace("*", " "))).length"""


@pytest.mark.long
def test_a_tap_that_the_table_cannot_hear_is_answered_at_once(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        evening.stages(Stage.empties_the_chairs)
        person = Person(evening, visitor, SEAT)
        visitor.opens("workbench")
        card = evening.next_wish(SEAT).card
        for begins, ends, why in (
            ("pull-out", "plug-in", "The board of seat 1 is unplugged: the table can’t hear this."),
            ("deafen", "hear", "The reader of seat 1 is deaf: the table can’t hear this."),
        ):
            breaks(visitor, begins, SEAT)
            for way in ("click", "drag"):
                assert person.does(Tap(SEAT, card, SEAT), way).text.endswith(why)
            person.takes(card)
            assert person.pad(SEAT).get_attribute("data-target") == "false"
            visitor.page.keyboard.press("Escape")
            breaks(visitor, ends, SEAT)
            evening.passes(NOTICED_S)
        assert person.does(Tap(SEAT, card, SEAT)).kind == "announced"


def test_the_drawing_is_worked_by_the_keyboard_and_shows_what_is_wrong(rooms: TablePool) -> None:
    with rooms.demo(3) as (_, visitor):
        visitor.opens("workbench")
        keys = visitor.page.keyboard
        visitor.sees('[data-fault="pull-out"][data-at="2"]').focus()
        keys.press("Enter")
        visitor.sees('[data-row="2"][data-out="true"] [data-fault="plug-in"][data-on="true"]:focus')
        visitor.sees('[data-row="2"] [data-drawn="board"] [data-lit="false"]')
        visitor.sees('[data-part="reader"][data-at="3"]').focus()
        keys.press("Enter")
        keys.press("Tab")
        keys.press("Tab")
        visitor.sees('[data-fault="deafen"][data-at="3"]:focus')
        keys.press("Enter")
        visitor.sees('[data-part="reader"][data-at="3"][data-on="true"] .part-cross')
        assert "deaf" in visitor.sees('[data-part="reader"][data-at="3"]').get_attribute("aria-label")
        assert axe_faults(visitor) == []
        keys.press("Escape")
        visitor.sees(".bench-faults", hidden=True)
        visitor.sees('[data-part="reader"][data-at="3"]:focus')


def test_where_there_are_no_boards_readers_hang_on_the_pi(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.opens("workbench")
        for build, bus in (("compact", "SPI"), ("ready", "I²C"), ("usb", "USB")):
            evening.lays(players=4, build=build)
            visitor.sees(f'[data-row="4"][data-bus="{bus}"] [data-part="reader"]')
        assert visitor.page.locator('[data-part="board"], [data-part="cable"], [data-fault="pull-out"]').count() == 0


def test_a_switch_that_hangs_and_a_controller_that_is_unplugged_are_shown_and_got_over(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        evening.lays(players=4, build="ready")
        visitor.opens("workbench")
        for begins, ends, pad, row, done in (
            ("hang-switch", "restart-switch", 1, "switch-1", "The switch hangs"),
            ("pull-controller", "plug-controller", 1, "controller-1", "The controller with the button of seat 1"),
        ):
            visitor.sees(f'[data-row="{row}"]')
            breaks(visitor, begins, pad)
            visitor.reads(".bench-done", done)
            evening.passes(NOTICED_S)
            visitor.sees(f'[data-row="{row}"] [data-on="true"]')
            visitor.sees(MISSING)
            assert axe_faults(visitor) == []
            breaks(visitor, ends, pad)
            evening.passes(NOTICED_S)
            visitor.sees(MISSING, hidden=True)
            visitor.sees(f'[data-row="{row}"] [data-on="false"]')


def test_a_pad_of_the_game_s_own_has_its_reader_in_the_drawing(rooms: TablePool, tmp_path: Path) -> None:
    with rooms.other(an_evening(tmp_path, game="xnet", players=3)) as (evening, visitor):
        visitor.opens("workbench")
        breaks(visitor, "deafen", "demand")
        visitor.reads(".bench-done", "The reader of the demand pyramid doesn’t answer any more.")
        evening.passes(NOTICED_S)
        visitor.sees('[data-pad-of="demand"][data-deaf="true"]')
        visitor.sees(MISSING)


@pytest.mark.long
def test_the_wire_leaves_out_pings_unless_somebody_wants_to_see_them(rooms: TablePool) -> None:
    with rooms.demo(2) as (evening, visitor):
        visitor.opens("workbench")
        visitor.sees("[data-wire-pings]").scroll_into_view_if_needed()
        evening.passes(PINGED_S)
        visitor.reads("[data-wire-hidden]", "Pings and answers not shown: ")
        visitor.clicks('[data-do="pause-wire"]')  # the last ones may still be under way to the page
        visitor.sees('[data-do="pause-wire"][aria-pressed="true"]')
        assert pings(visitor) == 0
        count = int(visitor.text("[data-wire-hidden]").rpartition(" ")[2])
        visitor.clicks("[data-wire-pings]")
        visitor.sees("[data-wire-hidden]", hidden=True)
        assert pings(visitor) == count > 0
        visitor.page.reload()
        visitor.opens("workbench")
        visitor.until("pings again", f"() => ({PINGS})() > 0")
        assert not visitor.page.locator("[data-wire-pings]").is_checked()
        visitor.clicks("[data-wire-pings]")
        visitor.until("no pings", f"() => ({PINGS})() === 0")
        visitor.page.locator("[data-wire-verb]").select_option("pong")
        visitor.until("those that are asked for", f"() => ({PINGS})() > 0")


MANY_PINGS = """async (pings) => {
    const { makeStore } = await import("/static/store.js");
    const { makeWire } = await import("/demo/wire.js");
    const frames = [];
    const store = makeStore((callback) => frames.push(callback));
    const words = { say: (key, facts) => `${key} ${facts?.count}`, onChange: () => {} };
    const element = makeWire({ store, words, live: { watch: () => {} } });
    const sent = (n) => ({ at_us: n, seat: 1, way: "to-board", damaged: false, text: n ? "#1 ping" : "#1 light" });
    for (let n = 0; n <= pings; n += 1) {
        store.apply({ boot: "a", revision: n, at_us: n, streams: { wire: { from: n, items: [sent(n)] } } });
        frames.splice(0).forEach((callback) => callback());
    }
    return [element.querySelector("[data-wire-hidden]").textContent, element.querySelectorAll(".wire-text").length];
}"""


@pytest.mark.parametrize(("number", "told"), [(399, "399"), (450, "400+")])
def test_pings_push_nothing_else_off_the_wire_and_are_counted_as_far_as_they_are_kept(
    rooms: TablePool, number: int, told: str
) -> None:
    with rooms.demo(2) as (_, visitor):
        assert visitor.page.evaluate(MANY_PINGS, number) == [f"page wire-hidden {told}", 1]


def pings(visitor: Visitor) -> int:
    """How many pings and answers are to be seen."""
    return visitor.page.evaluate(PINGS)


def breaks(visitor: Visitor, fault: str, pad: int | str | None) -> None:
    """Click a fault on the workbench, and wait until the table has noticed it."""
    clicks_fault(visitor, fault, pad)
    visitor.is_heard()


def clicks_fault(visitor: Visitor, fault: str, pad: int | str | None) -> None:
    """Click a plug, or what is offered at a part."""
    at = "" if pad is None else f'[data-at="{pad}"]'
    part = f'[data-part="{PART_OF.get(fault)}"]{at}'
    if fault in PART_OF and visitor.sees(part).get_attribute("aria-expanded") == "false":
        visitor.clicks(part)
    visitor.clicks(f'button[data-fault="{fault}"]{at}')
