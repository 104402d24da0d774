"""The page of `taptable demo` as a process: it says when the demo is gone, and continues by itself once it is back."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from playwright.sync_api import Browser, expect
from taptable.core.observations import DISCARD_PAD
from taptable.history.playback import Playback
from taptable.referee.replaying import ReplayMismatch

from page.a_table import a_table
from page.layout import SIZES, layout_faults
from page.visitor import visiting


def test_a_table_that_is_killed_is_shown_as_gone_until_it_is_back_and_visitors_meanwhile_wait(
    browser: Browser, tmp_path: Path
) -> None:
    with a_table(tmp_path) as table, visiting(browser, table.address, welcomed=False) as visitor:
        boot = visitor.boot
        other = browser.new_page()
        with table.being_away():
            visitor.sees("[data-gone]")
            other.goto(table.address)
            expect(other.locator("[data-gone]")).to_contain_text("The table is gone")
        visitor.sees("[data-gone]", hidden=True)
        visitor.until_another_start(boot)
        visitor.reads(".now-title", "Paused")
        expect(other.locator("[data-gone]")).to_be_hidden()
        expect(other.locator("html")).to_have_attribute("data-ready", "true")
        other.close()


def test_a_check_that_a_restart_broke_off_is_begun_again_where_that_is_reported(
    browser: Browser, tmp_path: Path
) -> None:
    with a_table(tmp_path) as table, visiting(browser, table.address, welcomed=False) as visitor:
        table.ask(lambda: table.harness.daemon.controller.use_control("check", DISCARD_PAD, "page", ()))
        visitor.reads(".now-title", "The table is being checked")
        boot = visitor.boot
        with table.being_away():
            visitor.sees("[data-gone]")
        visitor.until_another_start(boot)
        visitor.reads('[data-kind="interrupted"]', "The check was broken off by the restart: begin it again.")
        for size in SIZES:
            visitor.page.set_viewport_size(size)
            assert layout_faults(visitor.page) == []
        visitor.clicks('[data-do="begin-again"]')
        visitor.sees("[data-check]")
        visitor.sees('[data-kind="interrupted"]', hidden=True)


@pytest.mark.long
def test_a_page_that_cannot_follow_the_game_says_so_and_where_to_look_until_the_next_one(
    browser: Browser, tmp_path: Path
) -> None:
    with a_table(tmp_path) as table, visiting(browser, table.address, welcomed=False) as visitor:

        def uses(control: str) -> None:
            table.ask(lambda: table.harness.daemon.controller.use_control(control, DISCARD_PAD, "page", ()))

        visitor.speaks("fr")  # the longest of them
        with patch.object(Playback, "play", side_effect=ReplayMismatch("otherwise")):
            uses("pause")
            visitor.reads("[data-gone]", "Cette page ne peut pas suivre la partie.")
        visitor.reads("[data-gone]", "journalctl -u taptable-page")
        for size in SIZES:
            visitor.page.set_viewport_size(size)
            assert layout_faults(visitor.page) == []
        visitor.page.reload()
        visitor.reads("[data-gone]", "Cette page ne peut pas suivre la partie.")
        uses("new-game")
        visitor.sees("[data-gone]", hidden=True)
        visitor.sees("[data-now]")
