"""The OLED: a picture goes in, and the bytes that differ from what already stands there go out over luma's driver. A
display that vanishes is reported, tried again ever more rarely, started anew when it answers, and then given the whole
picture. What stands on the picture is not known here."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from luma.core.cmdline import create_device, make_interface
from luma.core.device import device as LumaDevice
from luma.core.error import Error as LumaError
from luma.oled.device import ch1115, sh1106, sh1107, ssd1306
from PIL import Image

from taptable.core.errors import DeviceError
from taptable.core.settings import US_PER_S
from taptable.core.sightings import PartFailed, PartReturned, Sighting
from taptable.edges.cues.display_options import read_display_options
from taptable.edges.cues.patches import Frame, Patch, best_cover, pack, whole

PART = "oled"

_NO_OPERATION = 0xE3
_FIRST_WAIT_US = US_PER_S // 2
_LONGEST_WAIT_US = 8 * US_PER_S
_TROUBLE = (LumaError, OSError, ImportError, DeviceError)  # luma imports what an interface needs when it opens it


def open_display(args: Namespace) -> LumaDevice:
    """The display that luma's options describe; LumaError, OSError, ImportError or DeviceError if it can't be had."""
    try:
        return create_device(args)
    except (LumaError, OSError, ImportError):
        raise
    except Exception as error:  # one on SPI has pins, and what stands in for RPi.GPIO fails in kinds of its own
        raise DeviceError(f"its pins can't be used: {error}") from error


@dataclass(frozen=True, slots=True)
class _Windows:
    """Addressing of the SSD1306 and its kin: columns and pages of a window, which the data then fill."""

    first_column: int
    overhead: int = 10  # bytes on the bus beside the picture's: two addresses, two control bytes, six of commands
    across_pages: bool = True

    def command(self, patch: Patch) -> tuple[int, ...]:
        left, right = self.first_column + patch.left, self.first_column + patch.right
        return 0x21, left, right - 1, 0x22, patch.top, patch.bottom - 1


@dataclass(frozen=True, slots=True)
class _Pages:
    """Addressing of the SH1106 and its kin: a page and a first column."""

    first_column: int
    overhead: int = 7
    across_pages: bool = False

    def command(self, patch: Patch) -> tuple[int, ...]:
        column = self.first_column + patch.left
        return 0xB0 | patch.top, column & 0x0F, 0x10 | column >> 4


def _addressing(device: LumaDevice) -> _Windows | _Pages | None:
    """How parts of this device's picture are addressed, None where only luma knows."""
    match device:
        case ssd1306():
            return _Windows(device._colstart)  # pyright: ignore[reportPrivateUsage]  # luma keeps it nowhere else
        case sh1106():
            return _Pages(device._page_address_offset)  # pyright: ignore[reportPrivateUsage]  # as above
        case ch1115():
            return _Pages(first_column=2)
        case sh1107():
            return _Pages(first_column=0)
        case _:
            return None


class Oled:
    """The display that `options` of luma.core's command line describe; ConfigError where they are wrong.

    Its methods block for as long as the bus takes (a whole frame 23 ms at 400 kHz) and belong in one executor thread,
    from which `report` is called too.
    """

    def __init__(self, options: Sequence[str], report: Callable[[Sighting], None], now_us: Callable[[], int]) -> None:
        self._options = read_display_options(options)
        self._report = report
        self._now_us = now_us
        self._device: LumaDevice | None = None
        self._sent: Frame | None = None
        self._contrast: int | None = None
        self._wait_us = _FIRST_WAIT_US
        self.retry_at_us: int | None = None
        """While the display fails: when `show` should be called again, whether or not the picture has changed."""

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of its pictures, whether it answers or not."""
        return self._options.size

    def show(self, picture: Image.Image, contrast: int | None = None) -> None:
        """Bring the display to `picture` (mode ``1``) and, if it is given, `contrast` (0 to 255), sending only what
        changed. Raises nothing; a display that doesn't answer is left alone until `retry_at_us`."""
        if self.retry_at_us is not None and self._now_us() < self.retry_at_us:
            return
        try:
            device = self._device or self._open()
            self._send(device, picture)
            if contrast is not None and contrast != self._contrast:
                device.contrast(contrast)
                self._contrast = contrast
        except _TROUBLE as error:
            self._lose(str(error))
        else:
            self._find()

    def probe(self) -> None:
        """Ask a display that answered last whether it is still there; one that didn't is tried by `show`."""
        if self._device is not None:
            try:
                self._device.command(_NO_OPERATION)
            except _TROUBLE as error:
                self._lose(str(error))

    def close(self) -> None:
        """Darken the display and let the bus go."""
        if self._device is not None:
            with suppress(*_TROUBLE):
                self._device.cleanup()
            self._drop()

    def leave(self) -> None:
        """Let the bus go, and what stands on the display stay for as long as it has power."""
        self._drop()

    def _open(self) -> LumaDevice:
        """Start the display; luma's driver clears its memory."""
        args = self._options.args
        if args.interface == "i2c":
            bus = make_interface(args).i2c()
            try:
                bus.command(_NO_OPERATION)  # luma keeps every device it makes until the end, so none is made in vain
            finally:
                bus.cleanup()
        self._device = open_display(args)
        return self._device

    def _send(self, device: LumaDevice, picture: Image.Image) -> None:
        addressing = _addressing(device)
        frame = pack(device.preprocess(picture)) if addressing else (picture.tobytes(),)
        if addressing is None:
            if frame != self._sent:
                device.display(picture.convert(device.mode))
        else:
            for patch in self._patches(self._sent, frame, addressing):
                device.command(*addressing.command(patch))
                device.data(list(patch.cut(frame)))
        self._sent = frame

    @staticmethod
    def _patches(sent: Frame | None, frame: Frame, addressing: _Windows | _Pages) -> Sequence[Patch]:
        if sent is not None:
            return best_cover(sent, frame, addressing.overhead, across_pages=addressing.across_pages)
        everything = whole(frame)
        return (everything,) if addressing.across_pages else everything.pages()

    def _lose(self, reason: str) -> None:
        self._drop()
        now_us = self._now_us()
        if self.retry_at_us is None:
            self._report(PartFailed(now_us, PART, reason))
        self.retry_at_us = now_us + self._wait_us
        self._wait_us = min(2 * self._wait_us, _LONGEST_WAIT_US)

    def _find(self) -> None:
        self._wait_us = _FIRST_WAIT_US
        if self.retry_at_us is not None:
            self.retry_at_us = None
            self._report(PartReturned(self._now_us(), PART))

    def _drop(self) -> None:
        """Forget the device, which must be started anew, and what stood on it."""
        device, self._device = self._device, None
        self._sent = self._contrast = None
        if device is not None:
            device.persist = True  # nobody is there to be darkened
            with suppress(*_TROUBLE):
                device.cleanup()
            vars(device).clear()  # luma holds on to every device it made, 130 kB each
