"""Stand-ins for the modules `spidev` and `RPi.GPIO`, below the `mfrc522` package and luma.core: opening
`spi:<bus>.<device>` gives access to the model that is wired there. In a simulating process they replace the real
modules. Knows the models of readers, and of other devices no more than their transfers."""

from __future__ import annotations

import errno
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from taptable.drivers.header_lines import spi_address
from taptable.sim.mfrc522_chip import Mfrc522Chip

_GPIO_MODE_BCM = 11
_GPIO_OUT = 0


class SpiModel(Protocol):
    """A device on SPI."""

    def transfer(self, sent: Sequence[int], hz: int) -> list[int]:
        """Take bytes at a speed, and return as many."""
        ...

    def pull_reset(self) -> None:
        """Take a pulse on its reset line."""
        ...


class Wiring:
    """The wiring of the Pi: readers' chips and `other_devices` by their part name, and what is on each reset pin (by
    BCM number)."""

    def __init__(self, chips: Mapping[str, Mfrc522Chip], resets: Mapping[int, tuple[str, ...]] | None = None) -> None:
        self.chips = dict(chips)
        self.other_devices: dict[str, SpiModel] = {}
        self.resets = dict(resets or {})
        self.missing: set[str] = set()
        """Parts whose /dev/spidev doesn't exist now."""
        self.pins: dict[int, int] = {}
        """The pins that are set up as outputs, and their levels."""

    def model(self, bus: int, device: int) -> SpiModel:
        """Return the model at a place. Raises FileNotFoundError if there is none, like the kernel's driver."""
        part = str(spi_address(bus, device))
        model = self._models().get(part)
        if part in self.missing or model is None:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/spidev{bus}.{device}")
        return model

    def _models(self) -> Mapping[str, SpiModel]:
        return {**self.chips, **self.other_devices}

    def set_output(self, pin: int, value: int) -> None:
        """Set the level of a pin. A rising edge resets the devices on it."""
        if value and not self.pins.get(pin):
            for part in self.resets.get(pin, ()):
                self._models()[part].pull_reset()
        self.pins[pin] = value


_current_wiring = Wiring({})


class SpiDev:
    """Like `spidev.SpiDev`, over the models."""

    def __init__(self) -> None:
        self.max_speed_hz = 500_000
        self._place: tuple[Wiring, int, int] | None = None

    def open(self, bus: int, device: int) -> None:
        """Open a place, which must exist. The device stays on this wiring if another one is installed later."""
        _current_wiring.model(bus, device)
        self._place = _current_wiring, bus, device

    def close(self) -> None:
        """Close it. May be called twice."""
        self._place = None

    def xfer2(self, values: list[int]) -> list[int]:
        """Make one transfer with the device selected throughout."""
        if self._place is None:
            raise OSError(errno.EBADF, "Bad file descriptor")
        wiring, bus, device = self._place
        return wiring.model(bus, device).transfer(values, self.max_speed_hz)

    def writebytes(self, values: list[int]) -> None:
        """Make one transfer, and drop what the device returns."""
        self.xfer2(values)


def install(wiring: Wiring) -> None:
    """Wire the models, and install the stand-ins where `mfrc522` and luma.core import their modules from. Raises
    RuntimeError if `mfrc522` has imported the real ones already."""
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


def _cleanup(pins: int | Iterable[int] | None = None) -> None:
    chosen = list(_current_wiring.pins) if pins is None else [pins] if isinstance(pins, int) else pins
    for released in chosen:
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
