"""``firmware/seatboard/pins.py`` from the seat board's description: the numbers of its pins, and what else the firmware
has to know of the wiring."""

from __future__ import annotations

import re

from drafting.builds import Build

_HEAD = '''"""Which pin of the Pico leads where, by GPIO number, and what hangs on it. Made by scripts/hardware from
hardware/seat_board.toml: change it there."""
'''


def firmware_pins(seat_board: Build) -> str:
    """The text of the module, every pin by its name in the description."""
    pins = {name: (pin, needs) for name, (pin, needs) in seat_board.data["pins"].items()}
    buses = {found[1] for _, needs in pins.values() if (found := re.match(r"SPI([01]) ", needs))}
    lines = [_HEAD, *(f"SPI_ID = {bus}" for bus in sorted(buses))]
    lines += [f"{name} = {_number(pin)}" for name, (pin, _) in pins.items()]
    settings = seat_board.data["firmware"].items()
    return "\n".join([*lines, "", *(f"{name} = {value:_}" for name, value in settings)]) + "\n"


def _number(pin: str) -> int:
    """The number in the name of a pin, such as `pico.GP18` or `pi.GPIO4`."""
    return int(re.findall(r"\d+$", pin)[0])
