"""The display without glass: a model of the SSD1306/SSD1309 and SH1106 at the level of the bytes on the I2C bus. On SPI
a line takes the place of the control byte, and the stand-in puts it back. Turns
the bytes that the real driver sends back into the picture that people would see, and records as illegal what a real
chip has no command for. The lowest layer; must not know who sends the bytes, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from random import Random
from types import MappingProxyType

from PIL import Image, ImageChops

from taptable.sim.i2c_bus import REMOTE_IO

COMMANDS, DATA = 0x00, 0x40
"""The control byte before commands or data, up to the end of a transaction."""
_CONTINUES = 0x80  # control byte: only one byte belongs to it, then comes another control byte
_ROWS_PER_PAGE = 8
_BITS_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # a page's top row is its lowest bit


class Addressing(IntEnum):
    """How the address advances after a byte of data, by the argument of command 20h."""

    HORIZONTAL = 0
    VERTICAL = 1
    PAGE = 2


@dataclass(frozen=True, slots=True)
class Controller:
    """One kind of chip: its memory, and the number of arguments of each of its commands. `pump` is the command that
    switches its own voltage converter, with the argument that switches it on; None if the voltage comes from elsewhere.
    `pumps` is whether the converter is on after power-on."""

    name: str
    columns: int
    pages: int
    arguments: Mapping[int, int]
    pump: tuple[int, int] | None = None
    pumps: bool = True


def _commands(*groups: Mapping[int, int]) -> Mapping[int, int]:
    merged: dict[int, int] = {}
    for group in groups:
        merged |= group
    return MappingProxyType(merged)


_EVERY = (
    dict.fromkeys(range(0x20), 0)  # column of the page mode
    | dict.fromkeys(range(0x40, 0x80), 0)  # start line
    | {0x81: 1, 0xA0: 0, 0xA1: 0, 0xA4: 0, 0xA5: 0, 0xA6: 0, 0xA7: 0, 0xA8: 1, 0xAE: 0, 0xAF: 0}
    | dict.fromkeys(range(0xB0, 0xB8), 0)  # page of the page mode
    | {0xC0: 0, 0xC8: 0, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1, 0xE3: 0}
)
_WINDOWS = {0x20: 1, 0x21: 2, 0x22: 2}
_SCROLLING = {0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x2E: 0, 0x2F: 0, 0xA3: 2}
_LOCK, _LOCKED = 0xFD, 0x04
_CHARGE_PUMP = {0x8D: 1}  # part of the module, not of the SSD1309; luma's one driver sends it to all

_READ_MODIFY_WRITE = {0xE0: 0, 0xEE: 0}

SSD1306 = Controller("ssd1306", 128, 8, _commands(_EVERY, _WINDOWS, _SCROLLING, _CHARGE_PUMP), (0x8D, 0x14), False)
SSD1309 = Controller("ssd1309", 128, 8, _commands(_EVERY, _WINDOWS, _SCROLLING, _CHARGE_PUMP, {0xFD: 1}))
SSD1305 = Controller("ssd1305", 132, 8, _commands(_EVERY, _WINDOWS, _SCROLLING, {0x91: 4, 0xAD: 1, 0xD8: 1}))
_SH1106_ONLY = _commands({0xAD: 1}, dict.fromkeys(range(0x30, 0x34), 0), _READ_MODIFY_WRITE)
SH1106 = Controller("sh1106", 132, 8, _commands(_EVERY, _SH1106_ONLY), (0xAD, 0x8B))
"""The SSD1305 and the SH1106 have no command 8Dh, the SH1106 no 20h; luma sends them at the start, and the chips ignore
them."""
CONTROLLERS: Mapping[str, Controller] = MappingProxyType(
    {each.name: each for each in (SSD1306, SSD1309, SSD1305, SH1106)}
)
"""The controllers by the names that luma has for them."""


class DisplayModel:
    """A display of `size` pixels, whose glass begins at `first_column` of the chip's memory. One that `is_turned` is
    mounted upside down.

    `transactions` and `bytes_sent` count the traffic on the bus (control bytes included, addresses not). `illegal` are
    commands that the chip doesn't have, or arguments that it can't take; it ignores them. A display that was unplugged
    has lost its memory when it is plugged in again."""

    def __init__(
        self,
        controller: Controller = SSD1309,
        size: tuple[int, int] = (128, 64),
        first_column: int = 0,
        *,
        is_turned: bool = False,
    ) -> None:
        self.controller = controller
        self.size = size
        self.first_column = first_column
        self.is_turned = is_turned
        self.transactions = 0
        self.bytes_sent = 0
        self.illegal: list[str] = []
        self._power_ups = 0
        self._fails_with: int | None = None
        self._bytes_until_failure = 0
        self.plug()

    def plug(self) -> None:
        """Power the display up (again): every register as in the data sheet, and noise in the memory."""
        self._power_ups += 1
        memory = Random(self._power_ups).randbytes(self.controller.columns * self.controller.pages)
        self._memory = bytearray(memory)
        self._fails_with = None
        self._addressing = Addressing.PAGE
        self._column_window = (0, self.controller.columns - 1)
        self._page_window = (0, self.controller.pages - 1)
        self._column = self._page = 0
        self._start_line = self._offset = 0
        self._rows_driven = 64
        self._mirrored = self._upside_down = False  # as modules are wired: A1h and C8h make it upright
        self._inverse = self._all_on = self.lit = False
        self.contrast = 0x7F
        self._locked = self._scrolling = self._keeps_column = False
        self._pumping = self.controller.pumps
        self.settings: dict[int, tuple[int, ...]] = {}
        """The last value of each setting that has arguments, even if it has no effect on the picture here."""
        self._command: list[int] = []

    def unplug(self, after_bytes: int = 0, error: int = REMOTE_IO) -> None:
        """Let writes fail with an OSError with this errno, from now on or after that many more bytes."""
        self._fails_with = error
        self._bytes_until_failure = after_bytes

    @property
    def plugged(self) -> bool:
        """Whether it answers."""
        return self._fails_with is None

    def write(self, payload: bytes) -> None:
        """Take one I2C transaction, without its address byte. Raises OSError like the kernel when the display is
        gone."""
        if self._fails_with is not None and len(payload) > self._bytes_until_failure:
            self._parse(payload[: self._bytes_until_failure])
            self._bytes_until_failure = 0
            raise OSError(self._fails_with, "Remote I/O error")
        self._bytes_until_failure -= len(payload)
        self.transactions += 1
        self.bytes_sent += len(payload)
        self._parse(payload)

    def read(self, count: int) -> bytes:
        """Return its status `count` times: busy or not, lit or not. Raises OSError like `write`."""
        if self._fails_with is not None:
            raise OSError(self._fails_with, "Remote I/O error")
        return bytes([0x00 if self.lit else 0x40]) * count

    def reset_counts(self) -> None:
        """Count from zero again."""
        self.transactions = self.bytes_sent = 0

    def image(self) -> Image.Image:
        """Return the picture on the glass: mode ``1``, black while the display is off."""
        width, height = self.size
        driven = min(height, self._rows_driven)
        picture = Image.new("1", self.size)
        if self.lit and self._pumping:
            picture.paste(255 if self._all_on else self._visible_image(), (0, 0, width, height))
            picture.paste(0, (0, driven, width, height))
        return picture.transpose(Image.Transpose.ROTATE_180) if self.is_turned else picture

    def _visible_image(self) -> Image.Image:
        """Return the part of the memory that the glass shows, upright."""
        rows = self.controller.pages * _ROWS_PER_PAGE
        columns = (self._memory[column :: self.controller.columns] for column in range(self.controller.columns))
        ram = b"".join(columns).translate(_BITS_REVERSED)
        picture = Image.frombytes("1", (rows, self.controller.columns), ram).transpose(Image.Transpose.TRANSPOSE)
        picture = ImageChops.offset(picture, 8 if self._scrolling else 0, -(self._start_line + self._offset))
        if not self._mirrored:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        width, height = self.size
        picture = picture.crop((self.first_column, 0, self.first_column + width, height))
        if not self._upside_down:
            picture = picture.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return ImageChops.invert(picture) if self._inverse else picture

    def _parse(self, payload: bytes) -> None:
        """Parse a control byte with commands or data to the end, or control bytes with one byte each."""
        at = 0
        while at < len(payload):
            control = payload[at]
            if control & ~(_CONTINUES | DATA):
                self.illegal.append(f"control byte {control:02x}")
            end = at + 2 if control & _CONTINUES else len(payload)
            for byte in payload[at + 1 : end]:
                if control & DATA:
                    self._store(byte)
                else:
                    self._take_command_byte(byte)
            at = end

    def _take_command_byte(self, byte: int) -> None:
        self._command.append(byte)
        code, *arguments = self._command
        if code not in self.controller.arguments:
            self.illegal.append(f"command {code:02x}")
            self._command = []
        elif len(arguments) == self.controller.arguments[code]:
            self._command = []
            if code == _LOCK:
                self._locked = bool(arguments[0] & _LOCKED)
            elif not self._locked:
                if arguments and code not in _WINDOWS | _SCROLLING:
                    self.settings[code] = tuple(arguments)
                self._obey(code, arguments)

    def _obey(self, code: int, arguments: list[int]) -> None:
        match code, arguments:
            case 0x20, [mode] if mode <= Addressing.PAGE:
                self._addressing = Addressing(mode)
            case 0x21, [first, last] if first <= last < self.controller.columns:
                self._column_window, self._column = (first, last), first
            case 0x22, [first, last] if first <= last < self.controller.pages:
                self._page_window, self._page = (first, last), first
            case 0x81, [level]:
                self.contrast = level
            case 0xA8, [rows] if rows >= 15:
                self._rows_driven = rows + 1
            case 0xD3, [lines] if lines < 64:
                self._offset = lines
            case ((0x20 | 0x21 | 0x22 | 0xA8 | 0xD3), _):
                self.illegal.append(f"command {code:02x} with {arguments}")
            case ((0x2E | 0x2F), _):
                self._scrolling = code == 0x2F
            case ((0xE0 | 0xEE), _):
                self._keeps_column = code == 0xE0
            case ((0x8D | 0xAD), [argument]):
                if self.controller.pump is not None and code == self.controller.pump[0]:
                    self._pumping = argument == self.controller.pump[1]
            case ((0xA0 | 0xA1), _):
                self._mirrored = code == 0xA1
            case ((0xA4 | 0xA5), _):
                self._all_on = code == 0xA5
            case ((0xA6 | 0xA7), _):
                self._inverse = code == 0xA7
            case ((0xAE | 0xAF), _):
                self.lit = code == 0xAF
            case ((0xC0 | 0xC8), _):
                self._upside_down = code == 0xC8
            case _:
                self._place(code)

    def _place(self, code: int) -> None:
        """Execute the commands that contain their argument. Timing and voltages have no effect on the picture."""
        if code < 0x20 and self._keeps_column:
            return
        if code < 0x10:
            self._column = self._column & 0xF0 | code
        elif code < 0x20:
            self._column = (self._column & 0x0F | (code & 0x0F) << 4) % 256
        elif 0x30 <= code < 0x34:
            self.settings[0x30] = (code,)
        elif 0x40 <= code < 0x80:
            self._start_line = code - 0x40
        elif 0xB0 <= code < 0xB8:
            self._page = code - 0xB0

    def _store(self, byte: int) -> None:
        if self._column < self.controller.columns:
            self._memory[self._page * self.controller.columns + self._column] = byte
        match self._addressing:
            case Addressing.PAGE:
                self._column = (self._column + 1) % self.controller.columns
            case Addressing.HORIZONTAL:
                self._column, wrapped = _next(self._column, self._column_window)
                if wrapped:
                    self._page, _ = _next(self._page, self._page_window)
            case Addressing.VERTICAL:
                self._page, wrapped = _next(self._page, self._page_window)
                if wrapped:
                    self._column, _ = _next(self._column, self._column_window)


def _next(at: int, window: tuple[int, int]) -> tuple[int, bool]:
    """Return the next address in a window, and whether it wrapped."""
    return (window[0], True) if at == window[1] else (at + 1, False)
