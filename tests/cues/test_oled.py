"""The OLED over the real driver: what the display model shows is what was drawn, for as few bytes as can be, and again
after it was gone."""

from __future__ import annotations

import errno
import sys
import types
from collections.abc import Callable
from itertools import product

import pytest
from boards import THREE_TEAMS, board, team_score
from choosing import long_params
from display_rig import ADDRESS, GLASSES, look, oled_rig, same_pixels
from games.samples import NOW_US
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from scenes import scenes
from taptable.core.device_events import PartFailed, PartReturned
from taptable.core.errors import ConfigError
from taptable.cues.scene import BURN_IN_STEP_US, Scene, render
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.oled import Oled
from taptable.games.online.cards import CATEGORIES
from taptable.sim.i2c_bus import i2c_wired

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # in luma.oled

FULL_FRAME = 1024
# what luma's start-up sends to chips that have no such commands, and which they take for nothing
KNOWN_STRANGE = {"ssd1305": {"command 8d"}, "sh1106": {"command 20", "command 8d"}}


def picture_of(name, size, language="en"):
    return render(scenes("online", look(language).words)[name], NOW_US, size, look(language))


def scribble(size, seed):
    """Some lines and boxes that follow from a number."""
    image = Image.new("1", size)
    draw = ImageDraw.Draw(image)
    for n in range(seed % 5 + 1):
        x, y = seed * 37 % size[0] + 11 * n, seed * 17 % size[1] + 5 * n
        draw.rectangle((x, y, x + seed % 31, y + seed % 13), fill=255 if (seed + n) % 3 else 0)
        draw.line((0, y, x, 0), fill=255)
    return image


@pytest.mark.parametrize("glass", GLASSES)
def test_the_drivers_bytes_make_the_picture_that_was_drawn(glass):
    for name in scenes("online", look("en").words):
        with oled_rig(glass) as rig:
            drawn = picture_of(name, rig.size)
            rig.oled.show(drawn)
            assert same_pixels(rig.model.image(), drawn), name
            assert set(rig.model.illegal) == KNOWN_STRANGE.get(glass.split()[0], set()), name
            assert rig.reports == [], name


@pytest.mark.parametrize("glass", GLASSES)
def test_nothing_at_all_is_sent_when_nothing_changed(glass):
    with oled_rig(glass) as rig:
        rig.oled.show(picture_of("play-3-teams", rig.size))
        assert rig.sent_for(picture_of("play-3-teams", rig.size)) == 0
        assert rig.model.transactions == 0


@pytest.mark.parametrize("glass", GLASSES)
@settings(max_examples=10)
@given(seeds=st.lists(st.integers(0, 10_000), min_size=1, max_size=40))
def test_after_any_number_of_partial_updates_the_picture_is_exact(glass, seeds):
    with oled_rig(glass) as rig:
        for seed in seeds:
            drawn = scribble(rig.size, seed)
            rig.oled.show(drawn)
            assert same_pixels(rig.model.image(), drawn)


@settings(max_examples=40)
@given(pixels=st.lists(st.binary(min_size=1024, max_size=1024), min_size=2, max_size=4))
def test_noise_costs_no_more_than_a_whole_frame(pixels):
    with oled_rig() as rig:
        for data in pixels:
            drawn = Image.frombytes("1", rig.size, data)
            assert rig.sent_for(drawn) <= 3000  # the first also starts the display
            assert same_pixels(rig.model.image(), drawn)
        assert rig.sent_for(Image.frombytes("1", rig.size, bytes(b ^ 255 for b in pixels[-1]))) <= FULL_FRAME + 8


def one_card_more():
    """Every board on which a team of three downloads one more card, and the board after it."""
    quotas = (6, 4, 2, 2)
    for rows in product(*(range(quota + 1) for quota in quotas)):
        for index in range(len(CATEGORIES)):
            more = tuple(have + (n == index) for n, have in enumerate(rows))
            before, after = (
                board((team_score((1, 4), cards, "up"), *THREE_TEAMS[1:]), 4, left)
                for cards, left in ((rows, 1), (more, 0))
            )
            yield before, after


@pytest.mark.parametrize("steps_of_wandering", long_params([24, 8, 5, 0]))
def test_a_change_of_one_score_sends_less_than_a_fifth_of_a_frame(steps_of_wandering):
    now_us = steps_of_wandering * BURN_IN_STEP_US
    with oled_rig() as rig:
        sent = []
        for before, after in one_card_more():
            rig.oled.show(render(Scene("0", before), now_us, rig.size, look("en")))
            drawn = render(Scene("0", after), now_us, rig.size, look("en"))
            sent.append(rig.sent_for(drawn))
            assert same_pixels(rig.model.image(), drawn)
        print(f"{len(sent)} changes of a score: {sum(sent) / len(sent):.0f} bytes on average, {max(sent)} at most")
        assert max(sent) < FULL_FRAME / 5


def test_a_step_of_the_windows_bar_is_a_few_dozen_bytes():
    with oled_rig() as rig:
        scene = scenes("online", look("en").words)["window"]
        rig.oled.show(render(scene, NOW_US, rig.size, look("en")))
        assert rig.sent_for(render(scene, NOW_US + 100_000, rig.size, look("en"))) < 40


def test_brightness_is_sent_when_it_changes_only():
    with oled_rig() as rig:
        drawn = picture_of("play-2-teams", rig.size)
        rig.oled.show(drawn)
        rig.model.reset_counts()
        rig.oled.show(drawn, 16)
        rig.oled.show(drawn, 16)
        assert (rig.model.contrast, rig.model.transactions) == (16, 1)


@pytest.mark.parametrize("rotate", [1, 2, 3])
def test_a_display_mounted_another_way_round_shows_its_picture_turned(rotate):
    with oled_rig("ssd1309 128x64", f"--rotate={rotate}") as rig:
        drawn = picture_of("play-2-teams", rig.oled.size)
        assert rig.oled.size == ((64, 128) if rotate % 2 else (128, 64))
        rig.oled.show(scribble(rig.oled.size, 7))
        rig.oled.show(drawn)
        turned = drawn.rotate(-90 * rotate, expand=True)
        assert same_pixels(rig.model.image(), turned)


def test_the_display_is_dark_after_closing():
    with oled_rig() as rig:
        rig.oled.show(picture_of("play-2-teams", rig.size))
        rig.oled.close()
        assert not rig.model.lit
        rig.oled.close()


# --- gone and back -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", long_params([errno.EIO, 121, errno.ETIMEDOUT]))
@pytest.mark.parametrize("glass", long_params(["ssd1309 128x64", "sh1106 128x64"]))
def test_unplugged_in_mid_frame_and_back_shows_the_right_picture(glass, error):
    for after_bytes in range(0, 700, 13):
        with oled_rig(glass) as rig:
            rig.oled.show(picture_of("play-3-teams", rig.size))
            rig.model.unplug(after_bytes, error)
            drawn = picture_of("over-4-solo", rig.size)
            rig.oled.show(drawn)
            if not rig.reports:
                rig.oled.show(drawn.transpose(Image.Transpose.FLIP_LEFT_RIGHT))
            assert [type(device_event) for device_event in rig.reports] == [PartFailed]
            rig.model.plug()
            rig.now_us = rig.oled.retry_at_us
            rig.oled.show(drawn)
            assert same_pixels(rig.model.image(), drawn)
            assert [type(device_event) for device_event in rig.reports] == [PartFailed, PartReturned]
            assert rig.oled.retry_at_us is None


def test_a_display_that_lost_its_power_unnoticed_is_restarted_once_it_fails():
    with oled_rig() as rig:
        drawn = picture_of("play-3-teams", rig.size)
        rig.oled.show(drawn, 16)
        rig.model.unplug()
        rig.oled.probe()
        rig.model.plug()
        rig.now_us = rig.oled.retry_at_us
        rig.oled.show(drawn, 16)
        assert same_pixels(rig.model.image(), drawn)
        assert rig.model.contrast == 16


@pytest.mark.parametrize("asked", ["by a probe", "by a picture"])
def test_a_display_whose_power_was_gone_for_a_moment_is_missed_and_restarted(asked: str):
    with oled_rig() as rig:
        drawn = picture_of("play-3-teams", rig.size)
        rig.oled.show(drawn, 16)
        rig.model.plug()
        assert not same_pixels(rig.model.image(), drawn)
        if asked == "by a probe":
            rig.oled.probe()
        else:
            rig.oled.show(drawn, 16)
        assert [type(device_event) for device_event in rig.reports] == [PartFailed]
        rig.now_us = rig.oled.retry_at_us
        rig.oled.show(drawn, 16)
        assert same_pixels(rig.model.image(), drawn)
        assert rig.model.contrast == 16
        rig.oled.probe()
        assert [type(device_event) for device_event in rig.reports] == [PartFailed, PartReturned]


def no_answer(_model: DisplayModel, _count: int) -> bytes:
    raise OSError(121, "Remote I/O error")


def ones(_model: DisplayModel, count: int) -> bytes:
    return b"\xff" * count


@pytest.mark.parametrize("read", [no_answer, ones])
def test_a_display_that_can_only_be_written_to_is_believed_to_be_on(
    read: Callable[[DisplayModel, int], bytes], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(DisplayModel, "read", read)
    with oled_rig() as rig:
        rig.oled.show(picture_of("play-3-teams", rig.size))
        rig.oled.probe()
        rig.oled.show(picture_of("play-2-teams", rig.size))
        assert rig.reports == []


def test_a_missing_display_is_reported_once_and_tried_ever_more_rarely():
    with oled_rig() as rig:
        rig.model.unplug()
        drawn = picture_of("play-3-teams", rig.size)
        waits = []
        for _ in range(8):
            rig.oled.show(drawn)
            waits.append(rig.oled.retry_at_us - rig.now_us)
            rig.now_us = rig.oled.retry_at_us
        assert waits == [500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 8_000_000, 8_000_000, 8_000_000]
        assert rig.reports == [PartFailed(0, "oled", "I2C device not found on address: 0x3C")]


def test_between_two_tries_a_missing_display_is_left_alone():
    with oled_rig() as rig:
        rig.model.unplug()
        rig.oled.show(picture_of("play-3-teams", rig.size))
        rig.model.plug()
        rig.now_us = rig.oled.retry_at_us - 1
        assert rig.sent_for(picture_of("play-3-teams", rig.size)) == 0


def test_an_optional_display_is_missed_only_after_it_has_shown_a_picture():
    with oled_rig() as rig:
        oled = rig.open("--display", "ssd1309", "--interface", "i2c", is_optional=True)
        picture = Image.new("1", oled.size, 1)
        rig.model.unplug()
        oled.show(picture)
        assert rig.reports == []
        assert oled.retry_at_us is not None
        rig.now_us = oled.retry_at_us
        rig.model.plug()
        oled.show(picture)
        assert rig.reports == []
        rig.model.unplug()
        oled.show(Image.new("1", oled.size, 0))
        assert [type(device_event) for device_event in rig.reports] == [PartFailed]
        assert oled.retry_at_us is not None
        rig.now_us = oled.retry_at_us
        rig.model.plug()
        oled.show(picture)
        assert [type(device_event) for device_event in rig.reports] == [PartFailed, PartReturned]


def test_a_probe_takes_a_sixth_of_a_frame_and_hears_that_the_display_is_gone():
    with oled_rig() as rig:
        rig.oled.show(picture_of("play-3-teams", rig.size))
        rig.model.reset_counts()
        rig.oled.probe()
        assert rig.reports == []
        assert rig.model.bytes_sent < 200  # of 9 bits each at 400 kHz: 4.5 ms
        rig.model.unplug()
        rig.oled.probe()
        rig.oled.probe()
        assert [type(device_event) for device_event in rig.reports] == [PartFailed]


def test_a_bus_that_is_not_there_is_a_failed_part_too():
    said = []
    with i2c_wired({}):
        oled = Oled(["--display=ssd1309"], said.append, lambda: 5)
        oled.show(Image.new("1", (128, 64)))
        assert said == [PartFailed(5, "oled", "I2C device not found: /dev/i2c-1")]


def test_a_display_that_comes_and_goes_keeps_no_old_driver_alive():
    model = DisplayModel()
    with i2c_wired({1: {ADDRESS: model}}):
        now_us = 0
        oled = Oled(["--display=ssd1309"], lambda _: None, lambda: now_us)
        drivers = []
        for _ in range(3):
            oled.show(Image.new("1", (128, 64)))
            drivers.append(oled._device)
            model.unplug()
            oled.probe()
            model.plug()
            now_us = oled.retry_at_us
        assert [vars(driver) for driver in drivers] == [{}, {}, {}]


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--display=ssd9999"], "invalid choice: 'ssd9999'"),
        (["--interface=i2c"], "type is missing"),
        ([], "type is missing"),
        (["--display=ssd1309", "--colour"], "unrecognized arguments: --colour"),
        (["--display=ssd1309", "--disp=x"], "unrecognized arguments: --disp=x"),
        (["--display=ssd1309", "--help"], "unrecognized arguments: --help"),
        (["--display=ssd1309", "--width=eleven"], "invalid int value: 'eleven'"),
        (["--display=ssd1309", "--width=100"], "can't be driven with --width=100 --height=64"),
        (["--display=ssd1309", "--height=8"], "too few for the scores"),
        (["--display=ssd1306", "--width=96", "--height=16", "--rotate=1"], "16×96 pixels are too few"),
        (["--display=ssd1309", "--i2c-address=sixty"], "--i2c-address=sixty is no I2C address"),
        (["--display=ssd1309", "--i2c-address=0x80"], "--i2c-address=0x80 is no I2C address"),
        (["--display=ssd1309", "--config=/etc/luma"], "--config=/etc/luma is not read"),
        (["--display=ws0010", "--interface=i2c"], "can't be driven"),
    ],
)
def test_wrong_options_are_reported_in_a_sentence_with_the_wrong_value(options, said):
    with pytest.raises(ConfigError) as caught:
        Oled(options, lambda _: None, lambda: 0)
    assert str(caught.value).startswith("[scoreboard] options: ")
    assert said in str(caught.value)


def test_the_size_is_known_before_the_display_answers():
    assert Oled(["--display=ssd1306", "--width=128", "--height=32"], lambda _: None, lambda: 0).size == (128, 32)


def test_displays_whose_addressing_is_not_known_get_whole_pictures_from_luma(monkeypatch):
    shown = []
    oled = Oled(["--display=ssd1327", "--interface=noop", "--width=128", "--height=128"], lambda _: None, lambda: 0)
    drawn = picture_of("play-2-teams", oled.size)
    oled.show(drawn)
    monkeypatch.setattr(type(oled._device), "display", lambda _, image: shown.append(image.mode))
    oled.show(drawn)
    assert shown == []
    oled.show(replace_pixel(drawn))
    assert shown == ["RGB"]


def replace_pixel(image):
    changed = image.copy()
    changed.putpixel((0, 0), 255 - changed.getpixel((0, 0)))
    return changed


def test_pins_of_a_display_on_spi_that_somebody_has_are_a_display_that_is_missing(monkeypatch):
    class Busy(Exception):
        """As `lgpio.error`, which is no OSError."""

    def setup(*_given, **_options):
        raise Busy("'GPIO busy'")

    gpio = types.ModuleType("RPi.GPIO")
    vars(gpio).update(BCM=11, OUT=0, LOW=0, HIGH=1, setmode=lambda _mode: None, setup=setup)
    package = types.ModuleType("RPi")
    vars(package)["GPIO"] = gpio
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", gpio)
    said = []
    oled = Oled(["--display", "ssd1306", "--interface", "spi"], said.append, lambda: NOW_US)
    oled.show(Image.new("1", oled.size))
    (failed,) = said
    assert isinstance(failed, PartFailed)
    assert failed.reason == "its pins can't be used: 'GPIO busy'"
    assert oled.retry_at_us is not None
