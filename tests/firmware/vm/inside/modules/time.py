"""In place of MicroPython's `time` on a board: its ticks and rests, by the clock of its world. Runs in the VM."""

import utime  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
from firmware.vm.inside.world import PERIOD, this

_MASK = PERIOD - 1
_HALF = PERIOD >> 1


def _ticks_outside() -> int:
    return utime.ticks_us() & _MASK


ticks_us = this.ticks if this.given else _ticks_outside
"""The board's clock; in an interrupt the time of its beginning."""


def ticks_ms() -> int:
    """Milliseconds, which wrap likewise."""
    return this.now() // 1000 & _MASK


def ticks_diff(later: int, earlier: int) -> int:
    """As the port's; allocates nothing."""
    difference = later - earlier & _MASK
    return difference if difference < _HALF else difference - _MASK - 1


def ticks_add(ticks: int, span: int) -> int:
    """As the port's."""
    return ticks + span & _MASK


def sleep_us(us: int) -> None:
    """Wait."""
    if this.given:
        this.rest(us)
    else:
        utime.sleep_us(us)
        this.step()


def sleep_ms(ms: int) -> None:
    """Wait."""
    sleep_us(1000 * ms)


def sleep(seconds: float) -> None:
    """Wait."""
    sleep_us(int(1_000_000 * seconds))
