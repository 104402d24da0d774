"""One pad with a reader on a bus of this computer (SPI or I2C): opens the reader, looks at the pad whenever
`rc522_poller` asks for it, and returns device events: a tag came or went, the reader failed or works again. It has no
timer: the poller decides when to look. Must not know which bus it is, nor the other pads on it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress

from tapshared.presence import ABSENCE_US, CAME, MAX_GARBLED_US, Presence, PresenceChange
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
from taptable.drivers.rc522_reader import PadReader
from taptable.drivers.reader_health import FOUND_AFTER_RESET, MANY_ON_BUS, MisreadWatch, ReaderHealth

RETRY_US = 500_000
"""Time from a fault of the reader until it is set up and tried again."""

_log = logging.getLogger(__name__)


OpenReader = Callable[[], PadReader]
"""Opens the reader of a pad, set up. Raises DeviceError or OSError with what is missing."""


class WatchedPad:
    """A pad that is polled. With `keep_field` the field stays on between looks, which is allowed only if no other
    reader takes turns with this one. `is_quiet` returns whether nothing is in progress at the table: only then a chip
    is reset that has read no card for so long that its receiver may have failed."""

    def __init__(
        self,
        pad: Pad,
        *,
        keep_field: bool,
        now_us: Callable[[], int],
        identify: Identify,
        open_reader: OpenReader,
        is_quiet: Callable[[], bool] = lambda: True,
    ) -> None:
        self.pad = pad
        self.part = part_name("pad", pad)
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
        self._misread = MisreadWatch(self.part, MANY_ON_BUS)
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
        """Look once, and return what is new; return nothing while a retry isn't due. After a fault the reader is set up
        again by the next call. A second fault in a row is reported as `PartFailed`, and the next look that succeeds as
        `PartReturned`."""
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
        device_events: list[DeviceEvent] = [PartReturned(self._now_us(), self.part)] if failed else []
        if unread:
            device_events.append(TagUnreadable(self._now_us(), self.pad))
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
            self._reader = self._open_reader()
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
                _log.warning(FOUND_AFTER_RESET, self.part)
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
        """Count a fault of the reader. With the second one in a row, report that the pad has failed and its tags have
        gone: nobody knows what lies there until the reader works again."""
        self._faults += 1
        self._retry_at_us = self._now_us() + RETRY_US
        if self._reader is not None:
            with suppress(OSError, DeviceError):  # the next reader's field comes on, and this one's may still be on
                self._reader.field_off()
            if self._faults == 1:
                _log.warning("Reader fault (%s): %s. The table sets it up again", self.part, error)
        if self._faults != 2:
            return []
        self._presence = Presence(self._report_after)
        gone = [
            TagWent(read_us, self.pad, uid, clock=Clock.TABLE) for uid, read_us in sorted(self._last_read_us.items())
        ]
        self._last_read_us.clear()
        return [*gone, PartFailed(self._now_us(), self.part, str(error))]

    def _report_after(self, uid: bytes) -> Sequence[int]:
        """Return the reads after which a tag is reported: one for an enrolled card, two for an unknown tag."""
        return (2,) if self._identify(uid.hex()) is None else (1,)

    def _device_event(self, change: PresenceChange) -> DeviceEvent:
        uid = change.uid.hex()
        if change.kind == CAME:
            self._last_read_us[uid] = self._now_us()
            identity = self._identify(uid)
            return TagCame(change.at_us, self.pad, uid, change.already_there, identity=identity, clock=Clock.TABLE)
        # If the computer was held up, nobody looked for a while: the tag went no later than this after its last read.
        at_us = min(change.at_us, self._last_read_us.pop(uid) + MAX_GARBLED_US + ABSENCE_US)
        return TagWent(at_us, self.pad, uid, clock=Clock.TABLE)
