"""The browser that shows the page: found by `scripts/setup-browser`, which says what to install where there is none."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from deadline import DEADLINE_S
from playwright._impl._sync_base import SyncBase
from playwright.sync_api import Browser, sync_playwright

FINDS = Path(__file__).resolve().parents[2] / "scripts" / "setup-browser"


LONGEST_S = 1.5 * DEADLINE_S
"""No call of Playwright takes longer. Most waits have a deadline of their own that comes first; a script in the page
has none, nor has a browser that hangs."""


class NoBrowser(Exception):
    """This machine has no browser."""


def browser_file() -> str | None:
    """The path of the browser; None without one."""
    found = subprocess.run([FINDS, "--find"], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None


@contextmanager
def a_browser() -> Iterator[Browser]:
    """A browser without a window. Raises `NoBrowser` if there is none. While it is open the thread counts as one in
    which a loop runs, so nothing else can run a loop there."""
    file = browser_file()
    if file is None:
        raise NoBrowser("there is no Chromium: scripts/setup-browser finds or installs one")
    with sync_playwright() as playwright, no_call_longer_than(LONGEST_S):
        # --no-sandbox: as root, and in most containers, Chromium starts no other way
        # --disable-gpu: where there is none, it would spend most of a core on playing one
        options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        yield playwright.chromium.launch(executable_path=file, args=options)


@contextmanager
def no_call_longer_than(limit_s: float) -> Iterator[None]:
    """While this lasts, a call of Playwright that isn't over within `limit_s` seconds raises an AssertionError that
    names it. Playwright itself waits without a limit for the result of a script."""
    call_through = SyncBase._sync  # every call of its synchronous API goes through this

    def call(api: SyncBase, doing: Any) -> Any:
        return call_through(api, _limited(doing, limit_s) if asyncio.iscoroutine(doing) else doing)

    with patch.object(SyncBase, "_sync", call):
        yield


async def _limited(doing: Coroutine[Any, Any, Any], limit_s: float) -> Any:
    named, frame = doing.__qualname__, doing.cr_frame
    given = {} if frame is None else {name: value for name, value in frame.f_locals.items() if name != "self"}
    try:
        async with asyncio.timeout(limit_s) as limit:
            return await doing
    except TimeoutError as error:
        if limit.expired():
            raise AssertionError(f"not over after {limit_s:g} s: {named} {given}") from error
        raise
