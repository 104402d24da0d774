"""The card faces as a browser draws them: room for the name, and each told from each at the size of a crowded hand."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import resources
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser, Page

SHEET = resources.files("taptable.games.online").joinpath("faces.svg").read_text("utf-8")
NAME_PLACE = 66
"""From here to the lower edge of a face the page sets the name; units of the sheet."""
TOLD_APART = 14
"""Mean difference, of 255, between the grey pictures of two faces (twice that: of two signs); the nearest have 1.3×."""

LOWEST = """() => Object.fromEntries([...document.querySelectorAll("symbol[id^=face-]")].map((symbol) => {
  const face = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  face.append(...[...symbol.children].slice(1).map((shape) => shape.cloneNode(true)));
  document.body.append(face);
  const box = face.getBBox();
  face.remove();
  return [symbol.id, box.y + box.height];
}))"""


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 200, "height": 200})
    page.set_content(f'<body style="margin: 0">{SHEET}<svg id="shown"><use/></svg>')
    yield page
    page.close()


def grey(sheet: Page, symbol: str, width: int, height: int) -> Image.Image:
    """A symbol as a picture without colours."""
    sheet.evaluate(
        """([symbol, width, height]) => {
          const shown = document.getElementById("shown");
          shown.setAttribute("style", "position: fixed; inset: 0");
          shown.setAttribute("width", width);
          shown.setAttribute("height", height);
          shown.firstChild.setAttribute("href", `#${symbol}`);
        }""",
        [symbol, width, height],
    )
    png = sheet.screenshot(clip={"x": 0, "y": 0, "width": width, "height": height})
    return Image.open(io.BytesIO(png)).convert("L")


def difference(one: Image.Image, other: Image.Image) -> float:
    return ImageStat.Stat(ImageChops.difference(one, other)).mean[0]


def symbols(sheet: Page, start: str) -> list[str]:
    return sheet.evaluate("(start) => [...document.querySelectorAll(`symbol[id^=${start}]`)].map((s) => s.id)", start)


def test_the_place_of_the_name_is_left_plain(sheet: Page):
    lowest = sheet.evaluate(LOWEST)
    del lowest["face-back"]
    assert len(lowest) == 16
    assert {face: y for face, y in lowest.items() if y > NAME_PLACE} == {}


def test_faces_are_distinguished_without_their_colours_at_40_pixels(sheet: Page):
    drawn = {face: grey(sheet, face, 40, 56).crop((0, 0, 40, 42)) for face in symbols(sheet, "face-")}
    near = {(a, b): round(difference(drawn[a], drawn[b])) for a, b in combinations(drawn, 2)}
    assert {pair: found for pair, found in near.items() if found < TOLD_APART} == {}


def test_signs_are_distinguished_at_14_pixels(sheet: Page):
    drawn = {sign: grey(sheet, sign, 14, 14) for sign in (*symbols(sheet, "sign-"), *symbols(sheet, "control-"))}
    near = {(a, b): round(difference(drawn[a], drawn[b])) for a, b in combinations(drawn, 2)}
    assert {pair: found for pair, found in near.items() if found < 2 * TOLD_APART} == {}
