"""In place of MicroPython's `machine` on a seat board: its pins with their interrupts, the reader on its bus, the
watchdog. Runs in the VM."""

import micropython  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
from firmware.vm.inside.world import this
from seatboard import pins

# Its control register, by the chip: bits to be cleared (data sheets, 2.1.2 and 4.7.6; 2.1.3 and 12.9.7).
_WATCHDOG = {"RP2040": 0x40058000 + 0x3000, "RP2350": 0x400D8000 + 0x3000}
_WATCHDOG_ON = 1 << 30
_LONGEST_MS = 8388
_READ_US = 12  # that a read of a register takes
_FELT = (pins.READER_RST, pins.LAMP, pins.QUIET_SUPPLY)  # outputs of which something is to be known besides their level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_driven: "dict[int, int]" = {}  # outputs, by GPIO number
_pulled: "dict[int, int]" = {}  # inputs: what they read as where nothing outside drives them
_watched: "dict[int, tuple[Pin, Callable[[Pin], None] | None, int]]" = {}


class Pin:
    """A GPIO pin; all objects with one number are the same pin."""

    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, number: int, mode: int = -1, pull: int = -1, *, value: "int | None" = None) -> None:
        self.number = number
        if mode == Pin.OUT:
            self(value or 0)
        elif mode == Pin.IN:
            _pulled[number] = 1 if pull == Pin.PULL_UP else 0

    def __call__(self, value: "int | None" = None) -> "int | None":
        """Its level; or drive it to `value`."""
        number = self.number
        if value is not None:
            if number in _FELT:
                _drive(number, 1 if value else 0)
            else:
                _driven[number] = value
            return None
        if number in _driven:
            return _driven[number]
        return this.levels.get(number, _pulled[number])

    def irq(self, handler: "Callable[[Pin], None] | None" = None, trigger: int = 12, hard: bool = False) -> None:
        """Call `handler` at these edges from now on, wherever the program is just then."""
        if not hard:
            raise NotImplementedError("a soft interrupt stamps late")
        _watched[self.number] = (self, handler, trigger)


class SPI:
    """The bus of the reader."""

    def __init__(self, bus: int, baudrate: int, *, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin) -> None:
        wires = (bus, sck.number, mosi.number, miso.number)
        if wires != (pins.SPI_ID, pins.SPI_SCK, pins.SPI_MOSI, pins.SPI_MISO) or polarity or phase:
            raise ValueError("the reader hangs elsewhere, or wants mode 0")
        self._hz = baudrate

    def write(self, data: bytes) -> None:
        """Do one transfer, and drop its answer."""
        self._transfer(data)

    def write_readinto(self, data: bytes, into: "bytearray | memoryview") -> None:
        """Do one transfer, and store the bytes read meanwhile."""
        if len(data) != len(into):
            raise ValueError("buffers must be the same length")
        into[:] = bytes(self._transfer(data))

    def _transfer(self, data: bytes) -> "list[int]":
        if _driven[pins.READER_CS] == 0 and _driven[pins.READER_RST] == 1:
            return this.transfer(data, self._hz)
        return [0xFF] * len(data)


class WDT:
    """The watchdog."""

    def __init__(self, timeout: int) -> None:
        if timeout > _LONGEST_MS:
            raise ValueError("timeout exceeds 8388")
        self._timeout_us = 1000 * timeout
        self.feed()

    def feed(self) -> None:
        """Pet the watchdog."""
        this.step()
        this.bite_after(self._timeout_us)


_SOF_RD = 0x50110048  # of the USB, RP2040 data sheet, 4.1.4
_INTE = 0x50110090
_CREDITS, _CHANNELS = 0x50000800, 12  # of the DMA, 2.5.7


class _Memory:
    """The few registers that the model has: the one that stops the watchdog, those with the USB's frames, and those by
    which the DMA clears its count of requests."""

    def __getitem__(self, address: int) -> int:
        this.spend(_READ_US)
        if address == _INTE:
            return this.interrupts()
        if address == _SOF_RD:
            return this.frame()
        raise ValueError("no such register")

    def __setitem__(self, address: int, value: int) -> None:
        if address == _WATCHDOG[this.chip_name] and value & _WATCHDOG_ON:
            this.bite_after(None)
        elif _CREDITS <= address < _CREDITS + _CHANNELS * 0x40:
            this.credits[(address - _CREDITS) // 0x40] = 0


mem32 = _Memory()


def unique_id() -> bytes:
    """The board's id, which is its USB serial number too."""
    return bytes.fromhex(str(this.setup["id"]))


def reset() -> None:
    """Restart the board."""
    this.end("reset")


def _drive(number: int, value: int) -> None:
    """Change an output."""
    before = _driven.get(number)
    _driven[number] = value
    if before == value:
        return
    if number == pins.READER_RST and value:
        this.chip.pull_reset()
    elif number == pins.LAMP:
        this.tell("lamp", value)
    elif number == pins.QUIET_SUPPLY:
        this.tell("supply", value)


def _edge(number: int, level: int) -> None:
    """Change the level of a pin: the interrupt comes at once, and finds the heap locked."""
    this.levels[number] = level
    if number in this.felt:
        this.felt[number](level)
    if number not in _watched:
        return
    pin, handler, trigger = _watched[number]
    if handler is None or not trigger & (Pin.IRQ_RISING if level else Pin.IRQ_FALLING):
        return

    def locked() -> None:
        micropython.heap_lock()
        try:
            handler(pin)
        finally:
            micropython.heap_unlock()

    this.interrupt(locked)


this.edge = _edge
