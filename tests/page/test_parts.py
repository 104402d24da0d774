"""Seats are assigned at the page of a table that has none: the table's and the page's processes change over and back
while a person follows the steps on a phone."""

from __future__ import annotations

import pytest
from choosing import long_params
from playwright.sync_api import Browser, ViewportSize
from ports import free_port
from seats.conftest import maker as maker
from seats.rig import Maker
from seats.test_process import ASSIGNING, PLAYING

from page.layout import DESK, PHONE, layout_faults
from page.visitor import UNREACHED, Visitor


def asks(visitor: Visitor, asked: str, seat: int | None = None) -> None:
    """Wait until the page asks for this."""
    visitor.sees(f'[data-asked="{asked}"]{"" if seat is None else f"""[data-seat="{seat}"]"""} [data-task]')
    assert layout_faults(visitor.page) == []


def is_paired_by_any_button(visitor: Visitor, maker: Maker) -> None:
    """Pair the visitor's phone as the page asks for it before the seats are assigned. The press is no touch."""
    visitor.clicks("[data-settings]")
    visitor.clicks('[data-devices="pair"]')
    visitor.reads('[data-pairing="more"]', "The table has no display that answers")
    visitor.page.fill('[data-pairing="name"]', "Ana")
    visitor.clicks('[data-pairing="yes"]')
    visitor.reads('[data-pairing="more"]', "Press any button at the table now, and hold it for 2 seconds.")
    with maker.holding("b-18", 2):
        visitor.reads('[data-devices="status"]', "This device is paired as Ana.")
    visitor.sees('[data-pairing="dialog"]', hidden=True)
    visitor.clicks("[data-settings]")


@pytest.mark.parametrize("size", long_params([PHONE, DESK]))
def test_seats_are_assigned_and_the_page_stays(browser: Browser, maker: Maker, size: ViewportSize) -> None:
    port = free_port()
    with (maker.folder / "table.toml").open("a") as file:
        file.write(f"[page]\nport = {port}\nnetwork = true\n")
    maker.plug_in(["r1", "r2", "r3", "r4"])
    with maker.running("run") as table, maker.running("page") as server:
        table.read_until(ASSIGNING)
        server.read_until("^INFO: Page started by")
        visitor = Visitor(browser.new_page(viewport=size), f"http://localhost:{port}/", welcomed=False)
        visitor.comes()
        asks(visitor, "reader", 1)
        visitor.reads("[data-assign-answer]", "A card lies on a reader already")
        assert not visitor.is_seen('[data-nav] [data-view="table"]')
        visitor.clicks("[data-settings]")
        visitor.sees('[data-setting="hints"]')
        assert visitor.page.locator("#settings [data-view]").count() == 0  # no seat to look from
        visitor.clicks("[data-settings]")
        is_paired_by_any_button(visitor, maker)
        for _ in range(2):
            maker.press("a-17", 1)
        visitor.reads("[data-assign-answer]", "This is a button.")
        visitor.sees("[data-hint]")
        visitor.speaks("de")
        visitor.reads("[data-task]", "Lege irgendeine NFC-Karte auf das Lesegerät von Platz 1.")
        maker.lay("r1")
        asks(visitor, "button", 1)
        maker.press("a-17", 1)
        asks(visitor, "reader", 2)
        visitor.clicks('[data-do="assign-back"]')
        asks(visitor, "button", 1)
        maker.press("a-17", 2)
        asks(visitor, "reader", 2)
        maker.lay("r2", "04c0ffee04c0fe")
        asks(visitor, "button", 2)
        maker.press("b-18", 1)
        asks(visitor, "reader", 3)
        visitor.page.locator('[data-do="assign-enough"]').press("Enter")  # the keyboard does it, too
        asks(visitor, "middle")
        for _ in range(2):
            maker.press("b-18", 1)
        visitor.reads("[data-hint]", "Sieh nach, ob das Lesegerät steckt")
        visitor.clicks('[data-do="assign-back"]')
        visitor.clicks('[data-do="assign-leave-out"]')
        visitor.reads("[data-assign-answer]", "Ein Platz ist ausgelassen. Der Tisch bekommt 2 Plätze.")
        asks(visitor, "middle")
        maker.lay("r3")
        asks(visitor, "nothing")
        assert str(visitor.page.locator('[data-place="discard"]').get_attribute("data-part")).endswith("/r3")
        boot = visitor.boot
        visitor.clicks('[data-do="assign-finish"]')
        table.read_until(PLAYING)
        visitor.until_another_start(boot)
        visitor.sees("main[data-table]")  # it says what comes next
        visitor.clicks('[data-nav] [data-view="parts"]')
        visitor.sees('[data-do="assign"]')
        assert visitor.page.locator('[data-place="1"]').count() == 2
        assert layout_faults(visitor.page) == []
        (maker.plugs / "readers" / "r2").unlink()
        visitor.clicks('[data-nav] [data-view="table"]')
        visitor.reads('[data-alerts] [data-key="look"]', "Steckt es jetzt woanders?")
        assert layout_faults(visitor.page) == []
        boot = visitor.boot
        visitor.clicks('[data-alerts] [data-do="look-for-parts"]')
        visitor.until_another_start(boot)
        assert [each for each in visitor.complaints if not any(word in each for word in UNREACHED)] == []
        visitor.page.close()
        assert (table.stop(), server.stop()) == (0, 0)
