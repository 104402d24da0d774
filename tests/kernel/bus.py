"""The device on the kernel's I2C bus: the model of a display, which receives what the kernel's adapter has recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from PIL import Image
from taptable.drivers.oled.display_model import DisplayModel

ADDRESS = 0x3C
_ANSWERS = Path("/sys/module/i2c_recorder/parameters/answers")
_RECORDED = Path("/dev/i2c-recorder")


@contextmanager
def recorded_display() -> Iterator[RecordedDisplay]:
    """The display on this kernel's bus."""
    with _RECORDED.open("rb", buffering=0) as recorded:
        yield RecordedDisplay(recorded)


class RecordedDisplay:
    """A display of the reference type; `recorded` is what the adapter has. `messages` counts what came over the bus."""

    def __init__(self, recorded: BinaryIO) -> None:
        self.model = DisplayModel()
        self.messages = 0
        self._recorded = recorded

    def plug(self, plugged: bool) -> None:
        """Pull it off the bus, or put it back, with nothing in it that it knew."""
        self.image()
        if plugged:
            self.model.plug()
        _ANSWERS.write_text(str(ADDRESS if plugged else 0), encoding="ascii")

    def image(self) -> Image.Image:
        """The image on the display now."""
        said = b"".join(iter(lambda: self._recorded.read(65536), b""))
        at = 0
        while at < len(said):
            length = int.from_bytes(said[at : at + 2], "little")
            self.model.write(said[at + 2 : at + 2 + length])
            self.messages += 1
            at += 2 + length
        return self.model.image()
