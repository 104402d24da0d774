"""Stand-ins for the modules `spidev` and `RPi.GPIO`, below the `mfrc522` package: opening `spi:<bus>.<device>` gives
access to the chip model that is wired there. In a simulating process they replace the real modules."""

from __future__ import annotations

import errno
import sys
import types
from collections.abc import Mapping

from taptable.sim.mfrc522_chip import Mfrc522Chip

_GPIO_MODE_BCM = 11
_GPIO_OUT = 0


class Wiring:
    """The wiring of the Pi: chips by their part name, and the chips on each reset pin (by BCM number)."""

    def __init__(self, chips: Mapping[str, Mfrc522Chip], resets: Mapping[int, tuple[str, ...]] | None = None) -> None:
        self.chips = dict(chips)
        self.resets = dict(resets or {})
        self.missing: set[str] = set()
        """Parts whose /dev/spidev doesn't exist now."""
        self.pins: dict[int, int] = {}
        """The pins that are set up as outputs, and their levels."""

    def chip(self, bus: int, device: int) -> Mfrc522Chip:
        """Return the chip at a place. Raises FileNotFoundError if there is none, like the kernel's driver."""
        part = f"spi:{bus}.{device}"
        if part in self.missing or part not in self.chips:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/spidev{bus}.{device}")
        return self.chips[part]

    def set_output(self, pin: int, value: int) -> None:
        """Set the level of a pin. A rising edge resets the chips on it."""
        if value and not self.pins.get(pin):
            for part in self.resets.get(pin, ()):
                self.chips[part].pull_reset()
        self.pins[pin] = value


_current_wiring = Wiring({})


class SpiDev:
    """Like `spidev.SpiDev`, over the chip models."""

    def __init__(self) -> None:
        self.max_speed_hz = 500_000
        self._place: tuple[Wiring, int, int] | None = None

    def open(self, bus: int, device: int) -> None:
        """Open a place, which must exist. The device stays on this wiring if another one is installed later."""
        _current_wiring.chip(bus, device)
        self._place = _current_wiring, bus, device

    def close(self) -> None:
        """Close it. May be called twice."""
        self._place = None

    def xfer2(self, values: list[int]) -> list[int]:
        """Make one transfer with the chip selected throughout."""
        if self._place is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        wiring, bus, device = self._place
        return wiring.chip(bus, device).transfer(values, self.max_speed_hz)


def install(wiring: Wiring) -> None:
    """Wire the chips, and install the stand-ins where the `mfrc522` package imports its modules from. Raises
    RuntimeError if it has imported the real ones already."""
    global _current_wiring
    _current_wiring = wiring
    imported = sys.modules.get("mfrc522.MFRC522")
    if imported is not None and getattr(imported, "spidev", None) is not _SPIDEV:
        raise RuntimeError("mfrc522 has been imported with the real spidev: simulate in another process")
    sys.modules["spidev"] = _SPIDEV
    sys.modules["RPi"] = _RPI
    sys.modules["RPi.GPIO"] = _GPIO


def _module(name: str, contents: Mapping[str, object]) -> types.ModuleType:
    module = types.ModuleType(name, f"A stand-in for {name}, over the models of taptable.sim.")
    vars(module).update(contents)
    return module


def _getmode() -> int | None:
    return _mode


def _setmode(mode: int) -> None:
    global _mode
    _mode = mode


def _setup(pin: int, direction: int, *, initial: int = 0) -> None:
    assert direction == _GPIO_OUT
    _current_wiring.pins[pin] = initial


def _output(pin: int, value: int) -> None:
    _current_wiring.set_output(pin, value)


def _cleanup(pin: int | None = None) -> None:
    for released in [pin] if pin is not None else list(_current_wiring.pins):
        _current_wiring.pins.pop(released, None)


_mode: int | None = None
_SPIDEV = _module("spidev", {"SpiDev": SpiDev})
_GPIO = _module(
    "RPi.GPIO",
    {
        "BOARD": 10,
        "BCM": _GPIO_MODE_BCM,
        "OUT": _GPIO_OUT,
        "LOW": 0,
        "HIGH": 1,
        "getmode": _getmode,
        "setmode": _setmode,
        "setup": _setup,
        "output": _output,
        "cleanup": _cleanup,
    },
)
_RPI = _module("RPi", {"GPIO": _GPIO})
