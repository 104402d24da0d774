"""One pad whose reader is on the Pi's SPI. Opens the reader, polls the pad, and returns events: tags come and go, the
reader fails and returns. A plain object without time of its own. Must not know which other pads there are."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from tapshared.presence import ABSENCE_US, BLUR_US, CAME, Presence, PresenceChange
from tapshared.rc522 import GAIN_DB
from tapshared.upkeep import CHECK_US, Unread, Upkeep

from taptable.core.device_events import (
    Clock,
    DeviceEvent,
    Identify,
    PartFailed,
    PartReturned,
    TagCame,
    TagUnreadable,
    TagWent,
    part_name,
)
from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.drivers.reader_health import FOUND_AFTER_RESET, MANY_ON_SPI, MisreadWatch, ReaderHealth

RETRY_US = 500_000
"""The delay before a reader that failed is retried."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SpiPad:
    """A pad and its reader's place: `spi:<bus>.<device>`, and its reset pin by BCM number, None if that is wired to
    3V3. `own_reset`: no other reader is on that pin. `gain_db` is the receiver's gain."""

    pad: Pad
    bus: int
    device: int
    pin_rst: int | None
    speed_hz: int = 1_000_000
    own_reset: bool = True
    gain_db: int = GAIN_DB

    @property
    def part(self) -> str:
        """The pad's name in reports of its failure."""
        return part_name("pad", self.pad)


class NoReader(DeviceError):
    """Nothing like a reader answers on the bus. `version` is the value read from the version register."""

    def __init__(self, name: str, version: int) -> None:
        super().__init__(
            f"{name}: no reader answers (version register 0x{version:02X}): "
            "check its power, the wires to MISO, MOSI, SCK and SDA, and that SPI is enabled"
        )
        self.version = version


class FailingReader(DeviceError):
    """A reader answers wrongly: it stops, fails its self-test, or a register differs from the value written."""


class PadReader(Protocol):
    """The reader of a pad; see `reader.SpiReader`. Each member raises DeviceError or OSError."""

    @property
    def version(self) -> int:
        """The value of its version register, which tells the chip."""
        ...

    @property
    def passes_self_test(self) -> bool | None:
        """Whether it passed its self-test when it was set up; None for a chip whose right result is unknown."""
        ...

    @property
    def set_ups(self) -> int:
        """How often the chip was set up."""
        ...

    @property
    def wrong_registers(self) -> int:
        """How many registers `check` found wrong."""
        ...

    @property
    def unread(self) -> Sequence[bytes]:
        """The bytes resolved by the last look of each card that answered and couldn't be selected."""
        ...

    def restart(self) -> None:
        """Reset the chip and set it up."""
        ...

    def check(self) -> None:
        """Compare the chip's registers with the values of its set-up."""
        ...

    def set_gain(self, gain_db: int) -> None:
        """Set the chip up again, with this gain from now on."""
        ...

    def field_on(self) -> None:
        """Switch the field on, unless it is on."""
        ...

    def field_off(self) -> None:
        """Switch the field off."""
        ...

    def look(self, known: Sequence[bytes]) -> tuple[list[bytes], bool]:
        """Return the UIDs on the pad, and whether an answer was received that gave no UID."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


OpenReader = Callable[[SpiPad], PadReader]
Sleep = Callable[[float], Awaitable[None]]
"""Waits for a number of seconds, or longer if no look meanwhile could find anything new."""


class WatchedPad:
    """A pad that is polled. `keep_field`: leave the field on between looks, allowed only if no other reader is on the
    same Pi. `is_quiet` returns whether nothing is under way at the table, so that a chip may be reset that has proved
    nothing for a while."""

    def __init__(
        self,
        place: SpiPad,
        *,
        keep_field: bool,
        now_us: Callable[[], int],
        identify: Identify,
        open_reader: OpenReader,
        is_quiet: Callable[[], bool] = lambda: True,
    ) -> None:
        self.place = place
        self._is_quiet = is_quiet
        self._keep_field = keep_field
        self._now_us = now_us
        self._identify = identify
        self._open_reader = open_reader
        self._reader: PadReader | None = None
        self._presence = Presence(self._report_after)
        # the tags that were reported and haven't gone, and when each was last read
        self._last_read_us: dict[str, int] = {}
        self._upkeep = Upkeep()
        self._unread = Unread()
        self._misread = MisreadWatch(place.part, MANY_ON_SPI)
        self._check_at_us = 0
        self._is_reset = False
        self._faults = 0  # in a row
        self._retry_at_us = 0

    @property
    def health(self) -> ReaderHealth:
        """The counters of its reader."""
        again = wrong = 0
        if self._reader is not None:
            again, wrong = self._reader.set_ups - 1, self._reader.wrong_registers
        return ReaderHealth(again, wrong, self._upkeep.healed, self._unread.count, self._misread.count)

    def poll(self) -> list[DeviceEvent]:
        """Look once, and return what is new. After the first fault in a row the reader is set up again; the second one
        is reported."""
        failed = self._faults > 1
        if self._now_us() < self.due_us:
            return []
        try:
            reader = self._ready_reader()
            reader.field_on()
            uids, garbled = reader.look(self._presence.known_uids())
            unread = self._unread.look(self._now_us(), uids, reader.unread, garbled)
            self._maintain(reader, bool(uids), garbled)
            changes = self._presence.look(self._now_us(), uids, garbled)
            # A card that went may still be there, halted and unread: it answers nothing until the field has been off.
            if not self._keep_field or any(change.kind != CAME for change in changes):
                reader.field_off()
        except (DeviceError, OSError) as error:
            return self._handle_fault(error)
        self._faults = 0
        device_events: list[DeviceEvent] = [PartReturned(self._now_us(), self.place.part)] if failed else []
        if unread:
            device_events.append(TagUnreadable(self._now_us(), self.place.pad))
        for uid in uids:
            if uid.hex() in self._last_read_us:
                self._last_read_us[uid.hex()] = self._now_us()
        return device_events + [self._device_event(change) for change in changes]

    @property
    def due_us(self) -> int:
        """When the next look can find something: now (0), or when a reader that failed is retried."""
        return self._retry_at_us if self._faults > 1 else 0

    def close(self) -> None:
        """Switch the field off and close the bus."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def _ready_reader(self) -> PadReader:
        """Return the reader: opened if it wasn't, set up again after a fault."""
        if self._reader is None:
            self._reader = self._open_reader(self.place)
            self._check_at_us = 0
        elif self._faults:
            self._reader.restart()
            self._check_at_us = 0
        return self._reader

    def _maintain(self, reader: PadReader, has_read: bool, garbled: bool) -> None:
        """Compare the registers, the field's among them, every CHECK_US and in the first look after each set-up. Reset
        a chip whose receiver hasn't proved for long that it works."""
        now_us = self._now_us()
        if has_read:
            if self._is_reset:
                _log.warning(FOUND_AFTER_RESET, self.place.part)
            self._upkeep.record_card(self._is_reset)
        self._is_reset = False
        if garbled:
            self._misread.add(now_us)
        if now_us < self._check_at_us:
            return
        reader.check()
        self._check_at_us = now_us + CHECK_US
        if self._upkeep.should_reset(self._is_quiet()):
            reader.restart()
            self._is_reset = True
            self._check_at_us = 0

    def _handle_fault(self, error: Exception) -> list[DeviceEvent]:
        """Handle a fault of the reader. Once it has been reported, nothing is known of the pad any more."""
        self._faults += 1
        self._retry_at_us = self._now_us() + RETRY_US
        if self._reader is not None:
            with suppress(OSError):  # the next reader's field comes on, and this one's may still be on
                self._reader.field_off()
            if self._faults == 1:
                _log.warning("Reader fault (%s): %s. The table sets it up again", self.place.part, error)
        if self._faults != 2:
            return []
        self._presence = Presence(self._report_after)
        gone = [
            TagWent(read_us, self.place.pad, uid, clock=Clock.TABLE)
            for uid, read_us in sorted(self._last_read_us.items())
        ]
        self._last_read_us.clear()
        return [*gone, PartFailed(self._now_us(), self.place.part, str(error))]

    def _report_after(self, uid: bytes) -> Sequence[int]:
        """Return the reads after which a tag is reported: one for an enrolled card, two for an unknown tag."""
        return (2,) if self._identify(uid.hex()) is None else (1,)

    def _device_event(self, change: PresenceChange) -> DeviceEvent:
        uid = change.uid.hex()
        if change.kind == CAME:
            self._last_read_us[uid] = self._now_us()
            identity = self._identify(uid)
            return TagCame(
                change.at_us, self.place.pad, uid, change.already_there, identity=identity, clock=Clock.TABLE
            )
        # if the computer was held up, it is found to be gone long after
        at_us = min(change.at_us, self._last_read_us.pop(uid) + BLUR_US + ABSENCE_US)
        return TagWent(at_us, self.place.pad, uid, clock=Clock.TABLE)
