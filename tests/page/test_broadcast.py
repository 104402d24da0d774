"""The overlay over a frame of video: nothing but its plates is drawn, nothing overflows or overlaps, its words can be
read over black and white, and what only the demo's page shows isn't there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import Browser, WebSocket
from taptable.core.game_options import GameOptions
from taptable.core.observations import GameSetUp

from page.a_table import a_table
from page.access import axe_faults
from page.base_views import NAMES, NEXT, SETTINGS
from page.broadcasting import SCENES, names_everybody
from page.evening import an_evening
from page.layout import layout_faults
from page.over_video import LARGE, SIZES, SMALL, drawn_beside_plates, ground_of, overlaid, plates_on, screenshot
from page.table_pool import TablePool
from page.visitor import LANGUAGES, Visitor

CONTRAST = 4.5
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
COLOURS_OF_WORDS = """() => {
    const found = new Map();
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (node.data.trim() && parent.closest("[data-plate]") && !parent.closest(".badge")) {
            found.set(getComputedStyle(parent).color, node.data);
        }
    }
    return [...found].map(([colour, text]) => [colour.match(/\\d+/g).slice(0, 3).map(Number), text]);
}"""

Colour = tuple[float, float, float]


def faults(visitor: Visitor) -> list[str]:
    """The faults of the overlay's drawing, at both sizes."""
    found: list[str] = []
    for size in SIZES:
        visitor.page.set_viewport_size(size)
        visitor.next_frame()
        found += layout_faults(visitor.page)
        if drawn_beside_plates(visitor.page) is not None:
            found.append(f"{size}: something is drawn where no plate is")
    return found


def unread(visitor: Visitor) -> list[str]:
    """Words that can't be read over black or over white."""
    words: list[tuple[list[int], str]] = visitor.page.evaluate(COLOURS_OF_WORDS)
    assert words
    return [
        f"{text!r} over {video}"
        for video in (BLACK, WHITE)
        for ground in ground_of(visitor.page, video)
        for colour, text in words
        if contrast(tuple(colour), ground) < CONTRAST
    ]


def contrast(one: Any, other: Colour) -> float:
    """The ratio of contrast of two colours, by WCAG 2."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Colour) -> float:
    linear = [c / 255 / 12.92 if c <= 0.04045 * 255 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


class Exchanged:
    """The messages of a page on its live connection once it is loaded again, and the files that it requests."""

    def __init__(self, visitor: Visitor) -> None:
        self.said: list[Any] = []
        self.heard: list[Any] = []
        self.asked: list[str] = []
        visitor.page.on("request", lambda request: self.asked.append(urlsplit(request.url).path))
        visitor.page.on("websocket", self._listen)
        visitor.reloads()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.said.append(json.loads(text)))
        socket.on("framereceived", lambda text: self.heard.append(json.loads(text)))

    def told(self, part: str) -> list[Any]:
        """The messages about a part, in order."""
        return [each["parts"][part] for each in self.heard if part in each.get("parts", {})]


def is_empty(picture: Image.Image) -> bool:
    """Return whether nothing is drawn at all."""
    return picture.getchannel("A").getbbox() is None


@pytest.mark.long
def test_a_game_is_told_over_the_video_to_an_unpaired_browser_and_nothing_while_the_table_is_away(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    with (
        a_table(tmp_path, starter=None, settings=SETTINGS, network=True) as table,
        overlaid(browser, table) as visitor,
    ):
        exchanged = Exchanged(visitor)
        names_everybody(table)
        table.stages(SCENES["turn"])
        assert visitor.page.locator("[data-side=left] [data-of-team]").count() == 1
        visitor.reads("[data-side=right] [data-turn=true]", NAMES[NEXT - 1])
        score = table.ask(lambda: table.session.table.scoreboard.teams[0].score)
        visitor.reads("[data-of-team='0']", f"{score} MB")
        assert visitor.page.locator("[data-of-team='0'] [data-mark]").count() == 4
        assert faults(visitor) + unread(visitor) + axe_faults(visitor) == []
        table.stages(SCENES["hacker"])
        visitor.reads("[data-middle]", "Hacker!")
        visitor.reads(".countdown-seconds", SETTINGS["patrol_window_s"])
        visitor.reads("[data-act]", f"Hacker! {NAMES[NEXT - 1]} wants to hack.")
        assert faults(visitor) + unread(visitor) == []
        table.stages(SCENES["claim"])
        visitor.reads("[data-first]", "Ada was first, by 4.2 ms ± 0.1.")
        table.stages(SCENES["stopped"])
        visitor.sees("[data-window]", hidden=True)
        visitor.reads("[data-first]", "Ada was first, by 4.2 ms ± 0.1.")
        visitor.reads("[data-act]", "Cyber Patrol!")
        assert faults(visitor) + unread(visitor) == []
        boot = visitor.boot
        with table.being_away():
            visitor.sees("[data-overlay]", hidden=True)
            assert is_empty(screenshot(visitor.page))
        visitor.sees("[data-overlay]")
        visitor.until_another_start(boot)
        visitor.reads("[data-now]", "Paused")
        table.stages(SCENES["over"])
        visitor.reads("[data-end] [data-place='1']", "MB")
        assert visitor.page.locator("[data-plate]").count() == 1
        assert faults(visitor) + unread(visitor) + axe_faults(visitor) == []
        assert {each["do"] for each in exchanged.said} == {"hello", "echo"}
        assert {each["paired"] for each in exchanged.heard if "paired" in each} == {False}


@pytest.mark.long
def test_the_address_s_options_are_applied_and_mistakes_in_it_are_reported(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    with a_table(tmp_path) as table:
        with overlaid(browser, table, "lang=fr&side=swap&at=bottom&size=720") as visitor:
            visitor.reads("[data-now]", "tour")
            visitor.sees("[data-side=left] [data-of-team='1']")
            visitor.sees("[data-side=right] [data-of-team='0']")
            assert visitor.page.locator("[data-fault]").count() == 0
            boxes = plates_on(visitor.page)
            assert max(right for _, _, right, _ in boxes) <= SMALL["width"]
            assert SMALL["height"] / 2 < max(bottom for _, _, _, bottom in boxes) <= SMALL["height"]
            assert layout_faults(visitor.page) == []
        wrong = f"lang=xx&side=left&at=&size=4k&%3Cb%3E{'x' * 200}=red"
        with overlaid(browser, table, wrong) as visitor:
            assert visitor.page.locator("html").get_attribute("lang") == "en"
            for part in ("“lang=xx”", "lang can be: de, en, fr, nl", "“side=left”", "“at=”", "“size=4k”", "“<b>xxx"):
                visitor.reads("[data-fault]", part)
            assert faults(visitor) + unread(visitor) == []
        with overlaid(browser, table, "size=1080&lang=nl", SMALL) as visitor:
            visitor.reads("[data-fault]", "size=1080 vraagt 1920 × 1080 pixels, er zijn er 1280 × 720")
            visitor.page.set_viewport_size(LARGE)
            visitor.sees("[data-fault]", hidden=True)
            daemon = table.harness.daemon
            options = GameOptions(4, "standard", {}, 1)
            table.ask(lambda: daemon.controller.observe(lambda at_us: GameSetUp(at_us, "xnet", options, False)))
            visitor.reads("[data-of-team='3']", "gebruikers")  # a word of the other game
            assert visitor.page.locator("[data-of-team]").count() == 4


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_overflows_or_overlaps_in_any_language(
    browser: Browser, rooms: TablePool, language: str, tmp_path: Path
) -> None:
    found: list[str] = []
    at = ("top", "bottom")[LANGUAGES.index(language) % 2]
    rooms.close()
    with (
        a_table(tmp_path, players=6, starter=None, settings=SETTINGS) as table,
        overlaid(browser, table, f"lang={language}&at={at}") as visitor,
    ):
        for name, scene in SCENES.items():
            table.stages(scene)
            found += [f"{name}: {fault}" for fault in faults(visitor) + unread(visitor) + axe_faults(visitor)]
    assert found == []


@pytest.mark.long
def test_the_overlay_of_the_demo_gets_no_hands(browser: Browser, rooms: TablePool, tmp_path: Path) -> None:
    rooms.close()
    with an_evening(tmp_path, people=(1, 2)) as evening, overlaid(browser, evening) as visitor:
        exchanged = Exchanged(visitor)
        evening.passes(1.0)
        before = visitor.page.locator("main").inner_html()

        def deals_otherwise() -> None:
            truth: Any = evening.people.truth
            one, other = truth.hands
            evening.people.truth = replace(truth, hands=(other, one))

        evening.ask(deals_otherwise)
        evening.passes(1.0)
        assert exchanged.told("hands") == []
        assert not [path for path in exchanged.asked if path.startswith("/demo/")]
        assert visitor.page.locator("main").inner_html() == before
        assert visitor.page.locator("main [data-card]").count() == 0
        assert all(each.get("watch", []) == [] for each in exchanged.said)
