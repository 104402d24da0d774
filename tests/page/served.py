"""Single modules of the page in a browser, without a table: files of one folder and answers of a test's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route
from taptable.page.answers import TYPES

SITE = "http://table.test"


@contextmanager
def serving(browser: Browser, folder: Path, below: str, answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Page]:
    """A page that gets these answers by their path, and what else it asks for from `folder`, whose path is `below`."""
    page = browser.new_page()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path in answers:
            route.fulfill(**answers[path])
        else:
            file = folder / path.removeprefix(below)
            route.fulfill(path=file, content_type=TYPES[file.suffix])

    page.route(f"{SITE}/**", answer)
    page.goto(f"{SITE}/")
    yield page
    page.close()
