"""Why a first start isn't finished, on the scoreboard, for as long as that has power: ``python -m
taptable.sdcard.scoreboard CONFIG SENTENCE``. Called by ``files/first-start`` once the program is installed, while no
table runs."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from taptable.config import load_config
from taptable.core.device_events import DeviceEvent
from taptable.core.errors import TaptableError
from taptable.cues.canvas import Canvas
from taptable.cues.text import TEXT, layout_text
from taptable.daemon.game_options import check_game
from taptable.drivers.interface import PartRole
from taptable.drivers.registry import installed_drivers


def show(file: Path, sentence: str) -> bool:
    """Have the scoreboard of this configuration show a sentence; False if there is none that answers."""
    try:
        parts = load_config(file, check_game).parts
    except TaptableError:
        return False
    part = next((part for part in parts if part.role is PartRole.DISPLAY), None)
    if part is None:
        return False
    lost: list[DeviceEvent] = []
    display = installed_drivers()[part.address.kind].open_display(part, lost.append, lambda: 0)
    display.show(picture_of(sentence, display.size))
    display.leave()
    return not lost


def picture_of(sentence: str, size: tuple[int, int]) -> Image.Image:
    """A sentence that fills a display of this size, shortened where it must be."""
    canvas = Canvas(size)
    canvas.write(canvas.box, layout_text(sentence, TEXT, *size))
    return canvas.image


if __name__ == "__main__":
    sys.exit(not show(Path(sys.argv[1]), sys.argv[2]))
