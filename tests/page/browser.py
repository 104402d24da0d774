"""The browser that shows the page: found by `scripts/setup-browser`, which says what to install where there is none."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FINDS = Path(__file__).resolve().parents[2] / "scripts" / "setup-browser"
OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
"""As root, and in most containers, it starts no other way; and where there is no GPU, to play one takes the time of a
whole core."""


class NoBrowser(Exception):
    """There is none on this machine."""


def browser_file() -> str | None:
    """Where the browser is; None without one."""
    found = subprocess.run([FINDS, "--find"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A browser without a window; `NoBrowser` where there is none.

    While it is open the thread counts as one in which a loop runs, so nothing else can run a loop there.
    """
    file = browser_file()
    if file is None:
        raise NoBrowser("there is no Chromium: scripts/setup-browser finds or installs one")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=file, args=list(OPTIONS))
