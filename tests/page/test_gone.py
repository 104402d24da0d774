"""The page of `taptable demo` as a process: it says when that is gone, and goes on by itself once it is back."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import pytest
from cli.commands import TAPTABLE
from playwright.sync_api import Browser, expect
from ports import free_port
from taptable.core.observations import DISCARD_PAD
from taptable.history.playback import Playback
from taptable.referee.replaying import Departure

from page.a_table import a_table
from page.access import axe_faults
from page.layout import SIZES, layout_faults
from page.visitor import LANGUAGES, visiting

OPTIONS = ("--no-browser", "--language=en", "--players=2", "--humans=0", "--seed=3", "--speed=20", "--starter=1")


@contextmanager
def a_demo(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """The process, once it serves its page."""
    command = [*TAPTABLE, "demo", *OPTIONS, f"--port={port}", f"--keep={folder}"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert str(port) in process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.long
def test_a_page_says_that_the_table_is_gone_and_goes_on_when_it_is_back(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with a_demo(tmp_path, port) as first, visiting(browser, f"http://localhost:{port}/") as visitor:
        visitor.until_logged("card-laid")
        boot = visitor.boot
        is_killed(first)
        visitor.sees("[data-gone]")
        assert layout_faults(visitor.page) == []
        assert visitor.page.evaluate("document.documentElement.dataset.connected") == "false"
        with a_demo(tmp_path, port):
            visitor.sees("[data-gone]", hidden=True)
            visitor.until_another_start(boot)
            visitor.until_logged("turn-ended")


def test_a_table_that_is_killed_is_said_to_be_gone_until_it_is_back_and_who_comes_meanwhile_waits(
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


def test_a_check_that_a_restart_broke_off_is_begun_again_where_that_is_said(browser: Browser, tmp_path: Path) -> None:
    with a_table(tmp_path) as table, visiting(browser, table.address, welcomed=False) as visitor:
        table.ask(lambda: table.room.daemon.controller.use_control("check", DISCARD_PAD, "page", ()))
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


def test_a_page_that_cannot_follow_the_game_says_so_and_where_to_look_until_the_next_one(
    browser: Browser, tmp_path: Path
) -> None:
    with a_table(tmp_path) as table, visiting(browser, table.address, welcomed=False) as visitor:

        def uses(control: str) -> None:
            table.ask(lambda: table.room.daemon.controller.use_control(control, DISCARD_PAD, "page", ()))

        visitor.speaks("fr")  # the longest of them
        with patch.object(Playback, "play", side_effect=Departure("otherwise")):
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


@pytest.mark.long
def test_what_it_says_is_in_order_in_every_language(browser: Browser, tmp_path: Path) -> None:
    port = free_port()
    with a_demo(tmp_path, port) as demo, ExitStack() as others:
        # a table that is gone has no words for another language, so they are there before
        everybody = [
            others.enter_context(visiting(browser, f"http://localhost:{port}/", size))
            for _, size in zip(LANGUAGES, cycle(SIZES), strict=False)
        ]
        for each, language in zip(everybody, LANGUAGES, strict=True):
            each.speaks(language)
        is_killed(demo)
        for each in everybody:
            each.sees("[data-gone]")
            assert layout_faults(each.page) + axe_faults(each) == []


def is_killed(demo: subprocess.Popen[str]) -> None:
    demo.send_signal(signal.SIGKILL)
    demo.wait()
