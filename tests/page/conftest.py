"""One browser for all tests of the page that a worker runs one after the other, and the tables that they share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from deadline import DEADLINE_S
from playwright.sync_api import Browser, expect

from page.browser import NoBrowser, a_browser
from page.table_pool import TablePool

expect.set_options(timeout=DEADLINE_S * 1000)  # Playwright's own is too short for a busy computer


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    try:
        with a_browser() as browser:
            yield browser
    except NoBrowser as none:
        pytest.skip(str(none))


@pytest.fixture(scope="package")
def rooms(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TablePool]:
    rooms = TablePool(browser, tmp_path_factory.mktemp)
    yield rooms
    rooms.close()
