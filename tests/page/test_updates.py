"""The line that a newer version is out: for who may do something about it, in every language and size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect
from taptable.memory import updates
from taptable.memory.updates import Announcement, Look

from page.access import axe_faults
from page.layout import SIZES, layout_faults
from page.rooms import Rooms
from page.test_pairing import at_an_open_table
from page.visitor import LANGUAGES

LINE = '[data-alerts] [data-key="update"]'
NEWER = Announcement("99.0.1", "2027-01-15", "Tables without a terminal.", "https://example.org/99")


@pytest.fixture(autouse=True)
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updates, "KEPT", tmp_path / "update.json")
    updates.keep(Look("2027-01-16", NEWER))


@pytest.mark.long
def test_who_may_change_something_reads_it_with_a_link_in_every_language(rooms: Rooms) -> None:
    with rooms.table() as (_, visitor):
        visitor.reloads()
        visitor.reads(LINE, "taptable 99.0.1 is out. Tables without a terminal. What is new")
        link = visitor.sees(f"{LINE} a")
        assert link.get_attribute("href") == NEWER.address
        assert link.get_attribute("rel") == "noopener noreferrer"
        assert axe_faults(visitor) == []
        for language in LANGUAGES:
            visitor.speaks(language)
            for size in SIZES:
                visitor.page.set_viewport_size(size)
                visitor.sees(LINE)
                assert layout_faults(visitor.page) == []
                if folder := os.environ.get("TAPTABLE_SHOTS"):
                    visitor.page.screenshot(path=f"{folder}/update-{language}-{size['width']}.png")
        updates.keep(None)
        visitor.reloads()
        expect(visitor.page.locator(LINE)).to_have_count(0)


@pytest.mark.long
def test_who_only_watches_does_not(rooms: Rooms) -> None:
    with at_an_open_table(rooms) as (_, visitor):
        visitor.reloads()
        expect(visitor.page.locator(LINE)).to_have_count(0)
