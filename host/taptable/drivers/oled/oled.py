"""The OLED, described in ``table.toml`` by luma.core's own command-line options: takes pictures, and sends the bytes
that differ from the picture on the display through luma's driver. Reports a display that vanishes, retries it with
growing delays, restarts it when it answers, and then sends the whole picture. Sends a display that answers its set-up
and the whole picture again and again, part by part: nothing on its bus has check bytes, so one disturbed bit can change
a setting or the picture, and it can't be read back. Must not know what the picture shows."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

import smbus2
from luma.core.cmdline import create_device, create_parser, get_display_types, make_interface
from luma.core.device import device as LumaDevice
from luma.core.error import DeviceDisplayModeError
from luma.core.error import Error as LumaError
from luma.oled.device import ch1115, sh1106, sh1107, ssd1306, ssd1309
from PIL import Image

from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned
from taptable.core.errors import ConfigError, DeviceError
from taptable.core.settings import US_PER_S
from taptable.drivers.oled.patches import Frame, Patch, best_cover, pack

PART = "oled"
SMALLEST = (64, 16)
"""Columns and rows below which the scores can't be read."""

_WHERE = "[scoreboard] options"
_I2C_ADDRESSES = range(0x03, 0x78)  # that the options may name; the doctor looks at fewer (`doctor._ADDRESSES`)
_NO_OPERATION = 0xE3
_DISPLAY_OFF, _DISPLAY_ON = 0xAE, 0xAF
_SET_CONTRAST = 0x81
_STOP_SCROLLING = 0x2E
_UNLOCK = (0xFD, 0x12)  # of the SSD1309, which obeys nothing else while it is locked
_LEAVE_READ_MODIFY_WRITE = 0xEE
_PUMP_ON = (0xAD, 0x8B, 0x32)  # of the SH1106: the voltage converter as after power-on
_MAX_ARGUMENTS = 6  # of any command of these controllers
_RESEND_SLICES = 8  # in which the picture is sent again
_IS_OFF = 0x40  # in the status that these controllers give when they are read over I2C
_FIRST_WAIT_US = US_PER_S // 2  # until a display that failed is tried again, doubled each time
_LONGEST_WAIT_US = 8 * US_PER_S  # the longest of these waits
_ERRORS = (LumaError, OSError, ImportError, DeviceError)  # luma imports what an interface needs when it opens it


# --- options --------------------------------------------------------------------------------------------------------


class _OptionParser(argparse.ArgumentParser):
    """A parser that raises ConfigError instead of ending the program."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{_WHERE}: {message}.")


def read_display_options(options: Sequence[str]) -> argparse.Namespace:
    """Parse luma.core's options, such as ``["--display=ssd1309", "--interface=i2c"]``, and check all of them before
    anything is opened. Raises ConfigError."""
    parser = create_parser("the scoreboard", _OptionParser(add_help=False, allow_abbrev=False), autocomplete=False)
    args = parser.parse_args(list(options))
    if not any(option.split("=")[0] in {"--display", "-d"} for option in options):
        raise ConfigError(f'{_WHERE}: the display\'s type is missing; the reference part is "--display=ssd1309".')
    if args.config is not None:
        raise ConfigError(f"{_WHERE}: --config={args.config} is not read; write its lines into this list.")
    width, height = size_of(args)
    if width < SMALLEST[0] or height < SMALLEST[1]:
        raise ConfigError(
            f"{_WHERE}: {width}×{height} pixels are too few for the scores; it takes {SMALLEST[0]}×{SMALLEST[1]}."
        )
    if args.interface == "i2c":
        address = -1
        with suppress(ValueError):
            address = int(args.i2c_address, 0)
        if address not in _I2C_ADDRESSES:
            raise ConfigError(
                f"{_WHERE}: --i2c-address={args.i2c_address} is no I2C address; most displays have 0x3C, some 0x3D."
            )
    if args.display in get_display_types()["oled"]:
        # made over no interface at all, to learn whether the driver takes this size
        try:
            create_device(argparse.Namespace(**{**vars(args), "interface": "noop"}))
        except (DeviceDisplayModeError, AssertionError) as error:
            raise ConfigError(
                f"{_WHERE}: {args.display} can't be driven with --width={args.width} --height={args.height}"
                f" over {args.interface}; its data sheet and luma.oled's documentation name the sizes it has."
            ) from error
    return args


def size_of(args: argparse.Namespace) -> tuple[int, int]:
    """Return columns and rows of the pictures of a display with these options."""
    return (args.width, args.height) if args.rotate % 2 == 0 else (args.height, args.width)


def open_display(args: argparse.Namespace) -> LumaDevice:
    """Open the display that luma's options describe. Raises LumaError, OSError, ImportError or DeviceError if that
    fails."""
    try:
        return create_device(args)
    except (LumaError, OSError, ImportError):
        raise
    except Exception as error:  # a display on SPI has pins, and replacements of RPi.GPIO raise kinds of their own
        raise DeviceError(f"its pins can't be used: {error}") from error


# --- addressing -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Addressing:
    """How parts of a picture are addressed. The SSD1306 and its kin take windows of columns and pages, which the data
    then fill; the SH1106 and its kin take a page and a first column. `overhead`: bytes on the bus beside the picture's.
    `restore`: commands for settings that luma's set-up leaves out, since they hold after power-on anyway."""

    first_column: int
    windows: bool = False
    restore: tuple[int, ...] = (_LEAVE_READ_MODIFY_WRITE,)

    @property
    def overhead(self) -> int:
        return 10 if self.windows else 7

    def command(self, patch: Patch) -> tuple[int, ...]:
        left = self.first_column + patch.left
        if self.windows:
            return 0x21, left, self.first_column + patch.right - 1, 0x22, patch.top, patch.bottom - 1
        return 0xB0 | patch.top, left & 0x0F, 0x10 | left >> 4


def _addressing(device: LumaDevice) -> _Addressing | None:
    """Return the addressing of this device, None if only luma knows it. The first columns of two kinds are private to
    luma, and kept nowhere else: this is the one place that reads them."""
    match device:
        case ssd1306():
            restore = (*_UNLOCK, _STOP_SCROLLING) if isinstance(device, ssd1309) else (_STOP_SCROLLING,)
            return _Addressing(device._colstart, True, restore)  # pyright: ignore[reportPrivateUsage]
        case sh1106():
            restore = (_LEAVE_READ_MODIFY_WRITE, *_PUMP_ON)
            return _Addressing(device._page_address_offset, restore=restore)  # pyright: ignore[reportPrivateUsage]
        case ch1115():
            return _Addressing(2)
        case sh1107():
            return _Addressing(0)
        case _:
            return None


class _Recorder:
    """A serial interface that records the commands before the first data."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []
        self._ended = False

    def command(self, *command: int) -> None:
        if not self._ended:
            self.commands.append(command)

    def data(self, data: Sequence[int]) -> None:
        del data
        self._ended = True

    def cleanup(self) -> None:
        pass


@dataclass(frozen=True, slots=True)
class _SetUp:
    """The commands with which luma's driver starts a display, without those that switch it off and set its contrast,
    which is `contrast`."""

    commands: tuple[tuple[int, ...], ...]
    contrast: int | None


def _set_up_of(device: LumaDevice, args: argparse.Namespace) -> _SetUp:
    """Return the set-up of this device, as luma's driver sends it, recorded without an interface."""
    recorder = _Recorder()
    made = type(device)(serial_interface=recorder, **vars(args))
    vars(made).clear()  # see `_drop`
    *commands, _ = recorder.commands  # the last one addresses the picture
    contrast = [command[1] for command in commands if command[0] == _SET_CONTRAST]
    switched = commands[0][1:] if commands[0][0] == _DISPLAY_OFF else commands[0]
    set_up = [switched, *(command for command in commands[1:] if command[0] != _SET_CONTRAST)]
    return _SetUp(tuple(set_up), contrast[0] if contrast else None)


def _bus_of(device: LumaDevice) -> smbus2.SMBus:
    """Return the bus that luma opened for a device on I2C. luma has no method to read, and keeps the bus private."""
    return device._serial_interface._bus  # pyright: ignore


class Oled:
    """The display described by `options` of luma.core's command line. Raises ConfigError if they are wrong. One that
    `is_optional` isn't reported as failed until it has shown a picture.

    Its methods block while the bus is busy (a whole frame takes 23 ms at 400 kHz) and belong in one executor thread,
    which also calls `report`."""

    def __init__(
        self,
        options: Sequence[str],
        report: Callable[[DeviceEvent], object],
        now_us: Callable[[], int],
        *,
        is_optional: bool = False,
    ) -> None:
        self._args = read_display_options(options)
        self.size = size_of(self._args)
        """Columns and rows of its pictures, whether it answers or not."""
        self._report = report
        self._now_us = now_us
        self._device: LumaDevice | None = None
        self._sent_frame: Frame | None = None
        self._set_up: _SetUp | None = None
        self._next_page = 0
        self._contrast: int | None = None
        self._reports_off = False
        self._is_expected = not is_optional
        self._wait_us = _FIRST_WAIT_US
        self.retry_at_us: int | None = None
        """While the display fails: the time of the next `show`, whether or not the picture has changed."""

    def show(self, picture: Image.Image, contrast: int | None = None) -> None:
        """Bring the display to `picture` (mode ``1``) and, unless it is None, `contrast` (0 to 255), sending only
        changes. Raises nothing; leaves a display that doesn't answer alone until `retry_at_us`."""
        if self.retry_at_us is not None and self._now_us() < self.retry_at_us:
            return
        try:
            device = self._device or self._open()
            self._require_on(device)
            self._send(device, picture)
            if contrast is not None and contrast != self._contrast:
                device.contrast(contrast)
                self._contrast = contrast
        except _ERRORS as error:
            self._report_failed(str(error))
        else:
            self._report_returned()

    def probe(self) -> None:
        """Check whether a display that answered last still answers, and is still on (it is off after a short loss of
        power), and send it its set-up and the next eighth of the picture again: 4 ms at 400 kHz. Nine probes undo
        everything that a disturbed byte can do. `show` retries a display that didn't answer; one that only luma can
        address is only asked."""
        if self._device is not None:
            try:
                # arguments for a command that was disturbed into one that waits for some
                self._device.command(*(_NO_OPERATION,) * _MAX_ARGUMENTS)
                self._require_on(self._device)
                self._renew(self._device)
            except _ERRORS as error:
                self._report_failed(str(error))

    def close(self) -> None:
        """Darken the display and release the bus."""
        if self._device is not None:
            with suppress(*_ERRORS):
                self._device.cleanup()
            self._drop()

    def leave(self) -> None:
        """Release the bus, and leave the picture on for as long as the display has power."""
        self._drop()

    def _open(self) -> LumaDevice:
        """Start the display; luma's driver clears its memory."""
        if self._args.interface == "i2c":
            bus = make_interface(self._args).i2c()
            try:
                bus.command(_NO_OPERATION)  # luma keeps every device it makes until the end, so make none too many
            finally:
                bus.cleanup()
        self._device = open_display(self._args)
        # it has just been switched on: if its status denies that, or can't be read, the status is never asked again
        self._reports_off = not self._is_off(self._device)
        return self._device

    def _send(self, device: LumaDevice, picture: Image.Image) -> None:
        addressing = _addressing(device)
        if addressing is None:
            frame: Frame = (picture.tobytes(),)
            if frame != self._sent_frame:
                device.display(picture.convert(device.mode))
        else:
            frame = pack(device.preprocess(picture))
            for patch in best_cover(self._sent_frame, frame, addressing.overhead, across_pages=addressing.windows):
                device.command(*addressing.command(patch))
                device.data(list(patch.extract(frame)))
        self._sent_frame = frame

    def _renew(self, device: LumaDevice) -> None:
        """Send the set-up and a part of the picture again. If both are right, nothing changes on the glass."""
        addressing = _addressing(device)
        if addressing is None or self._sent_frame is None:
            return
        if self._set_up is None:
            self._set_up = _set_up_of(device, self._args)
        device.command(*addressing.restore)
        for command in self._set_up.commands:
            device.command(*command)
        contrast = self._set_up.contrast if self._contrast is None else self._contrast
        if contrast is not None:
            device.contrast(contrast)
        device.command(_DISPLAY_ON)
        for _ in range(-(-len(self._sent_frame) // _RESEND_SLICES)):
            page = self._next_page % len(self._sent_frame)
            self._next_page = page + 1
            patch = Patch(page, page + 1, 0, len(self._sent_frame[page]))
            device.command(*addressing.command(patch))
            device.data(list(patch.extract(self._sent_frame)))

    def _report_failed(self, reason: str) -> None:
        self._drop()
        now_us = self._now_us()
        if self.retry_at_us is None and self._is_expected:
            self._report(PartFailed(now_us, PART, reason))
        self.retry_at_us = now_us + self._wait_us
        self._wait_us = min(2 * self._wait_us, _LONGEST_WAIT_US)

    def _report_returned(self) -> None:
        self._wait_us = _FIRST_WAIT_US
        if self.retry_at_us is not None and self._is_expected:
            self._report(PartReturned(self._now_us(), PART))
        self.retry_at_us = None
        self._is_expected = True

    def _require_on(self, device: LumaDevice) -> None:
        """Raise DeviceError if the display is off, and so has lost its memory, although no transfer failed."""
        if self._reports_off and self._is_off(device):
            raise DeviceError("it is off, though it was switched on: its power was gone for a moment")

    def _is_off(self, device: LumaDevice) -> bool:
        """Return whether its status says that it is off. Over SPI nothing can be read; then it counts as on."""
        if self._args.interface != "i2c" or _addressing(device) is None:
            return False
        status = smbus2.i2c_msg.read(int(self._args.i2c_address, 0), 1)
        try:
            _bus_of(device).i2c_rdwr(status)
        except OSError:
            return False
        return bool(bytes(status)[0] & _IS_OFF)

    def _drop(self) -> None:
        """Drop the device, which must be restarted, and forget its picture."""
        device, self._device = self._device, None
        self._sent_frame = self._contrast = None
        if device is not None:
            device.persist = True  # there is no display to be darkened
            with suppress(*_ERRORS):
                device.cleanup()
            vars(device).clear()  # luma keeps every device it made, 130 kB each
