"""Tables whose buttons and lamps are those of controllers on USB."""

from __future__ import annotations

import re
from collections.abc import Sequence

from taptable.config import Config, load_config
from taptable.daemon.game_options import check_game

DOMES = (1, 6, 11, 16)
ENCODER = [("input:1-1.4/BTN_TRIGGER", ""), ("input:1-1.4/BTN_THUMB", "")]
"""The addresses of two buttons at an encoder, whose lamps are elsewhere."""


def buzz_set(port: str) -> list[tuple[str, str]]:
    """The addresses of the buttons and lamps of a Buzz! set at a USB port."""
    return [
        (f"input:{port}/BTN_TRIGGER_HAPPY{dome}", f"led:{port}/buzz{number}") for number, dome in enumerate(DOMES, 1)
    ]


def with_buttons_on_controllers(config: Config, places: Sequence[tuple[str, str]]) -> Config:
    """The same table with the buttons and lamps of the seats in these places; "" leaves one where it is."""
    text = config.file.read_text(encoding="utf-8")
    head, *seats = re.split(r"(?=^\[\[seats\]\]$)", text, flags=re.MULTILINE)
    for number, (button, lamp) in enumerate(places[: len(seats)]):
        for key, address in (("button", button), ("lamp", lamp)):
            if address:
                seats[number], found = re.subn(rf'^{key} = ".*"$', f'{key} = "{address}"', seats[number], flags=re.M)
                assert found == 1
    config.file.write_text("".join([head, *seats]), encoding="utf-8")
    return load_config(config.file, check_game)
