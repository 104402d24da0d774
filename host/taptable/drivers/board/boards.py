"""The seat boards of a table: those of its seats, and those of other pads. The connection of each board passes bytes
between its port (`port`) and its link (`link`), turns the link's events into device events at this pad, and reports
them. It sends lights and acknowledgements to the board. A tag is reported after enough reads: one if it is enrolled,
else two. The limits on what one board may send are here. Must not know a rule of a game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial

from tapshared.outbox import CAPACITY, MAX_IN_FLIGHT
from tapshared.rc522 import GAIN_DB
from tapshared.version import GAIN_SINCE

from taptable.core.cues import SeatLights
from taptable.core.device_events import (
    BOARD_PART_KINDS,
    ButtonEdge,
    Clock,
    DeviceEvent,
    PartFailed,
    PartReturned,
    Receipt,
    TagCame,
    TagUnreadable,
    TagWent,
    part_name,
)
from taptable.core.observations import Pad
from taptable.core.rates import RateLimiter
from taptable.drivers.board.bus import Socket, UsbBus, usb_socket
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import (
    BoardConnected,
    BoardEvent,
    BoardLost,
    EventsLost,
    LinkEvent,
    Misread,
    ReaderCounts,
    ReaderState,
)
from taptable.drivers.board.port import BoardPort, FloodingBoard, OpenPort, TwinBoards, open_by_identity
from taptable.drivers.board.versions import Fit, firmware_fit, is_since
from taptable.drivers.interface import DeviceContext, OpenedParts
from taptable.drivers.reader_health import FOUND_AFTER_RESET, MANY_ON_BOARD, MisreadWatch, ReaderHealth

_log = logging.getLogger(__name__)

GARBAGE_PER_S, MAX_GARBAGE = 20, 200
"""Rate (per second) and burst of damaged sentences, or of what counts as such, that a board may send. On a line that
damages every tenth sentence it sends 3 per second."""
GARBAGE_PER_PAUSE_S = 60
"""A second for which reading paused, since the board sent too much, counts as this many damaged sentences: after 5 s it
is too much."""
EVENTS_PER_S, MAX_EVENTS = 20, CAPACITY
"""Rate (per second) and burst of events taken from one board. Each is a commit of the journal."""

_KIND_OF: dict[type[Exception] | None, str] = {TwinBoards: "twins", FloodingBoard: "flood"}


@dataclass(frozen=True, slots=True)
class BoardContext:
    """The context of a board's connection: the table's services, and the bus that all boards share."""

    table: DeviceContext
    open_port: OpenPort
    bus: UsbBus
    socket_of: Callable[[str], Socket | None]


class BoardConnection:
    """The board of one pad, with the gain of its reader, and whether a seat's button is on it. Create it on the loop
    that runs it."""

    def __init__(
        self, pad: Pad, board: str, context: BoardContext, *, gain_db: int = GAIN_DB, has_button: bool = False
    ) -> None:
        press_time = partial(context.bus.place_press, pad) if has_button else None
        self.link = BoardLink(
            board, context.table.last_committed, has_button=has_button, press_time=press_time, gain_db=gain_db
        )
        self._gain_db = gain_db
        self._has_button = has_button
        self._pad = pad
        self._context = context
        self._table = context.table
        self._loop = asyncio.get_running_loop()
        self._port = BoardPort(board, context.open_port, self._port_opened, self._data_received, self._port_closed)
        self._timer: asyncio.TimerHandle | None = None
        self._garbage_limiter = RateLimiter(GARBAGE_PER_S, MAX_GARBAGE, self._loop.time)
        self._garbage_counted = 0.0
        self._events = RateLimiter(EVENTS_PER_S, MAX_EVENTS, self._loop.time)
        self._taking: asyncio.TimerHandle | None = None  # runs while events wait to be taken
        self._failed: set[str] = set()
        self._reported_tags: dict[str, int] = {}  # tags that were reported and haven't gone, and when they came
        self._unconfirmed_tags: dict[str, bool] = {}  # tags that were read once, and whether they were already present
        self._pressed = False
        self._misread = MisreadWatch(part_name("pad", pad), MANY_ON_BOARD)
        self._counts: ReaderCounts | None = None  # since this boot

    @property
    def health(self) -> ReaderHealth:
        """The board's counters of its reader, as last sent."""
        counts, misread = self._counts, self._misread.count
        if counts is None:
            return ReaderHealth(misread=misread)
        return ReaderHealth(counts.set_ups, counts.wrong, counts.healed, counts.unread, misread)

    def open(self) -> None:
        """Start. A board that is missing is reported at once."""
        self._port.open()

    def close(self) -> None:
        """Stop."""
        self._port.close()
        self._take_no_more()
        if self._timer is not None:
            self._timer.cancel()

    def show(self, light: SeatLights) -> None:
        """Show this light from now on."""
        self.link.show(light, self._table.now_us())
        self._pump()

    def _port_opened(self) -> None:
        if self._has_button:
            self.link.bus_clock = self._context.bus.plug_in(self._pad, self._context.socket_of(self._port.path))
        self.link.port_opened(self._table.now_us())
        self._pump()

    def _data_received(self, data: bytes) -> None:
        self._handle(self.link.data_received(data, self._table.now_us()))
        if self._is_flooding():
            self._port.disconnect(FloodingBoard(self.link.board))
        elif self._taking is None:
            self._take_events()

    def _is_flooding(self) -> bool:
        """Return whether the board has sent more invalid input (`BoardLink.garbage`) than it may."""
        garbage = self.link.garbage + self._port.paused_s * GARBAGE_PER_PAUSE_S
        if garbage == self._garbage_counted:
            return False
        self._garbage_limiter.consume(garbage - self._garbage_counted)
        self._garbage_counted = garbage
        return self._garbage_limiter.wait_s() > 0

    def _take_events(self) -> None:
        """Report the pending events, and acknowledge each unless it has to be reported again later. Lets other boards'
        events in after each `MAX_IN_FLIGHT`; after `MAX_EVENTS` the rest have to wait."""
        self._taking = None
        for _ in range(MAX_IN_FLIGHT):
            event = self.link.next_event()
            if event is None:
                break
            device_event = self._device_event(event)
            # an event without a meaning is acknowledged without a report
            if device_event is not None and self._table.report(device_event) is Receipt.LATER:
                self.link.defer_event()
                break
            self.link.acknowledge(event.origin)
            self._remember(event, device_event)
            self._events.consume()
            if wait_s := self._events.wait_s():
                self._taking = self._loop.call_later(wait_s, self._take_events)
                break
        else:
            self._taking = self._loop.call_later(0, self._take_events)
        self._pump()

    def _take_no_more(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _port_closed(self, reason: str) -> None:
        self._take_no_more()
        events = self.link.port_closed(reason)
        kind = _KIND_OF.get(None if self._port.error is None else type(self._port.error))
        if kind is not None:
            self._replace_failures(kind, reason)
        elif self._failed & set(_KIND_OF.values()):
            self._replace_failures("board", reason)
        else:
            self._handle(events)

    def _tick(self) -> None:
        self._handle(self.link.tick(self._table.now_us()))

    def _pump(self) -> None:
        """Send what is due, and schedule the link's next tick."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._port.write(self.link.take_outgoing())
        due_us = self.link.due_us
        if due_us is not None:
            self._timer = self._loop.call_later((due_us - self._table.now_us()) / 1_000_000, self._tick)

    def _handle(self, events: list[LinkEvent]) -> None:
        for event in events:
            match event:
                case BoardConnected(firmware, restarted):
                    _log.info("Board connected (%s, %s): firmware %s", self._part("board"), self.link.board, firmware)
                    if firmware_fit(firmware) is Fit.OLDER:
                        advice = "Board firmware is outdated (%s, %s): it works; to update it: taptable flash %s"
                        _log.warning(advice, self._part("board"), firmware, self._pad)
                    if self._gain_db != GAIN_DB and not is_since(GAIN_SINCE, firmware):
                        advice = (
                            "Reader gain not set (%s): %d dB, not %d, since firmware %s can't set it: taptable flash %s"
                        )
                        _log.warning(advice, self._part("pad"), GAIN_DB, self._gain_db, firmware, self._pad)
                    self._report_all_returned()
                    if restarted:
                        self._forget()
                case BoardLost(reason, unfit=True):
                    self._replace_failures("firmware", reason)
                case BoardLost(reason):
                    damaged, skipped = self.link.damaged, self.link.skipped
                    _log.info(
                        "Board lost (%s, %s): %d sentences damaged and %d foreign texts skipped up to now",
                        self._part("board"),
                        self.link.board,
                        damaged,
                        skipped,
                    )
                    self._report_failed("board", reason)
                case ReaderState(deaf=True):
                    self._report_failed("pad", "its reader doesn't answer the board")
                case ReaderState():
                    self._report_returned("pad")
                case Misread(count):
                    self._misread.set_count(count, self._table.now_us())
                case ReaderCounts():
                    self._take_counts(event)
                case EventsLost(count):
                    self._report_failed("board", f"had no room for {count} events")
                    self._report_returned("board")
                    self._forget_tags()
        self._pump()

    def _take_counts(self, counts: ReaderCounts) -> None:
        """Report changes of the reader's counters: in the log, and an unreadable card to the table."""
        previous, part = self._counts or ReaderCounts(0, 0, 0, 0, has_unreadable=False), self._part("pad")
        self._counts = counts
        if counts.wrong > previous.wrong:
            _log.warning(
                "Reader registers were wrong (%s): %d since its board's start. The board sets it up again; if this"
                " repeats, check its power and wires",
                part,
                counts.wrong,
            )
        if counts.healed > previous.healed:
            _log.warning(FOUND_AFTER_RESET, part)
        if counts.has_unreadable and counts.unread > previous.unread:
            self._table.report(TagUnreadable(self._table.now_us(), self._pad))

    def _device_event(self, event: BoardEvent) -> DeviceEvent | None:
        origin, fields, at_us = event.origin, event.message.fields, event.moment.at_us
        if event.message.verb in ("press", "release"):
            pressed = event.message.verb == "press"
            return ButtonEdge(at_us, self._pad, pressed, event.moment.uncertainty_us, origin, Clock.BOARD)
        uid = str(fields["uid"])
        if event.message.verb == "gone":
            return TagWent(at_us, self._pad, uid, origin, clock=Clock.BOARD) if uid in self._reported_tags else None
        already_present = fields["how"] == "lying"
        if fields["how"] == "again":
            if uid not in self._unconfirmed_tags:
                return None
            already_present = self._unconfirmed_tags[uid]
        identity = self._table.identify(uid)
        if fields["how"] != "again" and (identity is None or (already_present and uid in self._reported_tags)):
            return None
        return TagCame(at_us, self._pad, uid, already_present, origin, identity, Clock.BOARD)

    def _remember(self, event: BoardEvent, device_event: DeviceEvent | None) -> None:
        """Remember what later events of this boot depend on, once this one is committed."""
        fields = event.message.fields
        match device_event:
            case ButtonEdge(pressed=pressed):
                self._pressed = pressed
            case TagCame(at_us, uid=uid):
                self._reported_tags.setdefault(uid, at_us)
                self._unconfirmed_tags.pop(uid, None)
            case TagWent(uid=uid):
                del self._reported_tags[uid]
            case _ if event.message.verb == "gone":
                if self._unconfirmed_tags.pop(str(fields["uid"]), None) is not None:
                    # nobody else was notified of a tag that was read once
                    self.link.refresh_light(self._table.now_us())
            case _ if fields["how"] == "" or (fields["how"] == "lying" and fields["uid"] not in self._reported_tags):
                uid = str(fields["uid"])  # a tag that came before the Pi connected is sent again, as already present
                self._unconfirmed_tags[uid] = fields["how"] == "lying" and self._unconfirmed_tags.get(uid, True)
            case _:
                pass

    def _forget(self) -> None:
        """Forget the state of the last boot: the board restarted, and won't send the end of what it reported before."""
        self._forget_tags()
        if self._pressed:
            self._table.report(ButtonEdge(self._table.now_us(), self._pad, pressed=False, clock=Clock.TABLE))
        self._unconfirmed_tags.clear()
        self._pressed = False
        self._counts = None

    def _forget_tags(self) -> None:
        """Report all tags as gone: the board won't send when they went."""
        for uid, came_us in sorted(self._reported_tags.items()):
            self._table.report(TagWent(came_us, self._pad, uid, seen=False, clock=Clock.BOARD))
        self._reported_tags.clear()

    def _report_failed(self, kind: str, reason: str) -> None:
        self._failed.add(kind)
        self._table.report(PartFailed(self._table.now_us(), self._part(kind), reason))

    def _replace_failures(self, kind: str, reason: str) -> None:
        """Report this kind of failure in place of the others of this board."""
        if kind not in self._failed:
            self._report_all_returned()
            self._report_failed(kind, reason)

    def _report_all_returned(self) -> None:
        for kind in BOARD_PART_KINDS:
            self._report_returned(kind)

    def _report_returned(self, kind: str) -> None:
        if kind in self._failed:
            self._failed.remove(kind)
            self._table.report(PartReturned(self._table.now_us(), self._part(kind)))

    def _part(self, kind: str) -> str:
        return part_name(kind, self._pad)


class Boards(OpenedParts):
    """The boards of `pads`, which has the board id of each. `gains` are the gains of their readers in dB, where they
    aren't the default. `button_seats` are the seats whose button is on their board, and `has_other_buttons` is whether
    there are buttons elsewhere. `socket_of(path)` returns where a serial port is plugged in. Create it on the loop that
    runs it.

    An event that `report` can't commit (a full disk) is not acknowledged. It is reported again when the board sends it
    again, before any later one of that board. All others are acknowledged."""

    def __init__(
        self,
        pads: Mapping[Pad, str],
        table: DeviceContext,
        open_port: OpenPort = open_by_identity,
        socket_of: Callable[[str], Socket | None] = usb_socket,
        *,
        gains: Mapping[Pad, int] | None = None,
        button_seats: Collection[int] = (),
        has_other_buttons: bool = False,
    ) -> None:
        self.bus = UsbBus(len(button_seats), has_other_buttons)
        context = BoardContext(table, open_port, self.bus, socket_of)
        self._boards = {
            pad: BoardConnection(
                pad, board, context, gain_db=(gains or {}).get(pad, GAIN_DB), has_button=pad in button_seats
            )
            for pad, board in pads.items()
        }

    @property
    def rings(self) -> Collection[Pad]:
        """The pads on boards."""
        return self._boards.keys()

    @property
    def health(self) -> Mapping[Pad, ReaderHealth]:
        """The counters of the readers on boards."""
        return {pad: board.health for pad, board in self._boards.items()}

    def open(self) -> None:
        """Open all ports. A board that is missing is reported and awaited."""
        for board in self._boards.values():
            board.open()

    def close(self) -> None:
        """Close all ports."""
        for board in self._boards.values():
            board.close()

    def show_light(self, pad: Pad, light: SeatLights) -> None:
        """Show a light at a pad's ring and lamp from now on. Does nothing for a pad without a board."""
        if pad in self._boards:
            self._boards[pad].show(light)
