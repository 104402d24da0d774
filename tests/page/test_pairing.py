"""Pairing a phone with a table whose page is open to the network, as people do it: the code on the table, a name, and
who is paired, among the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from taptable.api.requests import AskPresence, ShowCode, Unpair, WithdrawPresence
from taptable.cues.presenter import PROBE_S
from taptable.daemon.api.pairing import MAX_UNANSWERED, Pairing
from taptable.daemon.presence import HOLD_S, REQUEST_S
from taptable.memory import update_check
from taptable.page import site

from page.a_table import PageTable
from page.layout import PHONE, layout_faults
from page.table_pool import TablePool
from page.test_correct import asked_for
from page.visitor import Visitor

ADDRESS = '[data-devices="address"]'
SETTINGS, PAIR = "[data-settings]", '[data-devices="pair"]'
STATUS, OTHERS, LIST = '[data-devices="status"]', '[data-devices="others"] summary', '[data-devices="list"] li'
DIALOG, CODE, NAME, WHY, MORE, LEFT = (
    f'[data-pairing="{each}"]' for each in ("dialog", "code", "name", "why", "more", "left")
)
YES, NO, ANOTHER = (f'[data-pairing="{each}"]' for each in ("yes", "no", "another"))


@contextmanager
def at_an_open_table(rooms: TablePool) -> Iterator[tuple[PageTable, Visitor]]:
    """Somebody at a page that is open to the network, with whom nobody is paired."""
    with rooms.table(network=True) as (table, visitor):
        yield table, visitor
        pairing = pairing_of(table)
        if table.ask(pairing.devices):
            table.ask(lambda: pairing.handlers[Unpair](Unpair(everybody=True), ""))
        visitor.page.context.clear_cookies()
        visitor.reloads()


def pairing_of(table: PageTable) -> Pairing:
    pairing = table.harness.daemon.api.pairing
    assert pairing is not None
    return pairing


def asks_in_vain(pairing: Pairing) -> None:
    """Ask so often, without anybody who allows it, that nobody may for a while."""
    for _ in range(MAX_UNANSWERED):
        asked = pairing.handlers[AskPresence](AskPresence("Eve"), "")
        assert isinstance(asked, dict)
        pairing.handlers[WithdrawPresence](WithdrawPresence(str(asked["ticket"])), "")


def code_on(table: PageTable) -> str:
    """The code that stands at the table."""

    def look() -> str:
        pairing = pairing_of(table)
        pairing.handlers[ShowCode](ShowCode(), "")
        assert pairing.code is not None
        return pairing.code.digits

    return table.ask(look)


def wrong_for(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def opens_the_dialog(visitor: Visitor) -> None:
    visitor.clicks(SETTINGS)
    visitor.clicks(PAIR)
    visitor.sees(DIALOG)


def is_paired(visitor: Visitor, table: PageTable, name: str) -> None:
    """Somebody has the code shown, and types it in."""
    opens_the_dialog(visitor)
    visitor.page.fill(CODE, code_on(table))
    visitor.page.fill(NAME, name)
    visitor.clicks(YES)
    visitor.sees(DIALOG, hidden=True)


def is_answered(visitor: Visitor, table: PageTable) -> None:
    """Hold a button that isn't meant, and press the one that is too briefly: the dialog says so and goes on waiting."""
    seat = table.ask(lambda: pairing_of(table).presence.request).seat
    other = 2 if seat == 1 else 1
    table.ask(lambda: table.harness.table.press(other, HOLD_S + 1))
    table.passes(HOLD_S + 2)
    visitor.reads(WHY, f"That was another button. Hold that of seat {seat}, whose lamp flashes.")
    fewer = "([hook, most]) => Number(document.querySelector(hook).textContent.match(/[0-9]+/)) < most"
    visitor.until("it counts down", fewer, [LEFT, REQUEST_S])
    table.ask(lambda: table.harness.table.press(seat, 0.5))
    table.passes(1)
    visitor.reads(WHY, "That press was too short. Hold the button for two seconds.")
    visitor.sees(LEFT)
    assert layout_faults(visitor.page) == []


def settings_say(visitor: Visitor, sentence: str) -> None:
    if not visitor.is_seen("#settings"):
        visitor.clicks(SETTINGS)
    expect(visitor.page.locator(STATUS)).to_have_text(sentence)


def test_who_types_in_the_code_is_paired_and_stays_so_and_may_have_the_address_shown(
    rooms: TablePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "own_addresses", lambda: ("10.42.0.1",))
    with at_an_open_table(rooms) as (table, visitor):
        table.ask(lambda: table.harness.daemon.devices.set_page_address("10.42.0.1:8080"))
        settings_say(visitor, "This device can watch. To change something, pair it with the table.")
        assert not visitor.is_seen(ADDRESS)
        visitor.clicks(SETTINGS)
        is_paired(visitor, table, "Ana")
        settings_say(visitor, "This device is paired as Ana.")
        assert not visitor.is_seen(PAIR)
        assert visitor.page.evaluate("document.cookie") == ""
        visitor.reloads()
        settings_say(visitor, "This device is paired as Ana.")
        visitor.clicks(ADDRESS)
        said = "The display shows the address for two minutes, or until somebody taps or presses."
        expect(visitor.page.get_by_text(said)).to_be_visible()


def test_a_mistake_is_reported_and_the_next_try_needs_no_more_than_the_code(rooms: TablePool) -> None:
    with at_an_open_table(rooms) as (table, visitor):
        opens_the_dialog(visitor)
        visitor.page.fill(NAME, "")
        visitor.clicks(YES)
        expect(visitor.page.locator(WHY)).to_have_text("A name has 1 to 24 visible characters.")
        assert layout_faults(visitor.page) == []
        visitor.page.fill(NAME, "Ana")
        visitor.clicks(YES)
        expect(visitor.page.locator(WHY)).to_have_text("The code has 6 digits.")
        code = code_on(table)
        visitor.page.fill(CODE, wrong_for(code))
        visitor.clicks(YES)
        expect(visitor.page.locator(WHY)).to_have_text("That’s not the code on the table. Tries left: 4.")
        expect(visitor.page.locator(CODE)).to_be_focused()
        visitor.page.keyboard.type(code)  # over what stands there
        visitor.page.keyboard.press("Enter")
        visitor.sees(DIALOG, hidden=True)
        settings_say(visitor, "This device is paired as Ana.")


def test_where_no_display_answers_somebody_at_the_table_allows_it_by_a_button(
    browser: Browser, rooms: TablePool
) -> None:
    with at_an_open_table(rooms) as (table, visitor), table.visited(browser, PHONE, welcomed=False) as other:
        table.ask(table.harness.table.display.unplug)
        table.passes(2 * PROBE_S)
        table.ask(lambda: asks_in_vain(pairing_of(table)))
        opens_the_dialog(visitor)
        visitor.reads(WHY, "Several phones asked and nobody at the table allowed it.")
        assert not any(visitor.is_seen(each) for each in (CODE, NAME, YES, ANOTHER))
        visitor.clicks(NO)
        table.ask(pairing_of(table).allow_pairing)
        visitor.clicks(PAIR)
        visitor.reads(MORE, "The table has no display that answers. Sit down at it and ask")
        assert not visitor.is_seen(CODE)
        visitor.page.fill(NAME, "")
        visitor.clicks(YES)
        visitor.reads(WHY, "A name has 1 to 24 visible characters.")
        visitor.page.fill(NAME, "Ana")
        visitor.clicks(YES)
        visitor.reads(MORE, "Press a button at the table now: that of seat")
        visitor.reads(LEFT, f"Seconds left: {REQUEST_S}")
        expect(visitor.page.locator(NAME)).not_to_be_editable()
        assert layout_faults(visitor.page) == []
        is_answered(visitor, table)
        opens_the_dialog(other)
        other.page.fill(NAME, "Eve")
        other.clicks(YES)
        other.reads(WHY, "Another phone is asking.")
        table.passes(REQUEST_S + 1)
        visitor.reads(WHY, "Nobody at the table allowed it in time. Ask again.")
        visitor.sees(LEFT, hidden=True)
        expect(visitor.page.locator(NAME)).to_be_editable()
        visitor.clicks(YES)
        visitor.reads(MORE, "Press a button at the table now")
        seat = table.ask(lambda: pairing_of(table).presence.request).seat
        table.ask(lambda: table.harness.table.press(seat, HOLD_S + 1))
        table.passes(HOLD_S + 2)
        visitor.sees(DIALOG, hidden=True)
        settings_say(visitor, "This device is paired as Ana.")
        visitor.sees(OTHERS)
        assert not visitor.is_seen(ADDRESS)  # there is no display to show it on
        other.clicks(YES)
        other.reads(MORE, "Press a button at the table now")
        other.reads('[data-alerts] [data-key="pairing"]', "A phone asks to be paired.")
        other.clicks(NO)  # that withdraws it
        expect(other.page.locator('[data-alerts] [data-key="pairing"]')).to_have_count(0)
        table.ask(table.harness.table.display.plug)
        table.passes(2 * PROBE_S)
        other.clicks(PAIR)
        other.reads(MORE, "The table’s display shows a code now.")
        visitor.sees(ADDRESS)


@pytest.mark.long
def test_a_paired_device_sees_all_and_unpairs_one_that_notices_at_once(browser: Browser, rooms: TablePool) -> None:
    with at_an_open_table(rooms) as (table, ana), table.visited(browser, PHONE, welcomed=False) as ben:
        for visitor, name in ((ana, "Ana"), (ben, "Ben")):
            is_paired(visitor, table, name)
        settings_say(ana, "This device is paired as Ana.")
        ana.clicks(OTHERS)
        expect(ana.page.locator(LIST)).to_have_count(2)
        assert "this device" in ana.page.locator(LIST).nth(0).inner_text()
        assert "since " in ana.page.locator(LIST).nth(1).inner_text()
        assert layout_faults(ana.page) == []
        ana.page.get_by_role("button", name="Unpair Ben").click()
        ana.clicks('[data-answer="yes"]')
        expect(ana.page.locator(LIST)).to_have_count(1)
        expect(ben.page.locator("[data-note]")).to_contain_text("This device isn’t paired any more.")
        settings_say(ben, "This device can watch. To change something, pair it with the table.")


def test_who_wants_to_change_something_pairs_first_and_then_it_is_done(rooms: TablePool) -> None:
    with at_an_open_table(rooms) as (table, visitor):
        visitor.clicks('nav [data-view="correct"]')
        visitor.clicks('[data-remedy="pause"]')
        visitor.sees(DIALOG)
        visitor.clicks(NO)
        visitor.sees(DIALOG, hidden=True)
        assert not table.ask(lambda: table.session.table.paused_at_us)
        visitor.clicks('[data-remedy="pause"]')
        visitor.page.fill(CODE, code_on(table))
        visitor.page.fill(NAME, "Ana")
        visitor.clicks(YES)
        visitor.sees(DIALOG, hidden=True)
        expect(visitor.page.locator("[data-note]")).to_contain_text("The game is paused.")
        assert asked_for(table) == [("pause", "Ana")]


def test_a_newer_version_is_announced_with_a_link_to_paired_devices(
    rooms: TablePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_check, "UPDATE_FILE", tmp_path / "update.json")
    newer = update_check.ReleaseAnnouncement(
        "99.0.1", "2027-01-15", "Tables without a terminal.", "https://example.org/99"
    )
    update_check.save_check(update_check.UpdateCheck("2027-01-16", newer))
    line = '[data-alerts] [data-key="update"]'
    with at_an_open_table(rooms) as (table, visitor):
        visitor.reloads()
        expect(visitor.page.locator(line)).to_have_count(0)
        is_paired(visitor, table, "Ana")
        visitor.reads(line, "taptable 99.0.1 is out. Tables without a terminal. What is new")
        link = visitor.sees(f"{line} a")
        assert (link.get_attribute("href"), link.get_attribute("rel")) == (newer.address, "noopener noreferrer")
