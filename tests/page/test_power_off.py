"""Switching the table off from the page, at a daemon that runs as a process with a folder for its requests; whoever
takes them is the test."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from page_server.a_page import APage
from page_server.rig import a_table_with_a_page
from playwright.sync_api import Browser
from ports import free_port
from system.systemd import kept
from taptable.api.places import FOLDER
from taptable.daemon.power_off import REQUEST

from page.access import axe_faults
from page.layout import SIZES, layout_faults
from page.visitor import LANGUAGES, Visitor, visiting

TABLE = [str(Path(__file__).parents[1] / "system" / "table_that_hangs.py")]
SETTINGS, ASK, YES, NO = "[data-settings]", '[data-power="ask"]', '[data-power="yes"]', '[data-power="no"]'
FED_S = 60.0


@contextmanager
def at_a_service(browser: Browser, folder: Path) -> Iterator[Visitor]:
    """A visitor, while a daemon that may ask runs; it ends as when it is told to."""
    port = free_port()
    a_table_with_a_page(folder, port=port)
    requests = folder / "run"
    requests.mkdir()
    with TemporaryDirectory(prefix="taptable-", dir="/tmp") as sockets:
        page, told = APage(Path(sockets), port), {"RUNTIME_DIRECTORY": str(requests), FOLDER: sockets}
        with kept(TABLE, folder, FED_S, told) as unit:
            unit.hear_until("READY=1")
            page.begin()
            page.knows_the_table()
            with visiting(browser, f"http://localhost:{port}/", welcomed=False) as visitor:
                yield visitor
            page.end()
            unit.process.send_signal(signal.SIGTERM)
            assert unit.end() == 0


@pytest.mark.long
def test_it_asks_once_more_and_then_switches_off_or_says_why_it_cannot(browser: Browser, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with at_a_service(browser, tmp_path) as visitor:
        run.rmdir()
        visitor.clicks(SETTINGS)
        visitor.clicks(ASK)
        assert layout_faults(visitor.page) == []
        visitor.clicks(YES)
        visitor.reads("[data-power-why]", f"Can’t be switched off: {run / REQUEST}: No such file or directory.")
        run.mkdir()
        visitor.clicks(ASK)
        visitor.clicks(NO)
        assert visitor.sees(ASK).evaluate("(button) => button === document.activeElement")
        assert not (run / REQUEST).exists()
        visitor.clicks(ASK)
        visitor.clicks(YES)
        visitor.reads('[data-alerts] [data-kind="power"]', "Switching off. Unplug once the Pi’s green lamp is out.")
        assert (run / REQUEST).exists()


@pytest.mark.long
def test_the_question_is_in_order_in_every_language(browser: Browser, tmp_path: Path) -> None:
    with at_a_service(browser, tmp_path) as visitor:
        visitor.clicks(SETTINGS)
        visitor.clicks(ASK)
        for language in LANGUAGES:
            visitor.speaks(language)
            for size in SIZES:
                visitor.page.set_viewport_size(size)
                visitor.sees(YES)
                assert layout_faults(visitor.page) == []
        assert axe_faults(visitor) == []
