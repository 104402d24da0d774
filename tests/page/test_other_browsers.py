"""A turn played at the page by a person in WebKit, as on an iPhone, and in Firefox: they show the hand, hear the click,
tell what came of it, and find nothing to complain of."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize

from page.browser import NoBrowser
from page.evening import DemoEvening, an_evening
from page.layout import DESK, LOOKS, rules_for
from page.other_browsers import OtherBrowser, a_firefox, a_webkit
from page.staging import Stage
from page.table_pool import TablePool

SEAT = 1
IPHONE: ViewportSize = {"width": 390, "height": 844}
TABS = ("log", "rows", "guide", "workbench")
IN_HAND = f'[data-hand="{SEAT}"] button[data-place="hand"]'
MOVING = "document.getAnimations().some((each) => Number.isFinite(each.effect.getComputedTiming().endTime))"
HAND = f"[...document.querySelectorAll({json.dumps(IN_HAND)})].map((each) => each.dataset.card)"


@pytest.mark.long
@pytest.mark.parametrize("size", [IPHONE, DESK], ids=["iphone", "desk"])
@pytest.mark.parametrize("begins", [a_webkit, a_firefox], ids=["webkit", "firefox"])
def test_a_person_plays_a_turn_in_another_browser(
    begins: Callable[[Path], AbstractContextManager[OtherBrowser]], size: ViewportSize, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    (tmp_path / "table").mkdir()
    (tmp_path / "browser").mkdir()
    try:
        with an_evening(tmp_path / "table", players=2) as evening, begins(tmp_path / "browser") as browser:
            evening.stages(Stage.empties_the_chairs)
            evening.stages(Stage.begins)
            line, mail = evening.ask(lambda: Stage(evening.harness).deals(SEAT, "online", "email"))
            browser.opens(evening.address, size)
            browser.until("document.documentElement.dataset.ready === 'true'")
            browser.clicks('[data-start] [data-do="close"]')
            assert set(browser.runs(HAND)) == set(evening.ask(lambda: Stage(evening.harness).hand(SEAT)))
            browser.sees('[data-score="0"]')
            lays(evening, browser, line)
            lays(evening, browser, mail)
            browser.sees('[data-score="25"]')
            browser.clicks(f'[data-hand="{SEAT}"] [data-do="press"]')
            evening.passes_until(lambda: evening.on_turn not in (SEAT, None))
            browser.sees('[data-seat="2"][data-turn="true"]')
            for tab in TABS:
                browser.clicks(f'button[role="tab"][data-tab="{tab}"]')
                # cards move up to one another for a moment, and then lie over what they pass
                browser.until(f"!({MOVING})")
                assert browser.runs(f"({LOOKS.strip()})({json.dumps(rules_for(size))})") == [], tab
            assert browser.complaints == []
            browser.runs("console.error('a mistake')")
            assert "a mistake" in "".join(browser.complaints)
    except NoBrowser as none:
        pytest.skip(str(none))


def lays(evening: DemoEvening, browser: OtherBrowser, card: str) -> None:
    """Choose a card and then the own pad, and see that the table took it."""
    browser.clicks(f'[data-hand="{SEAT}"] button[data-card="{card}"]')
    browser.clicks(f'button[data-pad="{SEAT}"][data-target="true"]')
    evening.passes_until(lambda: card not in Stage(evening.harness).hand(SEAT))
    evening.judges()
    browser.until(f"!({HAND}).includes({json.dumps(card)})")
    browser.sees(f'[data-answer="{SEAT}"][data-kind="announced"]')
    browser.sees(f'[data-hand="{SEAT}"]:not([data-busy="true"])')
