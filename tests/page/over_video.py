"""The overlay as a browser source shows it: with nothing behind its plates, over a frame of video that is made here."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from random import Random
from typing import Any

from PIL import Image, ImageChops, ImageDraw, ImageFilter
from playwright.sync_api import Browser, Page, ViewportSize

from page.threaded_table import ThreadedTable
from page.visitor import Visitor, visiting

LARGE: ViewportSize = {"width": 1920, "height": 1080}
SMALL: ViewportSize = {"width": 1280, "height": 720}
SIZES = (LARGE, SMALL)

WITHIN_PX = 5
CARDS, COLOURS = 40, ("#f7f6f2", "#c8382e", "#2e5fa8", "#e0b13c")

PLATES = """() => [...document.querySelectorAll("[data-plate]")].map((plate) => {
    const { left, top, right, bottom } = plate.getBoundingClientRect();
    return [left, top, right, bottom];
})"""


@contextmanager
def overlaid(
    browser: Browser, table: ThreadedTable, asked: str = "", size: ViewportSize = LARGE, **more: Any
) -> Iterator[Visitor]:
    """A visitor of the overlay of a table, with these options in the address (`"lang=de&side=swap"`), who sees the
    result of everything that happens there."""
    address = f"{table.address}overlay{asked and '?' + asked}"
    with visiting(browser, address, size, welcomed=False, **more) as visitor, table.seen_by(visitor):
        yield visitor


def screenshot(page: Page) -> Image.Image:
    """The page as drawn, with its transparency."""
    return Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")


def plates_on(page: Page) -> list[tuple[float, float, float, float]]:
    """The borders of the plates: left, top, right, bottom."""
    return [(left, top, right, bottom) for left, top, right, bottom in page.evaluate(PLATES)]


def drawn_beside_plates(page: Page) -> Image.Image | None:
    """The part of the drawing that no plate covers; None if it is empty."""
    alpha = screenshot(page).getchannel("A")
    for left, top, right, bottom in plates_on(page):
        alpha.paste(0, (int(left), int(top), ceil(right), ceil(bottom)))
    return alpha if alpha.getbbox() else None


def ground_of(page: Page, video: tuple[int, int, int]) -> set[tuple[int, int, int]]:
    """The colours of the plates over video of a colour: at the upper edge of each, within its border."""
    whole = screenshot(page)
    drawn = over(Image.new("RGB", whole.size, video), whole)
    grounds = set[tuple[int, int, int]]()
    for left, top, right, _ in plates_on(page):
        pixel = drawn.getpixel(((left + right) / 2, top + WITHIN_PX))
        assert isinstance(pixel, tuple)
        grounds.add((pixel[0], pixel[1], pixel[2]))
    return grounds


def a_frame(size: ViewportSize) -> Image.Image:
    """A frame as a camera over a table might see it: a cloth under a lamp, dark corners, white cards, and noise."""
    width, height = size["width"], size["height"]
    chance = Random(1)
    lamp = Image.radial_gradient("L").resize((2 * width, 2 * height)).crop((width // 3, 0, width // 3 + width, height))
    cloth, dark = (Image.new("RGB", (width, height), colour) for colour in ("#7c8f6a", "#12100e"))
    frame = Image.composite(dark, cloth, lamp)
    draw = ImageDraw.Draw(frame)
    draw.rectangle((0, 0, width * 0.3, height * 0.45), "#f4f0e6")  # a window in daylight
    draw.rectangle((width * 0.72, 0, width, height * 0.2), "#e9edf2")
    for _ in range(CARDS):
        at = chance.randrange(width), chance.randrange(height // 3, height)
        turn = chance.randrange(360)
        card = Image.new("RGB", (width // 22, height // 9), chance.choice(COLOURS))
        shape = Image.new("L", card.size, 255)
        frame.paste(card.rotate(turn, expand=True), at, shape.rotate(turn, expand=True))
    frame = frame.filter(ImageFilter.GaussianBlur(width / 640))
    noise = Image.effect_noise((width, height), 24).convert("RGB")
    return ImageChops.add(frame, noise, 1, -128)


def over(frame: Image.Image, overlay: Image.Image) -> Image.Image:
    """The overlay on a frame, as a mixer would lay it there."""
    return Image.alpha_composite(frame.convert("RGBA"), overlay).convert("RGB")
