"""The USB's frames as a clock: the host sends a start of frame each millisecond, which all boards behind one hub
receive together. A board's anchors say between which two of its ticks a frame was received. So presses on two boards
can be put in order by what both received, however slow the boards and their connection to the Pi are. Must not know how
anchors arrive: `link` passes them on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tapshared.ticks import ticks_add, ticks_diff

from taptable.core.observations import Pad
from taptable.drivers.board.clock import BoardClock, Moment

FRAME_US = 1000  # from one frame to the next, in bus time
FRAME_NUMBERS = 1 << 11  # frame numbers before they wrap
HOST_DRIFT_PPM = 500  # of a host's frames (USB 2.0, 7.1.12)
DRIFT_PPM = HOST_DRIFT_PPM + 100  # of a host's frames and a board's crystal together
BETWEEN_HUBS_US = 126  # a microframe, rounded up: boards behind different hubs receive a frame this far apart
MAX_ANCHOR_SPAN_US = 2 * FRAME_US  # the longest span of an anchor, from before the frame to after it
MAX_UNCERTAINTY_US = (
    FRAME_NUMBERS * FRAME_US // 4
)  # with a larger uncertainty of table time, a frame's number says nothing
WANDERS_US = 2 * FRAME_US  # a frame further than this from its possible time means that the bus restarted
EDGE_US = (20, 150)  # from the contact to its stamp: an emulated Pico's interrupt was 27 to 119 late
USUAL_EDGE_US = 85  # the middle of these, which is subtracted from a stamp
EXACT_EDGE_US = (-1, 2)  # if the chip itself has stamped it: its timer is rounded down to whole µs
USUAL_EXACT_EDGE_US = 0  # the same for a stamp of the chip itself
ROUNDED_US = 1  # an anchor's second tick is rounded down, and may be less than the frame's own time
MAX_ORDERED_SPAN_US = 1_000_000  # presses further apart than this are never put in order
MAX_ANCHOR_DELAY_US = 10_000_000  # an anchor's longest way: its arrival may be this much later in bus time


@dataclass(frozen=True, slots=True)
class Socket:
    """The place where a board is plugged in: the hub, and the controller of all its hubs."""

    controller: str
    hub: str

    @property
    def controller_name(self) -> str:
        """The controller's name in sysfs: ``0000:01:00.0``, ``xhci-hcd.0``."""
        return Path(self.controller).name

    @property
    def hub_name(self) -> str:
        """The hub's name in sysfs: ``1-1``; ``usb1`` is the controller's own."""
        return Path(self.hub).name


def usb_socket(port: str, tty: Path = Path("/sys/class/tty")) -> Socket | None:
    """Return where the serial port at this path is plugged in, or None if it isn't on USB."""
    device = (tty / Path(port).resolve().name / "device").resolve()
    names = device.parts
    roots = [place for place, name in enumerate(names) if re.fullmatch(r"usb\d+", name)]
    if not roots or ":" not in names[-1] or len(names) - roots[-1] < 3:
        return None
    # not by the bus's number: a controller may have two root hubs, for fast and for slow devices
    return Socket(str(Path(*names[: roots[-1]])), str(Path(*names[:-2])))


class BusFrames:
    """The frames of one controller: their numbers without wraps, and the conversion of bus time (1000 µs a frame) into
    table time."""

    def __init__(self) -> None:
        self.epoch = 0  # counts the restarts of the bus, each of which voids what was known of a board's clock
        self._last: tuple[int, int, int] | None = None  # a number, its table time, and the uncertainty of that
        self._shift_us = 0
        self._shift_taken_us = 0  # bus time when the shift was taken
        self._shift_uncertainty_us = 0  # uncertainty of the shift at that time
        self._last_press_us: int | None = None  # bus time of the last press

    def unwrap(self, frame: int, moment: Moment) -> int | None:
        """Return the number of a frame without wraps, or None if table time is too uncertain to tell."""
        if moment.uncertainty_us > MAX_UNCERTAINTY_US:
            return None
        number = frame
        if self._last is not None:
            last, at_us, uncertainty_us = self._last
            elapsed_us = moment.at_us - at_us
            expected = last + round(elapsed_us / FRAME_US)
            number = expected + (frame - expected + FRAME_NUMBERS // 2) % FRAME_NUMBERS - FRAME_NUMBERS // 2
            explained_us = (
                moment.uncertainty_us + uncertainty_us + abs(elapsed_us) * DRIFT_PPM // 1_000_000 + WANDERS_US
            )
            if abs(number - expected) * FRAME_US > explained_us:
                self.epoch += 1
                self._last_press_us = None
                number = frame
        self._last = (number, moment.at_us, moment.uncertainty_us)
        return number

    def table_us(self, bus_us: int, in_table: Moment) -> int:
        """Return the table time of a press at this bus time. Presses of one window all get the same shift, so that the
        bus decides about the time between them."""
        if self._last_press_us is None or abs(bus_us - self._last_press_us) > MAX_ORDERED_SPAN_US:
            self._shift_taken_us = bus_us
            self._shift_us = in_table.at_us - bus_us
            self._shift_uncertainty_us = in_table.uncertainty_us
        self._last_press_us = bus_us
        return bus_us + self._shift_us

    @property
    def common_error_us(self) -> int:
        """How far presses that were placed by the bus may be off in table time, all by the same."""
        if self._last_press_us is None:
            return 0
        return (
            self._shift_uncertainty_us
            + abs(self._last_press_us - self._shift_taken_us + MAX_ORDERED_SPAN_US) * DRIFT_PPM // 1_000_000
        )


class BusClock:
    """Converts the stamps of one board into bus time, while it is plugged in at `hub`."""

    def __init__(self, frames: BusFrames, hub: str) -> None:
        self.frames = frames
        self.hub = hub
        self._clock = BoardClock(DRIFT_PPM)
        self._epoch = frames.epoch
        self._by = 0  # the tick of the last anchor
        self._lag_us = 0  # from bus time to table time, at the last anchor

    def restart(self) -> None:
        """Start again: the board has restarted, and its ticks with it."""
        self._clock = BoardClock(DRIFT_PPM)

    @property
    def is_synchronized(self) -> bool:
        """Whether there has been an anchor since the bus and the board started."""
        return self._clock.is_synchronized and self._epoch == self.frames.epoch

    def add_anchor(self, frame: int, after: int, by: int, in_table: BoardClock, arrived_us: int) -> None:
        """Add an anchor: the frame of this number was received after the board's tick `after` and by its tick `by`,
        rounded down. Drops an impossible one."""
        by = ticks_add(by, ROUNDED_US)
        earliest_us = in_table.moment(after, arrived_us).earliest_us
        made = Moment(earliest_us, max(earliest_us, in_table.moment(by, arrived_us).latest_us))
        span_us = ticks_diff(by, after)
        is_later = not self._clock.is_synchronized or ticks_diff(by, self._by) > 0
        sound = is_later and 0 < span_us <= MAX_ANCHOR_SPAN_US and frame < FRAME_NUMBERS
        number = self.frames.unwrap(frame, made) if sound else None
        if number is None:
            return
        self._by = by
        if self._epoch != self.frames.epoch:
            self._epoch = self.frames.epoch
            self._clock = BoardClock(DRIFT_PPM)
        bus_us = number * FRAME_US
        self._lag_us = arrived_us - bus_us
        self._clock.add_exchange(bus_us, by, bus_us + span_us)

    def bus_time(self, ticks: int, arrived_us: int) -> Moment:
        """Return when the board stamped `ticks`, in bus time. Needs `is_synchronized`."""
        return self._clock.moment(ticks, arrived_us - self._lag_us + MAX_ANCHOR_DELAY_US)

    def place(
        self, ticks: int, in_table: Moment, arrived_us: int, *, one_hub: bool, exact: bool = False
    ) -> Moment | None:
        """Return the table time of a press with the stamp `ticks`, shifted like all presses of its window, with the
        uncertainty that the bus leaves. Return None if that would be in the future. `exact`: the chip itself has
        stamped it."""
        (least_us, most_us), usual_us = (EXACT_EDGE_US, USUAL_EXACT_EDGE_US) if exact else (EDGE_US, USUAL_EDGE_US)
        stamped = self.bus_time(ticks, arrived_us)
        around_us = stamped.uncertainty_us + max(most_us - usual_us, usual_us - least_us)
        around_us += 0 if one_hub else BETWEEN_HUBS_US // 2
        at_us = self.frames.table_us(stamped.at_us, in_table) - usual_us
        return None if at_us > arrived_us else Moment(at_us - around_us, at_us + around_us)


class UsbBus:
    """The controllers of a table whose buttons are on boards. Decides whether presses are placed by the bus."""

    def __init__(self, button_count: int, has_other_buttons: bool) -> None:
        self.sockets: dict[Pad, Socket] = {}
        """The sockets of the boards that are connected, where they are known."""
        self._frames: dict[str, BusFrames] = {}
        self._clocks: dict[Pad, BusClock] = {}
        self._button_count = button_count  # on boards
        self._has_other_buttons = has_other_buttons  # elsewhere than on boards

    def plug_in(self, pad: Pad, socket: Socket | None) -> BusClock | None:
        """Register that the board of a pad, with a button, is connected at this socket. Return its clock, or None if
        the socket is unknown."""
        if socket is None:
            self._clocks.pop(pad, None)
            self.sockets.pop(pad, None)
            return None
        self.sockets[pad] = socket
        clock = BusClock(self._frames.setdefault(socket.controller, BusFrames()), socket.hub)
        self._clocks[pad] = clock
        return clock

    @property
    def can_order_presses(self) -> bool:
        """Whether the bus can order the presses of all buttons now: they are on boards at one controller, each of which
        has sent an anchor."""
        clocks = self._clocks.values()
        by_bus = (
            len(clocks) == self._button_count
            and not self._has_other_buttons
            and len({id(each.frames) for each in clocks}) == 1
        )
        return by_bus and all(each.is_synchronized for each in clocks)

    def place_press(self, pad: Pad, ticks: int, in_table: Moment, arrived_us: int, exact: bool = False) -> Moment:
        """Return when the button of a pad was pressed, in table time: by the bus if that orders all buttons, else by
        the round trip. `exact`: the chip itself has stamped it."""
        clock = self._clocks.get(pad)
        if clock is not None and self.can_order_presses:
            hubs = {each.hub for each in self._clocks.values()}
            placed = clock.place(ticks, in_table, arrived_us, one_hub=len(hubs) == 1, exact=exact)
            if placed is not None:
                return placed
        # others may have been placed by the bus just before, all off by the same
        hidden_us = max((frames.common_error_us for frames in self._frames.values()), default=0)
        least_us, most_us = EXACT_EDGE_US if exact else EDGE_US
        latest_us = in_table.latest_us - min(0, least_us) + hidden_us
        return Moment(in_table.earliest_us - most_us - hidden_us, min(latest_us, arrived_us))
