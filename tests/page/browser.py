"""The browser that shows the page: found by `scripts/setup-browser`, which says what to install where there is none."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

FINDS = Path(__file__).resolve().parents[2] / "scripts" / "setup-browser"


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
        # --no-sandbox: as root, and in most containers, Chromium starts no other way
        # --disable-gpu: where there is none, it would spend most of a core on playing one
        options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        yield playwright.chromium.launch(executable_path=file, args=options)
