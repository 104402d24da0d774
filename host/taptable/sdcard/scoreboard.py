"""Shows on the scoreboard why a first start isn't finished, for as long as it has power: ``python -m
taptable.sdcard.scoreboard CONFIG SENTENCE``. ``files/first-start`` calls it once the program is installed, while no
table runs. Must not know the possible reasons: it is given a sentence."""

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
    """Show a sentence on the scoreboard of this configuration; return False if there is none that answers."""
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
    """Return a picture with a sentence that fills a display of this size, shortened if necessary."""
    canvas = Canvas(size)
    canvas.write_layout(canvas.box, layout_text(sentence, TEXT, *size))
    return canvas.image


if __name__ == "__main__":
    sys.exit(not show(Path(sys.argv[1]), sys.argv[2]))
