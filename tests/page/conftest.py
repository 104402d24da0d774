"""One browser for all tests of the page that a worker runs one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from page.browser import NoBrowser, a_browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    try:
        with a_browser() as browser:
            yield browser
    except NoBrowser as none:
        pytest.skip(str(none))
