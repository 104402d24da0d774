"""An OLED on a simulated bus, for tests: the real driver above, the display model below, time by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache

from PIL import Image
from scenes import look_of
from taptable.core.device_events import DeviceEvent
from taptable.core.notices import Notice
from taptable.cues.text import ScreenStyle
from taptable.drivers.oled.display_model import SH1106, SSD1305, SSD1306, SSD1309, DisplayModel
from taptable.drivers.oled.oled import Oled
from taptable.narration.updates import Alerts, Update, alerts_after_notice
from taptable.referee.session import Session, TableEvent
from taptable.sim.i2c_bus import i2c_wired

ADDRESS = 0x3C

GLASSES = {
    "ssd1309 128x64": (SSD1309, (128, 64), 0),
    "ssd1306 128x64": (SSD1306, (128, 64), 0),
    "ssd1306 128x32": (SSD1306, (128, 32), 0),
    "ssd1306 96x16": (SSD1306, (96, 16), 0),
    "ssd1306 64x48": (SSD1306, (64, 48), 32),
    "ssd1306 64x32": (SSD1306, (64, 32), 32),
    "ssd1305 128x32": (SSD1305, (128, 32), 4),
    "sh1106 128x64": (SH1106, (128, 64), 2),
}
"""Displays as luma.oled drives them: the chip's model, the glass, and where in the chip's memory it begins."""


@dataclass
class Rig:
    """A display: `oled` above, `model` below, and its `reports`. The test sets `now_us`."""

    model: DisplayModel
    size: tuple[int, int]
    reports: list[DeviceEvent] = field(default_factory=list)
    now_us: int = 0
    oled: Oled = field(init=False)

    def open(self, *options: str, is_optional: bool = False) -> Oled:
        """Make the OLED again from luma's options."""
        self.oled = Oled(options, self.reports.append, lambda: self.now_us, is_optional=is_optional)
        return self.oled

    def sent_for(self, picture: Image.Image) -> int:
        """The bytes that it takes to show this now."""
        self.model.reset_counts()
        self.oled.show(picture)
        return self.model.bytes_sent


@contextmanager
def oled_rig(glass: str = "ssd1309 128x64", *extra: str) -> Iterator[Rig]:
    """A rig with one of `GLASSES`, and more of luma's options."""
    controller, size, first_column = GLASSES[glass]
    rig = Rig(DisplayModel(controller, size, first_column), size)
    with i2c_wired({1: {ADDRESS: rig.model}}):
        chip, columns = glass.split()[0], size
        rig.open(f"--display={chip}", "--interface=i2c", f"--width={columns[0]}", f"--height={columns[1]}", *extra)
        yield rig
        rig.oled.close()


def an_update(events: Iterable[TableEvent], session: Session) -> Update:
    """The update about these events for a display that showed nothing before."""
    alerts: Alerts = {}
    for event in (events := tuple(events)):
        if isinstance(event, Notice):
            alerts = alerts_after_notice(alerts, event)
    return Update(events, session, alerts)


@cache
def look(language: str, game: str = "online") -> ScreenStyle:
    """Words and icons of a game's table."""
    return look_of(game, language)


def same_pixels(one: Image.Image, other: Image.Image) -> bool:
    """Return whether two one-bit pictures are equal, pixel for pixel."""
    return one.size == other.size and one.tobytes() == other.tobytes()
