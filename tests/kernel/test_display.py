"""The OLED on an I2C bus of the kernel's: luma.oled and smbus2 on a real /dev/i2c-1. What they had the kernel send
makes the picture that was drawn."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from games.samples import NOW_US
from scenes import look_of, scenes
from smbus2 import SMBus
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned
from taptable.cues.scene import render
from taptable.drivers.oled.display_model import DisplayModel
from taptable.drivers.oled.doctor import answering_addresses
from taptable.drivers.oled.oled import PART, Oled

from kernel.bus import BUS

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")]
LOOK = look_of("online", "en")
OPTIONS = ["--display=ssd1309", "--interface=i2c"]


class Clock:
    now_us = 0


@pytest.fixture
def said() -> list[DeviceEvent]:
    return []


@pytest.fixture
def oled(said: list[DeviceEvent]) -> Oled:
    return Oled(OPTIONS, said.append, lambda: Clock.now_us)


def test_what_the_kernel_sent_makes_every_picture_that_was_drawn(
    oled: Oled, said: list[DeviceEvent], display: DisplayModel
) -> None:
    for scene in scenes("online", LOOK.words).values():
        drawn = render(scene, NOW_US, oled.size, LOOK)
        oled.show(drawn, 100)
        assert display.image().tobytes() == drawn.tobytes()
    assert (said, display.illegal, display.contrast) == ([], [], 100)
    before = display.transactions
    oled.show(drawn, 100)
    assert display.transactions == before
    oled.probe()
    oled.close()
    assert not display.image().getbbox()


def test_pulled_off_the_bus_it_is_missed_in_the_kernel_s_words_and_restarted_when_it_is_back(
    oled: Oled, said: list[DeviceEvent], display: DisplayModel
) -> None:
    drawn = render(next(iter(scenes("online", LOOK.words).values())), NOW_US, oled.size, LOOK)
    oled.show(drawn)
    display.unplug()
    oled.probe()
    (failed,) = said
    assert isinstance(failed, PartFailed)
    assert failed.part == PART
    assert os.strerror(errno.EREMOTEIO) in failed.reason or "0x3C" in failed.reason
    display.plug()
    assert oled.retry_at_us is not None
    Clock.now_us = oled.retry_at_us
    oled.show(drawn)
    assert said[1:] == [PartReturned(Clock.now_us, PART)]
    assert display.image().tobytes() == drawn.tobytes()


def test_of_a_device_that_a_driver_of_the_kernel_has_it_is_known_that_it_is_there(display: DisplayModel) -> None:
    node = Path(f"/sys/bus/i2c/devices/i2c-{BUS}")
    (node / "new_device").write_text("dummy 0x3c")  # the kernel's own driver for an address that it only reserves
    sent = display.transactions
    with SMBus(BUS) as bus, pytest.raises(OSError, match=os.strerror(errno.EBUSY)):
        bus.read_byte(0x3C)
    assert answering_addresses(BUS) == [0x3C]
    assert display.transactions == sent
    (node / "delete_device").write_text("0x3c")
    assert answering_addresses(BUS) == [0x3C]
    display.unplug()
    assert answering_addresses(BUS) == []
