"""Screens for people with a phone: a code that a phone's camera reads from the display, an address that can be typed,
and digits that can be read across the table."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import zxingcpp
from choosing import long_params
from display_rig import GLASSES, look, oled_rig
from PIL import Image, ImageChops, ImageFilter
from taptable.core.settings import US_PER_S
from taptable.cues.canvas import Canvas
from taptable.cues.prompts import Code, paint_address, paint_code
from taptable.cues.scene import BURN_IN_STEP_US, Scene, burn_in_offset, render, select_screen
from taptable.cues.screens import Countdown

ADDRESSES = ("10.0.0.1:8137", "10.42.0.1:8137", "192.168.178.123:8137", "172.116.200.200:65535")
NAMES = ("https://taptable.local", "https://our-living-room.example.org:8443")
REFERENCE = (128, 64)
SCALE = 6
LIT, DARK, FRAME = 235, 12, 24
CODE = Code("402917", 300 * US_PER_S, 300 * US_PER_S)
ALL_PLACES = range(200)
"""Steps of the picture's walk, which visit every place of it."""


def invited(address: str, **more: object) -> Scene:
    return replace(Scene("0.1.0", address=address, address_until_us=10**12), **more)


def on_glass(scene: Scene, now_us: int = 0) -> Image.Image:
    """The pixels that are lit after the real driver has sent the scene."""
    with oled_rig() as rig:
        rig.oled.show(render(scene, now_us, rig.oled.size, look("de")))
        return rig.model.image()


def photographed(glass: Image.Image, *, turned: float = 0.0, blur: float = SCALE / 3, noise: int = 0) -> Image.Image:
    """A picture of the display in its dark frame: each pixel a square with a dark line beside it, as on the glass, of
    which a lens gives a little to its neighbours."""
    photo = Image.new("L", ((glass.width + 12) * SCALE, (glass.height + 12) * SCALE), FRAME)
    for y in range(glass.height):
        for x in range(glass.width):
            left, top = (x + 6) * SCALE, (y + 6) * SCALE
            photo.paste(LIT if glass.getpixel((x, y)) else DARK, (left, top, left + SCALE - 1, top + SCALE - 1))
    photo = photo.rotate(turned, Image.Resampling.BICUBIC, expand=True, fillcolor=FRAME)
    photo = photo.filter(ImageFilter.GaussianBlur(blur))
    grain = random.Random(7).randbytes(photo.width * photo.height)
    return ImageChops.add(photo, Image.frombytes("L", photo.size, grain).point(lambda value: value * noise // 255))


def read(photo: Image.Image) -> list[str]:
    """The codes that a phone reads which knows only dark codes on light ground."""
    return [
        found.text for found in zxingcpp.read_barcodes(photo, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False)
    ]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_phone_reads_the_address_off_the_reference_display(address: str) -> None:
    assert read(photographed(on_glass(invited(address)))) == [f"HTTP://{address}"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_read_off_it_by_phones_and_beside_the_code_by_people(name: str) -> None:
    assert read(photographed(on_glass(invited(name)))) == [name.upper()]
    canvas = Canvas((REFERENCE[0] - 4, REFERENCE[1] - 2))
    paint_address(canvas, look("de"), name)
    (code,) = [drawn.box for drawn in canvas.drawn if drawn.label == "QR code"]
    beside = [drawn for drawn in canvas.drawn if drawn.label in name]
    assert "".join(drawn.label for drawn in beside) == name
    assert max(drawn.box.right for drawn in beside) <= code.x


def test_a_phone_reads_it_wherever_the_picture_has_wandered_to() -> None:
    places = {burn_in_offset(step * BURN_IN_STEP_US, (2, 1)): step * BURN_IN_STEP_US for step in ALL_PLACES}
    assert len(places) == 15
    for now_us in places.values():
        assert read(photographed(on_glass(invited(ADDRESSES[2]), now_us))) == [f"HTTP://{ADDRESSES[2]}"]


@pytest.mark.parametrize("turned", [0.0, 7.0, 31.0, 90.0])
def test_a_phone_that_is_held_askew_out_of_focus_and_in_the_dark_reads_it(turned: float) -> None:
    photo = photographed(on_glass(invited(ADDRESSES[2])), turned=turned, blur=SCALE / 2, noise=60)
    assert read(photo) == [f"HTTP://{ADDRESSES[2]}"]


def test_what_is_missing_stands_beside_the_code_and_not_on_it() -> None:
    words = look("de").words
    missing = tuple(words.part(part) for part in ("board 3", "discard pad", "oled"))
    assert read(photographed(on_glass(invited(ADDRESSES[2], missing=missing)))) == [f"HTTP://{ADDRESSES[2]}"]


@pytest.mark.parametrize("glass", GLASSES)
@pytest.mark.parametrize("language", long_params(["de", "fr"]))
def test_a_display_has_the_whole_address_and_a_code_only_if_a_phone_can_read_it(glass: str, language: str) -> None:
    width, height = GLASSES[glass][1]
    for size in ((width, height), (width, 2 * height), (2 * width, height)):
        for address in ADDRESSES:
            canvas = Canvas((size[0] - 4, size[1] - 2))
            paint_address(canvas, look(language), address)
            # a single row of letters is too short for most
            assert address in "".join(drawn.label for drawn in canvas.drawn) or size == (96, 16)
            coded = "QR code" in [drawn.label for drawn in canvas.drawn]
            assert read(photographed(canvas.image)) == ([f"HTTP://{address}"] if coded else [])
            assert coded or min(size) < REFERENCE[1] or max(size) < REFERENCE[0]


def test_a_module_is_two_pixels_at_least_and_light_all_around() -> None:
    canvas = Canvas((124, 62))
    paint_address(canvas, look("en"), ADDRESSES[2])
    (box,) = [drawn.box for drawn in canvas.drawn if drawn.label == "QR code"]
    code = canvas.image.crop((box.x, box.y, box.right, box.bottom))
    dark = ImageChops.invert(code.convert("L")).getbbox()
    assert dark is not None
    quiet = min(*dark[:2], code.width - dark[2], code.height - dark[3])
    assert quiet >= 2 * 3
    assert dark[2] - dark[0] == 2 * 25


@pytest.mark.parametrize("language", ["de", "en", "fr", "nl"])
def test_a_code_stands_in_the_largest_figures_with_what_it_is_for(language: str) -> None:
    canvas = Canvas((124, 62))
    paint_code(canvas, look(language), CODE, Countdown(190 * US_PER_S, 300 * US_PER_S))
    heights = {drawn.label: drawn.box.height for drawn in canvas.drawn}
    assert heights["402 917"] == 22
    assert look(language).words.text("screen", "code") in heights


@pytest.mark.parametrize("size", [(62, 46), (62, 126), (94, 14), (62, 14), (126, 30)])
def test_a_code_is_whole_on_any_display(size: tuple[int, int]) -> None:
    canvas = Canvas(size)
    paint_code(canvas, look("fr"), CODE, Countdown(190 * US_PER_S, 300 * US_PER_S))
    assert "402917" in "".join(drawn.label for drawn in canvas.drawn).replace(" ", "")


def test_the_bar_under_a_code_is_what_is_left_of_its_time() -> None:
    def width(left_s: int) -> int:
        canvas = Canvas((124, 62))
        paint_code(canvas, look("en"), CODE, Countdown(left_s * US_PER_S, 300 * US_PER_S))
        return [drawn.box.width for drawn in canvas.drawn if drawn.label == "bar"][-1]

    assert [width(left_s) for left_s in (300, 150, 0)] == [120, 60, 0]


def test_a_code_does_not_show_in_what_is_written_of_it() -> None:
    code = Code("402917", 10, 20)
    screen = select_screen(Scene("0.1.0", code=code), 0)
    for shown in (repr(code), repr(screen), repr(Scene("0.1.0", code=code)), str(code)):
        assert "402917" not in shown
