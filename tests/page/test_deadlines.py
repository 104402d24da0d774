"""Every wait of a test at the page has an end, and names what didn't come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from page.browser import no_call_longer_than
from page.table_pool import TablePool

LOST = """async () => {
    const socket = new WebSocket(`ws://${location.host}/live`);
    await new Promise((opened) => socket.addEventListener("open", opened));
    const heard = watched.heard(60_000);
    socket.close();
    return [await heard, await watched.heard(60_000)];
}"""
"""The connection ends while an echo is under way, and another is asked for after that."""


def test_a_wait_for_the_table_to_hear_fails_when_the_connection_ends(rooms: TablePool) -> None:
    with rooms.table() as (_, visitor):
        assert visitor.page.evaluate(LOST) == [False, False]
        with pytest.raises(AssertionError, match="the connection ended"):
            visitor.is_heard()
        visitor.reloads()
        visitor.is_heard()


def test_a_script_that_never_ends_is_named_after_the_deadline(browser: Browser) -> None:
    page = browser.new_page()
    never = "new Promise(() => {})"
    with (
        no_call_longer_than(0.1),
        pytest.raises(AssertionError, match=r"not over after 0\.1 s: Page\.evaluate") as said,
    ):
        page.evaluate(never)
    assert never in str(said.value)
    page.close()
