"""Single modules of the page in a browser, without a table: files of the page and answers of a test's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Route
from taptable.page import app
from taptable.page.responses import TYPES
from taptable.sim.page import app as demo

SITE = "http://table.test"
FOLDERS = {"static": app.STATIC, "demo": demo.STATIC}


@contextmanager
def serving(browser: Browser, answers: Mapping[str, Mapping[str, Any]]) -> Iterator[Page]:
    """A page that gets these answers by their path, and everything else from the folders of the page."""
    page = browser.new_page()

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path in answers:
            route.fulfill(**answers[path])
        else:
            _, folder, name = path.split("/", 2)
            file = FOLDERS[folder] / name
            route.fulfill(path=file, content_type=TYPES[file.suffix])

    page.route(f"{SITE}/**", answer)
    page.goto(f"{SITE}/")
    yield page
    page.close()
