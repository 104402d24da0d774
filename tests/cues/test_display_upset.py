"""A display that received one disturbed byte is right again within a minute without a restart. Nothing on its bus has
check bytes, so a spike can turn a byte of data into a command, or a command into another one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from choosing import long_params
from cues.test_presenter import showing
from display_rig import an_update, look, oled_rig, same_pixels
from games.samples import NOW_US
from referee.session_rig import SessionRig
from scenes import scenes
from table.fixtures import GIVEN_TIME
from taptable import __version__
from taptable.cues.presenter import BOOT_S, PROBE_IN_WINDOW_S
from taptable.cues.scene import Scene, render
from taptable.drivers.oled.display_model import DisplayModel

pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")  # in luma.oled

CHIPS = ("ssd1309 128x64", "sh1106 128x64", "ssd1306 128x64")
PROBES = 9
BYTES = (*range(0, 0x20, 5), *range(0x20, 0x40), *range(0x40, 0x80, 9), *range(0x80, 0x100))
"""Commands: every one, but of those that only say a column or a line some."""
MINUTE_S = 60
UPSETS: dict[str, tuple[int, ...]] = {
    "start line": (0x48,),
    "inverse": (0xA7,),
    "all pixels on": (0xA5,),
    "display off": (0xAE,),
    "segment remap": (0xA0,),
    "scan direction": (0xC0,),
    "addressing by columns": (0x20, 0x01),
    "addressing by pages": (0x20, 0x02),
    "window of columns": (0x21, 0x10, 0x20),
    "window of pages": (0x22, 0x01, 0x02),
    "multiplex": (0xA8, 0x1F),
    "offset": (0xD3, 0x20),
    "contrast": (0x81, 0x00),
    "clock": (0xD5, 0x00),
    "precharge": (0xD9, 0x11),
    "wiring of the rows": (0xDA, 0x02),
    "charge pump": (0x8D, 0x10),
    "voltage converter": (0xAD, 0x8A),
    "voltage of the converter": (0x30,),
    "scrolling": (0x2F,),
    "set up to scroll, and scrolling": (0x26, 0x00, 0x00, 0x00, 0x07, 0x00, 0xFF, 0x2F),
    "locked": (0xFD, 0x16),
    "read-modify-write": (0xE0,),
    "half a command": (0x26, 0x00),
}


def hear(model: DisplayModel, command: Sequence[int]) -> None:
    """The chip takes this for a command, if it has it."""
    if command[0] in model.controller.arguments:
        for byte in command:
            model._take_command_byte(byte)


def a_picture(name: str, size: tuple[int, int]) -> Any:
    return render(scenes("online", look("en").words)[name], NOW_US, size, look("en"))


@pytest.mark.parametrize("glass", long_params(CHIPS, 2))
def test_after_any_single_byte_that_is_taken_for_a_command_everything_is_right_again(glass: str) -> None:
    with oled_rig(glass) as rig:
        drawn = a_picture("play-3-teams", rig.size)
        rig.oled.show(drawn, 0x3C)
        rig.oled.probe()
        right = dict(rig.model.settings)
        other = a_picture("over-4-solo", rig.size)
        for upset in [*((byte,) for byte in BYTES), *UPSETS.values()]:
            hear(rig.model, upset)
            if not rig.model.lit:  # that is noticed, since its status can be read
                rig.oled.probe()
                rig.now_us = rig.oled.retry_at_us or 0
                rig.oled.show(drawn, 0x3C)
                rig.reports.clear()
            for _ in range(PROBES):
                rig.oled.probe()
            assert same_pixels(rig.model.image(), drawn), [hex(byte) for byte in upset]
            assert (rig.model.settings, rig.model.contrast) == (right, 0x3C), [hex(byte) for byte in upset]
            assert rig.reports == []
            rig.oled.show(other, 0x3C)
            assert same_pixels(rig.model.image(), other), [hex(byte) for byte in upset]
            rig.oled.show(drawn, 0x3C)


@pytest.mark.parametrize("glass", CHIPS)
def test_after_any_byte_on_the_bus_was_another_one_everything_is_right_again(
    glass: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent, disturbed = 0, (-1, 0)
    write = DisplayModel.write

    def disturb(model: DisplayModel, payload: bytes) -> None:
        nonlocal sent
        at = disturbed[0] - sent
        if 0 <= at < len(payload):
            payload = payload[:at] + bytes([payload[at] ^ disturbed[1]]) + payload[at + 1 :]
        sent += len(payload)
        write(model, payload)

    monkeypatch.setattr(DisplayModel, "write", disturb)
    with oled_rig(glass) as rig:
        one, other = a_picture("play-3-teams", rig.size), a_picture("play-2-teams", rig.size)
        rig.oled.show(one, 0x3C)
        rig.oled.probe()
        right = dict(rig.model.settings)
        for number, at in enumerate(range(0, 400, 3)):
            disturbed, sent = (at, 1 << number % 8), 0
            rig.oled.probe()
            drawn = (one, other)[number % 2]
            rig.oled.show(drawn, 0x3C)
            for _ in range(PROBES):
                rig.oled.probe()
            if rig.oled.retry_at_us is not None:  # it was switched off
                rig.now_us = rig.oled.retry_at_us
                rig.oled.show(drawn, 0x3C)
            assert same_pixels(rig.model.image(), drawn), disturbed
            assert (rig.model.settings, rig.model.contrast) == (right, 0x3C), disturbed


@pytest.mark.parametrize("glass", CHIPS)
def test_noise_in_the_memory_is_gone_after_nine_probes(glass: str) -> None:
    with oled_rig(glass) as rig:
        drawn = a_picture("play-3-teams", rig.size)
        rig.oled.show(drawn)
        rig.model._memory[:] = bytes(len(rig.model._memory))
        for _ in range(PROBES):
            rig.oled.probe()
        assert same_pixels(rig.model.image(), drawn)


def test_a_display_whose_power_was_gone_and_that_can_t_be_read_is_right_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(_model: DisplayModel, _count: int) -> bytes:
        raise OSError(121, "Remote I/O error")

    monkeypatch.setattr(DisplayModel, "read", no_answer)
    for glass in CHIPS:
        with oled_rig(glass) as rig:
            drawn = a_picture("play-3-teams", rig.size)
            rig.oled.show(drawn, 16)
            rig.model.plug()
            for _ in range(PROBES):
                rig.oled.probe()
            assert same_pixels(rig.model.image(), drawn), glass
            assert rig.model.contrast == 16, glass


@pytest.fixture
def anyio_backend() -> tuple[str, dict[str, Any]]:
    return GIVEN_TIME


async def test_also_while_windows_follow_each_other_but_hardly_ever_in_one() -> None:
    async with showing() as shown:
        evening = SessionRig(patrol_window_s="30").tap("hacker#1", 1)
        await asyncio.sleep(BOOT_S + 0.1)
        shown.presenter.on_update(an_update((), evening.session))
        await asyncio.sleep(0.1)
        hear(shown.rig.model, UPSETS["inverse"])
        shown.rig.model._memory[300] ^= 0xFF
        probes = shown.drawings.count - shown.drawings.pictures
        await asyncio.sleep(MINUTE_S)
        assert shown.shows(Scene(__version__, evening.session.table.scoreboard))
        assert shown.drawings.count - shown.drawings.pictures - probes <= MINUTE_S / PROBE_IN_WINDOW_S
