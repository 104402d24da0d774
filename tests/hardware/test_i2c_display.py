"""The scoreboard's display: it answers, and is sent no more than what changes."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw

from hardware.conftest import Figures
from hardware.i2c_display import DisplayUnderTest

PATCH = (8, 8, 23, 15)
PART_OF_WHOLE = 10
"""A digit or two is less than this part of the picture."""


def a_picture(display: DisplayUnderTest, *, patch: bool) -> Image.Image:
    """A frame round the edge, with or without something small in it."""
    picture = Image.new("1", display.oled.size)
    draw = ImageDraw.Draw(picture)
    width, height = picture.size
    draw.rectangle((0, 0, width - 1, height - 1), outline=255)
    if patch:
        draw.rectangle(PATCH, fill=255)
    return picture


def test_it_answers_and_takes_a_picture_and_a_contrast(display: DisplayUnderTest) -> None:
    for contrast in (255, 0, 127):
        display.oled.show(a_picture(display, patch=False), contrast)
        display.oled.probe()
    assert display.said == []


def test_it_says_that_it_is_on(display: DisplayUnderTest) -> None:
    display.oled.show(a_picture(display, patch=False))
    assert display.oled._reports_off


def test_it_is_sent_only_what_changes(display: DisplayUnderTest, figure: Figures) -> None:
    plain, patched = a_picture(display, patch=False), a_picture(display, patch=True)
    start_bytes, _ = display.cost(plain)
    inverse_bytes, inverse_us = display.cost(ImageChops.invert(plain))
    display.oled.show(plain)
    patch_bytes, patch_us = display.cost(patched)
    still_bytes, _ = display.cost(patched)
    figure("start: bytes", f"{start_bytes}")
    figure("whole picture: bytes", f"{inverse_bytes}")
    figure("whole picture: ms", f"{inverse_us / 1000:.1f} ms")
    figure("16 × 8 pixels: bytes", f"{patch_bytes}")
    figure("16 × 8 pixels: ms", f"{patch_us / 1000:.1f} ms")
    width, height = display.oled.size
    assert display.said == []
    assert still_bytes == 0
    assert inverse_bytes >= width * height // 8
    assert 0 < patch_bytes < inverse_bytes / PART_OF_WHOLE
